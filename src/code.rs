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
pub(crate) mod typed;
mod walk;

pub(crate) use events::{
    Asked, Begins, Choice, Decider, EntriesShown, Equation, Event, Few, Field, Given, Guard,
    GuardPart, Impossible, Initial, Kept, Mark, NotedRow, Objection, Outcome, Path, Plane,
    Pointwise, Report, Row, Shown, Spoken, State, Values,
};
pub(crate) use expression::{
    After, But, ButMany, Code, Component, CountIn, Decide, DecideRow, Dense, Disputed, Entry, If,
    MaskedRows, Matches, Noted, Part, Remap, Switch, Tabulate, UnionRow,
};
pub(crate) use legality::{Against, Legality};
pub(crate) use shape::{Bounds, Check, Domain, HashedShape, Shape, Slot};
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

/// How many bits each of the three numbers takes that the handle of a pile is made of.
pub(crate) const PILE_BITS: u32 = 21;

/// How many bits of the handle of a hashed set say how many entries there are.
pub(crate) const LENGTH_BITS: u32 = 32;

/// A whole game, ready to run.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// The words that givens and state take, before anything that an event makes.
    pub(crate) fixed_words: usize,
    /// Where the fields of the event in hand are, the last of these words.
    pub(crate) fields: usize,
    pub(crate) givens: Vec<Given>,
    pub(crate) states: Vec<State>,
    /// How they become data, where somebody wants that.
    pub(crate) data: Vec<typed::TypedState>,
    /// The states whose value before the last event somebody asks for.
    pub(crate) kept: Vec<Kept>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) events: Vec<Event>,
    pub(crate) policies: Vec<Vec<Choice>>,
    pub(crate) transcripts: Vec<Transcript>,
    pub(crate) grids: Vec<Grid>,
    pub(crate) forms: Vec<Form>,
    /// Types of which only some indexes are values.
    pub(crate) partial: Vec<Partial>,
    /// The texts that are known beforehand; a text's id is its place.
    pub(crate) texts: Vec<String>,
    /// The places that faults point to.
    pub(crate) sites: Vec<Site>,
    /// Where handles of piles stand in fixed memory: the first word and how many.
    pub(crate) pile_roots: Vec<(usize, usize)>,
    /// Where ids of texts stand in fixed memory.
    pub(crate) text_roots: Vec<(usize, usize)>,
    /// Where handles of hashed sets stand in fixed memory.
    pub(crate) hashed_roots: Vec<(usize, usize)>,
    pub(crate) hashed: Vec<HashedShape>,
    /// Whether a state holds texts, so that texts made during a game must be kept until its end.
    pub(crate) keeps_texts: bool,
    /// Whether texts stand in a given where `text_roots` does not find them, as in a pile: then all are kept.
    pub(crate) keeps_given_texts: bool,
    /// What a transcript asks.
    pub(crate) questions: Vec<Question>,
    /// What each seat has when a game is over, if the rules say it.
    pub(crate) outcome: Option<Outcome>,
    /// Those who play, and how they are written.
    pub(crate) seats: Option<(Source, Written)>,
    /// How many events a game may have, by the rule file.
    pub(crate) limit: u64,
    /// How much a run may take.
    pub(crate) limits: Limits,
    /// How often runs have passed each place of which the journal notes that, if there are any.
    pub(crate) passed: Vec<AtomicU64>,
    /// When it becomes machine code.
    pub(crate) natively: Natively,
    /// How many values the tables of facts remember.
    pub(crate) table_words: usize,
    pub(crate) number_asked: NumberAsked,
    /// Its machine code, once somebody has made it.
    pub(crate) native: crate::machine::SharedEngine,
    /// The same, made to say what is wrong.
    pub(crate) exact: crate::lower::OnDemand,
    /// The same, made to search for what may happen.
    pub(crate) searching: crate::machine::SharedEngine,
    /// Which rows against an event can be asked early, once somebody searches for events.
    pub(crate) legality: OnceLock<Legality>,
    /// Its rows, where it is made to be explained.
    pub(crate) explained: Option<Box<explain::Explained>>,
}

/// What is asked of the number of a game, besides that it is written in a line that is said.
#[derive(Debug, Default)]
pub(crate) struct NumberAsked {
    /// The greatest number that it is compared with in the condition of such a line: above it, all are alike.
    pub(crate) greatest: i64,
    /// Whether anything else asks for it.
    pub(crate) elsewhere: bool,
}

/// When a game becomes machine code, if there is any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Natively {
    /// Once so many events were done that it pays.
    #[default]
    Later,
    AtOnce,
    /// At once, and the interpreter runs it.
    Interpreted,
    Never,
}

