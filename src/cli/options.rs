//! `referee run GAME --set '?'`: the options of a game.

use std::fmt::Write as _;

use referee::game::Game;

use super::{output, wording::padded};

/// Lists the options as the rule file declares them, each with its type, its default and what it means.
pub(super) fn list(game: &Game) -> anyhow::Result<()> {
    let mut text = String::new();
    for line in lines(game) {
        let _ = writeln!(text, "{line}");
    }
    if text.is_empty() {
        let _ = writeln!(text, "{} has no options", game.name());
    }
    output::write(text)
}

/// The options of a game, a line each.
pub(super) fn lines(game: &Game) -> Vec<String> {
    let options = game.options();
    let declared: Vec<String> = options
        .iter()
        .map(|option| {
            let declared = format!("{}: {} = {}", option.name, option.ty, option.value);
            if option.value == option.default {
                declared
            } else {
                format!("{declared} (set; otherwise {})", option.default)
            }
        })
        .collect();
    let width = declared.iter().map(|line| line.chars().count()).max();
    let width = width.unwrap_or_default();
    let lines = options.iter().zip(&declared).map(|(option, declared)| {
        if option.meaning.is_empty() {
            declared.clone()
        } else {
            format!("{}  -- {}", padded(declared, width), option.meaning)
        }
    });
    lines.collect()
}
