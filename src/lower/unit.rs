//! Which functions a game's module has.

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

/// How many bags that are fields machine code remembers the members of.
pub(crate) const MEMBERS: usize = 64;

/// The functions of a game, while they are made.
pub(super) struct Unit<'c> {
    pub(super) compiled: &'c Compiled,
    pub(super) module: &'c Module,
    /// The `play`s that machine code goes through, each with its transcript.
    pub(super) plays: Vec<(&'c Play, &'c Transcript)>,
    /// The patterns that machine code reads between events, and whether lines matter there.
    pub(super) patterns: Vec<(&'c Pattern, bool)>,
    state: State,
}

/// What is known of a game that is being lowered. It refers to nothing in the game, so that it can be kept beside it.
#[derive(Debug)]
pub(crate) struct State {
    pub(super) budget: Budget,
    pub(super) dependencies: Arc<Dependencies>,
    /// Where its tables, objects and texts are, for each once.
    pub(super) table_places: BTreeMap<Table, TableId>,
    pub(super) object_places: BTreeMap<usize, i64>,
    pub(super) texts: BTreeMap<String, i64>,
    pub(super) declared: BTreeMap<Key, FunctionId>,
    /// Functions that are declared and not yet defined.
    pub(super) pending: BTreeMap<FunctionId, Key>,
    /// For each fact, whether it asks for new values.
    pub(super) asks_new: Vec<bool>,
    /// For each fact, in how many places it is asked.
    asked: Vec<usize>,
    /// For each fact, whether it may be known before an event is done: a guard or what chooses the event asks for it.
    early: Vec<bool>,
    /// Whether anything but the event asks for the new value of a state.
    asked_new: Vec<bool>,
    /// For each grid, what lies beside each point, and what steps do.
    pub(super) beside: Vec<Beside>,
    pub(super) ways: Vec<Ways>,
    /// What words of fixed memory can be.
    pub(super) loaded: Loaded,
    /// Where the members of bags that are fields are remembered: the event, the place of the field, and a memo beyond
    /// those of facts.
    members: BTreeMap<(usize, u32), usize>,
    /// Whether functions say what is wrong where they fail, in the order of the rules: then nothing is evaluated early,
    /// together or not at all.
    pub(super) is_exact: bool,
    /// Whether it is searched for what may happen.
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

/// Lowers a game; nothing where that takes too many instructions.
pub(super) fn lower(compiled: &Compiled, purpose: Purpose) -> Option<Program> {
    let module = Module::default();
    let mut unit = Unit::new(compiled, &module, purpose);
    let mut program = unit.declare_all();
    unit.define_all()?;
    program.module = module;
    Some(program)
}

/// For each fact, whether a guard or what chooses an event asks for it, itself or by another fact.
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

    /// Goes on with a game that was being lowered to a module.
    pub(super) fn resume(compiled: &'c Compiled, module: &'c Module, state: State) -> Unit<'c> {
        Unit {
            compiled,
            module,
            plays: Vec::new(),
            patterns: Vec::new(),
            state,
        }
    }

    /// What there is to go on with.
    pub(super) fn pause(self) -> State {
        self.state
    }

    /// Declares what is called from outside, and so all that is to be made.
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

    /// The functions of new values, which a watched run asks for before the event happens.
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

    /// The functions of pieces that are evaluated by themselves; only where transcripts are run.
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

    /// The functions of an event.
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

    /// Where the members of a bag are remembered that is a field of an event, if there is room.
    pub(super) fn memo_of_members(&mut self, event: usize, place: u32) -> Option<usize> {
        let next = self.members.len();
        if (place as usize) < self.compiled.fields {
            return None;
        }
        let memo = *self.members.entry((event, place)).or_insert(next);
        (memo < MEMBERS).then_some(self.compiled.facts.len() + memo)
    }

    /// Whether a fact is asked in one place only, so that it is best evaluated there.
    pub(super) fn is_asked_once(&self, fact: u32) -> bool {
        self.asked[fact as usize] == 1
    }

    /// Whether a fact is asked in at most so many places.
    pub(super) fn is_asked_in_at_most(&self, fact: u32, places: usize) -> bool {
        self.asked[fact as usize] <= places
    }

    /// Whether only the event itself asks for the new value of a state.
    pub(super) fn is_asked_by_event(&self, state: u32) -> bool {
        !self.asked_new[state as usize]
    }

    /// Whether a fact may be known before an event is done.
    pub(super) fn is_early(&self, fact: u32) -> bool {
        self.early[fact as usize]
    }
}

impl State {
    /// A game that nothing is lowered of.
    pub(super) fn new(compiled: &Compiled, purpose: Purpose) -> State {
        let searches = purpose == Purpose::Search;
        let dependencies = Dependencies::of(compiled);
        let mut state = State {
            budget: Budget::default(),
            asks_new: dependencies.facts_asking_new(),
            dependencies: Arc::new(dependencies),
            table_places: BTreeMap::new(),
            object_places: BTreeMap::new(),
            texts: BTreeMap::new(),
            declared: BTreeMap::new(),
            pending: BTreeMap::new(),
            asked: vec![0; compiled.facts.len()],
            early: early(compiled),
            asked_new: vec![false; compiled.states.len()],
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

    /// Counts who asks for what.
    fn count(&mut self, compiled: &Compiled) {
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
}
