//! Reading rule files: what is printed or laid out reads as the same tree, and no text whatever makes the reader panic
//! or take its time.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use referee::{
    diagnostic::{Code, Diagnostic},
    game::{Game, Invalid},
    library::{Library, RuleText},
};

/// Reads `text` as a rule file, and writes it anew.
fn printed(name: &str, text: &str) -> Result<String, Invalid> {
    let file = RuleText {
        name: name.to_string(),
        text: text.to_string(),
    };
    file.canonical()
}

/// What is wrong with `text`.
fn wrong(text: &str) -> Vec<Diagnostic> {
    let ended = printed("case.rules", text);
    ended
        .err()
        .map_or(Vec::new(), |invalid| invalid.diagnostics)
}

/// The sorts of what is wrong with `text`.
fn codes(text: &str) -> Vec<Code> {
    wrong(text).iter().map(|one| one.code).collect()
}

/// Writes `text` anew, which is a rule file.
fn print(name: &str, text: &str) -> String {
    printed(name, text).unwrap_or_else(|invalid| panic!("{name} cannot be read:\n{invalid}"))
}

/// All rule files below `folder`, with their texts, in the order of their names.
fn rule_files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "rules")
            {
                let bytes = std::fs::read(&path).expect("the file can be read");
                // Some cases are no texts.
                files.extend(String::from_utf8(bytes).ok().map(|text| (path, text)));
            }
        }
    }
    files.sort();
    files
}

/// The words and marks of a text, roughly: where each begins and ends.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((start, first)) = characters.next() {
        let mut end = start + first.len_utf8();
        let is_letter = |character: char| character.is_alphanumeric() || character == '_';
        while is_letter(first)
            && let Some((at, next)) = characters.next_if(|(_, next)| is_letter(*next))
        {
            end = at + next.len_utf8();
        }
        if !first.is_whitespace() {
            words.push((start, end));
        }
    }
    words
}

/// Reads `text`, whatever it is, and makes sure that something useful is said if it is no rule file.
fn survive(text: &str) {
    if let Err(Invalid { diagnostics, .. }) = printed("case.rules", text) {
        assert!(!diagnostics.is_empty(), "nothing is said of\n{text}");
        for one in diagnostics {
            let range = one.range();
            assert!(
                range.start <= range.end && range.end <= text.len(),
                "{one:?}"
            );
            assert!(text.get(range).is_some(), "cuts a character: {one:?}");
            assert!(!one.message.is_empty());
        }
    }
}

#[test]
fn printed_trees_read_as_the_same_trees() {
    for (path, text) in rule_files("rules")
        .into_iter()
        .chain(rule_files("tests/syntax"))
    {
        let name = path.display().to_string();
        let printed = print(&name, &text);
        let again = print("printed", &printed);
        assert_eq!(printed, again, "{name}");
    }
}

#[test]
fn layout() {
    insta::glob!("syntax/*.rules", |path| snapshot(path, print));
}

#[test]
fn formatted_files() {
    insta::glob!("format/*.rules", |path| snapshot(path, format));
}

/// Compares what is made of a case with the snapshot beside it.
fn snapshot(path: &Path, written: fn(&str, &str) -> String) {
    let text = std::fs::read_to_string(path).expect("the case can be read");
    let text = written(&path.display().to_string(), &text);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    settings.bind(|| insta::assert_snapshot!(stem, text));
}

/// Lays out `text`, which is a rule file.
fn format(name: &str, text: &str) -> String {
    let file = RuleText {
        name: name.to_string(),
        text: text.to_string(),
    };
    let formatted = file.formatted();
    formatted.unwrap_or_else(|invalid| panic!("{name} cannot be read:\n{invalid}"))
}

/// All rule files that can be read.
fn readable() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in ["rules", "tests", "examples"] {
        for (path, text) in rule_files(folder) {
            let name = path.display().to_string();
            files.extend(printed(&name, &text).is_ok().then_some((name, text)));
        }
    }
    assert!(files.len() > 100, "only {} files", files.len());
    files
}

