//! What `docs/language.md` and `docs/recipes.md` show is true: their games are checked and run, their tables worked out.
//!
//! - A block `rules` is a rule file, or a part of one: then it lacks the line `game …`, and a comment
//!   `<!-- rules … -->` after it holds what else the file needs. It must be right, and so must its
//!   examples.
//! - A block `variant` is a variant of a game shown before, and may name others that were shown.
//! - A block `transcript` (or `transcript NAME`) is read by it, and a block `report` is what that makes it say.
//! - A block `error` is what is said of the rule file before it, or of the transcript.
//! - A table after `<!-- values … -->` lists expressions and their values, with those rules around them.
//! - A table after `<!-- mistakes … -->` lists what is wrong in the place of `@`, the first message about it, and
//!   what to write there instead.
//! - What stands between `<!-- generated: … -->` and `<!-- end -->` is written from the interpreter's own tables;
//!   `INSTA_UPDATE=always` writes it again.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use referee::diagnostic::Colour;
use referee::game::{Game, Invalid};
use referee::library::Library;
use referee::reference::{self, Operation};

const DOCUMENT: &str = include_str!("../docs/language.md");
const RECIPES: &str = include_str!("../docs/recipes.md");

/// A piece of the document that is tested, with the line where it begins.
enum Piece {
    Fence(String, String, usize),
    Comment(String, String),
    Table(Vec<Vec<String>>, usize),
}

fn pieces(document: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut lines = document.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let until = |end: &str, lines: &mut dyn Iterator<Item = (usize, &str)>| {
            let inner: Vec<&str> = lines
                .map(|(_, line)| line)
                .take_while(|line| *line != end)
                .collect();
            inner.iter().flat_map(|line| [line, "\n"]).collect()
        };
        if let Some(info) = line.strip_prefix("```") {
            let text = until("```", &mut lines);
            pieces.push(Piece::Fence(info.into(), text, index + 1));
        } else if let Some(head) = line.strip_prefix("<!-- ") {
            let text = if head.ends_with("-->") {
                String::new()
            } else {
                until("-->", &mut lines)
            };
            let head = head.trim_end_matches("-->").trim();
            pieces.push(Piece::Comment(head.into(), text));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some((_, row)) = lines.next_if(|(_, line)| line.starts_with('|')) {
                rows.push(cells(row));
            }
            pieces.push(Piece::Table(rows.split_off(2), index + 1));
        }
    }
    pieces
}

/// The cells of a row; `\|` in a cell is a bar.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "\u{1}");
    let cells = row.trim().trim_matches('|').split('|');
    cells
        .map(|cell| cell.trim().replace('\u{1}', "|"))
        .collect()
}

/// A cell that is code.
fn code(cell: &str) -> &str {
    cell.trim_matches('`').trim()
}

fn load(text: &str) -> Result<Game, Invalid> {
    let library = Library::with_folders(vec![folder()]);
    let name = if text.starts_with("variant ") {
        "variant.rules"
    } else {
        "example.rules"
    };
    let game = Game::from_text(name, text, &library, &[])?;
    // The examples that a rule file shows must hold too.
    let examples = game.examples().into_iter();
    let diagnostics: Vec<_> = examples.flat_map(|example| example.wrong).collect();
    if diagnostics.is_empty() {
        return Ok(game);
    }
    Err(Invalid {
        sources: game.sources().clone(),
        diagnostics,
    })
}

/// Where the games and variants are kept that variants are applied to.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference")
}

/// Keeps a game or a variant for those that come later.
fn keep(text: &str) {
    let words: Vec<&str> = text.split_whitespace().take(4).collect();
    let path = match words.as_slice() {
        ["game", name, ..] => folder().join(name),
        ["variant", name, "of", game] => folder().join(game).join(name),
        _ => return,
    };
    let path = path.with_extension("rules");
    fs::create_dir_all(path.parent().unwrap_or(&path)).expect("a folder can be made");
    fs::write(path, text).expect("the example can be written");
}

fn messages(invalid: &Invalid) -> Vec<String> {
    let messages = invalid.diagnostics.iter();
    messages.map(|found| found.message.clone()).collect()
}

