//! Look-ups of sets of bits: merges several tables into one. Turns bags into sets of bits if only their members matter,
//! and not how often they occur.

use crate::code::{Code, MaskedRows, NONE, Row, Shape, Source};

/// The most sets in a table.
const MOST: usize = 4096;

/// Merges several tables into one.
pub(super) fn joined(code: &mut Code) -> Option<Code> {
    match code {
        Code::Masked {
            masks,
            base,
            operand,
        } => {
            let Code::Lookup(table, first) = &mut **operand else {
                return None;
            };
            let masks = table.iter().map(|value| at(masks, *base, *value)).collect();
            Some(Code::Masked {
                masks,
                base: 0,
                operand: Box::new(std::mem::replace(&mut **first, Code::Constant(NONE))),
            })
        }
        Code::BitsBoth(pair) => both(&pair.0, &pair.1, |left, right| left & right)
            .or_else(|| with_constant(&pair.0, &pair.1)),
        Code::BitsWith(pair) => both(&pair.0, &pair.1, |left, right| left | right),
        Code::MaskedRows(masked) => {
            merge(masked);
            None
        }
        _ => None,
    }
}

fn at(masks: &[i64], base: i64, value: i64) -> i64 {
    let place = usize::try_from(value.wrapping_sub(base)).ok();
    place.and_then(|at| masks.get(at)).copied().unwrap_or(0)
}

/// Combines two tables by the same variable.
fn both(left: &Code, right: &Code, join: fn(i64, i64) -> i64) -> Option<Code> {
    let (
        Code::Masked {
            masks: left,
            base: left_base,
            operand,
        },
        Code::Masked {
            masks: right,
            base: right_base,
            operand: other,
        },
    ) = (left, right)
    else {
        return None;
    };
    let same = match (&**operand, &**other) {
        (Code::Load(one), Code::Load(other)) | (Code::Local(one), Code::Local(other)) => {
            one == other
        }
        _ => false,
    };
    if !same {
        return None;
    }
    let end = |masks: &[i64], base: i64| base.checked_add(i64::try_from(masks.len()).ok()?);
    let base = *left_base.min(right_base);
    let last = end(left, *left_base)?.max(end(right, *right_base)?);
    let count = usize::try_from(last.checked_sub(base)?).ok()?;
    if count > MOST {
        return None;
    }
    let masks = (base..last)
        .map(|value| join(at(left, *left_base, value), at(right, *right_base, value)))
        .collect();
    Some(Code::Masked {
        masks,
        base,
        operand: operand.clone(),
    })
}

/// A table intersected with a constant.
fn with_constant(left: &Code, right: &Code) -> Option<Code> {
    let ((masked, Code::Constant(wanted)) | (Code::Constant(wanted), masked)) = (left, right)
    else {
        return None;
    };
    let Code::Masked {
        masks,
        base,
        operand,
    } = masked
    else {
        return None;
    };
    Some(Code::Masked {
        masks: masks.iter().map(|mask| mask & wanted).collect(),
        base: *base,
        operand: operand.clone(),
    })
}

/// Merges rows whose sets are constant, and drops empty ones.
fn merge(masked: &mut MaskedRows) {
    let rows = masked.values.len();
    if rows == 0 {
        return;
    }
    let mut kept: Vec<usize> = Vec::new();
    let mut known: Vec<(usize, i64)> = Vec::new();
    for (row, value) in masked.values.iter().enumerate() {
        match value {
            Code::Constant(set) => known.push((row, *set)),
            _ => kept.push(row),
        }
    }
    if known.len() <= 1 && known.iter().all(|(_, set)| *set != 0) {
        return;
    }
    let mut masks = Vec::new();
    for index in masked.masks.chunks(rows) {
        masks.push(
            known
                .iter()
                .fold(0, |all, (row, set)| all | (index[*row] & set)),
        );
        masks.extend(kept.iter().map(|row| index[*row]));
    }
    let mut values = vec![Code::Constant(-1)];
    values.extend(kept.iter().map(|row| masked.values[*row].clone()));
    masked.masks = masks.into();
    masked.values = values.into();
}

/// Iterates over the distinct members of bags if repetitions do not matter.
pub(super) fn as_sets(code: &mut Code) {
    match code {
        Code::Some(range) | Code::No(range) => bindings(&mut range.bindings),
        Code::Any(list)
        | Code::All(list)
        | Code::First(list)
        | Code::Highest(list)
        | Code::Lowest(list)
        | Code::UnionBits(list)
        | Code::Agree { rows: list, .. } => rows(list),
        Code::Extreme { source, .. }
        | Code::Among { source, .. }
        | Code::Within { left: source, .. } => members(source),
        Code::Gather { source, shape } | Code::With { source, shape, .. } => {
            if matches!(**shape, Shape::Bits { .. } | Shape::Words { .. }) {
                members(source);
            }
        }
        _ => {}
    }
}

fn rows(rows: &mut [Row]) {
    for row in rows {
        bindings(&mut row.bindings);
    }
}

/// As [`as_sets`], for the variables of a row.
pub(super) fn bindings(bindings: &mut [(u32, Source)]) {
    for (_, source) in bindings {
        members(source);
    }
}

fn members(source: &mut Source) {
    match source {
        Source::Counts { bag, base, count } if *count <= 63 => {
            *source = Source::Bits {
                set: Code::Members {
                    bag: Box::new(std::mem::replace(bag, Code::Constant(NONE))),
                    count: *count,
                },
                base: *base,
                count: *count,
            };
        }
        Source::Mapped(range, _) => bindings(&mut range.bindings),
        _ => {}
    }
}
