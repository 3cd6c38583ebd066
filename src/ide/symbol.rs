//! What is declared, and where.

use std::ops::Range;

/// What sort of thing a name is declared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A game or a variant.
    Game,
    /// An option.
    Option,
    /// A kind or ring.
    Kind,
    /// A member of a kind.
    Member,
    /// An attribute of a kind's members.
    Attribute,
    /// A type or grid.
    Type,
    /// A field of a type.
    Field,
    /// Something that a transcript says first.
    Given,
    /// A state.
    State,
    /// What begins again together.
    Round,
    /// An event.
    Event,
    /// A field of an event.
    EventField,
    /// A fact.
    Fact,
    /// A policy.
    Policy,
    /// A transcript.
    Transcript,
    /// An example.
    Example,
    /// A row, by its label.
    Row,
    /// A row without a label, by its first cell.
    Cell,
    /// A row of a `play`, by its event.
    Play,
    /// A parameter or variable.
    Local,
    /// A built-in.
    Builtin,
    /// A word of the language.
    Keyword,
}

impl Sort {
    /// Whether its name is known in the whole file.
    pub(super) fn is_global(self) -> bool {
        matches!(
            self,
            Sort::Game
                | Sort::Option
                | Sort::Kind
                | Sort::Member
                | Sort::Type
                | Sort::Given
                | Sort::State
                | Sort::Round
                | Sort::Event
                | Sort::Fact
                | Sort::Policy
                | Sort::Example
        )
    }
}

/// A name that is declared.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it is declared as.
    pub sort: Sort,
    /// The bytes of the name.
    pub place: Range<usize>,
    /// The bytes of the declaration; of a variable, where it is known.
    pub range: Range<usize>,
    /// What its author says of it.
    pub meaning: String,
    /// Its type, if one is written.
    pub ty: String,
    /// How changes name it, for each of its events.
    pub(super) paths: Vec<String>,
    /// The events, or the type, that it belongs to.
    pub(super) events: Vec<String>,
}

impl Symbol {
    /// Whether it is a row that makes an event impossible.
    pub(super) fn is_impossible(&self) -> bool {
        let mut paths = self.paths.iter();
        self.sort == Sort::Row && paths.any(|path| path.contains(".impossible."))
    }
}
