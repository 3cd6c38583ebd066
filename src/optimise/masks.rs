//! Computes which members of a small set fulfil a condition, as a set of bits.

use super::{
    Optimiser,
    tabulate::{place, value_at},
};
use crate::code::{Code, Component, Dense, Domain, MaskedRows, NONE, Source};

/// The most masks for one condition.
const MASKS: usize = 4096;

/// How many facts are opened within one condition.
const OPENED: usize = 4;

/// A variable that ranges over a small set.
pub(super) struct Member {
    local: u32,
    base: i64,
    count: usize,
}

impl Member {
    /// The variable, if its source is, or can become, a set of bits.
    pub(super) fn of(local: u32, source: &Source) -> Option<Member> {
        match source {
            Source::Bits { base, count, .. } => Some(Member {
                local,
                base: *base,
                count: *count,
            }),
            Source::Span(ends) => match &**ends {
                (Code::Constant(lo), Code::Constant(hi)) => {
                    let count = usize::try_from(hi.checked_sub(*lo)?.checked_add(1)?).ok()?;
                    (count <= 63).then_some(Member {
                        local,
                        base: *lo,
                        count,
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The set of all possible members.
    fn all(&self) -> i64 {
        (1 << self.count) - 1
    }

    fn values(&self) -> impl Iterator<Item = (usize, i64)> {
        (0..self.count).zip(self.base..)
    }

    /// Intersects a source with `mask`.
    pub(super) fn narrow(&self, source: &mut Source, mask: Code) {
        *source = match std::mem::replace(source, Source::Items(Box::new([]))) {
            Source::Bits { set, base, count } => Source::Bits {
                set: both(set, mask),
                base,
                count,
            },
            _ => Source::Bits {
                set: mask,
                base: self.base,
                count: self.count,
            },
        };
    }

    /// The value of code for each member, if it depends on nothing else.
    fn table(&self, code: &Code) -> Option<Vec<i64>> {
        self.values()
            .map(|(_, value)| value_at(code, self.local, value))
            .collect()
    }
}

/// The intersection of two sets.
pub(super) fn both(left: Code, right: Code) -> Code {
    match (left, right) {
        (Code::Constant(left), Code::Constant(right)) => Code::Constant(left & right),
        (left, right) => Code::BitsBoth(Box::new((left, right))),
    }
}

/// The union of two sets.
fn either(left: Code, right: Code) -> Code {
    match (left, right) {
        (Code::Constant(left), Code::Constant(right)) => Code::Constant(left | right),
        (Code::Constant(0), other) | (other, Code::Constant(0)) => other,
        (left, right) => Code::BitsWith(Box::new((left, right))),
    }
}

impl Optimiser<'_> {
    /// The members for which a condition holds, without a loop over them.
    pub(super) fn mask(&self, condition: &Code, member: &Member) -> Option<Code> {
        self.opening(condition, member, OPENED)
    }

    fn opening(&self, condition: &Code, member: &Member, left: usize) -> Option<Code> {
        if let Some(table) = member.table(condition) {
            let bits = table.iter().zip(0..);
            return Some(Code::Constant(
                bits.map(|(holds, bit)| i64::from(*holds == 1) << bit).sum(),
            ));
        }
        if !condition.reads_local(member.local) {
            return self.facts.is_speculatable(condition).then(|| Code::Masked {
                masks: Box::new([0, member.all()]),
                base: 0,
                operand: Box::new(condition.clone()),
            });
        }
        let of = |code: &Code| self.opening(code, member, left);
        Some(match condition {
            Code::Not(operand) => {
                let mask = of(operand)?;
                Code::BitsWithout(Box::new((Code::Constant(member.all()), mask)))
            }
            Code::And(pair) => both(of(&pair.0)?, of(&pair.1)?),
            Code::Or(pair) => Code::BitsWith(Box::new((of(&pair.0)?, of(&pair.1)?))),
            Code::Equal(pair) => self
                .equal(&pair.0, &pair.1, member)
                .or_else(|| self.equal(&pair.1, &pair.0, member))?,
            Code::HasBit { item, set, base } => match &**item {
                Code::Local(local)
                    if *local == member.local
                        && *base == member.base
                        && !set.reads_local(member.local)
                        && self.facts.is_speculatable(set) =>
                {
                    both((**set).clone(), Code::Constant(member.all()))
                }
                _ => return None,
            },
            Code::Dense(table) => self.decided(table, member, left)?,
            Code::Switch(switch) => {
                let rows = member.table(&switch.operand)?;
                let mut mask = Code::Constant(0);
                for (row, value) in switch.values.iter().enumerate() {
                    let mut bits = 0i64;
                    for (bit, place) in rows.iter().enumerate() {
                        let at = usize::try_from(*place).ok()?;
                        let taken = usize::from(*switch.rows.get(at)?);
                        bits |= i64::from(taken == row) << bit;
                    }
                    mask = either(mask, both(of(value)?, Code::Constant(bits)));
                }
                mask
            }
            Code::Call(fact, arguments) => {
                let left = left.checked_sub(1)?;
                let opened = self.facts.opened(*fact, arguments)?;
                self.opening(&opened, member, left)?
            }
            _ => return None,
        })
    }

    /// The members for which `own`, which depends on the member, equals something that does not.
    fn equal(&self, own: &Code, other: &Code, member: &Member) -> Option<Code> {
        let table = member.table(own)?;
        if other.reads_local(member.local)
            || !self.facts.is_speculatable(other)
            || table.contains(&NONE)
        {
            return None;
        }
        let base = *table.iter().min()?;
        let span = usize::try_from(table.iter().max()?.checked_sub(base)?).ok()?;
        if span >= MASKS {
            return None;
        }
        let mut masks = vec![0i64; span + 1];
        for (bit, value) in table.iter().enumerate() {
            masks[usize::try_from(value - base).ok()?] |= 1 << bit;
        }
        Some(Code::Masked {
            masks: masks.into(),
            base,
            operand: Box::new(other.clone()),
        })
    }

    /// The members for which a decision table gives yes.
    fn decided(&self, table: &Dense, member: &Member, left: usize) -> Option<Code> {
        let (mine, others): (Vec<_>, Vec<_>) = table
            .keys
            .iter()
            .partition(|key| key.code.reads_local(member.local));
        let speculatable = others
            .iter()
            .all(|key| self.facts.is_speculatable(&key.code));
        let values: Option<Vec<Code>> = table
            .values
            .iter()
            .map(|value| self.opening(value, member, left))
            .collect();
        let values = values.filter(|_| speculatable)?;
        let combinations: usize = others.iter().map(|key| key.domain.count).product();
        let rows = values.len();
        if combinations.checked_mul(rows)? > MASKS {
            return None;
        }
        let own: Option<Vec<i64>> = member
            .values()
            .map(|(_, value)| own_place(&mine, member.local, value))
            .collect();
        let own = own?;
        let mut masks = vec![0i64; combinations * rows];
        for combination in 0..combinations {
            let offset = places(&others, combination)?;
            for (bit, own) in own.iter().enumerate() {
                let at = usize::try_from(offset.checked_add(*own)?).ok()?;
                let row = usize::from(*table.rows.get(at)?);
                *masks
                    .get_mut(combination * rows + row)
                    .filter(|_| row < rows)? |= 1 << bit;
            }
        }
        // The other keys make up an index of their own.
        let mut stride = i64::try_from(combinations).ok()?;
        let mut keys = Vec::new();
        for key in &others {
            stride /= i64::try_from(key.domain.count).ok()?;
            keys.push(Component {
                code: key.code.clone(),
                domain: key.domain,
                stride,
            });
        }
        Some(Code::MaskedRows(Box::new(MaskedRows {
            keys: keys.into(),
            masks: masks.into(),
            values: values.into(),
        })))
    }
}

/// What a member's own keys add to a table's index.
fn own_place(keys: &[&Component], local: u32, value: i64) -> Option<i64> {
    let mut sum: i64 = 0;
    for key in keys {
        sum = sum.checked_add(place(key, value_at(&key.code, local, value)?)?)?;
    }
    Some(sum)
}

/// What the other keys add to a table's index, for one combination of their values, the last key's first.
fn places(keys: &[&Component], combination: usize) -> Option<i64> {
    let mut rest = combination;
    let mut sum: i64 = 0;
    for key in keys.iter().rev() {
        let Domain { count, .. } = key.domain;
        let value = key.domain.value(rest % count);
        rest /= count;
        sum = sum.checked_add(place(key, value)?)?;
    }
    Some(sum)
}
