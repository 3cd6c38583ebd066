//! Expressions: which operation does what each stands for.

use super::Machine;
use crate::{code::Code, fault::Stop};

/// What does an expression.
type Operation = for<'c> fn(&mut Machine<'c>, &'c Code) -> Result<i64, Stop>;

/// Makes a table of operations, one for each kind of expression, in the order in which [`Code`] lists them. A match
/// would do as well, but after each operation it returns to the match first.
macro_rules! operations {
    ($machine:ident, $code:ident; $($name:ident, $pattern:pat => $operation:expr;)*) => {
        #[allow(unused_variables, reason = "a constant needs no machine")]
        const OPERATIONS: &[Operation] = &[
            $(|$machine, $code| match $code {
                $pattern => $operation,
                _ => unreachable!("the table has the order of the kinds"),
            },)*
        ];

        /// The kinds, as places in the table.
        enum Place {
            $($name,)*
        }

        impl Code {
            /// The place of this kind's operation in the table.
            #[inline]
            #[allow(unused_variables, reason = "only the kind matters")]
            fn place(&self) -> usize {
                match self {
                    $($pattern => Place::$name as usize,)*
                }
            }
        }
    };
}

operations! {
    machine, code;
    Constant, Code::Constant(value) => Ok(*value);
    Local, Code::Local(_) => machine.operand(code);
    Load, Code::Load(_) => machine.operand(code);
    New, Code::New(state) => machine.new_state(*state);
    Fact, Code::Fact(fact) => machine.fact_of(*fact);
    Call, Code::Call(fact, arguments) => machine.call(*fact as usize, arguments);
    Tabulate, Code::Tabulate(tabulate) => machine.tabulate(tabulate);
    Lookup, Code::Lookup(table, operand) => machine.looked_up(table, operand);
    LookupLoaded, Code::LookupLoaded(table, place) => Ok(machine.looked_up_loaded(table, *place));
    EqualLoaded, Code::EqualLoaded(place, value) => Ok(machine.equal_loaded(*place, *value));
    Part, Code::Part(part) => machine.part(part);
    Index, Code::Index(parts) => machine.index(parts);
    CheckedIndex, Code::CheckedIndex(parts, partial, site) => machine.checked_index(parts, *partial, *site);
    RecordPart, Code::RecordPart { offset, slot, operand, } => machine.record_part(operand, *offset, *slot);
    Record, Code::Record { parts, words } => machine.record(parts, *words);
    Entry, Code::Entry(entry) => machine.entry(entry);
    WordAt, Code::WordAt { start, base, count, key, bounds, } => machine.word_at(*start, *base, *count, key).map(|word| machine.as_typed(*bounds, word));
    Add, Code::Add(pair, site) => machine.add_numbers(pair, *site);
    Subtract, Code::Subtract(pair, site) => machine.subtract(pair, *site);
    Multiply, Code::Multiply(pair, site) => machine.multiply(pair, *site);
    Divide, Code::Divide(pair, site) => machine.divided(pair, *site, crate::arithmetic::divide);
    Modulo, Code::Modulo(pair, site) => machine.divided(pair, *site, crate::arithmetic::modulo);
    Negate, Code::Negate(operand, site) => machine.negate(operand, *site);
    Less, Code::Less(pair) => machine.less(pair);
    LessOrEqual, Code::LessOrEqual(pair) => machine.less_or_equal(pair);
    Equal, Code::Equal(pair) => machine.equal(pair);
    EqualConstant, Code::EqualConstant(operand, value) => machine.equal_constant(operand, *value);
    Same, Code::Same(pair, shape) => machine.is_same(pair, shape);
    Not, Code::Not(operand) => machine.not(operand);
    And, Code::And(pair) => machine.and(pair);
    Or, Code::Or(pair) => machine.or(pair);
    Else, Code::Else(pair) => machine.otherwise(pair);
    The, Code::The(operand, site) => machine.the(operand, *site);
    Lift, Code::Lift { local, operand, body, } => machine.lift(*local, operand, body);
    Checked, Code::Checked(operand, check, site) => machine.checked(operand, check, *site);
    Between, Code::Between(triple) => machine.between(triple);
    HasBit, Code::HasBit { item, set, base } => machine.has_bit(item, set, *base);
    Has, Code::Has { item, set, shape } => machine.is_in(item, set, shape);
    IsValue, Code::IsValue(operand, partial) => machine.is_value_of(operand, *partial);
    Among, Code::Among { item, source, shape, } => machine.among(item, source, shape);
    Within, Code::Within { left, right, shape } => machine.is_within(left, right, shape);
    CountsWithin, Code::CountsWithin { bags, left, right } => machine.is_counts_within(bags, left, right);
    Gather, Code::Gather { source, shape } => machine.gather(source, shape);
    Collect, Code::Collect { items, shape } => machine.collect(items, shape);
    BitsWith, Code::BitsWith(pair) => machine.bits_with(pair);
    BitsWithout, Code::BitsWithout(pair) => machine.bits_without(pair);
    Bit, Code::Bit { item, base } => machine.bit(item, *base);
    Members, Code::Members { bag, count } => machine.members(bag, *count);
    BitsBoth, Code::BitsBoth(pair) => machine.bits_both(pair);
    Masked, Code::Masked { masks, base, operand, } => machine.masked(masks, *base, operand);
    MaskedRows, Code::MaskedRows(masked) => machine.masked_rows(masked);
    BitsRanked, Code::BitsRanked { ranks, base, set } => machine.bits_ranked(ranks, *base, set);
    With, Code::With { set, source, shape } => machine.with(set, source, shape);
    Without, Code::Without { set, source, shape } => machine.without(set, source, shape);
    Then, Code::Then { piles, stride } => machine.put_under(piles, *stride);
    But, Code::But(but) => machine.but(but);
    ButMany, Code::ButMany(but) => machine.but_many(but);
    Remap, Code::Remap(remap) => machine.remap(remap);
    Some, Code::Some(range) => machine.some(range, true);
    No, Code::No(range) => machine.some(range, false);
    Best, Code::Best(best) => machine.best(best);
    Extreme, Code::Extreme { highest, source } => machine.extreme(source, *highest);
    BitsHighest, Code::BitsHighest { set, base } => machine.bits_highest(set, *base);
    BitsLowest, Code::BitsLowest { set, base } => machine.bits_lowest(set, *base);
    Sum, Code::Sum(source, site) => machine.sum(source, *site);
    Count, Code::Count(source) => machine.count(source);
    BitsSize, Code::BitsSize(set) => machine.bits_size(set);
    PileSize, Code::PileSize(pile) => machine.pile_size(pile);
    HashedSize, Code::HashedSize(set) => machine.hashed_size(set);
    CountOf, Code::CountOf { item, source, shape, } => machine.count_of(item, source, shape);
    CountIn, Code::CountIn(count) => machine.count_in(count);
    CountHashed, Code::CountHashed { item, set, shape } => machine.count_in_hashed(item, set, shape);
    Item, Code::Item { pile, index, slot } => machine.item_of(pile, index, *slot);
    TopMany, Code::TopMany(pair) => machine.slice_of(pair, false);
    Below, Code::Below(pair) => machine.slice_of(pair, true);
    Reversed, Code::Reversed { pile, stride } => machine.reverse(pile, *stride);
    Apart, Code::Apart(pair, site) => machine.apart(pair, *site);
    After, Code::After(after) => machine.after(after);
    GridStep, Code::GridStep { grid, operands } => machine.step_on_grid(*grid, operands);
    GridWay, Code::GridWay { grid, operands } => machine.way_on_grid(*grid, operands);
    GameNumber, Code::GameNumber => Ok(machine.game_number);
    Counted, Code::Counted(count, code) => machine.count_asked(*count, code);
    Text, Code::Text(text) => machine.made(text);
    Dense, Code::Dense(table) => machine.dense(table);
    Switch, Code::Switch(switch) => machine.switch(switch);
    If, Code::If(choice) => machine.either(choice);
    Decide, Code::Decide(table) => machine.decide(table);
    Any, Code::Any(rows) => machine.any(rows);
    All, Code::All(rows) => machine.all(rows);
    First, Code::First(rows) => machine.first(rows);
    Highest, Code::Highest(rows) => machine.extreme_row(rows, true);
    Lowest, Code::Lowest(rows) => machine.extreme_row(rows, false);
    SumRows, Code::SumRows(rows, site) => machine.sum_rows(rows, *site);
    UnionBits, Code::UnionBits(rows) => machine.union_bits(rows);
    Union, Code::Union(rows, shape) => machine.union(rows, shape);
    Agree, Code::Agree { rows, shape, otherwise, } => machine.agree(rows, shape, otherwise);
}

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
            Code::Constant(value) => Ok(*value),
            other => self.evaluate(other),
        }
    }

    /// The value of an expression.
    #[inline]
    pub(crate) fn evaluate(&mut self, code: &'c Code) -> Result<i64, Stop> {
        OPERATIONS[code.place()](self, code)
    }
}
