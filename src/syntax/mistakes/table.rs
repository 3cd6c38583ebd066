//! The table of common mistakes: the tokens of each, and its message. `table.txt` explains the format.

use std::sync::LazyLock;

use super::{brackets, file, names, rows, texts, words};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::failure::{Failure, is_reserved};
use crate::syntax::lexer::TokenKind;

/// A function that recognises a mistake.
type Find = fn(&Failure) -> Option<Diagnostic>;

/// The functions that the table can name.
const FUNCTIONS: &[(&str, Find)] = &[
    ("unclosed_text", texts::unclosed_text),
    ("inside_text", texts::inside_text),
    ("foreign_letter", names::foreign_letter),
    ("number_and_letters", names::number_and_letters),
    ("no_if", words::no_if),
    ("assignment", file::assignment),
    ("dash_in_name", names::dash_in_name),
    ("by_row_colon", rows::by_row_colon),
    ("condition_outside_row", rows::condition_outside_row),
    ("dot", names::dot),
    ("for_each", rows::for_each),
    ("missing_cell_comma", rows::missing_cell_comma),
    ("clause_order", rows::clause_order),
    ("reserved_word", names::reserved_word),
    ("wrong_bracket", brackets::wrong_bracket),
    ("unclosed_bracket", brackets::unclosed_bracket),
    ("several_in_parentheses", brackets::several_in_parentheses),
    ("missing_bar", rows::missing_bar),
    ("row_without_name", rows::row_without_name),
    ("unknown_item", file::unknown_item),
];

/// The entries of `table.txt`, in order.
pub(super) static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entries = read(include_str!("table.txt"));
    // Debug builds stop at a line that cannot be read; a release skips it.
    let entries = entries.inspect(|entry| debug_assert!(entry.is_some(), "in `table.txt`"));
    entries.flatten().collect()
});

/// An entry of the table.
pub(super) enum Entry {
    Case(Case),
    /// A function that recognises a mistake.
    Function(Find),
}

/// Tokens, conditions, and the message if they match.
pub(super) struct Case {
    /// None for a `plain` message.
    code: Option<Code>,
    message: &'static str,
    tokens: Vec<Matcher>,
    /// The index of the token at fault.
    found: usize,
    conditions: Vec<&'static str>,
    help: Vec<&'static str>,
}

/// A pattern for a token of a case.
struct Matcher {
    alternatives: &'static str,
    touches: bool,
    marked: bool,
}

/// Parses the table; none for what is invalid.
fn read(table: &'static str) -> impl Iterator<Item = Option<Entry>> {
    let lines = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut group = ("", "");
    lines.filter_map(move |line| {
        if let Some(name) = line.strip_prefix(": ") {
            let function = FUNCTIONS.iter().find(|(known, _)| *known == name);
            return Some(function.map(|(_, function)| Entry::Function(*function)));
        }
        if let Some(case) = line.strip_prefix("  ") {
            return Some(Case::read(group, case).map(Entry::Case));
        }
        group = line.split_once("  ").unwrap_or((line, ""));
        None
    })
}