/// What a game says of a transcript, and what stopped it.
fn run(game: &Game, form: Option<&str>, transcript: &str) -> (String, Option<String>) {
    let mut said = Vec::new();
    let judged = game
        .judge(form, "game.txt", transcript.as_bytes(), &mut said)
        .unwrap_or_else(|invalid| panic!("{}", invalid.draw(Colour::Never)));
    if let Some(unmet) = judged.unmet {
        panic!("{}", unmet.draw(Colour::Never));
    }
    let stopped = judged.stopped.map(|failure| failure.draw(Colour::Never));
    (String::from_utf8(said).expect("a report is text"), stopped)
}

/// An example being followed: its rules, and what its transcript led to.
#[derive(Default)]
struct Example {
    rules: String,
    line: usize,
    trouble: Option<String>,
    game: Option<Game>,
    said: String,
}

impl Example {
    fn begin(text: &str, line: usize) -> Example {
        keep(text);
        let header = if text.starts_with("game ") || text.starts_with("variant ") {
            ""
        } else {
            "game example\n"
        };
        Example {
            rules: format!("{header}{text}"),
            line,
            ..Example::default()
        }
    }

    fn load(&mut self) {
        if self.game.is_some() || self.trouble.is_some() || self.rules.is_empty() {
            return;
        }
        match load(&self.rules) {
            Ok(game) => self.game = Some(game),
            Err(invalid) => {
                let folder = format!("{}/", folder().display());
                self.trouble = Some(invalid.draw(Colour::Never).replace(&folder, ""));
            }
        }
    }

    fn read(&mut self, form: Option<&str>, transcript: &str) {
        self.load();
        let line = self.line;
        let game = self.game.as_ref();
        let game = game.unwrap_or_else(|| panic!("line {line}: {}", shown(self.trouble.as_ref())));
        (self.said, self.trouble) = run(game, form, transcript);
    }

    /// Everything that went wrong was shown.
    fn end(&mut self) {
        self.load();
        assert!(
            self.trouble.is_none(),
            "line {}: {}",
            self.line,
            shown(self.trouble.as_ref())
        );
        if let Some(warning) = self.game.iter().flat_map(Game::warnings).next() {
            panic!("line {}: warning: {}", self.line, warning.message);
        }
    }
}

fn shown(trouble: Option<&String>) -> &str {
    trouble.map_or("", String::as_str)
}

#[test]
fn examples() {
    let _ = fs::remove_dir_all(folder());
    // One after the other: both keep games for the variants that come later.
    follow(DOCUMENT);
    follow(RECIPES);
}

fn follow(document: &str) {
    let mut example = Example::default();
    for piece in pieces(document) {
        match piece {
            Piece::Fence(info, text, line) => {
                match info.split(' ').collect::<Vec<_>>().as_slice() {
                    ["rules" | "variant"] => {
                        example.end();
                        example = Example::begin(&text, line);
                    }
                    ["transcript", form @ ..] => example.read(form.first().copied(), &text),
                    ["report"] => {
                        assert_eq!(
                            example.said,
                            text,
                            "line {line}: {}",
                            shown(example.trouble.as_ref())
                        );
                    }
                    ["error"] => {
                        example.load();
                        let trouble = example.trouble.take().unwrap_or_default();
                        assert_eq!(trouble.trim_end(), text.trim_end(), "line {line}");
                        if example.game.is_none() {
                            example = Example::default();
                        }
                    }
                    _ => {}
                }
            }
            Piece::Comment(head, text) if head == "rules" => example.rules += &text,
            Piece::Comment(..) | Piece::Table(..) => {}
        }
    }
    example.end();
}

/// The tables that follow a comment with this head, with the comment's text.
fn tables(wanted: &str) -> Vec<(String, Vec<Vec<String>>, usize)> {
    let mut tables = Vec::new();
    let mut context = None;
    for piece in pieces(DOCUMENT) {
        match piece {
            Piece::Comment(head, text) if head == wanted => context = Some(text),
            Piece::Table(rows, line) => {
                tables.extend(context.take().map(|context| (context, rows, line)));
            }
            Piece::Fence(..) | Piece::Comment(..) => {}
        }
    }
    assert!(!tables.is_empty());
    tables
}

