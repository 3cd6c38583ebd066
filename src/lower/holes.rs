//! Holes of patterns: which of them machine code can read, and where it stores their values.

use super::{
    body::{Body, Place},
    word,
};
use crate::code::{Compiled, Hole, Item, NONE, Pattern, Reading, Segment, Shape, Target};
use crate::mir::Value;

/// What a pattern reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Event,
    /// Givens, before a game starts.
    Start,
}

impl<'c> Body<'_, 'c> {
    /// Whether machine code can match a pattern.
    pub(super) fn can_read(
        compiled: &Compiled,
        pattern: &Pattern,
        by_lines: bool,
        aim: Aim,
    ) -> bool {
        let last = pattern.items.len().saturating_sub(1);
        let mut items = pattern.items.iter().enumerate();
        items.all(|(place, item)| match item {
            Item::Word(segments) => segments.iter().all(|segment| match segment {
                Segment::Literal(_) => true,
                Segment::Hole(hole) => can_fill(compiled, hole, aim) && can_hold(hole),
            }),
            Item::Many { hole, count } => {
                let counts = match count {
                    Some(count) => count.locals() == 0 && !is_rest(hole),
                    None => by_lines && place == last,
                };
                // The text for an empty collection is a word of its own.
                let plain = hole.absent.is_none() && hole.between.is_none();
                let plain = plain && !matches!(hole.reading, Reading::Joined(_));
                counts && plain && can_fill(compiled, hole, aim)
            }
        })
    }

    pub(super) fn put(&mut self, hole: &'c Hole, value: Value) {
        let compiled = self.unit.compiled;
        match &hole.target {
            Target::Field(field) => self.store(compiled.fields + field, value),
            Target::Given(number, key) => {
                let given = &compiled.givens[*number];
                let key = key.as_ref().and_then(|key| compiled.constant(key));
                let (index, count, slot) = match (key, &given.entry) {
                    (Some(key), Some((domain, slot))) => (domain.index(key), domain.count, slot),
                    _ => (0, 1, &given.slot),
                };
                let index = self.constant(word(index));
                self.write(Place::Fixed(given.offset), index, count, slot, value);
            }
            Target::Number(_) => self.fail(),
        }
    }
}

/// Whether a hole for several words takes the text to the end of the line.
pub(super) fn is_rest(hole: &Hole) -> bool {
    matches!(hole.shape, Shape::Scalar)
}

/// Whether a hole reads one word, into one value or several parts.
fn can_hold(hole: &Hole) -> bool {
    matches!(hole.reading, Reading::Joined(_)) || matches!(hole.shape, Shape::Scalar)
}

/// Visits the forms that a pattern needs.
pub(super) fn forms(pattern: &Pattern, visit: &mut dyn FnMut(usize)) {
    each_hole(pattern, &mut |hole| {
        let mut reading = &hole.reading;
        while let Reading::Joined(inner) = reading {
            reading = inner;
        }
        if let Reading::Form(form) = reading {
            visit(*form);
        }
    });
}

/// The givens that a pattern reads, each with the index of its entry.
pub(super) fn givens(compiled: &Compiled, pattern: &Pattern) -> Vec<(usize, usize)> {
    let mut givens = Vec::new();
    each_hole(pattern, &mut |hole| {
        if let Target::Given(number, key) = &hole.target {
            let key = key.as_ref().and_then(|key| compiled.constant(key));
            let entry = match (key, &compiled.givens[*number].entry) {
                (Some(key), Some((domain, _))) => domain.index(key),
                _ => 0,
            };
            givens.push((*number, entry));
        }
    });
    givens
}

fn each_hole<'p>(pattern: &'p Pattern, hole: &mut dyn FnMut(&'p Hole)) {
    for item in &pattern.items {
        match item {
            Item::Word(segments) => {
                for segment in segments {
                    if let Segment::Hole(each) = segment {
                        hole(each);
                    }
                }
            }
            Item::Many { hole: each, .. } => hole(each),
        }
    }
}

/// Whether machine code can read a word, or several, into a hole.
fn can_fill(compiled: &Compiled, hole: &Hole, aim: Aim) -> bool {
    let fits = match &hole.target {
        Target::Field(_) => aim == Aim::Event,
        Target::Given(_, key) => {
            let known = |key| compiled.constant(key).is_some();
            aim == Aim::Start && key.as_ref().is_none_or(known)
        }
        Target::Number(_) => false,
    };
    let says = match &hole.reading {
        Reading::Attribute(texts) => texts.iter().all(|(_, value)| *value != NONE),
        _ => true,
    };
    fits && says
}
