//! Facts, new values, and whole events.

use cranelift_codegen::ir::{InstBuilder, Value};

use super::{
    Native,
    body::{Body, Place, field},
    calls::Callee,
    ranges::can_loop,
    unit::Key,
};
use crate::{
    code::{Code, Equation, Pointwise, Report},
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
    // Facts.

    /// The value of a fact without parameters, worked out once in a step.
    pub(super) fn fact(&mut self, fact: u32, code: &'c Code) -> Value {
        let Some(function) = self.unit.fact(fact, self.event) else {
            return self.interpret(code);
        };
        let index = self.constant(i64::from(fact));
        let (_, is_now, value) = self.memo(field!(places.facts), index);
        let result = self.variable(value);
        let (anew, done) = (self.block(), self.block());
        self.branch(is_now, done, anew);
        self.begin(anew);
        let value = self.call_own(function, &[]);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    /// The value of a fact with parameters.
    pub(super) fn call_fact(&mut self, fact: u32, arguments: &'c [Code], code: &'c Code) -> Value {
        let Some(function) = self.unit.fact(fact, self.event) else {
            return self.interpret(code);
        };
        self.works();
        let arguments: Vec<Value> = arguments
            .iter()
            .map(|argument| self.code(argument))
            .collect();
        self.call_own(function, &arguments)
    }

    /// The function of a fact. Its parameters are the first locals.
    pub(super) fn fact_anew(&mut self, fact: u32) {
        let definition = &self.unit.compiled.facts[fact as usize];
        if definition.parameters == 0 {
            self.works();
            let value = self.code(&definition.code);
            let index = self.constant(i64::from(fact));
            self.remember(field!(places.facts), index, value);
            self.returns(value);
            return;
        }
        let Some(table) = &definition.table else {
            let value = self.code(&definition.code);
            self.returns(value);
            return;
        };
        let mut place = self.constant(0);
        let mut size = 1;
        for (local, domain) in (0u32..).zip(&table.domains) {
            let value = self.local(local);
            let index = self.index_in(*domain, value);
            self.fail_unless_below(index, domain.count);
            place = self
                .builder
                .ins()
                .imul_imm(place, Native::word(domain.count));
            place = self.builder.ins().iadd(place, index);
            size *= domain.count;
        }
        if table.start + size > self.unit.compiled.table_words {
            self.fail();
        }
        let place = self
            .builder
            .ins()
            .iadd_imm(place, Native::word(table.start));
        let (_, is_now, remembered) = self.memo(field!(places.table), place);
        let (known, anew) = (self.block(), self.block());
        self.branch(is_now, known, anew);
        self.begin(known);
        self.returns(remembered);
        self.begin(anew);
        let value = self.code(&definition.code);
        self.remember(field!(places.table), place, value);
        self.returns(value);
    }

    // New values.

    /// The new value of a state, worked out once in a step.
    pub(super) fn new_value(&mut self, state: u32, code: &'c Code) -> Value {
        let Some(event) = self.event else {
            return self.interpret(code);
        };
        let Some(function) = self.unit.declare(Key::New(event, state)) else {
            return self.interpret(code);
        };
        self.new_by(state, function)
    }

    fn new_by(&mut self, state: u32, function: cranelift_module::FuncId) -> Value {
        let index = self.constant(i64::from(state));
        let (_, is_now, value) = self.memo(field!(places.new), index);
        let result = self.variable(value);
        let (anew, done) = (self.block(), self.block());
        self.branch(is_now, done, anew);
        self.begin(anew);
        let value = self.call_own(function, &[]);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }

    /// The function of a new value.
    pub(super) fn new_anew(&mut self, event: usize, state: u32) {
        self.works();
        let compiled = self.unit.compiled;
        let equation = compiled.events[event].equations.get(state as usize);
        let value = if let Some(Some(equation)) = equation {
            match &equation.pointwise {
                None => self.code(&equation.code),
                Some(pointwise) => self.new_entries(state, equation, pointwise),
            }
        } else {
            let state = &compiled.states[state as usize];
            let first = self.constant(0);
            self.read(Place::Fixed(state.offset), first, 1, state.slot)
        };
        let index = self.constant(i64::from(state));
        self.remember(field!(places.new), index, value);
        self.returns(value);
    }

    fn new_entries(
        &mut self,
        state: u32,
        equation: &'c Equation,
        pointwise: &'c Pointwise,
    ) -> Value {
        let definition = &self.unit.compiled.states[state as usize];
        let words = definition.shape.block().unwrap_or(0);
        let block = self.copied(Place::Fixed(definition.offset), words);
        let count = pointwise.key.count;
        if let Some(keys) = &equation.only {
            for (place, key) in keys.iter().enumerate() {
                let key_value = self.code(key);
                let skip = self.block();
                let index = self.index_in(pointwise.key, key_value);
                for earlier in &keys[..place] {
                    let earlier = self.code(earlier);
                    let differs = self.compare(
                        cranelift_codegen::ir::condcodes::IntCC::NotEqual,
                        earlier,
                        key_value,
                    );
                    self.unless_zero(differs, skip);
                }
                let below = self.is_below(index, count);
                self.unless_zero(below, skip);
                self.works();
                self.set_local(0, key_value);
                let value = self.code(&equation.code);
                self.write(Place::At(block), index, count, &pointwise.slot, value);
                self.go_to(skip);
                self.begin(skip);
            }
            return block;
        }
        let all = self.constant(Native::word(count));
        let last = match &pointwise.last {
            Some(last) => {
                let last = self.code(last);
                let index = self.index_in(pointwise.key, last);
                let below = self.is_below(index, count);
                let after = self.builder.ins().iadd_imm(index, 1);
                self.select(below, after, all)
            }
            None => all,
        };
        let zero = self.constant(0);
        let index = self.variable(zero);
        let (head, inside, next, done) = (self.block(), self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(index);
        let below = self.compare(
            cranelift_codegen::ir::condcodes::IntCC::UnsignedLessThan,
            at,
            last,
        );
        self.branch(below, inside, done);
        self.begin(inside);
        self.works();
        let key = self.value_of(pointwise.key, at);
        if let Some(partial) = pointwise.partial {
            let partial = self.constant(Native::word(partial));
            let is_value = self.call(Callee::IsValue, &[partial, key]);
            self.unless_zero(is_value, next);
        }
        self.bind_key(pointwise, at, key);
        let value = self.code(&equation.code);
        self.write(Place::At(block), at, count, &pointwise.slot, value);
        self.go_to(next);
        self.begin(next);
        let following = self.builder.ins().iadd_imm(at, 1);
        self.set(index, following);
        self.go_to(head);
        self.begin(done);
        block
    }

    /// Sets the first locals to the parts of a key.
    fn bind_key(&mut self, pointwise: &'c Pointwise, index: Value, key: Value) {
        if let [_] = pointwise.parameters.as_slice() {
            self.set_local(0, key);
            return;
        }
        let mut rest = index;
        let numbered = (0u32..).zip(&pointwise.parameters);
        for (local, domain) in numbered.collect::<Vec<_>>().into_iter().rev() {
            let count = Native::word(domain.count);
            let place = self.builder.ins().urem_imm(rest, count);
            let value = self.value_of(*domain, place);
            self.set_local(local, value);
            rest = self.builder.ins().udiv_imm(rest, count);
        }
    }

    // Events.

    /// The function of an event: all up to what is said of it.
    pub(super) fn event(&mut self, event: usize) {
        let compiled = self.unit.compiled;
        let event = &compiled.events[event];
        for row in &event.impossible {
            let row = &row.row;
            if can_loop(&row.bindings) {
                // What is impossible is told by the evaluator.
                self.run(&row.bindings, &row.conditions, &mut Body::fail);
            } else {
                self.fail();
            }
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
            if let Some(function) = self
                .event
                .and_then(|event| self.unit.declare(Key::New(event, *state)))
            {
                self.new_by(*state, function);
            }
        }
        self.said(&event.report);
        self.returns(status);
    }

    /// Says rows that fire.
    fn said(&mut self, rows: &'c [Report]) {
        for row in rows {
            if !can_loop(&row.bindings) || !Self::can_say(&row.text) {
                self.fail();
                continue;
            }
            self.run(&row.bindings, &row.conditions, &mut |body| {
                body.say(&row.text);
                if !row.inline {
                    body.say_literal(b"\n");
                }
            });
        }
    }
}
