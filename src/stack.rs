//! How deep rules may lie in each other, and room on the stack for that.
//!
//! What compiles, runs and explains rules goes into them as deep as they lie in each other. The checker knows how deep
//! that is and refuses what is deeper than [`GREATEST_DEPTH`]: the only limit that a rule file meets, the same on every
//! machine. Whatever goes into rules asks here for the room first, on whichever thread it is.

/// How deep expressions, and the facts and equations that they ask, may lie in each other: what runs them may
/// go as deep, and the checker refuses what goes deeper.
#[cfg(not(target_family = "wasm"))]
pub(crate) const GREATEST_DEPTH: usize = 5_000;

/// How deep expressions, and the facts and equations that they ask, may lie in each other. There is one stack here, of
/// a size that nobody here decides.
#[cfg(target_family = "wasm")]
pub(crate) const GREATEST_DEPTH: usize = 250;

/// How many bytes of stack a level may take: six times what the deepest rules take in a build without optimisation.
#[cfg(not(target_family = "wasm"))]
const LEVEL: usize = 32 << 10;

/// What is needed besides: for what runs the rules, and for what a question or an example adds to them.
#[cfg(not(target_family = "wasm"))]
const BESIDES: usize = 1 << 20;

/// What is added where there is not enough, so that work within work has enough.
#[cfg(not(target_family = "wasm"))]
const RESERVE: usize = 256 << 10;

/// Does work that goes so many levels into rules.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn with_room<T>(levels: usize, work: impl FnOnce() -> T) -> T {
    let room = levels.saturating_mul(LEVEL).saturating_add(BESIDES);
    stacker::maybe_grow(room, room.saturating_add(RESERVE), work)
}

/// Does work that goes so many levels into rules.
#[cfg(target_family = "wasm")]
pub(crate) fn with_room<T>(_: usize, work: impl FnOnce() -> T) -> T {
    work()
}
