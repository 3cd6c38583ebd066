//! The report on changes to the rules: which of them no transcript notices.

use std::fmt::Write as _;

use referee::{
    diagnostic::numbered,
    game::{
        Game,
        mutants::{Mutant, Mutants},
    },
};
use serde::Serialize;

use super::data::VERSION;

/// What was not noticed, as text.
pub(super) fn text(mutants: &Mutants) -> String {
    let mut text = String::new();
    for mutant in mutants.made.iter().filter(|mutant| !mutant.noticed) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(mutant));
    }
    let _ = writeln!(
        text,
        "{} of {} noticed: {} %",
        mutants.noticed(),
        numbered(mutants.made.len(), "change"),
        mutants.per_cent()
    );
    text
}

/// A change in a line.
fn line(mutant: &Mutant) -> String {
    let Mutant {
        file,
        line,
        path,
        before,
        after,
        ..
    } = mutant;
    if after.is_empty() {
        format!("{file}:{line} {path}: without `{before}`")
    } else {
        format!("{file}:{line} {path}: `{after}`, not `{before}`")
    }
}

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    game: &'d str,
    variants: Vec<&'d str>,
    changes: usize,
    noticed: usize,
    per_cent: usize,
    mutants: Vec<Changed<'d>>,
}

#[derive(Serialize)]
struct Changed<'d> {
    file: &'d str,
    line: usize,
    path: &'d str,
    before: &'d str,
    after: &'d str,
    noticed: bool,
}

/// All changes, as JSON.
pub(super) fn json(game: &Game, mutants: &Mutants) -> anyhow::Result<String> {
    let changed = mutants.made.iter().map(|mutant| Changed {
        file: &mutant.file,
        line: mutant.line,
        path: &mutant.path,
        before: &mutant.before,
        after: &mutant.after,
        noticed: mutant.noticed,
    });
    let document = Document {
        version: VERSION,
        game: game.name(),
        variants: game.applied(),
        changes: mutants.made.len(),
        noticed: mutants.noticed(),
        per_cent: mutants.per_cent(),
        mutants: changed.collect(),
    };
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}
