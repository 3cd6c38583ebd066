//! The lines of a transcript that ask something, taken apart.

use super::super::Game;
use crate::{
    diagnostic::{Code, Diagnostic, enumerated},
    program::{Body, Fact},
    source::{SourceId, Sources, Span},
    syntax::{self, ast::Expr},
    transcript::{QUESTION, Question, What},
};

/// A line that asks something.
pub(super) struct Line {
    /// Its number, from 1.
    number: usize,
    /// What it asks, without the sign before it.
    pub(super) span: Span,
    pub(super) asks: Asks,
    /// Whether the answer is to be yes: not after a `not` before what is no expression.
    wanted: bool,
}

/// What a line asks.
pub(super) enum Asks {
    /// `total is 7`, in the state before the line; the facts of the event before it that it names, if it names some.
    Holds(Expr, Option<String>),
    /// `late wrong_side`: whether a row of a fact fires, in the event before the line if the fact is one of its facts.
    Row {
        fact: String,
        of_event: bool,
        row: String,
    },
    /// `legal`
    Legal,
    /// `impossible taken`
    Impossible(String),
    /// `impossible rest.guard`
    Guarded(String),
    /// `moves 11-15, 12-16`
    Moves(Vec<String>),
}

impl Line {
    pub(super) fn question(&self) -> Question {
        let what = match &self.asks {
            Asks::Holds(_, Some(_)) | Asks::Row { of_event: true, .. } => What::Event,
            Asks::Holds(_, None) | Asks::Row { .. } => What::State,
            Asks::Legal => What::Legal,
            Asks::Impossible(row) => What::Impossible(row.clone()),
            Asks::Guarded(event) => What::Guarded(event.clone()),
            Asks::Moves(lines) => What::Moves(lines.clone()),
        };
        Question {
            line: self.number,
            what,
            wanted: self.wanted,
        }
    }
}

/// The lines of the transcript `id` that ask something.
///
/// # Errors
/// What is wrong with them.
pub(super) fn read(
    game: &Game,
    sources: &Sources,
    id: SourceId,
) -> Result<Vec<Line>, Vec<Diagnostic>> {
    let text = sources.get(id).map_or("", |source| source.text.as_str());
    let (mut lines, mut diagnostics) = (Vec::new(), Vec::new());
    let mut start = 0;
    let mut is_head = true;
    for (place, line) in text.split('\n').enumerate() {
        let asked = line.strip_prefix(QUESTION);
        is_head = is_head && asked.is_some();
        if let Some(asked) = asked {
            let blanks = asked.len() - asked.trim_start().len();
            let from = start + QUESTION.len() + blanks;
            let span = Span::new(id, from..from + asked.trim().len());
            match asks(game, sources, span, asked.trim()) {
                _ if pinned(asked).is_some() && is_head => {}
                _ if pinned(asked).is_some() => diagnostics.push(
                    Diagnostic::error(Code::Syntax, span, "a pin comes before everything else")
                        .help("move this line to the top of the transcript"),
                ),
                Ok((asks, wanted)) => lines.push(Line {
                    number: place + 1,
                    span,
                    asks,
                    wanted,
                }),
                Err(_) if is_wrong_pin(asked, game) => diagnostics.push(
                    Diagnostic::error(Code::Syntax, span, "this pin cannot be read").help(PIN),
                ),
                Err(mut wrong) => diagnostics.append(&mut wrong),
            }
        }
        start += line.len() + 1;
    }
    if diagnostics.is_empty() {
        Ok(lines)
    } else {
        Err(diagnostics)
    }
}

/// What the digest of a pin begins with.
const ALGORITHM: &str = "sha256:";

/// What to write instead of a line that looks like a pin.
pub const PIN: &str = "a pin is `#? rules GAME sha256:…`; `referee show GAME --pin` prints it";

/// The rules that a transcript is written for, where a line that begins with `#?` names them and asks nothing: the game
/// and the digest of `#? rules NAME sha256:…`. The text is what follows the `#?`.
#[must_use]
pub fn pinned(text: &str) -> Option<(&str, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["rules", name, digest] if digest.starts_with(ALGORITHM) => Some((name, digest)),
        _ => None,
    }
}

/// Whether a line that begins with `#?` looks like a pin to `game`, or to rules with a digest, and is none. The text is
/// what follows the `#?`.
#[must_use]
pub fn is_wrong_pin(text: &str, game: &Game) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let names_game = matches!(words.as_slice(), ["rules", name]
        if name.split('+').next() == Some(game.name()));
    let has_digest = words.iter().any(|word| word.starts_with(ALGORITHM));
    (names_game || has_digest) && pinned(text).is_none()
}

/// Whether a transcript says on a line that begins with `#?` what must hold. A pin does not.
#[must_use]
pub fn has_expectations(transcript: &[u8]) -> bool {
    let mut lines = transcript.split(|byte| *byte == b'\n');
    lines.any(|line| {
        let asked = line.strip_prefix(QUESTION.as_bytes());
        asked.is_some_and(|asked| std::str::from_utf8(asked).is_ok_and(|it| pinned(it).is_none()))
    })
}

