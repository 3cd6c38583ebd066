//! What may happen, searched: the paths of a field, each member of which is one of what may come next, and the room that
//! a search takes.

use super::{Machine, legal::Visit};
use crate::{
    code::{Field, NONE, Path},
    fault::{Fault, Stop},
};

/// How many members a path has at most that is followed.
pub(crate) const LONGEST_PATH: usize = 1_000;

/// What part of what an event may make a search makes before it gives that back: small enough for the search to stay
/// near what it began with, large enough for what it remembers to be of use.
const PART: usize = 16;

/// How many events a search tries at least between one time that it gives back what it made and the next, so that what it
/// must work out again costs little beside them.
const FEW: usize = 64;

/// What a search has made.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Where the blocks that it makes begin.
    top: usize,
    /// How many words there were when it began or last gave some back, and how many more it makes before it does again.
    before: usize,
    most: usize,
    /// How many events it has tried since.
    tried: usize,
}

impl<'c> Machine<'c> {
    /// A search begins here: all that is made from here on is made by it.
    pub(super) fn begin_room(&mut self) {
        self.open_paths.clear();
        self.room = Room {
            top: self.top,
            before: self.words_made(),
            most: self.compiled.limits.words_of_event() / PART,
            tried: 0,
        };
    }

    /// Gives back what a search made for events that it has tried, once that is much. What was remembered lies among it
    /// and is worked out again. The fields of the event in hand stay, and those of [`Machine::found`].
    #[inline]
    pub(crate) fn make_room(&mut self) {
        self.room.tried += 1;
        if self.words_made().saturating_sub(self.room.before) > self.room.most {
            self.give_back();
        }
    }

    #[cold]
    fn give_back(&mut self) {
        self.epoch += 1;
        self.top = self.room.top;
        let followed = self.open_paths.len();
        let in_hand = self.fields_in_hand();
        self.open_paths.extend(in_hand);
        self.collect_piles();
        self.open_paths.truncate(followed);
        self.collect_hashed();
        let most = self.compiled.limits.words_of_event() / 2;
        if self.room.tried < FEW {
            self.room.most = (self.room.most * 2).min(most);
        }
        self.room.before = self.words_made();
        self.room.tried = 0;
    }

    /// How many words blocks, piles, sets and bags take.
    #[inline]
    fn words_made(&self) -> usize {
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
            self.make_room();
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
