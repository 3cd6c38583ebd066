//! Entries that are kept in bytes, where only something about them is asked: it is looked up by the byte.

use super::{body::Body, expressions::bounds_of_table};
use crate::code::{Bounds, Code, Entry, NONE, Slot};
use crate::mir::Value;

/// How many values a byte has; the last stands for none.
const BYTES: usize = 256;

/// An entry that is kept in a byte, and the value that the byte 0 stands for.
fn entry_in_byte(code: &Code) -> Option<(&Entry, i64)> {
    match code {
        Code::Entry(entry) => match entry.slot {
            Slot::Byte { base } => Some((entry, base)),
            _ => None,
        },
        _ => None,
    }
}

/// What a table has at a place; none beside it.
fn looked_up(table: &[i64], place: i64) -> i64 {
    let place = usize::try_from(place).ok();
    let found = place.and_then(|place| table.get(place));
    found.copied().unwrap_or(NONE)
}

/// What the bytes that an entry can be kept in stand for.
fn bounds_of_meanings(entry: &Entry, meanings: &[i64]) -> Option<Bounds> {
    let (Slot::Byte { base }, Some(bounds)) = (entry.slot, entry.bounds) else {
        return bounds_of_table(meanings);
    };
    let byte = |value: i64| usize::try_from(value - base).ok();
    let there = meanings.get(byte(bounds.least)?..=byte(bounds.greatest)?)?;
    let mut possible = there.to_vec();
    if bounds.optional {
        possible.push(NONE);
    }
    bounds_of_table(&possible)
}

impl<'c> Body<'_, 'c> {
    /// The value of an expression that asks for something about an entry in a byte; nothing where it is no such
    /// expression.
    pub(super) fn about_byte(&mut self, code: &'c Code) -> Option<Value> {
        match code {
            Code::EqualConstant(operand, value) => {
                let (entry, base) = entry_in_byte(operand)?;
                let last = i64::try_from(BYTES).ok()? - 1;
                let byte = match *value {
                    NONE => last,
                    value => value
                        .checked_sub(base)
                        .filter(|byte| (0..last).contains(byte))?,
                };
                let raw = self.raw_byte(entry);
                Some(self.equals(raw, byte))
            }
            Code::Lookup(table, operand) => {
                let (entry, base) = entry_in_byte(operand)?;
                Some(self.translated(entry, &|byte| looked_up(table, base + byte)))
            }
            Code::Lift {
                local,
                operand,
                body,
            } => {
                let (entry, base) = entry_in_byte(operand)?;
                let is_it = |code: &Code| matches!(code, Code::Local(asked) if asked == local);
                match &**body {
                    Code::Lookup(table, place) if is_it(place) => {
                        Some(self.translated(entry, &|byte| looked_up(table, base + byte)))
                    }
                    Code::EqualConstant(place, value) if is_it(place) => {
                        Some(self.translated(entry, &|byte| i64::from(base + byte == *value)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What each byte but the last stands for, of the byte that an entry is kept in; none where the entry is none.
    fn translated(&mut self, entry: &'c Entry, meaning: &dyn Fn(i64) -> i64) -> Value {
        let mut table: Vec<i64> = (0..).map(meaning).take(BYTES - 1).collect();
        table.push(NONE);
        let bounds = bounds_of_meanings(entry, &table);
        let table = self.unit.keep_words(table);
        let raw = self.raw_byte(entry);
        let value = self.of_table(table, raw);
        self.as_typed(value, bounds)
    }

    /// The byte that an entry is kept in.
    fn raw_byte(&mut self, entry: &'c Entry) -> Value {
        let map = self.place(&entry.map);
        let key = self.code(&entry.key);
        let index = self.index_in(entry.domain, key);
        self.fail_unless_below(index, entry.domain.count);
        let at = self.words(map, entry.slot.words(entry.domain.count));
        self.load_byte(at.indexed(index))
    }
}
