//! Blocks of words: entries, copies, comparison.

use std::ops::Range;

use wide::u8x16;

use super::Machine;
use crate::{
    code::{NONE, Shape, Slot},
    fault::{Fault, Stop},
};

/// None, in a byte.
const NO_BYTE: u64 = 255;

/// A handle as an index into memory.
#[inline]
pub(super) fn at(handle: i64) -> usize {
    usize::try_from(handle).unwrap_or(0)
}

/// An index into memory as a handle.
#[inline]
pub(crate) fn handle(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(0)
}

/// The `index`-th of the values stored from `base` on.
#[inline]
pub(super) fn read(memory: &[u64], base: usize, index: usize, slot: Slot) -> i64 {
    match slot {
        Slot::Byte { base: least } => {
            let raw = (memory[base + index / 8] >> (index % 8 * 8)) & NO_BYTE;
            if raw == NO_BYTE {
                NONE
            } else {
                least + raw.cast_signed()
            }
        }
        Slot::Word => memory[base + index].cast_signed(),
        Slot::Block { words } => handle(base + index * words),
        Slot::OptionalBlock { words } => {
            let place = base + index * (words + 1);
            if memory[place] == 0 {
                NONE
            } else {
                handle(place + 1)
            }
        }
    }
}

impl Machine<'_> {
    /// Allocates a block of zeroes.
    #[inline]
    pub(super) fn block(&mut self, words: usize) -> Result<usize, Stop> {
        let start = self.top;
        self.grow(words)?;
        self.memory[start..start + words].fill(0);
        Ok(start)
    }

    /// Allocates a copy of a block.
    #[inline]
    pub(super) fn copy(&mut self, from: usize, words: usize) -> Result<usize, Stop> {
        let start = self.top;
        self.grow(words)?;
        self.memory.copy_within(from..from + words, start);
        Ok(start)
    }

    fn grow(&mut self, words: usize) -> Result<(), Stop> {
        self.top += words;
        if self.top > self.memory.len() {
            let most = self.compiled.limits.words_of_event();
            if self.top > most {
                return Err(Box::new(Fault::Memory));
            }
            self.memory
                .resize(self.top.next_power_of_two().min(most), 0);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn load(&self, place: usize) -> i64 {
        self.memory[place].cast_signed()
    }

    #[inline]
    pub(super) fn store(&mut self, place: usize, value: i64) {
        self.memory[place] = value.cast_unsigned();
    }

    /// Sets a field of the current event.
    #[inline]
    pub(crate) fn set_field(&mut self, field: usize, value: i64) {
        self.store(self.compiled.fields + field, value);
    }

    /// A field of the current event.
    #[inline]
    pub(super) fn field(&self, field: usize) -> i64 {
        self.load(self.compiled.fields + field)
    }

    /// The `index`-th of the values stored from `base` on.
    #[inline]
    pub(super) fn read(&self, base: usize, index: usize, slot: Slot) -> i64 {
        read(&self.memory, base, index, slot)
    }

    /// How many of the bytes in a range, counted from a word on, equal `byte`; nothing if the range is outside memory.
    pub(super) fn count_bytes(&self, base: usize, range: Range<usize>, byte: i64) -> Option<usize> {
        let words = self.memory.get(base..)?.get(..range.end.div_ceil(8))?;
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let byte = u8::try_from(byte).ok();
        let bytes = bytes.get(range)?;
        Some(byte.map_or(0, |byte| bytecount::count(bytes, byte)))
    }

    /// For at most 64 bytes in a range, counted from a word on: a bit for each byte that lies between two bounds.
    pub(super) fn entries_between(
        &self,
        base: usize,
        range: Range<usize>,
        least: i64,
        greatest: i64,
    ) -> Option<u64> {
        const AT_ONCE: usize = 16;
        let words = self.memory.get(base..)?.get(..range.end.div_ceil(8))?;
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let bytes = bytes.get(range)?;
        let (Ok(least), Ok(greatest)) = (u8::try_from(least), u8::try_from(greatest)) else {
            return Some(0);
        };
        let Some(span) = greatest.checked_sub(least) else {
            return Some(0);
        };
        let (least, span) = (u8x16::splat(least), u8x16::splat(span));
        let mask = |bytes: [u8; AT_ONCE]| {
            let above = u8x16::from(bytes) - least;
            u64::from(above.min(span).simd_eq(above).to_bitmask())
        };
        let (whole, rest) = bytes.as_chunks::<AT_ONCE>();
        let mut found = 0;
        for (place, bytes) in whole.iter().enumerate() {
            found |= mask(*bytes) << (AT_ONCE * place);
        }
        if !rest.is_empty() {
            let mut padded = [0; AT_ONCE];
            padded[..rest.len()].copy_from_slice(rest);
            let in_range = (1 << rest.len()) - 1;
            found |= (mask(padded) & in_range) << (AT_ONCE * whole.len());
        }
        Some(found)
    }

    /// Sets the `index`-th of the values stored from `base` on.
    #[inline]
    pub(super) fn write(&mut self, base: usize, index: usize, slot: Slot, value: i64) {
        match slot {
            Slot::Byte { base: least } => {
                let raw = if value == NONE {
                    NO_BYTE
                } else {
                    (value - least).cast_unsigned() & NO_BYTE
                };
                let shift = index % 8 * 8;
                let word = &mut self.memory[base + index / 8];
                *word = (*word & !(NO_BYTE << shift)) | (raw << shift);
            }
            Slot::Word => self.store(base + index, value),
            Slot::Block { words } => {
                self.memory
                    .copy_within(at(value)..at(value) + words, base + index * words);
            }
            Slot::OptionalBlock { words } => {
                let place = base + index * (words + 1);
                if value == NONE {
                    self.memory[place..=place + words].fill(0);
                } else {
                    self.memory[place] = 1;
                    self.memory
                        .copy_within(at(value)..at(value) + words, place + 1);
                }
            }
        }
    }

    /// Whether two values of a shape are the same.
    pub(super) fn same(&self, left: i64, right: i64, shape: &Shape) -> bool {
        if left == right {
            return true;
        }
        if left == NONE || right == NONE {
            return false;
        }
        match shape {
            Shape::Scalar | Shape::Bits { .. } => false,
            Shape::Words { words, .. } => self.same_words(left, right, *words),
            Shape::Counts { domain } => self.same_words(left, right, domain.count),
            Shape::Map {
                domain,
                slot,
                entry,
                words,
            } => {
                if shape.is_flat() {
                    return self.same_words(left, right, *words);
                }
                (0..domain.count).all(|index| {
                    let left = self.read(at(left), index, *slot);
                    let right = self.read(at(right), index, *slot);
                    self.same(left, right, entry)
                })
            }
            Shape::Record { parts, words } => {
                if shape.is_flat() {
                    return self.same_words(left, right, *words);
                }
                parts.iter().all(|(offset, slot, part)| {
                    let left = self.read(at(left) + offset, 0, *slot);
                    let right = self.read(at(right) + offset, 0, *slot);
                    self.same(left, right, part)
                })
            }
            Shape::Pile { slot, .. } => self.same_piles(left, right, slot.stride()),
            Shape::Hashed { hashed } => self.same_hashed(left, right, *hashed),
        }
    }

    pub(super) fn same_words(&self, left: i64, right: i64, words: usize) -> bool {
        let (left, right) = (at(left), at(right));
        self.memory[left..left + words] == self.memory[right..right + words]
    }
}
