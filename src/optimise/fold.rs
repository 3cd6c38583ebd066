//! Simplifies single expressions: loops over sets of bits that need no loop, constants, and nested look-ups.

use super::{facts::Facts, is_bits, tabulate::value_at};
use crate::code::{Best, Code, Dense, If, Loop, NONE, Row, Shape, Source, Switch};

/// A local that no frame has.
const NO_VARIABLE: u32 = u32::MAX;

/// Replaces a loop if the whole set gives the answer.
pub(super) fn fold(code: &mut Code, facts: &Facts) {
    let folded = match code {
        Code::Some(range) => bits_of(range).map(|set| Code::Not(Box::new(is_empty(set)))),
        Code::No(range) => bits_of(range).map(is_empty),
        Code::Count(source) => taken(source).map(|(set, _)| Code::BitsSize(Box::new(set))),
        Code::Gather { source, shape } => match (&**source, &**shape) {
            (Source::Bits { base, .. }, shape) if is_bits(shape, *base) => {
                taken(source).map(|(set, _)| set)
            }
            _ => None,
        },
        Code::Extreme { highest, source } => {
            let highest = *highest;
            taken(source).map(|(set, base)| {
                let set = Box::new(set);
                if highest {
                    Code::BitsHighest { set, base }
                } else {
                    Code::BitsLowest { set, base }
                }
            })
        }
        Code::Among {
            item,
            source,
            shape,
        } if **shape == Shape::Scalar && facts.is_speculatable_source(source) => {
            taken(source).map(|(set, base)| Code::HasBit {
                item: Box::new(std::mem::replace(item, Code::Constant(NONE))),
                set: Box::new(set),
                base,
            })
        }
        Code::With { set, source, shape } => {
            taken_as(source, shape).map(|bits| Code::BitsWith(pair(set, bits)))
        }
        Code::Without { set, source, shape } => {
            taken_as(source, shape).map(|bits| Code::BitsWithout(pair(set, bits)))
        }
        Code::Best(best) => ranked(best),
        Code::Collect { items, shape } => bit(items, shape),
        Code::Lookup(table, operand) => chained(table, operand),
        Code::Dense(table) => lookup(table),
        Code::EqualConstant(operand, value) if *value != NONE => compare_lookup(operand, *value),
        Code::Agree {
            rows, otherwise, ..
        } => single(rows, otherwise),
        Code::Constant(_) => None,
        _ => value_at(code, NO_VARIABLE, 0).map(Code::Constant),
    };
    if let Some(folded) = folded {
        *code = folded;
    }
}

/// A loop that yields every value unchanged is replaced by its source.
pub(super) fn source(source: &mut Source) {
    if let Source::Mapped(range, Code::Local(value)) = source
        && let [(local, _)] = &*range.bindings
        && local == value
        && range.condition.is_none()
        && let Some((_, inner)) = std::mem::take(&mut range.bindings)
            .into_vec()
            .into_iter()
            .next()
    {
        *source = inner;
    }
}

/// The set that a loop without condition ranges over.
fn bits_of(range: &mut Loop) -> Option<Code> {
    match &mut *range.bindings {
        [(_, source)] if range.condition.is_none() => taken(source).map(|(set, _)| set),
        _ => None,
    }
}

/// Takes the set of bits out of a source, with its base.
fn taken(source: &mut Source) -> Option<(Code, i64)> {
    match source {
        Source::Bits { set, base, .. } => Some((std::mem::replace(set, Code::Constant(0)), *base)),
        _ => None,
    }
}

/// Takes the set of bits out of a source, if it has the representation of `shape`.
fn taken_as(source: &mut Source, shape: &Shape) -> Option<Code> {
    match source {
        Source::Bits { base, .. } if is_bits(shape, *base) => taken(source).map(|(set, _)| set),
        _ => None,
    }
}

fn is_empty(set: Code) -> Code {
    Code::EqualConstant(Box::new(set), 0)
}

fn pair(left: &mut Box<Code>, right: Code) -> Box<(Code, Code)> {
    let left = std::mem::replace(&mut **left, Code::Constant(0));
    Box::new((left, right))
}

