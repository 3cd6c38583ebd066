//! Runs lowered functions with a back end: the native one if there is one, else the interpreter.

use crate::{
    code::{Compiled, Pattern, Play},
    interpret,
    lower::{self, Decided, EventFunctions, Piece, Program, Purpose, Return, StepFunction},
    mir::FunctionId,
    word::{Input, Word},
};

use super::{
    Machine,
    dictionary::Short,
    step::{Choices, Read},
};

/// A lowered game, with the back end that runs it.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) program: Program,
    #[cfg(feature = "native")]
    native: Option<crate::native::Native>,
}

impl Engine {
    /// Lowers a game; for the native back end only if `is_native` and this target has one. Nothing if the game is too
    /// large to be lowered, or lowering fails: exact functions run it then.
    pub(super) fn of(compiled: &Compiled, purpose: Purpose, is_native: bool) -> Option<Engine> {
        let program = or_none_on_panic(|| lower::lower(compiled, purpose))?;
        debug_assert_eq!(crate::mir::verify(&program.module), Ok(()));
        #[cfg(feature = "native")]
        let native = is_native
            .then(|| or_none_on_panic(|| native(&program.module)))
            .flatten();
        #[cfg(not(feature = "native"))]
        let _ = is_native;
        Some(Engine {
            program,
            #[cfg(feature = "native")]
            native,
        })
    }
}

#[cfg(feature = "native")]
std::thread_local! {
    /// Makes code generation panic, for a test.
    pub(crate) static IS_BROKEN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(feature = "native")]
fn native(module: &crate::mir::Module) -> Option<crate::native::Native> {
    assert!(!IS_BROKEN.get(), "a test asked for this");
    crate::native::Native::of(module)
}

/// Runs an optional stage, or gives nothing if it panics: a bug there must not end a run whose report is not all
/// written.
fn or_none_on_panic<T>(make: impl FnOnce() -> Option<T>) -> Option<T> {
    // A panicking stage leaves nothing behind: it only reads the game.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(make)).unwrap_or_default()
}

/// For how many events fast functions are not tried after one that ran out of fuel.
const FAST_PAUSE: u64 = 64;

/// The addresses of what native code works on. All are addresses but the first two.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Places {
    /// Whether the last function called failed.
    pub(crate) failed: u64,
    /// The number of words of memory.
    pub(crate) words: usize,
    pub(crate) memory: usize,
    pub(crate) facts: usize,
    pub(crate) new: usize,
    pub(crate) table: usize,
    /// Where the fields of a chosen event go.
    pub(crate) chosen: usize,
    /// Tables of short words.
    pub(crate) tables: usize,
    /// The output, and the number of bytes that there is room for.
    pub(crate) said: usize,
    pub(crate) room: usize,
    /// The addresses of piles' words.
    pub(crate) piles: usize,
    /// Which indices of partial types are values.
    pub(crate) values: usize,
}

/// The words of a transcript that functions read.
#[derive(Debug, Default)]
#[cfg_attr(
    not(feature = "native"),
    expect(dead_code, reason = "only native code needs addresses")
)]
pub(crate) struct Window {
    /// The address of the words.
    pub(crate) words: usize,
    /// The number of words.
    pub(crate) count: usize,
    /// The index of the next word.
    pub(crate) next: usize,
    /// The address and length of the text that the words are in.
    pub(crate) text: usize,
    pub(crate) length: usize,
    /// The first word of the last event read.
    pub(crate) first: usize,
    /// The row of `play` that the last event matched.
    pub(crate) row: usize,
    /// The value of the last word read.
    pub(crate) value: i64,
}

impl<'c> Machine<'c> {
    /// Sets all addresses for machine code.
    pub(super) fn set_places(&mut self) {
        self.update_grown_places();
        self.places.facts = self.facts.as_mut_ptr().expose_provenance();
        self.places.new = self.new.as_mut_ptr().expose_provenance();
        self.places.table = self.table.as_mut_ptr().expose_provenance();
        self.places.chosen = self.chosen_fields.as_mut_ptr().expose_provenance();
        self.places.values = self.partial.values.as_mut_ptr().expose_provenance();
        self.places.tables = self.tables.as_ptr().expose_provenance();
    }

    /// Updates the addresses of what may have grown.
    #[inline]
    pub(super) fn update_grown_places(&mut self) {
        self.update_memory_place();
        self.update_output_place();
        self.update_pile_places();
    }

    /// Updates the address of memory, which may have grown.
    #[inline]
    pub(super) fn update_memory_place(&mut self) {
        self.places.words = self.memory.len();
        self.places.memory = self.memory.as_mut_ptr().expose_provenance();
    }

    /// Updates the address of the output, which may have grown.
    #[inline]
    pub(super) fn update_output_place(&mut self) {
        self.places.said = self.out.bytes.as_mut_ptr().expose_provenance();
        self.places.room = self.out.bytes.len();
    }

