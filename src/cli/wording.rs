//! Rows, as several commands name and count them.

use std::{cmp::Reverse, collections::BTreeMap};

/// What is counted where no row made a difference.
pub(super) const NO_ROW: &str = "no row";

/// How far columns are aligned, in characters: a wider cell sticks out.
const WIDEST: usize = 100;

/// A cell of a column that is so wide.
pub(super) fn padded(cell: &str, width: usize) -> String {
    let blanks = width.min(WIDEST).saturating_sub(cell.chars().count());
    format!("{cell}{}", " ".repeat(blanks))
}

/// The name of a row of a fact, of a state, of a report: `owner.row`, or the owner where it has no rows with names.
pub(super) fn row_name(owner: &str, row: Option<&str>) -> String {
    let owner = owner
        .strip_prefix("new ")
        .or_else(|| owner.strip_prefix("previous "))
        .unwrap_or(owner);
    match row {
        Some(row) => format!("{owner}.{row}"),
        None => owner.to_string(),
    }
}

/// `38 by one.row, 2 by another.row`: the most first.
pub(super) fn by_row(counts: &BTreeMap<String, usize>) -> String {
    let mut counts: Vec<(&String, &usize)> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(**count));
    let counts = counts
        .iter()
        .map(|(row, count)| format!("{count} by {row}"));
    counts.collect::<Vec<_>>().join(", ")
}
