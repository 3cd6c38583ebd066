//! `referee play`: a game at the table, line by line.

mod commands;
mod editor;
mod record;
mod seating;
mod table;
mod views;

use std::{
    cell::{OnceCell, RefCell},
    io::{self, IsTerminal as _},
    path::PathBuf,
    rc::Rc,
};

use clap_complete::ArgValueCompleter;
use referee::{game::Game, library::Library};

use super::{
    Exit, complete,
    error::Result,
    pin::Pins,
    screen::Screen,
    settings::{Chosen, Limited},
};
use editor::Input;
use record::Record;
use seating::{Seat, Seating};
use table::Table;
use views::Views;

/// The arguments of `play`.
#[derive(Debug, clap::Args)]
#[group(skip)]
#[command(after_help = format!("Other commands while you play:\n{}", commands::HELP))]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// The transcript: its lines are played first, and every accepted line is added at once. At a terminal, a new file
    /// is made if you name none
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The form of the transcript, if it is not the default one
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::forms))]
    transcript: Option<String>,
    /// Who plays for whom: `person`, `random` or a policy of the game, for a seat as the transcript writes it; `*`
    /// means all other seats. What chance decides is drawn, unless you say `chance=person`
    #[arg(long = "seat", value_name = "NAME=WHO", value_parser = seating::seat)]
    seating: Vec<Seat>,
    /// The state that says whose move it is. Otherwise the rules say it; where they do not, it is the first state whose
    /// value is a member of a kind
    #[arg(long, value_name = "STATE")]
    whose: Option<String>,
    /// The seed of `random`: the same seed gives the same game
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limited: Limited,
}

/// Plays.
pub(super) fn play(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let game = arguments.chosen.load(library)?.with_seed(arguments.seed);
    let game = game.limited(arguments.limited.limits()?);
    if let Some(path) = &arguments.file {
        Pins::new(&game).warn(path, screen);
    }
    let seating = Seating::new(
        &game,
        &arguments.seating,
        arguments.whose.as_deref(),
        arguments.seed,
    )?;
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
    let cells: Vec<OnceCell<Game>> = if game.has_secrets() {
        (0..=game.seats()).map(|_| OnceCell::new()).collect()
    } else {
        Vec::new()
    };
    let views = Views::new(&game, &cells, arguments.transcript.as_deref(), &name);
    let mut table = Table::new(session, views, record, seating, screen, at_terminal);
    table.resume()?;
    table.welcome(game.title())?;
    let table = Rc::new(RefCell::new(table));
    let mut input = Input::new(at_terminal, &table)?;
    loop {
        table.borrow_mut().play_unasked()?;
        table.borrow_mut().look()?;
        let prompt = table.borrow_mut().prompt();
        let Some(line) = input.line(&prompt)? else {
            break;
        };
        if !table.borrow_mut().take(&line)? {
            break;
        }
    }
    table.borrow().leave();
    Ok(Exit::Done)
}
