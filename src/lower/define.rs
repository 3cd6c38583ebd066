//! Defines the functions of a module, one by one, within a budget for code growth.
//!
//! Unrolling loops and inlining facts make code longer than the rules, and multiply when nested. Up to a budget that
//! pays. Beyond it loops stay loops and facts are called, so that the code grows only with the rules. If it is still
//! too long, the game is not lowered.

use super::{body::Body, unit::Unit};
use crate::mir::{Builder, Function, FunctionId, verify_function};

/// What a function evaluates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    /// An event; the function's parameter says whether it was read or chosen, and does not follow another.
    Event(usize),
    /// A fact, in the event whose new values it reads, if any.
    Fact(u32, Option<usize>),
    /// The new value of a state in an event; in event 0, its initial value.
    New(usize, u32),
    /// The guard of an event.
    Guard(usize),
    /// The event that a policy chooses.
    Policy(usize),
    /// The event that follows an event.
    Follows(usize),
    /// The events of a `play`, one after the other.
    Play(usize),
    /// A pattern between events.
    Read(usize),
    /// Which indices of a partial type are values.
    Values(usize),
    /// The possible events of a kind.
    Search(usize),
    /// A piece of the rules at an address, evaluated by itself in an event.
    Piece(PieceKind, usize, usize),
}

/// What to do with a piece of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PieceKind {
    Code,
    Text,
    Source,
    /// A table, of which all rows are tried or only as many as decide.
    Table {
        all: bool,
        parameters: usize,
    },
    Matches {
        /// The number of conditions.
        conditions: usize,
        /// Whether one match is enough.
        first: bool,
        /// How many locals to list for each match.
        locals: usize,
    },
}

impl Unit<'_> {
    /// The function that evaluates a fact in an event.
    pub(super) fn fact(&mut self, fact: u32, event: Option<usize>) -> FunctionId {
        let event = event.filter(|_| self.reads_new[fact as usize]);
        self.declare(Key::Fact(fact, event))
    }

    /// Whether a fact has a function already.
    pub(super) fn has_function(&self, fact: u32, event: Option<usize>) -> bool {
        let event = event.filter(|_| self.reads_new[fact as usize]);
        self.declared.contains_key(&Key::Fact(fact, event))
    }

    /// The function with a key, which becomes pending if it is new.
    pub(super) fn declare(&mut self, key: Key) -> FunctionId {
        if let Some(function) = self.declared.get(&key) {
            return *function;
        }
        let function = self.module.declare();
        self.declared.insert(key, function);
        self.pending.insert(function, key);
        function
    }

    fn parameters(&self, key: Key) -> usize {
        match key {
            Key::Fact(fact, _) => self.compiled.facts[fact as usize].parameters,
            Key::Event(_) | Key::Search(_) => 1,
            _ => 0,
        }
    }

    /// The name of a function in the text form.
    pub(super) fn name(&self, key: Key) -> String {
        let event = |event: usize| &self.compiled.events[event].name;
        let named = |fact: u32| &self.compiled.facts[fact as usize].name;
        match key {
            Key::Event(place) => format!("on {}", event(place)),
            Key::Fact(fact, None) => format!("fact {}", named(fact)),
            Key::Fact(fact, Some(place)) => format!("fact {} on {}", named(fact), event(place)),
            Key::New(place, state) => {
                let state = &self.compiled.states[state as usize].name;
                format!("new {state} on {}", event(place))
            }
            Key::Guard(place) => format!("guard {}", event(place)),
            Key::Policy(policy) => format!("policy {policy}"),
            Key::Follows(place) => format!("follows {}", event(place)),
            Key::Play(play) => format!("play {play}"),
            Key::Read(pattern) => format!("read {pattern}"),
            Key::Values(partial) => format!("values {partial}"),
            Key::Search(place) => format!("search {}", event(place)),
            Key::Piece(_, _, place) => format!("piece on {}", event(place)),
        }
    }

    /// Defines all pending functions; nothing if they have too many instructions together.
    pub(super) fn define_all(&mut self) -> Option<()> {
        while let Some((function, key)) = self.pending.pop_last() {
            let definition = self.define(key);
            self.module.define(function, definition);
            if self.budget.is_exhausted() {
                return None;
            }
        }
        Some(())
    }

    /// Defines a pending function, unless it has too many instructions.
    pub(super) fn define_pending(&mut self, function: FunctionId) {
        let Some(key) = self.pending.remove(&function) else {
            return;
        };
        let definition = self.define(key);
        if !self.budget.take_exhausted() {
            self.check(&definition);
            self.module.define(function, definition);
        }
    }

    /// Verifies a function lowered by itself.
    pub(super) fn check(&self, definition: &Function) {
        debug_assert_eq!(verify_function(self.module, definition), Ok(()));
    }

    fn define(&mut self, key: Key) -> Function {
        let event = match key {
            Key::Event(event) | Key::New(event, _) | Key::Follows(event) | Key::Search(event) => {
                Some(event)
            }
            Key::Fact(_, event) => event,
            Key::Piece(_, _, event) => Some(event),
            Key::Guard(_) | Key::Policy(_) | Key::Play(_) | Key::Read(_) | Key::Values(_) => None,
        };
        let compiled = self.compiled;
        let builder = Builder::new(self.name(key), self.parameters(key));
        let mut body = Body::new(builder, self, event);
        match key {
            Key::Event(event) => body.event(event),
            Key::Fact(fact, _) => body.define_fact(fact),
            Key::New(event, state) => body.define_new(event, state),
            Key::Guard(event) => body.guard(event),
            Key::Policy(policy) => body.choose(&compiled.policies[policy]),
            Key::Follows(event) => body.choose(&compiled.events[event].follows),
            Key::Play(play) => body.play(play),
            Key::Read(pattern) => body.read_pattern(pattern),
            Key::Values(partial) => body.values_of(partial),
            Key::Search(event) => body.search_event(event),
            Key::Piece(..) => unreachable!("a piece is defined when it is declared"),
        }
        body.finish()
    }
}

/// After this many instructions in a function, nothing more is unrolled or inlined in it.
const FUNCTION: usize = 1 << 13;

/// The same for all functions of a game together.
const MODULE: usize = 1 << 16;

/// How deep facts may be inlined within each other: register allocation takes as long as loops are nested.
const DEPTH: usize = 8;

/// The most instructions of a game.
const MOST: usize = 1 << 20;

/// How many instructions were emitted.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// In finished functions.
    finished: usize,
    is_exhausted: bool,
}

impl Budget {
    /// Whether there are more instructions than a game may have.
    pub(super) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Whether a function had too many instructions. Resets that for the next one.
    pub(super) fn take_exhausted(&mut self) -> bool {
        self.finished = 0;
        std::mem::take(&mut self.is_exhausted)
    }

    /// Adds the instructions of a finished function.
    pub(super) fn finish(&mut self, instructions: usize) {
        self.finished += instructions;
    }
}

impl Body<'_, '_> {
    /// Whether a loop may be unrolled, or a fact inlined.
    pub(super) fn may_grow(&self) -> bool {
        let made = self.builder.instructions();
        self.making.len() < DEPTH && made < FUNCTION && self.unit.budget.finished + made < MODULE
    }

    /// Whether there are more instructions than a game may have. Then none of them will run, and what else is emitted
    /// does not matter.
    pub(super) fn is_exhausted(&mut self) -> bool {
        let budget = &mut self.unit.budget;
        budget.is_exhausted |= budget.finished + self.builder.instructions() > MOST;
        budget.is_exhausted
    }
}
