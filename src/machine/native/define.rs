//! The functions of a game's machine code, one by one.

use cranelift_codegen::{
    Context,
    ir::{AbiParam, Signature, UserFuncName, types::I64},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};

use super::{body::Body, unit::Unit};

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
    /// The function that works out a fact in an event.
    pub(super) fn fact(&mut self, fact: u32, event: Option<usize>) -> Option<FuncId> {
        let event = event.filter(|_| self.asks_new[fact as usize]);
        self.declare(Key::Fact(fact, event))
    }

    /// The function with a key, to be defined if it is not yet.
    pub(super) fn declare(&mut self, key: Key) -> Option<FuncId> {
        if let Some(function) = self.declared.get(&key) {
            return Some(*function);
        }
        let function = self
            .module
            .declare_anonymous_function(&self.signature(key))
            .ok()?;
        self.declared.insert(key, function);
        self.pending.push((key, function));
        Some(function)
    }

    fn signature(&self, key: Key) -> Signature {
        let parameters = match key {
            Key::Fact(fact, _) => self.compiled.facts[fact as usize].parameters,
            Key::Event(_) | Key::Search(_) => 1,
            _ => 0,
        };
        let mut signature = self.module.make_signature();
        signature.params.resize(parameters + 1, AbiParam::new(I64));
        signature.returns.push(AbiParam::new(I64));
        signature
    }

    /// Defines all functions.
    pub(super) fn define_all(&mut self) -> Option<()> {
        let mut context = self.module.make_context();
        let mut frontend = FunctionBuilderContext::new();
        while let Some((key, function)) = self.pending.pop() {
            self.write(key, function, &mut context, &mut frontend);
            self.module.define_function(function, &mut context).ok()?;
            self.module.clear_context(&mut context);
        }
        Some(())
    }

    fn write(
        &mut self,
        key: Key,
        function: FuncId,
        context: &mut Context,
        frontend: &mut FunctionBuilderContext,
    ) {
        context.func.signature = self.signature(key);
        context.func.name = UserFuncName::user(0, function.as_u32());
        let builder = FunctionBuilder::new(&mut context.func, frontend);
        let event = match key {
            Key::Event(event) | Key::New(event, _) | Key::Follows(event) | Key::Search(event) => {
                Some(event)
            }
            Key::Fact(_, event) => event,
            Key::Guard(_) | Key::Policy(_) | Key::Play(_) | Key::Read(_) | Key::Values(_) => None,
        };
        let compiled = self.compiled;
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
        body.finish();
    }
}
