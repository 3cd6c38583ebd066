//! `referee list`: the games there are.

use std::fmt::Write as _;

use referee::{game::Game, library::Library};

use super::{Exit, error::Result, output};

/// Lists the games, each with its title.
pub(super) fn list(library: &Library) -> Result {
    let names = library.names();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for name in &names {
        let title = match Game::load(library, name, &[]) {
            Ok(game) => game.title().to_string(),
            Err(_) => format!("cannot be run: see `referee check {name}`"),
        };
        let _ = writeln!(text, "{name:width$}  {title}");
    }
    output::write(text)?;
    Ok(Exit::Done)
}
