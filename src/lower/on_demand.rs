//! Lowering on demand: a function is lowered when it is first called, so that a short game takes no more than what it
//! asks for.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use super::{
    Purpose,
    define::Key,
    unit::{State, Unit},
};
use crate::{
    code::{Code, Compiled, Source, Text},
    mir::{Function, FunctionId, Module},
};

/// A part of the rules that is evaluated by itself, in a frame whose locals are the function's parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'c> {
    /// The value of an expression.
    Code(&'c Code),
    /// Writes a text.
    Text(&'c Text),
    /// Lists the values that are ranged over.
    Source(&'c Source),
    /// The value of a table of rows that write the journal.
    Table(Table<'c>),
    /// Lists the locals of a frame of so many each time that conditions hold; only the first time where `first` says so.
    Matches {
        bindings: &'c [(u32, Source)],
        conditions: &'c [Code],
        locals: usize,
        first: bool,
    },
}

/// A table of rows that write the journal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'c> {
    pub(crate) code: &'c Code,
    /// How many of the locals of its frame it is asked of.
    pub(crate) parameters: usize,
    /// Whether all rows are asked, and not only as many as decide.
    pub(crate) all: bool,
}

/// A module whose functions are lowered when they are first called.
#[derive(Default)]
pub(crate) struct OnDemand {
    module: Module,
    state: Mutex<Option<State>>,
}

impl OnDemand {
    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// The function with a key that is no piece.
    pub(crate) fn declared<'c>(&'c self, compiled: &'c Compiled, key: Key) -> FunctionId {
        self.with(compiled, |unit| match key {
            Key::Fact(fact, event) => unit.fact(fact, event),
            key => unit.declare(key),
        })
    }

    /// The function of a piece of the rules in an event. The piece must stay where it is as long as the game does.
    pub(crate) fn piece<'c>(
        &'c self,
        compiled: &'c Compiled,
        piece: Piece<'c>,
        event: usize,
    ) -> FunctionId {
        self.with(compiled, |unit| unit.piece(piece, event))
    }

    /// A function, which is lowered if it has not been; nothing where it has too many instructions.
    pub(crate) fn function<'c>(
        &'c self,
        compiled: &'c Compiled,
        function: FunctionId,
    ) -> Option<&'c Function> {
        if let Some(function) = self.module.function(function) {
            return Some(function);
        }
        self.with(compiled, |unit| unit.define_pending(function));
        self.module.function(function)
    }

    fn with<'c, T>(&'c self, compiled: &'c Compiled, body: impl FnOnce(&mut Unit<'c>) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let known = state.take();
        let known = known.unwrap_or_else(|| State::new(compiled, Purpose::Exact));
        let mut unit = Unit::resume(compiled, &self.module, known);
        let result = body(&mut unit);
        *state = Some(unit.pause());
        result
    }
}

impl fmt::Debug for OnDemand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("OnDemand").finish_non_exhaustive()
    }
}
