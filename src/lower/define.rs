//! The functions of a module, one by one, and how much they may grow by being lowered.
//!
//! A loop whose body is unrolled and a fact that is inlined where it is asked make code longer than the rules are: one
//! within the other, by a factor each time. Up to a bound that pays; beyond it loops stay loops and facts are called, so
//! that the code is as long as the rules are. Where it is still too long, the game is not lowered.

use super::{body::Body, unit::Unit};
use crate::mir::{Builder, Function, FunctionId, verify_function};

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    /// An event; the function's parameter says whether it was read or chosen, and does not follow another.
    Event(usize),
    /// A fact; in the event whose new values it asks for, if it asks for any.
    Fact(u32, Option<usize>),
    /// The new value of a state in an event; in event 0, its initial value.
    New(usize, u32),
    /// Whether an event may happen.
    Guard(usize),
    /// Which event a policy chooses.
    Policy(usize),
    /// Which event follows an event.
    Follows(usize),
    /// Events of a transcript, one after the other.
    Play(usize),
    /// A pattern between events.
    Read(usize),
    /// Which indexes of a partial type are values.
    Values(usize),
    /// What an event can be that may happen.
    Search(usize),
    /// A piece of the rules at an address, evaluated by itself in an event.
    Piece(PieceKind, usize, usize),
}

/// What is made of a piece of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PieceKind {
    Code,
    Text,
    Source,
    /// A table, of which all rows are asked or only those that the table needs.
    Table {
        all: bool,
        parameters: usize,
    },
    Matches {
        /// How many conditions there are.
        conditions: usize,
        /// Whether one match is enough.
        first: bool,
        /// How many locals are listed of each.
        locals: usize,
    },
}

impl Unit<'_> {
    /// The function that evaluates a fact in an event.
    pub(super) fn fact(&mut self, fact: u32, event: Option<usize>) -> FunctionId {
        let event = event.filter(|_| self.asks_new[fact as usize]);
        self.declare(Key::Fact(fact, event))
    }

    /// Whether a fact has a function already.
    pub(super) fn has_function(&self, fact: u32, event: Option<usize>) -> bool {
        let event = event.filter(|_| self.asks_new[fact as usize]);
        self.declared.contains_key(&Key::Fact(fact, event))
    }

    /// The function with a key, to be defined if it is not yet.
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

    /// Defines all functions; nothing where they have too many instructions together.
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

    /// Defines a function that was declared, unless it has too many instructions.
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

    /// Checks a function that is lowered by itself.
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
            Key::Fact(fact, _) => body.fact_anew(fact),
            Key::New(event, state) => body.new_anew(event, state),
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

/// How many instructions a function may have before nothing more is unrolled or inlined in it.
const FUNCTION: usize = 1 << 13;

/// The same for all functions of a game together.
const MODULE: usize = 1 << 16;

/// How deep facts may be inlined one within another: registers take as long to allot as loops are deep in one another.
const DEPTH: usize = 8;

/// How many instructions a game may have.
const MOST: usize = 1 << 20;

/// How many instructions have been made.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// In the functions that are finished.
    finished: usize,
    is_exhausted: bool,
}

impl Budget {
    /// Whether there are more instructions than a game may have.
    pub(super) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Whether a function had too many instructions; the next one may have as many.
    pub(super) fn take_exhausted(&mut self) -> bool {
        self.finished = 0;
        std::mem::take(&mut self.is_exhausted)
    }

    /// Adds the instructions of a function that is finished.
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

    /// Whether there are more instructions than a game may have. Then none of them will be run, and what else is made
    /// does not matter.
    pub(super) fn is_exhausted(&mut self) -> bool {
        let budget = &mut self.unit.budget;
        budget.is_exhausted |= budget.finished + self.builder.instructions() > MOST;
        budget.is_exhausted
    }
}
