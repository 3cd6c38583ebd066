//! Transcripts.

use super::{Expr, Name, Row, Text};
use crate::source::Span;

/// `transcript spoken by lines { … }`
#[derive(Debug, Clone)]
pub(crate) struct Transcript {
    /// Its name; the default one has none.
    pub name: Option<Name>,
    /// What a pattern consumes at once.
    pub unit: Unit,
    /// Its steps in order.
    pub steps: Vec<Step>,
    /// The whole item.
    pub span: Span,
}

/// What a pattern of a transcript consumes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// `by lines`: each pattern a whole line.
    Lines,
    /// `by words`: line ends do not matter.
    Words,
}

/// One step of a transcript.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// `"{places} {items ...}"`, `lot: "{places} {items ...}"`
    Pattern(Pattern),
    /// `start`
    Start(Span),
    /// `repeat n times { … }`, `repeat until "…" { … }`
    Repeat(Repeat),
    /// `play until over { … }`
    Play(Play),
}

/// `lot: "{places} {items ...}"`
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// Its name, for the paths of variants.
    pub label: Option<Name>,
    /// What is read.
    pub text: Text,
}

/// `repeat n times { … }`
#[derive(Debug, Clone)]
pub(crate) struct Repeat {
    /// How often.
    pub rounds: Rounds,
    /// What is repeated.
    pub steps: Vec<Step>,
}

/// How often a `repeat` is executed.
#[derive(Debug, Clone)]
pub(crate) enum Rounds {
    /// `n times`
    Times(Expr),
    /// `until "…"`
    Until(Text),
}

/// `play by plan until over, or before "…" when c { … }`
#[derive(Debug, Clone)]
pub(crate) struct Play {
    /// The policy that chooses.
    pub by: Option<Name>,
    /// The condition that ends it.
    pub until: Expr,
    /// The words that end it.
    pub stop: Option<Stop>,
    /// One row for each way to write an event; a row's label is the event.
    pub rows: Vec<Row>,
    /// The whole step.
    pub span: Span,
}

/// `or before "-1 -1" when c`
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    /// Whether the words are left unread.
    pub before: bool,
    pub words: Text,
    /// The condition under which they end it.
    pub when: Option<Expr>,
}
