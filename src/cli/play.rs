//! `referee play`: a game at the table, line by line.

mod commands;
mod editor;
mod record;
mod seats;
mod table;

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
};

use referee::library::Library;

use super::{Exit, error::Result, screen::Screen, settings::Chosen};
use editor::Input;
use record::Record;
use seats::{Seat, Seats};
use table::Table;

/// The arguments of `play`.
#[derive(Debug, clap::Args)]
#[group(skip)]
#[command(after_help = format!("At the table one can also say:\n{}", commands::HELP))]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// The transcript: what it says already is played first, and each line that is accepted is written to it at once. At
    /// a terminal a new file is made where none is named
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Which of the rule file's forms the transcript has; it has the first one otherwise
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// Who plays for whom: `person`, `random` or a policy of the game, for a value that says whose turn it is; `*` stands
    /// for all others
    #[arg(long = "seat", value_name = "NAME=WHO", value_parser = seats::seat)]
    seats: Vec<Seat>,
    /// The state that says whose turn it is
    #[arg(long, value_name = "STATE", default_value = "turn")]
    turn: String,
    /// What `random` draws from: the same seed gives the same game
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Plays.
pub(super) fn play(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let game = arguments.chosen.load(library)?.with_seed(arguments.seed);
    let seats = Seats::new(&game, &arguments.seats, &arguments.turn, arguments.seed)?;
    let at_terminal = io::stdin().is_terminal();
    let record = match &arguments.file {
        Some(path) => Some(Record::at(path)?),
        None if at_terminal => Some(Record::new(game.name())?),
        None => None,
    };
    let name = record.as_ref().map_or_else(
        || "the transcript".to_string(),
        |record| record.path().display().to_string(),
    );
    let session = game.session(arguments.transcript.as_deref(), &name)?;
    let mut table = Table::new(session, record, seats, screen, at_terminal);
    table.resume()?;
    let mut input = Input::new(at_terminal);
    table.welcome(game.title());
    loop {
        table.play_seats()?;
        let prompt = table.prompt();
        let Some(line) = input.line(&prompt, &mut table)? else {
            break;
        };
        if !table.take(&line)? {
            break;
        }
    }
    table.leave();
    Ok(Exit::Done)
}
