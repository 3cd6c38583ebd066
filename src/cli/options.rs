//! `referee run GAME --set '?'`: the options of a game.

use std::fmt::Write as _;

use referee::game::Game;

use super::{Exit, output};

/// Lists the options as the rule file declares them, each with its type, its default and what it means.
pub(super) fn list(game: &Game) -> anyhow::Result<Exit> {
    let options = game.options();
    let declared: Vec<String> = options
        .iter()
        .map(|option| format!("{}: {} = {}", option.name, option.ty, option.default))
        .collect();
    let width = declared.iter().map(|line| line.chars().count()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (option, declared) in options.iter().zip(&declared) {
        let _ = if option.meaning.is_empty() {
            writeln!(text, "{declared}")
        } else {
            writeln!(text, "{declared:width$}  -- {}", option.meaning)
        };
    }
    if options.is_empty() {
        let _ = writeln!(text, "{} has no options", game.name());
    }
    output::write(text)?;
    Ok(Exit::Done)
}
