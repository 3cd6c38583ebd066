//! Which functions a game's machine code has.

use std::collections::BTreeMap;

use cranelift_codegen::{
    Context,
    ir::{AbiParam, Signature, UserFuncName, types::I64},
    settings::{self, Configurable},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};

use super::{Native, body::Body};
use crate::code::{Code, Compiled};

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// An event, up to what is said of it.
    Event(usize),
    /// A fact; in the event whose new values it asks for, if it asks for any.
    Fact(u32, Option<usize>),
    /// The new value of a state in an event.
    New(usize, u32),
}

/// The functions of a game, while they are made.
pub(super) struct Unit<'c> {
    pub(super) compiled: &'c Compiled,
    pub(super) module: JITModule,
    declared: BTreeMap<Key, FuncId>,
    pending: Vec<(Key, FuncId)>,
    /// For each fact, whether it asks for new values.
    asks_new: Vec<bool>,
}

/// Makes a game machine code.
pub(super) fn compile(compiled: &Compiled) -> Option<Native> {
    // Bytes of a word are read one by one, and addresses are words.
    if cfg!(not(all(
        target_endian = "little",
        target_pointer_width = "64"
    ))) {
        return None;
    }
    let mut unit = Unit {
        compiled,
        module: module()?,
        declared: BTreeMap::new(),
        pending: Vec::new(),
        asks_new: asks_new(compiled),
    };
    // The first event is the start, which comes once a game.
    let events: Vec<Option<FuncId>> = (0..compiled.events.len())
        .map(|event| {
            (event > 0)
                .then(|| unit.declare(Key::Event(event)))
                .flatten()
        })
        .collect();
    unit.define_all()?;
    unit.module.finalize_definitions().ok()?;
    let module = unit.module;
    let events = events
        .into_iter()
        .map(|function| function.map(|function| module.get_finalized_function(function)))
        .collect();
    Some(Native {
        events,
        module: Some(module),
    })
}

fn module() -> Option<JITModule> {
    let mut flags = settings::builder();
    let wanted = [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ];
    for (name, value) in wanted {
        flags.set(name, value).ok()?;
    }
    let isa = cranelift_native::builder()
        .ok()?
        .finish(settings::Flags::new(flags))
        .ok()?;
    Some(JITModule::new(JITBuilder::with_isa(
        isa,
        default_libcall_names(),
    )))
}

/// For each fact, whether it asks for new values, itself or by another fact.
fn asks_new(compiled: &Compiled) -> Vec<bool> {
    let asks = |code: &Code, known: &[bool]| {
        code.any(&|piece| match piece {
            Code::New(_) => true,
            Code::Fact(fact) | Code::Call(fact, _) => known[*fact as usize],
            Code::Tabulate(tabulate) => known[tabulate.fact as usize],
            _ => false,
        })
    };
    let mut known = vec![false; compiled.facts.len()];
    loop {
        let mut changed = false;
        for (place, fact) in compiled.facts.iter().enumerate() {
            if !known[place] && asks(&fact.code, &known) {
                known[place] = true;
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
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
            Key::Event(_) | Key::New(..) => 0,
        };
        let mut signature = self.module.make_signature();
        signature.params.resize(parameters + 1, AbiParam::new(I64));
        signature.returns.push(AbiParam::new(I64));
        signature
    }

    fn define_all(&mut self) -> Option<()> {
        let mut context = self.module.make_context();
        let mut frontend = FunctionBuilderContext::new();
        while let Some((key, function)) = self.pending.pop() {
            self.define(key, function, &mut context, &mut frontend)?;
        }
        Some(())
    }

    fn define(
        &mut self,
        key: Key,
        function: FuncId,
        context: &mut Context,
        frontend: &mut FunctionBuilderContext,
    ) -> Option<()> {
        context.func.signature = self.signature(key);
        context.func.name = UserFuncName::user(0, function.as_u32());
        let builder = FunctionBuilder::new(&mut context.func, frontend);
        let event = match key {
            Key::Event(event) | Key::New(event, _) => Some(event),
            Key::Fact(_, event) => event,
        };
        let mut body = Body::new(builder, self, event);
        match key {
            Key::Event(event) => body.event(event),
            Key::Fact(fact, _) => body.fact_anew(fact),
            Key::New(event, state) => body.new_anew(event, state),
        }
        body.finish();
        self.module.define_function(function, context).ok()?;
        self.module.clear_context(context);
        Some(())
    }
}
