//! The lexer, for texts that do not parse: to find where their items begin, and what was written instead of what the
//! grammar expects.

use std::ops::Range;

use super::grammar::{self, Rule};
use crate::source::{SourceId, Span};

/// The sort of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and `_`, a letter first.
    Word,
    /// Digits, and any letters attached to them.
    Number,
    /// A text in quotes.
    Text,
    /// A text in quotes with a hole that is not closed.
    BrokenText,
    /// A text that does not end on its line.
    OpenText,
    /// Punctuation, including that of other languages.
    Mark,
    /// A character that is only allowed in texts.
    Stray,
}

/// A token, with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Its first byte.
    pub(super) start: usize,
    /// The byte after its last.
    pub(super) end: usize,
    /// Whether it is the first on its line.
    pub(super) first: bool,
}

/// A text with its tokens.
#[derive(Clone, Copy)]
pub(super) struct Lexed<'t> {
    /// The source of the text.
    pub(super) source: SourceId,
    /// The whole text.
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
}

/// The tokens of a text. Blanks and comments are left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut end = 0;
    let nodes = grammar::parse(Rule::any_tokens, text).into_iter().flatten();
    for node in nodes.flat_map(pest::iterators::Pair::into_inner) {
        let span = node.as_span();
        let kind = match node.as_rule() {
            Rule::any_word => TokenKind::Word,
            Rule::any_number => TokenKind::Number,
            Rule::whole_text => TokenKind::Text,
            Rule::broken_text => TokenKind::BrokenText,
            Rule::open_text => TokenKind::OpenText,
            Rule::any_mark => TokenKind::Mark,
            Rule::stray => TokenKind::Stray,
            _ => continue,
        };
        let before = text.get(end..span.start()).unwrap_or("");
        end = span.end();
        tokens.push(Token {
            kind,
            start: span.start(),
            end: match kind {
                // To the end of its line, without trailing blanks.
                TokenKind::OpenText => span.start() + span.as_str().trim_end().len(),
                _ => end,
            },
            first: tokens.is_empty() || before.contains('\n'),
        });
    }
    tokens
}

/// The tokens of the bytes `range` of a text.
pub(super) fn tokens_of_part(text: &str, range: &Range<usize>) -> Vec<Token> {
    let mut tokens = tokens(text.get(range.clone()).unwrap_or(""));
    for token in &mut tokens {
        token.start += range.start;
        token.end += range.start;
        token.first = false;
    }
    tokens
}

impl<'t> Lexed<'t> {
    /// The text of a token; empty after the last one.
    pub(super) fn word(&self, index: usize) -> &'t str {
        self.tokens
            .get(index)
            .and_then(|token| self.text.get(token.start..token.end))
            .unwrap_or("")
    }

    /// The sort of a token; none after the last one.
    pub(super) fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// Whether the token is the first on its line.
    pub(super) fn first(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.first)
    }

    /// The span of a token; after the last one, the end of the text.
    pub(super) fn span(&self, index: usize) -> Span {
        let end = self.text.len();
        let token = self.tokens.get(index);
        let range = token.map_or(end..end, |token| token.start..token.end);
        Span::new(self.source, range)
    }

    /// The start of a token; after the last one, the end of the text.
    pub(super) fn start(&self, index: usize) -> usize {
        self.span(index).range().start
    }

    /// The text from one token to another, both included.
    pub(super) fn written(&self, first: usize, last: usize) -> &'t str {
        let span = self.span(first).to(self.span(last));
        self.text.get(span.range()).unwrap_or("")
    }

    /// The line of a token, from 1.
    pub(super) fn line(&self, index: usize) -> usize {
        let before = self.text.get(..self.start(index)).unwrap_or("");
        bytecount::count(before.as_bytes(), b'\n') + 1
    }

    /// The text before a token on its line.
    pub(super) fn line_before(&self, index: usize) -> &'t str {
        let before = self.text.get(..self.start(index)).unwrap_or("");
        before.rsplit('\n').next().unwrap_or("")
    }

    /// The indentation of a token's line.
    pub(super) fn indent(&self, index: usize) -> usize {
        let before = self.line_before(index);
        before.len() - before.trim_start_matches([' ', '\t']).len()
    }

    /// Whether no blank is between two tokens.
    pub(super) fn touch(&self, left: usize, right: usize) -> bool {
        match (self.tokens.get(left), self.tokens.get(right)) {
            (Some(left), Some(right)) => left.end == right.start,
            _ => false,
        }
    }

    /// The index of the token at byte `at`, or of the next one.
    pub(super) fn index_at(&self, at: usize) -> usize {
        self.tokens.partition_point(|token| token.end <= at)
    }

    /// The tokens in the innermost hole around byte `at`; none if it is not in a hole.
    pub(super) fn tokens_of_hole(&self, at: usize) -> Option<Vec<Token>> {
        let token = self.tokens.get(self.index_at(at))?;
        if token.kind != TokenKind::Text || token.start >= at {
            return None;
        }
        let text = self.text.get(token.start..token.end)?;
        let nodes = grammar::parse(Rule::whole_text, text).ok()?.flatten();
        let holes = nodes.filter(|node| node.as_rule() == Rule::text_hole);
        let holes = holes.map(|node| {
            token.start + node.as_span().start() + 1..token.start + node.as_span().end() - 1
        });
        let hole = holes
            .filter(|hole| (hole.start..=hole.end).contains(&at))
            .last()?;
        Some(tokens_of_part(self.text, &hole))
    }
}
