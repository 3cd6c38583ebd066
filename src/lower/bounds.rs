//! What values can be. A value of machine code is made once and never changes: what is known of it where it is made holds
//! wherever it is used, and what has been asked of it holds from there on. What is known is not asked again.

use std::collections::BTreeMap;

use super::{availability::Available, body::Body, word};
use crate::code::{Bounds, Compiled, NONE};
use crate::mir::{Condition, Value};

/// What is known of values from where they are made.
#[derive(Debug, Default)]
pub(super) struct ValueBounds {
    bounds: BTreeMap<Value, Bounds>,
    kept: BTreeMap<Value, Kept>,
}

/// How a value that can be none is kept: as another, of which one stands for none and is nothing else.
#[derive(Debug, Clone, Copy)]
struct Kept {
    value: Value,
    none: i64,
}

/// What words of fixed memory can be, by their place.
#[derive(Debug)]
pub(super) struct Loaded {
    words: BTreeMap<u32, Bounds>,
    /// For each event, what its fields can be.
    fields: Vec<Vec<Option<Bounds>>>,
}

impl Loaded {
    pub(super) fn of(compiled: &Compiled) -> Loaded {
        let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let givens = compiled.givens.iter();
        let givens = givens.map(|given| (given.offset, given.bounds));
        let states = compiled.states.iter();
        let states = states.map(|state| (state.offset, state.bounds));
        let words = givens.chain(states);
        let words = words.filter_map(|(offset, bounds)| Some((place(offset), bounds?)));
        let fields = compiled.events.iter().map(|event| {
            let fields = event.fields.iter();
            fields.map(|field| field.bounds).collect()
        });
        Loaded {
            words: words.collect(),
            fields: fields.collect(),
        }
    }
}

impl Body<'_, '_> {
    // What is said of values.

    /// Says what a value can be.
    pub(super) fn bounded(&mut self, value: Value, bounds: Bounds) -> Value {
        self.value_bounds.bounds.insert(value, bounds);
        value
    }

    /// Says that a value is one of the numbers from one to another.
    pub(super) fn ranged(&mut self, value: Value, (least, greatest): (i64, i64)) -> Value {
        let bounds = Bounds {
            least,
            greatest,
            optional: false,
        };
        self.bounded(value, bounds)
    }

    /// Says of a value what its type says of it, if that is known.
    pub(super) fn as_typed(&mut self, value: Value, bounds: Option<Bounds>) -> Value {
        match bounds {
            Some(bounds) if self.bounds_of(value).is_none() => self.bounded(value, bounds),
            _ => value,
        }
    }

    /// Says that a value lies between two others, where it is known what these can be.
    pub(super) fn between_ends(&mut self, value: Value, lo: Value, hi: Value) {
        if let (Some((least, _)), Some((_, greatest))) = (self.range(lo), self.range(hi))
            && least <= greatest
        {
            self.ranged(value, (least, greatest));
        }
    }

    /// Says that a value is one of some others.
    pub(super) fn one_of_all(&mut self, value: Value, others: &[Value]) {
        let all: Vec<_> = others.iter().map(|other| self.bounds_of(*other)).collect();
        self.bounded_by_all(value, &all);
    }

    /// Says that a value is one of several of which it may be known what each can be.
    pub(super) fn bounded_by_all(&mut self, value: Value, all: &[Option<Bounds>]) {
        let all: Option<Vec<Bounds>> = all.iter().copied().collect();
        if let Some(all) = all {
            self.bounded_by(value, &all);
        }
    }

    /// Says that a value is one that some bounds allow.
    pub(super) fn bounded_by(&mut self, value: Value, all: &[Bounds]) {
        let there = || all.iter().filter(|bounds| bounds.least <= bounds.greatest);
        let least = there().map(|bounds| bounds.least).min();
        let greatest = there().map(|bounds| bounds.greatest).max();
        if let (Some(least), Some(greatest)) = (least, greatest) {
            let optional = all.iter().any(|bounds| bounds.optional);
            let bounds = Bounds {
                least,
                greatest,
                optional,
            };
            self.bounded(value, bounds);
        }
    }

    /// Makes a value that is another but for one number, which stands for none. What it can be else is given.
    pub(super) fn but_none(&mut self, value: Value, none: i64, range: (i64, i64)) -> Value {
        let is_none = self.equals(value, none);
        let nothing = self.none();
        let result = self.select(is_none, nothing, value);
        if result != value {
            self.value_bounds.kept.insert(result, Kept { value, none });
        }
        let bounds = Bounds {
            least: range.0,
            greatest: range.1,
            optional: true,
        };
        self.bounded(result, bounds)
    }

    /// A value that is known not to be none here.
    pub(super) fn there(&mut self, value: Value) -> Value {
        let bounds = self.bounds_of(value);
        let kept = self.value_bounds.kept.get(&value);
        let there = kept.map_or(value, |kept| kept.value);
        let known = match bounds {
            Some(bounds) => Available::Within(there, bounds.least, bounds.greatest),
            None => Available::Within(there, NONE + 1, i64::MAX),
        };
        self.availability.learn(known, there);
        there
    }

