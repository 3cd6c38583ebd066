//! The machine that runs code: memory, frames, and what is remembered during a step.

#[cfg(all(test, feature = "native"))]
mod back_ends;
mod bounded;
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
mod legal;
pub(crate) mod meant;
pub(crate) mod memory;
mod partial;
mod past;
pub(crate) mod pile;
mod questions;
pub(crate) mod runtime;
mod said;
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
    code::Compiled,
    fault::{Fault, Stop},
};
use bytemuck::{Zeroable, zeroed_vec};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashed::Hashed;
pub(crate) use hashed::LENGTH_BITS;
use pile::Piles;
use text::Texts;

#[cfg(feature = "native")]
pub(crate) use dictionary::{Entry, MULTIPLIER};
pub(crate) use engine::{Places, Table, Window};
#[cfg(feature = "native")]
pub(crate) use fields::offsets;
pub(crate) use forms::know_forms;
pub(crate) use legal::{Against, Legality, Reason};
pub(crate) use meant::{LONGEST_FORM, LONGEST_SPLIT};
pub(crate) use past::Past;

pub(crate) use questions::Answer;
pub(crate) use runtime::Input;
pub(crate) use said::MUCH;
pub(crate) use shared::SharedEngine;
pub(crate) use step::{After, Choices, Return};
pub(crate) use text::Numbered;
pub(crate) use trace::Tracer;
pub(crate) use why::{
    Asked, Cause, Decision, Effect, Explanation, FactCause, Failed, Named, Unfired, names, said_so,
};

/// How much work one event may take: values looked at and facts asked.
pub(crate) const WORK_OF_EVENT: u64 = 1 << 28;

/// How much work one game may take.
const WORK_OF_GAME: u64 = 1 << 34;

/// How many words of memory a game may have.
const MOST_WORDS: usize = 1 << 25;

/// How many bags that are fields machine code remembers the members of.
pub(crate) const MEMBERS: usize = 64;

/// A value that was worked out, and in which state of the game.
#[derive(Debug, Clone, Copy, Default, Zeroable)]
struct Memo {
    stamp: u64,
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
    stamp: u64,
    facts: Vec<Memo>,
    table: Vec<Memo>,
    new: Vec<Memo>,
    /// The event in hand.
    pub(crate) event: usize,
    piles: Piles,
    counted: pile::Counted,
    hashed: Hashed,
    last_found: hashed::LastFound,
    interned: intern::Interned,
    pub(crate) texts: Texts,
    /// For each form that depends on what is given: the forms of this game.
    forms: Vec<forms::Forms>,
    /// Where forms end that are made.
    form_ends: Vec<usize>,
    dictionaries: dictionary::Dictionaries,
    partial: partial::Partials,
    /// What was said and not yet written out.
    pub(crate) out: said::Said,
    work: u64,
    game_work: u64,
    /// How much work the last event was.
    spent: u64,
    /// How much work a game may take.
    most_work: u64,
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
    /// What depends on what this game was given, once it is kept with a state.
    setup: Option<std::sync::Arc<past::Setup>>,
    /// The fields of events that a search found and that are kept, one event after the other.
    pub(crate) found: Vec<i64>,
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
    /// How much work the game might still take when the work of searches was counted last.
    work_counted: u64,
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
            stamp: 1,
            facts: vec![Memo::default(); compiled.facts.len() + MEMBERS],
            // It may be large, and much of it is never asked for: fresh memory is zero by itself.
            table: zeroed_vec(compiled.table_words),
            new: vec![Memo::default(); compiled.states.len()],
            event: 0,
            piles: Piles::new(),
            counted: pile::Counted::default(),
            hashed: Hashed::new(),
            last_found: hashed::LastFound::default(),
            interned: intern::Interned::default(),
            texts: Texts::new(&compiled.texts, compiled.keeps_texts),
            forms: vec![forms::Forms::default(); compiled.forms.len()],
            form_ends: Vec::new(),
            dictionaries: dictionary::Dictionaries::new(compiled),
            partial: partial::Partials::new(compiled),
            out: said::Said::default(),
            work: WORK_OF_EVENT,
            game_work: WORK_OF_GAME,
            spent: 0,
            most_work: WORK_OF_GAME,
            game_number: 0,
            numbers: None,
            events: 0,
            grid: grid::Scratch::default(),
            images: Vec::new(),
            keeps_games: false,
            setup: None,
            found: Vec::new(),
            restarted: false,
            chosen_event: 0,
            chosen_fields: Vec::new(),
            line_start: 0,
            fault: None,
            registers: Vec::new(),
            listed: Vec::new(),
            declared: HashMap::default(),
            is_called: false,
            module: None,
            questions: questions::Questions::default(),
            searches: grid::Searches::default(),
            engine: None,
            purpose: Purpose::Run,
            work_counted: WORK_OF_GAME,
            places: Places::default(),
            window: Window::default(),
            tables: vec![Table::default(); compiled.forms.len()],
        }
    }

    /// Allows a game no more than this much work.
    pub(crate) fn bound(&mut self, work: u64) {
        self.most_work = work.min(WORK_OF_GAME);
        self.game_work = self.most_work;
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
        self.facts = vec![Memo::default(); compiled.facts.len() + MEMBERS];
        self.table = zeroed_vec(compiled.table_words);
        self.stamp += 1;
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
        self.work = self.work.wrapping_sub(1);
        self.work == 0
    }

    /// Counts one piece of work.
    #[inline]
    fn works(&mut self) -> Result<(), Stop> {
        if self.charge() {
            return Err(Box::new(Fault::Work));
        }
        Ok(())
    }

    /// Takes fuel for copying so many words.
    fn charge_words(&mut self, words: usize) -> Result<(), Stop> {
        // A word takes far less time than what is counted as one else.
        let fuel = u64::try_from(words / 8).unwrap_or(u64::MAX);
        if self.work <= fuel {
            self.work = 0;
            return Err(Box::new(Fault::Work));
        }
        self.work -= fuel;
        Ok(())
    }

    /// The registers of the interpreter, which whoever takes them gives back.
    pub(crate) fn take_registers(&mut self) -> Vec<i64> {
        std::mem::take(&mut self.registers)
    }

    pub(crate) fn give_registers(&mut self, registers: Vec<i64>) {
        self.registers = registers;
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
        self.stamp += 1;
        self.top = self.compiled.fixed_words;
        self.base = 0;
        self.frame_top = self.bottom;
        let spent = WORK_OF_EVENT - self.work;
        {
            self.spent = spent;
        }
        self.game_work = self.game_work.saturating_sub(spent);
        self.work = WORK_OF_EVENT.min(self.game_work + 1);
        self.collect_texts();
        self.collect_piles();
        self.collect_hashed();
    }
}
