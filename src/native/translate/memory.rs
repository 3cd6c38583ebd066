//! Access to memory: fields of the machine, spaces, caches, piles and dictionaries.

use cranelift_codegen::ir::{
    self, AliasRegion, InstBuilder, MemFlags,
    condcodes::IntCC,
    types::{I8, I16, I32, I64, I64X2},
};
use std::mem::offset_of;

use super::Translator;
use crate::{
    machine::{Entry, MULTIPLIER, Table, offsets},
    mir::{self, Address, Cache, Space, Value, Width},
};

impl Translator<'_> {
    pub(super) fn machine_word(&mut self, offset: i32) -> ir::Value {
        let flags = MemFlags::trusted().with_alias_region(Some(AliasRegion::Vmctx));
        self.builder.ins().load(I64, flags, self.machine, offset)
    }

    pub(super) fn set_machine_word(&mut self, value: ir::Value, offset: i32) {
        let flags = MemFlags::trusted().with_alias_region(Some(AliasRegion::Vmctx));
        self.builder.ins().store(flags, value, self.machine, offset);
    }

    /// The address and offset of a place, and the flags of its accesses.
    fn address(&mut self, at: &Address) -> (ir::Value, i32, MemFlags) {
        let (mut address, flags) = match at.space {
            Space::Table(table) => {
                let bytes = self.module.table(table).map_or(&[][..], mir::Table::bytes);
                let address = bytes.as_ptr().expose_provenance().cast_signed() as i64;
                let flags = MemFlags::trusted().with_readonly();
                (self.builder.ins().iconst(I64, address), flags)
            }
            space => {
                let offset = match space {
                    Space::Memory => offsets::memory(),
                    Space::Chosen => offsets::chosen(),
                    Space::Values => offsets::values(),
                    Space::Output => offsets::output(),
                    Space::Words => offsets::words(),
                    Space::Text | Space::Table(_) => offsets::text(),
                };
                (self.machine_word(offset), MemFlags::trusted())
            }
        };
        if let Some(base) = at.base() {
            let base = self.get(base);
            let bytes = self.builder.ins().ishl_imm(base, 3);
            address = self.builder.ins().iadd(address, bytes);
        }
        if let Some(index) = at.index() {
            let index = self.get(index);
            address = self.builder.ins().iadd(address, index);
        }
        (address, at.offset, flags)
    }

    pub(super) fn load(&mut self, at: &Address, width: Width) -> ir::Value {
        let (address, offset, flags) = self.address(at);
        let ins = self.builder.ins();
        match width {
            Width::Byte => ins.uload8(I64, flags, address, offset),
            Width::Row => {
                let row = ins.load(I16, flags, address, offset);
                self.builder.ins().uextend(I64, row)
            }
            Width::Short => ins.sload16(I64, flags, address, offset),
            Width::Half => ins.uload32(flags, address, offset),
            Width::Word => ins.load(I64, flags, address, offset),
        }
    }

    pub(super) fn store(&mut self, value: ir::Value, at: &Address, width: Width) {
        let (address, offset, flags) = self.address(at);
        let value = match width {
            Width::Byte => self.builder.ins().ireduce(I8, value),
            Width::Row | Width::Short => self.builder.ins().ireduce(I16, value),
            Width::Half => self.builder.ins().ireduce(I32, value),
            Width::Word => value,
        };
        self.builder.ins().store(flags, value, address, offset);
    }

    /// Copies words, two at a time.
    pub(super) fn copy_words(&mut self, from: &Address, to: &Address, words: u32) {
        let pairs = MemFlags::new().with_notrap();
        let (from, from_offset, flags) = self.address(from);
        let (to, to_offset, _) = self.address(to);
        for (byte, width) in pieces(words) {
            let flags = if width == I64 { flags } else { pairs };
            let ins = self.builder.ins();
            let word = ins.load(width, flags, from, from_offset + byte);
            self.builder.ins().store(flags, word, to, to_offset + byte);
        }
    }

    pub(super) fn zero_words(&mut self, at: &Address, words: u32) {
        let pairs = MemFlags::new().with_notrap();
        let (to, offset, flags) = self.address(at);
        let zero = self.builder.ins().iconst(I64, 0);
        let zeroes = self.builder.ins().splat(I64X2, zero);
        for (byte, width) in pieces(words) {
            let (value, flags) = if width == I64 {
                (zero, flags)
            } else {
                (zeroes, pairs)
            };
            self.builder.ins().store(flags, value, to, offset + byte);
        }
    }

    /// The address of an entry of a cache.
    pub(super) fn entry(&mut self, cache: Cache, index: Value) -> ir::Value {
        let (size, ..) = offsets::entry();
        let cache = self.machine_word(offsets::cache(cache));
        let index = self.get(index);
        let offset = self.builder.ins().imul_imm(index, size);
        self.builder.ins().iadd(cache, offset)
    }

    /// The word at an index from an address.
    pub(super) fn word_of(&mut self, words: ir::Value, place: ir::Value) -> ir::Value {
        let offset = self.builder.ins().ishl_imm(place, 3);
        let address = self.builder.ins().iadd(words, offset);
        let flags = MemFlags::trusted();
        self.builder.ins().load(I64, flags, address, 0)
    }

    /// Probes for a short word from the slot of its hash on, until it or a free slot is found.
    pub(super) fn lookup(&mut self, form: u32, key: ir::Value) -> (ir::Value, ir::Value) {
        let flags = MemFlags::trusted();
        let tables = self.machine_word(offsets::dictionaries());
        let table = |field: usize| bytes(form as usize * size_of::<Table>() + field);
        let mut of_table = |field: usize| self.builder.ins().load(I64, flags, tables, table(field));
        let entries = of_table(offset_of!(Table, entries));
        let shift = of_table(offset_of!(Table, shift));
        let last = of_table(offset_of!(Table, last));
        let multiplier = self.builder.ins().iconst(I64, MULTIPLIER.cast_signed());
        let hash = self.builder.ins().imul(key, multiplier);
        let hash = self.builder.ins().ushr(hash, shift);
        let place = self.builder.declare_var(I64);
        self.builder.def_var(place, hash);
        let [head, other, next, done] = [(); 4].map(|()| self.builder.create_block());
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        let at = self.builder.use_var(place);
        let size = i64::from(bytes(size_of::<Entry>()));
        let offset = self.builder.ins().imul_imm(at, size);
        let entry = self.builder.ins().iadd(entries, offset);
        let ins = self.builder.ins();
        let stored = ins.load(I64, flags, entry, bytes(offset_of!(Entry, key)));
        let same = self.builder.ins().icmp(IntCC::Equal, stored, key);
        let is_found = self.builder.ins().uextend(I64, same);
        self.builder.ins().brif(same, done, &[], other, &[]);
        self.builder.switch_to_block(other);
        self.builder.ins().brif(stored, next, &[], done, &[]);
        self.builder.switch_to_block(next);
        let following = self.builder.ins().iadd_imm(at, 1);
        let following = self.builder.ins().band(following, last);
        self.builder.def_var(place, following);
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(done);
        let ins = self.builder.ins();
        let value = ins.load(I64, flags, entry, bytes(offset_of!(Entry, value)));
        (is_found, value)
    }
}

fn bytes(offset: usize) -> i32 {
    i32::try_from(offset).unwrap_or(i32::MAX)
}

/// Splits words into pairs and maybe a last single one: the offset of each piece in bytes, and its type.
fn pieces(words: u32) -> impl Iterator<Item = (i32, ir::Type)> {
    let count = i32::try_from(words).unwrap_or(0);
    let pairs = (0..count / 2).map(|pair| (pair * 16, I64X2));
    pairs.chain((count % 2 == 1).then_some((count / 2 * 16, I64)))
}

/// The flags of accesses to cache entries.
pub(super) fn cached() -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(AliasRegion::Table))
}
