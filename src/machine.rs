//! The machine that runs code: memory, frames, and what is remembered during a step.

#[cfg(all(any(test, fuzzing), feature = "native"))]
pub(crate) mod back_ends;
mod check;
mod collections;
mod dictionary;
mod engine;
mod evaluate;
mod fields;
mod forms;
mod grid;
mod hashed;
mod intern;
mod journal;
mod legal;
pub(crate) mod meant;
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

use crate::lower::{Key, Purpose};
use crate::mir::FunctionId;
use crate::{
    code::{Code, Compiled},
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
pub(crate) use forms::know_forms;
pub(crate) use legal::Reason;
pub(crate) use meant::{LONGEST_FORM, LONGEST_SPLIT};
pub(crate) use past::Past;
pub(crate) use paths::LONGEST_PATH;

pub(crate) use questions::Answer;
pub(crate) use seats::{Decides, Ending, Has};
pub(crate) use shared::SharedEngine;
pub(crate) use shown::Point;
pub(crate) use step::{After, Choices};
pub(crate) use text::Numbered;
pub(crate) use trace::Tracer;
pub(crate) use why::{Moment, Named, names, said_so};

/// How much work explanations may take, each.
pub(crate) const FUEL_OF_EVENT: u64 = 1 << 26;

/// How much of the work of a game each event counts for that is tried out in a search.
const WORK_OF_TRIAL: u64 = 1 << 10;

/// How much of an event counts for nothing in the work of a game all of whose work counts: only what shows that there is
/// none left.
const ALL_COUNTS: u64 = 1;

/// A value that was worked out, and in which state of the game.
#[derive(Debug, Clone, Copy, Default, Zeroable)]
struct Memo {
    epoch: u64,
    value: i64,
}

/// A game being run.
pub(crate) struct Machine<'c> {
    pub(crate) compiled: &'c Compiled,
    /// Givens and state first, then what the event in hand makes.
    memory: Vec<u64>,
    /// Where the next block goes.
    top: usize,
    locals: Vec<i64>,
    base: usize,
    frame_top: usize,
    /// Where frames begin: below are the transcript's own numbers.
    bottom: usize,
    /// Counts states of the game: what was remembered in an earlier one is forgotten.
    epoch: u64,
    facts: Vec<Memo>,
    table: Vec<Memo>,
    new: Vec<Memo>,
    /// The event in hand.
    pub(crate) event: usize,
    piles: Piles,
    counted: collections::Counted,
    hashed: Hashed,
    last_found: hashed::LastFound,
    interned: intern::Interned,
    pub(crate) texts: Texts,
    /// For each form that depends on what is given: the forms of this game.
    forms: Vec<forms::Forms>,
    /// Where forms end that are made.
    form_ends: Vec<usize>,
    dictionaries: dictionary::Dictionaries,
    partial: check::Partials,
    /// What was said and not yet written out.
    pub(crate) out: text::Said,
    fuel: u64,
    game_fuel: u64,
    /// How much work all events before the one in hand took.
    pub(crate) done: u64,
    /// How much work the event in hand could take at first.
    allowed: u64,
    /// How much work exact functions did that fast ones could do, since that was asked last.
    recent: u64,
    /// For how many events fast functions are not tried: one took too much just now, and what it began lies about.
    fast_rests: u64,
    /// How much work a game may take, and how much of an event counts for nothing in that.
    most_fuel: u64,
    /// How much work a fast function may take.
    pub(crate) fast_fuel: u64,
    light_work: u64,
    game_number: i64,
    /// Where in what was said the number of a game stands, if somebody wants to know.
    pub(crate) numbers: Option<Vec<Numbered>>,
    /// Events of the game in hand.
    events: u64,
    grid: grid::Scratch,
    /// Fixed memory as it was, to be returned to.
    images: Vec<Vec<u64>>,
    /// Whether somebody may return to a state of an earlier game.
    keeps_games: bool,
    /// How the last game ended, where that is kept.
    ending: Option<Ending>,
    /// What depends on what this game was given, once it is kept with a state.
    setup: Option<std::sync::Arc<past::Setup>>,
    /// The fields of events that a search found and that are kept, one event after the other.
    pub(crate) found: Vec<i64>,
    /// The paths that a search is following, each before those that go on from it.
    open_paths: Vec<i64>,
    /// What a search has made.
    search_memory: paths::SearchMemory,
    /// Whether the last event began the game again.
    restarted: bool,
    chosen_event: usize,
    chosen_fields: Vec<i64>,
    /// Where the line of the report began that is being written.
    line_start: usize,
    /// Why a lowered function failed.
    fault: Option<Stop>,
    registers: Vec<i64>,
    /// What is listed for whom asked for it.
    listed: Vec<i64>,
    /// What becomes of the rows of the table that is being explained.
    journal: journal::Journal,
    /// Which lines changed what, where somebody asks.
    since: Option<Box<why::Since>>,
    /// The exact functions that were called before.
    declared: HashMap<Key, FunctionId, FixedState>,
    /// Whether a function waits for the runtime.
    is_called: bool,
    /// The module that runs.
    module: Option<&'c crate::mir::Module>,
    questions: questions::Questions,
    /// Searches of grids that machine code has under way.
    searches: grid::Searches,
    engine: Option<&'c engine::Engine>,
    /// What machine code is used for.
    purpose: Purpose,
    places: Places,
    window: Window,
    /// For each form, its short words for machine code, once that needs them.
    tables: Vec<Table>,
}