/// The best of a small set, if the rank of each member is constant.
fn ranked(best: &mut Best) -> Option<Code> {
    let Source::Bits { base, count, .. } = best.source else {
        return None;
    };
    if best.condition.is_some() || !best.ordered || best.sorted.is_some() {
        return None;
    }
    let mut members = Vec::new();
    for bit in 0..count {
        let member = base + i64::try_from(bit).ok()?;
        let keys: Option<Vec<i64>> = best
            .keys
            .iter()
            .map(|(highest, key)| {
                let value = value_at(key, best.local, member)?;
                if *highest {
                    value.checked_neg()
                } else {
                    Some(value)
                }
            })
            .collect();
        members.push((keys?, bit));
    }
    // Among equals, the least comes first.
    members.sort();
    let mut ranks = vec![u8::MAX; count];
    for (rank, (_, bit)) in members.iter().enumerate() {
        ranks[*bit] = u8::try_from(rank).ok()?;
    }
    let (set, base) = taken(&mut best.source)?;
    Some(Code::BitsRanked {
        ranks: ranks.into(),
        base,
        set: Box::new(set),
    })
}

/// Composes two look-ups into one.
fn chained(outer: &[i64], operand: &mut Code) -> Option<Code> {
    let Code::Lookup(inner, first) = operand else {
        return value_at(operand, NO_VARIABLE, 0).map(|place| Code::Constant(at(outer, place)));
    };
    let table = inner.iter().map(|place| at(outer, *place)).collect();
    let first = std::mem::replace(&mut **first, Code::Constant(NONE));
    Some(Code::Lookup(table, Box::new(first)))
}

fn at(table: &[i64], place: i64) -> i64 {
    let entry = usize::try_from(place).ok().and_then(|at| table.get(at));
    entry.copied().unwrap_or(NONE)
}

/// Simplifies a decision table with one key: composes it with a look-up of the key, or makes it a look-up if all its
/// values are constants.
fn lookup(table: &mut Dense) -> Option<Code> {
    let [key] = &mut *table.keys else {
        return None;
    };
    if key.domain.base != 0 || key.domain.optional {
        return None;
    }
    let mut operand = std::mem::replace(&mut key.code, Code::Constant(NONE));
    let mut rows = table.rows.clone();
    if let Code::Lookup(places, first) = operand {
        let row = |place: &i64| usize::try_from(*place).ok().and_then(|at| rows.get(at));
        rows = places
            .iter()
            .map(|place| *row(place).unwrap_or(&u16::MAX))
            .collect();
        operand = *first;
    }
    let values: Option<Box<[i64]>> = rows
        .iter()
        .map(|row| match table.values.get(usize::from(*row)) {
            Some(Code::Constant(value)) => Some(*value),
            _ => None,
        })
        .collect();
    Some(match values {
        Some(values) => Code::Lookup(values, Box::new(operand)),
        None => Code::Switch(Box::new(Switch {
            operand,
            rows,
            values: std::mem::take(&mut table.values),
            site: table.site,
        })),
    })
}

/// Turns the comparison of a look-up with a value into a look-up.
fn compare_lookup(operand: &mut Code, value: i64) -> Option<Code> {
    let Code::Lookup(table, first) = operand else {
        return value_at(operand, NO_VARIABLE, 0)
            .map(|found| Code::Constant(i64::from(found == value)));
    };
    Some(Code::Masked {
        masks: table
            .iter()
            .map(|entry| i64::from(*entry == value))
            .collect(),
        base: 0,
        operand: Box::new(std::mem::replace(&mut **first, Code::Constant(NONE))),
    })
}

/// A single row without variables agrees with itself.
fn single(rows: &mut [Row], otherwise: &mut Code) -> Option<Code> {
    match rows {
        [row] if row.bindings.is_empty() => Some(Code::If(Box::new(If {
            conditions: std::mem::take(&mut row.conditions),
            value: std::mem::replace(&mut row.value, Code::Constant(NONE)),
            otherwise: std::mem::replace(otherwise, Code::Constant(NONE)),
        }))),
        _ => None,
    }
}

/// The set of one field or variable, which lies in the set's domain by its type.
fn bit(items: &mut [Code], shape: &Shape) -> Option<Code> {
    let Shape::Bits { domain } = shape else {
        return None;
    };
    match items {
        [] => Some(Code::Constant(0)),
        [item] => Some(Code::Bit {
            item: Box::new(std::mem::replace(item, Code::Constant(NONE))),
            base: domain.base,
        }),
        _ => None,
    }
}