/// The value of an expression with these rules around it, as a report writes it, or the code of the error that it is.
fn value_of(context: &str, expression: &str, may_be_none: bool) -> Result<String, String> {
    let report = if may_be_none {
        format!(
            "| it: \"none\" when ({expression}) is none | not: \"\" unless ({expression}) is none"
        )
    } else {
        format!("| it: \"{{{}}}\"", expression.replace('"', "'"))
    };
    let game = format!(
        "game values {context} on start {{ report {report} }} transcript shown by words {{ start }}"
    );
    let game = load(&game).map_err(|invalid| invalid.draw(Colour::Never))?;
    let (said, stopped) = run(&game, Some("shown"), "");
    Ok(match stopped {
        Some(stopped) => stopped.split(':').next().unwrap_or("").into(),
        None if said == "\n" => "(nothing)".to_string(),
        None => said.trim_end_matches('\n').to_string(),
    })
}

#[test]
fn values() {
    for (context, rows, line) in tables("values") {
        for (index, row) in rows.iter().enumerate() {
            let line = line + index + 2;
            let [expression, value, ..] = row.as_slice() else {
                panic!("line {line}: two columns are due");
            };
            let (expression, value) = (code(expression), code(value));
            let found = value_of(&context, expression, value == "none")
                .unwrap_or_else(|trouble| panic!("line {line}: {trouble}"));
            assert_eq!(found, value, "line {line}: `{expression}`");
        }
    }
}

#[test]
fn mistakes() {
    for (context, rows, line) in tables("mistakes") {
        for (index, row) in rows.iter().enumerate() {
            let line = line + index + 2;
            let [wrong, message, right, ..] = row.as_slice() else {
                panic!("line {line}: three columns are due");
            };
            let game =
                |written: &str| load(&format!("game mistakes {}", context.replace('@', written)));
            let found = match game(code(wrong)) {
                Ok(game) => game.warnings().first().map(|found| found.message.clone()),
                Err(invalid) => messages(&invalid).first().cloned(),
            };
            assert_eq!(found.as_ref(), Some(message), "line {line}: `{wrong}`");
            if !right.starts_with('`') {
                continue;
            }
            if let Err(invalid) = game(code(right)) {
                panic!("line {line}: {right}: {}", invalid.draw(Colour::Never));
            }
        }
    }
}

/// Built-ins or operators as a table of the document.
fn table_of(what: &str, operations: &[Operation]) -> String {
    let mut table = format!(
        "| {what} | takes | gives | | example | value |\n| --- | --- | --- | --- | --- | --- |\n"
    );
    for operation in operations {
        let Operation {
            form,
            takes,
            gives,
            doc,
            example,
            value,
        } = operation;
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| `{form}` | {takes} | {gives} | {doc} | `{example}` | `{value}` |"
        );
    }
    table
}

#[test]
fn generated() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/language.md");
    let mut document = fs::read_to_string(path).expect("the reference can be read");
    let builtins = table_of("built-in", &reference::builtins());
    let context = reference::CONTEXT;
    for (name, table) in [
        ("built-ins", format!("```\n{context}```\n\n{builtins}")),
        ("operators", table_of("operator", &reference::operators())),
    ] {
        let begin = format!("<!-- generated: {name} -->\n");
        let (before, rest) = document.split_once(&begin).expect("the table has a place");
        let (_, after) = rest
            .split_once("<!-- end -->")
            .expect("the table has an end");
        document = format!("{before}{begin}{table}<!-- end -->{after}");
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(path, &document).expect("the reference can be written");
    } else {
        let why =
            "the tables of docs/language.md are out of date: run this with INSTA_UPDATE=always";
        assert!(document == DOCUMENT, "{why}");
    }
}

#[test]
fn examples_of_builtins_and_operators() {
    let context = format!(
        "{} on start {{ impossible | never: \"{{marks of Point(1, 1)}} {{Short}}\" when no }}",
        reference::CONTEXT
    );
    let operations = reference::builtins()
        .into_iter()
        .chain(reference::operators());
    for Operation { example, value, .. } in operations {
        let found = value_of(&context, example, value == "none")
            .unwrap_or_else(|trouble| panic!("`{example}`: {trouble}"));
        assert_eq!(found, value, "`{example}`");
    }
}
