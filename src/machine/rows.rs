//! Tables: rows that fire, and what is made of them.

use super::{Machine, memory::handle, operators::number};
use crate::{
    code::{Code, Decide, Matches, NONE, Row, Shape, SiteId, UnionRow},
    fault::{self, Stop, Trouble},
};

impl<'c> Machine<'c> {
    /// Calls `visit` with the value of each row that fires; says whether no visit stopped it.
    #[inline]
    fn fired(
        &mut self,
        rows: &'c [Row],
        mut visit: impl FnMut(&mut Self, &'c Row, i64) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        for row in rows {
            let goes_on = if row.bindings.is_empty() {
                if !self.all_hold(&row.conditions)? {
                    continue;
                }
                let value = self.operand(&row.value)?;
                visit(self, row, value)?
            } else {
                self.run(&row.bindings, &row.conditions, &mut |machine| {
                    let value = machine.evaluate(&row.value)?;
                    visit(machine, row, value)
                })?
            };
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline(never)]
    pub(super) fn any(&mut self, rows: &'c [Row]) -> Result<i64, Stop> {
        let none_did = self.fired(rows, |_, _, value| Ok(value != 1))?;
        Ok(i64::from(!none_did))
    }

    #[inline(never)]
    pub(super) fn all(&mut self, rows: &'c [Row]) -> Result<i64, Stop> {
        let all_did = self.fired(rows, |_, _, value| Ok(value != 0))?;
        Ok(i64::from(all_did))
    }

    #[inline(never)]
    pub(super) fn first(&mut self, rows: &'c [Row]) -> Result<i64, Stop> {
        let mut found = NONE;
        self.fired(rows, |_, row, value| {
            if row.maybe && value == NONE {
                return Ok(true);
            }
            found = value;
            Ok(false)
        })?;
        Ok(found)
    }

    #[inline(never)]
    pub(super) fn extreme_row(&mut self, rows: &'c [Row], highest: bool) -> Result<i64, Stop> {
        let mut found = NONE;
        self.fired(rows, |_, _, value| {
            if value != NONE && (found == NONE || (value > found) == highest) {
                found = value;
            }
            Ok(true)
        })?;
        Ok(found)
    }

    #[inline(never)]
    pub(super) fn sum_rows(&mut self, rows: &'c [Row], site: SiteId) -> Result<i64, Stop> {
        let mut sum: Option<i64> = Some(0);
        self.fired(rows, |_, _, value| {
            if value != NONE {
                sum = sum.and_then(|sum| sum.checked_add(value));
            }
            Ok(sum.is_some())
        })?;
        number(sum, site)
    }

    #[inline(never)]
    pub(super) fn union_bits(&mut self, rows: &'c [Row]) -> Result<i64, Stop> {
        let mut bits = 0;
        self.fired(rows, |_, _, value| {
            if value != NONE {
                bits |= value;
            }
            Ok(true)
        })?;
        Ok(bits)
    }

    #[inline(never)]
    pub(super) fn union(&mut self, rows: &'c [UnionRow], shape: &'c Shape) -> Result<i64, Stop> {
        if let Shape::Hashed { .. } | Shape::Bits { .. } = shape {
            return self.union_of_handles(rows, shape);
        }
        let start = self.block(shape.block().unwrap_or(0))?;
        for UnionRow {
            row,
            source,
            shape: own,
        } in rows
        {
            self.run(&row.bindings, &row.conditions, &mut |machine| {
                if let Some(source) = source {
                    machine.each(source, &mut |machine, value| {
                        machine.add(start, value, shape)?;
                        Ok(true)
                    })?;
                } else {
                    let value = machine.evaluate(&row.value)?;
                    if value != NONE {
                        machine.each_member(value, own, &mut |machine, value| {
                            machine.add(start, value, shape)?;
                            Ok(true)
                        })?;
                    }
                }
                Ok(true)
            })?;
        }
        Ok(handle(start))
    }

    fn union_of_handles(&mut self, rows: &'c [UnionRow], shape: &'c Shape) -> Result<i64, Stop> {
        let mut set = 0i64;
        for UnionRow {
            row, shape: own, ..
        } in rows
        {
            self.run(&row.bindings, &row.conditions, &mut |machine| {
                let value = machine.evaluate(&row.value)?;
                if value == NONE {
                    return Ok(true);
                }
                machine.each_member(value, own, &mut |machine, member| {
                    match shape {
                        Shape::Hashed { hashed } => {
                            set = machine.insert_hashed(set, member, *hashed)?;
                        }
                        Shape::Bits { domain } => set |= 1 << domain.index(member).min(63),
                        _ => {}
                    }
                    Ok(true)
                })
            })?;
        }
        Ok(set)
    }

    /// Visits the members of a set that was made.
    pub(crate) fn each_member(
        &mut self,
        set: i64,
        shape: &Shape,
        visit: super::range::Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        match shape {
            Shape::Bits { domain } => {
                let mut bits = set;
                while bits != 0 {
                    let index = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if !visit(self, domain.value(index))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Shape::Words { domain, words } => {
                self.each_word(super::memory::at(set), domain.base, *words, visit)
            }
            Shape::Counts { domain } => {
                self.each_counted(super::memory::at(set), domain.base, domain.count, visit)
            }
            Shape::Pile { slot, .. } => {
                let pile = super::pile::Pile::of(set);
                for index in 0..pile.len {
                    self.works()?;
                    let value = self.element(pile, index, *slot)?;
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Shape::Hashed { hashed } => self.each_hashed(set, *hashed, visit),
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => Ok(true),
        }
    }

    /// The value on which the rows that fire agree, or `otherwise` where none does.
    #[inline(never)]
    pub(super) fn agree(
        &mut self,
        rows: &'c [Row],
        shape: &'c Shape,
        otherwise: &'c Code,
    ) -> Result<i64, Stop> {
        let mut found: Option<(i64, &'c Row)> = None;
        self.fired(rows, |machine, row, value| {
            match found {
                None => found = Some((value, row)),
                Some((other, first)) if !machine.same(value, other, shape) => {
                    let labels = [first.label.clone(), row.label.clone()];
                    return Err(fault::rules(row.site, Trouble::Disagreement { labels }));
                }
                Some(_) => {}
            }
            Ok(true)
        })?;
        match found {
            Some((value, _)) => Ok(value),
            None => self.operand(otherwise),
        }
    }

    /// The value of the first row whose cells and conditions hold.
    #[inline(never)]
    pub(super) fn decide(&mut self, table: &'c Decide) -> Result<i64, Stop> {
        let Decide {
            keys,
            locals,
            rows,
            site,
        } = table;
        for (key, local) in keys.iter().zip(locals.iter()) {
            let value = self.evaluate(key)?;
            self.set_local(*local, value);
        }
        'rows: for row in rows {
            for (cell, local) in row.cells.iter().zip(locals.iter()) {
                if let Matches::Ranges { wanted, ranges } = cell {
                    let value = self.locals[self.base + *local as usize];
                    let found = ranges.iter().any(|(lo, hi)| *lo <= value && value <= *hi);
                    if found != *wanted {
                        continue 'rows;
                    }
                }
            }
            for condition in &row.conditions {
                if self.evaluate(condition)? == 0 {
                    continue 'rows;
                }
            }
            return self.evaluate(&row.value);
        }
        Err(fault::rules(*site, Trouble::NoRow))
    }
}
