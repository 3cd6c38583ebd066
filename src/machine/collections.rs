//! Collections made from given values, their members, and counts of words in piles.

use super::{
    Machine,
    evaluate::Visit,
    memory::{at, handle},
    pile::Pile,
};
use crate::{
    code::{Domain, NONE, Shape},
    fault::{self, Stop, Trouble},
};

impl<'c> Machine<'c> {
    /// The collection of some values.
    pub(crate) fn collection(&mut self, shape: &Shape, values: &[i64]) -> Result<i64, Stop> {
        match shape {
            Shape::Bits { domain } => {
                let mut bits = 0i64;
                for value in values {
                    bits |= 1 << place(*domain, *value)?;
                }
                Ok(bits)
            }
            Shape::Pile { slot, .. } => {
                let log = self.new_log();
                for value in values {
                    self.push(log, *value, *slot)?;
                }
                self.pile(log, slot.stride())
            }
            Shape::Hashed { hashed } => {
                let mut set = 0;
                for value in values {
                    set = self.insert_hashed(set, *value, *hashed)?;
                }
                Ok(set)
            }
            Shape::Words { domain, words } => {
                let start = self.block(*words)?;
                for value in values {
                    let index = place(*domain, *value)?;
                    self.memory[start + index / 64] |= 1 << (index % 64);
                }
                Ok(handle(start))
            }
            Shape::Counts { domain } => {
                let start = self.block(domain.count)?;
                for value in values {
                    let index = place(*domain, *value)?;
                    self.memory[start + index] += 1;
                }
                Ok(handle(start))
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => Ok(NONE),
        }
    }

    /// Whether a collection has a value.
    pub(super) fn has(&mut self, item: i64, set: i64, shape: &Shape) -> Result<bool, Stop> {
        if item == NONE {
            return Ok(false);
        }
        Ok(match shape {
            Shape::Bits { domain } => {
                let index = domain.index(item);
                index < domain.count && (set >> index) & 1 == 1
            }
            Shape::Words { domain, .. } => {
                let index = domain.index(item);
                index < domain.count && (self.memory[at(set) + index / 64] >> (index % 64)) & 1 == 1
            }
            Shape::Counts { domain } => {
                let index = domain.index(item);
                index < domain.count && self.load(at(set) + index) > 0
            }
            Shape::Hashed { hashed } => self.has_hashed(set, item, *hashed)?,
            Shape::Pile { slot, element } => {
                let pile = Pile::of(set);
                for index in 0..pile.len {
                    self.charge_one()?;
                    let value = self.element(pile, index, *slot)?;
                    if self.same(item, value, element) {
                        return Ok(true);
                    }
                }
                false
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => false,
        })
    }

    /// The members of a collection in ascending order, or a pile's in its own; repeated as often as a bag or pile has
    /// them.
    pub(crate) fn members(&mut self, set: i64, shape: &Shape) -> Result<Vec<i64>, Stop> {
        let mut members = Vec::new();
        match shape {
            Shape::Bits { domain } => {
                let bits = (0..domain.count).filter(|index| set >> index & 1 == 1);
                members.extend(bits.map(|index| domain.value(index)));
            }
            Shape::Words { domain, .. } => {
                let start = at(set);
                let contains =
                    |index: &usize| self.memory[start + index / 64] >> (index % 64) & 1 == 1;
                let indexes = (0..domain.count).filter(contains);
                members.extend(indexes.map(|index| domain.value(index)));
            }
            Shape::Counts { domain } => {
                for index in 0..domain.count {
                    for _ in 0..self.load(at(set) + index) {
                        self.charge_one()?;
                        members.push(domain.value(index));
                    }
                }
            }
            Shape::Pile { slot, .. } => {
                let pile = Pile::of(set);
                for index in 0..pile.len {
                    self.charge_one()?;
                    members.push(self.element(pile, index, *slot)?);
                }
            }
            Shape::Hashed { hashed } => {
                for index in self.in_order(set, *hashed) {
                    self.charge_one()?;
                    members.push(self.entry_hashed(set, index, *hashed)?);
                }
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => {}
        }
        Ok(members)
    }

    /// Visits the members of a collection; returns whether no visit stopped it.
    pub(crate) fn each_member(
        &mut self,
        set: i64,
        shape: &Shape,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        for member in self.members(set, shape)? {
            if !visit(self, member)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The index of a value in a set.
#[inline]
fn place(domain: Domain, value: i64) -> Result<usize, Stop> {
    let index = domain.index(value);
    if index < domain.count {
        Ok(index)
    } else {
        Err(outside(value))
    }
}

#[cold]
fn outside(value: i64) -> Stop {
    fault::rules(
        0,
        Trouble::Outside {
            value: value.to_string(),
            ty: "what this set can hold".into(),
        },
    )
}

/// Words up to this one are counted in an array.
const SMALL: u64 = 1 << 12;

/// The count of each word in the pile that was counted last.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pile: i64,
    epoch: u64,
    /// Whether all words are small.
    small: bool,
    counts: Vec<i64>,
}

impl Counted {
    fn count(&mut self, words: &[u64]) {
        self.counts.clear();
        let highest = words.iter().copied().max().unwrap_or(0);
        self.small = highest < SMALL;
        if !self.small {
            return;
        }
        let place = |word: u64| usize::try_from(word).unwrap_or(0);
        self.counts.resize(place(highest) + 1, 0);
        for word in words {
            self.counts[place(*word)] += 1;
        }
    }
}

impl Machine<'_> {
    /// How often a pile of words has a word. Counts all words of the pile at once, since a caller that counts one often
    /// counts each.
    #[inline]
    pub(super) fn count_words(&mut self, pile: i64, word: i64) -> i64 {
        if self.counted.pile != pile || self.counted.epoch != self.epoch {
            self.count_all_words(pile);
        }
        match usize::try_from(word) {
            Ok(place) if self.counted.small => self.counted.counts.get(place).copied().unwrap_or(0),
            _ => {
                let word = word.cast_unsigned();
                let words = self.words_of_pile(pile, 1).iter();
                handle(words.filter(|other| **other == word).count())
            }
        }
    }

    #[cold]
    fn count_all_words(&mut self, pile: i64) {
        let mut counted = std::mem::take(&mut self.counted);
        counted.pile = pile;
        counted.epoch = self.epoch;
        counted.count(self.words_of_pile(pile, 1));
        self.counted = counted;
    }
}