/// Makes sure that nothing is lost of a text that is laid out: its tree is the same, all that is not blank stands
/// there in the same order, comments too, and nothing changes the second time.
fn keep(name: &str, text: &str) {
    let formatted = format(name, text);
    let marks = |text: &str| -> String { text.split_whitespace().collect() };
    assert_eq!(marks(text), marks(&formatted), "{name}");
    assert_eq!(print(name, text), print(name, &formatted), "{name}");
    assert_eq!(formatted, format(name, &formatted), "{name}, of\n{text}");
}

#[test]
fn formatting_loses_nothing() {
    for (name, text) in readable() {
        keep(&name, &text);
    }
}

/// What may stand between any two words.
const BETWEEN: &[&str] = &[
    "\n",
    "\t \n\r\n\n",
    "   ",
    " -- behind a word\n",
    "\n-- on a line of its own\n",
    "\n\n  -- two\n\n\n -- of them\n\n",
    " -- behind a word\n       -- and on\n",
    " --\n",
];

#[test]
fn formatting_loses_no_comment_wherever_it_stands() {
    let mut random = 1_u64;
    let mut below = |bound: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(random >> 33).expect("it has 31 bits") % bound
    };
    let (mut tried, mut kept) = (0, 0);
    for (name, text) in readable() {
        for rarity in [2, 12, 60] {
            tried += 1;
            let mut changed = String::new();
            // Blanks that are in no text and no comment can be anything blank.
            let mut quotes: Vec<char> = Vec::new();
            let mut comment = false;
            for character in text.chars() {
                match character {
                    '\n' => comment = false,
                    _ if comment => {}
                    '-' if quotes.is_empty() && changed.ends_with('-') => comment = true,
                    '"' | '\'' if quotes.last() == Some(&character) => _ = quotes.pop(),
                    '"' | '\'' => quotes.push(character),
                    _ => {}
                }
                let is_between = character == ' ' && quotes.is_empty() && !comment;
                if is_between && below(rarity) == 0 {
                    changed.push_str(BETWEEN[below(BETWEEN.len())]);
                }
                changed.push(character);
            }
            // Dashes in quotes or the like may have led astray.
            if printed(&name, &changed).is_ok_and(|tree| tree == print(&name, &text)) {
                keep(&name, &changed);
                kept += 1;
            }
        }
    }
    assert!(kept * 10 > tried * 9, "only {kept} of {tried} texts");
}

#[test]
fn formatting_keeps_lines_short() {
    let folders = ["rules", "examples", "tests/format"];
    for (path, text) in folders.into_iter().flat_map(rule_files) {
        let name = path.display().to_string();
        for line in format(&name, &text).lines() {
            let words = line.split_once("--").map_or(line, |(words, _)| words);
            // A text is on one line, however long it is.
            let is_long = words.chars().count() > 120 && !words.contains(['"', '\'']);
            assert!(!is_long, "{name}: {line}");
        }
    }
}

/// Reads every `apart`-th of `texts`, on as many threads as there are processors.
fn survive_some(texts: Vec<String>, apart: usize) {
    let texts: Vec<String> = texts.into_iter().step_by(apart).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = texts.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for texts in texts.chunks(share) {
            scope.spawn(move || texts.iter().for_each(|text| survive(text)));
        }
    });
}

