//! `play by random`: chooses among all possible events.

use super::{Run, control::Due};
use crate::{
    code::{Hole, Item, Pattern, Segment, Step, Target},
    fault::{Fault, Stop},
    machine::{Decides, Lot},
};

/// The size of a possible event besides its fields, in words.
const WORDS: usize = 8;

/// The first pattern that a step reads.
fn first_pattern(step: &Step) -> Option<&Pattern> {
    match step {
        Step::Pattern(pattern) => Some(pattern),
        Step::Times(_, steps) | Step::Until(_, steps) => first_pattern(steps.first()?),
        Step::Start | Step::Play(_) => None,
    }
}

impl<'c> Run<'c, '_> {
    /// Makes an event the current one, if all of its fields are piles that chance shuffles. Returns whether they are.
    fn shuffle_fields(&mut self, event: usize) -> Result<bool, Stop> {
        let fields = &self.compiled.events[event].fields;
        if fields.is_empty()
            || fields
                .iter()
                .any(|field| field.drawn.is_none() || field.path.is_some())
        {
            return Ok(false);
        }
        self.machine.event = event;
        for (place, field) in fields.iter().enumerate() {
            if let Some(drawn) = &field.drawn {
                let pile = self.machine.drawn(drawn)?;
                self.machine.set_field(place, pile);
            }
        }
        self.machine.forget_fields();
        Ok(true)
    }

    /// The rest of a line that starts with `line`, if chance draws all of it. The run must go back to a snapshot
    /// afterwards.
    pub(crate) fn drawn_rest(&mut self, line: &str, seed: u64) -> Option<String> {
        let step = match self.waits_for() {
            Due::Nothing => return None,
            Due::Step(step) => step,
            Due::Round(_, steps) => steps.first()?,
        };
        let pattern = first_pattern(step)?;
        let typed = self.reader.left() + line.split_whitespace().count();
        let (before, rest) = pattern.items.split_at_checked(typed)?;
        let is_one_word = |item: &Item| matches!(item, Item::Word(_));
        if rest.is_empty() || !before.iter().all(is_one_word) {
            return None;
        }
        self.machine.lot = Lot::new(seed);
        let start = self.machine.out.len();
        let written = self.write_drawn(rest);
        let text = String::from_utf8_lossy(&self.machine.out[start..]).into_owned();
        self.machine.out.truncate(start);
        written.is_ok_and(|written| written).then_some(text)
    }

    /// Writes what chance draws for part of a pattern. Returns whether chance draws all that the part reads.
    fn write_drawn(&mut self, items: &'c [Item]) -> Result<bool, Stop> {
        let mut is_drawn = false;
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self.machine.out.push(b' ');
            }
            let (segments, many) = match item {
                Item::Word(segments) => (segments.as_slice(), None),
                Item::Many { hole, count } => (&[][..], Some((hole, count))),
            };
            for segment in segments {
                match segment {
                    Segment::Literal(text) => self.machine.out.extend_from_slice(text.as_bytes()),
                    Segment::Hole(hole) if self.write_hole_drawn(hole, None)? => is_drawn = true,
                    Segment::Hole(_) => return Ok(false),
                }
            }
            if let Some((hole, count)) = many {
                // A count that this line gives is not known yet: then there are as many as can be.
                let count = count.as_ref().map(|count| self.machine.step_value(count));
                let count = count.and_then(|count| usize::try_from(count.ok()?).ok());
                if !self.write_hole_drawn(hole, Some(count.unwrap_or(usize::MAX)))? {
                    return Ok(false);
                }
                is_drawn = true;
            }
        }
        Ok(is_drawn)
    }

    /// Writes what chance draws for a hole: at most `many` values, if it reads several words. Returns whether chance
    /// draws.
    fn write_hole_drawn(&mut self, hole: &'c Hole, many: Option<usize>) -> Result<bool, Stop> {
        let Target::Given(given, None) = hole.target else {
            return Ok(false);
        };
        let Some(drawn) = &self.compiled.givens[given].drawn else {
            return Ok(false);
        };
        let mut values = self.machine.drawn_values(drawn)?;
        if drawn.pile.is_none() {
            return self.write_value(&hole.reading, values[0]);
        }
        values.truncate(many.unwrap_or(usize::MAX));
        self.write_members(hole, &values, many.is_some())
    }

    /// Draws an event and makes it the current one: among all that are possible now, or those that one decider has.
    /// Chance draws by weight.
    ///
    /// # Errors
    /// Nothing may happen, or there is no end of what may.
    pub(super) fn draw(&mut self, by: Option<&Decides>) -> Result<(), Stop> {
        let compiled = self.compiled;
        // Each with where its fields lie among what was found, and its weight.
        let mut may: Vec<(usize, usize, u64)> = Vec::new();
        self.machine.found.clear();
        let mut total = Some(0u64);
        for (event, definition) in compiled.events.iter().enumerate().skip(1) {
            if definition.only_follows || !self.machine.may_happen(event)? {
                continue;
            }
            let by_field = self.machine.is_decided_by_field(event);
            if let Some(by) = by
                && !by_field
                && self.machine.decides(event)? != *by
            {
                continue;
            }
            if self.shuffle_fields(event)? {
                if self.machine.reason(event)?.is_none() {
                    let fields = self.machine.current_fields();
                    let weight = self.machine.weight(event)?.unwrap_or(1);
                    total = total.and_then(|total| total.checked_add(weight));
                    may.push((event, self.machine.found.len(), weight));
                    self.machine.found.extend(fields);
                }
                continue;
            }
            if let Some(field) = definition.fields.iter().find(|field| !field.values.end()) {
                return Err(Box::new(Fault::Policy {
                    text: format!(
                        "`random` cannot choose `{}`: `{}` ({}) can have too many values to list",
                        definition.name, field.name, field.ty
                    ),
                    choice: None,
                    row: None,
                }));
            }
            self.machine
                .each_event(event, false, &mut |machine, event| {
                    if let Some(by) = by
                        && by_field
                        && machine.decides(event)? != *by
                    {
                        return Ok(());
                    }
                    let fields = machine.current_fields();
                    let weight = machine.weight(event)?.unwrap_or(1);
                    total = total.and_then(|total| total.checked_add(weight));
                    may.push((event, machine.found.len(), weight));
                    machine.found.extend(fields);
                    machine.fits(may.len() * (definition.fields.len() + WORDS))
                })?;
        }
        let wrong = match (may.is_empty(), total) {
            (true, _) => Some("nothing may happen for `random` to choose"),
            (_, Some(0)) => {
                Some("all that may happen has weight 0, so `random` can choose nothing")
            }
            (_, None) => Some("the weights of all that may happen are too large together"),
            _ => None,
        };
        if let Some(text) = wrong {
            return Err(Box::new(Fault::Policy {
                text: text.into(),
                choice: None,
                row: None,
            }));
        }
        let mut drawn = self.machine.lot.below(total.unwrap_or(1));
        let is_it = |(_, _, weight): &(usize, usize, u64)| {
            let here = drawn < *weight;
            drawn = drawn.saturating_sub(*weight);
            here
        };
        let place = may.iter().position(is_it).unwrap_or(0);
        let (event, at, _) = may[place];
        let fields = compiled.events[event].fields.len();
        self.machine.take_found(event, at..at + fields);
        self.machine.found.clear();
        self.machine.forget_fields();
        Ok(())
    }
}
