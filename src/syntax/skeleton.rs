//! The words of a text and where its items begin: what can be known of a file that is only half written.

use std::ops::Range;

use super::{
    MAXIMUM_LENGTH,
    grammar::{self, Rule},
    lexer::{Lexed, Token, TokenKind, tokens, tokens_of_part},
    nesting,
    outline::{Kind, outline},
};
use crate::source::SourceId;

/// A word or mark.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// Whether it is a name, or a word of the language.
    pub(crate) is_name: bool,
    /// Whether it is a text in quotes.
    pub(crate) is_text: bool,
    /// Whether it is the first on its line.
    pub(crate) first: bool,
}

/// An item, or what stands in place of one.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Its words.
    pub(crate) words: Range<usize>,
    /// The words of each of its clauses, if it is a section.
    pub(crate) clauses: Vec<Range<usize>>,
}

/// The words of a text, those in the holes of texts after each text, and its items.
pub(crate) fn skeleton(text: &str) -> (Vec<Word>, Vec<Stretch>) {
    if text.len() > MAXIMUM_LENGTH || nesting::too_deep(text).is_some() {
        return (Vec::new(), Vec::new());
    }
    let tokens = tokens(text);
    let mut words = Vec::new();
    let mut places = Vec::new();
    for token in &tokens {
        places.push(words.len());
        push(text, token, &mut words);
    }
    places.push(words.len());
    let place = |range: &Range<usize>| places[range.start]..places[range.end];
    let stretches = outline(Lexed {
        source: SourceId::default(),
        text,
        tokens: &tokens,
    });
    let stretches = stretches.iter().map(|stretch| Stretch {
        words: place(&stretch.tokens),
        clauses: match &stretch.kind {
            Kind::Section { clauses, .. } => clauses.iter().map(place).collect(),
            Kind::Header | Kind::Item | Kind::Clause => Vec::new(),
        },
    });
    let stretches = stretches.collect();
    (words, stretches)
}

/// Adds a token, and what stands in its holes.
fn push(text: &str, token: &Token, words: &mut Vec<Word>) {
    let is_text = matches!(
        token.kind,
        TokenKind::Text | TokenKind::BrokenText | TokenKind::OpenText
    );
    words.push(Word {
        range: token.start..token.end,
        is_name: token.kind == TokenKind::Word,
        is_text,
        first: token.first,
    });
    if token.kind != TokenKind::Text {
        return;
    }
    let whole = text.get(token.start..token.end).unwrap_or("");
    let nodes = grammar::parse(Rule::whole_text, whole);
    let holes = nodes
        .into_iter()
        .flatten()
        .flat_map(pest::iterators::Pair::into_inner);
    let mut end = 0;
    for hole in holes.flat_map(|node| {
        let own = node.as_rule() == Rule::text_hole;
        let inner = node.clone().into_inner().flatten();
        let inner = inner.filter(|node| node.as_rule() == Rule::text_hole);
        own.then_some(node).into_iter().chain(inner)
    }) {
        let span = hole.as_span();
        if span.start() < end {
            continue;
        }
        end = span.end();
        let range = token.start + span.start() + 1..token.start + span.end() - 1;
        for token in tokens_of_part(text, &range) {
            push(text, &token, words);
        }
    }
}
