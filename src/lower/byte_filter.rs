//! Byte filter: if the first condition of a loop only compares an entry that is stored in a byte, all entries are
//! compared at once, sixteen bytes at a time, and only the matching keys are visited.

use std::collections::BTreeMap;

use super::{body::Body, inlining::is_inlined, ranges::Visit, slots::NO_BYTE, word};
use crate::code::{Bounds, Code, Compiled, Entry, NONE, Slot, Source};
use crate::mir::{Callee, Value};

/// The filter pays from this many keys on, and supports up to 64.
const LEAST_KEYS: u64 = 8;
const MOST_KEYS: u64 = 64;

/// The range of bytes that mean a value.
type Bytes = (i64, i64);

/// The range for a value that no byte means: it is empty.
const NEVER: Bytes = (1, 0);

/// A condition that compares an entry, or its translation by a table, with a value.
pub(super) struct ByteFilter<'c> {
    entry: &'c Entry,
    /// For each value, the bytes that mean it.
    meanings: BTreeMap<i64, Bytes>,
    wanted: Wanted<'c>,
    /// Whether the keys with the value are wanted, or all others.
    has: bool,
    /// The first and the last key.
    ends: (i64, i64),
}

/// The wanted value.
enum Wanted<'c> {
    Constant(i64),
    Code(&'c Code),
}

impl<'c> ByteFilter<'c> {
    /// Recognises a condition of this form.
    pub(super) fn of(
        body: &Body<'_, 'c>,
        local: u32,
        source: &'c Source,
        condition: &'c Code,
    ) -> Option<ByteFilter<'c>> {
        let Source::Span(ends) = source else {
            return None;
        };
        let (lo, hi) = body.short_span(ends)?;
        let mut has = true;
        let mut condition = condition;
        let mut local = local;
        // Whether the condition is in an inlined fact, which has other locals.
        let mut is_in_fact = false;
        let compared = loop {
            match condition {
                Code::Not(negated) => {
                    has = !has;
                    condition = negated;
                }
                // A fact of the key alone: look into its definition.
                Code::Call(fact, arguments) => {
                    condition = definition_of(body.unit.compiled, *fact, arguments, local)?;
                    local = 0;
                    is_in_fact = true;
                }
                Code::EqualConstant(compared, value) => {
                    break (&**compared, Wanted::Constant(*value));
                }
                Code::Equal(pair) => {
                    let is_key = |code: &Code| matches!(code, Code::Local(key) if *key == local);
                    break match (pair.0.any(&is_key), pair.1.any(&is_key)) {
                        (true, false) => (&pair.0, Wanted::Code(&pair.1)),
                        (false, true) => (&pair.1, Wanted::Code(&pair.0)),
                        _ => return None,
                    };
                }
                _ => return None,
            }
        };
        let (operand, wanted) = compared;
        let (entry, table) = entry_of(body.unit.compiled, operand, local)?;
        let other = match wanted {
            Wanted::Constant(_) => 0,
            Wanted::Code(code) => code.locals(),
        };
        if is_in_fact && (entry.map.locals() > 0 || other > 0) {
            return None;
        }
        let domain = entry.domain;
        let (first, last) = (lo.checked_sub(domain.base)?, hi.checked_sub(domain.base)?);
        let fits = first >= 0 && last < word(domain.count) && !domain.optional;
        let keys = hi.abs_diff(lo) + 1;
        if !fits || !(LEAST_KEYS..=MOST_KEYS).contains(&keys) {
            return None;
        }
        Some(ByteFilter {
            entry,
            meanings: meanings(entry, table)?,
            wanted,
            has,
            ends: (lo, hi),
        })
    }
}

/// The definition of a small fact whose only argument is the key.
fn definition_of<'c>(
    compiled: &'c Compiled,
    fact: u32,
    arguments: &[Code],
    local: u32,
) -> Option<&'c Code> {
    let [Code::Local(argument)] = arguments else {
        return None;
    };
    let code = &compiled.facts[fact as usize].code;
    (*argument == local && is_inlined(code)).then_some(code)
}

/// The entry in a byte whose key is a local, and the table that translates it.
fn entry_of<'c>(
    compiled: &'c Compiled,
    code: &'c Code,
    local: u32,
) -> Option<(&'c Entry, Option<&'c [i64]>)> {
    let is_key = |code: &Code| matches!(code, Code::Local(key) if *key == local);
    match code {
        Code::Entry(entry) if is_key(&entry.key) && !entry.map.any(&is_key) => Some((entry, None)),
        Code::Lookup(table, operand) => {
            let (entry, None) = entry_of(compiled, operand, local)? else {
                return None;
            };
            Some((entry, Some(table)))
        }
        Code::Lift {
            local: lifted,
            operand,
            body,
        } => match &**body {
            Code::Lookup(table, place) if matches!(&**place, Code::Local(at) if at == lifted) => {
                let (entry, None) = entry_of(compiled, operand, local)? else {
                    return None;
                };
                Some((entry, Some(table)))
            }
            _ => None,
        },
        Code::Call(fact, arguments) => {
            let definition = definition_of(compiled, *fact, arguments, local)?;
            let (entry, table) = entry_of(compiled, definition, 0)?;
            // Locals of the fact are not those of the loop.
            (entry.map.locals() == 0).then_some((entry, table))
        }
        _ => None,
    }
}

