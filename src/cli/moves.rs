//! `referee moves`: lists what is possible at a place of a transcript.

use std::{
    io::{self, Read},
    path::Path,
};

use clap::ValueHint;
use clap_complete::ArgValueCompleter;
use referee::{
    diagnostic::{alternatives, masked},
    failure::Failure,
    game::{
        Decider, Endless, Game, Hole, Move, Moves, MovesQuery, Outcome, Takes, Verdict, Viewer,
    },
    library::Library,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Exit, complete,
    error::{Error, Result},
    inputs,
    output::{self, Formatted, write_json},
    pin::Pins,
    screen::Screen,
    settings::{Chosen, Limited},
    unknown,
};

/// How many lines of play there are.
#[derive(JsonSchema, Serialize)]
pub(super) struct Lines {
    /// How many moves each line has.
    depth: u32,
    /// How many lines there are.
    lines: u64,
}

/// The arguments of `moves`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    limited: Limited,
    /// The transcript, a file or `-` for standard input, and the last line to read, if not all
    #[arg(
        value_name = "TRANSCRIPT[:LINE]",
        default_value = "-",
        allow_hyphen_values = true,
        value_hint = ValueHint::AnyPath
    )]
    input: String,
    /// The form of the transcript, if it is not the default one
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::forms))]
    transcript: Option<String>,
    /// Also lists what may not happen, with the reason
    #[arg(long, conflicts_with = "depth")]
    illegal: bool,
    /// Only looks at this event; can be repeated
    #[arg(long = "only", value_name = "EVENT")]
    events: Vec<String>,
    /// Lists only what this player may know; name the player as the transcript does
    #[arg(long = "for", value_name = "SEAT", conflicts_with = "depth")]
    seat: Option<String>,
    /// Counts all sequences of N events from there
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    #[command(flatten)]
    formatted: Formatted,
}

/// Lists or counts moves.
pub(super) fn moves(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    // A word that begins with two hyphens and is no option ends up here.
    if arguments.input.starts_with("--")
        && let Some(error) = unknown::option(&arguments.input)
    {
        return Err(error);
    }
    let game = arguments.chosen.load(library)?;
    let game = game.limited(arguments.limited.limits()?);
    known_events(&game, &arguments.events)?;
    let (path, line) = place(&arguments.input);
    not_zero(&arguments.input, &[line])?;
    let query = MovesQuery {
        form: arguments.transcript.clone(),
        line,
        events: arguments.events.clone(),
        illegal: arguments.illegal,
    };
    let path = Path::new(path);
    Pins::new(&game).warn(path, screen);
    let name = inputs::name(path);
    let mut input = inputs::opened(path).map_err(|error| Error::unreadable(&name, &error))?;
    let mut turn = None;
    let game = match &arguments.seat {
        None => game,
        Some(seat) => {
            let text = inputs::all(input).map_err(|error| Error::unreadable(&name, &error))?;
            let viewer;
            (viewer, turn) = looking(&game, &query, &name, &String::from_utf8_lossy(&text), seat)?;
            input = Box::new(io::Cursor::new(text));
            game.seen_by(viewer)
        }
    };
    let unread = |failure: Failure| match failure {
        Failure::Input(error) => Error::unreadable(&name, &error),
        other => Error::from(other),
    };
    let as_data = arguments.formatted.is_json();
    let mut input = Counted::new(input);
    if let Some(depth) = arguments.depth {
        let lines = game.lines_of_play(&query, depth, &name, &mut input);
        input.has(line)?;
        let (count, endless) = lines.map_err(unread)?;
        if as_data {
            write_json(Lines {
                depth,
                lines: count,
            })?;
        } else {
            output::write(format!("{count}\n"))?;
            let moves = Moves {
                endless,
                ..Moves::default()
            };
            left_out(&moves, screen);
        }
    } else {
        let moves = game.moves(&query, &name, &mut input);
        input.has(line)?;
        let moves = moves.map_err(unread)?;
        if as_data {
            write_json(&moves)?;
        } else {
            output::write(listed(&moves.moves))?;
            left_out(&moves, screen);
            if let (true, Some(turn)) = (moves.moves.is_empty(), turn) {
                screen.note(&masked(&turn));
            }
        }
    }
    Ok(Exit::Done)
}

/// A transcript of which the lines are counted as it is read.
struct Counted {
    input: Box<dyn Read>,
    ends: usize,
    last: u8,
}

impl Counted {
    fn new(input: Box<dyn Read>) -> Counted {
        Counted {
            input,
            ends: 0,
            last: b'\n',
        }
    }

