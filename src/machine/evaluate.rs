//! Expressions.

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{Code, Component, NONE, SiteId, Slot, Source},
    fault::{self, Stop, Trouble},
};

/// A yes/no as a value.
#[inline]
fn yes(value: bool) -> i64 {
    i64::from(value)
}

impl<'c> Machine<'c> {
    /// The value of an operand: what is only looked up is looked up here, since most operands are.
    #[inline]
    pub(super) fn operand(&mut self, code: &'c Code) -> Result<i64, Stop> {
        match code {
            Code::Constant(value) => Ok(*value),
            Code::Local(local) => Ok(self.locals[self.base + *local as usize]),
            Code::Load(place) => Ok(self.load(*place as usize)),
            other => self.evaluate(other),
        }
    }

    /// The value of an expression.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
    pub(crate) fn evaluate(&mut self, code: &'c Code) -> Result<i64, Stop> {
        Ok(match code {
            Code::Constant(value) => *value,
            Code::Local(local) => self.locals[self.base + *local as usize],
            Code::EventField(field) => self.fields[*field as usize],
            Code::Load(place) => self.load(*place as usize),
            Code::New(state) => self.new_value(*state as usize)?,
            Code::Fact(fact) => self.fact(*fact as usize)?,
            Code::Call(fact, arguments) => self.call(*fact as usize, arguments)?,
            Code::Lookup(table, operand) => {
                let place = self.operand(operand)?;
                table.get(at(place)).copied().unwrap_or(NONE)
            }
            Code::Part {
                divisor,
                modulus,
                base,
                optional,
                operand,
            } => {
                let part = (self.operand(operand)? / *divisor) % *modulus;
                if *optional && part + 1 == *modulus {
                    NONE
                } else {
                    part + base
                }
            }
            Code::Index(parts) => self.index(parts)?,
            Code::Entry {
                map,
                key,
                domain,
                slot,
            } => {
                let map = self.operand(map)?;
                let key = self.operand(key)?;
                let index = domain.index(key);
                if index >= domain.count {
                    return Err(no_entry(key));
                }
                self.read(at(map), index, *slot)
            }
            Code::Add(pair, site) => {
                let (left, right) = self.pair(pair)?;
                number(left.checked_add(right), *site)?
            }
            Code::Subtract(pair, site) => {
                let (left, right) = self.pair(pair)?;
                number(left.checked_sub(right), *site)?
            }
            Code::Multiply(pair, site) => {
                let (left, right) = self.pair(pair)?;
                number(left.checked_mul(right), *site)?
            }
            Code::Divide(pair, site) => self.divided(pair, *site, crate::arithmetic::divide)?,
            Code::Modulo(pair, site) => self.divided(pair, *site, crate::arithmetic::modulo)?,
            Code::Negate(operand, site) => number(self.evaluate(operand)?.checked_neg(), *site)?,
            Code::Less(pair) => {
                let (left, right) = self.pair(pair)?;
                yes(left < right)
            }
            Code::LessOrEqual(pair) => {
                let (left, right) = self.pair(pair)?;
                yes(left <= right)
            }
            Code::Equal(pair) => {
                let (left, right) = self.pair(pair)?;
                yes(left == right)
            }
            Code::EqualConstant(operand, value) => yes(self.operand(operand)? == *value),
            Code::Not(operand) => 1 - self.evaluate(operand)?,
            Code::And(pair) => {
                if self.evaluate(&pair.0)? == 0 {
                    0
                } else {
                    self.operand(&pair.1)?
                }
            }
            Code::Or(pair) => {
                if self.evaluate(&pair.0)? != 0 {
                    1
                } else {
                    self.operand(&pair.1)?
                }
            }
            Code::Else(pair) => {
                let value = self.evaluate(&pair.0)?;
                if value == NONE {
                    self.operand(&pair.1)?
                } else {
                    value
                }
            }
            Code::The(operand, site) => {
                let value = self.evaluate(operand)?;
                if value == NONE {
                    return Err(fault::rules(*site, Trouble::None));
                }
                value
            }
            Code::Lift {
                local,
                operand,
                body,
            } => {
                let value = self.evaluate(operand)?;
                if value == NONE {
                    return Ok(NONE);
                }
                self.set_local(*local, value);
                self.evaluate(body)?
            }
            Code::Checked(operand, check, site) => {
                let value = self.evaluate(operand)?;
                self.check(value, check, *site)?;
                value
            }
            Code::Between(triple) => {
                let item = self.operand(&triple.0)?;
                let lo = self.operand(&triple.1)?;
                let hi = self.operand(&triple.2)?;
                yes(lo <= item && item <= hi && item != NONE)
            }
            Code::HasBit { item, set, base } => {
                let item = self.operand(item)?;
                let set = self.operand(set)?;
                let bit = item.wrapping_sub(*base);
                yes((0..64).contains(&bit) && (set >> bit) & 1 == 1)
            }
            Code::Dense {
                keys,
                rows,
                values,
                site,
            } => {
                let index = self.index(keys)?;
                let row = rows
                    .get(at(index))
                    .map_or(usize::MAX, |row| usize::from(*row));
                match values.get(row) {
                    Some(value) => self.evaluate(value)?,
                    None => return Err(fault::rules(*site, Trouble::NoRow)),
                }
            }
            Code::BitsWith(pair) => {
                let (left, right) = self.pair(pair)?;
                left | right
            }
            Code::BitsWithout(pair) => {
                let (left, right) = self.pair(pair)?;
                left & !right
            }
            Code::BitsSize(set) => i64::from(self.evaluate(set)?.count_ones()),
            Code::BitsHighest { set, base } => {
                let set = self.evaluate(set)?;
                if set == 0 {
                    NONE
                } else {
                    base + 63 - i64::from(set.leading_zeros())
                }
            }
            Code::BitsLowest { set, base } => {
                let set = self.evaluate(set)?;
                if set == 0 {
                    NONE
                } else {
                    base + i64::from(set.trailing_zeros())
                }
            }
            other => return self.evaluate_further(other),
        })
    }