/// For each value of an entry, or of its translation by a table, the range of bytes that mean it; nothing if these are
/// not contiguous.
fn meanings(entry: &Entry, table: Option<&[i64]>) -> Option<BTreeMap<i64, Bytes>> {
    let Slot::Byte { base } = entry.slot else {
        return None;
    };
    let Bounds {
        least,
        greatest,
        optional,
    } = entry.bounds?;
    let mut meanings: BTreeMap<i64, Bytes> = BTreeMap::new();
    let mut add = |value: i64, byte: i64| {
        let bytes = meanings.entry(value).or_insert((byte, byte - 1));
        let follows = bytes.1 + 1 == byte;
        bytes.1 = byte;
        follows
    };
    for value in least..=greatest {
        let meaning = match table {
            None => value,
            Some(table) => *table.get(usize::try_from(value).ok()?)?,
        };
        if !add(meaning, value - base) {
            return None;
        }
    }
    if optional && !add(NONE, NO_BYTE) {
        return None;
    }
    Some(meanings)
}

impl<'b, 'c> Body<'b, 'c> {
    /// Visits the keys that match. All keys are charged, as if the condition were evaluated for each.
    pub(super) fn each_filtered(&mut self, filter: &ByteFilter<'c>, visit: Visit<'_, 'b, 'c>) {
        let (lo, hi) = filter.ends;
        let mut mask = self.mask_of(filter);
        if !filter.has {
            let all = u64::MAX >> (63 - hi.abs_diff(lo));
            let negated = self.not(mask);
            mask = self.and_imm(negated, all.cast_signed());
        }
        let number = self.begin_short(lo);
        let left = self.variable(mask);
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let bits = self.get(left);
        self.branch(bits, inside, done);
        self.begin(inside);
        let bit = self.trailing_zeros(bits);
        self.ranged(bit, (0, 63));
        let less = self.add_imm(bits, -1);
        let rest = self.and(bits, less);
        self.set(left, rest);
        let key = self.plus(bit, lo);
        self.ranged(key, (lo, hi));
        self.set(number, key);
        visit(self, key);
        self.go_to(head);
        self.begin(done);
        self.end_short(lo, hi);
    }

    /// The matching keys, as bits.
    fn mask_of(&mut self, filter: &ByteFilter<'c>) -> Value {
        let (least, greatest) = match filter.wanted {
            Wanted::Constant(value) => {
                let bytes = filter.meanings.get(&value).copied().unwrap_or(NEVER);
                (self.constant(bytes.0), self.constant(bytes.1))
            }
            Wanted::Code(code) => {
                let value = self.code(code);
                self.bytes_of(filter, value)
            }
        };
        let map = self.place(&filter.entry.map);
        let map = self.handle(map);
        let base = filter.entry.domain.base;
        let first = self.constant(filter.ends.0 - base);
        let after = self.constant(filter.ends.1 - base + 1);
        self.call(
            Callee::EntriesBetween,
            &[map, first, after, least, greatest],
        )
    }

    /// The range of bytes that mean a value, looked up in a table.
    fn bytes_of(&mut self, filter: &ByteFilter<'c>, value: Value) -> (Value, Value) {
        let values = || {
            filter
                .meanings
                .keys()
                .copied()
                .filter(|value| *value != NONE)
        };
        let first = values().min().unwrap_or(0);
        let last = values().max().unwrap_or(first);
        let all =
            || (first..=last).map(|value| filter.meanings.get(&value).copied().unwrap_or(NEVER));
        let absent = filter.meanings.get(&NONE).copied().unwrap_or(NEVER);
        let table: Vec<i64> = all()
            .chain([NEVER, absent])
            .flat_map(|bytes| [bytes.0, bytes.1])
            .collect();
        let count = table.len() / 2;
        let table = self.unit.keep_words(table);
        let index = self.less_constant(value, first);
        let inside = self.is_below(index, count - 2);
        let [beside, missing] = [2, 1].map(|before| self.constant(word(count - before)));
        let index = self.select(inside, index, beside);
        let none = self.is_none(value);
        let index = self.select(none, missing, index);
        let row = self.shl_imm(index, 1);
        let from = self.of_table(table, row);
        let next = self.add_imm(row, 1);
        (from, self.of_table(table, next))
    }
}