    /// Refuses a line after the last one. After the last game, the rest was not read.
    fn has(&mut self, line: Option<usize>) -> Result<()> {
        let Some(line) = line.filter(|line| *line > self.lines()) else {
            return Ok(());
        };
        io::copy(self, &mut io::sink())?;
        let last = self.lines();
        if line <= last {
            return Ok(());
        }
        Err(Error::usage(format!(
            "there is no line {line}: the transcript ends with line {last}"
        )))
    }

    /// How many lines were read.
    fn lines(&self) -> usize {
        self.ends + usize::from(self.last != b'\n')
    }
}

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(bytes)?;
        let read = bytes.get(..count).unwrap_or_default();
        self.ends += memchr::memchr_iter(b'\n', read).count();
        self.last = read.last().copied().unwrap_or(self.last);
        Ok(count)
    }
}

/// The viewer, and a note about whose turn it is, if it is another seat's.
fn looking(
    game: &Game,
    query: &MovesQuery,
    name: &str,
    text: &str,
    seat: &str,
) -> Result<(Viewer, Option<String>)> {
    let mut session = game.session(query.form.as_deref(), name)?;
    let lines = text
        .split_inclusive('\n')
        .take(query.line.unwrap_or(usize::MAX));
    for line in lines.clone() {
        if let Err(refusal) = session.feed(line) {
            // The error may show only what this seat sees.
            let viewer = session.seat(seat).map_or(Viewer::Everyone, Viewer::Seat);
            let seen = game.seen_by(viewer);
            let mut session = seen.session(query.form.as_deref(), name)?;
            let told = session.feed(&lines.collect::<String>()).err();
            return Err(Error::Failure(told.unwrap_or(refusal).failure));
        }
    }
    if let Some(place) = session.seat(seat) {
        let deciders = session.deciders().unwrap_or_default();
        let is_own = |by: &Decider| matches!(by, Decider::Seat(own) if own == seat);
        let turn = (!deciders.iter().any(is_own)).then(|| others_turn(&deciders, seat));
        return Ok((Viewer::Seat(place), turn.flatten()));
    }
    let seats = session.seats();
    let error = Error::usage(format!("no seat is called `{seat}` there"));
    Err(if seats.is_empty() {
        error.with_help("the rules do not say who plays, or no game has begun")
    } else {
        error.with_help(format!("there is {}", alternatives(&seats)))
    })
}

/// A note about whose move it is, unless it is only this seat's.
fn others_turn(deciders: &[Decider], seat: &str) -> Option<String> {
    let names = deciders.iter().map(|by| match by {
        Decider::Seat(other) => other.as_str(),
        Decider::Chance => "chance",
        Decider::Referee => "the referee",
    });
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let all = all.join(" or ");
    (!all.is_empty()).then(|| format!("note: the next move is up to {all}, not {seat}"))
}

/// Refuses a place of which a line or a column is 0.
pub(super) fn not_zero(input: &str, numbers: &[Option<usize>]) -> Result<()> {
    if !numbers.contains(&Some(0)) {
        return Ok(());
    }
    let message = format!("`{input}` names line or column 0");
    Err(Error::usage(message).with_help("lines and columns are counted from 1"))
}

/// Splits `TRANSCRIPT:LINE`, unless a file has this name.
pub(super) fn place(input: &str) -> (&str, Option<usize>) {
    match input.rsplit_once(':') {
        Some((path, line)) if !Path::new(input).exists() => match line.parse() {
            Ok(line) => (path, Some(line)),
            Err(_) => (input, None),
        },
        _ => (input, None),
    }
}

/// Checks that the game has these events.
///
/// # Errors
/// If it lacks one.
fn known_events(game: &Game, wanted: &[String]) -> Result<()> {
    let names = game.events();
    let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) else {
        return Ok(());
    };
    let message = format!("`{}` has no event called `{unknown}`", game.name());
    Err(Error::usage(message).with_help(format!("there is {}", alternatives(names))))
}

