//! `referee moves`: what may happen next at a place of a transcript.

use std::{fmt::Write as _, path::Path};

use referee::{
    diagnostic::alternatives,
    failure::Failure,
    game::{Ask, Endless, Game, Move, Verdict},
    library::Library,
};

use super::{
    Exit,
    error::{Error, Result},
    inputs,
    limit::Limited,
    output,
    screen::Screen,
    settings::Chosen,
};

/// The arguments of `moves`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    limited: Limited,
    /// The transcript, a file or `-`, which is standard input, and the last line that is read, if not all are
    #[arg(
        value_name = "INPUT[:LINE]",
        default_value = "-",
        allow_hyphen_values = true
    )]
    input: String,
    /// Which of the rule file's forms the transcript has; it has the first one otherwise
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// Also tells what may not happen, with the reason
    #[arg(long, conflicts_with = "depth")]
    illegal: bool,
    /// Only looks at this event; several can be given
    #[arg(long = "only", value_name = "EVENT")]
    events: Vec<String>,
    /// Counts the lines of play of so many events from there
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
}

/// Lists or counts what may happen.
pub(super) fn moves(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let game = arguments.chosen.load(library)?;
    let game = game.limited(arguments.limited.limits());
    known_events(&game, &arguments.events)?;
    let (path, line) = place(&arguments.input);
    let ask = Ask {
        form: arguments.transcript.clone(),
        line,
        events: arguments.events.clone(),
        illegal: arguments.illegal,
    };
    let path = Path::new(path);
    let name = inputs::name(path);
    let mut input = inputs::opened(path).map_err(|error| Error::unreadable(&name, &error))?;
    let found = match arguments.depth {
        Some(depth) => game
            .lines_of_play(&ask, depth, &name, &mut input)
            .map(|(count, endless)| (format!("{count}\n"), endless)),
        None => game
            .moves(&ask, &name, &mut input)
            .map(|moves| (listed(&moves.moves), moves.endless)),
    };
    let (text, endless) = found.map_err(|failure| match failure {
        Failure::Input(error) => Error::unreadable(&name, &error),
        other => Error::from(other),
    })?;
    output::write(text)?;
    left_out(&endless, screen);
    Ok(Exit::Done)
}

/// Takes `INPUT:LINE` apart, unless a file is called so.
pub(super) fn place(input: &str) -> (&str, Option<usize>) {
    match input.rsplit_once(':') {
        Some((path, line)) if !Path::new(input).exists() => match line.parse() {
            Ok(line) => (path, Some(line)),
            Err(_) => (input, None),
        },
        _ => (input, None),
    }
}

/// Whether the game has all events that are named.
///
/// # Errors
/// It has not.
fn known_events(game: &Game, wanted: &[String]) -> Result<()> {
    let names = game.events();
    let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) else {
        return Ok(());
    };
    let message = format!("`{}` has no event called `{unknown}`", game.name());
    Err(Error::usage(message).with_help(format!("there is {}", alternatives(names))))
}

fn listed(moves: &[Move]) -> String {
    let mut text = String::new();
    for one in moves {
        // Writing to a string cannot fail.
        let _ = match &one.verdict {
            Verdict::Legal => writeln!(text, "{}", one.written),
            Verdict::Impossible { row, says } => {
                writeln!(text, "{}  impossible ({row}): {says}", one.written)
            }
            Verdict::Refused { fact, says: None } => {
                writeln!(text, "{}  refused ({fact})", one.written)
            }
            Verdict::Refused {
                fact,
                says: Some(says),
            } => writeln!(text, "{}  refused ({fact}): {says}", one.written),
        };
    }
    text
}

fn left_out(endless: &[Endless], screen: &Screen) {
    for Endless { event, field, ty } in endless {
        screen.say(&format!(
            "note: `{event}` is left out: there is no end of values for `{field}` ({ty})"
        ));
    }
}
