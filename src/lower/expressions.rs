//! Expressions whose operands are one word.

use super::{availability::Called, body::Body, word};
use crate::mir::{Address, Callee, Condition, Field, Space, Value};
use crate::{
    code::{Bounds, Code, Component, Domain, Entry, NONE, Part, SiteId},
    mir::RAISE_NONE,
};

impl<'c> Body<'_, 'c> {
    /// The value of an expression.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
    pub(super) fn code(&mut self, code: &'c Code) -> Value {
        if self.is_exhausted() {
            return self.constant(0);
        }
        if let Some(value) = self.byte_lookup(code) {
            return value;
        }
        match code {
            Code::Constant(value) => self.constant(*value),
            Code::Local(local) => self.local(*local),
            Code::Load(place) => self.loaded(*place),
            Code::New(state) => self.new_value(*state),
            Code::Fact(fact) => self.fact(*fact),
            Code::Call(fact, arguments) => self.call_fact(*fact, arguments),
            Code::Tabulate(table) => self.tabulate(table),
            Code::Lookup(table, operand) => {
                let place = self.code(operand);
                self.lookup(table, place)
            }
            Code::Part(part) => self.part(part),
            Code::Index(parts) => self.index(parts),
            Code::CheckedIndex(parts, partial, site) => self.checked_index(parts, *partial, *site),
            Code::Entry(entry) => self.entry(entry),
            Code::Less(pair) => self.compared(Condition::Less, pair),
            Code::LessOrEqual(pair) => self.compared(Condition::LessOrEqual, pair),
            Code::Equal(pair) => self.compared(Condition::Equal, pair),
            Code::EqualConstant(operand, value) => {
                let operand = self.code(operand);
                self.equals(operand, *value)
            }
            Code::Not(operand) => {
                let operand = self.code(operand);
                let one = self.constant(1);
                let negated = self.sub(one, operand);
                self.ranged(negated, (0, 1))
            }
            Code::And(pair) => self.short(pair, false),
            Code::Or(pair) => self.short(pair, true),
            Code::Else(pair) => self.otherwise(pair),
            Code::The(operand, site) => {
                let value = self.code(operand);
                let none = self.is_none(value);
                self.trouble_if(none, RAISE_NONE, *site);
                self.assume_some(value)
            }
            Code::Lift {
                local,
                operand,
                body,
            } => self.lift(*local, operand, body),
            Code::Checked(operand, check, site) => self.checked(operand, check, *site),
            Code::Between(triple) => self.between(triple),
            Code::IsValue(operand, partial) => {
                let index = self.code(operand);
                self.is_value(*partial, index)
            }
            Code::After(after) => self.after(after),
            Code::GridStep { grid, operands } => self.grid_step(*grid, operands),
            Code::GridWay { grid, operands } => {
                let (from, to) = self.both(operands);
                self.way_between(*grid, from, to)
            }
            Code::GameNumber => self.field(Field::GameNumber),
            Code::Noted(noted) => self.noted(noted),
            Code::Dense(table) => self.dense(table),
            Code::Switch(switch) => self.switch(switch),
            Code::If(choice) => self.either(choice),
            Code::Add(..)
            | Code::Subtract(..)
            | Code::Multiply(..)
            | Code::Divide(..)
            | Code::DivideEven(..)
            | Code::Modulo(..)
            | Code::Negate(..)
            | Code::Apart(..) => self.arithmetic(code),
            Code::Decide(..)
            | Code::Any(..)
            | Code::All(..)
            | Code::First(..)
            | Code::Highest(..)
            | Code::Lowest(..)
            | Code::SumRows(..)
            | Code::UnionBits(..)
            | Code::Agree { .. } => self.rows(code),
            Code::HasBit { .. }
            | Code::BitsWith(_)
            | Code::BitsWithout(_)
            | Code::BitsBoth(_)
            | Code::Bit { .. }
            | Code::Members { .. }
            | Code::Masked { .. }
            | Code::MaskedRows(_)
            | Code::BitsHighest { .. }
            | Code::BitsLowest { .. }
            | Code::BitsSize(_)
            | Code::BitsRanked { .. } => self.bits(code),
            Code::RecordPart { .. }
            | Code::Same(..)
            | Code::Has { .. }
            | Code::Among { .. }
            | Code::Within { .. }
            | Code::CountsWithin { .. }
            | Code::Then { .. }
            | Code::But(_)
            | Code::ButMany(_)
            | Code::Remap(_)
            | Code::Some(_)
            | Code::No(_)
            | Code::Best(_)
            | Code::Extreme { .. }
            | Code::Sum(..)
            | Code::Count(_)
            | Code::PileSize(_)
            | Code::HashedSize(_)
            | Code::CountOf { .. }
            | Code::CountIn(_)
            | Code::CountHashed { .. }
            | Code::Item { .. }
            | Code::TopMany(_)
            | Code::Below(_)
            | Code::Reversed { .. } => self.collection(code),
            Code::Gather { .. }
            | Code::Collect { .. }
            | Code::With { .. }
            | Code::Without { .. }
            | Code::Union(..)
            | Code::Record { .. }
            | Code::Text(_) => self.build(code),
        }
    }

    pub(super) fn both(&mut self, pair: &'c (Code, Code)) -> (Value, Value) {
        let left = self.code(&pair.0);
        (left, self.code(&pair.1))
    }

    fn compared(&mut self, how: Condition, pair: &'c (Code, Code)) -> Value {
        let (left, right) = self.both(pair);
        self.compare(how, left, right)
    }

    /// An entry of a table of constants; none outside it.
    fn lookup(&mut self, table: &'c [i64], place: Value) -> Value {
        let bounds = bounds_of_table(table);
        let words = self.unit.keep_words(table);
        if self.is_known_below(place, table.len()) {
            let entry = self.of_table(words, place);
            return self.as_typed(entry, bounds);
        }
        let none = self.none();
        let found = self.variable(none);
        let (inside, done) = (self.block(), self.block());
        let below = self.is_below(place, table.len());
        self.branch(below, inside, done);
        self.begin(inside);
        let entry = self.of_table(words, place);
        self.set(found, entry);
        self.go_to(done);
        self.begin(done);
        let found = self.get(found);
        match bounds {
            Some(bounds) => {
                let bounds = Bounds {
                    optional: true,
                    ..bounds
                };
                self.bounded(found, bounds)
            }
            None => found,
        }
    }

    fn part(&mut self, part: &'c Part) -> Value {
        let operand = self.code(&part.operand);
        let range = self.range(operand).filter(|(least, _)| *least >= 0);
        let quotient = match range {
            _ if part.divisor == 1 => operand,
            Some((least, greatest)) => {
                let quotient = self.unsigned_div_imm(operand, part.divisor);
                self.ranged(quotient, (least / part.divisor, greatest / part.divisor))
            }
            None => self.div_imm(operand, part.divisor),
        };
        let count = word(part.domain.count);
        let index = if self.is_known_below(quotient, part.domain.count) {
            quotient
        } else if range.is_some() {
            let index = self.unsigned_rem_imm(quotient, count);
            self.ranged(index, (0, count - 1))
        } else {
            self.rem_imm(quotient, count)
        };
        self.value_of(part.domain, index)
    }

    /// The value with an index.
    pub(super) fn value_of(&mut self, domain: Domain, index: Value) -> Value {
        let value = self.plus(index, domain.base);
        let last = word(domain.count) - 1;
        if !domain.optional {
            return value;
        }
        let range = (domain.base, domain.base + last - 1);
        self.with_none(value, domain.base + last, range)
    }

    /// The index that parts make up.
    pub(super) fn index(&mut self, parts: &'c [Component]) -> Value {
        let mut index = self.constant(0);
        for part in parts {
            let value = self.code(&part.code);
            let place = self.index_in(part.domain, value);
            let place = self.times(place, part.stride);
            index = self.sum_of(index, place);
        }
        index
    }

    /// Whether an index is a value of a partial type.
    pub(super) fn is_value(&mut self, partial: usize, index: Value) -> Value {
        let partial = &self.unit.compiled.partial[partial];
        let offset = i32::try_from(partial.start).unwrap_or(i32::MAX);
        let no = self.constant(0);
        let result = self.variable(no);
        let below = self.is_below(index, partial.count);
        self.if_nonzero(below, &mut |body| {
            let at = Address::new(Space::Values).plus(offset).indexed(index);
            let is_value = body.load_byte(at);
            body.set(result, is_value);
        });
        let result = self.get(result);
        self.ranged(result, (0, 1))
    }

    fn checked_index(&mut self, parts: &'c [Component], partial: usize, site: SiteId) -> Value {
        let arguments = parts.iter().map(|part| &part.code);
        let call = self.call_of(Called::Index(partial), arguments);
        if let Some(index) = call.and_then(|call| self.availability.find(call)) {
            return index;
        }
        let index = self.index(parts);
        let done = self.block();
        let check = self.block();
        let none = self.is_none(index);
        self.branch(none, done, check);
        self.begin(check);
        let is_value = self.is_value(partial, index);
        let wrong = self.equals(is_value, 0);
        self.raise_if(wrong, |body| {
            let site = body.constant(i64::from(site));
            let partial = body.constant(word(partial));
            body.call(Callee::RaiseIndex, &[index, partial, site]);
        });
        self.go_to(done);
        self.begin(done);
        if let Some(call) = call {
            self.availability.learn(call, index);
        }
        index
    }

    fn entry(&mut self, entry: &'c Entry) -> Value {
        let map = self.place(&entry.map);
        let key = self.code(&entry.key);
        let index = self.index_in(entry.domain, key);
        self.fail_unless_below(index, entry.domain.count);
        let (domain, slot) = (entry.domain, entry.slot);
        self.read_as(map, index, domain.count, slot, entry.bounds)
    }

    /// `and` and `or`: the second operand is evaluated only if the first does not decide.
    fn short(&mut self, pair: &'c (Code, Code), decided: bool) -> Value {
        let first = self.code(&pair.0);
        let early = self.constant(i64::from(decided));
        let result = self.variable(early);
        let (second, done) = (self.block(), self.block());
        if decided {
            self.branch(first, done, second);
        } else {
            self.branch(first, second, done);
        }
        self.begin(second);
        let value = self.code(&pair.1);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        let result = self.get(result);
        self.ranged(result, (0, 1))
    }

    fn otherwise(&mut self, pair: &'c (Code, Code)) -> Value {
        let first = self.code(&pair.0);
        let result = self.variable(first);
        let (second, done) = (self.block(), self.block());
        let none = self.is_none(first);
        let bounds = self.bounds_of(first);
        self.branch(none, second, done);
        self.begin(second);
        let value = self.code(&pair.1);
        self.set(result, value);
        let other = self.bounds_of(value);
        self.go_to(done);
        self.begin(done);
        let result = self.get(result);
        if let (Some(first), Some(second)) = (bounds, other) {
            let first = Bounds {
                optional: false,
                ..first
            };
            self.bounded_by(result, &[first, second]);
        }
        result
    }

    fn lift(&mut self, local: u32, operand: &'c Code, body: &'c Code) -> Value {
        let value = self.code(operand);
        let result = self.variable(value);
        let (inside, done) = (self.block(), self.block());
        let none = self.is_none(value);
        self.branch(none, done, inside);
        self.begin(inside);
        let assumed = self.assume_some(value);
        self.set_local(local, assumed);
        let lifted = self.code(body);
        self.set(result, lifted);
        let bounds = self.bounds_of(lifted);
        self.go_to(done);
        self.begin(done);
        let result = self.get(result);
        if let Some(bounds) = bounds {
            let optional = bounds.optional || self.constant_of(none) != Some(0);
            self.bounded(result, Bounds { optional, ..bounds });
        }
        result
    }

    fn between(&mut self, triple: &'c (Code, Code, Code)) -> Value {
        let item = self.code(&triple.0);
        let lo = self.code(&triple.1);
        let hi = self.code(&triple.2);
        let above = self.compare(Condition::LessOrEqual, lo, item);
        let below = self.compare(Condition::LessOrEqual, item, hi);
        let is_some = self.is_some(item);
        let inside = self.and(above, below);
        self.and(inside, is_some)
    }
}

/// The bounds of the words of a table.
pub(super) fn bounds_of_table(table: &[i64]) -> Option<Bounds> {
    let words = || table.iter().copied().filter(|word| *word != NONE);
    Some(Bounds {
        least: words().min()?,
        greatest: words().max()?,
        optional: table.contains(&NONE),
    })
}
