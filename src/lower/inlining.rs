//! Inlining: facts that are evaluated faster than they are called or looked up in a cache.

use super::{availability::Available, body::Body, unrolling::takes_no_loop};
use crate::code::Code;
use crate::mir::Value;

/// How many pieces a fact may have that is evaluated where it is asked, however often that is.
const SMALL: usize = 8;

/// How many pieces a fact may have whose values are not remembered, so that it is evaluated wherever it is asked.
const SHORT: usize = 32;

/// Whether a fact's code is short, and takes no loop.
fn is_short(code: &Code) -> bool {
    !code.is_larger_than(SHORT) && !code.any(&|piece| !takes_no_loop(piece))
}

/// Whether a fact's code is so short that it is evaluated where it is asked.
pub(super) fn is_inlined(code: &Code) -> bool {
    let is_simple = |code: &Code| code.is_simple() || matches!(code, Code::The(..));
    !code.is_larger_than(SMALL) && !code.any(&|piece| !is_simple(piece))
}

impl<'c> Body<'_, 'c> {
    /// The value of a fact with parameters, evaluated in its place, if it is small.
    pub(super) fn small_fact(&mut self, fact: u32, arguments: &'c [Code]) -> Option<Value> {
        if self.unit.is_exact || !self.may_grow() {
            return None;
        }
        let definition = &self.unit.compiled.facts[fact as usize];
        if !is_inlined(&definition.code) {
            let is_remembered = definition.table.is_some();
            if is_remembered
                || self.making.contains(&Available::Fact(fact))
                || !is_short(&definition.code)
            {
                return None;
            }
            self.charge_once();
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.code(argument));
        }
        self.making.push(Available::Fact(fact));
        let value = self.in_frame(|body| {
            for (local, value) in (0u32..).zip(values) {
                body.set_local(local, value);
            }
            body.code(&definition.code)
        });
        self.making.pop();
        Some(value)
    }
}
