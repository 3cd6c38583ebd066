//! Builds collections, records and whole maps.

use super::{
    body::{Body, Place},
    slots::COPIED,
    word,
};
use crate::code::{Code, Domain, Remap, Shape, Slot, Tabulate, UnionRow};
use crate::mir::{Callee, Object, Value, Variable};

/// A collection that is being built.
#[derive(Debug, Clone, Copy)]
pub(super) enum Made<'c> {
    /// A small set.
    Bits(Variable, Domain),
    /// A larger set, or a bag, that is a block.
    Block(Value, &'c Shape),
    Hashed(Variable, usize),
    /// A pile, by its log.
    Pile(Value, &'c Slot, &'c Shape),
}

impl<'c> Body<'_, 'c> {
    /// The value of an expression that builds a collection, a record or a text.
    pub(super) fn build(&mut self, code: &'c Code) -> Value {
        match code {
            Code::Gather { source, shape } => {
                let made = self.begin_empty(shape);
                self.each(source, &mut |body, value| body.insert(made, value));
                self.end(made)
            }
            Code::Collect { items, shape } => {
                let made = self.begin_empty(shape);
                for item in items {
                    let value = self.code(item);
                    let is_some = self.is_some(value);
                    self.if_nonzero(is_some, &mut |body| body.insert(made, value));
                }
                self.end(made)
            }
            Code::With { set, source, shape } => {
                let made = self.begin_with(set, shape);
                self.each(source, &mut |body, value| body.insert(made, value));
                self.end(made)
            }
            Code::Without { set, source, shape } => {
                let made = self.begin_with(set, shape);
                self.each(source, &mut |body, value| body.take_away(made, value));
                self.end(made)
            }
            Code::Union(rows, shape) => {
                let made = self.begin_empty(shape);
                for row in rows {
                    self.run_row(&row.row, &mut |body| body.unite(made, row));
                }
                self.end(made)
            }
            Code::Record { parts, words } => self.record(parts, *words),
            Code::Text(text) => self.build_text(text),
            other => unreachable!("nothing is made: {other:?}"),
        }
    }

    /// A record from its parts.
    fn record(&mut self, parts: &'c [(usize, Slot, Code)], words: usize) -> Value {
        let values: Vec<_> = parts.iter().map(|(_, _, part)| self.code(part)).collect();
        let record = self.new_block(words);
        let first = self.constant(0);
        for ((offset, slot, _), value) in parts.iter().zip(values) {
            let at = self.add_imm(record, word(*offset));
            match slot {
                Slot::Block { words } if *words <= COPIED => {
                    let from = self.words(Place::At(value), *words);
                    let to = self.words(Place::At(at), *words);
                    self.copy_words(from, to, *words);
                }
                _ => self.write(Place::At(at), first, 1, slot, value),
            }
        }
        record
    }

    /// Begins an empty collection.
    pub(super) fn begin_empty(&mut self, shape: &'c Shape) -> Made<'c> {
        let zero = self.constant(0);
        match shape {
            Shape::Bits { domain } => Made::Bits(self.variable(zero), *domain),
            Shape::Hashed { hashed } => Made::Hashed(self.variable(zero), *hashed),
            Shape::Pile { slot, element } => {
                Made::Pile(self.call(Callee::BeginPile, &[]), slot, element)
            }
            _ => Made::Block(self.new_block(shape.block().unwrap_or(0)), shape),
        }
    }

    /// Begins a copy of a collection.
    fn begin_with(&mut self, set: &'c Code, shape: &'c Shape) -> Made<'c> {
        match shape {
            Shape::Bits { domain } => {
                let set = self.code(set);
                Made::Bits(self.variable(set), *domain)
            }
            Shape::Hashed { hashed } => {
                let set = self.code(set);
                Made::Hashed(self.variable(set), *hashed)
            }
            _ => {
                let set = self.place(set);
                Made::Block(self.copied(set, shape.block().unwrap_or(0)), shape)
            }
        }
    }

    /// The finished collection.
    pub(super) fn end(&mut self, made: Made<'c>) -> Value {
        match made {
            Made::Bits(set, _) | Made::Hashed(set, _) => self.get(set),
            Made::Block(block, _) => block,
            Made::Pile(log, slot, _) => {
                let stride = self.constant(word(slot.stride()));
                self.call(Callee::EndPile, &[log, stride])
            }
        }
    }

    /// The index of a member. Fails for a value that the set cannot hold.
    fn index_of_member(&mut self, domain: Domain, value: Value) -> Value {
        let index = self.index_in(domain, value);
        self.fail_unless_below(index, domain.count);
        index
    }

    /// A word with one bit set: that of an index, modulo the size of a word.
    fn bit(&mut self, index: Value) -> Value {
        let one = self.constant(1);
        self.shl(one, index)
    }

    /// Inserts a value into a collection.
    pub(super) fn insert(&mut self, made: Made<'c>, value: Value) {
        match made {
            Made::Bits(set, domain) => {
                let index = self.index_of_member(domain, value);
                let bit = self.bit(index);
                let so_far = self.get(set);
                let all = self.or(so_far, bit);
                self.set(set, all);
            }
            Made::Block(block, shape) => match shape {
                Shape::Words { domain, words } => {
                    let index = self.index_of_member(*domain, value);
                    self.change_word(block, index, *words, true);
                }
                Shape::Counts { domain } => {
                    let index = self.index_of_member(*domain, value);
                    let pieces = self.read(Place::At(block), index, domain.count, Slot::Word);
                    let more = self.add_imm(pieces, 1);
                    self.write(Place::At(block), index, domain.count, &Slot::Word, more);
                }
                // No other block is a set or bag.
                _ => self.fail(),
            },
            Made::Hashed(set, hashed) => {
                let so_far = self.get(set);
                let hashed = self.constant(word(hashed));
                let all = self.call(Callee::InsertHashed, &[so_far, value, hashed]);
                self.set(set, all);
            }
            Made::Pile(log, slot, element) if slot.stride() == 1 && element.is_word() => {
                self.call(Callee::PushWord, &[log, value]);
            }
            Made::Pile(log, slot, element) => {
                let slot = self.object(slot, || Object::Slot(*slot));
                let element = self.object(element, || Object::Shape(element.clone()));
                self.call(Callee::Push, &[log, value, slot, element]);
            }
        }
    }

    /// Sets or clears a bit of a set that is a block.
    fn change_word(&mut self, block: Value, index: Value, words: usize, on: bool) {
        let word = self.shr_imm(index, 6);
        let bits = self.read(Place::At(block), word, words, Slot::Word);
        let bit = self.bit(index);
        let bits = if on {
            self.or(bits, bit)
        } else {
            self.and_not(bits, bit)
        };
        self.write(Place::At(block), word, words, &Slot::Word, bits);
    }

    /// Removes a value from a set, or one occurrence from a bag.
    fn take_away(&mut self, made: Made<'c>, value: Value) {
        match made {
            Made::Bits(set, domain) => {
                let index = self.index_in(domain, value);
                let below = self.is_below(index, domain.count);
                self.if_nonzero(below, &mut |body| {
                    let bit = body.bit(index);
                    let so_far = body.get(set);
                    let left = body.and_not(so_far, bit);
                    body.set(set, left);
                });
            }
            Made::Block(block, Shape::Words { domain, words }) => {
                let index = self.index_in(*domain, value);
                let below = self.is_below(index, domain.count);
                self.if_nonzero(below, &mut |body| {
                    body.change_word(block, index, *words, false);
                });
            }
            Made::Block(block, Shape::Counts { domain }) => {
                let index = self.index_in(*domain, value);
                let below = self.is_below(index, domain.count);
                self.if_nonzero(below, &mut |body| {
                    let pieces = body.read(Place::At(block), index, domain.count, Slot::Word);
                    let fewer = body.add_imm(pieces, -1);
                    let zero = body.constant(0);
                    let fewer = body.select(pieces, fewer, zero);
                    body.write(Place::At(block), index, domain.count, &Slot::Word, fewer);
                });
            }
            Made::Hashed(set, hashed) => {
                let so_far = self.get(set);
                let hashed = self.constant(word(hashed));
                let left = self.call(Callee::RemoveHashed, &[so_far, value, hashed]);
                self.set(set, left);
            }
            Made::Block(..) | Made::Pile(..) => self.fail(),
        }
    }

    /// Adds the value of a row to a union.
    fn unite(&mut self, made: Made<'c>, row: &'c UnionRow) {
        // A source may repeat a value that the set built from it has once, which a bag would count.
        let once = matches!(made, Made::Hashed(_, hashed) if self.unit.compiled.hashed[hashed].bag);
        if let (Some(source), false) = (&row.source, once) {
            self.each(source, &mut |body, value| body.insert(made, value));
            return;
        }
        let set = self.row_value(&row.row);
        let is_some = self.is_some(set);
        self.if_nonzero(is_some, &mut |body| {
            body.each_member(set, &row.shape, &mut |body, value| body.insert(made, value));
        });
    }

    /// A map of a fact's values.
    pub(super) fn tabulate(&mut self, table: &'c Tabulate) -> Value {
        let domain = table.domain;
        let block = self.new_block(table.words);
        let (first, end) = (self.constant(0), self.constant(word(domain.count)));
        self.each_index(first, end, &mut |body, index| {
            let key = body.value_of(domain, index);
            let skip = body.block();
            if let Some(partial) = table.partial {
                let is_value = body.is_value(partial, key);
                body.unless_zero(is_value, skip);
            }
            body.charge();
            let value = body.fact_of(table.fact, &[key]);
            body.write(Place::At(block), index, domain.count, &table.slot, value);
            body.go_to(skip);
            body.begin(skip);
        });
        block
    }

    /// A map with its entries converted to another slot.
    pub(super) fn remap(&mut self, remap: &'c Remap) -> Value {
        let count = remap.domain.count;
        let map = self.place(&remap.map);
        let block = self.new_block(remap.words);
        let (first, end) = (self.constant(0), self.constant(word(count)));
        self.each_index(first, end, &mut |body, index| {
            let value = body.read(map, index, count, remap.from);
            body.write(Place::At(block), index, count, &remap.to, value);
        });
        block
    }
}
