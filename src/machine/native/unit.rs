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

use super::{Addresses, Native, body::Body, ranges::can_loop};
use crate::{
    code::{Choice, Code, Compiled, Grid, Report},
    machine::MEMBERS,
};

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// An event, up to what is said of it.
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
    /// What puts an event's new values in the place of the old ones.
    Commit(usize),
}

/// The functions of a game, while they are made.
pub(super) struct Unit<'c> {
    pub(super) compiled: &'c Compiled,
    pub(super) module: JITModule,
    declared: BTreeMap<Key, FuncId>,
    pending: Vec<(Key, FuncId)>,
    /// For each fact, whether it asks for new values.
    asks_new: Vec<bool>,
    /// For each fact, in how many places it is asked.
    asked: Vec<usize>,
    /// Whether anything but the event asks for the new value of a state.
    asked_new: Vec<bool>,
    /// For each grid, how many points are beside each, and which.
    pub(super) beside: Vec<Beside>,
    /// Texts that were joined.
    texts: Vec<Box<str>>,
    /// Where the members of bags that are fields are remembered: the event, the place of the field, and a memo beyond
    /// those of facts.
    members: BTreeMap<(usize, u32), usize>,
}

/// The points beside each point of a grid, as a table.
#[derive(Debug)]
pub(super) struct Beside {
    /// For each point so many words: how many there are, and then the points.
    pub(super) table: Box<[i64]>,
    pub(super) stride: usize,
}

impl Beside {
    fn of(grid: &Grid) -> Beside {
        let most = grid.neighbours.iter().map(Vec::len).max().unwrap_or(0);
        let stride = most + 1;
        let mut table = vec![0; stride * grid.neighbours.len()].into_boxed_slice();
        for (row, beside) in table.chunks_exact_mut(stride).zip(&grid.neighbours) {
            row[0] = Native::word(beside.len());
            for (word, point) in row[1..].iter_mut().zip(beside) {
                *word = i64::from(*point);
            }
        }
        Beside { table, stride }
    }
}

/// A guard with so few pieces is asked faster than machine code is called.
const FEW_PIECES: usize = 8;

/// The functions of an event.
struct Functions {
    decide: FuncId,
    guard: Option<FuncId>,
    follows: Option<FuncId>,
    commit: Option<FuncId>,
}

