//! The report for people.

use std::fmt::Write as _;

use referee::{
    diagnostic::{masked_line, numbered},
    game::cover::{Cover, CoveredRow},
};

/// What is reached, as text.
pub(super) fn written(cover: &Cover) -> String {
    let mut text = String::new();
    for (place, (name, _)) in cover.files.iter().enumerate() {
        let rows: Vec<&CoveredRow> = cover.rows.iter().filter(|row| row.file == place).collect();
        table(&mut text, name, &rows);
    }
    let never: Vec<&CoveredRow> = cover.rows.iter().filter(|row| row.fired == 0).collect();
    // Writing to a string cannot fail.
    if !never.is_empty() {
        let _ = writeln!(text, "never fired:");
    }
    for row in never {
        let file = cover.files.get(row.file).map_or("", |(name, _)| name);
        let _ = writeln!(
            text,
            "{file}:{} {}: {}",
            row.line,
            row.name(),
            row.reason_told()
        );
    }
    let unknown = cover.rows.iter().filter(|row| is_unknown(row)).count();
    if unknown > 0 {
        let _ = writeln!(
            text,
            "what {} would take too much work to find out: `--limit fuel=N` allows more",
            match unknown {
                1 => "1 row changes (`?`)".to_string(),
                _ => format!("{unknown} rows change (`?`)"),
            }
        );
    }
    if let [first, others @ ..] = cover.stopped.as_slice() {
        let first = masked_line(first);
        let _ = match others.len() {
            0 => writeln!(text, "{first} stops at an error: its rest was not run"),
            count => writeln!(
                text,
                "{first} and {} stop at an error: their rest was not run",
                numbered(count, "other transcript")
            ),
        };
    }
    let (fired, all) = cover.fired();
    let _ = writeln!(
        text,
        "{fired} of {} fired in {}: {} %",
        numbered(all, "row"),
        runs(cover),
        cover.per_cent()
    );
    text
}

/// What was run.
pub(super) fn runs(cover: &Cover) -> String {
    let trials = numbered(cover.trials, "transcript");
    match cover.examples {
        0 => trials,
        count => format!("{trials} and {}", numbered(count, "example")),
    }
}

/// Whether it took too much work to find out what a row changes.
fn is_unknown(row: &CoveredRow) -> bool {
    row.label.is_some() && row.changed.is_none()
}

/// The rows of a file, each with its counts.
fn table(text: &mut String, name: &str, rows: &[&CoveredRow]) {
    let mut cells = vec![[name, "asked", "fired", "changed", "row"].map(str::to_string)];
    cells.extend(rows.iter().map(|row| {
        let changed = match row.changed {
            Some(count) => count.to_string(),
            None if is_unknown(row) => "?".to_string(),
            None => String::new(),
        };
        [
            row.line.to_string(),
            row.considered.to_string(),
            row.fired.to_string(),
            changed,
            row.name(),
        ]
    }));
    let widths: Vec<usize> = (0..4)
        .map(|column| {
            cells
                .iter()
                .filter_map(|row| row.get(column))
                .map(String::len)
                .max()
        })
        .map(Option::unwrap_or_default)
        .collect();
    for row in &cells {
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "{cell:>width$}  ");
        }
        let _ = writeln!(text, "{}", row[4]);
    }
    text.push('\n');
}
