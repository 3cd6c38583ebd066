//! Decision tables whose rows also have conditions: the keys select the rows that can fire, and only these are
//! evaluated.

use std::collections::BTreeMap;

use super::{body::Body, word};
use crate::code::{Code, Compiled, Decide, DecideRow, Entry, Matches, NONE, Slot};
use crate::mir::{Block, Table, Value, Variable, Width};

/// A table is made for at most this many combinations of keys.
const MOST_COMBINATIONS: usize = 4096;

/// At most this many rows are emitted, in all sets of rows together.
const MOST_ROWS: usize = 64;

/// Facts are inspected up to this depth.
const DEEPEST: usize = 4;

/// The largest offset of a value stored in a byte.
const BYTES: i64 = 254;

/// The values that an expression can have: an interval, and maybe none.
#[derive(Debug, Clone, Copy)]
struct Spread {
    lo: i64,
    hi: i64,
    none: bool,
}

impl Spread {
    fn new(lo: i64, hi: i64) -> Spread {
        let none = false;
        Spread { lo, hi, none }
    }

    fn or_none(self) -> Spread {
        Spread { none: true, ..self }
    }

    fn and(self, other: Spread) -> Spread {
        Spread {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            none: self.none || other.none,
        }
    }

    /// The number of values; the last is none, if that is one.
    fn count(self) -> Option<usize> {
        let span = self.hi.checked_sub(self.lo)?.checked_add(1)?;
        usize::try_from(span)
            .ok()?
            .checked_add(usize::from(self.none))
    }

    fn value(self, index: usize) -> i64 {
        match i64::try_from(index)
            .ok()
            .and_then(|index| self.lo.checked_add(index))
        {
            Some(value) if value <= self.hi => value,
            _ => NONE,
        }
    }
}

/// The spread of some words, of which some may be none.
fn spread_of(words: impl Iterator<Item = i64>) -> Option<Spread> {
    let spreads = words.map(|word| match word {
        NONE => None,
        word => Some(Spread::new(word, word)),
    });
    let (mut all, mut none) = (None::<Spread>, false);
    for spread in spreads {
        match (spread, all) {
            (None, _) => none = true,
            (Some(spread), None) => all = Some(spread),
            (Some(spread), Some(before)) => all = Some(before.and(spread)),
        }
    }
    let all = all?;
    Some(if none { all.or_none() } else { all })
}

/// The spread of an expression, if known.
fn spread(compiled: &Compiled, code: &Code, depth: usize) -> Option<Spread> {
    let deeper = |code| spread(compiled, code, depth);
    let all = |codes: &[Code]| {
        let mut codes = codes.iter().map(|code| spread(compiled, code, depth));
        let first = codes.next()??;
        codes.try_fold(first, |before, next| Some(before.and(next?)))
    };
    match code {
        Code::Constant(NONE) => None,
        Code::Constant(word) => Some(Spread::new(*word, *word)),
        // Outside the table, the value is none.
        Code::Lookup(table, _) => Some(spread_of(table.iter().copied())?.or_none()),
        Code::Less(_)
        | Code::LessOrEqual(_)
        | Code::Equal(_)
        | Code::EqualConstant(..)
        | Code::Not(_)
        | Code::And(_)
        | Code::Or(_)
        | Code::Between(_)
        | Code::HasBit { .. }
        | Code::Some(_)
        | Code::No(_) => Some(Spread::new(0, 1)),
        Code::Entry(entry) => match **entry {
            Entry {
                slot: Slot::Byte { base },
                ..
            } => Some(Spread::new(base, base.checked_add(BYTES)?).or_none()),
            _ => None,
        },
        Code::Apart(pair, _) => {
            let (left, right) = (deeper(&pair.0)?, deeper(&pair.1)?);
            let one = left.hi.checked_sub(right.lo)?;
            let other = right.hi.checked_sub(left.lo)?;
            Some(Spread::new(0, one.max(other).max(0)))
        }
        Code::Lift { body, .. } => Some(deeper(body)?.or_none()),
        Code::The(operand, _) => {
            let inner = deeper(operand)?;
            Some(Spread::new(inner.lo, inner.hi))
        }
        Code::Else(pair) => Some(deeper(&pair.0)?.and(deeper(&pair.1)?)),
        Code::If(choice) => Some(deeper(&choice.value)?.and(deeper(&choice.otherwise)?)),
        Code::Dense(table) => all(&table.values),
        Code::Switch(switch) => all(&switch.values),
        Code::Fact(fact) | Code::Call(fact, _) if depth > 0 => {
            let fact = &compiled.facts[*fact as usize];
            spread(compiled, &fact.code, depth - 1)
        }
        _ => None,
    }
}

