//! The functions of a module, one by one.

use super::{body::Body, unit::Unit};
use crate::mir::{Builder, Function, FunctionId};

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// An event.
    Event(usize),
    /// A fact; in the event whose new values it asks for, if it asks for any.
    Fact(u32, Option<usize>),
    /// The new value of a state in an event.
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
}

impl Unit<'_> {
    /// The function that evaluates a fact in an event.
    pub(super) fn fact(&mut self, fact: u32, event: Option<usize>) -> FunctionId {
        let event = event.filter(|_| self.asks_new[fact as usize]);
        self.declare(Key::Fact(fact, event))
    }

    /// The function with a key, to be defined if it is not yet.
    pub(super) fn declare(&mut self, key: Key) -> FunctionId {
        if let Some(function) = self.declared.get(&key) {
            return *function;
        }
        let place = self.module.functions.len();
        let function = FunctionId(u32::try_from(place).unwrap_or(u32::MAX));
        self.module.functions.push(Function::default());
        self.declared.insert(key, function);
        self.pending.push((key, function));
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
    fn name(&self, key: Key) -> String {
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
        }
    }

    /// Defines all functions; nothing where they have too many instructions together.
    pub(super) fn define_all(&mut self) -> Option<()> {
        while let Some((key, function)) = self.pending.pop() {
            let defined = self.define(key);
            self.module.functions[function.0 as usize] = defined;
            if self.budget.is_exhausted() {
                return None;
            }
        }
        Some(())
    }

    fn define(&mut self, key: Key) -> Function {
        let event = match key {
            Key::Event(event) | Key::New(event, _) | Key::Follows(event) | Key::Search(event) => {
                Some(event)
            }
            Key::Fact(_, event) => event,
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
        }
        body.finish()
    }
}
