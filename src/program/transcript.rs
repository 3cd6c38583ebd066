//! How a transcript is read, and the policies that choose events in its place.

use super::{EventId, Expr, LocalId, PolicyId, Template};
use crate::{
    source::Span,
    types::{GivenId, KindId, Type},
    word::Between,
};

/// A way to read transcripts.
#[derive(Debug, Clone)]
pub(crate) struct Transcript {
    /// Its name; the default one may have none.
    pub name: Option<String>,
    /// What its patterns take.
    pub unit: Unit,
    /// Its steps.
    pub steps: Vec<Step>,
    /// How many locals it has: the numbers it reads for itself, and those of its conditions.
    pub locals: usize,
    /// Where it is declared.
    pub span: Span,
}

pub(crate) use crate::syntax::ast::Unit;

/// One step.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Words to read.
    Pattern(Pattern),
    /// The game starts.
    Start(Span),
    /// Steps repeated a number of times.
    Times {
        /// How often.
        count: Expr,
        /// What.
        steps: Vec<Step>,
    },
    /// Steps repeated until some words come.
    Until {
        /// The words; without any, the transcript's end.
        words: Pattern,
        /// What.
        steps: Vec<Step>,
    },
    /// Events.
    Play(Play),
}

/// Events, read or chosen until something ends them.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    /// The policy that chooses, if it is not the transcript.
    pub by: Option<PolicyId>,
    /// The condition that ends it, besides the game's end.
    pub until: Option<Expr>,
    /// The words that end it.
    pub stop: Option<Stop>,
    /// How each event is written, in the order in which they are tried.
    pub rows: Vec<PlayRow>,
    /// The whole step.
    pub span: Span,
}

/// The words that end a `play`.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    /// Whether they are left unread.
    pub before: bool,
    /// The words.
    pub words: Pattern,
    /// When they end it.
    pub when: Option<Expr>,
}

/// How an event is written.
#[derive(Debug, Clone)]
pub(crate) struct PlayRow {
    /// Its label.
    pub label: String,
    /// The event.
    pub event: EventId,
    /// What is read.
    pub pattern: Pattern,
    /// The fields that `=>` gives, by place; others are read, or none.
    pub fields: Vec<Option<Expr>>,
    /// When it is tried.
    pub conditions: Vec<Expr>,
    /// The same as it was written, each with `when` or `unless`.
    pub written: Vec<String>,
    /// The whole row.
    pub span: Span,
}

/// What is read at once: words and holes.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The words in order.
    pub items: Vec<Item>,
    /// Where it stands.
    pub span: Span,
}

/// A part of a pattern.
#[expect(
    clippy::large_enum_variant,
    reason = "a game has a few dozen of them; a box would only be in the way"
)]
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// One word, made of text and holes that touch.
    Word(Vec<Segment>),
    /// Several words.
    Many {
        /// What each of them is.
        hole: Hole,
        /// How many; all to the line's end where there is no number.
        count: Option<Expr>,
    },
}

/// A part of a word.
#[derive(Debug, Clone)]
pub(crate) enum Segment {
    /// Plain text.
    Literal(String),
    /// A value.
    Hole(Box<Hole>),
}

/// A value that is read.
#[derive(Debug, Clone)]
pub(crate) struct Hole {
    /// Where it goes.
    pub target: Target,
    /// The type of one value.
    pub ty: Type,
    /// How it is written.
    pub via: Via,
    /// What stands for none; empty where it may be missing.
    pub absent: Option<String>,
    /// What stands between the members of a list.
    pub between: Option<Between>,
    /// The name it was written with.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// Where a value goes.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// A given, or one entry of it.
    Given(GivenId, Option<Expr>),
    /// A number of the transcript's own.
    Number(super::LocalId),
    /// A field of the event.
    Field(usize),
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    /// In its type's written form.
    Form,
    /// By an attribute of its kind.
    Attribute(KindId, usize),
    /// As a collection in one word.
    Joined,
}

impl Item {
    /// The holes of the item.
    #[must_use]
    pub(crate) fn holes(&self) -> Vec<&Hole> {
        match self {
            Item::Word(segments) => segments
                .iter()
                .filter_map(|segment| match segment {
                    Segment::Hole(hole) => Some(&**hole),
                    Segment::Literal(_) => None,
                })
                .collect(),
            Item::Many { hole, .. } => vec![hole],
        }
    }
}

/// How events are chosen.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    /// Its name.
    pub name: String,
    /// Its rules in order.
    pub rows: Vec<Choice>,
    /// How many locals they have.
    pub locals: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A row that names an event.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// Its label.
    pub label: String,
    /// The event.
    pub event: EventId,
    /// Its fields.
    pub fields: Vec<Expr>,
    /// What it is asked for.
    pub bindings: Vec<(LocalId, Expr)>,
    /// When it is chosen.
    pub conditions: Vec<Expr>,
    /// Its sentence.
    pub says: Option<Template>,
    /// The whole row.
    pub span: Span,
}
