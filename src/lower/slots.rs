//! Reads and writes of entries of blocks.

use super::{
    availability::Available,
    body::{Body, Place},
    word,
};
use crate::code::{Bounds, Code, Domain, NONE, Slot};
use crate::mir::{Address, Callee, Condition, Field, Object, Value};

/// At most this many words are copied one by one.
pub(super) const FEW: usize = 16;

/// At most this many words are copied without a call.
pub(super) const COPIED: usize = 64;

/// None, in a byte.
pub(super) const NO_BYTE: i64 = 255;

impl<'c> Body<'_, 'c> {
    /// The place of the block that code evaluates to.
    pub(super) fn place(&mut self, code: &'c Code) -> Place {
        match self.unit.compiled.constant(code).map(usize::try_from) {
            Some(Ok(place)) if place < self.unit.compiled.fixed_words => Place::Fixed(place),
            _ => Place::At(self.code(code)),
        }
    }

    pub(super) fn handle(&mut self, place: Place) -> Value {
        match place {
            Place::Fixed(place) => self.constant(word(place)),
            Place::At(handle) => handle,
        }
    }

    /// The index of a value in a domain; [`Domain::count`] or more, read as unsigned, if it is outside.
    pub(super) fn index_in(&mut self, domain: Domain, value: Value) -> Value {
        let index = self.less_constant(value, domain.base);
        if domain.optional {
            let none = self.is_none(value);
            let last = word(domain.count - 1);
            let end = self.constant(last);
            let place = self.select(none, end, index);
            let bounds = Bounds::of(domain).filter(|bounds| {
                let known = self.bounds_of(value);
                known.is_some_and(|known| {
                    known.least >= bounds.least && known.greatest <= bounds.greatest
                })
            });
            if bounds.is_some() && self.constant_of(place).is_none() {
                self.ranged(place, (0, last));
            }
            return place;
        }
        index
    }

    /// A value minus a constant, without overflow.
    pub(super) fn less_constant(&mut self, value: Value, constant: i64) -> Value {
        if constant == 0 {
            return value;
        }
        self.plus(value, constant.wrapping_neg())
    }

    /// Whether an index is below `count`.
    pub(super) fn is_below(&mut self, index: Value, count: usize) -> Value {
        let count = self.constant(word(count));
        self.compare(Condition::Below, index, count)
    }

    /// Fails unless an index is below `count`.
    pub(super) fn fail_unless_below(&mut self, index: Value, count: usize) {
        let all = self.constant(word(count));
        let beyond = self.compare(Condition::AboveOrEqual, index, all);
        if self.constant_of(beyond) == Some(0) {
            return;
        }
        self.fail_if(beyond);
        let last = word(count) - 1;
        self.availability
            .learn(Available::Within(index, 0, last), index);
    }

    /// The `index`-th of `count` values from a place on. The index must be below `count`.
    pub(super) fn read(&mut self, place: Place, index: Value, count: usize, slot: Slot) -> Value {
        self.read_as(place, index, count, slot, None)
    }

    /// The same, for values with known bounds.
    pub(super) fn read_as(
        &mut self,
        place: Place,
        index: Value,
        count: usize,
        slot: Slot,
        bounds: Option<Bounds>,
    ) -> Value {
        let at = self.words(place, slot.words(count));
        match slot {
            Slot::Byte { base } => {
                let raw = self.load_byte(at.indexed(index));
                self.ranged(raw, (0, NO_BYTE));
                let value = self.plus(raw, base);
                match bounds {
                    Some(bounds) if !bounds.optional => self.bounded(value, bounds),
                    Some(bounds) => {
                        let range = (bounds.least, bounds.greatest);
                        self.with_none(value, base + NO_BYTE, range)
                    }
                    None => self.with_none(value, base + NO_BYTE, (base, base + NO_BYTE - 1)),
                }
            }
            Slot::Word => {
                let at = self.words_on(at, index);
                let word = self.load_at(at);
                self.as_typed(word, bounds)
            }
            Slot::Block { words } => {
                let start = self.handle(place);
                let offset = self.mul_imm(index, word(words));
                self.add(start, offset)
            }
            Slot::OptionalBlock { words } => {
                let stride = word(words + 1);
                let skipped = self.mul_imm(index, stride);
                let at = self.words_on(at, skipped);
                let is_some = self.load_at(at);
                let start = self.handle(place);
                let start = self.add(start, skipped);
                let value = self.add_imm(start, 1);
                let nothing = self.none();
                self.select(is_some, value, nothing)
            }
        }
    }

    /// Sets the `index`-th of `count` values from a place on. The index must be below `count`.
    pub(super) fn write(
        &mut self,
        place: Place,
        index: Value,
        count: usize,
        slot: &'c Slot,
        value: Value,
    ) {
        let at = self.words(place, slot.words(count));
        match *slot {
            Slot::Byte { base } => {
                let raw = self.less_constant(value, base);
                let none = self.is_none(value);
                let no_byte = self.constant(NO_BYTE);
                let raw = self.select(none, no_byte, raw);
                self.store_byte(raw, at.indexed(index));
            }
            Slot::Word => {
                let at = self.words_on(at, index);
                self.store_at(value, at);
            }
            Slot::Block { .. } | Slot::OptionalBlock { .. } => {
                let start = self.handle(place);
                let slot = self.object(slot, || Object::Slot(*slot));
                self.call(Callee::Write, &[start, index, slot, value]);
            }
        }
    }

    /// Allocates a block of zeroes.
    pub(super) fn new_block(&mut self, words: usize) -> Value {
        if words > COPIED || self.unit.is_exact {
            let words = self.constant(word(words));
            return self.call(Callee::Block, &[words]);
        }
        let (room, target) = self.room_for(words);
        self.builder.zero_words(target, words);
        room
    }

    /// Allocates a block that is completely written next: its handle and its address.
    fn room_for(&mut self, words: usize) -> (Value, Address) {
        let room = self.field(Field::Top);
        let after = self.add_imm(room, word(words));
        let target = self.words(Place::At(room), words);
        self.store_field(after, Field::Top);
        (room, target)
    }

    /// Allocates a copy of a block.
    pub(super) fn copied(&mut self, from: Place, words: usize) -> Value {
        if words > COPIED || self.unit.is_exact {
            let (from, words) = (self.handle(from), self.constant(word(words)));
            return self.call(Callee::Copy, &[from, words]);
        }
        let (room, target) = self.room_for(words);
        let source = self.words(from, words);
        self.copy_words(source, target, words);
        room
    }

    /// Copies words between two addresses, which are equal or do not overlap.
    pub(super) fn copy_words(&mut self, from: Address, to: Address, words: usize) {
        self.builder.copy_words(from, to, words);
    }

    pub(super) fn is_some(&mut self, value: Value) -> Value {
        let none = self.constant(NONE);
        self.compare(Condition::NotEqual, value, none)
    }
}
