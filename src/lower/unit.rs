//! The functions of a game's module.

use std::{
    collections::BTreeMap,
    ops::{Deref, DerefMut},
    sync::Arc,
};

use super::{
    EventFunctions, Program, Purpose, StepFunction,
    addressed::Beside,
    bounds::Loaded,
    define::{Budget, Key},
    hoisting::Dependencies,
    search::can_search,
    steps::{self, Entry},
    ways::Ways,
};
use crate::{
    code::{Code, Compiled, Pattern, Play, Transcript},
    mir::{FunctionId, Module, Table, TableId},
};

/// For how many bags in fields machine code caches the members.
pub(crate) const MEMBERS: usize = 64;

/// A game that is being lowered.
pub(super) struct Unit<'c> {
    pub(super) compiled: &'c Compiled,
    pub(super) module: &'c Module,
    /// The `play`s that machine code can run, each with its transcript.
    pub(super) plays: Vec<(&'c Play, &'c Transcript)>,
    /// The patterns that machine code can read between events, and whether lines matter there.
    pub(super) patterns: Vec<(&'c Pattern, bool)>,
    state: State,
}

/// The state of lowering a game. It borrows nothing from the game, so that it can be stored beside it.
#[derive(Debug)]
pub(crate) struct State {
    pub(super) budget: Budget,
    pub(super) dependencies: Arc<Dependencies>,
    /// The ids of its tables, objects and texts, to reuse them.
    pub(super) table_places: BTreeMap<Table, TableId>,
    pub(super) object_places: BTreeMap<usize, i64>,
    pub(super) texts: BTreeMap<String, i64>,
    pub(super) declared: BTreeMap<Key, FunctionId>,
    /// Functions that are declared and not yet defined.
    pub(super) pending: BTreeMap<FunctionId, Key>,
    /// For each fact, whether it reads new values.
    pub(super) reads_new: Vec<bool>,
    /// For each fact, in how many places it is called.
    calls: Vec<usize>,
    /// For each fact, whether it may be cached before the event runs, because a guard or a choice calls it.
    early: Vec<bool>,
    /// For each state, whether anything but the event reads its new value.
    read_elsewhere: Vec<bool>,
    /// For each grid, the neighbours of each point, and the tables of steps.
    pub(super) beside: Vec<Beside>,
    pub(super) ways: Vec<Ways>,
    /// The bounds of words in fixed memory.
    pub(super) loaded: Loaded,
    /// The index of the cached members of each bag that is a field of an event.
    members: BTreeMap<(usize, u32), usize>,
    /// Whether functions report what is wrong when they fail. Then everything is evaluated in the order of the rules,
    /// and nothing early, together or not at all.
    pub(super) is_exact: bool,
    /// Whether the game is lowered for searches.
    searches: bool,
}

impl Deref for Unit<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Unit<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

/// Lowers a game; nothing if that takes too many instructions.
pub(super) fn lower(compiled: &Compiled, purpose: Purpose) -> Option<Program> {
    let module = Module::default();
    let mut unit = Unit::new(compiled, &module, purpose);
    let mut program = unit.declare_all();
    unit.define_all()?;
    program.module = module;
    Some(program)
}

/// For each fact, whether a guard or a choice calls it, directly or indirectly.
fn early(compiled: &Compiled) -> Vec<bool> {
    let mut known = vec![false; compiled.facts.len()];
    let mut open = Vec::new();
    let mut ask = |code: &Code| {
        if let Code::Fact(fact) | Code::Call(fact, _) = code {
            open.push(*fact as usize);
        }
        if let Code::Tabulate(tabulate) = code {
            open.push(tabulate.fact as usize);
        }
    };
    for event in &compiled.events {
        if let Some(guard) = &event.guard {
            guard.code.each(&mut ask);
        }
    }
    let follows = compiled.events.iter().flat_map(|event| &event.follows);
    for choice in compiled.policies.iter().flatten().chain(follows) {
        choice.pieces(&mut |piece| piece.each(&mut ask));
    }
    while let Some(fact) = open.pop() {
        if !std::mem::replace(&mut known[fact], true) {
            compiled.facts[fact].code.each(&mut |code| match code {
                Code::Fact(fact) | Code::Call(fact, _) => open.push(*fact as usize),
                Code::Tabulate(tabulate) => open.push(tabulate.fact as usize),
                _ => {}
            });
        }
    }
    known
}

