//! How much a game may grow by being lowered.
//!
//! A loop whose body is unrolled and a fact that is inlined where it is asked make code longer than the rules are: one
//! within the other, by a factor each time. Up to a bound that pays; beyond it loops stay loops and facts are called, so
//! that the code is as long as the rules are. Where it is still too long, the game is not lowered.

use super::body::Body;

/// How many instructions a function may have before nothing more is unrolled or inlined in it.
const FUNCTION: usize = 1 << 13;

/// The same for all functions of a game together.
const MODULE: usize = 1 << 16;

/// How deep facts may be inlined one within another: registers take as long to allot as loops are deep in one another.
const DEPTH: usize = 8;

/// How many instructions a game may have.
const MOST: usize = 1 << 20;

/// How many instructions have been made.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// In the functions that are finished.
    finished: usize,
    is_exhausted: bool,
}

impl Budget {
    /// Whether there are more instructions than a game may have.
    pub(super) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Whether a function had too many instructions; the next one may have as many.
    pub(super) fn take_exhausted(&mut self) -> bool {
        self.finished = 0;
        std::mem::take(&mut self.is_exhausted)
    }

    /// Adds the instructions of a function that is finished.
    pub(super) fn finish(&mut self, instructions: usize) {
        self.finished += instructions;
    }
}

impl Body<'_, '_> {
    /// Whether a loop may be unrolled, or a fact inlined.
    pub(super) fn may_grow(&self) -> bool {
        let made = self.builder.instructions();
        self.making.len() < DEPTH && made < FUNCTION && self.unit.budget.finished + made < MODULE
    }

    /// Whether there are more instructions than a game may have. Then none of them will be run, and what else is made
    /// does not matter.
    pub(super) fn is_exhausted(&mut self) -> bool {
        let budget = &mut self.unit.budget;
        budget.is_exhausted |= budget.finished + self.builder.instructions() > MOST;
        budget.is_exhausted
    }
}
