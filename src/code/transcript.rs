//! How a transcript is read: its steps, and the patterns that match its words.

use super::{Check, Code, Shape};
use crate::word::Between;

/// A transcript definition.
#[derive(Debug)]
pub(crate) struct Transcript {
    pub(crate) name: Option<String>,
    pub(crate) by_lines: bool,
    pub(crate) steps: Vec<Step>,
    pub(crate) locals: usize,
}

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
    /// What chooses the events, if they are not read.
    pub(crate) by: Option<Chooser>,
    pub(crate) until: Option<Code>,
    pub(crate) stop: Option<Stop>,
    pub(crate) rows: Vec<PlayRow>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Chooser {
    Policy(usize),
    /// The lot, among all possible events.
    Lot,
}

/// The words that end a `play`.
#[derive(Debug)]
pub(crate) struct Stop {
    pub(crate) before: bool,
    pub(crate) words: Pattern,
    pub(crate) when: Option<Code>,
}

/// The pattern of an event.
#[derive(Debug)]
pub(crate) struct PlayRow {
    /// The place for coverage that the run passes when it takes this row.
    pub(crate) passed: Option<u32>,
    pub(crate) event: usize,
    pub(crate) pattern: Pattern,
    /// The fields that are not read.
    pub(crate) fields: Vec<(usize, Code)>,
    pub(crate) conditions: Box<[Code]>,
    /// The source texts of the conditions, with `when` or `unless`.
    pub(crate) written: Vec<String>,
}

/// Words that are read together.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) items: Vec<Item>,
}

impl Pattern {
    /// Whether it begins with a literal word.
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
    /// Several words; up to the end of the line if there is no count.
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

/// A value to read.
#[derive(Debug, Clone)]
pub(crate) struct Hole {
    pub(crate) target: Target,
    pub(crate) reading: Reading,
    /// The text for none, or for an empty collection.
    pub(crate) absent: Option<String>,
    /// The separator between the members of a list.
    pub(crate) between: Option<Between>,
    pub(crate) name: String,
    /// The name of its type.
    pub(crate) ty: String,
    /// The collection that holds the members, for several words and for joined ones.
    pub(crate) shape: Shape,
    pub(crate) check: Option<Check>,
}

impl Hole {
    /// The separator between members within one word.
    pub(crate) fn separator(&self) -> &str {
        let joins = self.between.as_ref().and_then(|between| between.by.joins());
        joins.unwrap_or_default()
    }
}

/// How to convert a word to a value.
#[derive(Debug, Clone)]
pub(crate) enum Reading {
    Number {
        lo: i64,
        hi: i64,
    },
    /// A number with decimal places, in its smallest units.
    Decimal {
        places: u8,
        lo: i64,
        hi: i64,
    },
    YesNo,
    Word,
    /// By the written forms of a type or an attribute.
    Form(usize),
    /// By the texts of an attribute: text and value.
    Attribute(Vec<(String, i64)>),
    /// A collection in one word, with the reading of each member.
    Joined(Box<Reading>),
}

/// Where to store a value.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Given(usize, Option<Code>),
    Number(u32),
    Field(usize),
}

/// The total length of segments, if it is fixed.
pub(crate) fn length_of(segments: &[Segment]) -> Option<usize> {
    segments
        .iter()
        .map(|segment| match segment {
            Segment::Literal(text) => Some(text.len()),
            Segment::Hole(_) => None,
        })
        .sum()
}
