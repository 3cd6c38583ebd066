//! How much a run may take before it ends with an error.

use std::fmt;

/// How many bytes of the report are kept before they are written out.
pub(crate) const FLUSH_AT: usize = 1 << 16;

/// How much a run may take. Every bound is counted, not timed: a run that one ends, ends at the same place on every machine,
/// with the same words, whether machine code runs it or the interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many pieces of work an event may take: values looked at and facts asked. The events of a game that take many
    /// may together take 256 times as many. Ten million take about a second.
    pub fuel: u64,
    /// How many MiB all values of a game may take: half of them what the event in hand makes, a quarter piles, a quarter
    /// sets and bags, and beside these an eighth texts.
    pub memory: u64,
    /// How many events a game may have, if that is fewer than the rule file's `limit`.
    pub events: u64,
}

/// Something that a run may not take more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::fuel`]
    Fuel,
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::events`]
    Events,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            fuel: 1 << 26,
            memory: 512,
            events: u64::MAX,
        }
    }
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 3] = [Limit::Fuel, Limit::Memory, Limit::Events];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::Fuel => "fuel",
            Limit::Memory => "memory",
            Limit::Events => "events",
        }
    }

    /// The greatest amount that it may be.
    fn greatest(self) -> u64 {
        match self {
            Limit::Fuel => 1 << 48,
            // What stands for a pile in a word has room for no more.
            Limit::Memory => 1 << 14,
            Limit::Events => u64::MAX,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// How much of the work of an event counts for nothing in the work of the game. Whether fast functions do an event or
/// exact ones is then the same for all that comes after it.
const LIGHT: u64 = 1 << 22;

/// Fast functions may take so many times less than exact ones for what is light: they do not count what is done once in
/// an event, and a loop over what lies in a few words less than one over its values.
const FAST: u64 = 128;

/// How much work must be light for fast functions to be used.
const LEAST: u64 = 1 << 16;

/// How many times the work of one event all events of a game may take that are not light.
const GAME: u64 = 256;

impl Limits {
    /// The same but for one limit. At least 1 is allowed of all.
    #[must_use]
    pub fn with(mut self, limit: Limit, amount: u64) -> Limits {
        let amount = amount.clamp(1, limit.greatest());
        match limit {
            Limit::Fuel => self.fuel = amount,
            Limit::Memory => self.memory = amount,
            Limit::Events => self.events = amount,
        }
        self
    }

    /// How much work of an event counts for nothing in that of the game.
    pub(crate) fn light(self) -> u64 {
        (self.fuel / 4).clamp(1, LIGHT)
    }

    /// Whether there are fast functions: where events may take very little, what these do not count would matter.
    pub(crate) fn has_fast(self) -> bool {
        self.light() >= LEAST
    }

    /// How much work a fast function may take. One that needs more fails, and exact functions decide with their own count.
    pub(crate) fn fast(self) -> u64 {
        self.light().div_ceil(FAST)
    }

    /// How much work the events of a game may take that are not light.
    pub(crate) fn game(self) -> u64 {
        self.fuel * GAME
    }

    fn words(self) -> usize {
        usize::try_from(self.memory << 17).unwrap_or(usize::MAX)
    }

    /// How many words the event in hand may make, with what lies in fixed places.
    pub(crate) fn words_of_event(self) -> usize {
        self.words() / 2
    }

    /// How many words all piles may have.
    pub(crate) fn words_of_piles(self) -> usize {
        self.words() / 4
    }

    /// How many bytes all sets and bags may take.
    pub(crate) fn bytes_of_sets(self) -> usize {
        self.words() / 4 * 8
    }

    /// How many bytes all texts may take.
    pub(crate) fn bytes_of_texts(self) -> usize {
        self.words() / 8 * 8
    }
}