impl Case {
    fn read((code, message): (&str, &'static str), line: &'static str) -> Option<Case> {
        let mut columns = line.split("  ");
        let mut found = None;
        let tokens = columns
            .next()?
            .split(' ')
            .enumerate()
            .map(|(place, token)| {
                let (mut token, mut marked) = (token, false);
                if let Some(rest) = token.strip_prefix(['@', '%']) {
                    marked = token.starts_with('@');
                    found = Some(place);
                    token = rest;
                }
                // Alone, these are the tokens themselves.
                let prefixed = |prefix| token.strip_prefix(prefix).filter(|rest| !rest.is_empty());
                if let Some(rest) = prefixed('*').filter(|_| found != Some(place)) {
                    (token, marked) = (rest, true);
                }
                let touching = token.strip_prefix('~').filter(|rest| !rest.is_empty());
                Matcher {
                    alternatives: touching.unwrap_or(token),
                    touches: touching.is_some(),
                    marked,
                }
            });
        let tokens = tokens.collect();
        let conditions = columns.next()?.split(' ');
        Some(Case {
            code: match code {
                "plain" => None,
                slug => Some(*Code::ALL.iter().find(|code| code.slug() == slug)?),
            },
            message,
            tokens,
            found: found?,
            conditions: conditions.filter(|one| *one != "-").collect(),
            help: columns.collect(),
        })
    }

    /// The diagnostic for a failure, if it matches.
    pub(super) fn diagnostic(&self, failure: &Failure) -> Option<Diagnostic> {
        let start = failure.at.checked_sub(self.found)?;
        let matches = |(place, matcher): (usize, &Matcher)| matcher.matches(failure, start + place);
        if !self.tokens.iter().enumerate().all(matches)
            || !self.conditions.iter().all(|one| holds(failure, one))
        {
            return None;
        }
        let marked = |place: &usize| self.tokens.get(*place).is_some_and(|token| token.marked);
        let mut marked = (0..self.tokens.len()).filter(marked);
        let first = marked.next().unwrap_or(self.found);
        let last = marked.next_back().unwrap_or(first);
        let span_of = |place| {
            if place == self.found {
                failure.span()
            } else {
                failure.lexed.span(start + place)
            }
        };
        let span = span_of(first).to(span_of(last));
        let diagnostic = match self.code {
            Some(code) => Diagnostic::error(code, span, fill(failure, span, self.message)),
            None => failure.plain(),
        };
        let help = self.help.iter();
        Some(help.fold(diagnostic, |diagnostic, help| {
            let Some(edit) = help.strip_prefix('!') else {
                return diagnostic.help(fill(failure, span, help));
            };
            let help = fill(failure, span, edit);
            let text = help.split('`').nth(1).unwrap_or("");
            let text = apart(failure, (start + first, start + last), text);
            diagnostic.help(help).edit(span, text, true)
        }))
    }
}

/// A text that replaces the tokens from `first` to `last`, with a blank where it and a neighbour would become one word.
fn apart(failure: &Failure, (first, last): (usize, usize), text: &str) -> String {
    let lexed = failure.lexed;
    let is_word = |index| matches!(lexed.kind(index), Some(TokenKind::Word | TokenKind::Number));
    let joins = |end: Option<char>| end.is_some_and(|end| end.is_alphanumeric() || end == '_');
    let before = |first: &usize| is_word(*first) && lexed.touch(*first, first + 1);
    let before = first.checked_sub(1).as_ref().is_some_and(before) && joins(text.chars().next());
    let after = is_word(last + 1) && lexed.touch(last, last + 1) && joins(text.chars().last());
    let blank = |is_needed| if is_needed { " " } else { "" };
    format!("{}{text}{}", blank(before), blank(after))
}

impl Matcher {
    fn matches(&self, failure: &Failure, index: usize) -> bool {
        let touches = || {
            index
                .checked_sub(1)
                .is_some_and(|left| failure.lexed.touch(left, index))
        };
        let mut alternatives = self.alternatives.split('¦');
        alternatives.any(|one| is_token(failure, index, one)) && (!self.touches || touches())
    }
}

/// Whether a token matches `wanted`.
fn is_token(failure: &Failure, index: usize, wanted: &str) -> bool {
    let word = failure.word(index);
    let kind = failure.lexed.kind(index).filter(|_| !word.is_empty());
    match wanted {
        "" | "ANY" => true,
        "SOME" => !word.is_empty(),
        "END" => word.is_empty(),
        "WORD" => kind == Some(TokenKind::Word),
        "NUMBER" => kind == Some(TokenKind::Number),
        "TEXT" => word.starts_with(['"', '\'']),
        "APOSTROPHE" => word.starts_with('\''),
        "STRAY" => kind == Some(TokenKind::Stray),
        "BLANK" => matches!(word, "\u{a0}" | "\u{2009}" | "\u{202f}" | "\u{200b}"),
        "UPPER" => word.starts_with(|first: char| first.is_ascii_uppercase()),
        "LETTER" => word.starts_with(char::is_alphabetic),
        _ => word == wanted,
    }
}

/// Whether a condition holds.
fn holds(failure: &Failure, condition: &str) -> bool {
    if let Some(contrary) = condition.strip_prefix('!') {
        return !holds(failure, contrary);
    }
    let (lexed, start) = (failure.lexed, failure.stretch.start);
    if let Some((what, values)) = condition.split_once('=') {
        let value = match what {
            "item" => failure.word(start),
            "third" => failure.word(start + 2),
            "entry" => return format!("{:?}", failure.entry) == values,
            // Whether this word is in the row.
            _ => return failure.row_words().any(|word| word == values),
        };
        return values.split('|').any(|one| one == value);
    }
    match condition {
        "after-value" => failure.after_expression(),
        "wants-value" => failure.wants_expression(),
        "wants-arrow" => failure.wants_arrow(),
        "in-row" => failure.row().is_some(),
        // Between `by` and the first row of its table.
        "in-by-header" => {
            let before = (start..failure.at).rev();
            let mut before = before.map(|index| failure.word(index));
            before.find(|word| matches!(*word, "by" | "|")) == Some("by")
        }
        // A word of the language, but for its capital letters.
        "upper-case" => is_reserved(&failure.found().to_ascii_lowercase()),
        // The same as before it.
        "twice" => failure.found() == failure.before(1),
        "counted" => failure.columns().is_some(),
        "in-bracket" => failure.innermost_bracket().is_some(),
        // The first on its line.
        "first" => lexed.first(failure.at),
        // The first of the stretch.
        "start" => failure.at == start,
        "begins" => lexed.first(failure.at) || failure.at == start,
        "third" => failure.at == start + 2,
        // The last on the line or in the row.
        "ends" => {
            let next = failure.at + 1;
            let word = failure.word(next);
            next >= failure.stretch.end || lexed.first(next) || matches!(word, "|" | "}")
        }
        // A declaration with a type that is not `yes/no`.
        "typed" => failure.word(start + 2) == ":" && failure.word(start + 3) != "yes",
        // In the `given` of an example.
        "in-given" => {
            let before = (start..failure.at).map(|index| failure.word(index));
            failure.word(start) == "example"
                && !before.into_iter().any(|it| it == "expect" || it == "when")
        }
        // After `best` in the stretch.
        "in-best" => (start..failure.at).any(|index| failure.word(index) == "best"),
        // Before three digits.
        "thousands" => failure.word(failure.at + 1).len() == 3,
        // After `seen by`.
        "seen" => (start..failure.at).any(|index| failure.word(index) == "seen"),
        // The word before appears nowhere else in the file, as a declared name would, except as the name of a row.
        "unused" => {
            let is_label = |index: usize| index > 0 && lexed.word(index - 1) == "|";
            let all = (0..lexed.tokens.len()).filter(|index| !is_label(*index));
            let all = all.map(|index| lexed.word(index));
            all.filter(|word| *word == failure.before(1)).count() == 1
        }
        // The word before is applied to something elsewhere.
        "applied" => failure.takes_one(failure.before(1)),
        rules => rules.split('|').any(|rule| failure.expects_named(rule)),
    }
}

/// A message or help with its placeholders filled in.
fn fill(failure: &Failure, marked: Span, template: &str) -> String {
    let mut parts = template.split('$');
    let mut filled = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let length = part.find(|next: char| !next.is_ascii_alphabetic());
        let (name, rest) = part.split_at(length.unwrap_or(part.len()));
        filled.push_str(&value_of(failure, marked, name));
        filled.push_str(rest);
    }
    filled
}