impl<'c> Unit<'c> {
    fn new(compiled: &'c Compiled, module: &'c Module, purpose: Purpose) -> Unit<'c> {
        let state = State::new(compiled, purpose);
        let mut unit = Unit::resume(compiled, module, state);
        if purpose == Purpose::Run {
            unit.plays = steps::plays(compiled);
            unit.patterns = steps::patterns(compiled);
        }
        unit
    }

    /// Resumes the lowering of a game.
    pub(super) fn resume(compiled: &'c Compiled, module: &'c Module, state: State) -> Unit<'c> {
        Unit {
            compiled,
            module,
            plays: Vec::new(),
            patterns: Vec::new(),
            state,
        }
    }

    /// Pauses the lowering.
    pub(super) fn pause(self) -> State {
        self.state
    }

    /// Declares the entry points, and with them everything that they need.
    fn declare_all(&mut self) -> Program {
        let compiled = self.compiled;
        let events = 0..compiled.events.len();
        let plays = self.plays.clone().into_iter().enumerate();
        let patterns = self.patterns.clone().into_iter().enumerate();
        let policies = compiled.policies.iter().enumerate();
        Program {
            module: Module::default(),
            events: events.clone().map(|event| self.event(event)).collect(),
            most_fields: compiled
                .events
                .iter()
                .map(|event| event.fields.len())
                .max()
                .unwrap_or(0),
            plays: plays
                .map(|(place, (play, _))| StepFunction {
                    entry: Entry::of_play(play),
                    function: self.declare(Key::Play(place)),
                })
                .collect(),
            patterns: patterns
                .map(|(place, (pattern, _))| StepFunction {
                    entry: Entry::of_pattern(compiled, pattern),
                    function: self.declare(Key::Read(place)),
                })
                .collect(),
            changes: self.changes(),
            pieces: self.pieces(),
            policies: policies
                .map(|(policy, _)| self.declare(Key::Policy(policy)))
                .collect(),
            states: (0u32..)
                .zip(&compiled.states)
                .map(|(state, _)| self.declare(Key::New(0, state)))
                .collect(),
            values: (0..compiled.partial.len())
                .map(|partial| self.declare(Key::Values(partial)))
                .collect(),
            searches: events
                .map(|event| {
                    let can = self.searches && can_search(&compiled.events[event]);
                    can.then(|| self.declare(Key::Search(event)))
                })
                .collect(),
        }
    }

    /// The functions of new values, which an observed run calls before the event.
    fn changes(&mut self) -> Vec<Vec<(u32, FunctionId)>> {
        let compiled = self.compiled;
        if self.searches || compiled.explained.is_none() {
            return Vec::new();
        }
        let events = compiled.events.iter().enumerate();
        let functions = events.map(|(event, definition)| {
            let changes = definition.changes.iter();
            changes
                .map(|state| (*state, self.declare(Key::New(event, *state))))
                .collect()
        });
        functions.collect()
    }

    /// The functions of pieces evaluated by themselves; only if transcripts are run.
    fn pieces(&mut self) -> Vec<(usize, FunctionId)> {
        if self.searches {
            return Vec::new();
        }
        let pieces = steps::pieces(self.compiled).into_iter();
        let functions = pieces.filter_map(|(event, piece)| {
            let function = |address| (address, self.piece(piece, event));
            piece.address().map(function)
        });
        let mut functions: Vec<_> = functions.collect();
        functions.sort_unstable();
        functions
    }

    /// Declares the functions of an event.
    fn event(&mut self, event: usize) -> EventFunctions {
        let happen = self.event_function(event);
        let definition = &self.compiled.events[event];
        let guard = definition.guard.is_some();
        let follows = !definition.follows.is_empty();
        EventFunctions {
            happen,
            guard: guard.then(|| self.declare(Key::Guard(event))),
            follows: follows.then(|| self.declare(Key::Follows(event))),
        }
    }

    /// The function of an event.
    pub(super) fn event_function(&mut self, event: usize) -> FunctionId {
        self.declare(Key::Event(event))
    }

    /// The index of the cached members of a bag in a field of an event, if there is room.
    pub(super) fn memo_of_members(&mut self, event: usize, place: u32) -> Option<usize> {
        let next = self.members.len();
        if (place as usize) < self.compiled.fields {
            return None;
        }
        let memo = *self.members.entry((event, place)).or_insert(next);
        (memo < MEMBERS).then_some(self.compiled.facts.len() + memo)
    }

    /// Whether a fact is called in one place only, and so best evaluated there.
    pub(super) fn is_called_once(&self, fact: u32) -> bool {
        self.calls[fact as usize] == 1
    }

    /// Whether a fact is called in at most `places` places.
    pub(super) fn is_called_at_most(&self, fact: u32, places: usize) -> bool {
        self.calls[fact as usize] <= places
    }

    /// Whether only the event itself reads the new value of a state.
    pub(super) fn is_read_by_event_only(&self, state: u32) -> bool {
        !self.read_elsewhere[state as usize]
    }

    /// Whether a fact may be cached before the event runs.
    pub(super) fn is_early(&self, fact: u32) -> bool {
        self.early[fact as usize]
    }
}

impl State {
    /// The state before anything is lowered.
    pub(super) fn new(compiled: &Compiled, purpose: Purpose) -> State {
        let searches = purpose == Purpose::Search;
        let dependencies = Dependencies::of(compiled);
        let mut state = State {
            budget: Budget::default(),
            reads_new: dependencies.facts_reading_new(),
            dependencies: Arc::new(dependencies),
            table_places: BTreeMap::new(),
            object_places: BTreeMap::new(),
            texts: BTreeMap::new(),
            declared: BTreeMap::new(),
            pending: BTreeMap::new(),
            calls: vec![0; compiled.facts.len()],
            early: early(compiled),
            read_elsewhere: vec![false; compiled.states.len()],
            beside: compiled.grids.iter().map(Beside::of).collect(),
            ways: compiled.grids.iter().map(Ways::of).collect(),
            loaded: Loaded::of(compiled),
            members: BTreeMap::new(),
            is_exact: purpose == Purpose::Exact,
            searches,
        };
        state.count(compiled);
        state
    }

    /// Counts the calls of facts and the reads of new values.
    fn count(&mut self, compiled: &Compiled) {
        let (calls, reads) = (&mut self.calls, &mut self.read_elsewhere);
        let mut count = |code: &Code| match code {
            Code::Fact(fact) | Code::Call(fact, _) => calls[*fact as usize] += 1,
            Code::New(state) => reads[*state as usize] = true,
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
}
