//! Operators on collections, maps and records.

use super::{
    body::{Body, Place},
    bytes::Filtered,
    ranges::Visit,
    slots::FEW,
    word,
};
use crate::code::{
    But, ButMany, Code, CountIn, Domain, LENGTH_BITS, NONE, PILE_BITS, Shape, Slot, Source,
};
use crate::mir::{Callee, Condition, Object, RAISE_OVERFLOW, Value};

/// The bits of a pile's handle that are its length.
const LENGTH: i64 = (1 << PILE_BITS) - 1;

/// The bits of a hashed set's handle that are its number of entries.
const ENTRIES: i64 = (1 << LENGTH_BITS) - 1;

/// A value is compared with at most this many items one after the other.
const FEW_ITEMS: usize = 4;

impl<'b, 'c> Body<'b, 'c> {
    /// The value of an expression about a collection.
    pub(super) fn collection(&mut self, code: &'c Code) -> Value {
        match code {
            Code::RecordPart {
                offset,
                slot,
                operand,
            } => self.record_part(operand, *offset, *slot),
            Code::Same(pair, shape) => {
                let (left, right) = self.both(pair);
                self.is_same(left, right, shape)
            }
            Code::Has { item, set, shape } => self.has(item, set, shape),
            Code::Among {
                item,
                source,
                shape,
            } => self.among(item, source, shape),
            Code::Within { left, right, shape } => self.within_set(left, right, shape),
            Code::CountsWithin { bags, left, right } => self.counts_within(bags, left, right),
            Code::Then { piles, stride } => self.then(piles, *stride),
            Code::But(but) => self.but(but),
            Code::ButMany(but) => self.but_many(but),
            Code::Remap(remap) => self.remap(remap),
            Code::Some(range) => self.some_of(range, true),
            Code::No(range) => self.some_of(range, false),
            Code::Best(best) => self.best(best),
            Code::Extreme { highest, source } => {
                let none = self.none();
                let found = self.variable(none);
                let how = if *highest {
                    Condition::Greater
                } else {
                    Condition::Less
                };
                self.each(source, &mut |body, value| {
                    body.keep_extreme(found, value, how);
                });
                self.get(found)
            }
            Code::Sum(source, site) => {
                let zero = self.constant(0);
                let sum = self.variable(zero);
                self.each(source, &mut |body, value| body.add_some(sum, value, *site));
                let sum = self.get(sum);
                let none = self.is_none(sum);
                self.trouble_if(none, RAISE_OVERFLOW, *site);
                sum
            }
            Code::Count(source) => self.size(source),
            Code::PileSize(pile) => {
                let pile = self.code(pile);
                self.length_of(pile)
            }
            Code::CountOf {
                item,
                source,
                shape,
            } => self.count_of(item, source, shape),
            Code::CountIn(count) => self.count_in(count),
            Code::HashedSize(set) => {
                let set = self.code(set);
                self.and_imm(set, ENTRIES)
            }
            Code::CountHashed { item, set, shape } => {
                let item = self.code(item);
                let set = self.code(set);
                let Shape::Hashed { hashed } = **shape else {
                    return self.constant(0);
                };
                let hashed = self.constant(word(hashed));
                self.call(Callee::CountHashed, &[set, item, hashed])
            }
            Code::Item { pile, index, slot } => {
                let pile = self.code(pile);
                let index = self.code(index);
                self.item(pile, index, slot)
            }
            Code::TopMany(pair) => self.slice(pair, 0),
            Code::Below(pair) => self.slice(pair, 1),
            Code::Reversed { pile, stride } => {
                let pile = self.code(pile);
                let stride = self.constant(word(*stride));
                self.call(Callee::Reversed, &[pile, stride])
            }
            other => unreachable!("not about a collection: {other:?}"),
        }
    }

    fn record_part(&mut self, operand: &'c Code, offset: usize, slot: Slot) -> Value {
        let record = self.place(operand);
        let part = match record {
            Place::Fixed(place) => Place::Fixed(place + offset),
            Place::At(handle) => {
                let offset = word(offset);
                Place::At(self.add_imm(handle, offset))
            }
        };
        let first = self.constant(0);
        self.read(part, first, 1, slot)
    }

