//! The machine that runs code: memory, frames, and the caches of an event.

#[cfg(feature = "native")]
pub(crate) mod back_ends;
mod check;
mod collections;
mod dictionary;
pub(crate) mod engine;
mod evaluate;
mod fields;
mod forms;
mod grid;
mod hashed;
mod intern;
mod journal;
mod legal;
pub(crate) mod memory;
mod past;
mod paths;
pub(crate) mod pile;
mod questions;
pub(crate) mod runtime;
mod seats;
mod shared;
mod shown;
mod start;
pub(crate) mod step;
mod text;
mod trace;
mod typed;
mod why;
pub(crate) mod words;

use crate::lower::{Key, Purpose};
use crate::mir::FunctionId;
use crate::{
    code::Code,
    fault::{Fault, Stop},
};
use bytemuck::{Zeroable, zeroed_vec};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashed::Hashed;
use pile::Piles;
use text::Texts;

#[cfg(feature = "native")]
pub(crate) use dictionary::{Entry, MULTIPLIER};
pub(crate) use engine::{Places, Table, Window};
#[cfg(feature = "native")]
pub(crate) use fields::offsets;
pub(crate) use legal::Reason;
pub(crate) use past::Past;
pub(crate) use paths::LONGEST_PATH;
pub(crate) use words::{LONGEST_FORM, LONGEST_SPLIT};

pub(crate) use questions::Answer;
pub(crate) use seats::{Decides, Ending, Has, Lot};
pub(crate) use shared::Executable;
pub(crate) use shown::Point;
pub(crate) use step::{After, Choices};
pub(crate) use text::Numbered;
pub(crate) use trace::Tracer;
pub(crate) use why::{Moment, Subject, is_said, names, row_beginning, row_saying};

/// How much fuel one explanation may use.
pub(crate) const FUEL_OF_EVENT: u64 = 1 << 26;

/// The fuel that each event tried in a search costs the game.
const WORK_OF_TRIAL: u64 = 1 << 10;

/// The light work of an event where (nearly) all work counts: just enough to show that none is left.
const ALL_COUNTS: u64 = 1;

/// A cached value, and the epoch in which it was evaluated.
#[derive(Debug, Clone, Copy, Default, Zeroable)]
struct Memo {
    epoch: u64,
    value: i64,
}

pub(crate) struct Machine<'c> {
    pub(crate) compiled: &'c Executable,
    /// Givens and state first, then what the current event allocates.
    memory: Vec<u64>,
    /// Where the next block is allocated.
    top: usize,
    locals: Vec<i64>,
    base: usize,
    frame_top: usize,
    /// Where frames begin; below are the transcript's own numbers.
    bottom: usize,
    /// Counts states of the game; caches of earlier epochs are stale.
    epoch: u64,
    facts: Vec<Memo>,
    table: Vec<Memo>,
    new: Vec<Memo>,
    pub(crate) event: usize,
    piles: Piles,
    counted: collections::Counted,
    hashed: Hashed,
    last_found: hashed::LastFound,
    interned: intern::Interned,
    pub(crate) texts: Texts,
    /// For each form that depends on givens, its written forms in this game.
    forms: Vec<forms::Forms>,
    /// A buffer for the ends of written forms.
    form_ends: Vec<usize>,
    dictionaries: dictionary::Dictionaries,
    partial: check::Partials,
    /// Output that is not yet written out.
    pub(crate) out: text::Output,
    fuel: u64,
    game_fuel: u64,
    /// The work of all events before the current one.
    pub(crate) done: u64,
    /// The fuel that the current event started with.
    allowed: u64,
    /// The work of exact functions that fast ones could have done, since it was last taken.
    recent: u64,
    /// For how many events not to try fast functions, after one ran out of fuel and left garbage behind.
    fast_pause: u64,
    /// The fuel of a game, and how much work of each event is too light to count.
    most_fuel: u64,
    /// The fuel of a fast function.
    pub(crate) fast_fuel: u64,
    light_work: u64,
    game_number: i64,
    /// Where the output contains the number of a game, if that is recorded.
    pub(crate) numbers: Option<Vec<Numbered>>,
    /// The source of random numbers for chance and for `random`.
    pub(crate) lot: Lot,
    /// The events of the current game.
    events: u64,
    grid: grid::Scratch,
    /// Copies of fixed memory, to return to.
    images: Vec<Vec<u64>>,
    /// Whether a caller may return to a state of an earlier game.
    keeps_games: bool,
    /// How the last game ended, if recorded.
    ending: Option<Ending>,
    /// What depends on this game's givens, once it is kept with a state.
    setup: Option<std::sync::Arc<past::Setup>>,
    /// The fields of the events that a search found and keeps, one event after the other.
    pub(crate) found: Vec<i64>,
    /// The paths that a search is following, each before its continuations.
    open_paths: Vec<i64>,
    /// What a search has allocated.
    search_memory: paths::SearchMemory,
    /// Whether the last event restarted the game.
    restarted: bool,
    chosen_event: usize,
    chosen_fields: Vec<i64>,
    /// Where the current line of the report begins.
    line_start: usize,
    fault: Option<Stop>,
    registers: Vec<i64>,
    /// The values that a piece lists for its caller.
    listed: Vec<i64>,
    /// The journal of the table that is being explained.
    journal: journal::Journal,
    /// The last change of each entry of the state, if changes are tracked.
    since: Option<Box<why::Since>>,
    /// The exact functions that have been called.
    declared: HashMap<Key, FunctionId, FixedState>,
    /// Whether a function is waiting for the runtime.
    is_called: bool,
    /// The running module.
    module: Option<&'c crate::mir::Module>,
    questions: questions::Questions,
    /// The searches of grids that machine code has started.
    searches: grid::Searches,
    engine: Option<&'c engine::Engine>,
    purpose: Purpose,
    places: Places,
    window: Window,
    /// For each form, its short words for machine code, once needed.
    tables: Vec<Table>,
}

