//! `referee why`: why the referee decided as it did on a line of a transcript.

use std::path::Path;

use clap::ValueHint;
use clap_complete::ArgValueCompleter;
use referee::{
    diagnostic::{Code, masked_line},
    explanation::{DEPTH_OF_SENTENCES, Effect, Event, Explanation, Query},
    failure::Failure,
    game::Game,
    library::Library,
};

use super::{
    Exit, complete,
    error::{Error, Result},
    inputs,
    moves::{not_zero, place},
    output::{self, Formatted},
    pin::Pins,
    screen::Screen,
    settings::{Chosen, Limited},
    unknown,
};

/// How deeply `--trace` explains facts within facts.
pub(super) const DEPTH_OF_TRACE: usize = 3;

/// The arguments of `why`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// The transcript, a file or `-` for standard input, and the line to explain, or what is read at a column of it; by
    /// default, the line of the last event
    #[arg(
        value_name = "TRANSCRIPT[:LINE[:COLUMN]]",
        default_value = "-",
        allow_hyphen_values = true,
        value_hint = ValueHint::AnyPath
    )]
    input: String,
    /// The form of the transcript, if it is not the default one
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::forms))]
    transcript: Option<String>,
    /// Explains only this event on the line, counted from 1
    #[arg(long, value_name = "N")]
    event: Option<usize>,
    /// Shows everything: each row with its place, its condition and the values, and the facts it depends on
    #[arg(long)]
    trace: bool,
    /// How many facts to show inside each other; with `--trace`, 3 by default
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Explains why this did not happen (a fact, a change, a row of either as `fact.row`, a rule of a policy, a line of
    /// the report or of the transcript, or any expression such as `reach(b2, c3) > 1`), and what would have changed that
    #[arg(long, value_name = "NAME")]
    not: Option<String>,
    /// Tells the value of an expression after the line, and why, such as `level of Ann`: written as in the rule file, or
    /// as the transcript writes values
    #[arg(long, value_name = "EXPRESSION", conflicts_with = "not")]
    of: Option<String>,
    #[command(flatten)]
    formatted: Formatted,
    #[command(flatten)]
    limited: Limited,
}

/// Explains a line.
pub(super) fn why(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    // A word that begins with two hyphens and is no option ends up here.
    if arguments.input.starts_with("--")
        && let Some(error) = unknown::option(&arguments.input)
    {
        return Err(error);
    }
    let game = arguments.chosen.load(library)?;
    let game = game.limited(arguments.limited.limits()?);
    let (path, line, column) = column(&arguments.input);
    not_zero(&arguments.input, &[line, column])?;
    Pins::new(&game).warn(Path::new(path), screen);
    let (name, transcript) = inputs::read(Path::new(path));
    let transcript = transcript.map_err(|error| Error::unreadable(&name, &error))?;
    let query = Query {
        form: arguments.transcript.clone(),
        line,
        event: arguments.event,
        column,
        depth: arguments.depth.unwrap_or(if arguments.trace {
            DEPTH_OF_TRACE
        } else {
            DEPTH_OF_SENTENCES
        }),
        not: arguments.not.clone(),
        of: arguments.of.clone(),
        without: None,
    };
    // A name takes precedence over a line of one word, unless it is the name of the line's event. A line takes
    // precedence over an expression.
    let is_name = query.not.as_deref().is_some_and(|not| is_name(not.trim()));
    let (explanation, is_instead) = match instead(&game, &query, &name, &transcript) {
        Some(told) if told.is_read() && (!is_name || is_of_event(&told, &query)) => (told, true),
        instead => match game.explain(&query, &name, &transcript) {
            Err(unknown @ Failure::NoName(_)) => {
                // What has no name in the rules may be a line with a mistake, but not if it is a call with a wrong argument.
                let report = unknown.report();
                let is_call =
                    report.is_some_and(|report| report.diagnostic.code != Code::UnknownName);
                let is_line = |told: &Explanation| told.is_read() || !is_name && !is_call;
                let instead = instead.filter(|told| is_line(told) || told.is_near());
                (instead.ok_or(unknown)?, true)
            }
            told => (told?, false),
        },
    };
    if arguments.formatted.is_json() {
        output::write(format!("{}\n", serde_json::to_string(&explanation)?))?;
    } else {
        let colour = output::colour();
        let mut text = if arguments.trace {
            explanation.trace(colour)
        } else {
            explanation.draw(colour)
        };
        if is_instead && is_possible(&explanation) {
            let line = arguments.not.as_deref().unwrap_or_default().trim();
            text.insert_str(0, &format!("`{}` could come there\n", masked_line(line)));
        }
        output::write_drawn(text, colour)?;
    }
    Ok(Exit::Done)
}

