//! Operators on values that are one word.

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{
        After, Check, Code, Component, Dense, Entry, If, MaskedRows, NONE, Part, SiteId, Switch,
    },
    fault::{self, Stop, Trouble},
};

/// A yes/no as a value.
#[inline]
pub(super) fn yes(value: bool) -> i64 {
    i64::from(value)
}

impl<'c> Machine<'c> {
    #[expect(
        clippy::inline_always,
        reason = "as a function of its own it would cost what it saves"
    )]
    #[inline(always)]
    pub(super) fn pair(&mut self, pair: &'c (Code, Code)) -> Result<(i64, i64), Stop> {
        let left = self.operand(&pair.0)?;
        Ok((left, self.operand(&pair.1)?))
    }

    #[inline(never)]
    pub(super) fn looked_up_loaded(&self, table: &[i64], place: u32) -> i64 {
        let place = usize::try_from(self.load(place as usize)).unwrap_or(usize::MAX);
        table.get(place).copied().unwrap_or(NONE)
    }

    #[inline(never)]
    pub(super) fn equal_loaded(&self, place: u32, value: i64) -> i64 {
        yes(self.load(place as usize) == value)
    }

    #[inline(never)]
    pub(super) fn looked_up(&mut self, table: &'c [i64], operand: &'c Code) -> Result<i64, Stop> {
        let place = self.operand(operand)?;
        let entry = usize::try_from(place).ok().and_then(|at| table.get(at));
        Ok(entry.copied().unwrap_or(NONE))
    }

    /// A part of an index.
    #[inline(never)]
    pub(super) fn part(&mut self, part: &'c Part) -> Result<i64, Stop> {
        let place = (self.operand(&part.operand)? / part.divisor) % handle(part.domain.count);
        Ok(part.domain.value(at(place)))
    }

    #[inline(never)]
    pub(super) fn entry(&mut self, entry: &'c Entry) -> Result<i64, Stop> {
        let map = self.operand(&entry.map)?;
        let key = self.operand(&entry.key)?;
        let index = entry.domain.index(key);
        if index >= entry.domain.count {
            return Err(no_entry(key));
        }
        Ok(self.as_typed(entry.bounds, self.read(at(map), index, entry.slot)))
    }

    /// An entry that is a word of fixed memory.
    #[inline(never)]
    pub(super) fn word_at(
        &mut self,
        start: usize,
        base: i64,
        count: usize,
        key: &'c Code,
    ) -> Result<i64, Stop> {
        let key = self.operand(key)?;
        match usize::try_from(key.wrapping_sub(base)) {
            Ok(index) if index < count => Ok(self.load(start + index)),
            _ => Err(no_entry(key)),
        }
    }

    #[inline(never)]
    pub(super) fn add_numbers(
        &mut self,
        pair: &'c (Code, Code),
        site: SiteId,
    ) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        number(left.checked_add(right), site)
    }

    #[inline(never)]
    pub(super) fn subtract(&mut self, pair: &'c (Code, Code), site: SiteId) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        number(left.checked_sub(right), site)
    }

    #[inline(never)]
    pub(super) fn multiply(&mut self, pair: &'c (Code, Code), site: SiteId) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        number(left.checked_mul(right), site)
    }

    #[inline(never)]
    pub(super) fn divided(
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

    #[inline(never)]
    pub(super) fn negate(&mut self, operand: &'c Code, site: SiteId) -> Result<i64, Stop> {
        number(self.operand(operand)?.checked_neg(), site)
    }

    #[inline(never)]
    pub(super) fn apart(&mut self, pair: &'c (Code, Code), site: SiteId) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        number(left.checked_sub(right).and_then(i64::checked_abs), site)
    }

    #[inline(never)]
    pub(super) fn less(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(yes(left < right))
    }

    #[inline(never)]
    pub(super) fn less_or_equal(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(yes(left <= right))
    }

    #[inline(never)]
    pub(super) fn equal(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(yes(left == right))
    }

    #[inline(never)]
    pub(super) fn equal_constant(&mut self, operand: &'c Code, value: i64) -> Result<i64, Stop> {
        Ok(yes(self.operand(operand)? == value))
    }

    #[inline(never)]
    pub(super) fn not(&mut self, operand: &'c Code) -> Result<i64, Stop> {
        Ok(1 - self.operand(operand)?)
    }

    #[inline(never)]
    pub(super) fn and(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        if self.operand(&pair.0)? == 0 {
            return Ok(0);
        }
        self.evaluate(&pair.1)
    }

    #[inline(never)]
    pub(super) fn or(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        if self.operand(&pair.0)? != 0 {
            return Ok(1);
        }
        self.evaluate(&pair.1)
    }

    #[inline(never)]
    pub(super) fn otherwise(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let value = self.operand(&pair.0)?;
        if value != NONE {
            return Ok(value);
        }
        self.evaluate(&pair.1)
    }

    #[inline(never)]
    pub(super) fn the(&mut self, operand: &'c Code, site: SiteId) -> Result<i64, Stop> {
        let value = self.operand(operand)?;
        if value == NONE {
            return Err(fault::rules(site, Trouble::None));
        }
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn lift(
        &mut self,
        local: u32,
        operand: &'c Code,
        body: &'c Code,
    ) -> Result<i64, Stop> {
        let value = self.operand(operand)?;
        if value == NONE {
            return Ok(NONE);
        }
        self.set_local(local, value);
        self.evaluate(body)
    }

    #[inline(never)]
    pub(super) fn checked(
        &mut self,
        operand: &'c Code,
        check: &'c Check,
        site: SiteId,
    ) -> Result<i64, Stop> {
        let value = self.operand(operand)?;
        self.check(value, check, site)?;
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn between(&mut self, triple: &'c (Code, Code, Code)) -> Result<i64, Stop> {
        let item = self.operand(&triple.0)?;
        let lo = self.operand(&triple.1)?;
        let hi = self.operand(&triple.2)?;
        Ok(yes(lo <= item && item <= hi && item != NONE))
    }

    #[inline(never)]
    pub(super) fn has_bit(
        &mut self,
        item: &'c Code,
        set: &'c Code,
        base: i64,
    ) -> Result<i64, Stop> {
        let item = self.operand(item)?;
        let set = self.operand(set)?;
        let bit = item.wrapping_sub(base);
        Ok(yes((0..64).contains(&bit) && (set >> bit) & 1 == 1))
    }

    #[inline(never)]
    pub(super) fn bits_with(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(left | right)
    }

    #[inline(never)]
    pub(super) fn bits_without(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(left & !right)
    }

    #[inline(never)]
    pub(super) fn bit(&mut self, item: &'c Code, base: i64) -> Result<i64, Stop> {
        let bit = self.operand(item)?.wrapping_sub(base);
        Ok(u32::try_from(bit).map_or(0, |bit| 1i64.checked_shl(bit).unwrap_or(0)))
    }

    /// The members of a bag, as bits.
    #[inline(never)]
    pub(super) fn members(&mut self, bag: &'c Code, count: usize) -> Result<i64, Stop> {
        let bag = at(self.operand(bag)?);
        let mut bits = 0;
        for pieces in self.memory[bag..bag + count].iter().rev() {
            bits = (bits << 1) | i64::from(*pieces != 0);
        }
        Ok(bits)
    }

    #[inline(never)]
    pub(super) fn bits_both(&mut self, pair: &'c (Code, Code)) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(left & right)
    }

    /// The set of bits that belongs to a value.
    #[inline(never)]
    pub(super) fn masked(
        &mut self,
        masks: &'c [i64],
        base: i64,
        operand: &'c Code,
    ) -> Result<i64, Stop> {
        let value = self.operand(operand)?;
        let mask = usize::try_from(value.wrapping_sub(base))
            .ok()
            .and_then(|at| masks.get(at));
        Ok(mask.copied().unwrap_or(0))
    }

    /// The members for which a decision table says yes.
    #[inline(never)]
    pub(super) fn masked_rows(&mut self, masked: &'c MaskedRows) -> Result<i64, Stop> {
        let index = at(self.index(&masked.keys)?);
        let rows = masked.values.len();
        let mut set = 0;
        let decided = masked.masks.iter().skip(index * rows);
        for (mask, value) in decided.zip(&masked.values) {
            if *mask != 0 {
                set |= mask & self.operand(value)?;
            }
        }
        Ok(set)
    }

    /// The member that comes first in an order.
    #[inline(never)]
    pub(super) fn bits_ranked(
        &mut self,
        ranks: &'c [u8],
        base: i64,
        set: &'c Code,
    ) -> Result<i64, Stop> {
        let mut bits = self.operand(set)?;
        let mut first = NONE;
        let mut least = u8::MAX;
        while bits != 0 {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            let rank = ranks.get(bit as usize).copied().unwrap_or(u8::MAX);
            if rank < least {
                least = rank;
                first = base + i64::from(bit);
            }
        }
        Ok(first)
    }

    #[inline(never)]
    pub(super) fn bits_size(&mut self, set: &'c Code) -> Result<i64, Stop> {
        Ok(i64::from(self.operand(set)?.count_ones()))
    }

    #[inline(never)]
    pub(super) fn bits_highest(&mut self, set: &'c Code, base: i64) -> Result<i64, Stop> {
        let set = self.operand(set)?;
        Ok(match set {
            0 => NONE,
            _ => base + 63 - i64::from(set.leading_zeros()),
        })
    }

    #[inline(never)]
    pub(super) fn bits_lowest(&mut self, set: &'c Code, base: i64) -> Result<i64, Stop> {
        let set = self.operand(set)?;
        Ok(match set {
            0 => NONE,
            _ => base + i64::from(set.trailing_zeros()),
        })
    }

    /// The expression that a value chooses.
    #[inline(never)]
    pub(super) fn switch(&mut self, switch: &'c Switch) -> Result<i64, Stop> {
        let value = self.chosen(switch)?;
        self.operand(value)
    }

    /// Which expression a value chooses.
    #[inline]
    pub(super) fn chosen(&mut self, switch: &'c Switch) -> Result<&'c Code, Stop> {
        let value = self.operand(&switch.operand)?;
        let row = usize::try_from(value)
            .ok()
            .and_then(|at| switch.rows.get(at));
        match row.and_then(|row| switch.values.get(usize::from(*row))) {
            Some(value) => Ok(value),
            None => Err(fault::rules(switch.site, Trouble::NoRow)),
        }
    }

    #[inline(never)]
    pub(super) fn either(&mut self, choice: &'c If) -> Result<i64, Stop> {
        if self.all_hold(&choice.conditions)? {
            self.operand(&choice.value)
        } else {
            self.operand(&choice.otherwise)
        }
    }

    /// A decision table that is a dense array.
    #[inline(never)]
    pub(super) fn dense(&mut self, table: &'c Dense) -> Result<i64, Stop> {
        let value = self.decided(table)?;
        self.operand(value)
    }

    /// What a decision table decides for.
    #[inline]
    pub(super) fn decided(&mut self, table: &'c Dense) -> Result<&'c Code, Stop> {
        let index = self.index(&table.keys)?;
        let row = usize::try_from(index)
            .ok()
            .and_then(|at| table.rows.get(at));
        match row.and_then(|row| table.values.get(usize::from(*row))) {
            Some(value) => Ok(value),
            None => Err(fault::rules(table.site, Trouble::NoRow)),
        }
    }

    #[inline(never)]
    pub(super) fn is_value_of(&mut self, operand: &'c Code, partial: usize) -> Result<i64, Stop> {
        let index = self.operand(operand)?;
        Ok(yes(self.is_value(partial, index)))
    }

    #[inline(never)]
    pub(super) fn checked_index(
        &mut self,
        parts: &'c [Component],
        partial: usize,
        site: SiteId,
    ) -> Result<i64, Stop> {
        let index = self.index(parts)?;
        if index != NONE && !self.is_value(partial, index) {
            let value = index.to_string();
            let ty = "its type".into();
            return Err(fault::rules(site, Trouble::Outside { value, ty }));
        }
        Ok(index)
    }

    /// The index that parts make.
    #[inline(never)]
    pub(super) fn index(&mut self, parts: &'c [Component]) -> Result<i64, Stop> {
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

    /// A member so many places on.
    #[inline(never)]
    pub(super) fn after(&mut self, after: &'c After) -> Result<i64, Stop> {
        let place = self.operand(&after.operand)?;
        let steps = self.operand(&after.steps)?;
        let count = self.operand(&after.count)?;
        let steps = if after.before {
            steps.wrapping_neg()
        } else {
            steps
        };
        if after.ring {
            let steps = if (0..count).contains(&steps) {
                steps
            } else {
                steps.rem_euclid(count)
            };
            let there = place + steps;
            return Ok(if there < count { there } else { there - count });
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
pub(super) fn number(value: Option<i64>, site: SiteId) -> Result<i64, Stop> {
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
