//! The report for other programs; `docs/cover.schema.json` tells what is in it.

use referee::game::{Game, cover::Cover};
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
