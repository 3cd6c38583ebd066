//! The report for programs that read what `lcov` writes: its tracefiles, as `man geninfo` tells them. A row is a
//! function that was called as often as the row fired; a condition has two branches.

use std::{collections::BTreeMap, fmt::Write as _};

use referee::game::cover::{Cover, CoveredRow};

/// What is reached, as a tracefile.
pub(super) fn written(cover: &Cover) -> String {
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
