//! The report for other programs: as JSON, which `docs/cover.schema.json` describes, and as a tracefile of `lcov`.

use std::{collections::BTreeMap, fmt::Write as _};

use referee::game::{
    Game,
    cover::{Cover, CoveredRow},
};
use serde::Serialize;

/// The number of this form; another one comes with what no reader of this one would understand.
pub(super) const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    game: &'d str,
    variants: Vec<&'d str>,
    transcripts: usize,
    examples: usize,
    stopped: &'d [String],
    rows: usize,
    fired: usize,
    per_cent: usize,
    files: Vec<File<'d>>,
}

#[derive(Serialize)]
struct File<'d> {
    name: &'d str,
    rows: Vec<Row<'d>>,
}

#[derive(Serialize)]
struct Row<'d> {
    path: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'d str>,
    line: usize,
    last_line: usize,
    considered: u64,
    fired: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<u64>,
    conditions: Vec<Condition<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Condition<'d> {
    written: &'d str,
    line: usize,
    held: u64,
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
        version: VERSION,
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
    let mut text = serde_json::to_string_pretty(&document)?;
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