/// A question, or a part of it, that is answered by a fact.
#[derive(Debug)]
pub(crate) struct Question {
    /// Which question of the transcript.
    pub(crate) number: usize,
    /// The event in which it is asked; nothing for one that is asked between events.
    pub(crate) event: Option<usize>,
    /// The fact.
    pub(crate) fact: usize,
}

/// A place in a rule file that a fault speaks of.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) span: Span,
    /// What stands there.
    pub(crate) text: String,
}

/// A product of which not every index is a value, because its size is given or a condition leaves some out.
#[derive(Debug)]
pub(crate) struct Partial {
    /// How many indexes the partial types before it have together.
    pub(crate) start: usize,
    pub(crate) count: usize,
    /// Whether an index is a value.
    pub(crate) is_value: Code,
    /// Whether that depends on what is given.
    pub(crate) given: bool,
    /// The local that holds the index.
    pub(crate) index: u32,
}

/// A fact of one event (or of none), in one tense.
#[derive(Debug)]
pub(crate) struct Fact {
    /// What it is called; several may be called the same, each in an event or tense of its own.
    pub(crate) name: String,
    pub(crate) code: Code,
    /// How many of the locals are parameters: the first ones.
    pub(crate) parameters: usize,
    pub(crate) locals: usize,
    /// What its value can be, and each parameter's, where that is known.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) takes: Vec<Option<Bounds>>,
    /// For a fact with parameters whose values are remembered: where its table begins, and the parameters' domains.
    pub(crate) table: Option<FactTable>,
}

/// A table of a fact's values during one step.
#[derive(Debug)]
pub(crate) struct FactTable {
    pub(crate) start: usize,
    pub(crate) domains: Vec<Domain>,
}

/// The points beside a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    /// Where there are fewer, the point itself stands for the others.
    all: [u32; 4],
    count: usize,
}

impl Beside {
    /// What lies beside a point of a grid: up to as many points as there are sides, ascending.
    pub(crate) fn of(point: u32, beside: &[u32]) -> Beside {
        let mut all = [point; 4];
        all[..beside.len()].copy_from_slice(beside);
        let count = beside.len();
        Beside { all, count }
    }

    /// The points, ascending.
    pub(crate) fn points(&self) -> &[u32] {
        &self.all[..self.count]
    }

    /// The points, and for those that are missing the point itself, where that does no harm.
    pub(crate) fn padded(&self) -> &[u32; 4] {
        &self.all
    }
}

/// A grid's geometry.
#[derive(Debug)]
pub(crate) struct Grid {
    pub(crate) rows: i64,
    pub(crate) columns: i64,
    /// Whether the last row lies beside the first, and the last column beside the first.
    pub(crate) wraps: (bool, bool),
    /// What lies beside each point.
    pub(crate) beside: Vec<Beside>,
    /// How a step in each of the eight ways changes row and column.
    pub(crate) ways: [(i64, i64); 8],
}

/// How a type is written.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own"
)]
pub(crate) struct Form {
    /// The values it has, by index.
    pub(crate) domain: Option<Domain>,
    /// The form; the value is the first local.
    pub(crate) text: Text,
    pub(crate) locals: usize,
    /// Whether the form depends on what is given, so that it is known at each start only.
    pub(crate) given: bool,
    /// Whether facts say it. That its values are then written apart, each as a word, is asked when they are known.
    pub(crate) by_facts: bool,
    /// The product or kind whose values are left out, if some indexes are none.
    pub(crate) partial: Option<usize>,
    /// The last value, where that is given.
    pub(crate) last: Option<Code>,
    /// Whether anything but messages writes or reads it: others are worked out where they are needed.
    pub(crate) asked: bool,
    /// Whether a transcript may hold one: as a word, it has no blank.
    pub(crate) read: bool,
    /// The forms, where they are known beforehand.
    pub(crate) known: Vec<String>,
    /// What the type is called.
    pub(crate) name: String,
}

/// Where a fault happened: an index into [`Compiled::sites`].
pub(crate) type SiteId = u32;

/// A text that is written or made.
#[derive(Debug, Clone)]
pub(crate) enum Text {
    Literal(String),
    Value(Box<Code>, Written),
    Parts(Box<[Text]>),
    /// What is ranged over, with a text between.
    List {
        source: Box<Source>,
        written: Written,
        between: String,
        /// What stands before the last of several.
        last: String,
    },
}

/// How a value is written.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Number,
    /// A number with so many decimal places.
    Decimal(u8),
    YesNo,
    Text,
    /// By a form of the compiled game.
    Form(usize),
    /// As itself, or `none`.
    OrNone(Box<Written>),
    /// A collection by its members, in brackets.
    Members {
        shape: Box<Shape>,
        member: Box<Written>,
    },
}
