//! Variables of a function, and the locals of frames as variables.

use super::{
    availability::{Argument, Available, Called},
    body::Body,
};
use crate::code::Code;
use crate::mir::{Value, Variable};

/// The locals of the current frame. Each is set before it is read on every path, so that its value is available.
#[derive(Debug, Default)]
pub(super) struct Locals {
    values: Vec<Option<Value>>,
    /// The same as variables, for expressions that may read a local that some path has not set.
    variables: Vec<Variable>,
}

impl Body<'_, '_> {
    pub(super) fn variable(&mut self, value: Value) -> Variable {
        let variable = self.builder.variable();
        self.builder.set_variable(variable, value);
        variable
    }

    pub(super) fn get(&mut self, variable: Variable) -> Value {
        self.builder.get_variable(variable)
    }

    pub(super) fn set(&mut self, variable: Variable, value: Value) {
        self.builder.set_variable(variable, value);
    }

    pub(super) fn local(&mut self, local: u32) -> Value {
        match self.locals.values.get(local as usize) {
            Some(Some(value)) => *value,
            _ => self.local_if_set(local),
        }
    }

    /// The value of a local, or any value if it is not set.
    pub(super) fn local_if_set(&mut self, local: u32) -> Value {
        let variable = self.variable_of(local);
        self.builder.get_variable(variable)
    }

    pub(super) fn set_local(&mut self, local: u32, value: Value) {
        let variable = self.variable_of(local);
        self.builder.set_variable(variable, value);
        let values = &mut self.locals.values;
        if values.len() <= local as usize {
            values.resize(local as usize + 1, None);
        }
        values[local as usize] = Some(value);
    }

    /// Sets the first locals.
    pub(super) fn set_locals(&mut self, values: &[Value]) {
        for (local, value) in (0u32..).zip(values) {
            self.set_local(local, *value);
        }
    }

    /// An argument, if it can be compared with those of other calls.
    fn argument(&self, code: &Code) -> Option<Argument> {
        match code {
            Code::Constant(value) => Some(Argument::Constant(*value)),
            Code::Load(place) => Some(Argument::Load(*place)),
            Code::Fact(fact) => Some(Argument::Fact(*fact)),
            Code::Local(local) => {
                let value = self.locals.values.get(*local as usize)?;
                value.map(Argument::Local)
            }
            _ => None,
        }
    }

    /// A call with these arguments, if they can be compared with those of other calls.
    pub(super) fn call_of<'a>(
        &mut self,
        called: Called,
        arguments: impl Iterator<Item = &'a Code>,
    ) -> Option<Available> {
        // While words are read, fields change.
        if self.reads_for.is_some() {
            return None;
        }
        let arguments = arguments.map(|argument| self.argument(argument));
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        Some(self.availability.call(called, arguments))
    }

    fn variable_of(&mut self, local: u32) -> Variable {
        let variables = &mut self.locals.variables;
        while variables.len() <= local as usize {
            variables.push(self.builder.zeroed_variable());
        }
        variables[local as usize]
    }

    /// Emits code at a join point, where some locals have the value from the path taken, and not the one set last in
    /// the order of the code.
    pub(super) fn at_join<T>(
        &mut self,
        locals: impl Iterator<Item = u32>,
        then: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let known = self.locals.values.clone();
        for local in locals {
            if let Some(value) = self.locals.values.get_mut(local as usize) {
                *value = None;
            }
        }
        let result = then(self);
        self.locals.values = known;
        result
    }

    /// Emits code with locals of its own.
    pub(super) fn in_frame<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        let locals = std::mem::take(&mut self.locals);
        let result = then(self);
        self.locals = locals;
        result
    }
}
