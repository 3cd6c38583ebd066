//! Lowering: a compiled game to the middle representation.
//!
//! This is where a construct of the language gets its meaning. *Exact* functions are lowered when they are first called:
//! they evaluate in the order of the rules, and where anything is wrong (an overflow, a value outside its type, a row that
//! speaks against the event) they fail and say what it is. For long runs all of a game is lowered once more, to functions
//! that are fast and fail without a word: the exact function of the event then does it again from its start.

mod addressed;
mod arithmetic;
mod availability;
mod best;
mod bits;
mod body;
mod bounds;
mod byte_filter;
mod bytes;
mod checks;
mod choices;
mod collections;
mod conditions;
mod decide;
mod define;
mod entries;
mod events;
mod expressions;
mod facts;
mod hoisting;
mod holes;
mod inlining;
mod locals;
mod loops;
mod making;
mod members;
mod memory;
mod noted;
mod on_demand;
mod parts;
mod pieces;
mod play;
mod points;
mod presence;
mod ranges;
mod reading;
mod rows;
mod search;
mod slots;
mod steps;
mod tables;
mod texts;
mod unit;
mod unrolling;
mod ways;
mod words;
mod written;

use crate::{
    code::Compiled,
    mir::{FunctionId, Module},
};

pub(crate) use define::Key;
pub(crate) use events::{Decided, happened};
pub(crate) use on_demand::{OnDemand, Piece, Table};
pub(crate) use play::{Return, returned};
pub(crate) use steps::{Entry, address_of};
pub(crate) use unit::MEMBERS;

/// What a game is lowered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To run transcripts.
    Run,
    /// To find what may happen, again and again.
    Search,
    /// To say what is wrong where the others fail.
    Exact,
}

/// A lowered game: its module, and the functions that are called from outside.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) module: Module,
    /// For each event, its functions.
    pub(crate) events: Vec<EventFunctions>,
    /// How many fields an event has at most.
    pub(crate) most_fields: usize,
    /// What goes through the events of each `play`, and what reads each pattern between events.
    pub(crate) plays: Vec<StepFunction>,
    pub(crate) patterns: Vec<StepFunction>,
    /// For each event, the states that it changes, each with the function that evaluates its new value; empty unless the
    /// run is watched.
    pub(crate) changes: Vec<Vec<(u32, FunctionId)>>,
    /// What evaluates pieces of the rules by themselves: the address of each, ascending.
    pub(crate) pieces: Vec<(usize, FunctionId)>,
    /// For each policy, what chooses by it; for each state, what evaluates its initial value; for each partial type,
    /// what finds its values.
    pub(crate) policies: Vec<FunctionId>,
    pub(crate) states: Vec<FunctionId>,
    pub(crate) values: Vec<FunctionId>,
    /// For each event, what searches for those that may happen; only where the game is lowered for that.
    pub(crate) searches: Vec<Option<FunctionId>>,
}

/// The functions of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventFunctions {
    /// Its parameter says whether the event was read or chosen, and does not follow another.
    pub(crate) happen: FunctionId,
    pub(crate) guard: Option<FunctionId>,
    pub(crate) follows: Option<FunctionId>,
}

/// The function of a step of a transcript.
#[derive(Debug)]
pub(crate) struct StepFunction {
    pub(crate) entry: Entry,
    pub(crate) function: FunctionId,
}

/// Lowers a game; nothing where that takes too many instructions.
pub(crate) fn lower(compiled: &Compiled, purpose: Purpose) -> Option<Program> {
    unit::lower(compiled, purpose)
}

/// A place in a list as a word.
fn word(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}
