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

mod addressed;
mod arithmetic;
mod best;
mod bits;
mod body;
mod bounds;
mod bytes;
mod calls;
mod choices;
mod collections;
mod conditions;
mod decide;
mod define;
mod entries;
mod events;
mod expressions;
mod facts;
mod few;
mod filtered;
mod holes;
mod jumps;
mod known;
mod locals;
mod loops;
mod making;
mod memory;
mod parts;
mod play;
mod points;
mod presence;
mod ranges;
mod reading;
mod regions;
mod rows;
mod search;
mod shared;
mod sieve;
mod slots;
mod small;
mod steps;
mod sure;
mod tables;
mod texts;
mod unit;
mod ways;
mod windows;
mod words;
mod written;

use cranelift_jit::JITModule;
use steps::Known;

use super::{
    Machine,
    step::{Choices, Chosen, Decided, Read, Return},
};
use crate::{
    code::{Compiled, Pattern, Play},
    word::Word,
};
pub(crate) use shared::SharedNative;
pub(super) use words::Table;

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
    /// Tables of short words.
    tables: usize,
    /// What was said, and how many bytes there are for it.
    said: usize,
    room: usize,
    /// Where the addresses of piles' words are.
    piles: usize,
    /// Which indexes of partial types are values.
    values: usize,
}

/// The words of a transcript that machine code goes through. Addresses and numbers.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The address of the words.
    words: usize,
    /// How many there are.
    count: usize,
    /// The one that comes next.
    next: usize,
    /// The address of the text that they are in.
    text: usize,
    /// The first word of the event that was read last.
    first: usize,
    /// The row of the `play` that it was read by.
    row: usize,
    /// The value that a word stands for.
    value: i64,
}

/// What machine code is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To run transcripts.
    Run,
    /// To find what may happen, again and again.
    Search,
}

/// A game's machine code.
pub(super) struct Native {
    /// For each event, where what does it lies, if there is any.
    events: Vec<Option<Addresses>>,
    /// How many fields an event has at most.
    most_fields: usize,
    /// Where what goes through the events of each `play` lies.
    plays: Vec<Lies>,
    /// Where what reads each pattern between events lies.
    patterns: Vec<Lies>,
    /// For each policy, where what chooses by it lies.
    policies: Vec<Option<*const u8>>,
    /// For each state, where what works out its initial value lies.
    states: Vec<Option<*const u8>>,
    /// For each partial type, where what works out its values lies.
    values: Vec<Option<*const u8>>,
    /// For each event, where what searches for those that may happen lies; only in code that is made for that.
    searches: Vec<Option<*const u8>>,
    /// Tables of grids and texts that machine code has the addresses of.
    _tables: addressed::Tables,
    /// Holds the memory that machine code lies in.
    module: Option<JITModule>,
}

// SAFETY: once it is made, nothing of it changes: neither the code nor the tables that it reads. What the code works on
// is all in the machine that is passed to it, of which each run has its own. Nothing in it belongs to a thread.
#[expect(unsafe_code, reason = "addresses of code may be passed on")]
unsafe impl Send for Native {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "code may be run by several at once")]
unsafe impl Sync for Native {}

/// Where the function of a step lies.
#[derive(Debug)]
struct Lies {
    known: Known,
    address: *const u8,
}

/// Where the functions of an event lie.
#[derive(Debug, Clone, Copy)]
struct Addresses {
    happen: *const u8,
    guard: Option<*const u8>,
    follows: Option<*const u8>,
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
    pub(super) fn of(compiled: &Compiled, purpose: Purpose) -> Option<Native> {
        unit::compile(compiled, purpose)
    }

    /// Runs the machine code at an address. That of an event asks whether it was chosen.
    fn call(address: *const u8, machine: &mut Machine<'_>, chosen: bool) -> i64 {
        // SAFETY: the address is that of a function of `Native`, which were all made with this signature, or with one
        // parameter less, for a machine that runs the same compiled game, of which it is a part and which the machine
        // borrows.
        #[expect(unsafe_code, reason = "this is where machine code is run")]
        unsafe {
            let function: extern "C" fn(*mut Machine<'_>, i64) -> i64 =
                std::mem::transmute(address);
            function(machine, i64::from(chosen))
        }
    }
}

impl Machine<'_> {
    /// Tells machine code where everything lies.
    pub(super) fn show_places(&mut self) {
        self.show_grown();
        self.places.facts = self.facts.as_mut_ptr().expose_provenance();
        self.places.new = self.new.as_mut_ptr().expose_provenance();
        self.places.table = self.table.as_mut_ptr().expose_provenance();
        self.places.chosen = self.chosen_fields.as_mut_ptr().expose_provenance();
        self.places.values = self.partial.values.as_mut_ptr().expose_provenance();
        self.places.tables = self.tables.as_ptr().expose_provenance();
    }

    /// Tells machine code where that lies which may have grown.
    #[inline]
    fn show_grown(&mut self) {
        self.show_memory();
        self.show_said();
        self.show_piles();
    }

    /// Tells machine code where memory lies, which has grown maybe.
    #[inline]
    fn show_memory(&mut self) {
        self.places.words = self.memory.len();
        self.places.memory = self.memory.as_mut_ptr().expose_provenance();
    }

