//! Facts and new values.

use super::{
    availability::{Available, Called},
    body::{Body, Place},
    define::Key,
    word,
};
use crate::code::{Begins, Bounds, Code, Equation, FactTable, Slot};
use crate::mir::{Cache, FunctionId, Value};

impl<'c> Body<'_, 'c> {
    /// The value of a fact without parameters, evaluated once per step.
    pub(super) fn fact(&mut self, fact: u32) -> Value {
        let compiled = self.unit.compiled;
        if let Some(constant) = compiled.constant(&compiled.facts[fact as usize].code) {
            return self.constant(constant);
        }
        if let Some(value) = self.availability.find(Available::Fact(fact)) {
            return value;
        }
        let value = self.fact_cached(fact);
        self.as_typed(value, compiled.facts[fact as usize].bounds);
        self.availability.learn(Available::Fact(fact), value);
        value
    }

    /// The value of a fact from its cache, or else by its function or inlined.
    fn fact_cached(&mut self, fact: u32) -> Value {
        let event = self.event;
        let is_called_once = self.unit.is_called_once(fact);
        // Call a fact that has a function: otherwise a chain of facts would be inlined in the function of each.
        let has_function = self.unit.has_function(fact, event);
        let is_in_place = is_called_once && !has_function && self.may_grow();
        let function = (!is_in_place).then(|| self.unit.fact(fact, event));
        self.cached(Cache::Facts, i64::from(fact), |body| match function {
            Some(function) => body.call_own(function, &[]),
            None => body.evaluate_fact(fact),
        })
    }

    /// Evaluates something early that is needed later in any case.
    pub(super) fn ask(&mut self, known: Available) {
        if self.availability.find(known).is_some() {
            return;
        }
        let compiled = self.unit.compiled;
        match (known, self.event) {
            (Available::Fact(fact), _) => {
                let constant = compiled.constant(&compiled.facts[fact as usize].code);
                if constant.is_none() {
                    let value = self.fact_cached(fact);
                    self.as_typed(value, compiled.facts[fact as usize].bounds);
                    self.availability.learn(known, value);
                }
            }
            (Available::New(state), Some(event)) => {
                let function = self.unit.declare(Key::New(event, state));
                let value = self.new_by(state, function);
                self.learn_words(state, value);
            }
            (Available::New(_), None)
            | (
                Available::Loaded(_)
                | Available::Members(_)
                | Available::Words(..)
                | Available::Within(..)
                | Available::Called(_),
                _,
            ) => {}
        }
    }

    /// Checks that the new value of a state lies in memory, which is known from here on.
    pub(super) fn learn_words(&mut self, state: u32, value: Value) {
        if let Slot::Block { words } = self.unit.compiled.states[state as usize].slot {
            self.words(Place::At(value), words);
        }
    }

    /// Evaluates a fact without parameters, and caches it.
    pub(super) fn evaluate_fact(&mut self, fact: u32) -> Value {
        let definition = &self.unit.compiled.facts[fact as usize];
        // This happens once per step, so only loops and recursion are charged.
        if self.unit.is_exact {
            self.charge();
        }
        self.making.push(Available::Fact(fact));
        let value = self.in_frame(|body| body.code(&definition.code));
        self.making.pop();
        let index = self.constant(i64::from(fact));
        self.remember(Cache::Facts, index, value);
        value
    }

    /// The value of a fact with parameters.
    pub(super) fn call_fact(&mut self, fact: u32, arguments: &'c [Code]) -> Value {
        if let Some(value) = self.inlined_fact(fact, arguments) {
            return value;
        }
        let call = self.call_of(Called::Fact(fact), arguments.iter());
        if let Some(value) = call.and_then(|call| self.availability.find(call)) {
            return value;
        }
        self.charge_once();
        let arguments: Vec<Value> = arguments
            .iter()
            .map(|argument| self.code(argument))
            .collect();
        let value = self.fact_of(fact, &arguments);
        if let Some(call) = call {
            self.availability.learn(call, value);
        }
        value
    }

    /// The value of a fact for some arguments from its cache, or else by its function.
    pub(super) fn fact_of(&mut self, fact: u32, arguments: &[Value]) -> Value {
        let event = self.event;
        let definition = &self.unit.compiled.facts[fact as usize];
        let is_in_place = self.is_evaluated_in_place(fact);
        let function = (!is_in_place).then(|| self.unit.fact(fact, event));
        let value = if let Some(table) = &definition.table {
            let place = self.place_in_table(table, arguments);
            self.cached_at(Cache::Table, place, |body| match function {
                Some(function) => body.call_own(function, arguments),
                None => body.evaluate_at(fact, arguments, table, place),
            })
        } else {
            let function = function.unwrap_or_else(|| self.unit.fact(fact, event));
            self.call_own(function, arguments)
        };
        self.as_typed(value, definition.bounds)
    }

    /// Evaluates a fact for some arguments in place, and caches the value.
    fn evaluate_at(
        &mut self,
        fact: u32,
        arguments: &[Value],
        table: &FactTable,
        place: Value,
    ) -> Value {
        let definition = &self.unit.compiled.facts[fact as usize];
        for (value, domain) in arguments.iter().zip(&table.domains) {
            if let Some(bounds) = Bounds::of(*domain) {
                self.bounded(*value, bounds);
            }
        }
        self.making.push(Available::Fact(fact));
        let value = self.in_frame(|body| {
            for (local, value) in (0u32..).zip(arguments) {
                body.set_local(local, *value);
            }
            body.code(&definition.code)
        });
        self.making.pop();
        self.remember(Cache::Table, place, value);
        value
    }

    /// The index in the cache for a fact with some arguments.
    fn place_in_table(&mut self, table: &FactTable, arguments: &[Value]) -> Value {
        let mut place = self.constant(0);
        let mut size = 1;
        for (value, domain) in arguments.iter().zip(&table.domains) {
            let index = self.index_in(*domain, *value);
            self.fail_unless_below(index, domain.count);
            place = self.times(place, word(domain.count));
            place = self.sum_of(place, index);
            size *= domain.count;
        }
        if table.start + size > self.unit.compiled.table_words {
            self.fail();
        }
        self.plus(place, word(table.start))
    }

    /// The function of a fact. Its parameters are the first locals.
    pub(super) fn define_fact(&mut self, fact: u32) {
        let definition = &self.unit.compiled.facts[fact as usize];
        if definition.parameters == 0 {
            let value = self.evaluate_fact(fact);
            self.returns(value);
            return;
        }
        self.making.push(Available::Fact(fact));
        let Some(table) = &definition.table else {
            for (local, bounds) in (0u32..).zip(&definition.takes) {
                let value = self.local(local);
                self.as_typed(value, *bounds);
            }
            let value = self.code(&definition.code);
            self.returns(value);
            return;
        };
        let parameters = (0u32..).zip(&table.domains);
        let parameters: Vec<Value> = parameters.map(|(local, _)| self.local(local)).collect();
        // The caller has checked that they are values, and that the cache has none for them.
        for (value, domain) in parameters.iter().zip(&table.domains) {
            if let Some(bounds) = Bounds::of(*domain) {
                self.bounded(*value, bounds);
            }
        }
        let place = self.place_in_table(table, &parameters);
        let value = self.code(&definition.code);
        self.remember(Cache::Table, place, value);
        self.returns(value);
    }

    /// The new value of a state, evaluated once per step.
    pub(super) fn new_value(&mut self, state: u32) -> Value {
        let Some(event) = self.event else {
            unreachable!("only what belongs to an event asks for new values");
        };
        let function = self.unit.declare(Key::New(event, state));
        self.new_by(state, function)
    }

    pub(super) fn new_by(&mut self, state: u32, function: FunctionId) -> Value {
        if let Some(value) = self.availability.find(Available::New(state)) {
            return value;
        }
        let value = self.cached(Cache::New, i64::from(state), |body| {
            body.call_own(function, &[])
        });
        self.availability.learn(Available::New(state), value);
        value
    }

    /// The function of a new value.
    pub(super) fn define_new(&mut self, event: usize, state: u32) {
        let value = self.evaluate_new(event, state);
        self.returns(value);
    }

    /// Evaluates the new value of a state, and caches it.
    pub(super) fn evaluate_new(&mut self, event: usize, state: u32) -> Value {
        let compiled = self.unit.compiled;
        let equation = compiled.events[event].equations.get(state as usize);
        self.making.push(Available::New(state));
        if self.unit.is_exact {
            self.charge();
        }
        let value = if event == 0 {
            let initial = &compiled.states[state as usize].initial;
            self.in_frame(|body| body.initial(state, initial))
        } else if let Some(Some(equation)) = equation {
            match &equation.begins {
                None => self.equation_value(state, equation),
                Some(begins) => self.reset_or(state, equation, begins),
            }
        } else {
            self.old_value(state)
        };
        self.making.pop();
        let index = self.constant(i64::from(state));
        self.remember(Cache::New, index, value);
        self.availability.learn(Available::New(state), value);
        value
    }

    /// The value that an equation gives a state.
    fn equation_value(&mut self, state: u32, equation: &'c Equation) -> Value {
        match (&equation.code, &equation.pointwise) {
            (Code::Agree { rows, .. }, _) if rows.is_empty() => self.old_value(state),
            (code, None) => self.in_frame(|body| body.code(code)),
            (_, Some(pointwise)) => {
                self.in_frame(|body| body.new_entries(state, equation, pointwise))
            }
        }
    }

    /// The value of a state before the event.
    fn old_value(&mut self, state: u32) -> Value {
        let state = &self.unit.compiled.states[state as usize];
        let first = self.constant(0);
        self.read(Place::Fixed(state.offset), first, 1, state.slot)
    }

    /// The initial value of a state if its round restarts, else the value from its equation.
    fn reset_or(&mut self, state: u32, equation: &'c Equation, begins: &'c Begins) -> Value {
        let nothing = self.constant(0);
        let result = self.variable(nothing);
        let (otherwise, done) = (self.block(), self.block());
        self.unless_holds(&begins.when, otherwise);
        let value = self.in_frame(|body| body.initial(state, &begins.value));
        self.set(result, value);
        self.go_to(done);
        self.begin(otherwise);
        let value = self.equation_value(state, equation);
        self.set(result, value);
        self.go_to(done);
        self.begin(done);
        self.get(result)
    }
}
