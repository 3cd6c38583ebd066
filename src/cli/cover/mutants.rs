//! The report on changes to the rules: which of them no transcript notices.

use std::fmt::Write as _;

use referee::{
    diagnostic::numbered,
    game::{
        Game,
        mutants::{Mutant, Mutants},
    },
};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::output::Versioned;

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

/// Small changes to the rules, and which of them the transcripts notice.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Mutants")]
pub(in crate::cli) struct Document<'d> {
    /// The game's name.
    game: &'d str,
    /// The variants that were applied, in that order.
    variants: Vec<&'d str>,
    /// How many changes were made.
    changes: usize,
    /// How many of them changed a report.
    noticed: usize,
    /// The percentage of changes that did, rounded down.
    per_cent: usize,
    /// The changes, in the order of the files.
    mutants: Vec<Changed<'d>>,
}

/// A change to the rules.
#[derive(JsonSchema, Serialize)]
struct Changed<'d> {
    /// The name of the rule file.
    file: &'d str,
    /// The line in it.
    line: usize,
    /// The definition, or the clause of a section, that it belongs to.
    path: &'d str,
    /// The text that was replaced.
    before: &'d str,
    /// The text in its place; empty if it was left out.
    after: &'d str,
    /// Whether a report changed.
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
        game: game.name(),
        variants: game.applied(),
        changes: mutants.made.len(),
        noticed: mutants.noticed(),
        per_cent: mutants.per_cent(),
        mutants: changed.collect(),
    };
    let mut text = serde_json::to_string_pretty(&Versioned::new(document))?;
    text.push('\n');
    Ok(text)
}
