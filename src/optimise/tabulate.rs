//! Evaluates expressions of one variable at compile time, for each of its values.

use crate::code::{Code, Component, NONE};

/// The value of code for a value of a variable, if it depends on nothing else and cannot fail.
pub(super) fn value_at(code: &Code, local: u32, value: i64) -> Option<i64> {
    let of = |code: &Code| value_at(code, local, value);
    let both = |pair: &(Code, Code)| Some((of(&pair.0)?, of(&pair.1)?));
    Some(match code {
        Code::Constant(value) => *value,
        Code::Local(other) if *other == local => value,
        Code::Lookup(table, operand) => usize::try_from(of(operand)?)
            .ok()
            .and_then(|at| table.get(at))
            .copied()
            .unwrap_or(NONE),
        Code::Part(part) => {
            let count = i64::try_from(part.domain.count).ok()?;
            let place = (of(&part.operand)?.checked_div(part.divisor)?).checked_rem(count)?;
            part.domain.value(usize::try_from(place).ok()?)
        }
        Code::Index(parts) => index(parts, local, value)?,
        Code::Less(pair) => both(pair).map(|(left, right)| i64::from(left < right))?,
        Code::LessOrEqual(pair) => both(pair).map(|(left, right)| i64::from(left <= right))?,
        Code::Equal(pair) => both(pair).map(|(left, right)| i64::from(left == right))?,
        Code::EqualConstant(operand, other) => i64::from(of(operand)? == *other),
        Code::Not(operand) => 1 - of(operand)?,
        Code::And(pair) => both(pair).map(|(left, right)| left & right)?,
        Code::Or(pair) => both(pair).map(|(left, right)| left | right)?,
        Code::Else(pair) => {
            both(pair).map(|(left, right)| if left == NONE { right } else { left })?
        }
        Code::Add(pair, _) => both(pair).and_then(|(left, right)| left.checked_add(right))?,
        Code::Subtract(pair, _) => both(pair).and_then(|(left, right)| left.checked_sub(right))?,
        Code::Multiply(pair, _) => both(pair).and_then(|(left, right)| left.checked_mul(right))?,
        Code::Between(triple) => {
            let (item, lo, hi) = (of(&triple.0)?, of(&triple.1)?, of(&triple.2)?);
            i64::from(lo <= item && item <= hi && item != NONE)
        }
        Code::HasBit { item, set, base } => {
            let bit = of(item)?.wrapping_sub(*base);
            let set = of(set)?;
            i64::from((0..64).contains(&bit) && (set >> bit) & 1 == 1)
        }
        Code::Switch(switch) => {
            let row = switch
                .rows
                .get(usize::try_from(of(&switch.operand)?).ok()?)?;
            of(switch.values.get(usize::from(*row))?)?
        }
        Code::Masked {
            masks,
            base,
            operand,
        } => {
            let at = usize::try_from(of(operand)?.wrapping_sub(*base)).ok();
            at.and_then(|at| masks.get(at)).copied().unwrap_or(0)
        }
        Code::Dense(table) => {
            let at = usize::try_from(index(&table.keys, local, value)?).ok()?;
            let row = table.rows.get(at)?;
            of(table.values.get(usize::from(*row))?)?
        }
        _ => return None,
    })
    .filter(|found| *found != NONE || may_be_none(code))
}

/// Whether the word for none is a value here.
fn may_be_none(code: &Code) -> bool {
    !matches!(
        code,
        Code::Add(..) | Code::Subtract(..) | Code::Multiply(..)
    )
}

/// The index that parts make up.
pub(super) fn index(parts: &[Component], local: u32, value: i64) -> Option<i64> {
    let mut index: i64 = 0;
    for part in parts {
        let value = value_at(&part.code, local, value)?;
        index = index.checked_add(place(part, value)?)?;
    }
    Some(index)
}

/// What a part with a value adds to an index.
pub(super) fn place(part: &Component, value: i64) -> Option<i64> {
    let place = part.domain.index(value);
    if place >= part.domain.count {
        return None;
    }
    i64::try_from(place).ok()?.checked_mul(part.stride)
}
