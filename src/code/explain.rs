//! What explanations are made of: the rows as they were written, each with code for all that it mentions.

use super::{Code, Domain, Shape, Slot, Source, Text, Written};
use crate::source::Span;

/// A game's rows, to be explained.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    pub(crate) events: Vec<ExplainedEvent>,
    pub(crate) facts: Vec<ExplainedFact>,
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

/// A fact without parameters.
#[derive(Debug)]
pub(crate) struct ExplainedFact {
    pub(crate) name: String,
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
    /// Its sentence.
    pub(crate) says: Option<Text>,
    pub(crate) mentions: Vec<Mention>,
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
