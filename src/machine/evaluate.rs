//! Expressions: which operation does what each stands for.

use super::Machine;
use crate::{code::Code, fault::Stop};

impl<'c> Machine<'c> {
    /// The value of an operand: what is only looked up is looked up here, since most operands are.
    #[expect(
        clippy::inline_always,
        reason = "as a function of its own it would cost what it saves"
    )]
    #[inline(always)]
    pub(super) fn operand(&mut self, code: &'c Code) -> Result<i64, Stop> {
        match code {
            Code::Local(local) => Ok(self.locals[self.base + *local as usize]),
            Code::Load(place) => Ok(self.load(*place as usize)),
            other => self.evaluate(other),
        }
    }

    #[inline(never)]
    fn leaf(&mut self, code: &'c Code) -> Result<i64, Stop> {
        self.operand(code)
    }

    /// The value of an expression. Each arm only hands on to the operation, so that this one needs no stack of its own.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
    pub(crate) fn evaluate(&mut self, code: &'c Code) -> Result<i64, Stop> {
        match code {
            Code::Constant(value) => Ok(*value),
            Code::Local(_) | Code::Load(_) => self.leaf(code),
            Code::Fact(fact) => self.fact_of(*fact),
            Code::New(state) => self.new_state(*state),
            Code::Call(fact, arguments) => self.call(*fact as usize, arguments),
            Code::Lookup(table, operand) => self.looked_up(table, operand),
            Code::LookupLoaded(table, place) => Ok(self.looked_up_loaded(table, *place)),
            Code::EqualLoaded(place, value) => Ok(self.equal_loaded(*place, *value)),
            Code::Part(part) => self.part(part),
            Code::Index(parts) => self.index(parts),
            Code::Entry(entry) => self.entry(entry),
            Code::WordAt {
                start,
                base,
                count,
                key,
            } => self.word_at(*start, *base, *count, key),
            Code::Add(pair, site) => self.add_numbers(pair, *site),
            Code::Subtract(pair, site) => self.subtract(pair, *site),
            Code::Multiply(pair, site) => self.multiply(pair, *site),
            Code::Divide(pair, site) => self.divided(pair, *site, crate::arithmetic::divide),
            Code::Modulo(pair, site) => self.divided(pair, *site, crate::arithmetic::modulo),
            Code::Negate(operand, site) => self.negate(operand, *site),
            Code::Less(pair) => self.less(pair),
            Code::LessOrEqual(pair) => self.less_or_equal(pair),
            Code::Equal(pair) => self.equal(pair),
            Code::EqualConstant(operand, value) => self.equal_constant(operand, *value),
            Code::Not(operand) => self.not(operand),
            Code::And(pair) => self.and(pair),
            Code::Or(pair) => self.or(pair),
            Code::Else(pair) => self.otherwise(pair),
            Code::The(operand, site) => self.the(operand, *site),
            Code::Lift {
                local,
                operand,
                body,
            } => self.lift(*local, operand, body),
            Code::Checked(operand, check, site) => self.checked(operand, check, *site),
            Code::Between(triple) => self.between(triple),
            Code::HasBit { item, set, base } => self.has_bit(item, set, *base),
            Code::Dense(table) => self.dense(table),
            Code::Switch(switch) => self.switch(switch),
            Code::If(choice) => self.either(choice),
            Code::BitsWith(pair) => self.bits_with(pair),
            Code::BitsWithout(pair) => self.bits_without(pair),
            Code::Bit { item, base } => self.bit(item, *base),
            Code::Members { bag, count } => self.members(bag, *count),
            Code::BitsBoth(pair) => self.bits_both(pair),
            Code::Masked {
                masks,
                base,
                operand,
            } => self.masked(masks, *base, operand),
            Code::MaskedRows(masked) => self.masked_rows(masked),
            Code::BitsRanked { ranks, base, set } => self.bits_ranked(ranks, *base, set),
            Code::BitsSize(set) => self.bits_size(set),
            Code::BitsHighest { set, base } => self.bits_highest(set, *base),
            Code::BitsLowest { set, base } => self.bits_lowest(set, *base),
            Code::Tabulate(tabulate) => self.tabulate(tabulate),
            Code::CheckedIndex(parts, partial, site) => self.checked_index(parts, *partial, *site),
            Code::IsValue(operand, partial) => self.is_value_of(operand, *partial),
            Code::RecordPart {
                offset,
                slot,
                operand,
            } => self.record_part(operand, *offset, *slot),
            Code::Record { parts, words } => self.record(parts, *words),
            Code::Same(pair, shape) => self.is_same(pair, shape),
            Code::Has { item, set, shape } => self.is_in(item, set, shape),
            Code::Among {
                item,
                source,
                shape,
            } => self.among(item, source, shape),
            Code::Within { left, right, shape } => self.is_within(left, right, shape),
            Code::CountsWithin { bags, left, right } => self.is_counts_within(bags, left, right),
            Code::Gather { source, shape } => self.gather(source, shape),
            Code::Collect { items, shape } => self.collect(items, shape),
            Code::With { set, source, shape } => self.with(set, source, shape),
            Code::Without { set, source, shape } => self.without(set, source, shape),
            Code::Then { piles, stride } => self.put_under(piles, *stride),
            Code::But(but) => self.but(but),
            Code::ButMany(but) => self.but_many(but),
            Code::Remap(remap) => self.remap(remap),
            Code::Some(range) => self.some(range, true),
            Code::No(range) => self.some(range, false),
            Code::Best(best) => self.best(best),
            Code::Extreme { highest, source } => self.extreme(source, *highest),
            Code::Sum(source, site) => self.sum(source, *site),
            Code::Count(source) => self.count(source),
            Code::PileSize(pile) => self.pile_size(pile),
            Code::HashedSize(set) => self.hashed_size(set),
            Code::CountOf {
                item,
                source,
                shape,
            } => self.count_of(item, source, shape),
            Code::CountIn(count) => self.count_in(count),
            Code::CountHashed { item, set, shape } => self.count_in_hashed(item, set, shape),
            Code::Item { pile, index, slot } => self.item_of(pile, index, *slot),
            Code::TopMany(pair) => self.slice_of(pair, false),
            Code::Below(pair) => self.slice_of(pair, true),
            Code::Reversed { pile, stride } => self.reverse(pile, *stride),
            Code::Apart(pair, site) => self.apart(pair, *site),
            Code::After(after) => self.after(after),
            Code::GridStep { grid, operands } => self.step_on_grid(*grid, operands),
            Code::GridWay { grid, operands } => self.way_on_grid(*grid, operands),
            Code::GameNumber => Ok(self.game_number),
            Code::Text(text) => self.made(text),
            Code::Decide(table) => self.decide(table),
            Code::Any(rows) => self.any(rows),
            Code::All(rows) => self.all(rows),
            Code::First(rows) => self.first(rows),
            Code::Highest(rows) => self.extreme_row(rows, true),
            Code::Lowest(rows) => self.extreme_row(rows, false),
            Code::SumRows(rows, site) => self.sum_rows(rows, *site),
            Code::UnionBits(rows) => self.union_bits(rows),
            Code::Union(rows, shape) => self.union(rows, shape),
            Code::Agree {
                rows,
                shape,
                otherwise,
            } => self.agree(rows, shape, otherwise),
        }
    }
}
