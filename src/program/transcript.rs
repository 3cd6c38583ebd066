//! How a transcript is read, and the policies that choose events instead.

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
    /// What a pattern consumes at once.
    pub unit: Unit,
    pub steps: Vec<Step>,
    /// How many locals it has: the numbers it reads for itself, and those of its conditions.
    pub locals: usize,
    /// Where it is declared.
    pub span: Span,
}

pub(crate) use crate::syntax::ast::Unit;

/// One step of a transcript.
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
        steps: Vec<Step>,
    },
    /// Steps repeated until some words come.
    Until {
        /// The words; empty for the end of the transcript.
        words: Pattern,
        steps: Vec<Step>,
    },
    /// Events.
    Play(Play),
}

/// Events, read or chosen until something ends them.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    /// The policy that chooses the events; none if the transcript has them.
    pub by: Option<PolicyId>,
    /// The condition that ends it; the end of the game ends it, too.
    pub until: Option<Expr>,
    /// The words that end it.
    pub stop: Option<Stop>,
    /// How each event is written, in the order in which the rows are tried.
    pub rows: Vec<PlayRow>,
    /// The whole step.
    pub span: Span,
}

/// The words that end a `play`.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    /// Whether they are left for the next step to read.
    pub before: bool,
    pub words: Pattern,
    /// The condition under which they end it.
    pub when: Option<Expr>,
}

/// How an event is written.
#[derive(Debug, Clone)]
pub(crate) struct PlayRow {
    pub label: String,
    pub event: EventId,
    pub pattern: Pattern,
    /// The fields that `=>` sets, by index; none for those that are read, or that stay none.
    pub fields: Vec<Option<Expr>>,
    /// The conditions under which it is tried.
    pub conditions: Vec<Expr>,
    /// The conditions as written, each with `when` or `unless`.
    pub written: Vec<String>,
    /// The whole row.
    pub span: Span,
}

/// Words and holes that are read together.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The words in order.
    pub items: Vec<Item>,
    /// Its place in the source.
    pub span: Span,
}

/// A part of a pattern.
#[expect(
    clippy::large_enum_variant,
    reason = "a game has a few dozen of them; a box would only be in the way"
)]
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// One word, made of text and holes without blanks between them.
    Word(Vec<Segment>),
    /// Several words.
    Many {
        /// What each of them is.
        hole: Hole,
        /// How many; without a number, all to the end of the line.
        count: Option<Expr>,
    },
}

/// A part of a word.
#[derive(Debug, Clone)]
pub(crate) enum Segment {
    /// Plain text.
    Literal(String),
    Hole(Box<Hole>),
}

/// A place for a value in a pattern.
#[derive(Debug, Clone)]
pub(crate) struct Hole {
    /// Where it goes.
    pub target: Target,
    /// The type of one value.
    pub ty: Type,
    /// How it is written.
    pub via: Via,
    /// The word for none; empty if the value may simply be missing.
    pub absent: Option<String>,
    /// The text between the members of a list.
    pub between: Option<Between>,
    /// The name in the braces.
    pub name: String,
    /// Its place in the source.
    pub span: Span,
}

/// Where a value goes.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// A given, or one entry of it.
    Given(GivenId, Option<Expr>),
    /// A number that the transcript reads for itself.
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
    pub name: String,
    /// Its rules in order.
    pub rows: Vec<Choice>,
    /// How many locals they have.
    pub locals: usize,
    /// Where it is declared.
    pub span: Span,
}

/// A row that chooses an event.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub label: String,
    pub event: EventId,
    /// The values of its fields.
    pub fields: Vec<Expr>,
    /// The variables of its `for`, each with the collection it ranges over.
    pub bindings: Vec<(LocalId, Expr)>,
    /// It is chosen when all of these hold.
    pub conditions: Vec<Expr>,
    /// Its text after `says`.
    pub says: Option<Template>,
    /// The whole row.
    pub span: Span,
}
