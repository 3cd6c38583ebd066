//! Analysis of incomplete files, for editors: their words, where their items begin, and what the grammar expects at a
//! place.

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

/// A word, mark or text.
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

/// An item, or tokens in place of one.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    pub(crate) words: Range<usize>,
    /// The words of each of its clauses, if it is a section.
    pub(crate) clauses: Vec<Range<usize>>,
}

/// The words of a text and its items. The words in the holes of a text come after it.
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
    let lexed = Lexed {
        source: SourceId::default(),
        text,
        tokens: &tokens,
    };
    let stretches = outline(lexed);
    let stretches = stretches.iter().map(|stretch| Stretch {
        words: place(&stretch.tokens),
        clauses: match &stretch.kind {
            Kind::Section { clauses, .. } => {
                let clauses = clauses.iter().flat_map(|clause| on_lines(lexed, clause));
                clauses.map(|clause| place(&clause)).collect()
            }
            Kind::Header | Kind::Item | Kind::Clause => Vec::new(),
        },
    });
    let stretches = stretches.collect();
    (words, stretches)
}

/// Splits a range of tokens at the clauses that begin a line.
fn on_lines(lexed: Lexed, clause: &Range<usize>) -> Vec<Range<usize>> {
    let opens = |at: &usize| {
        let before = lexed.word(at - 1);
        // `new` can also begin an expression, but not after the end of one.
        let ends = match lexed.kind(at - 1) {
            Some(TokenKind::Mark) => matches!(before, ")" | "]" | "}"),
            Some(TokenKind::Word) => {
                is_name(before) || matches!(before, "yes" | "no" | "none" | "empty")
            }
            kind => kind.is_some(),
        };
        ends && (lexed.word(*at) == "fact" || lexed.opens_clause_only(*at))
    };
    let inner = (clause.start + 1..clause.end).filter(opens);
    let starts: Vec<usize> = std::iter::once(clause.start).chain(inner).collect();
    let ends = starts.iter().skip(1).copied().chain([clause.end]);
    let clauses = starts.iter().copied().zip(ends);
    clauses.map(|(start, end)| start..end).collect()
}

/// Adds a token, and those in its holes.
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
    if !is_text {
        return;
    }
    for range in holes(text, token) {
        for token in tokens_of_part(text, &range) {
            push(text, &token, words);
        }
    }
}

/// The ranges between the braces of a text, in order; the last may be incomplete.
fn holes(text: &str, token: &Token) -> Vec<Range<usize>> {
    let whole = text.get(token.start..token.end).unwrap_or("");
    let mut holes = Vec::new();
    let Ok(nodes) = grammar::parse(Rule::whole_text, whole) else {
        for (at, _) in whole.match_indices('{') {
            let start = token.start + at + 1;
            let rest = text.get(start..token.end).unwrap_or("");
            let end = rest
                .find(['{', '}'])
                .unwrap_or(rest.trim_end_matches('"').len());
            holes.push(start..start + end);
        }
        return holes;
    };
    let nodes = nodes
        .into_iter()
        .flat_map(pest::iterators::Pair::into_inner);
    let mut end = 0;
    for hole in nodes.flat_map(|node| {
        let own = node.as_rule() == Rule::text_hole;
        let inner = node.clone().into_inner().flatten();
        let inner = inner.filter(|node| node.as_rule() == Rule::text_hole);
        own.then_some(node).into_iter().chain(inner)
    }) {
        let span = hole.as_span();
        if span.start() >= end {
            end = span.end();
            holes.push(token.start + span.start() + 1..token.start + span.end() - 1);
        }
    }
    holes
}

/// What to parse a text as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The header of a file, and items.
    File,
    /// Items.
    Items,
    /// Clauses of a section.
    Clauses,
}

/// What the grammar expects at a place.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// The words of the language that are possible.
    pub(crate) words: BTreeSet<String>,
    /// The sort of name that is possible.
    pub(crate) name: Option<NameContext>,
    /// Whether the item or clause may also end there, so that `words` include the first words of the next one.
    pub(crate) may_end: bool,
}

/// The part of the grammar that a name is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameContext {
    /// None: the word before it says what it is.
    Alone,
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

/// What may follow `text`, the beginning of an entry; none if it has a mistake, or ends within a comment or a text.
pub(crate) fn expected_after(entry: Entry, text: &str) -> Option<Expected> {
    // No token contains this character, so parsing fails at it.
    const STRAY: char = '\u{0}';
    // pest collects the expected tokens for all threads at once. Another thread that parses meanwhile is only slower.
    static COLLECTING: Mutex<()> = Mutex::new(());
    if text.len() > MAXIMUM_LENGTH || nesting::too_deep(text).is_some() {
        return None;
    }
    let rule = match entry {
        Entry::File => Rule::header_alone,
        Entry::Items => Rule::items_alone,
        Entry::Clauses => Rule::clauses_alone,
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
    // Letters, and the slash in `yes/no`; neither marks nor ranges of letters.
    let is_word = |token: &&String| {
        token.starts_with(|it: char| it.is_ascii_lowercase())
            && token
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it == b'/')
    };
    let words: BTreeSet<String> = tokens.iter().filter(is_word).cloned().collect();
    let has = |rule: Rule| positives.contains(&rule);
    let name = if !tokens.iter().any(|token| token == "a..z") {
        None
    } else if words.contains("yes/no") {
        Some(NameContext::Type)
    } else if has(Rule::label) && has(Rule::cell) {
        Some(NameContext::Cell)
    } else if words.contains("the") {
        Some(NameContext::Expression)
    } else if has(Rule::attribute) {
        Some(NameContext::Attribute)
    } else if has(Rule::bound) {
        Some(NameContext::Bound)
    } else {
        Some(NameContext::Alone)
    };
    Some(Expected {
        words,
        name,
        may_end: has(Rule::EOI),
    })
}

/// Whether `name` is a valid name that the language does not use as a word.
pub(crate) fn is_free_name(name: &str) -> bool {
    let is_word = |rule: &Rule| format!("{rule:?}").strip_prefix("kw_") == Some(name);
    // In `write`, `it` is the value.
    is_name(name) && name != "it" && !Rule::all_rules().iter().any(is_word)
}

/// Whether something has the form of a name.
pub(crate) fn is_name(name: &str) -> bool {
    let parsed = grammar::parse(Rule::name, name);
    parsed.is_ok_and(|mut pairs| pairs.next().is_some_and(|it| it.as_str() == name))
}