impl<'c> Machine<'c> {
    /// A machine before its first game.
    pub(crate) fn new(compiled: &'c Executable) -> Machine<'c> {
        Machine {
            compiled,
            memory: vec![0; compiled.fixed_words + 1024],
            top: compiled.fixed_words,
            locals: vec![0; 1024],
            base: 0,
            frame_top: 0,
            bottom: 0,
            epoch: 1,
            facts: vec![Memo::default(); compiled.facts.len() + crate::lower::MEMBERS],
            // This table may be large and mostly unused, so take fresh memory, which is zero already.
            table: zeroed_vec(compiled.table_words),
            new: vec![Memo::default(); compiled.states.len()],
            event: 0,
            piles: Piles::new(compiled.limits.words_of_piles()),
            counted: collections::Counted::default(),
            hashed: Hashed::new(),
            last_found: hashed::LastFound::default(),
            interned: intern::Interned::default(),
            texts: Texts::new(compiled),
            forms: vec![forms::Forms::default(); compiled.forms.len()],
            form_ends: Vec::new(),
            dictionaries: dictionary::Dictionaries::new(compiled),
            partial: check::Partials::new(compiled),
            out: text::Output::default(),
            fuel: compiled.limits.fuel,
            game_fuel: compiled.limits.game(),
            done: 0,
            allowed: compiled.limits.fuel,
            recent: 0,
            fast_pause: 0,
            most_fuel: compiled.limits.game(),
            fast_fuel: compiled.limits.fast(),
            light_work: compiled.limits.light(),
            game_number: 0,
            lot: Lot::new(0),
            numbers: None,
            events: 0,
            grid: grid::Scratch::default(),
            images: Vec::new(),
            keeps_games: false,
            ending: None,
            setup: None,
            found: Vec::new(),
            open_paths: Vec::new(),
            search_memory: paths::SearchMemory::default(),
            restarted: false,
            chosen_event: 0,
            chosen_fields: Vec::new(),
            line_start: 0,
            fault: None,
            registers: Vec::new(),
            listed: Vec::new(),
            journal: journal::Journal::default(),
            since: None,
            declared: HashMap::default(),
            is_called: false,
            module: None,
            questions: questions::Questions::default(),
            searches: grid::Searches::default(),
            engine: None,
            purpose: Purpose::Run,
            places: Places::default(),
            window: Window::default(),
            tables: vec![Table::default(); compiled.forms.len()],
        }
    }

    /// Limits the fuel of a game, and lets all work count.
    pub(crate) fn bound(&mut self, fuel: u64) {
        self.most_fuel = fuel.min(self.compiled.limits.game());
        self.game_fuel = self.most_fuel;
        self.light_work = ALL_COUNTS;
    }

    /// Reserves the first locals for the transcript's own numbers.
    pub(crate) fn set_bottom(&mut self, locals: usize) {
        self.bottom = locals;
        self.frame_top = 0;
        self.reserve(locals);
    }

    /// Continues with rules that differ only in the conditions of their rows.
    pub(crate) fn change_rules(&mut self, compiled: &'c Executable) {
        self.compiled = compiled;
        self.facts = vec![Memo::default(); compiled.facts.len() + crate::lower::MEMBERS];
        self.table = zeroed_vec(compiled.table_words);
        self.epoch += 1;
        // The engine was made from the old rules.
        self.engine = None;
        self.declared.clear();
    }

    /// The words of the transcript that functions read.
    #[cfg(feature = "native")]
    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// The number of games started.
    pub(crate) fn game_number(&self) -> i64 {
        self.game_number
    }

    /// Sets the number of games started.
    pub(crate) fn set_game_number(&mut self, games: i64) {
        self.game_number = games;
    }

    pub(crate) fn numbers_read(&self) -> &[i64] {
        &self.locals[..self.bottom]
    }

    /// Uses one unit of fuel; returns whether none is left.
    #[inline]
    pub(crate) fn charge(&mut self) -> bool {
        self.fuel = self.fuel.wrapping_sub(1);
        self.is_used_up()
    }

    /// Whether no fuel is left. Work that goes on regardless makes the fuel negative.
    #[inline]
    pub(crate) fn is_used_up(&self) -> bool {
        self.fuel.cast_signed() <= 0
    }

    /// Uses one unit of fuel, or fails.
    #[inline]
    fn charge_one(&mut self) -> Result<(), Stop> {
        if self.charge() {
            return Err(Box::new(Fault::Work));
        }
        Ok(())
    }

    /// Uses fuel for copying `words` words.
    fn charge_words(&mut self, words: usize) -> Result<(), Stop> {
        // Copying a word takes far less time than other units of work.
        let fuel = u64::try_from(words / 8).unwrap_or(u64::MAX);
        if self.fuel <= fuel || self.is_used_up() {
            self.fuel = 0;
            return Err(Box::new(Fault::Work));
        }
        self.fuel -= fuel;
        Ok(())
    }

    /// Subtracts the work of the last event from the fuel of the game, and sets the fuel of the next event.
    fn allow_work(&mut self) {
        let spent = self.allowed.saturating_sub(self.fuel);
        self.game_fuel = self.game_fuel.saturating_sub(spent);
        self.done = self.done.saturating_add(spent);
        let left = self.game_fuel.saturating_add(self.light_work);
        self.allowed = self.compiled.limits.fuel.min(left);
        self.fuel = self.allowed;
    }

    /// Runs exact functions where fast ones could do the work. Light work does not count, as it would not in a fast
    /// function.
    ///
    /// # Errors
    /// The error of `call`.
    fn exactly<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        // Where all work counts, there are no fast functions.
        if self.is_called || self.light_work == ALL_COUNTS {
            return call(self);
        }
        let fuel = self.fuel;
        let result = call(self);
        let spent = fuel.saturating_sub(self.fuel);
        self.recent += spent;
        if spent > self.light_work / 64 {
            // Drop the caches: a fast function would have left none.
            self.epoch += 1;
        }
        if spent <= self.light_work && !self.is_used_up() {
            self.fuel = fuel;
        }
        result
    }

