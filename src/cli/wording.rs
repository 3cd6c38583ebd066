//! Rows, as several commands name and count them.

use std::{cmp::Reverse, collections::BTreeMap};

pub(super) use referee::stream::cause::row_name;

/// What is counted where no row made a difference.
pub(super) const NO_ROW: &str = "no row";

/// `38 by one.row, 2 by another.row`: the most first.
pub(super) fn by_row(counts: &BTreeMap<String, usize>) -> String {
    let mut counts: Vec<(&String, &usize)> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(**count));
    let counts = counts
        .iter()
        .map(|(row, count)| format!("{count} by {row}"));
    counts.collect::<Vec<_>>().join(", ")
}
