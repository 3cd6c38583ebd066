//! What functions read and write: fields of the machine, words of memory, tables, and what is remembered.

use super::{
    availability::Available,
    body::{Body, Place},
};
use crate::mir::{Address, Cache, Condition, Field, Space, TableId, Value, Width};

impl Body<'_, '_> {
    /// A field of the machine.
    pub(super) fn field(&mut self, field: Field) -> Value {
        self.builder.get(field)
    }

    pub(super) fn store_field(&mut self, value: Value, field: Field) {
        self.builder.set(field, value);
    }

    /// A word of memory whose place is known.
    pub(super) fn load(&mut self, place: usize) -> Value {
        let at = Address::new(Space::Memory).words(place);
        self.load_at(at)
    }

    /// The same, of a word of which it may be known what it can be.
    pub(super) fn loaded(&mut self, place: u32) -> Value {
        if let Some(word) = self.availability.find(Available::Loaded(place)) {
            return word;
        }
        let word = self.load(place as usize);
        let bounds = self.bounds_of_word(place);
        self.as_typed(word, bounds)
    }

    /// Loads a word of fixed memory before a loop asks for it.
    pub(super) fn load_once(&mut self, place: u32) {
        let word = self.loaded(place);
        self.availability.learn(Available::Loaded(place), word);
    }

    pub(super) fn store(&mut self, place: usize, value: Value) {
        let at = Address::new(Space::Memory).words(place);
        self.store_at(value, at);
    }

    /// Fails unless so many words lie in memory from a handle on.
    fn fail_unless_words(&mut self, handle: Value, words: usize) {
        let there = self.field(Field::MemoryWords);
        let room = self.constant(i64::try_from(words).unwrap_or(0));
        if words > self.unit.compiled.fixed_words {
            // There may not be so many.
            let is_less = self.compare(Condition::Above, room, there);
            self.fail_if(is_less);
        }
        let last = self.sub(there, room);
        let beyond = self.compare(Condition::Above, handle, last);
        self.fail_if(beyond);
    }

    /// The address of so many words at a place, all of which lie in memory.
    pub(super) fn words(&mut self, place: Place, words: usize) -> Address {
        let memory = Address::new(Space::Memory);
        match place {
            Place::Fixed(place) => memory.words(place),
            Place::At(handle) => {
                if !self.availability.has_words(handle, words) {
                    self.fail_unless_words(handle, words);
                    // Memory never shrinks.
                    let known = Available::Words(handle, words);
                    self.availability.learn(known, handle);
                }
                memory.based(handle)
            }
        }
    }

    /// An address so many words on.
    pub(super) fn words_on(&mut self, at: Address, words: Value) -> Address {
        let base = match at.base() {
            Some(base) => self.add(base, words),
            None => words,
        };
        at.based(base)
    }

    pub(super) fn load_at(&mut self, at: Address) -> Value {
        self.builder.load(at, Width::Word)
    }

    pub(super) fn store_at(&mut self, value: Value, at: Address) {
        self.builder.store(value, at, Width::Word);
    }

    pub(super) fn load_byte(&mut self, at: Address) -> Value {
        self.builder.load(at, Width::Byte)
    }

    /// Four bytes, as a number of at least 0.
    pub(super) fn load_half(&mut self, at: Address) -> Value {
        self.builder.load(at, Width::Half)
    }

    pub(super) fn store_byte(&mut self, value: Value, at: Address) {
        self.builder.store(value, at, Width::Byte);
    }

    /// A word of a constant table, whose place has been compared with its length.
    pub(super) fn of_table(&mut self, table: TableId, index: Value) -> Value {
        self.load_at(Address::new(Space::Table(table)).based(index))
    }

    /// The same, of a table of row numbers or of short numbers.
    pub(super) fn of_narrow(&mut self, table: TableId, index: Value, width: Width) -> Value {
        let byte = self.shl_imm(index, 1);
        let at = Address::new(Space::Table(table)).indexed(byte);
        self.builder.load(at, width)
    }

    /// Forgets what is remembered at a place of a cache.
    pub(super) fn forget_cached(&mut self, cache: Cache, index: Value) {
        self.builder.forget(cache, index);
    }

    /// What is remembered in a cache, or else what is evaluated, by what remembers it too.
    pub(super) fn remembered(
        &mut self,
        cache: Cache,
        index: i64,
        anew: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let index = self.constant(index);
        self.remembered_at(cache, index, anew)
    }

    /// The same, where the place in the cache is calculated.
    pub(super) fn remembered_at(
        &mut self,
        cache: Cache,
        index: Value,
        anew: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (is_now, value) = self.builder.recall(cache, index);
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

    /// Remembers a value in a cache.
    pub(super) fn remember(&mut self, cache: Cache, index: Value, value: Value) {
        self.builder.remember(cache, index, value);
    }
}