    /// The expressions that are rarer, or that take longer.
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
    fn evaluate_further(&mut self, code: &'c Code) -> Result<i64, Stop> {
        Ok(match code {
            Code::Tabulate {
                fact,
                domain,
                partial,
                slot,
                words,
            } => self.tabulate(*fact as usize, *domain, *partial, *slot, *words)?,
            Code::CheckedIndex(parts, partial, site) => {
                let index = self.index(parts)?;
                if index != NONE && !self.is_value(*partial, index) {
                    let value = index.to_string();
                    let ty = "its type".into();
                    return Err(fault::rules(*site, Trouble::Outside { value, ty }));
                }
                index
            }
            Code::IsValue(operand, partial) => {
                let index = self.evaluate(operand)?;
                yes(self.is_value(*partial, index))
            }
            Code::RecordPart {
                offset,
                slot,
                operand,
            } => {
                let record = self.evaluate(operand)?;
                self.read(at(record) + offset, 0, *slot)
            }
            Code::Record { parts, words } => {
                let start = self.block(*words)?;
                for (offset, slot, part) in parts {
                    let value = self.evaluate(part)?;
                    self.write(start + offset, 0, *slot, value);
                }
                handle(start)
            }
            Code::Same(pair, shape) => {
                let (left, right) = self.pair(pair)?;
                yes(self.same(left, right, shape))
            }
            Code::Has { item, set, shape } => {
                let item = self.evaluate(item)?;
                let set = self.evaluate(set)?;
                yes(self.has(item, set, shape)?)
            }
            Code::Among {
                item,
                source,
                shape,
            } => {
                let item = self.evaluate(item)?;
                if item == NONE {
                    return Ok(0);
                }
                let done = self.each(source, &mut |machine, value| {
                    Ok(!machine.same(item, value, shape))
                })?;
                yes(!done)
            }
            Code::Within { left, right, shape } => {
                let right = self.evaluate(right)?;
                yes(self.each(left, &mut |machine, value| machine.has(value, right, shape))?)
            }
            Code::CountsWithin { bags, left, right } => {
                let (one, other) = self.pair(bags)?;
                yes(self.counts_within(one, left, other, right))
            }
            Code::Gather { source, shape } => self.gather(source, shape)?,
            Code::Collect { items, shape } => self.collect(items, shape)?,
            Code::With { set, source, shape } => self.with(set, source, shape)?,
            Code::Without { set, source, shape } => self.without(set, source, shape)?,
            Code::Then { piles, stride } => {
                let (first, second) = self.pair(piles)?;
                self.then(first, second, *stride)?
            }
            Code::But {
                map,
                value,
                at: key,
                domain,
                slot,
                words,
            } => {
                let map = self.evaluate(map)?;
                let value = self.evaluate(value)?;
                let key = self.evaluate(key)?;
                let index = domain.index(key);
                if index >= domain.count {
                    return Ok(map);
                }
                let start = self.copy(at(map), *words)?;
                self.write(start, index, *slot, value);
                handle(start)
            }
            Code::ButMany {
                map,
                value,
                at: keys,
                domain,
                slot,
                words,
            } => {
                let map = self.evaluate(map)?;
                let value = self.evaluate(value)?;
                let start = self.copy(at(map), *words)?;
                self.each(keys, &mut |machine, key| {
                    let index = domain.index(key);
                    if index < domain.count {
                        machine.write(start, index, *slot, value);
                    }
                    Ok(true)
                })?;
                handle(start)
            }
            Code::Remap {
                map,
                domain,
                from,
                to,
                words,
            } => {
                let map = self.evaluate(map)?;
                let start = self.block(*words)?;
                for index in 0..domain.count {
                    let value = self.read(at(map), index, *from);
                    self.write(start, index, *to, value);
                }
                handle(start)
            }
            Code::Some(range) => yes(!self.run(
                &range.bindings,
                range.condition.as_slice(),
                &mut |_| Ok(false),
            )?),
            Code::No(range) => yes(self.run(
                &range.bindings,
                range.condition.as_slice(),
                &mut |_| Ok(false),
            )?),
            Code::Best(best) => self.best(best)?,
            Code::Extreme { highest, source } => {
                let mut found = NONE;
                self.each(source, &mut |_, value| {
                    if value != NONE && (found == NONE || (value > found) == *highest) {
                        found = value;
                    }
                    Ok(true)
                })?;
                found
            }
            Code::Sum(source, site) => {
                let mut sum: Option<i64> = Some(0);
                self.each(source, &mut |_, value| {
                    if value != NONE {
                        sum = sum.and_then(|sum| sum.checked_add(value));
                    }
                    Ok(sum.is_some())
                })?;
                number(sum, *site)?
            }
            Code::Count(source) => {
                let mut count = 0;
                self.each(source, &mut |_, value| {
                    count += yes(value != NONE);
                    Ok(true)
                })?;
                count
            }
            Code::PileSize(pile) => handle(super::pile::Pile::of(self.evaluate(pile)?).len),
            Code::HashedSize(set) => handle(Self::size_hashed(self.evaluate(set)?)),
            Code::CountOf {
                item,
                source,
                shape,
            } => {
                let item = self.evaluate(item)?;
                if let (Source::Pile { pile, .. }, true) = (&**source, shape.is_word()) {
                    let pile = self.evaluate(pile)?;
                    return Ok(self.count_words(pile, item));
                }
                let mut count = 0;
                self.each(source, &mut |machine, value| {
                    count += yes(machine.same(item, value, shape));
                    Ok(true)
                })?;
                count
            }
            Code::CountIn { item, bag, domain } => {
                let item = self.evaluate(item)?;
                let bag = self.evaluate(bag)?;
                let index = domain.index(item);
                if index < domain.count {
                    self.load(at(bag) + index)
                } else {
                    0
                }
            }
            Code::CountHashed { item, set, shape } => {
                let item = self.evaluate(item)?;
                let set = self.evaluate(set)?;
                match &**shape {
                    crate::code::Shape::Hashed { hashed } => {
                        self.count_hashed(set, item, *hashed)?
                    }
                    _ => 0,
                }
            }
            Code::Item { pile, index, slot } => {
                let pile = self.evaluate(pile)?;
                let index = self.evaluate(index)?;
                self.item(pile, index, *slot)?
            }
            Code::TopMany(pair) => {
                let (count, pile) = self.pair(pair)?;
                Self::slice(pile, count, false)?
            }
            Code::Below(pair) => {
                let (count, pile) = self.pair(pair)?;
                Self::slice(pile, count, true)?
            }
            Code::Reversed { pile, stride } => {
                let pile = self.evaluate(pile)?;
                self.reversed(pile, *stride)?
            }
            Code::Apart(pair, site) => {
                let (left, right) = self.pair(pair)?;
                number(left.checked_sub(right).and_then(i64::checked_abs), *site)?
            }
            Code::After {
                operand,
                steps,
                count,
                ring,
                before,
            } => self.after(operand, steps, count, *ring, *before)?,
            Code::GridStep { grid, operands } => {
                let point = self.evaluate(&operands.0)?;
                let way = self.evaluate(&operands.1)?;
                let count = self.evaluate(&operands.2)?;
                self.grid_step(*grid as usize, point, way, count)
            }
            Code::GridWay { grid, operands } => {
                let (from, to) = self.pair(operands)?;
                self.grid_way(*grid as usize, from, to)
            }
            Code::GameNumber => self.game_number,
            Code::Text(text) => self.made(text)?,
            Code::Decide {
                keys,
                locals,
                rows,
                site,
            } => self.decide(keys, locals, rows, *site)?,
            Code::Any(rows) => self.any(rows)?,
            Code::All(rows) => self.all(rows)?,
            Code::First(rows) => self.first(rows)?,
            Code::Highest(rows) => self.extreme_row(rows, true)?,
            Code::Lowest(rows) => self.extreme_row(rows, false)?,
            Code::SumRows(rows, site) => self.sum_rows(rows, *site)?,
            Code::UnionBits(rows) => self.union_bits(rows)?,
            Code::Union(rows, shape) => self.union(rows, shape)?,
            Code::Agree {
                rows,
                shape,
                otherwise,
            } => self.agree(rows, shape, otherwise)?,
            simple => return self.evaluate(simple),
        })
    }

