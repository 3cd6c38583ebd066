//! What the variants of a book change.

use std::collections::BTreeMap;

use super::{Change, Changed, Chapter, Entry};

/// Marks what is not in the book before, and gives all changes: what is other or new, and then what is gone. Examples
/// are no rules.
pub(super) fn mark(before: &[Chapter], after: &mut [Chapter], examples: &str) -> Vec<Changed> {
    let rules = || before.iter().filter(|chapter| chapter.title != examples);
    let mut old: BTreeMap<&str, &Entry> = BTreeMap::new();
    for entry in rules().flat_map(Chapter::entries) {
        old.insert(&entry.path, entry);
    }
    let mut changes = Vec::new();
    for chapter in after.iter_mut().filter(|chapter| chapter.title != examples) {
        let title = chapter.title.clone();
        for entry in chapter.entries_mut() {
            match old.remove(entry.path.as_str()) {
                Some(found) if found.cells == entry.cells => continue,
                Some(found) => entry.change = Some(Change::Instead(found.cells.clone())),
                None => entry.change = Some(Change::New),
            }
            changes.push(Changed {
                chapter: title.clone(),
                entry: entry.clone(),
                gone: false,
            });
        }
    }
    for chapter in rules() {
        let gone = chapter
            .entries()
            .filter(|entry| old.contains_key(entry.path.as_str()));
        changes.extend(gone.map(|entry| Changed {
            chapter: chapter.title.clone(),
            entry: entry.clone(),
            gone: true,
        }));
    }
    changes
}
