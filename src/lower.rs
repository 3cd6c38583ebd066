//! Lowering: from a compiled game to the middle representation.
//!
//! This is where a construct of the language gets its meaning. *Exact* functions are lowered on their first call. They
//! evaluate in the order of the rules; where anything is wrong (an overflow, a value outside its type, a row against
//! the event) they fail and report it. For long runs the whole game is lowered once more, to fast functions that fail
//! without a report: the exact function of the event then runs it again from its start.

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Running transcripts.
    Run,
    /// Searching for possible events, again and again.
    Search,
    /// Reporting what is wrong where the other functions fail.
    Exact,
}

/// A lowered game: its module, and its entry points.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) module: Module,
    /// The functions of each event.
    pub(crate) events: Vec<EventFunctions>,
    /// The largest number of fields of any event.
    pub(crate) most_fields: usize,
    /// The functions that run each `play`, and those that read each pattern between events.
    pub(crate) plays: Vec<StepFunction>,
    pub(crate) patterns: Vec<StepFunction>,
    /// For each event, the states that it changes, each with the function of its new value; empty unless the run is
    /// observed.
    pub(crate) changes: Vec<Vec<(u32, FunctionId)>>,
    /// The functions of pieces evaluated by themselves, with the address of each, ascending.
    pub(crate) pieces: Vec<(usize, FunctionId)>,
    /// For each policy, the function that chooses by it; for each state, that of its initial value; for each partial
    /// type, that of its values.
    pub(crate) policies: Vec<FunctionId>,
    pub(crate) states: Vec<FunctionId>,
    pub(crate) values: Vec<FunctionId>,
    /// For each event, the function that searches for possible events of its kind; only in a game lowered for searches.
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

/// Lowers a game; nothing if that takes too many instructions.
pub(crate) fn lower(compiled: &Compiled, purpose: Purpose) -> Option<Program> {
    unit::lower(compiled, purpose)
}

/// An index as a word.
fn word(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}
