//! Differences between texts, line by line; and the names and counts of rows.

use std::{cmp::Reverse, collections::BTreeMap, fmt::Write as _, path::Path};

use referee::diagnostic::{Colour, is_obeyed, masked_line};
use similar::{ChangeTag, TextDiff};

/// The number of context lines around a difference.
const AROUND: usize = 3;

/// The diff between the text at `path` and another, which is called `name`.
pub(super) fn drawn(path: &Path, old: &[u8], name: &str, new: &[u8], colour: Colour) -> String {
    let (old, new) = (shown(old), shown(new));
    let lines = TextDiff::from_lines(&old, &new);
    let path = path.to_string_lossy();
    let mut text = format!("--- {}\n+++ {name}\n", masked_line(&path));
    for hunk in lines.unified_diff().context_radius(AROUND).iter_hunks() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", hunk.header());
        for change in hunk.iter_changes() {
            let (sign, paint) = match change.tag() {
                ChangeTag::Delete => ('-', "\u{1b}[31m"),
                ChangeTag::Insert => ('+', "\u{1b}[32m"),
                ChangeTag::Equal => (' ', ""),
            };
            let line = change.value().trim_end_matches('\n');
            let _ = match colour {
                Colour::Always if !paint.is_empty() => {
                    writeln!(text, "{paint}{sign}{line}\u{1b}[0m")
                }
                Colour::Always | Colour::Never => writeln!(text, "{sign}{line}"),
            };
            if change.missing_newline() {
                text.push_str("\\ the line does not end\n");
            }
        }
    }
    text
}

/// The number of lines before the first difference, if there is one.
pub(super) fn first_line(wanted: &[u8], said: &[u8]) -> Option<usize> {
    let mut wanted = wanted.split(|byte| *byte == b'\n');
    let mut said = said.split(|byte| *byte == b'\n');
    let mut line = 0;
    loop {
        match (wanted.next(), said.next()) {
            (None, None) => return None,
            (wanted, said) if wanted != said => return Some(line),
            _ => line += 1,
        }
    }
}

/// A text with control characters and invisible characters escaped.
fn shown(text: &[u8]) -> String {
    let mut shown = String::new();
    for character in String::from_utf8_lossy(text).chars() {
        if is_obeyed(character) && character != '\n' && character != '\t' {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Counts differences for which no row is responsible.
pub(super) const NO_ROW: &str = "no row";

/// `38 by one.row, 2 by another.row`, the greatest number first.
pub(super) fn by_row(counts: &BTreeMap<String, usize>) -> String {
    let mut counts: Vec<(&String, &usize)> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(**count));
    let counts = counts
        .iter()
        .map(|(row, count)| format!("{count} by {row}"));
    counts.collect::<Vec<_>>().join(", ")
}
