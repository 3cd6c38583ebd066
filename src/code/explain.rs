//! What explanations are made of: the rows as they were written, each with code for all that it mentions.

use super::{
    Code, Domain, Shape, Slot, Source, Text, Written,
    typed::{Typed, TypedState},
};
use crate::source::Span;

/// A game's rows, to be explained.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    pub(crate) events: Vec<ExplainedEvent>,
    pub(crate) facts: Vec<ExplainedFact>,
    /// How all states become data.
    pub(crate) states: Vec<TypedState>,
}

/// An event's rows.
#[derive(Debug, Default)]
pub(crate) struct ExplainedEvent {
    pub(crate) impossible: Vec<Told>,
    /// The facts that refuse it.
    pub(crate) refuse: Vec<usize>,
    /// The facts that call it illegal.
    pub(crate) illegal: Vec<usize>,
    pub(crate) report: Vec<Told>,
    pub(crate) refused: Vec<Told>,
    pub(crate) changes: Vec<ExplainedChange>,
    /// The fact that ends the game.
    pub(crate) over: Option<usize>,
    /// Its fields, and how they become data.
    pub(crate) fields: Vec<(String, Typed)>,
}

/// What becomes of a state.
#[derive(Debug)]
pub(crate) struct ExplainedChange {
    pub(crate) name: String,
    pub(crate) state: u32,
    pub(crate) old: Code,
    pub(crate) shape: Shape,
    /// Both values written, unless it is a map.
    pub(crate) texts: Option<(Text, Text)>,
    /// For a map, its entries.
    pub(crate) entries: Option<Entries>,
    pub(crate) how: Combined,
    pub(crate) rows: Vec<Told>,
}

/// The entries of a map.
#[derive(Debug)]
pub(crate) struct Entries {
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) entry: Shape,
    pub(crate) key: Written,
    pub(crate) value: Written,
    /// Where the rows say the value of one entry: the domains of the parameters that make its key, which are their
    /// first locals.
    pub(crate) parameters: Option<Vec<Domain>>,
}

/// A fact.
#[derive(Debug)]
pub(crate) struct ExplainedFact {
    pub(crate) name: String,
    /// Its name, after the word for another state than the present one.
    pub(crate) called: String,
    /// How its parameters, which are the first locals of its rows, become data.
    pub(crate) parameters: Vec<Typed>,
    /// How its value becomes data.
    pub(crate) typed: Typed,
    /// Its value, if it has no parameters.
    pub(crate) value: Code,
    /// Its value, written; nothing where it cannot be written in a line.
    pub(crate) text: Option<Text>,
    pub(crate) how: Combined,
    pub(crate) rows: Vec<Told>,
}

/// Which of the rows that fire gave a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Combined {
    /// The first whose value is yes.
    Any,
    /// The first whose value is no, if there is one.
    All,
    /// The first.
    First,
    /// The first whose value is the whole's.
    Same,
    /// All.
    Every,
}

/// A row, or an expression that stands for one.
#[derive(Debug)]
pub(crate) struct Told {
    /// Its label; nothing where a definition has no rows.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    pub(crate) locals: usize,
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) conditions: Box<[Code]>,
    /// The conditions, as they were written.
    pub(crate) written: Vec<String>,
    pub(crate) value: Code,
    /// What a `report` or `impossible` row says.
    pub(crate) text: Option<Text>,
    /// Whether the line goes on after that.
    pub(crate) inline: bool,
    /// Its sentence.
    pub(crate) says: Option<Text>,
    pub(crate) mentions: Vec<Mention>,
    /// What its value, or what it says, is made from.
    pub(crate) uses: Vec<Read>,
    /// What its conditions ask.
    pub(crate) asks: Vec<Read>,
}

/// Something that a row mentions.
#[derive(Debug)]
pub(crate) struct Mention {
    /// As it was written.
    pub(crate) name: String,
    /// Its value.
    pub(crate) text: Text,
    /// The fact, if it is one that can be explained as well.
    pub(crate) fact: Option<usize>,
}

/// Something that a row reads.
#[derive(Debug)]
pub(crate) struct Read {
    /// Variables that stand for something that may be none: nothing is read where it is.
    pub(crate) lifted: Vec<(u32, Code)>,
    pub(crate) what: ReadOf,
    /// Whether it is the same whatever the row is asked for.
    pub(crate) closed: bool,
}

/// What is read.
#[derive(Debug)]
pub(crate) enum ReadOf {
    /// A fact, perhaps of something.
    Fact {
        fact: usize,
        arguments: Vec<Code>,
        value: Code,
    },
    /// A state, or one entry of it.
    State {
        state: usize,
        key: Option<Code>,
        /// Whether its value after the event is meant.
        new: bool,
    },
}
