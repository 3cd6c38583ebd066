//! What runs: code over slots, small integers and blocks of words, made from a checked program.
//!
//! Every value is one `i64`. A yes/no, number, member or product is itself; none is [`NONE`]; a small set is its
//! bits; a text is its id; a larger set, bag, map or record is where its block of words begins in the machine's
//! memory; a pile or hashed set is a handle. Which of these a value is, is known when the code is made.

mod constants;
mod events;
pub(crate) mod explain;
mod expression;
mod legality;
mod shape;
mod source;
mod transcript;
mod walk;

pub(crate) use events::{
    Begins, Choice, Decider, Drawn, EntriesShown, Equation, Event, Few, Field, FramedCode, Given,
    Guard, GuardPart, Impossible, Initial, Kept, Mark, NotedRow, Objection, Outcome, Path, Plane,
    Pointwise, Report, Row, Shown, Spoken, State, Values,
};
pub(crate) use expression::{
    After, But, ButMany, Code, Component, CountIn, Decide, DecideRow, Dense, Disputed, Entry, If,
    MaskedRows, Matches, Noted, Part, Remap, Switch, Tabulate, UnionRow,
};
pub(crate) use legality::{Against, Legality};
pub(crate) use shape::{
    Bounds, Check, Domain, HashedShape, Shape, Slot, Typed, TypedEntries, TypedState,
};
pub(crate) use source::{Best, Loop, Source};
pub(crate) use transcript::{
    Chooser, Hole, Item, Pattern, Play, PlayRow, Reading, Segment, Step, Stop, Target, Transcript,
    length_of,
};
pub(crate) use walk::{Node, NodeMut};

use std::sync::{OnceLock, atomic::AtomicU64};

use crate::{limits::Limits, source::Span};

/// The value that is none: no number that a rule can reach, since arithmetic refuses it.
pub(crate) const NONE: i64 = i64::MIN;

/// How many bits each of the three numbers in the handle of a pile has.
pub(crate) const PILE_BITS: u32 = 21;

/// How many bits of the handle of a hashed set are its number of entries.
pub(crate) const LENGTH_BITS: u32 = 32;

/// A compiled game.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// The size of givens and state, in words; what events allocate comes after them.
    pub(crate) fixed_words: usize,
    /// The offset of the current event's fields, which are the last of these words.
    pub(crate) fields: usize,
    pub(crate) givens: Vec<Given>,
    pub(crate) states: Vec<State>,
    /// How states become data, if compiled for that.
    pub(crate) data: Vec<TypedState>,
    /// The states whose value before the last event is needed.
    pub(crate) kept: Vec<Kept>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) events: Vec<Event>,
    pub(crate) policies: Vec<Vec<Choice>>,
    pub(crate) transcripts: Vec<Transcript>,
    pub(crate) grids: Vec<Grid>,
    pub(crate) forms: Vec<Form>,
    /// Partial types, of which only some indices are values.
    pub(crate) partial: Vec<Partial>,
    /// The texts of the program; the id of each is its index.
    pub(crate) texts: Vec<String>,
    /// The sites of faults.
    pub(crate) sites: Vec<Site>,
    /// Where fixed memory contains handles of piles: first word and count.
    pub(crate) pile_roots: Vec<(usize, usize)>,
    /// Where fixed memory contains ids of texts.
    pub(crate) text_roots: Vec<(usize, usize)>,
    /// Where fixed memory contains handles of hashed sets.
    pub(crate) hashed_roots: Vec<(usize, usize)>,
    pub(crate) hashed: Vec<HashedShape>,
    /// Whether a state holds texts, so that texts made during a game must be kept until its end.
    pub(crate) keeps_texts: bool,
    /// Whether givens hold texts where `text_roots` does not find them, for example in a pile: then all are kept.
    pub(crate) keeps_given_texts: bool,
    /// The questions of a transcript.
    pub(crate) questions: Vec<Question>,
    /// The outcome of each seat when a game is over, if the rules define it.
    pub(crate) outcome: Option<Outcome>,
    /// The seats and their written form.
    pub(crate) seats: Option<(Source, Written)>,
    /// The most events that a game may have, by the rule file.
    pub(crate) limit: u64,
    /// The limits of a run.
    pub(crate) limits: Limits,
    /// For coverage, how often runs have passed each place; else empty.
    pub(crate) passed: Vec<AtomicU64>,
    /// When it becomes machine code.
    pub(crate) natively: Natively,
    /// Whether a search keeps nothing that it worked out for other values of an event's fields; for comparison.
    pub(crate) forgetful: bool,
    /// How many values the caches of facts with parameters hold.
    pub(crate) table_words: usize,
    pub(crate) number_uses: NumberUses,
    /// Which rows against an event can be evaluated early, once a search needs it.
    pub(crate) legality: OnceLock<Legality>,
    /// Its rows for explanations, if compiled for that.
    pub(crate) explained: Option<Box<explain::Explained>>,
}

