//! Maps built entry by entry.

use super::{
    availability::{Available, Called},
    body::{Body, Place},
    ranges::Visit,
    word,
};
use crate::code::{Code, Domain, Equation, Few, Initial, Pointwise};
use crate::mir::{Address, Condition, Space, Value};

/// A map that is being built.
struct Made<'c> {
    pointwise: &'c Pointwise,
    /// The value of an entry, with the key's parts as the first locals.
    code: &'c Code,
    /// The block of the map.
    block: Value,
    /// The offset of the map in fixed memory that it is a copy of.
    copied: Option<usize>,
}

/// Whether an expression is the entry of a map in fixed memory whose key is the first locals.
fn is_entry(code: &Code, map: usize) -> bool {
    let is_local = |(code, local): (&Code, u32)| matches!(code, Code::Local(at) if *at == local);
    let is_key = |key: &Code| match key {
        Code::Index(parts) => parts.iter().map(|part| &part.code).zip(0..).all(is_local),
        key => is_local((key, 0)),
    };
    match code {
        Code::Entry(entry) => {
            let is_map = matches!(entry.map, Code::Constant(at) if usize::try_from(at) == Ok(map));
            is_map && is_key(&entry.key)
        }
        _ => false,
    }
}

impl<'b, 'c> Body<'b, 'c> {
    /// The new value of a state that is a map.
    pub(super) fn new_entries(
        &mut self,
        state: u32,
        equation: &'c Equation,
        pointwise: &'c Pointwise,
    ) -> Value {
        let definition = &self.unit.compiled.states[state as usize];
        let words = definition.shape.block().unwrap_or(0);
        let block = self.copied(Place::Fixed(definition.offset), words);
        let made = Made {
            pointwise,
            code: &equation.code,
            block,
            copied: Some(definition.offset),
        };
        match &equation.only {
            Some(few) => self.few_entries(&made, few),
            None => self.each_entry(&made),
        }
        block
    }

    /// The initial value of a state.
    pub(super) fn initial(&mut self, state: u32, initial: &'c Initial) -> Value {
        let definition = &self.unit.compiled.states[state as usize];
        let Some(pointwise) = &initial.pointwise else {
            return self.code(&initial.code);
        };
        let block = self.new_block(definition.shape.block().unwrap_or(0));
        self.each_entry(&Made {
            pointwise,
            code: &initial.code,
            block,
            copied: None,
        });
        block
    }

    /// The function that finds which indices of a partial type are values.
    pub(super) fn values_of(&mut self, partial: usize) {
        let partial = &self.unit.compiled.partial[partial];
        let start =
            Address::new(Space::Values).plus(i32::try_from(partial.start).unwrap_or(i32::MAX));
        let (lo, hi) = (self.constant(0), self.constant(word(partial.count) - 1));
        self.each_number(lo, hi, &mut |body, index| {
            body.set_local(partial.index, index);
            let is_value = body.code(&partial.is_value);
            let is_value = body.equals(is_value, 1);
            body.store_byte(is_value, start.indexed(index));
        });
        let done = self.constant(0);
        self.returns(done);
    }

    /// Sets all entries of a map.
    fn each_entry(&mut self, made: &Made<'c>) {
        let first = self.constant(0);
        let end = self.end_of_keys(made.pointwise);
        self.each_index(first, end, &mut |body, index| {
            body.bind_key(made.pointwise, index);
            body.set_entry(index, made);
        });
    }

    /// As [`Body::each_entry`], for a few entries only.
    fn few_entries(&mut self, made: &Made<'c>, few: &'c Few) {
        let pointwise = made.pointwise;
        let end = self.end_of_keys(pointwise);
        let index = self.constant(0);
        self.each_of_few(
            &few.parts,
            &pointwise.parameters,
            index,
            &mut |body, index| {
                let is_key = body.compare(Condition::Below, index, end);
                body.if_nonzero(is_key, &mut |body| body.set_entry(index, made));
            },
        );
    }

