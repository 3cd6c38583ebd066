//! Declarations, and names of other files.

use std::ops::Range;

use super::document::Document;
use crate::syntax::Stretch;

/// The sort of a declaration.
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
    /// A value that a transcript sets before a game starts.
    Given,
    /// A state.
    State,
    /// States that are reset together.
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
    /// Whether its name is visible in the whole file.
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

/// A declaration.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The range of the name, in bytes.
    pub place: Range<usize>,
    /// The range of the declaration, in bytes; for a variable, its scope.
    pub range: Range<usize>,
    /// Its author's comment.
    pub meaning: String,
    /// Its type, if it has one.
    pub ty: String,
    /// Its paths in changes, one for each of its events.
    pub(super) paths: Vec<String>,
    /// The events or the type that it belongs to.
    pub(super) events: Vec<String>,
}

impl Symbol {
    /// Whether it is a row of `impossible`.
    pub(super) fn is_impossible(&self) -> bool {
        let mut paths = self.paths.iter();
        self.sort == Sort::Row && paths.any(|path| path.contains(".impossible."))
    }
}

impl Document {
    /// Whether a word is part of the name of another game or variant.
    pub(super) fn names_file(&self, stretch: &Stretch, word: usize) -> bool {
        let mut before = (stretch.words.start..word).rev();
        match self.word(stretch.words.start) {
            "variant" => before.any(|at| matches!(self.word(at), "of" | "with" | "without")),
            "use" => before.any(|at| self.word(at) == "from"),
            _ => false,
        }
    }

    /// The name of the game or variant; for a variant, followed by its game.
    pub(super) fn header(&self) -> Option<(&str, Option<&str>)> {
        let is_header = |at: &usize| matches!(self.word(*at), "game" | "variant");
        let starts = self.stretches.iter().map(|stretch| stretch.words.start);
        let at = starts.clone().find(is_header)?;
        let (next, name) = self.file_name(at + 1);
        let is_variant = self.word(at) == "variant" && self.word(next) == "of";
        Some((name, is_variant.then(|| self.file_name(next + 1).1)))
    }

    /// The name of a game or variant that begins with a word and may contain `-`; and the word after it.
    fn file_name(&self, start: usize) -> (usize, &str) {
        let mut end = start + 1;
        while end < self.words.len() && self.words[end].range.start == self.words[end - 1].range.end
        {
            end += 1;
        }
        let bytes = self.bytes(&(start..end));
        (
            end,
            self.text.get(bytes).unwrap_or("").trim_end_matches(','),
        )
    }

    /// The name of the game or variant that contains a word.
    pub(super) fn file_around(&self, word: usize) -> &str {
        let touches = |at: &usize| {
            let before = at.checked_sub(1).map(|before| &self.words[before]);
            before.is_some_and(|before| before.range.end == self.words[*at].range.start)
                && self.word(*at - 1) != ","
        };
        let start = (1..=word).rev().find(|at| !touches(at));
        self.file_name(start.unwrap_or(word)).1
    }

    /// The variants in `with` of the header.
    pub(super) fn with(&self) -> Vec<String> {
        let Some(header) = self.stretches.first() else {
            return Vec::new();
        };
        let words = header.words.clone();
        let Some(with) = words.clone().find(|at| self.word(*at) == "with") else {
            return Vec::new();
        };
        let mut names = Vec::new();
        let mut at = with + 1;
        while at < words.end && !self.words[at].is_text && self.word(at) != "without" {
            let (next, name) = self.file_name(at);
            names.push(name.to_string());
            at = next + usize::from(self.word(next) == ",");
        }
        names
    }

    /// The games in `use`.
    pub(super) fn uses(&self) -> Vec<String> {
        let uses = self.stretches.iter().map(|stretch| stretch.words.clone());
        let uses = uses.filter(|words| self.word(words.start) == "use");
        let from = uses.filter_map(|mut words| words.find(|at| self.word(*at) == "from"));
        from.map(|from| self.file_name(from + 1).1.to_string())
            .collect()
    }
}