/// What the line of `--not` would have done instead of the line in question, or at the end, or instead of the last
/// event if that ended the game; or why it cannot be read. `None` if nothing can come there.
fn instead(game: &Game, query: &Query, name: &str, transcript: &[u8]) -> Option<Explanation> {
    let told = in_place(game, query, name, transcript);
    let is_read = told.as_ref().is_some_and(Explanation::is_read);
    if is_read || query.line.is_some() || query.event.is_some() || query.column.is_some() {
        return told;
    }
    let plain = Query {
        not: None,
        ..query.clone()
    };
    let last = game.explain(&plain, name, transcript).ok()?;
    let event = last.events.first()?;
    let ends = |effect: &Effect| matches!(effect, Effect::Over { .. });
    let mut effects = last.events.iter().flat_map(|event| &event.effects);
    if !effects.any(ends) {
        return told;
    }
    let there = Query {
        line: Some(last.line),
        column: event.column.filter(|column| *column > 1),
        ..query.clone()
    };
    in_place(game, &there, name, transcript)
}

/// What the line of `--not` would have done in the place that is asked about, or at the end, or why it cannot be read
/// there. If an event is replaced, what precedes it on its line stays.
fn in_place(game: &Game, query: &Query, name: &str, transcript: &[u8]) -> Option<Explanation> {
    let line = query.not.as_deref()?.trim();
    let text = std::str::from_utf8(transcript).ok()?;
    let plain = Query {
        not: None,
        ..query.clone()
    };
    let lines = text.lines();
    let mut before: Vec<&str> = match query.line {
        Some(place) => lines.clone().take(place.saturating_sub(1)).collect(),
        None => lines.clone().collect(),
    };
    let (mut kept, mut begin) = (String::new(), 1);
    if query.column.is_some() || query.event.is_some() {
        let told = game.explain(&plain, name, transcript).ok()?;
        let column = told.events.first()?.column?;
        begin = column;
        before.truncate(told.line.saturating_sub(1));
        kept.extend(lines.clone().nth(before.len())?.chars().take(column - 1));
    }
    kept.push_str(line);
    let text = before
        .iter()
        .chain([&kept.as_str()])
        .fold(String::new(), |text, line| text + line + "\n");
    let query = Query {
        line: Some(before.len() + 1),
        column: query.column.map(|_| begin),
        ..plain
    };
    let mut told = game.explain(&query, name, text.as_bytes()).ok()?;
    // What precedes it was read before.
    let is_new = |event: &Event| event.column.is_none_or(|column| column >= begin);
    let stopped = told.stopped.as_ref();
    let is_stopped = stopped.is_some();
    let is_untimely = stopped.is_some_and(|stopped| stopped.untimely.is_some());
    if told.events.iter().any(is_new) || is_untimely {
        return Some(told);
    }
    told.events.clear();
    is_stopped.then_some(told)
}

/// Whether all events on a line may happen.
fn is_possible(told: &Explanation) -> bool {
    let is_against =
        |effect: &Effect| matches!(effect, Effect::Impossible { .. } | Effect::Refused { .. });
    let mut effects = told.events.iter().flat_map(|event| &event.effects);
    told.stopped.is_none() && !effects.any(is_against)
}

/// Whether the line is of the event in question, or is not possible now.
fn is_of_event(told: &Explanation, query: &Query) -> bool {
    let not = query.not.as_deref().map(str::trim);
    let mut events = told.events.iter();
    told.stopped.is_some() || events.any(|event| Some(event.event.as_str()) == not)
}

/// Splits `TRANSCRIPT:LINE:COLUMN`.
fn column(input: &str) -> (&str, Option<usize>, Option<usize>) {
    match place(input) {
        (rest, Some(last)) => match place(rest) {
            (path, Some(line)) => (path, Some(line), Some(last)),
            (path, None) => (path, Some(last), None),
        },
        (path, None) => (path, None, None),
    }
}

/// Whether a text can be a name in the rules, and is too long and plain to be anything else.
pub(super) fn is_word(text: &str) -> bool {
    is_name(text) && text.len() > 3 && !text.contains(|letter: char| letter.is_ascii_digit())
}

/// Whether a text can be a name in the rules, or a row as `fact.row`.
pub(super) fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.chars().all(is_part)
}