/// The value of a placeholder.
fn value_of(failure: &Failure, marked: Span, name: &str) -> String {
    let (lexed, start, found) = (failure.lexed, failure.stretch.start, failure.found());
    let written = |span: Span| lexed.text.get(span.range()).unwrap_or("");
    match name {
        "next" => failure.word(failure.at + 1),
        "after" => failure.word(failure.at + 2),
        "later" => failure.word(failure.at + 3),
        "before" => failure.before(1),
        "back" => failure.before(2),
        "item" => failure.word(start),
        "name" => failure.word(start + 1),
        "marked" => written(marked),
        // Everything before the first `=`.
        "equation" => {
            let end = (start..failure.at).find(|index| failure.word(*index) == "=");
            let last = end.unwrap_or(failure.at).saturating_sub(1).max(start);
            written(lexed.span(start).to(lexed.span(last)))
        }
        // A declaration up to `seen by`, or from there on.
        "unseen" | "seen" => {
            let at = (start..failure.at).find(|index| failure.word(*index) == "seen");
            let at = at.unwrap_or(failure.at);
            let (first, last) = if name == "seen" {
                (at, failure.at)
            } else {
                (start, at)
            };
            lexed.written(first, last.saturating_sub(1).max(first))
        }
        // The target of a change, as far as it was parsed.
        "target" => {
            let last = failure.at.saturating_sub(1).max(start + 1);
            let target = written(lexed.span(start + 1).to(lexed.span(last)));
            target.trim_end_matches('.')
        }
        // The target of a change with a type, up to the `:`.
        "path" => {
            let end = (start..failure.at).find(|index| failure.word(*index) == ":");
            let last = end.unwrap_or(failure.at).saturating_sub(1).max(start + 1);
            lexed.written(start + 1, last)
        }
        // The game in the header of a variant.
        "game" => {
            let at = |words: &[&str]| {
                (start..failure.at).find(|index| words.contains(&failure.word(*index)))
            };
            let first = at(&["of"]).map_or(start, |index| index + 1);
            let last = at(&["with", "without"]).unwrap_or(failure.at);
            lexed.written(first, last.saturating_sub(1).max(first))
        }
        // The row that is named next, unless the target includes it.
        "row" => {
            let last = failure.at.saturating_sub(1).max(start + 1);
            let target = lexed.written(start + 1, last);
            let target = target.trim_end_matches([':', ' ']);
            let label = failure.word(failure.at + 1);
            return match target.rsplit_once('.') {
                Some((_, named)) if named == label => target.to_owned(),
                _ => format!("{target}.{label}"),
            };
        }
        // A cell of a row, or all cells if it is the only one.
        "cells" => {
            let at = lexed.index_at(marked.range().start);
            let (before, after) = (at.checked_sub(1), failure.word(at + 1));
            let only = before.is_some_and(|before| failure.word(before) != ",") && after == "=>";
            let columns = failure.columns().filter(|_| only).unwrap_or(1);
            return vec!["any"; columns].join(", ");
        }
        "rest" => written(marked.to(lexed.span(failure.stretch.end - 1))),
        "character" => return found.chars().take(1).flat_map(char::escape_debug).collect(),
        // A valid file name.
        "small" => return found.to_ascii_lowercase().replace('_', "-"),
        // A name for a parameter of the type after it or before it.
        "letter" | "initial" => {
            let place = if name == "initial" {
                failure.before(1)
            } else {
                failure.word(failure.at + 1)
            };
            let first = place.chars().next();
            let first = first.map(|first| first.to_ascii_lowercase());
            return first.filter(char::is_ascii_lowercase).unwrap_or('x').into();
        }
        // The clause of a row that begins with the word at fault.
        "condition" => match found {
            "for" => "value for x in s",
            "unless" => "value unless c",
            "says" => "value says \"…\"",
            _ => "value when c",
        },
        _ => found,
    }
    .to_owned()
}
