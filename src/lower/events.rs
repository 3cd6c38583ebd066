//! Facts, new values, and whole events.

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

/// What machine code says of an event: one of these, or the sum of several.
pub(super) const REFUSED: i64 = 1;
pub(super) const OVER: i64 = 2;
pub(super) const RESTART: i64 = 4;
/// The new values are still to be put in the place of the old ones.
pub(super) const OPEN: i64 = 8;

/// What the word that machine code gives says of an event, and whether all of it is done.
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

/// What is decided of an event, before anything changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decided {
    /// It is refused.
    Refused,
    /// It happens; whether the game is over then, and whether it begins again.
    Happens { over: bool, restart: bool },
}

impl<'c> Body<'_, 'c> {
    /// The function of an event. Its parameter says whether it was read or chosen, and does not follow another.
    pub(super) fn event(&mut self, in_hand: usize) {
        let compiled = self.unit.compiled;
        let event = &compiled.events[in_hand];
        for (place, row) in event.impossible.iter().enumerate() {
            let Impossible { row, mark, .. } = row;
            self.run(&row.bindings, &row.conditions, &mut |body| {
                if body.unit.is_exact {
                    body.raise_impossible(place, row, mark.and_then(|mark| mark.local));
                }
                body.fail();
            });
        }
        self.hoist(in_hand, Hoisting::new(self.unit, Some(in_hand)).before());
        for refuse in &event.refuse {
            let fires = self.code(&refuse.fires);
            let refused = self.equals(fires, 1);
            self.when(refused, &mut |body| {
                body.said(&event.refused);
                let status = body.constant(REFUSED);
                body.returns(status);
                let next = body.block();
                body.begin(next);
            });
        }
        self.hoist(in_hand, Hoisting::new(self.unit, Some(in_hand)).after());
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
            if self.unit.is_asked_by_event(*state) && self.may_grow() {
                self.new_worked_out(in_hand, *state);
            } else {
                let function = self.unit.declare(Key::New(in_hand, *state));
                self.new_by(*state, function);
            }
        }
        self.said(&event.report);
        self.commit(in_hand, status);
    }

    /// Says that an `impossible` row fires.
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

    /// Works out what is asked for later in any case.
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
                        self.remembered(facts, i64::from(fact), |body| body.evaluate_fact(fact))
                    } else {
                        self.evaluate_fact(fact)
                    };
                    self.as_typed(value, self.unit.compiled.facts[fact as usize].bounds);
                    self.availability.learn(known, value);
                }
                Available::New(state) => {
                    let value = self.new_worked_out(event, state);
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

    /// Says rows that fire.
    fn said(&mut self, rows: &'c [Report]) {
        for row in rows {
            self.run(&row.bindings, &row.conditions, &mut |body| {
                body.begin_line();
                body.say_line(&row.text, if row.inline { "" } else { "\n" });
                body.begin_line();
            });
        }
    }

    /// Says that what was said so far is whole, so that it stays where the function fails.
    fn begin_line(&mut self) {
        if self.unit.is_exact {
            let start = self.field(Field::OutputLength);
            self.store_field(start, Field::LineStart);
        }
    }

    /// Puts new values in the place of the old ones, or leaves that to the machine, and says how the event came out.
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
            self.when(restarts, &mut |body| {
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
                // A value that lies in fixed memory may be written over before it is read.
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

    /// Keeps what was there before an event that was read or chosen, where anybody asks for it.
    fn keep(&mut self) {
        let kept = &self.unit.compiled.kept;
        if kept.is_empty() {
            return;
        }
        let chosen = self.parameters[0];
        self.when(chosen, &mut |body| {
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

    /// The new value of a state, which was evaluated.
    fn new_of(&mut self, state: u32) -> Value {
        if let Some(value) = self.availability.find(Available::New(state)) {
            return value;
        }
        let index = self.constant(i64::from(state));
        let (_, value) = self.builder.recall(Cache::New, index);
        value
    }
}