    /// Updates the addresses of piles, of which there may be more.
    #[inline]
    pub(super) fn update_pile_places(&mut self) {
        self.places.piles = self.piles.addresses();
    }

    /// Calls a function of the game with as many of the arguments as it has parameters.
    fn call_function(
        &mut self,
        engine: &'c Engine,
        function: FunctionId,
        argument: i64,
        input: Input<'_>,
    ) -> i64 {
        self.module = Some(&engine.program.module);
        self.fault = None;
        self.places.failed = 0;
        self.searches.clear();
        self.is_called = true;
        let module = &engine.program.module;
        let answer = self
            .call_native(engine, function, argument)
            .unwrap_or_else(|| interpret::run(module, function, &[argument], self, input));
        self.is_called = false;
        answer
    }

    /// Calls the machine code of a function; nothing if there is none.
    #[cfg(feature = "native")]
    fn call_native(&mut self, engine: &Engine, function: FunctionId, argument: i64) -> Option<i64> {
        let native = engine.native.as_ref()?;
        self.set_places();
        Some(native.call(function, self, argument))
    }

    #[cfg(not(feature = "native"))]
    #[allow(clippy::unused_self, reason = "the same call as with machine code")]
    fn call_native(&self, _: &Engine, _: FunctionId, _: i64) -> Option<i64> {
        None
    }

    /// Runs a function of the game; nothing if it fails.
    #[inline]
    fn run_function(&mut self, function: FunctionId, argument: bool) -> Option<i64> {
        self.run_function_with(function, i64::from(argument))
    }

    fn run_function_with(&mut self, function: FunctionId, argument: i64) -> Option<i64> {
        let engine = self.engine.filter(|_| self.fast_pause == 0)?;
        let (out, fuel, base, frame_top) = (self.out.len(), self.fuel, self.base, self.frame_top);
        self.fuel = self.fast_fuel;
        let answer = self.call_function(engine, function, argument, Input::NONE);
        let is_used_up = self.is_used_up();
        self.fuel = fuel;
        if self.places.failed != 0 {
            if is_used_up {
                self.fast_pause = FAST_PAUSE;
                // What it has cached must count as work for the exact function as well.
                self.epoch += 1;
            }
            self.out.truncate(out);
            self.base = base;
            self.frame_top = frame_top;
            return None;
        }
        Some(answer)
    }

    fn functions(&self, event: usize) -> Option<EventFunctions> {
        self.engine?.program.events.get(event).copied()
    }

    /// Runs the current event. Returns the decision, and whether the new values still have to replace the old ones.
    /// Nothing if the exact function must run it.
    pub(super) fn run_lowered_event(&mut self, chosen: bool) -> Option<(Decided, bool)> {
        // Answers need the moment when the event is decided and nothing has changed yet.
        if self.has_questions() || self.says_outcome(self.event) {
            return None;
        }
        if self.engine.is_none() {
            let events = self.events_done();
            self.find_engine(events)?;
        }
        let happen = self.functions(self.event)?.happen;
        self.run_function(happen, chosen).map(lower::happened)
    }

    /// Plays the events of a `play` from a word on, until one is unusual. Nothing if it is not lowered.
    pub(crate) fn play_lowered(
        &mut self,
        play: &Play,
        words: &[Word],
        next: usize,
        text: &[u8],
    ) -> Option<(Return, Read)> {
        let engine = self.engine.filter(|_| self.fast_pause == 0)?;
        let key = lower::address_of(play);
        let mut plays = engine.program.plays.iter();
        let play = plays.find(|play| play.entry.key == key)?;
        self.chosen_fields.resize(engine.program.most_fields, 0);
        self.restarted = false;
        let input = Input { words, text };
        self.open_window(&play.entry.forms, input, next);
        self.allow_work();
        self.fuel = self.fast_fuel;
        let word = self.call_function(engine, play.function, 0, input);
        if self.is_used_up() {
            self.fast_pause = FAST_PAUSE;
        }
        self.fuel = self.allowed;
        self.base = 0;
        self.frame_top = self.bottom;
        let read = self.close_window();
        Some((lower::returned(word), read))
    }

    /// Reads a pattern between events. Returns how many words it takes; nothing if it does not match, or the function
    /// cannot tell. Records the given entries it reads.
    pub(crate) fn read_lowered(
        &mut self,
        pattern: &Pattern,
        words: &[Word],
        next: usize,
        text: &[u8],
        given: &mut [Vec<bool>],
    ) -> Option<usize> {
        let engine = self.engine?;
        let key = lower::address_of(pattern);
        let mut patterns = engine.program.patterns.iter();
        let StepFunction { entry, function } = patterns.find(|read| read.entry.key == key)?;
        let input = Input { words, text };
        self.open_window(&entry.forms, input, next);
        let fast = self.fast_fuel;
        let fuel = std::mem::replace(&mut self.fuel, fast);
        let count = self.call_function(engine, *function, 0, input);
        self.fuel = fuel;
        self.close_window();
        let count = usize::try_from(count).ok();
        let count = count.filter(|_| self.places.failed == 0);
        if count.is_some() {
            for (number, entry) in &entry.givens {
                given[*number][*entry] = true;
            }
        }
        count
    }

