//! What machine code reads and writes: fields of the machine, words of memory, tables, and what is remembered.

use std::mem::offset_of;

use cranelift_codegen::ir::{
    AliasRegion, InstBuilder, MemFlags, Value,
    condcodes::IntCC,
    types::{I8, I16, I64, I64X2},
};

use super::{
    body::{Body, Place, field},
    known::Known,
};
use crate::machine::Memo;

impl<'c> Body<'_, 'c> {
    fn machine_flags() -> MemFlags {
        MemFlags::trusted().with_alias_region(Some(AliasRegion::Vmctx))
    }

    fn memory_flags() -> MemFlags {
        MemFlags::trusted()
    }

    fn table_flags() -> MemFlags {
        MemFlags::trusted().with_alias_region(Some(AliasRegion::Table))
    }

    /// A field of the machine.
    pub(super) fn field(&mut self, offset: i32) -> Value {
        self.builder
            .ins()
            .load(I64, Self::machine_flags(), self.machine, offset)
    }

    pub(super) fn store_field(&mut self, value: Value, offset: i32) {
        self.builder
            .ins()
            .store(Self::machine_flags(), value, self.machine, offset);
    }

    /// A word of memory whose place is known.
    pub(super) fn load(&mut self, place: usize) -> Value {
        let memory = self.field(field!(places.memory));
        self.builder
            .ins()
            .load(I64, Self::memory_flags(), memory, bytes(place))
    }

    /// The same, of a word of which it may be known what it can be.
    pub(super) fn loaded(&mut self, place: u32) -> Value {
        if let Some(word) = self.knowledge.find(Known::Loaded(place)) {
            return word;
        }
        let word = self.load(place as usize);
        let bounds = self.bounds_of_word(place);
        self.as_typed(word, bounds)
    }

    /// Loads a word of fixed memory before a loop asks for it.
    pub(super) fn load_once(&mut self, place: u32) {
        let word = self.loaded(place);
        self.knowledge.learn(Known::Loaded(place), word);
    }

    pub(super) fn store(&mut self, place: usize, value: Value) {
        let memory = self.field(field!(places.memory));
        self.builder
            .ins()
            .store(Self::memory_flags(), value, memory, bytes(place));
    }

    /// Gives up unless so many words lie in memory from a handle on.
    fn fail_unless_words(&mut self, handle: Value, words: usize) {
        if words > self.unit.compiled.fixed_words {
            // There may not be so many.
            self.fail();
        }
        let there = self.field(field!(places.words));
        let room = self.constant(i64::try_from(words).unwrap_or(0));
        let last = self.builder.ins().isub(there, room);
        let beyond = self.compare(IntCC::UnsignedGreaterThan, handle, last);
        self.fail_if(beyond);
    }

    /// The address of so many words at a place, all of which lie in memory.
    pub(super) fn words(&mut self, place: Place, words: usize) -> (Value, i32) {
        let memory = self.field(field!(places.memory));
        match place {
            Place::Fixed(place) => (memory, bytes(place)),
            Place::At(handle) => {
                if !self.knowledge.has_words(handle, words) {
                    self.fail_unless_words(handle, words);
                    // Memory never shrinks.
                    let known = Known::Words(handle, words);
                    self.knowledge.learn(known, handle);
                }
                let offset = self.builder.ins().ishl_imm(handle, 3);
                (self.builder.ins().iadd(memory, offset), 0)
            }
        }
    }

    pub(super) fn load_at(&mut self, address: Value, offset: i32) -> Value {
        self.builder
            .ins()
            .load(I64, Self::memory_flags(), address, offset)
    }

    pub(super) fn store_at(&mut self, value: Value, address: Value, offset: i32) {
        self.builder
            .ins()
            .store(Self::memory_flags(), value, address, offset);
    }

    /// Two words of memory at once, which may lie anywhere.
    pub(super) fn load_pair(&mut self, address: Value, offset: i32) -> Value {
        let flags = MemFlags::new().with_notrap();
        self.builder.ins().load(I64X2, flags, address, offset)
    }

    pub(super) fn store_pair(&mut self, pair: Value, address: Value, offset: i32) {
        let flags = MemFlags::new().with_notrap();
        self.builder.ins().store(flags, pair, address, offset);
    }

    /// Half a word of memory.
    pub(super) fn load_half(&mut self, address: Value, offset: i32) -> Value {
        self.builder
            .ins()
            .uload32(Self::memory_flags(), address, offset)
    }

    /// A byte of memory.
    pub(super) fn load_byte(&mut self, address: Value, offset: i32) -> Value {
        self.builder
            .ins()
            .uload8(I64, Self::memory_flags(), address, offset)
    }

    pub(super) fn store_byte(&mut self, value: Value, address: Value, offset: i32) {
        let byte = self.builder.ins().ireduce(I8, value);
        self.builder
            .ins()
            .store(Self::memory_flags(), byte, address, offset);
    }

    /// A word of a table that is known beforehand.
    pub(super) fn load_known(&mut self, address: Value, offset: i32) -> Value {
        let flags = MemFlags::trusted().with_readonly();
        self.builder.ins().load(I64, flags, address, offset)
    }

    /// Two bytes of a table that is known beforehand, as a number that may be less than 0.
    pub(super) fn load_short(&mut self, address: Value) -> Value {
        let flags = MemFlags::trusted().with_readonly();
        self.builder.ins().sload16(I64, flags, address, 0)
    }

    /// A word of a table that is known beforehand, whose place has been compared with its length.
    pub(super) fn of_table(&mut self, table: &'c [i64], index: Value) -> Value {
        let address = self.address(table);
        let offset = self.builder.ins().ishl_imm(index, 3);
        let address = self.builder.ins().iadd(address, offset);
        self.load_known(address, 0)
    }

    /// A word of a table whose address is known.
    pub(super) fn load_constant(&mut self, address: Value) -> Value {
        let flags = MemFlags::trusted().with_readonly();
        self.builder.ins().load(I64, flags, address, 0)
    }

    /// As [`Body::of_table`], for a table of row numbers.
    pub(super) fn of_rows(&mut self, table: &'c [u16], index: Value) -> Value {
        let address = std::ptr::from_ref(table).cast::<u8>().expose_provenance();
        self.row_at(i64::try_from(address).unwrap_or(0), index)
    }

    /// The row number at a place of a table whose address is known.
    pub(super) fn row_at(&mut self, table: i64, index: Value) -> Value {
        let address = self.constant(table);
        let offset = self.builder.ins().ishl_imm(index, 1);
        let address = self.builder.ins().iadd(address, offset);
        let flags = MemFlags::trusted().with_readonly();
        let row = self.builder.ins().load(I16, flags, address, 0);
        self.builder.ins().uextend(I64, row)
    }

    /// What is remembered in an array whose address is in a field of the machine: whether it is of now, and the value.
    pub(super) fn memo(&mut self, array: i32, index: Value) -> (Value, Value) {
        let array = self.field(array);
        let offset = self.builder.ins().imul_imm(index, size_of_memo());
        let address = self.builder.ins().iadd(array, offset);
        let stamp = self.builder.ins().load(
            I64,
            Self::table_flags(),
            address,
            memo_offset(offset_of!(Memo, stamp)),
        );
        let now = self.field(field!(stamp));
        let is_now = self.compare(IntCC::Equal, stamp, now);
        let value = self.builder.ins().load(
            I64,
            Self::table_flags(),
            address,
            memo_offset(offset_of!(Memo, value)),
        );
        (is_now, value)
    }

    /// Forgets what is remembered in an array whose address is in a field of the machine.
    pub(super) fn forget_memo(&mut self, array: i32, index: Value) {
        let array = self.field(array);
        let offset = self.builder.ins().imul_imm(index, size_of_memo());
        let address = self.builder.ins().iadd(array, offset);
        let never = self.constant(0);
        let place = memo_offset(offset_of!(Memo, stamp));
        self.builder
            .ins()
            .store(Self::table_flags(), never, address, place);
    }

    /// What is remembered in an array, or else what is worked out, by what remembers it too.
    pub(super) fn remembered(
        &mut self,
        array: i32,
        index: i64,
        anew: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let index = self.constant(index);
        self.remembered_at(array, index, anew)
    }

    /// The same, where the place in the array is worked out.
    pub(super) fn remembered_at(
        &mut self,
        array: i32,
        index: Value,
        anew: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (is_now, value) = self.memo(array, index);
        let result = self.variable(value);
        let (unknown, done) = (self.block(), self.block());
        self.branch(is_now, done, unknown);
        self.begin(unknown);
        let value = anew(self);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    /// Remembers a value at the address of a memo.
    pub(super) fn remember(&mut self, array: i32, index: Value, value: Value) {
        let array = self.field(array);
        let offset = self.builder.ins().imul_imm(index, size_of_memo());
        let address = self.builder.ins().iadd(array, offset);
        let now = self.field(field!(stamp));
        for (stored, place) in [
            (now, offset_of!(Memo, stamp)),
            (value, offset_of!(Memo, value)),
        ] {
            self.builder
                .ins()
                .store(Self::table_flags(), stored, address, memo_offset(place));
        }
    }
}

/// A place in memory in bytes.
fn bytes(words: usize) -> i32 {
    i32::try_from(words * 8).unwrap_or(i32::MAX)
}

fn size_of_memo() -> i64 {
    i64::try_from(size_of::<Memo>()).unwrap_or(0)
}

fn memo_offset(offset: usize) -> i32 {
    i32::try_from(offset).unwrap_or(0)
}