    /// Visits the indices of a few keys. The first parts of the key are bound, and `index` is theirs.
    fn each_of_few(
        &mut self,
        parts: &'c [Option<Box<[Code]>>],
        parameters: &'c [Domain],
        index: Value,
        visit: Visit<'_, 'b, 'c>,
    ) {
        let place = parameters.len() - parts.len();
        let (Some((part, rest)), Some(domain)) = (parts.split_first(), parameters.get(place))
        else {
            visit(self, index);
            return;
        };
        let local = u32::try_from(place).unwrap_or(u32::MAX);
        let count = word(domain.count);
        let before = self.times(index, count);
        let Some(values) = part else {
            let (first, end) = (self.constant(0), self.constant(count));
            self.each_index(first, end, &mut |body, inner| {
                let value = body.value_of(*domain, inner);
                body.set_local(local, value);
                let index = body.sum_of(before, inner);
                body.each_of_few(rest, parameters, index, visit);
            });
            return;
        };
        let values: Vec<Value> = values.iter().map(|value| self.code(value)).collect();
        for (place, value) in values.iter().enumerate() {
            let skip = self.block();
            for earlier in &values[..place] {
                let differs = self.compare(Condition::NotEqual, *earlier, *value);
                self.unless_zero(differs, skip);
            }
            let inner = self.index_in(*domain, *value);
            let below = self.is_below(inner, domain.count);
            self.unless_zero(below, skip);
            let last = word(domain.count) - 1;
            self.availability
                .learn(Available::Within(inner, 0, last), inner);
            self.set_local(local, *value);
            let index = self.sum_of(before, inner);
            self.each_of_few(rest, parameters, index, visit);
            self.go_to(skip);
            self.begin(skip);
        }
    }

    /// Sets the entry with an index, if that is a key. The parts of the key are bound.
    fn set_entry(&mut self, index: Value, made: &Made<'c>) {
        let Made {
            pointwise,
            code,
            block,
            copied,
        } = *made;
        self.charge();
        let skip = self.block();
        if let Some(partial) = pointwise.partial {
            let key = self.value_of(pointwise.key, index);
            let is_value = self.is_value(partial, key);
            self.unless_zero(is_value, skip);
            // From here on, the parts are known to make a key.
            let parts = 0..u32::try_from(pointwise.parameters.len()).unwrap_or(0);
            let parts: Vec<Code> = parts.map(Code::Local).collect();
            if let Some(call) = self.call_of(Called::Index(partial), parts.iter()) {
                self.availability.learn(call, key);
            }
        }
        let value = match code {
            // The copy has the old entry already.
            Code::If(choice) if copied.is_some_and(|map| is_entry(&choice.otherwise, map)) => {
                for condition in &choice.conditions {
                    self.unless_holds(condition, skip);
                }
                self.code(&choice.value)
            }
            code => self.code(code),
        };
        let count = pointwise.key.count;
        self.write(Place::At(block), index, count, &pointwise.slot, value);
        self.go_to(skip);
        self.begin(skip);
    }

    /// One past the last index of a map's keys.
    fn end_of_keys(&mut self, pointwise: &'c Pointwise) -> Value {
        let count = pointwise.key.count;
        let all = self.constant(word(count));
        let Some(last) = &pointwise.last else {
            return all;
        };
        let last = self.code(last);
        let index = self.index_in(pointwise.key, last);
        let below = self.is_below(index, count);
        let after = self.add_imm(index, 1);
        self.select(below, after, all)
    }

    /// Sets the first locals to the parts of the key with an index.
    fn bind_key(&mut self, pointwise: &'c Pointwise, index: Value) {
        if let [_] = pointwise.parameters.as_slice() {
            let key = self.value_of(pointwise.key, index);
            self.set_local(0, key);
            return;
        }
        let mut rest = index;
        let numbered = (0u32..).zip(&pointwise.parameters);
        for (local, domain) in numbered.collect::<Vec<_>>().into_iter().rev() {
            let count = word(domain.count);
            let place = self.unsigned_rem_imm(rest, count);
            let value = self.value_of(*domain, place);
            self.set_local(local, value);
            rest = self.unsigned_div_imm(rest, count);
        }
    }
}