    #[inline]
    fn pair(&mut self, pair: &'c (Code, Code)) -> Result<(i64, i64), Stop> {
        let left = self.operand(&pair.0)?;
        Ok((left, self.operand(&pair.1)?))
    }

    #[inline(never)]
    fn divided(
        &mut self,
        pair: &'c (Code, Code),
        site: SiteId,
        operation: fn(i64, i64) -> Option<i64>,
    ) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        if right == 0 {
            return Err(fault::rules(site, Trouble::DivisionByZero));
        }
        number(operation(left, right), site)
    }

    /// The index that parts make.
    #[inline]
    fn index(&mut self, parts: &'c [Component]) -> Result<i64, Stop> {
        let mut index = 0;
        for part in parts {
            let value = self.operand(&part.code)?;
            let place = if part.domain.optional && value == NONE {
                handle(part.domain.count) - 1
            } else {
                value.wrapping_sub(part.domain.base)
            };
            index += place.wrapping_mul(part.stride);
        }
        Ok(index)
    }

    /// The value of a fact without parameters, worked out once in a step.
    #[inline]
    fn fact(&mut self, fact: usize) -> Result<i64, Stop> {
        if self.fact_stamps[fact] == self.stamp {
            return Ok(self.fact_values[fact]);
        }
        self.fact_anew(fact)
    }

    #[inline(never)]
    fn fact_anew(&mut self, fact: usize) -> Result<i64, Stop> {
        self.works()?;
        let compiled = self.compiled;
        let definition = &compiled.facts[fact];
        let value = if definition.locals == 0 {
            self.evaluate(&definition.code)?
        } else {
            self.framed(definition.locals, |machine| {
                machine.evaluate(&definition.code)
            })?
        };
        self.fact_values[fact] = value;
        self.fact_stamps[fact] = self.stamp;
        Ok(value)
    }

    /// The value of a fact with parameters.
    #[inline(never)]
    fn call(&mut self, fact: usize, arguments: &'c [Code]) -> Result<i64, Stop> {
        self.works()?;
        let compiled = self.compiled;
        let definition = &compiled.facts[fact];
        let (base, frame_top) = (self.base, self.frame_top);
        self.reserve(definition.locals);
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.operand(argument)?;
            self.locals[frame_top + index] = value;
        }
        self.base = frame_top;
        let value = self.remembered(fact, arguments.len())?;
        self.base = base;
        self.frame_top = frame_top;
        Ok(value)
    }

    /// The value of a fact whose arguments are the first locals of the frame.
    fn remembered(&mut self, fact: usize, parameters: usize) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let definition = &compiled.facts[fact];
        let Some(table) = &definition.table else {
            return self.evaluate(&definition.code);
        };
        let mut place = 0;
        for (index, domain) in table.domains.iter().enumerate().take(parameters) {
            place = place * domain.count + domain.index(self.locals[self.base + index]);
        }
        let place = table.start + place;
        if self.table_stamps[place] == self.stamp {
            return Ok(self.table_values[place]);
        }
        let value = self.evaluate(&definition.code)?;
        self.table_values[place] = value;
        self.table_stamps[place] = self.stamp;
        Ok(value)
    }

    #[inline(never)]
    fn tabulate(
        &mut self,
        fact: usize,
        domain: crate::code::Domain,
        partial: Option<usize>,
        slot: Slot,
        words: usize,
    ) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let locals = compiled.facts[fact].locals;
        let start = self.block(words)?;
        for index in 0..domain.count {
            let key = domain.value(index);
            if partial.is_some_and(|partial| !self.is_value(partial, key)) {
                continue;
            }
            self.works()?;
            let value = self.framed(locals, |machine| {
                machine.set_local(0, key);
                machine.remembered(fact, 1)
            })?;
            self.write(start, index, slot, value);
        }
        Ok(handle(start))
    }

    /// Whether an index is a value of a partial type.
    pub(super) fn is_value(&self, partial: usize, index: i64) -> bool {
        self.partial[partial]
            .get(at(index))
            .copied()
            .unwrap_or(false)
    }

    #[inline(never)]
    fn after(
        &mut self,
        operand: &'c Code,
        steps: &'c Code,
        count: &'c Code,
        ring: bool,
        before: bool,
    ) -> Result<i64, Stop> {
        let place = self.evaluate(operand)?;
        let steps = self.evaluate(steps)?;
        let count = self.evaluate(count)?;
        let steps = if before { steps.wrapping_neg() } else { steps };
        if ring {
            // Both are small, or the sum is taken around the ring first.
            return Ok((place + steps.rem_euclid(count)) % count);
        }
        let there = place.saturating_add(steps);
        Ok(if (0..count).contains(&there) {
            there
        } else {
            NONE
        })
    }
}

/// A number that fits.
#[inline]
fn number(value: Option<i64>, site: SiteId) -> Result<i64, Stop> {
    match value {
        Some(value) if value != NONE => Ok(value),
        _ => Err(fault::rules(site, Trouble::Overflow)),
    }
}

#[cold]
fn no_entry(key: i64) -> Stop {
    let value = if key == NONE {
        "none".into()
    } else {
        key.to_string()
    };
    let ty = "the keys of this map".into();
    fault::rules(0, Trouble::Outside { value, ty })
}
