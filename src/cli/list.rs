//! `referee list`: lists the games.

use std::fmt::Write as _;

use referee::{diagnostic::masked_line, game::Game, library::Library};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Exit,
    error::Result,
    output::{self, Formatted, write_json},
};

/// The arguments of `list`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    formatted: Formatted,
}

/// A game in the list.
#[derive(JsonSchema, Serialize)]
struct Listed {
    /// Its name.
    name: String,
    /// Its name for people; `None` if it cannot be loaded: `referee check` says why.
    title: Option<String>,
    /// The names of its variants.
    variants: Vec<String>,
}

/// All games.
#[derive(JsonSchema, Serialize)]
pub(super) struct Games {
    /// The games.
    games: Vec<Listed>,
}

/// Lists the games with their titles.
pub(super) fn list(arguments: &Arguments, library: &Library) -> Result {
    let names = library.names().into_iter();
    let games: Vec<Listed> = names
        .map(|name| Listed {
            title: Game::load(library, &name, &[])
                .ok()
                .map(|game| game.title().to_string()),
            variants: library.variants(&name),
            name,
        })
        .collect();
    if arguments.formatted.is_json() {
        write_json(Games { games })?;
        return Ok(Exit::Done);
    }
    let width = games.iter().map(|game| game.name.chars().count()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for Listed { name, title, .. } in games {
        let title = title.unwrap_or_else(|| format!("cannot be run: see `referee check {name}`"));
        let line = format!("{name:width$}  {title}");
        let _ = writeln!(text, "{}", masked_line(&line));
    }
    output::write(text)?;
    Ok(Exit::Done)
}
