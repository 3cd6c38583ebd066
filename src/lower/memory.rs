//! Access to fields of the machine, words of memory, tables, and caches.

use super::{
    availability::Available,
    body::{Body, Place},
};
use crate::mir::{Address, Cache, Condition, Field, Space, TableId, Value, Width};

impl Body<'_, '_> {
    pub(super) fn field(&mut self, field: Field) -> Value {
        self.builder.get(field)
    }

    pub(super) fn store_field(&mut self, value: Value, field: Field) {
        self.builder.set(field, value);
    }

    /// A word of memory at a constant offset.
    pub(super) fn load(&mut self, place: usize) -> Value {
        let at = Address::new(Space::Memory).words(place);
        self.load_at(at)
    }

    /// The same, with the bounds that are known for that word.
    pub(super) fn loaded(&mut self, place: u32) -> Value {
        if let Some(word) = self.availability.find(Available::Loaded(place)) {
            return word;
        }
        let word = self.load(place as usize);
        let bounds = self.bounds_of_word(place);
        self.as_typed(word, bounds)
    }

    /// Loads a word of fixed memory before a loop needs it.
    pub(super) fn load_once(&mut self, place: u32) {
        let word = self.loaded(place);
        self.availability.learn(Available::Loaded(place), word);
    }

    pub(super) fn store(&mut self, place: usize, value: Value) {
        let at = Address::new(Space::Memory).words(place);
        self.store_at(value, at);
    }

    /// Fails unless a handle is followed by this many words of memory.
    fn fail_unless_words(&mut self, handle: Value, words: usize) {
        let length = self.field(Field::MemoryWords);
        let room = self.constant(i64::try_from(words).unwrap_or(0));
        if words > self.unit.compiled.fixed_words {
            // Memory may be smaller than the block.
            let is_less = self.compare(Condition::Above, room, length);
            self.fail_if(is_less);
        }
        let last = self.sub(length, room);
        let beyond = self.compare(Condition::Above, handle, last);
        self.fail_if(beyond);
    }

    /// The address of `words` words at a place, all of which are in memory.
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

    /// An address advanced by a number of words.
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

    /// Four bytes, zero-extended.
    pub(super) fn load_half(&mut self, at: Address) -> Value {
        self.builder.load(at, Width::Half)
    }

    pub(super) fn store_byte(&mut self, value: Value, at: Address) {
        self.builder.store(value, at, Width::Byte);
    }

    /// A word of a constant table. The index must be below its length.
    pub(super) fn of_table(&mut self, table: TableId, index: Value) -> Value {
        self.load_at(Address::new(Space::Table(table)).based(index))
    }

    /// The same, for a table of narrower words.
    pub(super) fn of_narrow(&mut self, table: TableId, index: Value, width: Width) -> Value {
        let byte = self.shl_imm(index, 1);
        let at = Address::new(Space::Table(table)).indexed(byte);
        self.builder.load(at, width)
    }

    /// Drops an entry of a cache.
    pub(super) fn forget_cached(&mut self, cache: Cache, index: Value) {
        self.builder.forget(cache, index);
    }

    /// The value from a cache, or else from `evaluate`, which must cache it.
    pub(super) fn cached(
        &mut self,
        cache: Cache,
        index: i64,
        evaluate: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let index = self.constant(index);
        self.cached_at(cache, index, evaluate)
    }

    /// The same, for a calculated index in the cache.
    pub(super) fn cached_at(
        &mut self,
        cache: Cache,
        index: Value,
        evaluate: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (is_now, value) = self.builder.recall(cache, index);
        let result = self.variable(value);
        let (unknown, done) = (self.block(), self.block());
        self.branch(is_now, done, unknown);
        self.begin(unknown);
        let value = evaluate(self);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    /// Stores a value in a cache.
    pub(super) fn remember(&mut self, cache: Cache, index: Value, value: Value) {
        self.builder.remember(cache, index, value);
    }
}