    /// The value of an expression of a transcript, by fast functions if possible.
    ///
    /// # Errors
    /// The expression cannot be evaluated.
    pub(crate) fn step_value(&mut self, code: &'c Code) -> Result<i64, Stop> {
        self.exactly(|machine| machine.evaluate(code))
    }

    /// Counts an event that a search tries.
    ///
    /// # Errors
    /// The game has no fuel left.
    pub(crate) fn try_event(&mut self) -> Result<(), Stop> {
        if self.game_fuel < WORK_OF_TRIAL {
            return Err(Box::new(Fault::Work));
        }
        self.game_fuel -= WORK_OF_TRIAL;
        Ok(())
    }

    /// Runs `body` in a new frame of `locals` locals.
    fn framed<T>(
        &mut self,
        locals: usize,
        body: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (base, frame_top) = (self.base, self.frame_top);
        self.base = frame_top;
        self.reserve(locals);
        let result = body(self)?;
        self.base = base;
        self.frame_top = frame_top;
        Ok(result)
    }

    /// Makes room for a frame above the current one.
    #[inline]
    fn reserve(&mut self, locals: usize) {
        self.frame_top += locals;
        if self.frame_top > self.locals.len() {
            self.locals.resize(self.frame_top * 2, 0);
        }
    }

    /// Sets a local of the current frame.
    #[inline]
    pub(crate) fn set_local(&mut self, local: u32, value: i64) {
        self.locals[self.base + local as usize] = value;
    }

    /// Frees what the last event allocated; the state holds only copies.
    pub(crate) fn forget(&mut self) {
        self.epoch += 1;
        self.top = self.compiled.fixed_words;
        self.base = 0;
        self.frame_top = self.bottom;
        self.allow_work();
        self.collect_texts();
        self.collect_piles();
        self.collect_hashed();
    }
}
