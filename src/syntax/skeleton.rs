//! The words of a text and where its items begin: what can be known of a file that is only half written.

use std::{
    collections::BTreeSet,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use pest::error::{ErrorVariant, InputLocation};

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

/// What a text that is followed to its end is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    /// The header of a file, and items.
    File,
    /// Items.
    Items,
    /// Clauses of a section.
    Clauses,
}

/// What the grammar has at a place.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// The words of the language that may stand there.
    pub(crate) words: BTreeSet<String>,
    /// The name that may stand there.
    pub(crate) name: Option<NameIn>,
    /// Whether what was begun may also end there, so that the words include those of the next item or clause.
    pub(crate) may_end: bool,
}

/// What a name is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameIn {
    /// Nothing else: it stands alone, and the word before it says what it is.
    Itself,
    /// A type.
    Type,
    /// The end of a range in a type.
    Bound,
    /// The attributes of a member.
    Attribute,
    /// A row of a `by` table, as a label or in a cell.
    Cell,
    /// An expression.
    Expression,
}

/// What may follow a text that begins a whole one; nothing if it does not, or if it ends within a comment or a text.
pub(crate) fn expected_after(whole: Whole, text: &str) -> Option<Expected> {
    // Stands in no token, so that reading ends there.
    const STRAY: char = '\u{0}';
    // The parser collects the words that it tries only if it is told so, for all threads. One that reads meanwhile is
    // slowed down, no more.
    static COLLECTING: Mutex<()> = Mutex::new(());
    if text.len() > MAXIMUM_LENGTH || nesting::too_deep(text).is_some() {
        return None;
    }
    let rule = match whole {
        Whole::File => Rule::header_alone,
        Whole::Items => Rule::items_alone,
        Whole::Clauses => Rule::clauses_alone,
    };
    let begun = format!("{text}{STRAY}");
    let error = {
        let _alone = COLLECTING.lock().unwrap_or_else(PoisonError::into_inner);
        pest::set_error_detail(true);
        let error = grammar::parse(rule, &begun).err();
        pest::set_error_detail(false);
        error?
    };
    let (InputLocation::Pos(offset) | InputLocation::Span((offset, _))) = error.location;
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return None;
    };
    if offset != text.len() {
        return None;
    }
    let tokens = error.parse_attempts()?.expected_tokens();
    let tokens: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let letters = |token: &&String| token.bytes().any(|it| it.is_ascii_lowercase());
    let is_word = |token: &&String| {
        token
            .bytes()
            .all(|it| it.is_ascii_lowercase() || it == b'/')
    };
    let words: BTreeSet<String> = tokens
        .iter()
        .filter(letters)
        .filter(is_word)
        .cloned()
        .collect();
    let has = |rule: Rule| positives.contains(&rule);
    let name = if !tokens.iter().any(|token| token == "a..z") {
        None
    } else if words.contains("yes/no") {
        Some(NameIn::Type)
    } else if has(Rule::label) && has(Rule::cell) {
        Some(NameIn::Cell)
    } else if words.contains("the") {
        Some(NameIn::Expression)
    } else if has(Rule::attribute) {
        Some(NameIn::Attribute)
    } else if has(Rule::bound) {
        Some(NameIn::Bound)
    } else {
        Some(NameIn::Itself)
    };
    Some(Expected {
        words,
        name,
        may_end: has(Rule::EOI),
    })
}

/// Whether something may be called so, and no word of the language is.
pub(crate) fn is_free_name(name: &str) -> bool {
    let is_word = |rule: &Rule| format!("{rule:?}").strip_prefix("kw_") == Some(name);
    let parsed = grammar::parse(Rule::name, name);
    let is_whole = parsed.is_ok_and(|mut pairs| pairs.next().is_some_and(|it| it.as_str() == name));
    // `it` is what is written, in a `write`.
    is_whole && name != "it" && !Rule::all_rules().iter().any(is_word)
}
