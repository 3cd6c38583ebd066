//! The search for what may happen: the paths of a field, and the memory that a search allocates.

use super::{Machine, legal::Visit};
use crate::{
    code::{Field, NONE, Path},
    fault::{Fault, Stop},
};

/// How many members a path has at most that is followed.
pub(crate) const LONGEST_PATH: usize = 1_000;

/// A search collects garbage once it has allocated this part of what an event may allocate: small enough to stay near
/// what it began with, large enough for cached facts to be of use.
const PART: usize = 16;

/// How many events a search should try between two collections: what it must evaluate again then costs little beside
/// them. If there were fewer, the next collection comes later.
const FEW: usize = 64;

/// What a search has allocated.
#[derive(Debug, Default)]
pub(super) struct SearchMemory {
    /// Where its blocks begin.
    top: usize,
    /// How many words were in use when it began, or after the last collection.
    before: usize,
    /// How many more it allocates before the next collection.
    most: usize,
    /// How many events it has tried since then.
    tried: usize,
}

impl<'c> Machine<'c> {
    /// Marks where a search begins: all that is allocated from here on belongs to it.
    pub(super) fn mark_search(&mut self) {
        self.open_paths.clear();
        self.search_memory = SearchMemory {
            top: self.top,
            before: self.words_in_use(),
            most: self.compiled.limits.words_of_event() / PART,
            tried: 0,
        };
    }

    /// Frees what a search allocated for events that it has tried, once that is much. Caches are among it, and are
    /// evaluated again. The fields of the event in hand stay, and those of [`Machine::found`].
    #[inline]
    pub(crate) fn collect_if_due(&mut self) {
        self.search_memory.tried += 1;
        if self
            .words_in_use()
            .saturating_sub(self.search_memory.before)
            > self.search_memory.most
        {
            self.collect_search();
        }
    }

    #[cold]
    fn collect_search(&mut self) {
        self.epoch += 1;
        self.top = self.search_memory.top;
        let followed = self.open_paths.len();
        let in_hand = self.fields_in_hand();
        self.open_paths.extend(in_hand);
        self.collect_piles();
        self.open_paths.truncate(followed);
        self.collect_hashed();
        let most = self.compiled.limits.words_of_event() / 2;
        if self.search_memory.tried < FEW {
            self.search_memory.most = (self.search_memory.most * 2).min(most);
        }
        self.search_memory.before = self.words_in_use();
        self.search_memory.tried = 0;
    }

    /// How many words are in use for blocks, piles, sets and bags.
    #[inline]
    fn words_in_use(&self) -> usize {
        self.top + self.piles.words() + self.hashed.words()
    }

    /// Goes through the paths of a field, each before those that go on from it.
    pub(super) fn search_paths(
        &mut self,
        all: bool,
        (event, level): (usize, usize),
        field: &'c Field,
        path: &'c Path,
        unsure: bool,
        visit: Visit<'_, 'c>,
    ) -> Result<(), Stop> {
        // The empty path is 0.
        let mut at = 0;
        let mut open: Vec<std::vec::IntoIter<i64>> = Vec::new();
        let first = self.open_paths.len();
        loop {
            self.set_field(level, at);
            self.forget_fields();
            self.collect_if_due();
            self.search(all, event, level + 1, unsure, visit)?;
            open.push(self.next_of_path(path, at)?.into_iter());
            self.open_paths.push(at);
            at = loop {
                let length = open.len();
                let Some(members) = open.last_mut() else {
                    return Ok(());
                };
                let before = self.open_paths[first + length - 1];
                let Some(member) = members.next() else {
                    open.pop();
                    self.open_paths.pop();
                    continue;
                };
                if length > LONGEST_PATH {
                    return Err(Box::new(Fault::Path {
                        event,
                        field: level,
                    }));
                }
                self.charge_one()?;
                let longer = self.then_word(before, member)?;
                let outside = match &field.check {
                    Some(check) => self.outside(longer, check)?.is_some(),
                    None => false,
                };
                if !outside {
                    break longer;
                }
            };
        }
    }

    /// What may come next in a path.
    pub(super) fn next_of_path(&mut self, path: &'c Path, so_far: i64) -> Result<Vec<i64>, Stop> {
        let mut members = Vec::new();
        let (base, frame_top) = (self.base, self.frame_top);
        let result = self.framed(path.locals, |machine| {
            machine.set_local(path.so_far, so_far);
            machine.each(&path.next, &mut |_, member| {
                members.push(member);
                Ok(true)
            })
        });
        self.base = base;
        self.frame_top = frame_top;
        result?;
        members.retain(|member| *member != NONE);
        Ok(members)
    }
}
