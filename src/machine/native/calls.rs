//! What machine code calls.
//!
//! Each function gets the machine and words. What it cannot do makes machine code give up.

use super::Native;
use crate::{
    code::{Check, Code, Hole, Item, Shape, Slot, Source, Written},
    fault::{Fault, Stop},
    machine::{
        LONGEST_SPLIT, Machine,
        memory::{at, handle},
        pile::Pile,
    },
};

/// The machine, as machine code has it.
type Raw = *mut Machine<'static>;

/// Declares what can be called: the name, whether it may fail, the parameters, and what it does.
macro_rules! callees {
    ($($(#[$doc:meta])* $name:ident, $function:ident, $fails:literal,
        ($machine:ident $(, $parameter:ident: $kind:ty)*) $body:expr;)*) => {
        /// What machine code can call.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Callee {
            $($(#[$doc])* $name,)*
        }

        impl Callee {
            /// Where the function is.
            pub(super) fn address(self) -> usize {
                match self {
                    $(Callee::$name => {
                        let function: extern "C" fn(Raw $(, $kind)*) -> i64 = $function;
                        function as usize
                    })*
                }
            }

            /// Whether it may make machine code give up.
            pub(super) fn may_fail(self) -> bool {
                match self {
                    $(Callee::$name => $fails,)*
                }
            }
        }

        $(
            extern "C" fn $function(raw: Raw $(, $parameter: $kind)*) -> i64 {
                // SAFETY: machine code passes on the machine that `Native::call` gave it, and nobody else has it in
                // hand meanwhile. References were made from parts of the compiled game, which lives longer.
                #[expect(unsafe_code, reason = "machine code has the machine as an address")]
                let $machine = unsafe { &mut *raw };
                #[allow(clippy::redundant_closure_call, reason = "each body may end early")]
                let result: Result<i64, Stop> = (|| $body)();
                match result {
                    Ok(value) => value,
                    Err(_) => {
                        $machine.places.failed = 1;
                        0
                    }
                }
            }
        )*
    };
}

callees! {
    /// The value of an expression.
    Evaluate, evaluate, true, (machine, code: &'static Code) {
        let value = machine.evaluate(code)?;
        machine.show_places();
        Ok(value)
    };
    /// The value of an expression that asks for locals.
    EvaluateFramed, evaluate_framed, true, (machine, code: &'static Code, locals: *const i64, count: usize) {
        // SAFETY: machine code has put so many words there.
        #[expect(unsafe_code, reason = "machine code passes its locals as an address")]
        let locals = unsafe { std::slice::from_raw_parts(locals, count) };
        let value = machine.framed(count, |machine| {
            let base = machine.base;
            machine.locals[base..base + count].copy_from_slice(locals);
            machine.evaluate(code)
        })?;
        machine.show_places();
        Ok(value)
    };
    /// A copy of so many words.
    Copy, copy, true, (machine, from: i64, words: usize) {
        let copy = machine.copy(at(from), words)?;
        machine.show_memory();
        Ok(handle(copy))
    };
    /// How many bytes of a map, from one to before another, are a byte.
    CountBytes, count_bytes, true, (machine, map: i64, from: usize, to: usize, byte: i64) {
        let count = machine.count_bytes(at(map), from..to, byte);
        count.map(handle).ok_or_else(|| Box::new(Fault::Memory))
    };
    /// Which bytes of a map, of at most 64 from one to before another, lie between two bytes: a bit for each.
    EntriesBetween, entries_between, true, (machine, map: i64, from: usize, to: usize, least: i64, greatest: i64) {
        let mask = machine.entries_between(at(map), from..to, least, greatest);
        mask.map(u64::cast_signed).ok_or_else(|| Box::new(Fault::Memory))
    };
    /// A new block of zeroes.
    Block, block, true, (machine, words: usize) {
        let block = machine.block(words)?;
        machine.show_memory();
        Ok(handle(block))
    };
    /// Sets one of the values kept from a place on.
    Write, write, false, (machine, base: i64, index: usize, slot: &'static Slot, value: i64) {
        machine.write(at(base), index, *slot, value);
        Ok(0)
    };
    /// Whether two values are the same.
    Same, same, false, (machine, left: i64, right: i64, shape: &'static Shape) {
        Ok(i64::from(machine.same(left, right, shape)))
    };
    /// Whether a collection has a value.
    Has, has, true, (machine, item: i64, set: i64, shape: &'static Shape) {
        Ok(i64::from(machine.has(item, set, shape)?))
    };
    /// Whether a value passes a check.
    Passes, passes, true, (machine, value: i64, check: &'static Check) {
        let passes = machine.outside(value, check)?.is_none();
        machine.show_places();
        Ok(i64::from(passes))
    };
    /// How often a word is in a pile.
    CountWords, count_words, false, (machine, pile: i64, word: i64) {
        Ok(machine.count_words(pile, word))
    };
    /// How often a value is in a hashed set.
    CountHashed, count_hashed, true, (machine, set: i64, item: i64, hashed: usize) {
        machine.count_hashed(set, item, hashed)
    };
    /// Whether a hashed set or bag has a value.
    HasHashed, has_hashed, true, (machine, set: i64, item: i64, hashed: usize) {
        Ok(i64::from(machine.has_hashed(set, item, hashed)?))
    };
    /// A hashed set or bag with one more value.
    InsertHashed, insert_hashed, true, (machine, set: i64, value: i64, hashed: usize) {
        let set = machine.insert_hashed(set, value, hashed)?;
        machine.show_grown();
        Ok(set)
    };
    /// A hashed set without a value, or a bag without one piece of it.
    RemoveHashed, remove_hashed, true, (machine, set: i64, value: i64, hashed: usize) {
        let set = machine.remove_hashed(set, value, hashed)?;
        machine.show_grown();
        Ok(set)
    };
    /// Begins a pile.
    BeginPile, begin_pile, false, (machine) {
        let log = machine.new_log();
        machine.show_piles();
        Ok(handle(log))
    };
    /// The pile of so many words of memory.
    PileOfWords, pile_of_words, true, (machine, from: i64, count: usize) {
        let pile = machine.pile_of_words(at(from), count)?;
        machine.show_piles();
        Ok(pile)
    };
    /// Adds an element to a pile that was begun.
    Push, push, true, (machine, log: usize, value: i64, slot: &'static Slot, element: &'static Shape) {
        let value = machine.canonical(value, element)?;
        machine.push(log, value, *slot)?;
        machine.show_grown();
        Ok(0)
    };
    /// Adds an element of one word, which says all, to a pile that was begun.
    PushWord, push_word, true, (machine, log: usize, value: i64) {
        machine.push(log, value, Slot::Word)?;
        Ok(0)
    };
    /// Ends a pile that was begun.
    EndPile, end_pile, true, (machine, log: usize, stride: usize) {
        machine.pile(log, stride)
    };
    /// Whether so many words are the same.
    SameWords, same_words, false, (machine, left: i64, right: i64, words: usize) {
        Ok(i64::from(machine.same_words(left, right, words)))
    };
    /// Goes on where a row could not be worked out, unless that is because there was too much work.
    GoOn, go_on, true, (machine) {
        if machine.work == 0 {
            return Err(Box::new(Fault::Work));
        }
        machine.places.failed = 0;
        machine.searches.clear();
        machine.base = 0;
        machine.frame_top = machine.bottom;
        Ok(0)
    };
    /// Whether any row stands against the event in hand, asked in the order of the file.
    IsRefused, is_refused, true, (machine, event: usize) {
        let reason = machine.reason(event)?;
        machine.show_places();
        Ok(i64::from(reason.is_some()))
    };
    /// Keeps the fields of the event in hand.
    Found, found, false, (machine) {
        let fields = machine.fields_in_hand();
        machine.found.extend_from_slice(&fields);
        Ok(0)
    };
    /// Gives back what the last event made beyond memory.
    Collect, collect, false, (machine) {
        machine.collect_all();
        Ok(0)
    };
    /// The text that is a word of the transcript.
    TextOf, text_of, false, (machine, start: usize, end: usize) {
        let word = window(machine.window.text, start, end);
        Ok(machine.texts.id(word))
    };
    /// Reads a word as a number; says whether it is one.
    ReadNumber, read_number, false, (machine, start: usize, end: usize) {
        let number = crate::word::number(window(machine.window.text, start, end));
        machine.window.value = number.unwrap_or(0);
        Ok(i64::from(number.is_some()))
    };
    /// Reads a word by a form; says whether it is a word of it.
    ReadForm, read_form, false, (machine, form: usize, start: usize, end: usize) {
        let value = machine.meant(form, window(machine.window.text, start, end));
        machine.window.value = value.unwrap_or(0);
        Ok(i64::from(value.is_some()))
    };
    /// Reads a word in a hole; says whether it stands for a value there.
    ReadHole, read_hole, true, (machine, hole: &'static Hole, start: usize, end: usize) {
        let value = machine.value_of_word(hole, window(machine.window.text, start, end))?;
        machine.window.value = value.unwrap_or(0);
        machine.show_places();
        Ok(i64::from(value.is_some()))
    };
    /// Reads a word of several parts, and puts their values where they go; says whether it is made so.
    ReadParts, read_parts, true, (machine, item: &'static Item, start: usize, end: usize) {
        let word = window(machine.window.text, start, end);
        let mut read = Vec::new();
        let fits = match item {
            Item::Word(parts) if word.len() <= LONGEST_SPLIT => machine.split(parts, word, &mut read)?,
            _ => false,
        };
        for (hole, value) in read {
            machine.put(hole, value)?;
        }
        machine.show_places();
        Ok(i64::from(fits))
    };
    /// Whether a word is a text that is known beforehand.
    IsText, is_text, false, (machine, start: usize, end: usize, text: *const u8, length: usize) {
        // SAFETY: machine code passes a text of the compiled game.
        #[expect(unsafe_code, reason = "machine code passes texts as addresses")]
        let text = unsafe { std::slice::from_raw_parts(text, length) };
        Ok(i64::from(window(machine.window.text, start, end) == text))
    };
    /// Keeps what `previous` asks for.
    Keep, keep, false, (machine) {
        machine.keep();
        Ok(0)
    };
    /// Makes room for so many bytes more to be said.
    MakeRoom, make_room, false, (machine, bytes: usize) {
        machine.out.make_room(bytes);
        machine.show_said();
        Ok(0)
    };
    /// Writes a number.
    SayNumber, say_number, false, (machine, number: i64) {
        super::super::text::say_number(&mut machine.out, number);
        machine.show_said();
        Ok(0)
    };
    /// Writes which game this is.
    SayGameNumber, say_game_number, false, (machine) {
        machine.say_game_number();
        machine.show_said();
        Ok(0)
    };
    /// The element of a pile with an index from 0.
    Element, element, true, (machine, pile: i64, index: usize, slot: &'static Slot) {
        let element = machine.element(Pile::of(pile), index, *slot)?;
        machine.show_memory();
        Ok(element)
    };
    /// One pile under another.
    Then, then, true, (machine, first: i64, second: i64, stride: usize) {
        let pile = machine.then(first, second, stride)?;
        machine.show_piles();
        Ok(pile)
    };
    /// A pile of words with one more under it.
    ThenWord, then_word, true, (machine, first: i64, word: i64) {
        let pile = machine.then_word(first, word)?;
        machine.show_piles();
        Ok(pile)
    };
    /// The first of a pile, or all but those.
    Slice, slice, true, (_machine, pile: i64, count: i64, below: i64) {
        Machine::slice(pile, count, below != 0)
    };
    /// A pile the other way round.
    Reversed, reversed, true, (machine, pile: i64, stride: usize) {
        let pile = machine.reversed(pile, stride)?;
        machine.show_piles();
        Ok(pile)
    };
    /// Whether any of the points beside a region has an entry, as it is kept in a byte.
    ShoreHas, shore_has, true, (machine, source: &'static Source, point: i64, map: i64, wanted: i64) {
        Ok(i64::from(machine.shore_has(source, at(point), at(map), wanted)?))
    };
    /// Remembers a fact's value for all points of a region.
    RememberRegion, remember_region, false,
        (machine, grid: usize, point: i64, map: i64, table: usize, value: i64) {
        machine.remember_region(grid, at(point), at(map), table, value);
        Ok(0)
    };
    /// Begins to search a region, or what lies beside it; says what comes first.
    BeginSearch, begin_search, true, (machine, source: &'static Source, point: i64, map: i64) {
        machine.begin_search(source, point, map)
    };
    /// What comes next in the search that was begun last; none at its end.
    NextPoint, next_point, true, (machine) {
        machine.next_point()
    };
    /// Ends the search that was begun last.
    EndSearch, end_search, false, (machine) {
        machine.end_search();
        Ok(0)
    };
    /// Writes a text that is known beforehand.
    SayLiteral, say_literal, false, (machine, text: *const u8, length: usize) {
        // SAFETY: machine code passes a text of the compiled game.
        #[expect(unsafe_code, reason = "machine code passes texts as addresses")]
        let text = unsafe { std::slice::from_raw_parts(text, length) };
        machine.out.extend_from_slice(text);
        machine.show_said();
        Ok(0)
    };
    /// Writes a value.
    SayValue, say_value, true, (machine, value: i64, written: &'static Written) {
        machine.say_value(value, written)?;
        machine.show_grown();
        Ok(0)
    };
    /// The text that was said from a place on, which is taken back.
    MakeText, make_text, false, (machine, start: usize) {
        let text = machine.texts.id(&machine.out[start..]);
        machine.out.truncate(start);
        Ok(text)
    };
    /// Divides, rounded down.
    Divide, divide, true, (machine, left: i64, right: i64) {
        Ok(crate::arithmetic::divide(left, right).unwrap_or_else(|| give_up(machine)))
    };
    /// What a division leaves.
    Modulo, modulo, true, (machine, left: i64, right: i64) {
        Ok(crate::arithmetic::modulo(left, right).unwrap_or_else(|| give_up(machine)))
    };
}

/// A word of the transcript.
fn window(text: usize, start: usize, end: usize) -> &'static [u8] {
    let text = text as *const u8;
    // SAFETY: machine code passes the ends of a word of the text that `Machine::play_natively` has in hand.
    #[expect(unsafe_code, reason = "machine code has the transcript as an address")]
    unsafe {
        std::slice::from_raw_parts(text.add(start), end - start)
    }
}

/// Makes machine code give up.
fn give_up(machine: &mut Machine<'_>) -> i64 {
    machine.places.failed = 1;
    0
}

impl Native {
    /// A callee's word for a place in a list.
    pub(super) fn word(index: usize) -> i64 {
        i64::try_from(index).unwrap_or(i64::MAX)
    }
}
