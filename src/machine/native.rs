//! Code to machine code, for long runs.
//!
//! Machine code does what the evaluator does as long as nothing is wrong. Where something is (an overflow, a value
//! outside its type, a row that speaks against the event), it gives up: the evaluator then does the same event from
//! its start and says what it is. Nothing that an event makes is kept before its end, so nobody can tell. What
//! machine code cannot do by itself, it asks the evaluator for.
//!
//! What is unsafe here is [`Native::call`], which runs machine code, what machine code calls, in `calls`, and giving its
//! memory back. Machine code reads and writes fixed memory only where the compiled game says that something stands, and a
//! block only after it has compared its place with the size of memory.

mod arithmetic;
mod bits;
mod body;
mod calls;
mod choices;
mod collections;
mod events;
mod expressions;
mod facts;
mod making;
mod memory;
mod points;
mod ranges;
mod rows;
mod slots;
mod tables;
mod texts;
mod unit;

use cranelift_jit::JITModule;

use super::{
    Machine,
    step::{Choices, Chosen, Decided},
};
use crate::code::{Compiled, Natively};

/// How many events are done before a game is made machine code: as long as that takes.
pub(crate) const EVENTS_BEFORE: u64 = 4096;

/// Where machine code finds what it works on. All are addresses but the first two.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Whether machine code gave up.
    failed: u64,
    /// How many words of memory there are.
    words: usize,
    memory: usize,
    facts: usize,
    new: usize,
    table: usize,
    /// Where the fields of a chosen event go.
    chosen: usize,
}

/// A game's machine code.
pub(super) struct Native {
    /// For each event, where what does it lies, if there is any.
    events: Vec<Option<Addresses>>,
    /// How many fields an event has at most.
    most_fields: usize,
    /// For each policy, where what chooses by it lies.
    policies: Vec<Option<*const u8>>,
    /// For each state, where what works out its initial value lies.
    states: Vec<Option<*const u8>>,
    /// Tables of grids and texts that machine code has the addresses of.
    _tables: (Vec<unit::Beside>, Vec<Box<str>>),
    /// Holds the memory that machine code lies in.
    module: Option<JITModule>,
}

/// Where the functions of an event lie.
#[derive(Debug, Clone, Copy)]
struct Addresses {
    decide: *const u8,
    guard: Option<*const u8>,
    follows: Option<*const u8>,
    commit: Option<*const u8>,
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the addresses are in `events` only, and go with it.
            #[expect(unsafe_code, reason = "machine code lies in memory of its own")]
            unsafe {
                module.free_memory();
            }
        }
    }
}

impl Native {
    /// Makes a game machine code; nothing where there is none for this kind of machine.
    pub(super) fn of(compiled: &Compiled) -> Option<Native> {
        unit::compile(compiled)
    }

    /// Runs the machine code at an address.
    fn call(address: *const u8, machine: &mut Machine<'_>) -> i64 {
        // SAFETY: the address is that of a function of `Native`, which were all made with this signature for a machine
        // that runs the same compiled game, and which lives as long as the machine.
        #[expect(unsafe_code, reason = "this is where machine code is run")]
        unsafe {
            let function: extern "C" fn(*mut Machine<'_>) -> i64 = std::mem::transmute(address);
            function(machine)
        }
    }
}

impl Machine<'_> {
    /// Tells machine code where everything lies.
    pub(super) fn show_places(&mut self) {
        self.places.words = self.memory.len();
        self.places.memory = self.memory.as_mut_ptr().expose_provenance();
        self.places.facts = self.facts.as_mut_ptr().expose_provenance();
        self.places.new = self.new.as_mut_ptr().expose_provenance();
        self.places.table = self.table.as_mut_ptr().expose_provenance();
        self.places.chosen = self.chosen_fields.as_mut_ptr().expose_provenance();
    }

    /// Runs a function of the game; nothing where it gave up.
    #[inline]
    fn run_natively(&mut self, address: *const u8) -> Option<i64> {
        let (out, work, base, frame_top) = (self.out.len(), self.work, self.base, self.frame_top);
        self.places.failed = 0;
        self.searches.clear();
        self.show_places();
        let answer = Native::call(address, self);
        if self.places.failed != 0 {
            self.out.truncate(out);
            self.work = work;
            self.base = base;
            self.frame_top = frame_top;
            return None;
        }
        Some(answer)
    }

    /// The functions of an event.
    fn addresses(&self, event: usize) -> Option<Addresses> {
        *self.native.as_ref()?.events.get(event)?
    }

    /// Decides the event in hand; nothing where the evaluator must do it.
    pub(super) fn decided_natively(&mut self) -> Option<Decided> {
        if self.native.is_none() {
            self.become_native()?;
        }
        let decide = self.addresses(self.event)?.decide;
        self.run_natively(decide).map(events::decided)
    }

    /// Whether an event may happen; nothing where the evaluator must say it.
    pub(super) fn guarded_natively(&mut self, event: usize) -> Option<bool> {
        let guard = self.addresses(event)?.guard?;
        Some(self.run_natively(guard)? == 1)
    }

    /// Which of some rows chooses the next event; its fields wait to be taken.
    pub(super) fn chosen_natively(&mut self, choices: Choices) -> Chosen {
        let address = match choices {
            Choices::Policy(policy) => self
                .native
                .as_ref()
                .and_then(|native| native.policies.get(policy).copied().flatten()),
            Choices::Follows(event) => self.addresses(event).and_then(|event| event.follows),
        };
        let Some(address) = address else {
            return Chosen::Unknown;
        };
        let most = self.native.as_ref().map_or(0, |native| native.most_fields);
        self.chosen_fields.resize(most, 0);
        match self.run_natively(address) {
            None => Chosen::Unknown,
            Some(place) => usize::try_from(place).map_or(Chosen::Nothing, Chosen::Row),
        }
    }

    /// Works out the initial value of a state; says whether it could.
    pub(super) fn begun_natively(&mut self, state: usize) -> bool {
        let native = self.native.as_ref();
        let address = native.and_then(|native| native.states.get(state).copied().flatten());
        address.is_some_and(|address| self.run_natively(address).is_some())
    }

    /// Puts the new values in the place of the old ones; says whether it could.
    pub(super) fn committed_natively(&mut self, chosen: bool) -> bool {
        let commit = self.addresses(self.event).and_then(|event| event.commit);
        let Some(commit) = commit else {
            return false;
        };
        if chosen {
            self.keep();
        }
        self.show_places();
        Native::call(commit, self) == 1
    }

    /// Makes the game machine code, once that pays.
    fn become_native(&mut self) -> Option<()> {
        let later = self.compiled.natively == Natively::Later && self.events_done < EVENTS_BEFORE;
        if later || self.compiled.natively == Natively::Never {
            self.events_done += 1;
            return None;
        }
        if !self.tried_native {
            self.tried_native = true;
            self.native = Native::of(self.compiled);
        }
        self.native.is_some().then_some(())
    }
}
