//! Parses the questions of a transcript.

use super::super::Game;
use crate::{
    diagnostic::{Code, Diagnostic, enumerated},
    program::{Body, Fact},
    source::{SourceId, Sources, Span},
    syntax::{self, ast::Expr},
    transcript::{QUESTION, Question, QuestionKind},
};

/// A line with a question.
pub(super) struct Line {
    /// Its number, from 1.
    number: usize,
    /// The question, without `#?`.
    pub(super) span: Span,
    pub(super) kind: QuestionSyntax,
    /// Whether the expected answer is yes. A `not` before an expression is part of the expression.
    expects_yes: bool,
}

/// What a question is about.
pub(super) enum QuestionSyntax {
    /// `total is 7`: in the state before the line; or in the event before it, if it mentions a fact of an event.
    Holds(Expr, Option<String>),
    /// `late wrong_side`: whether a row of a fact fires; in the event before the line, if the fact belongs to it.
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
        let kind = match &self.kind {
            QuestionSyntax::Holds(_, Some(_)) | QuestionSyntax::Row { of_event: true, .. } => {
                QuestionKind::Event
            }
            QuestionSyntax::Holds(_, None) | QuestionSyntax::Row { .. } => QuestionKind::State,
            QuestionSyntax::Legal => QuestionKind::Legal,
            QuestionSyntax::Impossible(row) => QuestionKind::Impossible(row.clone()),
            QuestionSyntax::Guarded(event) => QuestionKind::Guarded(event.clone()),
            QuestionSyntax::Moves(lines) => QuestionKind::Moves(lines.clone()),
        };
        Question {
            line: self.number,
            kind,
            expects_yes: self.expects_yes,
        }
    }
}

/// Reads the questions of the transcript `id`.
///
/// # Errors
/// What is wrong with the questions.
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
        let question = line.strip_prefix(QUESTION);
        is_head = is_head && question.is_some();
        if let Some(question) = question {
            let blanks = question.len() - question.trim_start().len();
            let from = start + QUESTION.len() + blanks;
            let span = Span::new(id, from..from + question.trim().len());
            match parse_question(game, sources, span, question.trim()) {
                _ if pinned(question).is_some() && is_head => {}
                _ if pinned(question).is_some() => diagnostics.push(
                    Diagnostic::error(Code::Syntax, span, "a pin comes before everything else")
                        .help("move this line to the top of the transcript"),
                ),
                Ok((kind, expects_yes)) => lines.push(Line {
                    number: place + 1,
                    span,
                    kind,
                    expects_yes,
                }),
                Err(_) if is_wrong_pin(question, game) => diagnostics.push(
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

/// The prefix of a digest in a pin.
const ALGORITHM: &str = "sha256:";

/// What to write instead of a line that looks like a pin.
pub const PIN: &str = "a pin is `#? rules GAME sha256:…`; `referee show GAME --pin` prints it";

/// The game and the digest in `#? rules NAME sha256:…`, which says which rules the transcript is for. `text` is what
/// follows `#?`.
#[must_use]
pub fn pinned(text: &str) -> Option<(&str, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["rules", name, digest] if digest.starts_with(ALGORITHM) => Some((name, digest)),
        _ => None,
    }
}

/// Whether `text`, which follows `#?`, is a malformed pin: for `game`, or with a digest.
#[must_use]
pub fn is_wrong_pin(text: &str, game: &Game) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let names_game = matches!(words.as_slice(), ["rules", name]
        if name.split('+').next() == Some(game.name()));
    let has_digest = words.iter().any(|word| word.starts_with(ALGORITHM));
    (names_game || has_digest) && pinned(text).is_none()
}

/// Whether a transcript has questions. A pin is none.
#[must_use]
pub fn has_expectations(transcript: &[u8]) -> bool {
    let mut lines = transcript.split(|byte| *byte == b'\n');
    lines.any(|line| {
        let question = line.strip_prefix(QUESTION.as_bytes());
        question.is_some_and(|question| {
            std::str::from_utf8(question).is_ok_and(|it| pinned(it).is_none())
        })
    })
}

/// Parses a question. The flag says whether the expected answer is yes.
fn parse_question(
    game: &Game,
    sources: &Sources,
    span: Span,
    text: &str,
) -> Result<(QuestionSyntax, bool), Vec<Diagnostic>> {
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
    // The path `bust.one` is the same as `bust one`.
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
        // A fact of this name takes precedence.
        ["legal"] if !is_plain_fact("legal") => return Ok((QuestionSyntax::Legal, wanted)),
        ["impossible", rest @ ..] if wanted => {
            let kind =
                parse_impossible(game, span, rest).map_err(|diagnostic| vec![*diagnostic])?;
            return Ok((kind, true));
        }
        [fact, row] if is_plain_fact(fact) && is_name(row) => {
            let kind = QuestionSyntax::Row {
                fact: (*fact).to_string(),
                of_event: of_event(fact),
                row: (*row).to_string(),
            };
            return Ok((kind, wanted));
        }
        _ => {}
    }
    let expression = syntax::expression(sources, span.source, span.range());
    if parts.first() == Some(&"moves")
        && wanted
        && !(expression.is_ok() && is_value_name(game, "moves"))
    {
        let lines = text.strip_prefix("moves").unwrap_or_default().split(", ");
        let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let lines = lines.filter(|line| !line.is_empty());
        return Ok((QuestionSyntax::Moves(lines.collect()), true));
    }
    let expression = expression?;
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let fact = words.find(|word| of_event(word)).map(str::to_string);
    Ok((QuestionSyntax::Holds(expression, fact), true))
}

