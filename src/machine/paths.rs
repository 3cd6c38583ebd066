//! The search for possible events: the paths of a field, and the memory that a search allocates.

use super::{Machine, legal::Visit};
use crate::{
    code::{Field, NONE, Path},
    fault::{Fault, Stop},
};

/// The most members of a path that a search follows.
pub(crate) const LONGEST_PATH: usize = 1_000;

/// A search collects garbage once it has allocated this fraction of what an event may allocate: small enough to stay
/// near where it began, large enough for caches to be of use.
const PART: usize = 16;

/// A search should try this many events between two collections, so that refilling the caches costs little beside them.
/// After fewer, the next collection comes later.
const FEW: usize = 64;

#[derive(Debug, Default)]
pub(super) struct SearchMemory {
    /// Where its blocks begin.
    top: usize,
    /// How many words were in use when it began, or after the last collection.
    before: usize,
    /// How many more words it may allocate before the next collection.
    most: usize,
    /// How many events it has tried since then.
    tried: usize,
}

impl<'c> Machine<'c> {
    /// Marks the start of a search: everything allocated from here on belongs to it.
    pub(super) fn mark_search(&mut self) {
        self.open_paths.clear();
        self.search_memory = SearchMemory {
            top: self.top,
            before: self.words_in_use(),
            most: self.compiled.limits.words_of_event() / PART,
            tried: 0,
        };
    }

    /// Frees what a search allocated for events already tried, once that is much, including caches. Keeps the fields of
    /// the current event, and those of [`Machine::found`].
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
        let fields = self.current_fields();
        self.open_paths.extend(fields);
        self.collect_piles();
        self.collect_hashed();
        self.open_paths.truncate(followed);
        let most = self.compiled.limits.words_of_event() / 2;
        if self.search_memory.tried < FEW {
            self.search_memory.most = (self.search_memory.most * 2).min(most);
        }
        self.search_memory.before = self.words_in_use();
        self.search_memory.tried = 0;
    }

    /// The words in use for blocks, piles, sets and bags.
    #[inline]
    fn words_in_use(&self) -> usize {
        self.top + self.piles.words() + self.hashed.words()
    }

    /// Visits the paths of a field, each before its continuations.
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

    /// The possible next members of a path.
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