    /// Opens the window on the coming words.
    fn open_window(&mut self, forms: &[usize], input: Input<'_>, next: usize) {
        for form in forms {
            self.know_words(*form);
            let short = self.dictionaries.short(*form);
            self.tables[*form] = short.map(Table::of).unwrap_or_default();
        }
        self.window = Window {
            words: input.words.as_ptr().expose_provenance(),
            count: input.words.len(),
            next,
            text: input.text.as_ptr().expose_provenance(),
            length: input.text.len(),
            first: next,
            row: 0,
            value: 0,
        };
    }

    /// Closes the window; returns what was read.
    fn close_window(&mut self) -> Read {
        let window = std::mem::take(&mut self.window);
        Read {
            first: window.first,
            next: window.next,
            row: window.row,
        }
    }

    /// Frees what the last event made outside memory.
    pub(super) fn collect_all(&mut self) {
        self.collect_texts();
        self.collect_piles();
        self.collect_hashed();
    }

    /// The value of a separate piece of code; nothing if the exact function must evaluate it.
    pub(super) fn evaluate_lowered(&mut self, piece: Piece<'c>) -> Option<i64> {
        let pieces = &self.engine?.program.pieces;
        if self.is_called || pieces.is_empty() {
            return None;
        }
        let address = piece.address()?;
        let place = pieces.binary_search_by_key(&address, |(known, _)| *known);
        let (_, function) = pieces[place.ok()?];
        let local = self.locals.get(self.base).copied().unwrap_or(0);
        self.run_function_with(function, local)
    }

    /// Whether an event is possible; nothing if the exact function must decide.
    pub(super) fn check_lowered_guard(&mut self, event: usize) -> Option<bool> {
        let guard = self.functions(event)?.guard?;
        Some(self.run_function(guard, false)? == 1)
    }

    /// The index of the row that chooses the next event, negative for none; its fields wait in `chosen_fields`. Nothing
    /// if the exact function must choose.
    pub(super) fn choose_lowered(&mut self, choices: Choices) -> Option<i64> {
        let engine = self.engine?;
        let function = match choices {
            Choices::Policy(policy) => *engine.program.policies.get(policy)?,
            Choices::Follows(event) => self.functions(event)?.follows?,
        };
        self.chosen_fields.resize(engine.program.most_fields, 0);
        self.run_function(function, false)
    }

    /// Evaluates the initial value of a state; returns whether it could.
    pub(super) fn initialise_lowered(&mut self, state: usize) -> bool {
        let functions = self.engine.map(|engine| &engine.program.states);
        let function = functions.and_then(|states| states.get(state).copied());
        function.is_some_and(|function| self.run_function(function, false).is_some())
    }

    /// Evaluates the new value of a state in the current event of an observed run; returns whether it could.
    pub(super) fn change_lowered(&mut self, state: usize) -> bool {
        let events = self.engine.map(|engine| &engine.program.changes);
        let changes = events.and_then(|events| events.get(self.event));
        let mut changes = changes.into_iter().flatten();
        let function = changes.find(|(known, _)| *known as usize == state);
        function.is_some_and(|(_, function)| self.run_function(*function, false).is_some())
    }

    /// Finds which indices of a partial type are values; returns whether it could.
    pub(super) fn find_values_lowered(&mut self, partial: usize) -> bool {
        let functions = self.engine.map(|engine| &engine.program.values);
        let function = functions.and_then(|values| values.get(partial).copied());
        function.is_some_and(|function| self.run_function(function, false).is_some())
    }

    /// The number of possible events of a kind, whose fields are kept with `keep`. Nothing if the exact function must
    /// count.
    pub(super) fn search_lowered(&mut self, event: usize, keep: bool) -> Option<u64> {
        if self.engine.is_none() {
            let events = self.events_searched();
            self.find_engine(events)?;
        }
        let function = (*self.engine?.program.searches.get(event)?)?;
        let kept = self.found.len();
        let count = self.run_function(function, keep);
        if count.is_none() {
            self.found.truncate(kept);
        }
        count.map(i64::cast_unsigned)
    }
}

/// A table of short words, as native code reads it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Table {
    /// The address of its entries.
    pub(crate) entries: usize,
    /// How far to shift a hash to get an index.
    pub(crate) shift: u64,
    /// The last index; all its bits are set.
    pub(crate) last: usize,
}

impl Table {
    fn of(short: &Short) -> Table {
        Table {
            entries: short.places.as_ptr().expose_provenance(),
            shift: u64::from(short.shift),
            last: short.places.len().saturating_sub(1),
        }
    }
}
