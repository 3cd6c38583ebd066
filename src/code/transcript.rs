//! How a transcript is read: its steps, and the patterns that its words are matched with.

use super::{Check, Code, Shape};
use crate::word::Between;

/// A way to read transcripts.
#[derive(Debug)]
pub(crate) struct Transcript {
    pub(crate) name: Option<String>,
    pub(crate) by_lines: bool,
    pub(crate) steps: Vec<Step>,
    pub(crate) locals: usize,
}

/// One step.
#[derive(Debug)]
pub(crate) enum Step {
    Pattern(Pattern),
    Start,
    Times(Code, Vec<Step>),
    Until(Pattern, Vec<Step>),
    Play(Play),
}

/// Events, read or chosen.
#[derive(Debug)]
pub(crate) struct Play {
    /// What chooses, where the events are not read.
    pub(crate) by: Option<Chooser>,
    pub(crate) until: Option<Code>,
    pub(crate) stop: Option<Stop>,
    pub(crate) rows: Vec<PlayRow>,
}

/// What chooses events.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Chooser {
    /// A policy.
    Policy(usize),
    /// The lot, among all that may happen.
    Lot,
}

/// The words that end a `play`.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) before: bool,
    pub(crate) words: Pattern,
    pub(crate) when: Option<Code>,
}

/// How an event is written.
#[derive(Debug)]
pub(crate) struct PlayRow {
    /// The place that the run passes when it is taken, where that is noted.
    pub(crate) passed: Option<u32>,
    pub(crate) event: usize,
    pub(crate) pattern: Pattern,
    /// The fields that are not read.
    pub(crate) fields: Vec<(usize, Code)>,
    pub(crate) conditions: Box<[Code]>,
    /// The conditions as they were written, with `when` or `unless`.
    pub(crate) written: Vec<String>,
}

/// What is read at once.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) items: Vec<Item>,
}

impl Pattern {
    /// Whether it begins with a word that is written as it stands there.
    pub(crate) fn begins_with_text(&self) -> bool {
        let Some(Item::Word(segments)) = self.items.first() else {
            return false;
        };
        matches!(segments.first(), Some(Segment::Literal(_)))
    }
}

/// A part of a pattern.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// One word.
    Word(Vec<Segment>),
    /// Several words; to the line's end where no number is said.
    Many {
        hole: Box<Hole>,
        count: Option<Code>,
    },
}

/// A part of a word.
#[derive(Debug, Clone)]
pub(crate) enum Segment {
    Literal(String),
    Hole(Box<Hole>),
}

/// A value that is read.
#[derive(Debug, Clone)]
pub(crate) struct Hole {
    pub(crate) target: Target,
    pub(crate) reading: Reading,
    /// What stands for none, or for an empty collection.
    pub(crate) absent: Option<String>,
    /// What stands between the members of a list.
    pub(crate) between: Option<Between>,
    pub(crate) name: String,
    /// What the type is called.
    pub(crate) ty: String,
    /// The collection that words are put in, for several words and for joined ones.
    pub(crate) shape: Shape,
    pub(crate) check: Option<Check>,
}

impl Hole {
    /// What stands between the members that it reads in one word.
    pub(crate) fn separator(&self) -> &str {
        let joins = self.between.as_ref().and_then(|between| between.by.joins());
        joins.unwrap_or_default()
    }
}

/// How a word becomes a value.
#[derive(Debug, Clone)]
pub(crate) enum Reading {
    Number {
        lo: i64,
        hi: i64,
    },
    /// A number in units of so many decimal places.
    Decimal {
        places: u8,
        lo: i64,
        hi: i64,
    },
    YesNo,
    Word,
    /// By a form: a type's values, or an attribute's.
    Form(usize),
    /// By the texts of an attribute: the text and the value.
    Attribute(Vec<(String, i64)>),
    /// A collection in one word, each member read by the inner way.
    Joined(Box<Reading>),
}

/// Where a value goes.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Given(usize, Option<Code>),
    Number(u32),
    Field(usize),
}

/// How long parts of a word are together, if that is known.
pub(crate) fn length_of(segments: &[Segment]) -> Option<usize> {
    segments
        .iter()
        .map(|segment| match segment {
            Segment::Literal(text) => Some(text.len()),
            Segment::Hole(_) => None,
        })
        .sum()
}