/// Whether the game has a fact, state, given or option of this name.
fn is_value_name(game: &Game, name: &str) -> bool {
    let program = &game.program;
    program.facts.iter().any(|fact| fact.name == name)
        || program.states.iter().any(|state| state.name == name)
        || program.givens.iter().any(|given| given.name == name)
        || program.options.iter().any(|option| option.name == name)
}

/// `impossible taken`, `impossible rest.guard`
fn parse_impossible(
    game: &Game,
    span: Span,
    rest: &[&str],
) -> Result<QuestionSyntax, Box<Diagnostic>> {
    let events = game.program.events.iter();
    let rows: Vec<&str> = events
        .flat_map(|event| event.impossible.rows.iter().map(|row| row.label.as_str()))
        .collect();
    if let [path] = rest
        && let Some(row) = row_in_path(game, path)
    {
        return Ok(QuestionSyntax::Impossible(row.to_string()));
    }
    match rest {
        [row] if rows.contains(row) => Ok(QuestionSyntax::Impossible((*row).to_string())),
        [path] if path.ends_with(GUARD) => parse_guard(game, span, path.trim_end_matches(GUARD)),
        [row] => {
            let message = format!("no row of `impossible` is called `{row}`");
            let diagnostic = Diagnostic::error(Code::UnknownName, span, message);
            let of_fact = |fact: &&Fact| match &fact.definition.body {
                Body::Table(table) => table.rows.iter().any(|one| one.label == *row),
                _ => false,
            };
            Err(Box::new(match game.program.facts.iter().find(of_fact) {
                Some(fact) if fact.parameters.is_empty() => diagnostic.help(format!(
                    "it is a row of `{0}`: write `#? {0}.{row}` after the event",
                    fact.name
                )),
                Some(fact) => diagnostic.help(format!(
                    "it is a row of `{0}`: write `#? {0}(…) is …` after the event",
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

/// `mark.taken`: the name of a row of an event's `impossible`, after the name of the event.
fn row_in_path<'p>(game: &Game, path: &'p str) -> Option<&'p str> {
    let (owner, row) = path.split_once('.')?;
    let mut events = game.program.events.iter();
    let event = events.find(|event| event.name == owner)?;
    let mut rows = event.impossible.rows.iter();
    rows.any(|one| one.label == row).then_some(row)
}

/// The last part of a guard's path.
const GUARD: &str = ".guard";

/// `rest.guard`
fn parse_guard(game: &Game, span: Span, event: &str) -> Result<QuestionSyntax, Box<Diagnostic>> {
    let mut events = game.program.events.iter();
    match events.find(|one| one.name == event) {
        Some(one) if one.guard.is_some() => Ok(QuestionSyntax::Guarded(event.to_string())),
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
