//! Limits on the work and memory of a run.

use std::fmt;

/// How many bytes of the report are buffered before they are written.
pub(crate) const FLUSH_AT: usize = 1 << 16;

/// Limits of a run. All of them are counted, not timed: a run that exceeds one ends at the same place on every machine,
/// with the same message, in machine code and in the interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How much work an event may do: values visited and facts evaluated. All expensive events of a game together may
    /// do 256 times as much. Ten million take about a second.
    pub fuel: u64,
    /// How many MiB the values of a game may take: half for the values that the current event creates, a quarter for
    /// piles, a quarter for sets and bags, and in addition an eighth for texts.
    pub memory: u64,
    /// How many events a game may have, if that is fewer than the rule file's `limit`.
    pub events: u64,
}

/// Which of the [`Limits`].
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
    /// All limits.
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

    /// The greatest value that it can have.
    #[must_use]
    pub fn greatest(self) -> u64 {
        match self {
            Limit::Fuel => 1 << 48,
            // A pile's handle, which is one word, has no room for more.
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

/// How much work an event may do without counting towards the limit of the game. Fast and exact functions count work
/// differently; with this allowance, the choice between them has no effect on later events.
const LIGHT: u64 = 1 << 22;

/// By which factor fast functions may count less work than exact ones: they do not count what happens once in an event,
/// and a loop over a few packed words counts less than one over their values.
const FAST: u64 = 128;

/// The least allowance with which fast functions are used.
const LEAST: u64 = 1 << 16;

/// How many times the fuel of one event all events of a game have together.
const GAME: u64 = 256;

impl Limits {
    /// The same limits, with one set to `amount`, or to the nearest value that it can have.
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

    /// How much work an event may do without counting towards the limit of the game.
    pub(crate) fn light(self) -> u64 {
        (self.fuel / 4).clamp(1, LIGHT)
    }

    /// Whether fast functions are used: if events may do very little work, what those do not count would matter.
    pub(crate) fn has_fast(self) -> bool {
        self.light() >= LEAST
    }

    /// The fuel of a fast function. One that needs more fails, and exact functions decide with their own count.
    pub(crate) fn fast(self) -> u64 {
        self.light().div_ceil(FAST)
    }

    /// How much work the events of a game may do beyond their allowances.
    pub(crate) fn game(self) -> u64 {
        self.fuel * GAME
    }

    fn words(self) -> usize {
        usize::try_from(self.memory << 17).unwrap_or(usize::MAX)
    }

    /// How many words the current event may create, in addition to those in fixed slots.
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
