//! The report for other programs: as JSON, which `docs/cover.schema.json` describes, and as a tracefile of `lcov`.

use std::{collections::BTreeMap, fmt::Write as _};

use referee::game::{
    Game,
    cover::{Cover, CoveredRow},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::output::Versioned;

/// How often each row was considered, fired and made a difference.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Cover")]
pub(in crate::cli) struct Document<'d> {
    /// The game's name.
    game: &'d str,
    /// The variants that were applied, in that order.
    variants: Vec<&'d str>,
    /// How many transcripts were run.
    transcripts: usize,
    /// How many examples of the rule files were run.
    examples: usize,
    /// The transcripts that stopped at an error: the rest of them was not run.
    stopped: &'d [String],
    /// How many rows there are.
    rows: usize,
    /// How many of them fired.
    fired: usize,
    /// The percentage of rows that fired, rounded down.
    per_cent: usize,
    /// The rule files.
    files: Vec<File<'d>>,
}

/// A rule file.
#[derive(JsonSchema, Serialize)]
struct File<'d> {
    /// Its name.
    name: &'d str,
    /// Its rows, in order.
    rows: Vec<Row<'d>>,
}

/// A row, or a definition without rows.
#[derive(JsonSchema, Serialize)]
struct Row<'d> {
    /// The definition, or the clause of a section, that it belongs to.
    path: &'d str,
    /// Its name; a definition without rows has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'d str>,
    /// Its first line.
    line: usize,
    /// Its last line.
    last_line: usize,
    /// How often it was considered; with `for`, once for each value.
    considered: u64,
    /// How often it fired; in `any of` and `all of`, how often it decided the table.
    fired: u64,
    /// In how many transcripts the report would differ if it never fired. Left out for a row without a name, and if
    /// finding out would take too much work.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<u64>,
    /// Its conditions, in order.
    conditions: Vec<Condition<'d>>,
    /// Why it never fired, if it never did.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// A condition of a row.
#[derive(JsonSchema, Serialize)]
struct Condition<'d> {
    /// The condition as written, after `unless` if that is how it was written.
    written: &'d str,
    /// Its first line.
    line: usize,
    /// How often it held, when those before it did.
    held: u64,
    /// How often it did not hold, when those before it did.
    failed: u64,
}

/// What is reached, as JSON.
pub(super) fn written(game: &Game, cover: &Cover) -> anyhow::Result<String> {
    let (fired, rows) = cover.fired();
    let files = cover
        .files
        .iter()
        .enumerate()
        .map(|(place, (name, _))| File {
            name,
            rows: rows_of(cover, place),
        });
    let document = Document {
        game: game.name(),
        variants: game.applied(),
        transcripts: cover.trials,
        examples: cover.examples,
        stopped: &cover.stopped,
        rows,
        fired,
        per_cent: cover.per_cent(),
        files: files.collect(),
    };
    let mut text = serde_json::to_string_pretty(&Versioned::new(document))?;
    text.push('\n');
    Ok(text)
}

fn rows_of(cover: &Cover, file: usize) -> Vec<Row<'_>> {
    let rows = cover.rows.iter().filter(|row| row.file == file);
    rows.map(|row| Row {
        path: &row.path,
        label: row.label.as_deref(),
        line: row.line,
        last_line: row.last_line,
        considered: row.considered,
        fired: row.fired,
        changed: row.changed,
        conditions: row
            .conditions
            .iter()
            .map(|condition| Condition {
                written: &condition.written,
                line: condition.line,
                held: condition.held,
                failed: condition.failed,
            })
            .collect(),
        reason: row.reason.as_ref().map(|_| row.reason_told()),
    })
    .collect()
}

/// A tracefile, as `man geninfo` tells them. A row is a function that was called as often as the row fired; a condition
/// has two branches.
pub(super) fn traced(cover: &Cover) -> String {
    let mut text = String::from("TN:\n");
    for (place, (name, _)) in cover.files.iter().enumerate() {
        let rows: Vec<&CoveredRow> = cover.rows.iter().filter(|row| row.file == place).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "SF:{name}");
        functions(&mut text, &rows);
        branches(&mut text, &rows);
        lines(&mut text, &rows);
        text.push_str("end_of_record\n");
    }
    text
}

fn functions(text: &mut String, rows: &[&CoveredRow]) {
    let names = names(rows);
    for (row, name) in rows.iter().zip(&names) {
        let _ = writeln!(text, "FN:{},{name}", row.line);
    }
    for (row, name) in rows.iter().zip(&names) {
        let _ = writeln!(text, "FNDA:{},{name}", row.fired);
    }
    let hit = rows.iter().filter(|row| row.fired > 0).count();
    let _ = writeln!(text, "FNF:{}\nFNH:{hit}", rows.len());
}

/// What each row is called; where several bear one name, with their lines.
fn names(rows: &[&CoveredRow]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.name()).or_default() += 1;
    }
    let names = rows.iter().map(|row| match counts.get(&row.name()) {
        Some(2..) => format!("{}:{}", row.name(), row.line),
        _ => row.name(),
    });
    names.collect()
}

fn branches(text: &mut String, rows: &[&CoveredRow]) {
    let (mut found, mut hit) = (0, 0);
    for (block, row) in rows.iter().enumerate() {
        let counts = row.conditions.iter().flat_map(|condition| {
            [
                (condition.line, condition.held),
                (condition.line, condition.failed),
            ]
        });
        for (branch, (line, count)) in counts.enumerate() {
            let taken = if row.considered == 0 {
                "-".to_string()
            } else {
                count.to_string()
            };
            let _ = writeln!(text, "BRDA:{line},{block},{branch},{taken}");
            found += 1;
            hit += usize::from(count > 0);
        }
    }
    let _ = writeln!(text, "BRF:{found}\nBRH:{hit}");
}

fn lines(text: &mut String, rows: &[&CoveredRow]) {
    let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
    for row in rows {
        *lines.entry(row.line).or_default() += row.fired;
    }
    for (line, count) in &lines {
        let _ = writeln!(text, "DA:{line},{count}");
    }
    let hit = lines.values().filter(|count| **count > 0).count();
    let _ = writeln!(text, "LF:{}\nLH:{hit}", lines.len());
}