/// The declarations of a rule file, each as a text of its own: behind the file's first line, with the declaration that
/// follows it. What stands before it makes no difference to how it is read, and takes long to read again and again.
fn declarations(text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let mut starts = vec![];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(|first: char| first.is_ascii_lowercase()) {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(text.len());
    let head = starts.get(1).and_then(|end| text.get(..*end)).unwrap_or("");
    let mut parts = vec![(head.to_string(), 0..head.len())];
    for (place, pair) in starts.windows(2).enumerate().skip(1) {
        let [start, end] = pair else { continue };
        let after = starts.get(place + 2).unwrap_or(end);
        let part = format!("{head}{}", text.get(*start..*after).unwrap_or(""));
        parts.push((part, head.len()..head.len() + end - start));
    }
    parts
}

#[test]
fn every_prefix_is_read_or_refused() {
    let mut texts = vec![String::new()];
    for (_, text) in rule_files("rules") {
        for (text, own) in declarations(&text) {
            for (start, end) in words(&text) {
                if !own.contains(&start) {
                    continue;
                }
                // After the word, and within it.
                let within = (start + 1..end).find(|at| text.is_char_boundary(*at));
                for cut in within.into_iter().chain([end]) {
                    texts.extend(text.get(..cut).map(str::to_owned));
                }
            }
        }
    }
    survive_some(texts, 5);
}

#[test]
fn every_text_with_a_word_left_out_is_read_or_refused() {
    let mut texts = Vec::new();
    for (_, text) in rule_files("rules")
        .into_iter()
        .chain(rule_files("tests/syntax"))
    {
        for (text, own) in declarations(&text) {
            for (start, end) in words(&text) {
                if own.contains(&start) {
                    let before = text.get(..start).unwrap_or("");
                    let after = text.get(end..).unwrap_or("");
                    texts.push(format!("{before}{after}"));
                }
            }
        }
    }
    survive_some(texts, 5);
}

#[test]
fn every_text_with_a_word_doubled_or_swapped_is_read_or_refused() {
    let mut texts = Vec::new();
    for (_, text) in rule_files("tests/syntax") {
        let words = words(&text);
        for pair in words.windows(2) {
            let [(start, end), (next, last)] = pair else {
                continue;
            };
            let part = |from: usize, to: usize| text.get(from..to).unwrap_or("");
            let (before, after) = (part(0, *start), part(*last, text.len()));
            let (one, two) = (part(*start, *end), part(*next, *last));
            texts.push(format!("{before}{one} {one} {two}{after}"));
            texts.push(format!("{before}{two} {one}{after}"));
        }
    }
    survive_some(texts, 3);
}

/// How long a text with one nested expression may take: generous, for busy machines. What took exponential
/// time would take years.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ways to nest: what stands before, within and after.
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "x", ")"),
    ("{", "x", "}"),
    ("[", "x", "]"),
    ("f(", "x", ")"),
    ("f(1, ", "x", ")"),
    ("f of ", "x", ""),
    ("(1 + ", "x", ")"),
    ("(x for y in ", "x", ")"),
    ("(", "x", " for y in s)"),
    ("{", "x", " for y in s where z}"),
    ("{x in ", "x", " where y}"),
    ("{x in s where ", "x", "}"),
    ("after(", "x", ")"),
    ("after (", "x", ", 2)"),
    ("after ", "x", ""),
    ("not ", "x", ""),
    ("- ", "x", ""),
    ("the ", "x", ""),
    ("highest of ", "x", ""),
    ("x + ", "x", ""),
    ("x or ", "x", ""),
    ("x else ", "x", ""),
    ("m but (", "x", ") at k"),
    ("m but v at (", "x", ")"),
    ("some x in s where ", "x", ""),
    ("no x in ", "s", " where y"),
    ("every x in (", "s", ") has y"),
    ("best x in s where ", "y", " by highest x"),
    ("best x in s by highest (", "y", ")"),
    ("\"{", "x", "}\""),
    ("\"{x ... ", "x", "}\""),
];

#[test]
fn deep_nesting_takes_no_time() {
    for (before, within, after) in NESTS {
        for (depth, closed) in [
            (60, 60),
            (60, 59),
            (60, 0),
            (200, 200),
            (3000, 0),
            (30_000, 30_000),
        ] {
            let text = format!(
                "game deep\nfact x = {}{within}{}\n",
                before.repeat(depth),
                after.repeat(closed)
            );
            let start = Instant::now();
            let codes = codes(&text);
            let took = start.elapsed();
            assert!(
                took < PATIENCE || depth > 200,
                "{before}×{depth} took {took:?}"
            );
            if depth >= 200 && closed == depth {
                assert_eq!(codes, [Code::TooDeep], "{before}×{depth}");
            }
        }
    }
}

#[test]
fn sixty_levels_are_read() {
    for (before, within, after) in NESTS {
        // An operator and its parentheses are two levels.
        let depth = if before.len() > 2 && *before != "f of " {
            20
        } else {
            60
        };
        let text = format!(
            "game deep\nfact x = {}{within}{}\n",
            before.repeat(depth),
            after.repeat(depth)
        );
        let printed = print(before, &text);
        assert_eq!(printed, print(before, &printed));
    }
}