/// Whether a value is in a cell.
fn is_in(cell: &Matches, value: i64) -> bool {
    match cell {
        Matches::Any => true,
        Matches::Ranges { wanted, ranges } => {
            let mut ranges = ranges.iter();
            ranges.any(|(lo, hi)| (*lo..=*hi).contains(&value)) == *wanted
        }
    }
}

/// The rows that can fire, by the keys.
struct Plan {
    spreads: Vec<Spread>,
    /// For each combination of keys, the index of its set of rows.
    table: Box<[u16]>,
    /// Sets of rows that can fire, in order: only the last fires unconditionally.
    sets: Vec<Vec<usize>>,
}

impl Plan {
    fn of(compiled: &Compiled, table: &Decide) -> Option<Plan> {
        let spreads = table.keys.iter().map(|key| spread(compiled, key, DEEPEST));
        let spreads: Vec<Spread> = spreads.collect::<Option<_>>()?;
        let mut combinations = 1usize;
        for spread in &spreads {
            combinations = combinations.checked_mul(spread.count()?)?;
            if combinations > MOST_COMBINATIONS {
                return None;
            }
        }
        let mut known: BTreeMap<Vec<usize>, u16> = BTreeMap::new();
        let mut sets = Vec::new();
        let mut places = Vec::with_capacity(combinations);
        for combination in 0..combinations {
            let mut rest = combination;
            let mut values = Vec::with_capacity(spreads.len());
            for spread in spreads.iter().rev() {
                let count = spread.count()?;
                values.push(spread.value(rest % count));
                rest /= count;
            }
            values.reverse();
            let rows = rows_for(&table.rows, &values);
            let place = if let Some(place) = known.get(&rows) {
                *place
            } else {
                let place = u16::try_from(sets.len()).ok()?;
                sets.push(rows.clone());
                known.insert(rows, place);
                place
            };
            places.push(place);
        }
        let emitted: usize = sets.iter().map(Vec::len).sum();
        (emitted <= MOST_ROWS).then(|| Plan {
            spreads,
            table: places.into_boxed_slice(),
            sets,
        })
    }
}

/// The rows that can fire for some keys.
fn rows_for(rows: &[DecideRow], values: &[i64]) -> Vec<usize> {
    let mut found = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let mut cells = row.cells.iter().zip(values);
        if cells.all(|(cell, value)| is_in(cell, *value)) {
            found.push(place);
            if row.conditions.is_empty() {
                break;
            }
        }
    }
    found
}

impl<'c> Body<'_, 'c> {
    /// The value of the first row whose cells and conditions hold; the keys are in their locals. Nothing if there is no
    /// such plan.
    pub(super) fn decided_by_table(&mut self, table: &'c Decide) -> Option<Value> {
        if self.unit.is_exact {
            return None;
        }
        let plan = Plan::of(self.unit.compiled, table)?;
        let mut index = self.constant(0);
        for (spread, local) in plan.spreads.iter().zip(&table.locals) {
            let count = spread.count()?;
            let value = self.local(*local);
            let mut place = self.less_constant(value, spread.lo);
            if spread.none {
                let none = self.is_none(value);
                let last = self.constant(word(count - 1));
                place = self.select(none, last, place);
            }
            self.fail_unless_below(place, count);
            index = self.mul_imm(index, word(count));
            index = self.add(index, place);
        }
        let rows = self.unit.table(Table::Rows(plan.table));
        let set = self.of_narrow(rows, index, Width::Row);
        let none = self.none();
        let result = self.variable(none);
        let (nothing, done) = (self.block(), self.block());
        let blocks: Vec<Block> = plan.sets.iter().map(|_| self.block()).collect();
        let values: Vec<Block> = table.rows.iter().map(|_| self.block()).collect();
        self.jump_by_row(set, &blocks, nothing);
        for (block, rows) in blocks.into_iter().zip(&plan.sets) {
            self.begin(block);
            for row in rows {
                let next = self.block();
                for condition in &table.rows[*row].conditions {
                    self.unless_holds(condition, next);
                }
                self.go_to(values[*row]);
                self.begin(next);
            }
            self.go_to(nothing);
        }
        self.values_of_rows(&table.rows, &values, result, done);
        self.begin(nothing);
        self.fail();
        self.go_to(done);
        self.begin(done);
        Some(self.get(result))
    }

    fn values_of_rows(
        &mut self,
        rows: &'c [DecideRow],
        blocks: &[Block],
        result: Variable,
        done: Block,
    ) {
        for (row, block) in rows.iter().zip(blocks) {
            self.begin(*block);
            let value = self.code(&row.value);
            self.set(result, value);
            self.go_to(done);
        }
    }
}
