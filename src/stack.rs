//! How deep rules may be nested, and stack space for that.
//!
//! Compiling, running and explaining rules recurse as deep as the rules are nested. The checker computes that depth and
//! refuses rules deeper than [`GREATEST_DEPTH`]: the only limit that a rule file meets, the same on every machine.
//! Whatever recurses into rules reserves the stack here first, on whichever thread it runs.

/// How deep expressions, and the facts and equations that they read, may be nested.
#[cfg(not(target_family = "wasm"))]
pub(crate) const GREATEST_DEPTH: usize = 5_000;

/// The same where there is a single stack, whose size is not ours to choose.
#[cfg(target_family = "wasm")]
pub(crate) const GREATEST_DEPTH: usize = 250;

/// The stack space per level in bytes: six times what the deepest rules take in a build without optimisation.
#[cfg(not(target_family = "wasm"))]
const LEVEL: usize = 32 << 10;

/// The stack space needed besides: by the callers, and by what a question or an example adds to the rules.
#[cfg(not(target_family = "wasm"))]
const BESIDES: usize = 1 << 20;

/// The surplus of a new stack, so that nested calls need not grow it again.
#[cfg(not(target_family = "wasm"))]
const RESERVE: usize = 256 << 10;

/// Runs `work`, which recurses `levels` levels into rules.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn with_room<T>(levels: usize, work: impl FnOnce() -> T) -> T {
    let room = levels.saturating_mul(LEVEL).saturating_add(BESIDES);
    stacker::maybe_grow(room, room.saturating_add(RESERVE), work)
}

/// Runs `work`, which recurses into rules.
#[cfg(target_family = "wasm")]
pub(crate) fn with_room<T>(_: usize, work: impl FnOnce() -> T) -> T {
    work()
}