#[test]
fn too_deep_is_said_of_other_things_too() {
    let cases = [
        format!("game deep\ntype X = {}number\n", "set of ".repeat(5000)),
        format!("game deep\ntype X = {}number\n", "A -> ".repeat(5000)),
        format!(
            "game deep\ntranscript by words {{ {}{} }}\n",
            "repeat 2 times { ".repeat(5000),
            "}".repeat(5000)
        ),
    ];
    for text in &cases {
        assert_eq!(codes(text), [Code::TooDeep]);
    }
}

#[test]
fn byte_order_marks_and_carriage_returns_mean_nothing() {
    let text = "game nine \"Nine\"\n\n-- A comment.\nfact\tlate = turns > 9\t--\tanother\n";
    let plain = print("plain", text);
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(plain, print("marked", &marked));

    let wrong = "\u{feff}game nine\r\nfact late = turns ==\r\n";
    let found = self::wrong(wrong);
    let [one] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(wrong.get(one.range()), Some("=="));
}

#[test]
fn spans_are_of_what_is_meant() {
    let text = r#"game nine "Nine"
option size: 1..9 = 3   -- nothing
state turns: number = 0 -- nor this

fact late = turns -- how many
  > size  -- the size

event skip
on skip { new turns = turns + 1 fact over = late report | late: "late" when late }
transcript by words { start play until over { | skip: "s" } }
"#;
    let game = Game::from_text("nine.rules", text, &Library::shipped(), &[])
        .unwrap_or_else(|invalid| panic!("{invalid}"));
    let written = |path: &str| {
        let why = game.why(path).unwrap_or_else(|invalid| panic!("{invalid}"));
        let texts: Vec<String> = why.origins.into_iter().map(|origin| origin.text).collect();
        texts.join("\n---\n")
    };
    assert_eq!(written("size"), "option size: 1..9 = 3");
    assert_eq!(written("turns"), "state turns: number = 0");
    assert_eq!(written("late"), "fact late = turns -- how many\n  > size");
}

#[test]
fn too_deep_is_said_of_the_same_place_on_any_stack() {
    for (before, column) in [("(", 74), ("size of ", 527), ("some x in s where ", 1162)] {
        let text = format!("game deep\nfact x = {}1\n", before.repeat(100_000));
        let place = move || {
            let found = wrong(&text);
            let one = found.first().expect("something is said");
            (one.code, one.range().start - "game deep\n".len() + 1)
        };
        for stack in [2 << 20, 64 << 20] {
            let place = place.clone();
            let thread = std::thread::Builder::new().stack_size(stack).spawn(place);
            let place = thread.expect("a thread starts").join().expect("it ends");
            assert_eq!(place, (Code::TooDeep, column), "{before}");
        }
    }
}

#[test]
fn much_in_a_row_is_not_deep() {
    let rows = "| a: some x in s where size of x is 1 when no y in t where y is x\n".repeat(300);
    let items = "ring A of n\nring B of set\nstate s: set of pile of A? -> B = empty\n".repeat(300);
    let texts = "\"{size of {x, (y)}} and {f(1, 2)}\" ".repeat(300);
    let open = "report | a: \"{x\n".repeat(30);
    for text in [rows, items, texts, open] {
        assert!(
            !codes(&format!("game flat\n{text}")).contains(&Code::TooDeep),
            "{text}"
        );
    }
}

#[test]
#[cfg(unix)]
fn a_file_without_end_is_refused() {
    let library = Library::shipped();
    let found = library.find("/dev/zero").expect("there is such a file");
    assert_eq!(codes(&found.text), [Code::LargeFile]);
}

#[test]
fn shipped_files_are_formatted() {
    for folder in ["rules", "examples"] {
        for (path, text) in rule_files(folder) {
            let name = path.display().to_string();
            let formatted = format(&name, &text);
            assert!(text == formatted, "{name}: `referee fmt` changes it");
        }
    }
}
