//! Variables of a function, and the locals of frames among them.

use std::collections::BTreeMap;

use cranelift_codegen::ir::{Value, types::I64};
use cranelift_frontend::Variable;

use super::{
    body::Body,
    known::{Argument, Called, Known},
};
use crate::code::Code;

/// The locals of the present frame, and when they were set.
#[derive(Debug, Default)]
pub(super) struct Locals {
    variables: Vec<Variable>,
    /// How often locals were set, in all frames, and which time was the last for each.
    changes: u32,
    newest: BTreeMap<u32, u32>,
}

impl Body<'_, '_> {
    pub(super) fn variable(&mut self, value: Value) -> Variable {
        let variable = self.builder.declare_var(I64);
        self.builder.def_var(variable, value);
        variable
    }

    pub(super) fn get(&mut self, variable: Variable) -> Value {
        self.builder.use_var(variable)
    }

    pub(super) fn set(&mut self, variable: Variable, value: Value) {
        self.builder.def_var(variable, value);
    }

    pub(super) fn local(&mut self, local: u32) -> Value {
        let variable = self.variable_of(local);
        self.builder.use_var(variable)
    }

    pub(super) fn set_local(&mut self, local: u32, value: Value) {
        let variable = self.variable_of(local);
        self.builder.def_var(variable, value);
        let locals = &mut self.locals;
        locals.changes += 1;
        locals.newest.insert(variable.as_u32(), locals.changes);
    }

    /// Sets the first locals.
    pub(super) fn set_locals(&mut self, values: &[Value]) {
        for (local, value) in (0u32..).zip(values) {
            self.set_local(local, *value);
        }
    }

    /// What an argument is, if that can be told apart from others.
    fn argument(&mut self, code: &Code) -> Option<Argument> {
        match code {
            Code::Constant(value) => Some(Argument::Constant(*value)),
            Code::Load(place) => Some(Argument::Load(*place)),
            Code::Fact(fact) => Some(Argument::Fact(*fact)),
            Code::Local(local) => {
                let variable = self.variable_of(*local).as_u32();
                let newest = self.locals.newest.get(&variable);
                newest.copied().map(Argument::Local)
            }
            _ => None,
        }
    }

    /// What is asked of some arguments, if these can be told apart from others.
    pub(super) fn call_of<'a>(
        &mut self,
        called: Called,
        arguments: impl Iterator<Item = &'a Code>,
    ) -> Option<Known> {
        // While words are read, fields change.
        if self.reads_for.is_some() {
            return None;
        }
        let arguments = arguments.map(|argument| self.argument(argument));
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        Some(self.knowledge.call(called, arguments))
    }

    fn variable_of(&mut self, local: u32) -> Variable {
        let variables = &mut self.locals.variables;
        while variables.len() <= local as usize {
            variables.push(self.builder.declare_var(I64));
        }
        variables[local as usize]
    }

    /// Does something with locals of its own.
    pub(super) fn in_frame<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        let variables = std::mem::take(&mut self.locals.variables);
        let result = then(self);
        self.locals.variables = variables;
        result
    }
}
