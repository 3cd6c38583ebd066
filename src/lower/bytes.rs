//! Entries stored in bytes, of which only a property is needed: it is looked up by the byte, or all bytes are compared
//! at once.

use super::{body::Body, expressions::bounds_of_table, slots::NO_BYTE};
use crate::code::{Bounds, Code, Entry, Loop, NONE, Slot, Source};
use crate::mir::{Callee, Condition, Value};

/// The number of values of a byte; the last is none.
const BYTES: usize = 256;

/// An entry stored in a byte, and the value of the byte 0.
fn entry_in_byte(code: &Code) -> Option<(&Entry, i64)> {
    match code {
        Code::Entry(entry) => match entry.slot {
            Slot::Byte { base } => Some((entry, base)),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a table at an index; none outside it.
fn lookup(table: &[i64], place: i64) -> i64 {
    let place = usize::try_from(place).ok();
    let found = place.and_then(|place| table.get(place));
    found.copied().unwrap_or(NONE)
}

/// The bounds of the meanings of the bytes that an entry can have.
fn bounds_of_meanings(entry: &Entry, meanings: &[i64]) -> Option<Bounds> {
    let (Slot::Byte { base }, Some(bounds)) = (entry.slot, entry.bounds) else {
        return bounds_of_table(meanings);
    };
    let byte = |value: i64| usize::try_from(value - base).ok();
    let stored = meanings.get(byte(bounds.least)?..=byte(bounds.greatest)?)?;
    let mut possible = stored.to_vec();
    if bounds.optional {
        possible.push(NONE);
    }
    bounds_of_table(&possible)
}

impl<'c> Body<'_, 'c> {
    /// The value of an expression that depends only on an entry stored in a byte, by one lookup; nothing for other
    /// expressions.
    pub(super) fn byte_lookup(&mut self, code: &'c Code) -> Option<Value> {
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
                Some(self.translate(entry, &|byte| lookup(table, base + byte)))
            }
            Code::Lift {
                local,
                operand,
                body,
            } => {
                let (entry, base) = entry_in_byte(operand)?;
                let is_local = |code: &Code| matches!(code, Code::Local(other) if other == local);
                match &**body {
                    Code::Lookup(table, place) if is_local(place) => {
                        Some(self.translate(entry, &|byte| lookup(table, base + byte)))
                    }
                    Code::EqualConstant(place, value) if is_local(place) => {
                        Some(self.translate(entry, &|byte| i64::from(base + byte == *value)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Translates the byte of an entry by a table of the meanings of all bytes but the last; none if the entry is none.
    fn translate(&mut self, entry: &'c Entry, meaning: &dyn Fn(i64) -> i64) -> Value {
        let mut table: Vec<i64> = (0..).map(meaning).take(BYTES - 1).collect();
        table.push(NONE);
        let bounds = bounds_of_meanings(entry, &table);
        let table = self.unit.keep_words(table);
        let raw = self.raw_byte(entry);
        let value = self.of_table(table, raw);
        self.as_typed(value, bounds)
    }

    /// The byte of an entry.
    fn raw_byte(&mut self, entry: &'c Entry) -> Value {
        let map = self.place(&entry.map);
        let key = self.code(&entry.key);
        let index = self.index_in(entry.domain, key);
        self.fail_unless_below(index, entry.domain.count);
        let at = self.words(map, entry.slot.words(entry.domain.count));
        self.load_byte(at.indexed(index))
    }
}

/// A number that no byte equals.
const NEVER: i64 = 256;

/// The keys in a range whose entries have a value, or do not.
pub(super) struct Filtered<'c> {
    ends: &'c (Code, Code),
    entry: &'c Entry,
    /// The value of the byte 0.
    base: i64,
    value: Wanted<'c>,
    has: bool,
}

/// The value that entries are compared with.
enum Wanted<'c> {
    Constant(i64),
    Code(&'c Code),
}

impl<'c> Filtered<'c> {
    /// Recognises a source of this form.
    pub(super) fn in_source(source: &'c Source) -> Option<Filtered<'c>> {
        let Source::Mapped(range, Code::Local(value)) = source else {
            return None;
        };
        let filtered = Filtered::of(range)?;
        let is_key = matches!(&*range.bindings, [(local, _)] if local == value);
        is_key.then_some(filtered)
    }

    /// Recognises a loop of this form.
    pub(super) fn of(range: &'c Loop) -> Option<Filtered<'c>> {
        let [(local, Source::Span(ends))] = &*range.bindings else {
            return None;
        };
        let (condition, has) = match range.condition.as_ref()? {
            Code::Not(condition) => (&**condition, false),
            condition => (condition, true),
        };
        let (entry, value) = match condition {
            Code::EqualConstant(entry, value) => (&**entry, Wanted::Constant(*value)),
            Code::Equal(pair) => match &**pair {
                (entry @ Code::Entry(_), value) | (value, entry @ Code::Entry(_)) => {
                    (entry, Wanted::Code(value))
                }
                _ => return None,
            },
            _ => return None,
        };
        let Code::Entry(entry) = entry else {
            return None;
        };
        let is_local = |code: &Code| matches!(code, Code::Local(other) if other == local);
        let Slot::Byte { base } = entry.slot else {
            return None;
        };
        let asks = entry.map.any(&is_local)
            || matches!(value, Wanted::Code(value) if value.any(&is_local));
        if asks || !is_local(&entry.key) || entry.domain.optional {
            return None;
        }
        Some(Filtered {
            ends,
            entry,
            base,
            value,
            has,
        })
    }
}

impl<'c> Body<'_, 'c> {
    /// The number of matching keys.
    pub(super) fn count_filtered(&mut self, filtered: &Filtered<'c>) -> Value {
        let domain = filtered.entry.domain;
        let (lo, hi) = self.both(filtered.ends);
        let first = self.less_constant(lo, domain.base);
        let after = self.less_constant(hi, domain.base - 1);
        let map = self.place(&filtered.entry.map);
        let map = self.handle(map);
        let zero = self.constant(0);
        let result = self.variable(zero);
        let any = self.compare(Condition::Less, first, after);
        self.if_nonzero(any, &mut |body| {
            body.fail_unless_below(first, domain.count);
            body.fail_unless_below(after, domain.count + 1);
            let byte = body.wanted_byte(filtered);
            let mut count = body.call(Callee::CountBytes, &[map, first, after, byte]);
            if !filtered.has {
                let all = body.sub(after, first);
                count = body.sub(all, count);
            }
            body.set(result, count);
        });
        self.get(result)
    }

    /// Whether any key matches.
    pub(super) fn any_filtered(&mut self, filtered: &Filtered<'c>) -> Value {
        let count = self.count_filtered(filtered);
        let zero = self.constant(0);
        self.compare(Condition::NotEqual, count, zero)
    }

    /// The byte of the wanted value.
    fn wanted_byte(&mut self, filtered: &Filtered<'c>) -> Value {
        let value = match filtered.value {
            Wanted::Constant(NONE) => return self.constant(NO_BYTE),
            Wanted::Constant(value) => self.constant(value),
            Wanted::Code(value) => self.code(value),
        };
        let none = self.is_none(value);
        let byte = self.less_constant(value, filtered.base);
        let is_byte = self.is_below(byte, usize::try_from(NO_BYTE).unwrap_or(0));
        let (absent, never) = (self.constant(NO_BYTE), self.constant(NEVER));
        let byte = self.select(is_byte, byte, never);
        self.select(none, absent, byte)
    }
}

const _: () = assert!(NEVER > NO_BYTE && NO_BYTE == u8::MAX as i64);
