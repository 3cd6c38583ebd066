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
    /// The rules of decision of each policy.
    pub(crate) policies: Vec<Vec<ExplainedChoice>>,
    pub(crate) policy_names: Vec<String>,
}

/// An event's rows.
#[derive(Debug, Default)]
pub(crate) struct ExplainedEvent {
    /// Its fields, each with its value if that can be written, and whether it is a number.
    pub(crate) fields: Vec<(String, Option<Text>, bool)>,
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
    /// How its fields become data.
    pub(crate) data: Vec<Typed>,
    pub(crate) follows: Vec<ExplainedChoice>,
    /// The facts that can be asked about while it is in hand, its own first.
    pub(crate) facts: Vec<usize>,
}

/// What becomes of a state.
#[derive(Debug)]
pub(crate) struct ExplainedChange {
    pub(crate) name: String,
    pub(crate) state: u32,
    pub(crate) old: Code,
    pub(crate) shape: Shape,
    /// Both values written, where they can be written in a line.
    pub(crate) texts: Option<(Text, Text)>,
    /// How its members are written, where it is a collection.
    pub(crate) member: Option<Written>,
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
    /// How an entry's members are written, where it is a collection.
    pub(crate) member: Option<Written>,
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
    /// How its parameters become data.
    pub(crate) of: Vec<Typed>,
    /// How its value becomes data.
    pub(crate) typed: Typed,
    /// Its value; with parameters, these are the first locals.
    pub(crate) value: Code,
    /// How many parameters it has.
    pub(crate) parameters: usize,
    /// Its value, written; nothing where it cannot be written in a line, or has parameters.
    pub(crate) text: Option<Text>,
    pub(crate) yes_no: bool,
    /// What it is, where it is a collection: what is empty does not hold.
    pub(crate) shape: Shape,
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
    /// All that add something.
    Sum,
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
    /// What each of its variables goes through.
    pub(crate) ranges: Vec<Phrase>,
    /// Its conditions, taken apart where they are joined by `and`.
    pub(crate) conditions: Box<[Code]>,
    /// The same as they were written.
    pub(crate) phrases: Vec<Phrase>,
    /// Its value if that is no constant, and its whole conditions, as they were written.
    pub(crate) written: Vec<String>,
    pub(crate) value: Code,
    /// What its value is, where that is a collection of which the whole is the union.
    pub(crate) part: Option<Shape>,
    /// Its value as it was written; nothing where it is a constant.
    pub(crate) gives: Option<Phrase>,
    /// What a `report` or `impossible` row says.
    pub(crate) text: Option<Text>,
    /// Whether the line goes on after that.
    pub(crate) inline: bool,
    /// Its sentence.
    pub(crate) says: Option<Text>,
    /// What its value, or what it says, is made from.
    pub(crate) uses: Vec<Read>,
    /// What its conditions ask.
    pub(crate) asks: Vec<Read>,
}

/// A row that names an event.
#[derive(Debug)]
pub(crate) struct ExplainedChoice {
    pub(crate) told: Told,
    pub(crate) event: usize,
    /// The values of the event's fields: each one's name, its value, and whether it may be none.
    pub(crate) fields: Vec<(String, Code, Phrase, bool)>,
    /// When the event may happen.
    pub(crate) guard: Option<(Code, usize, Phrase)>,
}

/// A piece of a row as it was written, and what it mentions.
#[derive(Debug)]
pub(crate) struct Phrase {
    pub(crate) written: String,
    pub(crate) mentioned: Mentioned,
}

/// What a piece of a row mentions; of what is joined, only that which decided is told.
#[derive(Debug)]
pub(crate) enum Mentioned {
    /// Something with a value.
    Value(Mention),
    /// All of these.
    All(Vec<Mentioned>),
    /// Two conditions that are joined, and the value by which one alone decides.
    Joined {
        decides: i64,
        left: Box<(Code, Mentioned)>,
        right: Box<(Code, Mentioned)>,
    },
    /// What is asked only if the first is none.
    Else {
        first: Box<(Code, Mentioned)>,
        second: Box<Mentioned>,
    },
    /// A variable that stands for a value, if there is one.
    Bound {
        local: u32,
        operand: Box<(Code, Mentioned)>,
        body: Box<Mentioned>,
    },
    /// The first values of some variables for which a condition holds.
    Found {
        bindings: Box<[(u32, Source)]>,
        condition: Box<[Code]>,
        ranges: Vec<Mentioned>,
        variables: Vec<Mention>,
        body: Box<Mentioned>,
    },
}

/// Something that a row mentions.
#[derive(Debug)]
pub(crate) struct Mention {
    /// As it was written.
    pub(crate) name: String,
    /// Its value, if that can be written in a line.
    pub(crate) text: Option<Text>,
    /// The fact, if it is one, with its arguments.
    pub(crate) fact: Option<(usize, Box<[Code]>)>,
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