impl<'c> Machine<'c> {
    /// A machine before its first game.
    pub(crate) fn new(compiled: &'c Compiled) -> Machine<'c> {
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
            // It may be large, and much of it is never asked for: fresh memory is zero by itself.
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
            out: text::Said::default(),
            fuel: compiled.limits.fuel,
            game_fuel: compiled.limits.game(),
            done: 0,
            allowed: compiled.limits.fuel,
            recent: 0,
            fast_rests: 0,
            most_fuel: compiled.limits.game(),
            fast_fuel: compiled.limits.fast(),
            light_work: compiled.limits.light(),
            game_number: 0,
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

    /// Allows a game no more than this much work, of which all counts.
    pub(crate) fn bound(&mut self, fuel: u64) {
        self.most_fuel = fuel.min(self.compiled.limits.game());
        self.game_fuel = self.most_fuel;
        self.light_work = ALL_COUNTS;
    }

    /// Keeps the first locals for the transcript's own numbers.
    pub(crate) fn set_bottom(&mut self, locals: usize) {
        self.bottom = locals;
        self.frame_top = 0;
        self.reserve(locals);
    }

    /// Goes on by rules that differ from those before in the conditions of their rows only.
    pub(crate) fn change_rules(&mut self, compiled: &'c Compiled) {
        self.compiled = compiled;
        self.facts = vec![Memo::default(); compiled.facts.len() + crate::lower::MEMBERS];
        self.table = zeroed_vec(compiled.table_words);
        self.epoch += 1;
        // What was lowered is the rules before.
        self.engine = None;
        self.declared.clear();
    }

    /// The words of the transcript that functions go through.
    #[cfg(feature = "native")]
    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// How many games have started.
    pub(crate) fn game_number(&self) -> i64 {
        self.game_number
    }

    /// Takes so many games as started.
    pub(crate) fn set_game_number(&mut self, games: i64) {
        self.game_number = games;
    }

    /// The transcript's own numbers.
    pub(crate) fn numbers_read(&self) -> &[i64] {
        &self.locals[..self.bottom]
    }

    /// Takes one from the fuel; says whether none is left.
    #[inline]
    pub(crate) fn charge(&mut self) -> bool {
        self.fuel = self.fuel.wrapping_sub(1);
        self.is_used_up()
    }

    /// Whether no fuel is left. What goes on nevertheless takes less than nothing.
    #[inline]
    pub(crate) fn is_used_up(&self) -> bool {
        self.fuel.cast_signed() <= 0
    }

    /// Counts one piece of work.
    #[inline]
    fn charge_one(&mut self) -> Result<(), Stop> {
        if self.charge() {
            return Err(Box::new(Fault::Work));
        }
        Ok(())
    }

    /// Takes fuel for copying so many words.
    fn charge_words(&mut self, words: usize) -> Result<(), Stop> {
        // A word takes far less time than what is counted as one else.
        let fuel = u64::try_from(words / 8).unwrap_or(u64::MAX);
        if self.fuel <= fuel || self.is_used_up() {
            self.fuel = 0;
            return Err(Box::new(Fault::Work));
        }
        self.fuel -= fuel;
        Ok(())
    }

    /// Takes the work of the last event from that of the game, and allows the next one what is left.
    fn allow_work(&mut self) {
        let spent = self.allowed.saturating_sub(self.fuel);
        self.game_fuel = self.game_fuel.saturating_sub(spent);
        self.done = self.done.saturating_add(spent);
        let left = self.game_fuel.saturating_add(self.light_work);
        self.allowed = self.compiled.limits.fuel.min(left);
        self.fuel = self.allowed;
    }

    /// Has exact functions do what fast ones could do. It counts for nothing where it is little work, as it would where
    /// a fast function did it.
    ///
    /// # Errors
    /// What is wrong where it fails.
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
            // What comes after does not profit from what is remembered: after a fast function nothing would be.
            self.epoch += 1;
        }
        if spent <= self.light_work && !self.is_used_up() {
            self.fuel = fuel;
        }
        result
    }

    /// The value of an expression of a transcript, which fast functions may know.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn step_value(&mut self, code: &'c Code) -> Result<i64, Stop> {
        self.exactly(|machine| machine.evaluate(code))
    }

    /// Counts an event that is tried out.
    ///
    /// # Errors
    /// That so many were tried that the game may not take more work.
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

    /// Makes room for a frame above the present one.
    #[inline]
    fn reserve(&mut self, locals: usize) {
        self.frame_top += locals;
        if self.frame_top > self.locals.len() {
            self.locals.resize(self.frame_top * 2, 0);
        }
    }

    /// Sets a local of the present frame.
    #[inline]
    pub(crate) fn set_local(&mut self, local: u32, value: i64) {
        self.locals[self.base + local as usize] = value;
    }

    /// Forgets what the last event made: nothing of it is in the state but what was copied there.
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
