//! The fields, memory spaces and caches of the machine that lowered functions read and write.

use super::{Machine, Memo, memory::at};
use crate::{
    fault::Fault,
    interpret::Host,
    mir::{Cache, Callee, Field, Function, FunctionId, Module, Space, Table},
    word::Input,
};

impl Machine<'_> {
    fn cache(&mut self, cache: Cache) -> &mut [Memo] {
        match cache {
            Cache::Facts => &mut self.facts,
            Cache::New => &mut self.new,
            Cache::Table => &mut self.table,
        }
    }
}

impl<'m, 'c: 'm> Host<'m> for Machine<'c> {
    fn get_field(&self, field: Field) -> i64 {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        match field {
            Field::Failed => self.places.failed.cast_signed(),
            Field::Fuel => self.fuel.cast_signed(),
            Field::Epoch => self.epoch.cast_signed(),
            Field::Top => count(self.top),
            Field::MemoryWords => count(self.memory.len()),
            Field::Event => count(self.event),
            Field::Events => self.events.cast_signed(),
            Field::GameNumber => self.game_number,
            Field::OutputLength => count(self.out.length),
            Field::OutputRoom => count(self.out.bytes.len()),
            Field::LineStart => count(self.line_start),
            Field::WordCount => count(self.window.count),
            Field::WordNext => count(self.window.next),
            Field::WordFirst => count(self.window.first),
            Field::WordRow => count(self.window.row),
            Field::WordValue => self.window.value,
            Field::PilesUsed => count(self.piles.used),
            Field::PilesThreshold => count(self.piles.threshold),
            Field::HashedUsed => count(self.hashed.used),
            Field::HashedThreshold => count(self.hashed.threshold),
            Field::TextsUsed => count(self.texts.used),
            Field::TextsThreshold => count(self.texts.threshold),
        }
    }

    fn set_field_to(&mut self, field: Field, value: i64) {
        match field {
            Field::Failed => self.places.failed = value.cast_unsigned(),
            Field::Fuel => self.fuel = value.cast_unsigned(),
            Field::Epoch => self.epoch = value.cast_unsigned(),
            Field::Top => self.top = at(value),
            Field::Event => self.event = at(value),
            Field::Events => self.events = value.cast_unsigned(),
            Field::GameNumber => self.game_number = value,
            Field::OutputLength => self.out.length = at(value),
            Field::LineStart => self.line_start = at(value),
            Field::WordNext => self.window.next = at(value),
            Field::WordFirst => self.window.first = at(value),
            Field::WordRow => self.window.row = at(value),
            Field::WordValue => self.window.value = value,
            Field::MemoryWords
            | Field::OutputRoom
            | Field::WordCount
            | Field::PilesUsed
            | Field::PilesThreshold
            | Field::HashedUsed
            | Field::HashedThreshold
            | Field::TextsUsed
            | Field::TextsThreshold => {}
        }
    }

    #[inline]
    fn word(&self, place: usize) -> i64 {
        self.memory[place / 8].cast_signed()
    }

    #[inline]
    fn space<'s>(&'s self, space: Space, module: &'s Module, input: Input<'s>) -> &'s [u8] {
        match space {
            Space::Memory => bytemuck::cast_slice(&self.memory),
            Space::Chosen => bytemuck::cast_slice(&self.chosen_fields),
            Space::Values => bytemuck::cast_slice(&self.partial.values),
            Space::Output => &self.out.bytes,
            Space::Words => bytemuck::cast_slice(input.words),
            Space::Text => input.text,
            Space::Table(table) => module.table(table).map_or(&[], Table::bytes),
        }
    }

    #[inline]
    fn space_mut(&mut self, space: Space) -> &mut [u8] {
        match space {
            Space::Memory => bytemuck::cast_slice_mut(&mut self.memory),
            Space::Chosen => bytemuck::cast_slice_mut(&mut self.chosen_fields),
            Space::Values => &mut self.partial.values,
            Space::Output => &mut self.out.bytes,
            Space::Words | Space::Text | Space::Table(_) => &mut [],
        }
    }

    fn copy_words(&mut self, from: usize, to: usize, words: usize) {
        self.memory.copy_within(from..from + words, to);
    }

    fn zero_words(&mut self, place: usize, words: usize) {
        self.memory[place..place + words].fill(0);
    }

    fn pile_word(&self, log: i64, place: i64) -> i64 {
        self.piles.word(at(log), at(place))
    }

    #[inline]
    fn recall(&mut self, cache: Cache, index: i64) -> (bool, i64) {
        let now = self.epoch;
        let memo = self.cache(cache)[at(index)];
        (memo.epoch == now, memo.value)
    }

    #[inline]
    fn remember(&mut self, cache: Cache, index: i64, value: i64) {
        let epoch = self.epoch;
        self.cache(cache)[at(index)] = Memo { epoch, value };
    }

    #[inline]
    fn forget_cached(&mut self, cache: Cache, index: i64) {
        self.cache(cache)[at(index)].epoch = 0;
    }

    fn short_word(&self, form: u32, key: i64) -> Option<i64> {
        let short = self.dictionaries.short(form as usize)?;
        short.find(key.cast_unsigned())
    }

    #[inline]
    fn charge(&mut self) -> bool {
        Machine::charge(self)
    }

    #[inline]
    fn runtime(
        &mut self,
        input: Input<'_>,
        callee: Callee,
        argument: impl FnMut(usize) -> i64,
    ) -> i64 {
        self.call_runtime(input, callee, argument)
    }

    fn lowered(&mut self, function: FunctionId) -> Option<&'m Function> {
        self.lowered_on_demand(function)
    }

    fn fail(&mut self, fault: Fault) {
        self.value_or_failed(Err(Box::new(fault)));
    }

    fn take_registers(&mut self) -> Vec<i64> {
        std::mem::take(&mut self.registers)
    }

    fn give_registers(&mut self, registers: Vec<i64>) {
        self.registers = registers;
    }
}

