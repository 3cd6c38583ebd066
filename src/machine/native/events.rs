//! Facts, new values, and whole events.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC};

use super::{
    Native,
    body::{Body, Place, field},
    slots::FEW,
    unit::Key,
};
use crate::{
    code::{Report, Slot},
    machine::step::Decided,
};

/// What machine code says of an event: one of these, or the sum of several.
const REFUSED: i64 = 1;
const OVER: i64 = 2;
const RESTART: i64 = 4;

/// What the word that machine code gives says of an event.
pub(super) fn decided(word: i64) -> Decided {
    if word & REFUSED != 0 {
        return Decided::Refused;
    }
    Decided::Happens {
        over: word & OVER != 0,
        restart: word & RESTART != 0,
    }
}

impl<'c> Body<'_, 'c> {
    /// The function of an event: all up to what is said of it.
    pub(super) fn event(&mut self, in_hand: usize) {
        let compiled = self.unit.compiled;
        let event = &compiled.events[in_hand];
        for row in &event.impossible {
            // What is impossible is told by the evaluator.
            let row = &row.row;
            self.run(&row.bindings, &row.conditions, &mut Body::fail);
        }
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
        let mut status = self.constant(0);
        for (condition, sign) in [(&event.over, OVER), (&event.restart, RESTART)] {
            if let Some(condition) = condition {
                let holds = self.code(condition);
                let holds = self.equals(holds, 1);
                let signed = self.builder.ins().imul_imm(holds, sign);
                status = self.builder.ins().bor(status, signed);
            }
        }
        for state in &event.changes {
            if self.unit.is_asked_by_event(*state) {
                self.new_worked_out(in_hand, *state);
            } else if let Some(function) = self.unit.declare(Key::New(in_hand, *state)) {
                self.new_by(*state, function);
            }
        }
        self.said(&event.report);
        self.returns(status);
    }

    /// Says rows that fire.
    fn said(&mut self, rows: &'c [Report]) {
        for row in rows {
            self.run(&row.bindings, &row.conditions, &mut |body| {
                body.say_line(&row.text, if row.inline { "" } else { "\n" });
            });
        }
    }

    /// The function that puts new values in the place of the old ones; it gives 0 where the machine must do that.
    pub(super) fn commit(&mut self, event: usize) {
        let compiled = self.unit.compiled;
        let event = &compiled.events[event];
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
                let own = self.equals(value, Native::word(definition.offset));
                let fixed = self.constant(Native::word(compiled.fixed_words));
                let made = self.compare(IntCC::SignedGreaterThanOrEqual, value, fixed);
                let none = self.is_none(value);
                let safe = self.builder.ins().bor(own, made);
                let safe = self.builder.ins().bor(safe, none);
                self.unless_zero(safe, machine_must);
            }
            values.push(value);
        }
        for (state, offset) in &event.words {
            let value = self.new_of(*state);
            self.store(*offset, value);
        }
        for ((_, definition), value) in blocks.iter().zip(values) {
            let place = Place::Fixed(definition.offset);
            match definition.slot {
                Slot::Block { words } if words <= FEW => {
                    let (from, _) = self.words(Place::At(value), words);
                    for word in 0..words {
                        let byte = i32::try_from(word * 8).unwrap_or(0);
                        let value = self.load_at(from, byte);
                        self.store(definition.offset + word, value);
                    }
                }
                _ => {
                    let first = self.constant(0);
                    self.write(place, first, 1, &definition.slot, value);
                }
            }
        }
        let stamp = self.field(field!(stamp));
        let next = self.builder.ins().iadd_imm(stamp, 1);
        self.store_field(next, field!(stamp));
        let done = self.constant(1);
        self.returns(done);
        self.begin(machine_must);
        let not_done = self.constant(0);
        self.returns(not_done);
    }

    /// The new value of a state, which was worked out.
    fn new_of(&mut self, state: u32) -> Value {
        let index = self.constant(i64::from(state));
        let (_, value) = self.memo(field!(places.new), index);
        value
    }
}