/// Makes a game machine code.
pub(super) fn compile(compiled: &Compiled) -> Option<Native> {
    // Bytes of a word are read one by one, and addresses are words.
    if cfg!(any(target_endian = "big", not(target_pointer_width = "64"))) {
        return None;
    }
    let mut unit = Unit {
        compiled,
        module: module()?,
        declared: BTreeMap::new(),
        pending: Vec::new(),
        asks_new: asks_new(compiled),
        asked: vec![0; compiled.facts.len()],
        asked_new: vec![false; compiled.states.len()],
        beside: compiled.grids.iter().map(Beside::of).collect(),
        texts: Vec::new(),
        members: BTreeMap::new(),
    };
    unit.count();
    let events: Vec<Option<Functions>> = (0..compiled.events.len())
        .map(|event| unit.event(event))
        .collect();
    let policies: Vec<Option<FuncId>> = compiled
        .policies
        .iter()
        .enumerate()
        .map(|(policy, choices)| {
            can_choose(choices)
                .then(|| unit.declare(Key::Policy(policy)))
                .flatten()
        })
        .collect();
    let states: Vec<Option<FuncId>> = (0u32..)
        .zip(&compiled.states)
        .map(|(state, _)| unit.declare(Key::New(0, state)))
        .collect();
    unit.define_all()?;
    unit.module.finalize_definitions().ok()?;
    let (module, tables) = (unit.module, (unit.beside, unit.texts));
    let address = |function| module.get_finalized_function(function);
    let events = events
        .into_iter()
        .map(|functions| {
            functions.map(|functions| Addresses {
                decide: address(functions.decide),
                guard: functions.guard.map(address),
                follows: functions.follows.map(address),
                commit: functions.commit.map(address),
            })
        })
        .collect();
    let addresses = |functions: Vec<Option<FuncId>>| -> Vec<_> {
        let known = functions.into_iter();
        known.map(|function| function.map(address)).collect()
    };
    let (policies, states) = (addresses(policies), addresses(states));
    let most_fields = compiled.events.iter().map(|event| event.fields.len()).max();
    Some(Native {
        events,
        most_fields: most_fields.unwrap_or(0),
        policies,
        states,
        _tables: tables,
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

/// Whether machine code can choose among rows.
fn can_choose(choices: &[Choice]) -> bool {
    choices.iter().all(|choice| can_loop(&choice.bindings))
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
    /// The functions of an event; nothing where machine code cannot do it.
    fn event(&mut self, event: usize) -> Option<Functions> {
        let definition = &self.compiled.events[event];
        let can_say = |row: &Report| can_loop(&row.bindings) && Body::can_say(&row.text);
        let mut said = definition.report.iter().chain(&definition.refused);
        let mut impossible = definition.impossible.iter();
        if !impossible.all(|row| can_loop(&row.row.bindings)) || !said.all(can_say) {
            return None;
        }
        let guard = definition.guard.as_ref().is_some_and(|guard| {
            let mut pieces = 0;
            guard.code.each(&mut |_| pieces += 1);
            pieces > FEW_PIECES
        });
        let follows = !definition.follows.is_empty() && can_choose(&definition.follows);
        Some(Functions {
            decide: self.declare(Key::Event(event))?,
            guard: guard.then(|| self.declare(Key::Guard(event))).flatten(),
            follows: follows.then(|| self.declare(Key::Follows(event))).flatten(),
            commit: self.declare(Key::Commit(event)),
        })
    }

    /// Counts who asks for what.
    fn count(&mut self) {
        let compiled = self.compiled;
        let (asked, asked_new) = (&mut self.asked, &mut self.asked_new);
        let mut count = |code: &Code| match code {
            Code::Fact(fact) | Code::Call(fact, _) => asked[*fact as usize] += 1,
            Code::New(state) => asked_new[*state as usize] = true,
            _ => {}
        };
        for fact in &compiled.facts {
            fact.code.each(&mut count);
        }
        for event in &compiled.events {
            event.pieces(&mut |piece| piece.each(&mut count));
            if let Some(guard) = &event.guard {
                guard.code.each(&mut count);
            }
        }
        let follows = compiled.events.iter().flat_map(|event| &event.follows);
        for choice in compiled.policies.iter().flatten().chain(follows) {
            choice.pieces(&mut |piece| piece.each(&mut count));
        }
        for state in &compiled.states {
            state.initial.code.each(&mut count);
        }
    }

    /// Where the members of a bag are remembered that is a field of an event, if there is room.
    pub(super) fn memo_of_members(&mut self, event: usize, place: u32) -> Option<usize> {
        let next = self.members.len();
        if (place as usize) < self.compiled.fields {
            return None;
        }
        let memo = *self.members.entry((event, place)).or_insert(next);
        (memo < MEMBERS).then_some(self.compiled.facts.len() + memo)
    }

    /// The address of two texts in one, which lives as long as machine code does.
    pub(super) fn joined(&mut self, text: &str, end: &str) -> i64 {
        let joined = format!("{text}{end}").into_boxed_str();
        let address = joined.as_ptr().expose_provenance();
        self.texts.push(joined);
        i64::try_from(address).unwrap_or(0)
    }

    /// Whether a fact is asked in one place only, so that it is best worked out there.
    pub(super) fn is_asked_once(&self, fact: u32) -> bool {
        self.asked[fact as usize] == 1
    }

    /// Whether only the event itself asks for the new value of a state.
    pub(super) fn is_asked_by_event(&self, state: u32) -> bool {
        !self.asked_new[state as usize]
    }

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
            _ => 0,
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
            Key::Event(event) | Key::New(event, _) | Key::Commit(event) | Key::Follows(event) => {
                Some(event)
            }
            Key::Fact(_, event) => event,
            Key::Guard(_) | Key::Policy(_) => None,
        };
        let compiled = self.compiled;
        let mut body = Body::new(builder, self, event);
        match key {
            Key::Event(event) => body.event(event),
            Key::Fact(fact, _) => body.fact_anew(fact),
            Key::New(event, state) => body.new_anew(event, state),
            Key::Commit(event) => body.commit(event),
            Key::Guard(event) => body.guard(event),
            Key::Policy(policy) => body.choose(&compiled.policies[policy]),
            Key::Follows(event) => body.choose(&compiled.events[event].follows),
        }
        body.finish();
        self.module.define_function(function, context).ok()?;
        self.module.clear_context(context);
        Some(())
    }
}
