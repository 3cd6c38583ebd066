//! Small sets, which are the bits of a word.

use super::{
    availability::Available,
    body::{Body, Place},
    slots::FEW,
    word,
};
use crate::code::{Code, MaskedRows, Slot};
use crate::mir::{Address, Cache, Condition, Space, Table, Value};

impl<'c> Body<'_, 'c> {
    /// The value of an expression about a small set.
    pub(super) fn bits(&mut self, code: &'c Code) -> Value {
        match code {
            Code::HasBit { item, set, base } => {
                let item = self.code(item);
                let set = self.code(set);
                let bit = self.less_constant(item, *base);
                self.has_bit(set, bit, 64)
            }
            Code::BitsWith(pair) => {
                let (left, right) = self.both(pair);
                self.or(left, right)
            }
            Code::BitsWithout(pair) => {
                let (left, right) = self.both(pair);
                self.and_not(left, right)
            }
            Code::BitsBoth(pair) => {
                let (left, right) = self.both(pair);
                self.and(left, right)
            }
            Code::Bit { item, base } => {
                let item = self.code(item);
                let bit = self.less_constant(item, *base);
                let one = self.constant(1);
                let set = self.shl(one, bit);
                let below = self.is_below(bit, 64);
                let nothing = self.constant(0);
                self.select(below, set, nothing)
            }
            Code::Members { bag, count } => self.members(bag, *count),
            Code::Masked {
                masks,
                base,
                operand,
            } => self.masked(masks, *base, operand),
            Code::MaskedRows(masked) => self.masked_rows(masked),
            Code::BitsHighest { set, base } => {
                let set = self.code(set);
                let zeroes = self.leading_zeros(set);
                let highest = self.constant(base + 63);
                let value = self.sub(highest, zeroes);
                let none = self.none();
                self.select(set, value, none)
            }
            Code::BitsLowest { set, base } => {
                let set = self.code(set);
                let zeroes = self.trailing_zeros(set);
                let value = self.add_imm(zeroes, *base);
                let none = self.none();
                self.select(set, value, none)
            }
            Code::BitsSize(set) => {
                let set = self.code(set);
                self.popcount(set)
            }
            Code::BitsRanked { ranks, base, set } => self.bits_ranked(ranks, *base, set),
            other => unreachable!("no small set: {other:?}"),
        }
    }

    /// Whether a set of `count` bits has one.
    pub(super) fn has_bit(&mut self, set: Value, bit: Value, count: usize) -> Value {
        let shifted = self.shr(set, bit);
        let is_set = self.and_imm(shifted, 1);
        let below = self.is_below(bit, count);
        self.and(is_set, below)
    }

    /// The members of a bag, as bits; for a field, from a cache.
    fn members(&mut self, bag: &'c Code, count: usize) -> Value {
        let memo = match (bag, self.event) {
            (Code::Load(place), Some(event)) => self.unit.memo_of_members(event, *place),
            _ => None,
        };
        let Some(memo) = memo else {
            return self.members_anew(bag, count);
        };
        let Code::Load(place) = bag else {
            return self.members_anew(bag, count);
        };
        if let Some(members) = self.availability.find(Available::Members(*place)) {
            return members;
        }
        let memo = word(memo);
        let members = self.cached(Cache::Facts, memo, |body| {
            let value = body.members_anew(bag, count);
            let index = body.constant(memo);
            body.remember(Cache::Facts, index, value);
            value
        });
        self.availability.learn(Available::Members(*place), members);
        members
    }

    /// Caches the members of a bag that was read into a field of an event.
    pub(super) fn remember_members(&mut self, event: usize, field: usize, members: Value) {
        let place = u32::try_from(self.unit.compiled.fields + field).unwrap_or(u32::MAX);
        if let Some(memo) = self.unit.memo_of_members(event, place) {
            let memo = self.constant(word(memo));
            self.remember(Cache::Facts, memo, members);
        }
    }

    fn members_anew(&mut self, bag: &'c Code, count: usize) -> Value {
        let bag = self.place(bag);
        self.members_in(bag, count)
    }

    /// The members of a bag, as bits.
    pub(super) fn members_in(&mut self, bag: Place, count: usize) -> Value {
        if count > FEW {
            return self.members_by_loop(bag, count);
        }
        let at = self.words(bag, count);
        let zero = self.constant(0);
        let mut bits = zero;
        for index in 0..count {
            let pieces = self.load_at(at.words(index));
            let some = self.compare(Condition::NotEqual, pieces, zero);
            let bit = self.shl_imm(some, word(index));
            bits = self.or(bits, bit);
        }
        bits
    }

    fn members_by_loop(&mut self, bag: Place, count: usize) -> Value {
        let zero = self.constant(0);
        let bits = self.variable(zero);
        let end = self.constant(word(count));
        self.each_index(zero, end, &mut |body, index| {
            let pieces = body.read(bag, index, count, Slot::Word);
            let some = body.compare(Condition::NotEqual, pieces, zero);
            let bit = body.shl(some, index);
            let so_far = body.get(bits);
            let all = body.or(so_far, bit);
            body.set(bits, all);
        });
        self.get(bits)
    }

    fn masked(&mut self, masks: &'c [i64], base: i64, operand: &'c Code) -> Value {
        let value = self.code(operand);
        let index = self.less_constant(value, base);
        let below = self.is_below(index, masks.len());
        let zero = self.constant(0);
        let mask = self.variable(zero);
        let table = self.unit.keep_words(masks);
        self.if_nonzero(below, &mut |body| {
            let found = body.of_table(table, index);
            body.set(mask, found);
        });
        self.get(mask)
    }

    /// The members for which a decision table gives yes.
    fn masked_rows(&mut self, masked: &'c MaskedRows) -> Value {
        let index = self.index(&masked.keys);
        let rows = masked.values.len();
        self.fail_unless_below(index, masked.masks.len() / rows.max(1));
        let first = self.mul_imm(index, word(rows));
        let zero = self.constant(0);
        let set = self.variable(zero);
        let table = self.unit.keep_words(&*masked.masks);
        for (row, value) in masked.values.iter().enumerate() {
            let place = self.add_imm(first, word(row));
            let mask = self.of_table(table, place);
            self.if_nonzero(mask, &mut |body| {
                let members = body.code(value);
                let decided = body.and(mask, members);
                let so_far = body.get(set);
                let all = body.or(so_far, decided);
                body.set(set, all);
            });
        }
        self.get(set)
    }

    /// The member of a set of bits that comes first in an order.
    fn bits_ranked(&mut self, ranks: &'c [u8], base: i64, set: &'c Code) -> Value {
        let set = self.code(set);
        let none = self.none();
        let first = self.variable(none);
        let highest = self.constant(i64::from(u8::MAX));
        let least = self.variable(highest);
        let table = self.unit.table(Table::Bytes(ranks.into()));
        self.each_bit_uncharged(set, &mut |body, bit| {
            let rank = body.variable(highest);
            let below = body.is_below(bit, ranks.len());
            body.if_nonzero(below, &mut |body| {
                let found = body.load_byte(Address::new(Space::Table(table)).indexed(bit));
                body.set(rank, found);
            });
            let rank = body.get(rank);
            let held = body.get(least);
            let wins = body.compare(Condition::Below, rank, held);
            let value = body.add_imm(bit, base);
            let best_yet = body.get(first);
            let kept = body.select(wins, value, best_yet);
            body.set(first, kept);
            let lowest = body.select(wins, rank, held);
            body.set(least, lowest);
        });
        self.get(first)
    }
}
