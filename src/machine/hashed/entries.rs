//! The entries of a set or bag in ascending order, one after the other, for lowered functions.

use super::super::{Machine, grid::Search};
use crate::{code::NONE, fault::Stop};

/// Entries that are gone through.
#[derive(Debug)]
pub(in crate::machine) struct Entries {
    set: i64,
    hashed: usize,
    /// The entries that are still to come, the next one last.
    rest: Vec<usize>,
}

impl Machine<'_> {
    /// Begins to go through the entries of a set or bag in ascending order.
    pub(in crate::machine) fn begin_entries(&mut self, set: i64, hashed: usize) {
        let mut rest = self.in_order(set, hashed);
        rest.reverse();
        self.searches
            .begin(Search::Entries(Entries { set, hashed, rest }));
    }

    /// The next entry of the set or bag that was begun last; none at its end.
    pub(in crate::machine) fn next_entry(&mut self) -> Result<i64, Stop> {
        let Some(Search::Entries(entries)) = self.searches.last_mut() else {
            return Ok(NONE);
        };
        let Some(entry) = entries.rest.pop() else {
            return Ok(NONE);
        };
        let (set, hashed) = (entries.set, entries.hashed);
        self.charge_one()?;
        self.entry_hashed(set, entry, hashed)
    }
}