/// Offsets in the machine for native code.
#[cfg(feature = "native")]
pub(crate) mod offsets {
    use std::mem::offset_of;

    use super::{Cache, Field, Machine, Memo};

    /// An offset in bytes, which is small.
    fn small(offset: usize) -> i32 {
        i32::try_from(offset).expect("the machine has less than 2 GiB of its own")
    }

    macro_rules! machine {
        ($($field:ident).+) => {
            small(offset_of!(Machine<'static>, $($field).+))
        };
    }

    /// The offset of a field.
    pub(crate) fn field(field: Field) -> i32 {
        match field {
            Field::Failed => machine!(places.failed),
            Field::Fuel => machine!(fuel),
            Field::Epoch => machine!(epoch),
            Field::Top => machine!(top),
            Field::MemoryWords => machine!(places.words),
            Field::Event => machine!(event),
            Field::Events => machine!(events),
            Field::GameNumber => machine!(game_number),
            Field::OutputLength => machine!(out.length),
            Field::OutputRoom => machine!(places.room),
            Field::LineStart => machine!(line_start),
            Field::WordCount => machine!(window.count),
            Field::WordNext => machine!(window.next),
            Field::WordFirst => machine!(window.first),
            Field::WordRow => machine!(window.row),
            Field::WordValue => machine!(window.value),
            Field::PilesUsed => machine!(piles.used),
            Field::PilesThreshold => machine!(piles.threshold),
            Field::HashedUsed => machine!(hashed.used),
            Field::HashedThreshold => machine!(hashed.threshold),
            Field::TextsUsed => machine!(texts.used),
            Field::TextsThreshold => machine!(texts.threshold),
        }
    }

    /// The offset of the address of a cache.
    pub(crate) fn cache(cache: Cache) -> i32 {
        match cache {
            Cache::Facts => machine!(places.facts),
            Cache::New => machine!(places.new),
            Cache::Table => machine!(places.table),
        }
    }

    /// The size of a cache entry, and the offsets of its epoch and its value, in bytes.
    pub(crate) fn entry() -> (i64, i32, i32) {
        let size = i64::try_from(size_of::<Memo>()).expect("an entry is small");
        let epoch = small(offset_of!(Memo, epoch));
        (size, epoch, small(offset_of!(Memo, value)))
    }

    pub(crate) fn memory() -> i32 {
        machine!(places.memory)
    }

    pub(crate) fn chosen() -> i32 {
        machine!(places.chosen)
    }

    pub(crate) fn values() -> i32 {
        machine!(places.values)
    }

    pub(crate) fn output() -> i32 {
        machine!(places.said)
    }

    pub(crate) fn words() -> i32 {
        machine!(window.words)
    }

    pub(crate) fn text() -> i32 {
        machine!(window.text)
    }

    pub(crate) fn piles() -> i32 {
        machine!(places.piles)
    }

    pub(crate) fn dictionaries() -> i32 {
        machine!(places.tables)
    }
}
