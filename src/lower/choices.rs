//! Which event comes next, by a policy or by the event before it.

use super::{
    body::{Body, Place},
    word,
};
use crate::code::Choice;
use crate::mir::{Address, Space, Value};

/// Returned if nothing is chosen.
pub(super) const NOTHING: i64 = -1;

impl<'c> Body<'_, 'c> {
    /// The function of a guard: whether an event is possible.
    pub(super) fn guard(&mut self, event: usize) {
        let holds = self.guarded(event);
        self.returns(holds);
    }

    /// Whether the guard of an event holds.
    pub(super) fn guarded(&mut self, event: usize) -> Value {
        match &self.unit.compiled.events[event].guard {
            None => self.constant(1),
            Some(guard) => self.in_frame(|body| {
                let holds = body.code(&guard.code);
                body.equals(holds, 1)
            }),
        }
    }

    /// The function of rows that choose an event. Returns the index of the first row that fires, whose event's guard
    /// holds, and whose fields have a value if they need one. Stores the fields in `chosen_fields`.
    pub(super) fn choose(&mut self, choices: &'c [Choice]) {
        for (place, choice) in choices.iter().enumerate() {
            self.in_frame(|body| body.choice(place, choice));
        }
        let nothing = self.constant(NOTHING);
        self.returns(nothing);
    }

    fn choice(&mut self, place: usize, choice: &'c Choice) {
        let event = &self.unit.compiled.events[choice.event];
        let taken = self.exit();
        self.run(&choice.bindings, &choice.conditions, &mut |body| {
            let not = body.block();
            for (index, (field, code)) in event.fields.iter().zip(&choice.fields).enumerate() {
                let value = body.code(code);
                let is_some = body.is_some(value);
                if !field.optional {
                    body.unless_zero(is_some, not);
                }
                let mut kept = value;
                if let Some(words) = field.shape.block() {
                    // Copy a block of the state, which the event may change.
                    let copy = body.variable(value);
                    body.if_nonzero(is_some, &mut |body| {
                        let copied = body.copied(Place::At(value), words);
                        body.set(copy, copied);
                    });
                    kept = body.get(copy);
                }
                body.store_at(kept, Address::new(Space::Chosen).words(index));
            }
            let may = body.guarded(choice.event);
            body.unless_zero(may, not);
            body.leave(taken);
            body.go_to(not);
            body.begin(not);
        });
        let next = self.block();
        self.go_to(next);
        self.begin(taken.block);
        let chosen = self.constant(word(place));
        self.returns(chosen);
        self.begin(next);
    }
}
