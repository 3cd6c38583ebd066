//! Relations between types: which contain the values of which.

use std::sync::Arc;

use super::{Interval, Part, Type};

/// The smallest type with the values of both; none if they are unrelated.
///
/// Numbers with fewer decimal places are converted to more, but not in a collection or a map.
pub(crate) fn join(left: &Type, right: &Type) -> Option<Type> {
    if left == right {
        return Some(left.clone());
    }
    let both = |left: &Type, right: &Type| join(left, right).map(Arc::new);
    let inside = |left: &Type, right: &Type| join_elements(left, right).map(Arc::new);
    Some(match (left, right) {
        (Type::Wrong, _) | (_, Type::Wrong) => Type::Wrong,
        (Type::Nothing, other) | (other, Type::Nothing) => other.clone(),
        (Type::Optional(left), Type::Optional(right)) => Type::Optional(both(left, right)?),
        (Type::Optional(inner), other) | (other, Type::Optional(inner)) => {
            Type::Optional(both(inner, other)?)
        }
        (left, right) if left.is_number() && right.is_number() => joined_numbers(left, right)?,
        (Type::Member(left), Type::Member(right)) if left.kind == right.kind => {
            Type::Member(Part {
                kind: left.kind,
                first: left.first.min(right.first),
                last: left.last.max(right.last),
            })
        }
        (Type::Set(left), Type::Set(right)) => Type::Set(inside(left, right)?),
        (Type::Bag(left), Type::Bag(right)) => Type::Bag(inside(left, right)?),
        (Type::Pile(left), Type::Pile(right)) => Type::Pile(inside(left, right)?),
        (Type::Set(nothing), other @ (Type::Bag(_) | Type::Pile(_)))
        | (other @ (Type::Bag(_) | Type::Pile(_)), Type::Set(nothing))
            if **nothing == Type::Nothing =>
        {
            other.clone()
        }
        (Type::Map(key, left), Type::Map(other_key, right)) if key == other_key => {
            Type::Map(key.clone(), inside(left, right)?)
        }
        (Type::Word, Type::Text) | (Type::Text, Type::Word) => Type::Text,
        _ => return None,
    })
}

/// The smallest type for the members of two collections together. Their decimal places are never converted.
pub(crate) fn join_elements(left: &Type, right: &Type) -> Option<Type> {
    join(left, right).filter(|_| same_places(left, right))
}

/// The smallest type with the numbers of both.
fn joined_numbers(left: &Type, right: &Type) -> Option<Type> {
    let places = left.places()?.max(right.places()?);
    let both = match (left, right) {
        (Type::Range(left), Type::Range(right)) => left.scaled(places).zip(right.scaled(places)),
        _ => None,
    };
    Some(match both {
        Some((left, right)) => Type::Range(Interval::decimal(
            left.lo.min(right.lo),
            left.hi.max(right.hi),
            places,
        )),
        None => Type::numbers(places),
    })
}

/// Whether two types do not differ in decimal places.
fn same_places(left: &Type, right: &Type) -> bool {
    match (left.required().places(), right.required().places()) {
        (Some(left), Some(right)) => left == right,
        _ => true,
    }
}

/// Whether a value of type `from` can be used as a `to`, perhaps after a check at run time.
pub(crate) fn fits(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Wrong | Type::Nothing, _) | (_, Type::Wrong) => true,
        (Type::Optional(from), Type::Optional(to)) => fits(from, to),
        (Type::Optional(_), _) => false,
        (from, Type::Optional(to)) => fits(from, to),
        (from, to) if from.is_number() && to.is_number() => from.places() <= to.places(),
        (from, to) if from.is_text() && to.is_text() => true,
        (Type::Member(from), Type::Member(to)) => from.kind == to.kind,
        (Type::Set(from), Type::Set(to))
        | (Type::Bag(from), Type::Bag(to))
        | (Type::Pile(from), Type::Pile(to)) => same_places(from, to) && fits(from, to),
        (Type::Map(key, from), Type::Map(to_key, to)) => {
            key == to_key && same_places(from, to) && fits(from, to)
        }
        (from, to) => from == to,
    }
}

/// Whether every value of `from` is surely one of `to`, so that no check at run time is needed.
pub(crate) fn surely_fits(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Wrong | Type::Nothing, _) | (_, Type::Wrong) => true,
        (Type::Optional(from), Type::Optional(to)) => surely_fits(from, to),
        (Type::Set(from), Type::Set(to))
        | (Type::Bag(from), Type::Bag(to))
        | (Type::Pile(from), Type::Pile(to)) => same_places(from, to) && surely_fits(from, to),
        (Type::Optional(_), _) => false,
        (from, Type::Optional(to)) => surely_fits(from, to),
        (from, Type::Number | Type::Decimal(_)) if from.is_number() => from.places() <= to.places(),
        (Type::Range(from), Type::Range(to)) => from.within(*to),
        (Type::Member(from), Type::Member(to)) => {
            from.kind == to.kind && from.first >= to.first && from.last <= to.last
        }
        (Type::Map(key, from), Type::Map(to_key, to)) => {
            key == to_key && same_places(from, to) && surely_fits(from, to)
        }
        (from, to) if from.is_text() && to.is_text() => true,
        (from, to) => from == to,
    }
}
