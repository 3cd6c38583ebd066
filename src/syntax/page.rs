//! A text with its words and marks, and what can be told of them without the grammar.

use super::scan::{Sort, Token};
use crate::source::{SourceId, Span};

/// A text and its tokens.
#[derive(Clone, Copy)]
pub(super) struct Page<'t> {
    /// Where it is from.
    pub(super) source: SourceId,
    /// The whole text.
    pub(super) text: &'t str,
    /// Its words and marks.
    pub(super) tokens: &'t [Token],
}

impl<'t> Page<'t> {
    /// The text of a token; empty where there is none.
    pub(super) fn word(&self, index: usize) -> &'t str {
        self.tokens
            .get(index)
            .and_then(|token| self.text.get(token.start..token.end))
            .unwrap_or("")
    }

    /// What sort of token stands there, if any.
    pub(super) fn sort(&self, index: usize) -> Option<Sort> {
        self.tokens.get(index).map(|token| token.sort)
    }

    /// Whether the token is the first on its line.
    pub(super) fn first(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.first)
    }

    /// Where a token stands; after the last one, the end of the text.
    pub(super) fn span(&self, index: usize) -> Span {
        let range = self.tokens.get(index).map_or_else(
            || self.text.len()..self.text.len(),
            |token| token.start..token.end,
        );
        Span::new(self.source, range)
    }

    /// Where a token begins; after the last one, where the text ends.
    pub(super) fn start(&self, index: usize) -> usize {
        self.tokens
            .get(index)
            .map_or(self.text.len(), |token| token.start)
    }

    /// The line on which a token stands, from 1.
    pub(super) fn line(&self, index: usize) -> usize {
        let before = self.text.get(..self.start(index)).unwrap_or("");
        before.matches('\n').count() + 1
    }

    /// How far a token's line is indented.
    pub(super) fn indent(&self, index: usize) -> usize {
        let before = self.text.get(..self.start(index)).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text.get(line..).unwrap_or("");
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// Whether two tokens touch.
    pub(super) fn touch(&self, left: usize, right: usize) -> bool {
        match (self.tokens.get(left), self.tokens.get(right)) {
            (Some(left), Some(right)) => left.end == right.start,
            _ => false,
        }
    }
}

/// Words that an item begins with and that are never names.
const ITEM_WORDS: &[&str] = &[
    "event",
    "except",
    "fact",
    "game",
    "given",
    "just",
    "on",
    "option",
    "policy",
    "state",
    "transcript",
    "variant",
];

/// Words that an item begins with and that may be names elsewhere.
const EVERYDAY_WORDS: &[&str] = &[
    "add", "example", "grid", "kind", "limit", "remove", "replace", "ring", "set", "type", "use",
    "write",
];

/// Words that a clause of a section begins with and no item.
const CLAUSE_WORDS: &[&str] = &["follows", "illegal", "impossible", "refuse", "report"];

/// All words that an item or clause begins with.
pub(super) fn opening_words() -> impl Iterator<Item = &'static str> {
    let words = [ITEM_WORDS, EVERYDAY_WORDS, CLAUSE_WORDS, &["new"]];
    words.into_iter().flatten().copied()
}

/// The words that join expressions, and so do not follow the first word of an item.
const JOINING_WORDS: &[&str] = &[
    "and", "but", "else", "in", "is", "mod", "not", "of", "or", "then", "within", "without",
    "with", "when", "unless", "for", "where", "by", "says", "has", "at",
];

impl Page<'_> {
    /// Whether an item begins with this token.
    pub(super) fn opens_item(&self, index: usize) -> bool {
        let word = self.word(index);
        if self.word(index + 1) == ":" {
            // The name of a row that has lost its bar.
            return false;
        }
        ITEM_WORDS.contains(&word)
            || (EVERYDAY_WORDS.contains(&word)
                && match self.sort(index + 1) {
                    Some(Sort::Word) => !JOINING_WORDS.contains(&self.word(index + 1)),
                    Some(Sort::Number) => true,
                    Some(Sort::Mark) => self.indent(index) == 0 && self.word(index + 1) == "=",
                    _ => false,
                })
    }

    /// Whether a clause begins with this token that no item begins with.
    pub(super) fn opens_clause_only(&self, index: usize) -> bool {
        match self.word(index) {
            "new" => self.assigns(index + 1) || self.word(index + 2) == "|",
            word => CLAUSE_WORDS.contains(&word),
        }
    }

    /// Whether `x, y {` begins here and the line ends with it: a section without its `on`.
    pub(super) fn opens_nameless_section(&self, index: usize) -> bool {
        let mut at = index;
        while self.sort(at) == Some(Sort::Word) && self.word(at + 1) == "," {
            at += 2;
        }
        self.sort(at) == Some(Sort::Word)
            && self.word(at + 1) == "{"
            && (self.first(at + 2) || self.opens_clause_only(at + 2))
    }

    /// Whether `x =`, `x of y =` or `x(…) =` begins here; for a clause also `x(…) |`.
    pub(super) fn assigns(&self, index: usize) -> bool {
        if self.sort(index) != Some(Sort::Word) {
            return false;
        }
        match self.word(index + 1) {
            "=" | "+=" | "-=" | "*=" | "/=" | ":=" | "++" => true,
            "of" => self.sort(index + 2) == Some(Sort::Word) && self.word(index + 3) == "=",
            "(" => (index + 2..index + 12)
                .find(|at| self.word(*at) == ")")
                .is_some_and(|end| matches!(self.word(end + 1), "=" | "|" | "+=" | "-=" | ":=")),
            _ => false,
        }
    }
}
