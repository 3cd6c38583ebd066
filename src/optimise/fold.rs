//! Loops over sets of bits that are no loops.

use super::{is_bits, known::known};
use crate::code::{Best, Code, Loop, NONE, Shape, Source};

/// Does without a loop where the whole set gives the answer.
pub(super) fn fold(code: &mut Code) {
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
        } if **shape == Shape::Scalar => taken(source).map(|(set, base)| Code::HasBit {
            item: Box::new(std::mem::replace(item, Code::Constant(NONE))),
            set: Box::new(set),
            base,
        }),
        Code::With { set, source, shape } => {
            taken_as(source, shape).map(|bits| Code::BitsWith(pair(set, bits)))
        }
        Code::Without { set, source, shape } => {
            taken_as(source, shape).map(|bits| Code::BitsWithout(pair(set, bits)))
        }
        Code::Best(best) => ranked(best),
        _ => None,
    };
    if let Some(folded) = folded {
        *code = folded;
    }
}

/// A loop that keeps every value as it is, is what it ranges over.
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

/// The set of bits that is ranged over, and its base.
fn taken(source: &mut Source) -> Option<(Code, i64)> {
    match source {
        Source::Bits { set, base, .. } => Some((std::mem::replace(set, Code::Constant(0)), *base)),
        _ => None,
    }
}

/// The set of bits that is ranged over, if it is kept as another set is.
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

/// The best of a small set, where how good each member is, is known beforehand.
fn ranked(best: &mut Best) -> Option<Code> {
    let Source::Bits { base, count, .. } = best.source else {
        return None;
    };
    if best.condition.is_some() || !best.ordered {
        return None;
    }
    let mut members = Vec::new();
    for bit in 0..count {
        let member = base + i64::try_from(bit).ok()?;
        let keys: Option<Vec<i64>> = best
            .keys
            .iter()
            .map(|(highest, key)| {
                let value = known(key, best.local, member)?;
                if *highest {
                    value.checked_neg()
                } else {
                    Some(value)
                }
            })
            .collect();
        members.push((keys?, bit));
    }
    // Of equally good ones the least comes first.
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
