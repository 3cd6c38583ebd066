//! Entries of blocks, read and written.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types::I64X2};

use super::{
    Native,
    body::{Body, Place, field},
    calls::Callee,
    known::Known,
};
use crate::code::{Bounds, Code, Domain, NONE, Slot};

/// How many words are copied one by one.
pub(super) const FEW: usize = 16;

/// How many words are copied without a call.
pub(super) const COPIED: usize = 64;

/// What stands for none in a byte.
pub(super) const NO_BYTE: i64 = 255;

impl<'c> Body<'_, 'c> {
    /// Where the block begins that code gives.
    pub(super) fn place(&mut self, code: &'c Code) -> Place {
        match self.unit.compiled.constant(code).map(usize::try_from) {
            Some(Ok(place)) if place < self.unit.compiled.fixed_words => Place::Fixed(place),
            _ => Place::At(self.code(code)),
        }
    }

    pub(super) fn handle(&mut self, place: Place) -> Value {
        match place {
            Place::Fixed(place) => self.constant(Native::word(place)),
            Place::At(handle) => handle,
        }
    }

    /// The index of a value in a domain; [`Domain::count`] or more, read as unsigned, where it is none of its values.
    pub(super) fn index_in(&mut self, domain: Domain, value: Value) -> Value {
        let index = self.less_constant(value, domain.base);
        if domain.optional {
            let none = self.is_none(value);
            let last = Native::word(domain.count - 1);
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

    /// A value less a constant, without overflow.
    pub(super) fn less_constant(&mut self, value: Value, constant: i64) -> Value {
        if constant == 0 {
            return value;
        }
        self.plus(value, constant.wrapping_neg())
    }

    /// Whether an index is one of so many.
    pub(super) fn is_below(&mut self, index: Value, count: usize) -> Value {
        let count = self.constant(Native::word(count));
        self.compare(IntCC::UnsignedLessThan, index, count)
    }

    /// Gives up unless an index is one of so many.
    pub(super) fn fail_unless_below(&mut self, index: Value, count: usize) {
        let all = self.constant(Native::word(count));
        let beyond = self.compare(IntCC::UnsignedGreaterThanOrEqual, index, all);
        if self.constant_of(beyond) == Some(0) {
            return;
        }
        self.fail_if(beyond);
        let last = Native::word(count) - 1;
        self.knowledge.learn(Known::Within(index, 0, last), index);
    }

    /// The `index`-th of `count` values kept from a place on. The index is one of them.
    pub(super) fn read(&mut self, place: Place, index: Value, count: usize, slot: Slot) -> Value {
        self.read_as(place, index, count, slot, None)
    }

    /// The same, of values of which it may be known what they can be.
    pub(super) fn read_as(
        &mut self,
        place: Place,
        index: Value,
        count: usize,
        slot: Slot,
        bounds: Option<Bounds>,
    ) -> Value {
        let (address, offset) = self.words(place, slot.words(count));
        match slot {
            Slot::Byte { base } => {
                let address = self.builder.ins().iadd(address, index);
                let raw = self.load_byte(address, offset);
                self.ranged(raw, (0, NO_BYTE));
                let value = self.plus(raw, base);
                match bounds {
                    Some(bounds) if !bounds.optional => self.bounded(value, bounds),
                    Some(bounds) => {
                        let range = (bounds.least, bounds.greatest);
                        self.but_none(value, base + NO_BYTE, range)
                    }
                    None => self.but_none(value, base + NO_BYTE, (base, base + NO_BYTE - 1)),
                }
            }
            Slot::Word => {
                let byte = self.builder.ins().ishl_imm(index, 3);
                let address = self.builder.ins().iadd(address, byte);
                let word = self.load_at(address, offset);
                self.as_typed(word, bounds)
            }
            Slot::Block { words } => {
                let start = self.handle(place);
                let offset = self.builder.ins().imul_imm(index, Native::word(words));
                self.builder.ins().iadd(start, offset)
            }
            Slot::OptionalBlock { words } => {
                let stride = Native::word(words + 1);
                let skipped = self.builder.ins().imul_imm(index, stride);
                let bytes = self.builder.ins().ishl_imm(skipped, 3);
                let address = self.builder.ins().iadd(address, bytes);
                let there = self.load_at(address, offset);
                let start = self.handle(place);
                let start = self.builder.ins().iadd(start, skipped);
                let value = self.builder.ins().iadd_imm(start, 1);
                let nothing = self.none();
                self.select(there, value, nothing)
            }
        }
    }

    /// Sets the `index`-th of `count` values kept from a place on. The index is one of them.
    pub(super) fn write(
        &mut self,
        place: Place,
        index: Value,
        count: usize,
        slot: &'c Slot,
        value: Value,
    ) {
        let (address, offset) = self.words(place, slot.words(count));
        match *slot {
            Slot::Byte { base } => {
                let raw = self.less_constant(value, base);
                let none = self.is_none(value);
                let no_byte = self.constant(NO_BYTE);
                let raw = self.select(none, no_byte, raw);
                let address = self.builder.ins().iadd(address, index);
                self.store_byte(raw, address, offset);
            }
            Slot::Word => {
                let byte = self.builder.ins().ishl_imm(index, 3);
                let address = self.builder.ins().iadd(address, byte);
                self.store_at(value, address, offset);
            }
            Slot::Block { .. } | Slot::OptionalBlock { .. } => {
                let start = self.handle(place);
                let slot = self.address(slot);
                self.call(Callee::Write, &[start, index, slot, value]);
            }
        }
    }

    /// A new block of zeroes.
    pub(super) fn new_block(&mut self, words: usize) -> Value {
        if words > COPIED {
            let words = self.constant(Native::word(words));
            return self.call(Callee::Block, &[words]);
        }
        let (room, target) = self.room_for(words);
        let zero = self.constant(0);
        let zeroes = self.builder.ins().splat(I64X2, zero);
        let mut byte = 0;
        for _ in 0..words / 2 {
            self.store_pair(zeroes, target, byte);
            byte += 16;
        }
        if words % 2 == 1 {
            self.store_at(zero, target, byte);
        }
        room
    }

    /// Room for a block that is written in full at once: its handle and its address.
    fn room_for(&mut self, words: usize) -> (Value, Value) {
        let room = self.field(field!(top));
        let after = self.builder.ins().iadd_imm(room, Native::word(words));
        let (target, _) = self.words(Place::At(room), words);
        self.store_field(after, field!(top));
        (room, target)
    }

    /// A new block that is a copy of another.
    pub(super) fn copied(&mut self, from: Place, words: usize) -> Value {
        if words > COPIED {
            let (from, words) = (self.handle(from), self.constant(Native::word(words)));
            return self.call(Callee::Copy, &[from, words]);
        }
        let (room, target) = self.room_for(words);
        let source = self.words(from, words);
        self.copy_words(source, (target, 0), words);
        room
    }

    /// Copies words from one place to another, two at once; the places are the same or apart.
    pub(super) fn copy_words(&mut self, from: (Value, i32), to: (Value, i32), words: usize) {
        let mut byte = 0;
        for _ in 0..words / 2 {
            let pair = self.load_pair(from.0, from.1 + byte);
            self.store_pair(pair, to.0, to.1 + byte);
            byte += 16;
        }
        if words % 2 == 1 {
            let word = self.load_at(from.0, from.1 + byte);
            self.store_at(word, to.0, to.1 + byte);
        }
    }

    /// Whether a value is not none.
    pub(super) fn is_some(&mut self, value: Value) -> Value {
        let none = self.constant(NONE);
        self.compare(IntCC::NotEqual, value, none)
    }
}