/// The moves, a line each. Many moves that differ in one number share a line.
fn listed(moves: &[Move]) -> String {
    // The decider is left out if all moves have the same one, or none.
    let first = moves.first().map(|one| &one.by);
    let is_said = moves.iter().any(|one| {
        one.by == Decider::Chance || Some(&one.by) != first && one.by != Decider::Referee
    });
    let lines = moves.iter().map(|one| {
        let said = if is_said { decided(one) } else { String::new() };
        format!("{}{said}", line(one))
    });
    let lines: Vec<String> = lines.collect();
    let mut text = String::new();
    for line in collapsed(&lines) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Who decides a move.
fn decided(one: &Move) -> String {
    match (&one.by, one.weight) {
        (Decider::Referee, _) => String::new(),
        (Decider::Seat(seat), _) => format!("  by {seat}"),
        (Decider::Chance, None) => "  by chance".to_string(),
        (Decider::Chance, Some(weight)) => format!("  by chance, weight {weight}"),
    }
}

fn line(one: &Move) -> String {
    let written = &one.written;
    let (verdict, by, says) = match &one.verdict {
        Verdict::Legal => return written.clone(),
        Verdict::Illegal { fact, says } => ("illegal", fact, says.as_ref()),
        Verdict::Impossible { row, says } => ("impossible", row, Some(says)),
        Verdict::Refused { fact, says } => ("refused", fact, says.as_ref()),
    };
    match says {
        Some(says) => format!("{written}  {verdict} ({by}): {says}"),
        None => format!("{written}  {verdict} ({by})"),
    }
}

fn left_out(moves: &Moves, screen: &Screen) {
    if moves.over {
        let all = Outcome::describe_all(&moves.outcome);
        let colon = if all.is_empty() { "" } else { ": " };
        screen.note(&masked(&format!("note: the game is over{colon}{all}")));
    }
    for Endless { event, field, ty } in &moves.endless {
        screen.note(&format!(
            "note: `{event}` is left out: `{field}` ({ty}) can have too many values to list"
        ));
        for pattern in &moves.patterns {
            if pattern.event.as_ref() == Some(event) {
                screen.note(&masked(&format!("  it is written `{}`", pattern.written)));
                for hole in &pattern.holes {
                    screen.note(&masked(&format!("  {}", takes(hole))));
                }
            }
        }
    }
}

/// What a hole takes, in words.
pub(super) fn takes(hole: &Hole) -> String {
    let what = match &hole.takes {
        Takes::Word => "a word".to_string(),
        Takes::Number { least, greatest } => match (*least > -MANY, *greatest < MANY) {
            (false, _) => "a number".to_string(),
            (_, false) => format!("a number from {least} on"),
            _ => format!("{least}..{greatest}"),
        },
        Takes::Decimal {
            least: Some(least),
            greatest: Some(greatest),
        } => format!("{least}..{greatest}"),
        Takes::Decimal { .. } => "a number with decimal places".to_string(),
        Takes::OneOf(words) => {
            let more = if words.len() > MOST_WORDS { " …" } else { "" };
            let words: Vec<&str> = words.iter().take(MOST_WORDS).map(String::as_str).collect();
            format!("{}{more}", words.join(" "))
        }
    };
    let absent = hole.absent.as_ref();
    let absent = absent.map_or(String::new(), |absent| format!(", or `{absent}`"));
    let several = if hole.several { "several of " } else { "" };
    format!("{}: {several}{what}{absent}", hole.name)
}

/// Numbers from this on are shown as unbounded.
const MANY: i64 = 1_000_000_000;

/// The number of words that are listed for one hole.
const MOST_WORDS: usize = 24;

/// The number of similar lines from which on they share one.
const ALIKE: usize = 10;

/// The lines, with runs of similar ones replaced by one: if they differ in one word, which is a number that increases
/// by one, that becomes `least..greatest`.
pub(super) fn collapsed(lines: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let count = first.split(' ').count();
        let runs = (0..count).map(|word| (run(rest, word), word));
        let (length, word) = runs.max_by_key(|(length, _)| *length).unwrap_or((1, 0));
        if length >= ALIKE {
            let last = rest[length - 1].split(' ').nth(word).unwrap_or_default();
            let words = first.split(' ').enumerate();
            let words = words.map(|(place, found)| {
                if place == word {
                    format!("{found}..{last}")
                } else {
                    found.to_string()
                }
            });
            all.push(words.collect::<Vec<_>>().join(" "));
            rest = &rest[length..];
        } else {
            all.push(first.clone());
            rest = &rest[1..];
        }
    }
    all
}

/// How many of the first lines differ only in this word, which increases by one.
fn run(lines: &[String], word: usize) -> usize {
    let parts = |line: &str| {
        let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
        let number: Option<i64> = words.get(word)?.parse().ok();
        words[word].clear();
        Some((number?, words))
    };
    let Some((least, first)) = parts(&lines[0]) else {
        return 1;
    };
    let grows = |(line, number): &(&String, i64)| {
        parts(line).is_some_and(|(found, words)| found == *number && words == first)
    };
    let numbers = (0..).map_while(|more| least.checked_add(more));
    lines.iter().zip(numbers).take_while(grows).count()
}