/// What a text asks, and whether the answer is to be yes.
fn asks(
    game: &Game,
    sources: &Sources,
    span: Span,
    text: &str,
) -> Result<(Asks, bool), Vec<Diagnostic>> {
    let of_event = |name: &str| {
        let mut facts = game.program.facts.iter();
        facts.any(|fact| fact.owner.is_some() && fact.name == name)
    };
    let is_plain_fact = |name: &str| {
        let mut facts = game.program.facts.iter();
        facts.any(|fact| fact.name == name && fact.parameters.is_empty())
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let (parts, wanted) = match words.as_slice() {
        ["not", parts @ ..] => (parts, false),
        parts => (parts, true),
    };
    // `bust.one`, as a path says it, is `bust one`.
    let path: Vec<&str> = match parts {
        [path] => path.split('.').collect(),
        parts => parts.to_vec(),
    };
    let parts = match path.as_slice() {
        [fact, row] if is_plain_fact(fact) && is_name(row) => &path,
        _ => parts,
    };
    match parts {
        ["illegal"] => {
            let instead = if wanted { "not legal" } else { "legal" };
            let message = "`legal` asks whether an event breaks a rule";
            return Err(vec![
                Diagnostic::error(Code::Syntax, span, message).write(instead.to_string()),
            ]);
        }
        // What a game calls so itself comes first.
        ["legal"] if !is_plain_fact("legal") => return Ok((Asks::Legal, wanted)),
        ["impossible", rest @ ..] if wanted => {
            let asks = impossible(game, span, rest).map_err(|diagnostic| vec![*diagnostic])?;
            return Ok((asks, true));
        }
        [fact, row] if is_plain_fact(fact) && is_name(row) => {
            let asks = Asks::Row {
                fact: (*fact).to_string(),
                of_event: of_event(fact),
                row: (*row).to_string(),
            };
            return Ok((asks, wanted));
        }
        _ => {}
    }
    let expression = syntax::expression(sources, span.source, span.range());
    if parts.first() == Some(&"moves")
        && wanted
        && !(expression.is_ok() && is_plain_fact_or_state(game, "moves"))
    {
        let lines = text.strip_prefix("moves").unwrap_or_default().split(", ");
        let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let lines = lines.filter(|line| !line.is_empty());
        return Ok((Asks::Moves(lines.collect()), true));
    }
    let expression = expression?;
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let fact = words.find(|word| of_event(word)).map(str::to_string);
    Ok((Asks::Holds(expression, fact), true))
}

/// Whether the game calls a value so.
fn is_plain_fact_or_state(game: &Game, name: &str) -> bool {
    let program = &game.program;
    program.facts.iter().any(|fact| fact.name == name)
        || program.states.iter().any(|state| state.name == name)
        || program.givens.iter().any(|given| given.name == name)
        || program.options.iter().any(|option| option.name == name)
}

/// `impossible taken`, `impossible rest.guard`
fn impossible(game: &Game, span: Span, rest: &[&str]) -> Result<Asks, Box<Diagnostic>> {
    let events = game.program.events.iter();
    let rows: Vec<&str> = events
        .flat_map(|event| event.impossible.rows.iter().map(|row| row.label.as_str()))
        .collect();
    if let [path] = rest
        && let Some(row) = row_in_path(game, path)
    {
        return Ok(Asks::Impossible(row.to_string()));
    }
    match rest {
        [row] if rows.contains(row) => Ok(Asks::Impossible((*row).to_string())),
        [path] if path.ends_with(GUARD) => guarded(game, span, path.trim_end_matches(GUARD)),
        [row] => {
            let message = format!("no row of `impossible` is called `{row}`");
            let diagnostic = Diagnostic::error(Code::UnknownName, span, message);
            let of_fact = |fact: &&Fact| match &fact.definition.body {
                Body::Table(table) => table.rows.iter().any(|one| one.label == *row),
                _ => false,
            };
            Err(Box::new(match game.program.facts.iter().find(of_fact) {
                Some(fact) => diagnostic.help(format!(
                    "it is a row of `{0}`: write `#? {0}.{row}` after the event",
                    fact.name
                )),
                None => diagnostic
                    .did_you_mean(row, rows.iter().copied())
                    .note(format!("the rows are {}", enumerated(&rows))),
            }))
        }
        _ => Err(Box::new(
            Diagnostic::error(
                Code::Syntax,
                span,
                "the name of one row is expected after `impossible`",
            )
            .help("name the row that makes the next event impossible"),
        )),
    }
}

/// `mark.taken`: the name of a row of an event's `impossible`, after that of the event.
fn row_in_path<'p>(game: &Game, path: &'p str) -> Option<&'p str> {
    let (owner, row) = path.split_once('.')?;
    let mut events = game.program.events.iter();
    let event = events.find(|event| event.name == owner)?;
    let mut rows = event.impossible.rows.iter();
    rows.any(|one| one.label == row).then_some(row)
}

/// What ends the path of a guard.
const GUARD: &str = ".guard";

/// `rest.guard`
fn guarded(game: &Game, span: Span, event: &str) -> Result<Asks, Box<Diagnostic>> {
    let mut events = game.program.events.iter();
    match events.find(|one| one.name == event) {
        Some(one) if one.guard.is_some() => Ok(Asks::Guarded(event.to_string())),
        Some(one) => Err(Box::new(
            Diagnostic::error(
                Code::UnknownName,
                span,
                format!("`{event}` has no guard: it may come at any time"),
            )
            .label(one.span, "it is declared here"),
        )),
        None => {
            let names = game.program.events.iter().map(|one| one.name.as_str());
            Err(Box::new(
                Diagnostic::error(
                    Code::UnknownEvent,
                    span,
                    format!("no event is called `{event}`"),
                )
                .did_you_mean(event, names),
            ))
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
