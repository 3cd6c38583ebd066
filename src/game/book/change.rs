//! What the variants of a book change.

use std::collections::BTreeMap;

use super::{Change, Changed, Chapter, Entry};

/// Marks what is not in the book before, and gives all changes: what is other or new, and then what is gone.
pub(super) fn mark(before: &[Chapter], after: &mut [Chapter]) -> Vec<Changed> {
    let mut old: BTreeMap<&str, &Entry> = BTreeMap::new();
    for entry in before.iter().flat_map(Chapter::entries) {
        old.insert(&entry.path, entry);
    }
    let mut changes = Vec::new();
    for entry in after.iter_mut().flat_map(Chapter::entries_mut) {
        match old.remove(entry.path.as_str()) {
            Some(found) if found.cells == entry.cells => continue,
            Some(found) => entry.change = Some(Change::Instead(found.cells.clone())),
            None => entry.change = Some(Change::New),
        }
        changes.push(Changed::Entry(entry.clone()));
    }
    for entry in before.iter().flat_map(Chapter::entries) {
        if old.contains_key(entry.path.as_str()) {
            changes.push(Changed::Gone(entry.clone()));
        }
    }
    changes
}
