//! Value ranges. A value of machine code is in SSA form: what is known at its definition holds wherever it is used, and
//! what a test has shown holds from there on. Tests whose result is known are not emitted.

use std::collections::BTreeMap;

use super::{availability::Available, body::Body, word};
use crate::code::{Bounds, Compiled, NONE};
use crate::mir::{Condition, Value};

/// The bounds known at the definitions of values.
#[derive(Debug, Default)]
pub(super) struct ValueBounds {
    bounds: BTreeMap<Value, Bounds>,
    kept: BTreeMap<Value, Kept>,
}

/// How a value that can be none was made: from another, in which one number means none and nothing else.
#[derive(Debug, Clone, Copy)]
struct Kept {
    value: Value,
    none: i64,
}

/// The bounds of words in fixed memory, by offset.
#[derive(Debug)]
pub(super) struct Loaded {
    words: BTreeMap<u32, Bounds>,
    /// For each event, the bounds of its fields.
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
    // Recording bounds.

    /// Records the bounds of a value. They hold wherever it is used if it is defined in the current block: what is
    /// emitted later comes after this. Of a value from before, they are known only from here on: on another path, it may
    /// be anything.
    pub(super) fn bounded(&mut self, value: Value, bounds: Bounds) -> Value {
        if self.builder.is_of_block(value) {
            self.value_bounds.bounds.insert(value, bounds);
        } else if !bounds.optional {
            let known = Available::Within(value, bounds.least, bounds.greatest);
            self.availability.learn(known, value);
        }
        value
    }

    /// Records that a value is between two numbers.
    pub(super) fn ranged(&mut self, value: Value, (least, greatest): (i64, i64)) -> Value {
        let bounds = Bounds {
            least,
            greatest,
            optional: false,
        };
        self.bounded(value, bounds)
    }

    /// Records the bounds of a value's type, if known.
    pub(super) fn as_typed(&mut self, value: Value, bounds: Option<Bounds>) -> Value {
        match bounds {
            Some(bounds) if self.bounds_of(value).is_none() => self.bounded(value, bounds),
            _ => value,
        }
    }

    /// Records that a value lies between two others with known bounds.
    pub(super) fn between_ends(&mut self, value: Value, lo: Value, hi: Value) {
        if let (Some((least, _)), Some((_, greatest))) = (self.range(lo), self.range(hi))
            && least <= greatest
        {
            self.ranged(value, (least, greatest));
        }
    }

    /// Records that a value is one of some others.
    pub(super) fn one_of_all(&mut self, value: Value, others: &[Value]) {
        let all: Vec<_> = others.iter().map(|other| self.bounds_of(*other)).collect();
        self.bounded_by_all(value, &all);
    }

    /// Records that a value has one of several bounds, if all are known.
    pub(super) fn bounded_by_all(&mut self, value: Value, all: &[Option<Bounds>]) {
        let all: Option<Vec<Bounds>> = all.iter().copied().collect();
        if let Some(all) = all {
            self.bounded_by(value, &all);
        }
    }

    /// Records that a value has one of several bounds.
    pub(super) fn bounded_by(&mut self, value: Value, all: &[Bounds]) {
        let nonempty = || all.iter().filter(|bounds| bounds.least <= bounds.greatest);
        let least = nonempty().map(|bounds| bounds.least).min();
        let greatest = nonempty().map(|bounds| bounds.greatest).max();
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

    /// Converts the number `none` in a value to none. The other values are in `range`.
    pub(super) fn with_none(&mut self, value: Value, none: i64, range: (i64, i64)) -> Value {
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

    /// Assumes that a value is not none here, which the caller has tested.
    pub(super) fn assume_some(&mut self, value: Value) -> Value {
        let bounds = self.bounds_of(value);
        let kept = self.value_bounds.kept.get(&value);
        let original = kept.map_or(value, |kept| kept.value);
        let known = match bounds {
            Some(bounds) => Available::Within(original, bounds.least, bounds.greatest),
            None => Available::Within(original, NONE + 1, i64::MAX),
        };
        self.availability.learn(known, original);
        original
    }

    // Querying bounds.

    /// The bounds of a value here, as far as known.
    pub(super) fn bounds_of(&self, value: Value) -> Option<Bounds> {
        if let Some(constant) = self.constant_of(value) {
            let optional = constant == NONE;
            // Only none itself is outside every range.
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

    /// The range of a value; nothing if it can be none or is not known.
    pub(super) fn range(&self, value: Value) -> Option<(i64, i64)> {
        let bounds = self.bounds_of(value)?;
        let is_range = !bounds.optional && bounds.least <= bounds.greatest;
        is_range.then_some((bounds.least, bounds.greatest))
    }

    /// Whether a value is known to be at least 0 and below `count`.
    pub(super) fn is_known_below(&self, value: Value, count: usize) -> bool {
        self.range(value)
            .is_some_and(|(least, greatest)| least >= 0 && greatest < word(count))
    }

    /// The result of a comparison, if known.
    pub(super) fn known_comparison(
        &self,
        how: Condition,
        left: Value,
        right: Value,
    ) -> Option<bool> {
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

    /// Two values that are equal if and only if the given ones are, and cheaper to compare.
    pub(super) fn without_none(&mut self, left: Value, right: Value) -> (Value, Value) {
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

    /// The bounds of a word of fixed memory.
    pub(super) fn bounds_of_word(&self, place: u32) -> Option<Bounds> {
        // Before a game has started, words need not be set.
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

/// The result of a comparison between two values that are known to differ.
fn unequal(how: Condition) -> Option<bool> {
    match how {
        Condition::Equal => Some(false),
        Condition::NotEqual => Some(true),
        _ => None,
    }
}