/// What depends on the number of a game, besides the text of a report.
#[derive(Debug, Default)]
pub(crate) struct NumberUses {
    /// The greatest number that it is compared with in the condition of a report row: above it, all numbers are alike.
    pub(crate) greatest: i64,
    /// Whether anything else depends on it.
    pub(crate) elsewhere: bool,
}

/// When a game becomes machine code, if the target has a native back end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Natively {
    /// After enough events for it to pay.
    #[default]
    Later,
    AtOnce,
    /// At once, but the interpreter runs the same MIR.
    Interpreted,
    Never,
}

/// A question or a part of one, answered by a fact.
#[derive(Debug)]
pub(crate) struct Question {
    /// The number of the question in the transcript.
    pub(crate) number: usize,
    /// The event that it is about; nothing for a question between events.
    pub(crate) event: Option<usize>,
    pub(crate) fact: usize,
}

/// A place in a rule file that a fault points to.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) span: Span,
    /// Its source text.
    pub(crate) text: String,
}

/// A product of which not every index is a value, because its size is given or a condition excludes some.
#[derive(Debug)]
pub(crate) struct Partial {
    /// The sum of the index counts of the partial types before it.
    pub(crate) start: usize,
    pub(crate) count: usize,
    /// Whether an index is a value.
    pub(crate) is_value: Code,
    /// Whether that depends on givens.
    pub(crate) given: bool,
    /// The local that holds the index.
    pub(crate) index: u32,
}

/// A fact in one event (or none) and one tense.
#[derive(Debug)]
pub(crate) struct Fact {
    /// Its name. Several may share it, each in an event or tense of its own.
    pub(crate) name: String,
    pub(crate) code: Code,
    /// The number of parameters, which are the first locals.
    pub(crate) parameters: usize,
    pub(crate) locals: usize,
    /// The bounds of its value and of each parameter, where known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) takes: Vec<Option<Bounds>>,
    /// The cache of a fact with parameters.
    pub(crate) table: Option<FactTable>,
}

/// A cache of a fact's values during one step: its first word, and the parameters' domains.
#[derive(Debug)]
pub(crate) struct FactTable {
    pub(crate) start: usize,
    pub(crate) domains: Vec<Domain>,
}

/// The neighbours of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    /// Ascending; padded with the point itself if there are fewer.
    all: [u32; 4],
    count: usize,
}

impl Beside {
    /// The neighbours of a point of a grid, at most four, ascending.
    pub(crate) fn of(point: u32, beside: &[u32]) -> Beside {
        let mut all = [point; 4];
        all[..beside.len()].copy_from_slice(beside);
        let count = beside.len();
        Beside { all, count }
    }

    /// The neighbours, ascending.
    pub(crate) fn points(&self) -> &[u32] {
        &self.all[..self.count]
    }

    /// The neighbours padded with the point itself, for callers that it does not harm.
    pub(crate) fn padded(&self) -> &[u32; 4] {
        &self.all
    }
}

#[derive(Debug)]
pub(crate) struct Grid {
    pub(crate) rows: i64,
    pub(crate) columns: i64,
    /// Whether rows wrap, so that the last lies beside the first; and whether columns do.
    pub(crate) wraps: (bool, bool),
    /// The neighbours of each point.
    pub(crate) beside: Vec<Beside>,
    /// How a step in each of the eight directions changes row and column.
    pub(crate) ways: [(i64, i64); 8],
}

/// The written form of a type.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub(crate) struct Form {
    /// The values it has, by index.
    pub(crate) domain: Option<Domain>,
    /// The text; the value is the first local.
    pub(crate) text: Text,
    pub(crate) locals: usize,
    /// Whether it depends on givens, so that it is computed at each start.
    pub(crate) given: bool,
    /// Whether facts define it. Its values are then checked to be distinct single words once they are known.
    pub(crate) by_facts: bool,
    /// The partial type whose values it covers, if some indices are not values.
    pub(crate) partial: Option<usize>,
    /// The last value, if the size of the type is given.
    pub(crate) last: Option<Code>,
    /// Whether the game itself reads or writes it. Others are only for messages, and computed when needed.
    pub(crate) used: bool,
    /// Whether a transcript may contain one; it must not have a blank then.
    pub(crate) read: bool,
    /// The forms by index, if they are constant.
    pub(crate) known: Vec<String>,
    /// The name of the type.
    pub(crate) name: String,
}

/// Where a fault happened: an index into [`Compiled::sites`].
pub(crate) type SiteId = u32;

#[derive(Debug, Clone)]
pub(crate) enum Text {
    Literal(String),
    Value(Box<Code>, Written),
    Parts(Box<[Text]>),
    /// The values of a source, with a text between.
    List {
        source: Box<Source>,
        written: Written,
        between: String,
        /// The text before the last of several.
        last: String,
    },
}

/// The written form of a value.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Number,
    /// A number with decimal places.
    Decimal(u8),
    YesNo,
    Text,
    /// By an entry of [`Compiled::forms`].
    Form(usize),
    /// As itself, or `none`.
    OrNone(Box<Written>),
    /// A collection by its members, in brackets.
    Members {
        shape: Box<Shape>,
        member: Box<Written>,
    },
}
