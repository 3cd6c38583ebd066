//! Interned piles, sets and bags: inside collections, one of several with equal content is kept, so that equal values
//! have equal words, by which they are hashed and compared.

use hashbrown::HashMap;

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{NONE, Shape, Slot},
    fault::{Fault, Stop},
};

/// Handles by the words of their content. They live until the next game.
#[derive(Debug, Default)]
pub(super) struct Interned {
    /// By the number of words of an element, and all words.
    piles: HashMap<(usize, Vec<u64>), i64, foldhash::fast::FixedState>,
    /// By the kind of set, and all words in ascending order.
    sets: HashMap<(usize, Vec<u64>), i64, foldhash::fast::FixedState>,
    words: usize,
}

impl Interned {
    pub(super) fn clear(&mut self) {
        self.piles.clear();
        self.sets.clear();
        self.words = 0;
    }

    /// All interned piles, in no order.
    pub(super) fn piles(&self) -> impl Iterator<Item = i64> {
        self.piles.values().copied()
    }

    /// All interned sets and bags, in no order.
    pub(super) fn sets(&self) -> impl Iterator<Item = i64> {
        self.sets.values().copied()
    }

    fn grow(&mut self, words: usize, most: usize) -> Result<(), Stop> {
        self.words += words;
        if self.words > most {
            return Err(Box::new(Fault::Memory));
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// The value with every pile and hashed set in it replaced by the interned one.
    pub(super) fn canonical(&mut self, value: i64, shape: &Shape) -> Result<i64, Stop> {
        if value == NONE || shape.is_flat() {
            return Ok(value);
        }
        match shape {
            Shape::Pile { slot, .. } => self.canonical_pile(value, slot.stride()),
            Shape::Hashed { hashed } => self.canonical_set(value, *hashed),
            Shape::Map {
                domain,
                slot,
                entry,
                words,
            } => {
                let start = self.copy(at(value), *words)?;
                for index in 0..domain.count {
                    self.canonical_entry(start, index, *slot, entry)?;
                }
                Ok(handle(start))
            }
            Shape::Record { parts, words } => {
                let start = self.copy(at(value), *words)?;
                for (offset, slot, part) in parts {
                    self.canonical_entry(start + offset, 0, *slot, part)?;
                }
                Ok(handle(start))
            }
            Shape::Scalar | Shape::Bits { .. } | Shape::Words { .. } | Shape::Counts { .. } => {
                Ok(value)
            }
        }
    }

    fn canonical_entry(
        &mut self,
        base: usize,
        index: usize,
        slot: Slot,
        shape: &Shape,
    ) -> Result<(), Stop> {
        let entry = self.read(base, index, slot);
        let kept = self.canonical(entry, shape)?;
        self.write(base, index, slot, kept);
        Ok(())
    }

    fn canonical_pile(&mut self, pile: i64, stride: usize) -> Result<i64, Stop> {
        let words = self.words_of_pile(pile, stride).to_vec();
        if words.is_empty() {
            return Ok(0);
        }
        let key = (stride, words);
        if let Some(kept) = self.interned.piles.get(&key) {
            return Ok(*kept);
        }
        let kept = self.pile_of(&key.1, stride)?;
        self.interned
            .grow(key.1.len(), self.compiled.limits.words_of_event())?;
        self.interned.piles.insert(key, kept);
        Ok(kept)
    }

    fn canonical_set(&mut self, set: i64, hashed: usize) -> Result<i64, Stop> {
        let words = self.words_in_order(set, hashed);
        if words.is_empty() {
            return Ok(0);
        }
        let key = (hashed, words);
        if let Some(kept) = self.interned.sets.get(&key) {
            return Ok(*kept);
        }
        let stride = self.compiled.hashed[hashed].slot.stride();
        let kept = self.hashed_of(&key.1, stride);
        self.interned
            .grow(key.1.len(), self.compiled.limits.words_of_event())?;
        self.interned.sets.insert(key, kept);
        Ok(kept)
    }
}
