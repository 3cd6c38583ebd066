//! Whole events.

use super::{
    availability::Available,
    body::{Body, Place},
    define::Key,
    hoisting::Hoisting,
    slots::COPIED,
    word,
};
use crate::code::{Impossible, Report, Slot};
use crate::mir::{Cache, Callee, Condition, Field, Value};

/// What machine code returns for an event: one of these, or the sum of several.
pub(super) const REFUSED: i64 = 1;
pub(super) const OVER: i64 = 2;
pub(super) const RESTART: i64 = 4;
/// The new values still have to replace the old ones.
pub(super) const OPEN: i64 = 8;

/// Decodes the word that an event's function returns: the decision, and whether the event is finished.
pub(crate) fn happened(word: i64) -> (Decided, bool) {
    let done = word & OPEN == 0;
    if word & REFUSED != 0 {
        return (Decided::Refused, done);
    }
    let decided = Decided::Happens {
        over: word & OVER != 0,
        restart: word & RESTART != 0,
    };
    (decided, done)
}

/// The decision about an event, before anything changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decided {
    Refused,
    /// It happens; whether it ends the game, and whether it restarts it.
    Happens {
        over: bool,
        restart: bool,
    },
}

impl<'c> Body<'_, 'c> {
    /// The function of an event. Its parameter says whether it was read or chosen, and does not follow another.
    pub(super) fn event(&mut self, number: usize) {
        let compiled = self.unit.compiled;
        let event = &compiled.events[number];
        for (place, row) in event.impossible.iter().enumerate() {
            let Impossible { row, mark, .. } = row;
            self.run(&row.bindings, &row.conditions, &mut |body| {
                if body.unit.is_exact {
                    body.raise_impossible(place, row, mark.and_then(|mark| mark.local));
                }
                body.fail();
            });
        }
        self.hoist(number, Hoisting::new(self.unit, Some(number)).before());
        for refuse in &event.refuse {
            let fires = self.code(&refuse.fires);
            let refused = self.equals(fires, 1);
            self.if_nonzero(refused, &mut |body| {
                body.write_report(&event.refused);
                let status = body.constant(REFUSED);
                body.returns(status);
                let next = body.block();
                body.begin(next);
            });
        }
        self.hoist(number, Hoisting::new(self.unit, Some(number)).after());
        let mut status = self.constant(0);
        for (condition, sign) in [(&event.over, OVER), (&event.restart, RESTART)] {
            if let Some(condition) = condition {
                let holds = self.code(condition);
                let holds = self.equals(holds, 1);
                let signed = self.mul_imm(holds, sign);
                status = self.or(status, signed);
            }
        }
        for state in &event.changes {
            if self.availability.find(Available::New(*state)).is_some() {
                continue;
            }
            if self.unit.is_read_by_event_only(*state) && self.may_grow() {
                self.evaluate_new(number, *state);
            } else {
                let function = self.unit.declare(Key::New(number, *state));
                self.new_by(*state, function);
            }
        }
        self.write_report(&event.report);
        self.commit(number, status);
    }

    /// Reports that an `impossible` row fires.
    fn raise_impossible(&mut self, place: usize, row: &'c Report, member: Option<u32>) {
        let start = self.field(Field::OutputLength);
        self.say(&row.text);
        let member = match member {
            Some(local) => self.local(local),
            None => self.none(),
        };
        let row = self.constant(word(place));
        self.call(Callee::RaiseImpossible, &[row, start, member]);
    }

    /// Evaluates first what is needed later in any case.
    fn hoist(&mut self, event: usize, all: Vec<Available>) {
        if self.unit.is_exact {
            return;
        }
        for known in all {
            if self.availability.find(known).is_some() {
                continue;
            }
            match known {
                known if !self.may_grow() => self.ask(known),
                Available::Fact(fact) => {
                    let value = if self.unit.is_early(fact) {
                        let facts = Cache::Facts;
                        self.cached(facts, i64::from(fact), |body| body.evaluate_fact(fact))
                    } else {
                        self.evaluate_fact(fact)
                    };
                    self.as_typed(value, self.unit.compiled.facts[fact as usize].bounds);
                    self.availability.learn(known, value);
                }
                Available::New(state) => {
                    let value = self.evaluate_new(event, state);
                    self.learn_words(state, value);
                }
                Available::Loaded(_)
                | Available::Members(_)
                | Available::Words(..)
                | Available::Within(..)
                | Available::Called(_) => {}
            }
        }
    }

    /// Writes the text of each row that fires.
    fn write_report(&mut self, rows: &'c [Report]) {
        for row in rows {
            self.run(&row.bindings, &row.conditions, &mut |body| {
                body.begin_line();
                body.say_line(&row.text, if row.inline { "" } else { "\n" });
                body.begin_line();
            });
        }
    }

    /// Marks the output so far as complete, so that it stays if the function fails.
    fn begin_line(&mut self) {
        if self.unit.is_exact {
            let start = self.field(Field::OutputLength);
            self.store_field(start, Field::LineStart);
        }
    }

    /// Replaces old values with new ones, or leaves that to the machine, and returns the decision.
    fn commit(&mut self, event: usize, status: Value) {
        let compiled = self.unit.compiled;
        let event = &compiled.events[event];
        let open = self.or_imm(status, OPEN);
        if self.unit.is_exact {
            self.returns(open);
            return;
        }
        if event.restart.is_some() {
            let restarts = self.and_imm(status, RESTART);
            self.if_nonzero(restarts, &mut |body| {
                body.returns(open);
                let next = body.block();
                body.begin(next);
            });
        }
        let blocks: Vec<_> = event
            .blocks
            .iter()
            .map(|state| (*state, &compiled.states[*state as usize]))
            .collect();
        let machine_must = self.block();
        let mut values = Vec::new();
        for (state, definition) in &blocks {
            let value = self.new_of(*state);
            if definition.shape.block().is_some() {
                // A value in fixed memory may be overwritten before it is read.
                let own = self.equals(value, word(definition.offset));
                let fixed = self.constant(word(compiled.fixed_words));
                let made = self.compare(Condition::GreaterOrEqual, value, fixed);
                let none = self.is_none(value);
                let safe = self.or(own, made);
                let safe = self.or(safe, none);
                self.unless_zero(safe, machine_must);
            }
            values.push(value);
        }
        self.keep();
        for (state, offset) in &event.words {
            let value = self.new_of(*state);
            self.store(*offset, value);
        }
        for ((_, definition), value) in blocks.iter().zip(values) {
            let place = Place::Fixed(definition.offset);
            match definition.slot {
                Slot::Block { words } if words <= COPIED => {
                    let from = self.words(Place::At(value), words);
                    let to = self.words(place, words);
                    self.copy_words(from, to, words);
                }
                _ => {
                    let first = self.constant(0);
                    self.write(place, first, 1, &definition.slot, value);
                }
            }
        }
        let epoch = self.field(Field::Epoch);
        let next = self.add_imm(epoch, 1);
        self.store_field(next, Field::Epoch);
        self.returns(status);
        self.begin(machine_must);
        self.returns(open);
    }

    /// Saves the state before an event that was read or chosen, where `previous` needs it.
    fn keep(&mut self) {
        let kept = &self.unit.compiled.kept;
        if kept.is_empty() {
            return;
        }
        let chosen = self.parameters[0];
        self.if_nonzero(chosen, &mut |body| {
            if kept.iter().any(|kept| kept.words > COPIED) {
                body.call(Callee::Keep, &[]);
                return;
            }
            for kept in kept {
                let from = body.words(Place::Fixed(kept.offset), kept.words);
                let to = body.words(Place::Fixed(kept.previous), kept.words);
                body.copy_words(from, to, kept.words);
            }
        });
    }

    /// The new value of a state, which was evaluated before.
    fn new_of(&mut self, state: u32) -> Value {
        if let Some(value) = self.availability.find(Available::New(state)) {
            return value;
        }
        let index = self.constant(i64::from(state));
        let (_, value) = self.builder.recall(Cache::New, index);
        value
    }
}