    /// The element of a pile with a number from 1; none outside the pile.
    fn item(&mut self, pile: Value, number: Value, slot: &'c Slot) -> Value {
        let none = self.none();
        let found = self.variable(none);
        let index = self.add_imm(number, -1);
        let length = self.length_of(pile);
        let in_pile = self.compare(Condition::Below, index, length);
        self.if_nonzero(in_pile, &mut |body| {
            let element = body.element(pile, index, slot);
            body.set(found, element);
        });
        self.get(found)
    }

    /// The element of a pile with an index from 0, which must be in range.
    pub(super) fn element(&mut self, pile: Value, index: Value, slot: &'c Slot) -> Value {
        if slot.stride() != 1 || matches!(slot, Slot::Block { .. } | Slot::OptionalBlock { .. }) {
            let slot = self.object(slot, || Object::Slot(*slot));
            return self.call(Callee::Element, &[pile, index, slot]);
        }
        let log = self.shr_imm(pile, i64::from(2 * PILE_BITS));
        let start = self.shr_imm(pile, i64::from(PILE_BITS));
        let start = self.and_imm(start, LENGTH);
        let place = self.add(start, index);
        self.builder.load_pile(log, place)
    }

    /// The length of a pile.
    pub(super) fn length_of(&mut self, pile: Value) -> Value {
        self.and_imm(pile, LENGTH)
    }

