//! Which entries of a map have a value, where each is a byte: all are looked at at once.

use super::{body::Body, slots::NO_BYTE};
use crate::code::{Code, Entry, Loop, NONE, Slot, Source};
use crate::mir::{Callee, Condition, Value};

/// What no byte is.
const NEVER: i64 = 256;

/// The keys from one to another whose entries have a value, or have not.
pub(super) struct Filtered<'c> {
    ends: &'c (Code, Code),
    entry: &'c Entry,
    /// What a byte is more than the value it stands for.
    base: i64,
    value: Wanted<'c>,
    has: bool,
}

/// A value that entries are compared with.
enum Wanted<'c> {
    Constant(i64),
    Worked(&'c Code),
}

impl<'c> Filtered<'c> {
    /// What is ranged over, if it is that.
    pub(super) fn in_source(source: &'c Source) -> Option<Filtered<'c>> {
        let Source::Mapped(range, Code::Local(value)) = source else {
            return None;
        };
        let filtered = Filtered::of(range)?;
        let is_key = matches!(&*range.bindings, [(local, _)] if local == value);
        is_key.then_some(filtered)
    }

    /// What a loop goes through, if it is that.
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
                    (entry, Wanted::Worked(value))
                }
                _ => return None,
            },
            _ => return None,
        };
        let Code::Entry(entry) = entry else {
            return None;
        };
        let is_local = |code: &Code| matches!(code, Code::Local(asked) if asked == local);
        let Slot::Byte { base } = entry.slot else {
            return None;
        };
        let asks = entry.map.any(&is_local)
            || matches!(value, Wanted::Worked(value) if value.any(&is_local));
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
    /// How many keys are among those.
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
        self.when(any, &mut |body| {
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

    /// Whether any key is among those.
    pub(super) fn any_filtered(&mut self, filtered: &Filtered<'c>) -> Value {
        let count = self.count_filtered(filtered);
        let zero = self.constant(0);
        self.compare(Condition::NotEqual, count, zero)
    }

    /// The byte that stands for the value.
    fn wanted_byte(&mut self, filtered: &Filtered<'c>) -> Value {
        let value = match filtered.value {
            Wanted::Constant(NONE) => return self.constant(NO_BYTE),
            Wanted::Constant(value) => self.constant(value),
            Wanted::Worked(value) => self.code(value),
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