    /// Tells machine code where what was said lies, which has grown maybe.
    #[inline]
    fn show_said(&mut self) {
        self.places.said = self.out.bytes.as_mut_ptr().expose_provenance();
        self.places.room = self.out.bytes.len();
    }

    /// Tells machine code where piles lie, of which there are more maybe.
    #[inline]
    fn show_piles(&mut self) {
        self.places.piles = self.piles.addresses();
    }

    /// Runs a function of the game; nothing where it gave up.
    #[inline]
    fn run_natively(&mut self, address: *const u8, chosen: bool) -> Option<i64> {
        let (out, work, base, frame_top) = (self.out.len(), self.work, self.base, self.frame_top);
        self.places.failed = 0;
        self.searches.clear();
        self.show_places();
        let answer = Native::call(address, self, chosen);
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

    /// Does the event in hand, and says whether all of it is done or its new values are still to be put in the place of
    /// the old ones; nothing where the evaluator must do it.
    pub(super) fn happened_natively(&mut self, chosen: bool) -> Option<(Decided, bool)> {
        // A question is answered when the event is decided and nothing has changed yet.
        if self.answers_in_event() {
            return None;
        }
        if self.native.is_none() {
            let events = self.events_done();
            self.become_native(events)?;
        }
        let happen = self.addresses(self.event)?.happen;
        self.run_natively(happen, chosen).map(events::happened)
    }

    /// Goes through the events of a `play` from a word on, as far as nothing is unusual; nothing where there is no machine
    /// code for it.
    pub(crate) fn play_natively(
        &mut self,
        play: &Play,
        words: &[Word],
        next: usize,
        text: &[u8],
    ) -> Option<(Return, Read)> {
        self.go_by(self.native?, play, words, next, text)
    }

    /// Reads a pattern between events; says how many words it takes, or nothing where it does not fit, or machine code
    /// cannot say. Which entries of which givens it gives is noted.
    pub(crate) fn read_natively(
        &mut self,
        pattern: &Pattern,
        words: &[Word],
        next: usize,
        text: &[u8],
        given: &mut [Vec<bool>],
    ) -> Option<usize> {
        let key = steps::address_of(pattern);
        let mut patterns = self.native?.patterns.iter();
        let read = patterns.find(|read| read.known.key == key)?;
        self.open_window(&read.known.forms, words, next, text);
        let count = Native::call(read.address, self, false);
        let count = usize::try_from(count).ok();
        let count = count.filter(|_| self.places.failed == 0);
        if count.is_some() {
            for (number, entry) in &read.known.givens {
                given[*number][*entry] = true;
            }
        }
        count
    }

    /// Shows machine code the words that come.
    fn open_window(&mut self, forms: &[usize], words: &[Word], next: usize, text: &[u8]) {
        for form in forms {
            self.know_words(*form);
            let short = self.dictionaries.short(*form);
            self.tables[*form] = short.map(words::Table::of).unwrap_or_default();
        }
        self.window = Window {
            words: words.as_ptr().expose_provenance(),
            count: words.len(),
            next,
            text: text.as_ptr().expose_provenance(),
            first: next,
            row: 0,
            value: 0,
        };
        self.places.failed = 0;
        self.searches.clear();
        self.show_places();
    }

    fn go_by(
        &mut self,
        native: &Native,
        play: &Play,
        words: &[Word],
        next: usize,
        text: &[u8],
    ) -> Option<(Return, Read)> {
        let key = steps::address_of(play);
        let play = native.plays.iter().find(|play| play.known.key == key)?;
        self.chosen_fields.resize(native.most_fields, 0);
        self.restarted = false;
        self.open_window(&play.known.forms, words, next, text);
        let word = Native::call(play.address, self, false);
        self.base = 0;
        self.frame_top = self.bottom;
        let read = Read {
            first: self.window.first,
            next: self.window.next,
            row: self.window.row,
        };
        Some((play::returned(word), read))
    }

    /// Gives back what the last event made beyond memory.
    fn collect_all(&mut self) {
        if !self.compiled.keeps_texts {
            self.texts.forget();
        }
        self.collect_piles();
        self.collect_hashed();
    }

    /// Whether an event may happen; nothing where the evaluator must say it.
    pub(super) fn guarded_natively(&mut self, event: usize) -> Option<bool> {
        let guard = self.addresses(event)?.guard?;
        Some(self.run_natively(guard, false)? == 1)
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
        match self.run_natively(address, false) {
            None => Chosen::Unknown,
            Some(place) => usize::try_from(place).map_or(Chosen::Nothing, Chosen::Row),
        }
    }

    /// Works out the initial value of a state; says whether it could.
    pub(super) fn begun_natively(&mut self, state: usize) -> bool {
        let native = self.native.as_ref();
        let address = native.and_then(|native| native.states.get(state).copied().flatten());
        address.is_some_and(|address| self.run_natively(address, false).is_some())
    }

    /// Works out which indexes of a partial type are values; says whether it could.
    pub(super) fn valued_natively(&mut self, partial: usize) -> bool {
        let native = self.native.as_ref();
        let address = native.and_then(|native| native.values.get(partial).copied().flatten());
        address.is_some_and(|address| self.run_natively(address, false).is_some())
    }
}