    /// The result of `make` for a value's index, or 0 if the value is outside the domain.
    pub(super) fn read_if_in(
        &mut self,
        domain: Domain,
        value: Value,
        make: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Value {
        let index = self.index_in(domain, value);
        let zero = self.constant(0);
        let result = self.variable(zero);
        let below = self.is_below(index, domain.count);
        self.if_nonzero(below, &mut |body| {
            let found = make(body, index);
            body.set(result, found);
        });
        self.get(result)
    }

    fn among(&mut self, item: &'c Code, source: &'c Source, shape: &'c Shape) -> Value {
        let item = self.code(item);
        let no = self.constant(0);
        let result = self.variable(no);
        let exit = self.exit();
        let is_some = self.is_some(item);
        self.leave_unless(is_some, exit);
        let mut leave_if_same = |body: &mut Self, value| {
            let same = body.is_same(item, value, shape);
            body.if_nonzero(same, &mut |body| {
                let yes = body.constant(1);
                body.set(result, yes);
                body.leave(exit);
            });
        };
        match source {
            // A value that is none equals no item.
            Source::Items(items) if items.len() <= FEW_ITEMS && *shape == Shape::Scalar => {
                for value in items {
                    let value = self.code(value);
                    leave_if_same(self, value);
                }
            }
            source => self.each(source, &mut leave_if_same),
        }
        self.arrive(exit);
        self.get(result)
    }

    /// A map with one entry replaced.
    fn but(&mut self, but: &'c But) -> Value {
        let map = self.place(&but.map);
        let value = self.code(&but.value);
        let key = self.code(&but.at);
        let index = self.index_in(but.domain, key);
        let whole = self.handle(map);
        let result = self.variable(whole);
        let below = self.is_below(index, but.domain.count);
        self.if_nonzero(below, &mut |body| {
            let block = body.copied(map, but.words);
            body.write(Place::At(block), index, but.domain.count, &but.slot, value);
            body.set(result, block);
        });
        self.get(result)
    }

    /// A map with the entries of many keys replaced.
    fn but_many(&mut self, but: &'c ButMany) -> Value {
        let map = self.place(&but.map);
        let value = self.code(&but.value);
        let Source::Words { set, base, words } = &but.at else {
            return self.but_each(map, but, value, &mut |body, visit| {
                body.each(&but.at, visit);
            });
        };
        let set = self.place(set);
        // If no key is visited, the map is the same.
        let same = self.handle(map);
        let result = self.variable(same);
        let any = self.any_bits(set, *words);
        self.if_nonzero(any, &mut |body| {
            let changed = body.but_each(map, but, value, &mut |body, visit| {
                body.each_word(set, *base, *words, visit);
            });
            body.set(result, changed);
        });
        self.get(result)
    }

    /// A map with a value at each of some keys.
    fn but_each(
        &mut self,
        map: Place,
        but: &'c ButMany,
        value: Value,
        each: &mut dyn FnMut(&mut Self, Visit<'_, 'b, 'c>),
    ) -> Value {
        let block = self.copied(map, but.words);
        each(self, &mut |body, key| {
            let index = body.index_in(but.domain, key);
            let below = body.is_below(index, but.domain.count);
            body.if_nonzero(below, &mut |body| {
                body.write(Place::At(block), index, but.domain.count, &but.slot, value);
            });
        });
        block
    }

    /// Whether any of some words is not 0.
    pub(super) fn any_bits(&mut self, set: Place, words: usize) -> Value {
        let at = self.words(set, words);
        let mut any = self.constant(0);
        for word in 0..words {
            let bits = self.load_at(at.words(word));
            any = self.or(any, bits);
        }
        any
    }

    /// One pile under another.
    fn then(&mut self, piles: &'c (Code, Code), stride: usize) -> Value {
        if let (first, Code::Collect { items, shape }) = piles
            && let ([item], Shape::Pile { slot, element }) = (&**items, &**shape)
            && slot.stride() == 1
            && element.is_word()
        {
            let first = self.code(first);
            let item = self.code(item);
            let result = self.variable(first);
            let is_some = self.is_some(item);
            self.if_nonzero(is_some, &mut |body| {
                let longer = body.call(Callee::ThenWord, &[first, item]);
                body.set(result, longer);
            });
            return self.get(result);
        }
        let (first, second) = self.both(piles);
        let stride = self.constant(word(stride));
        self.call(Callee::Then, &[first, second, stride])
    }

    /// The number of values of a source.
    fn size(&mut self, source: &'c Source) -> Value {
        if let Source::Counts { bag, count, .. } = source
            && *count <= FEW
        {
            return self.pieces(bag, *count);
        }
        if !self.unit.is_exact
            && let Some(filtered) = Filtered::in_source(source)
        {
            return self.count_filtered(&filtered);
        }
        match self.count_written_out(source) {
            Some(count) => count,
            None => self.count(source, &mut |body, value| body.is_some(value)),
        }
    }

    /// The number of values of a source for which `counts` gives 1.
    fn count(
        &mut self,
        source: &'c Source,
        counts: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Value {
        let zero = self.constant(0);
        let count = self.variable(zero);
        self.each(source, &mut |body, value| {
            let one = counts(body, value);
            let so_far = body.get(count);
            let all = body.add(so_far, one);
            body.set(count, all);
        });
        self.get(count)
    }

    /// The size of a bag over a small domain.
    fn pieces(&mut self, bag: &'c Code, count: usize) -> Value {
        let bag = self.place(bag);
        let at = self.words(bag, count);
        let mut sum = self.constant(0);
        for index in 0..count {
            let pieces = self.load_at(at.words(index));
            sum = self.add(sum, pieces);
        }
        sum
    }

    fn count_of(&mut self, item: &'c Code, source: &'c Source, shape: &'c Shape) -> Value {
        let item = self.code(item);
        if let (Source::Pile { pile, .. }, true) = (source, shape.is_word()) {
            let pile = self.code(pile);
            return self.call(Callee::CountWords, &[pile, item]);
        }
        self.count(source, &mut |body, value| body.is_same(item, value, shape))
    }

    fn count_in(&mut self, count: &'c CountIn) -> Value {
        let item = self.code(&count.item);
        let bag = self.place(&count.bag);
        self.read_if_in(count.domain, item, &mut |body, index| {
            body.read(bag, index, count.domain.count, Slot::Word)
        })
    }

    fn slice(&mut self, pair: &'c (Code, Code), below: i64) -> Value {
        let (count, pile) = self.both(pair);
        let below = self.constant(below);
        self.call(Callee::Slice, &[pile, count, below])
    }
}

/// None is the least word, so that no comparison of words takes it for a value.
const _: () = assert!(NONE == i64::MIN);