    // What is known of values.

    /// What a value can be, as far as that is known here.
    pub(super) fn bounds_of(&self, value: Value) -> Option<Bounds> {
        if let Some(constant) = self.constant_of(value) {
            let optional = constant == NONE;
            // None alone lies in no range.
            let (least, greatest) = if optional {
                (1, 0)
            } else {
                (constant, constant)
            };
            return Some(Bounds {
                least,
                greatest,
                optional,
            });
        }
        let made = self.value_bounds.bounds.get(&value).copied();
        match (self.availability.range_of(value), made) {
            (None, made) => made,
            (Some((least, greatest)), made) => {
                let (lower, upper) =
                    made.map_or((i64::MIN, i64::MAX), |made| (made.least, made.greatest));
                Some(Bounds {
                    least: least.max(lower),
                    greatest: greatest.min(upper),
                    optional: false,
                })
            }
        }
    }

    /// The least and the greatest that a value can be; nothing where it can be none or that is not known.
    pub(super) fn range(&self, value: Value) -> Option<(i64, i64)> {
        let bounds = self.bounds_of(value)?;
        let is_range = !bounds.optional && bounds.least <= bounds.greatest;
        is_range.then_some((bounds.least, bounds.greatest))
    }

    /// Whether a value is known to be one of so many from 0 on.
    pub(super) fn is_known_below(&self, value: Value, count: usize) -> bool {
        self.range(value)
            .is_some_and(|(least, greatest)| least >= 0 && greatest < word(count))
    }

    /// What a comparison comes to, where that is known.
    pub(super) fn foregone(&self, how: Condition, left: Value, right: Value) -> Option<bool> {
        if left == right {
            return Some(how.holds(0, 0));
        }
        if let (Some(left), Some(right)) = (self.constant_of(left), self.constant_of(right)) {
            return Some(how.holds(left, right));
        }
        let (left, right) = match (self.range(left), self.range(right)) {
            (Some(left), Some(right)) => (left, right),
            (Some(_), None) if self.is_constant_none(right) => return unequal(how),
            (None, Some(_)) if self.is_constant_none(left) => return unequal(how),
            _ => return None,
        };
        let signed = match how {
            Condition::Below => Condition::Less,
            Condition::Above => Condition::Greater,
            Condition::AboveOrEqual => Condition::GreaterOrEqual,
            how => how,
        };
        if signed != how && (left.0 < 0 || right.0 < 0) {
            return None;
        }
        match signed {
            Condition::Equal if left.1 < right.0 || right.1 < left.0 => Some(false),
            Condition::NotEqual if left.1 < right.0 || right.1 < left.0 => Some(true),
            Condition::Equal | Condition::NotEqual => None,
            how => {
                let corners = [(left.0, right.1), (left.1, right.0)];
                let [one, other] = corners.map(|(left, right)| how.holds(left, right));
                (one == other).then_some(one)
            }
        }
    }

    fn is_constant_none(&self, value: Value) -> bool {
        self.constant_of(value) == Some(NONE)
    }

    /// Two values that are equal where two others are, and easier to compare.
    pub(super) fn as_kept(&mut self, left: Value, right: Value) -> (Value, Value) {
        let kept = |value| self.value_bounds.kept.get(&value).copied();
        match (kept(left), kept(right)) {
            (Some(left), Some(right)) if left.none == right.none => (left.value, right.value),
            (Some(kept), _) => self.kept_beside(kept, right).unwrap_or((left, right)),
            (_, Some(kept)) => self.kept_beside(kept, left).unwrap_or((left, right)),
            _ => (left, right),
        }
    }

    fn kept_beside(&mut self, kept: Kept, other: Value) -> Option<(Value, Value)> {
        if self.is_constant_none(other) {
            let none = self.constant(kept.none);
            return Some((kept.value, none));
        }
        let (least, greatest) = self.range(other)?;
        let is_apart = kept.none < least || greatest < kept.none;
        is_apart.then_some((kept.value, other))
    }

    /// What a word of fixed memory can be.
    pub(super) fn bounds_of_word(&self, place: u32) -> Option<Bounds> {
        // Before a game has begun, words need not have been set.
        let event = self.event.filter(|event| *event > 0);
        if self.reads_for.is_some() {
            return None;
        }
        let fields = self.unit.compiled.fields;
        match (place as usize).checked_sub(fields) {
            Some(field) => *self.unit.loaded.fields.get(event?)?.get(field)?,
            None => self.unit.loaded.words.get(&place).copied(),
        }
    }
}

/// What a comparison of two different values comes to.
fn unequal(how: Condition) -> Option<bool> {
    match how {
        Condition::Equal => Some(false),
        Condition::NotEqual => Some(true),
        _ => None,
    }
}
