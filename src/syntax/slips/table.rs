//! The table of slips: what was written, and the message for it. `table.txt` explains its form.

use std::sync::LazyLock;

use super::{brackets, file, names, rows, texts, words};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::failure::Failure;
use crate::syntax::lexer::TokenKind;

/// Looks for a slip.
type Find = fn(&Failure) -> Option<Diagnostic>;

/// The functions that the table names.
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

/// The entries of `table.txt`, in its order.
pub(super) static TABLE: LazyLock<Vec<Entry>> =
    LazyLock::new(|| read(include_str!("table.txt")).flatten().collect());

/// An entry of the table.
pub(super) enum Entry {
    /// A line with tokens.
    Case(Case),
    /// A function that looks for a slip.
    Function(Find),
}

/// Tokens, conditions, and the message where they fit.
pub(super) struct Case {
    /// Of a `plain` one there is none.
    code: Option<Code>,
    message: &'static str,
    tokens: Vec<Matcher>,
    /// Which of the tokens is the one at which reading failed.
    found: usize,
    conditions: Vec<&'static str>,
    help: Vec<&'static str>,
}

/// What a token of a case may be.
struct Matcher {
    alternatives: &'static str,
    touches: bool,
    marked: bool,
}

/// Reads the table; a line that cannot be read gives nothing.
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
                // Alone these are tokens themselves.
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

    /// The diagnostic of a failure that the case fits.
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
            let text = help.split('`').nth(1).unwrap_or("").to_owned();
            diagnostic.help(help).edit(span, text, true)
        }))
    }
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

/// Whether a token is what the table calls `wanted`.
fn is_token(failure: &Failure, index: usize, wanted: &str) -> bool {
    let word = failure.word(index);
    let kind = failure.lexed.kind(index);
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

/// Whether a condition of the table holds.
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
            // Whether the word stands in the row.
            _ => return failure.row_words().any(|word| word == values),
        };
        return values.split('|').any(|one| one == value);
    }
    match condition {
        "after-value" => failure.after_expression(),
        "wants-value" => failure.wants_expression(),
        "wants-arrow" => failure.wants_arrow(),
        "in-row" => failure.row().is_some(),
        "counted" => failure.columns().is_some(),
        "in-bracket" => failure.innermost_bracket().is_some(),
        // On its line.
        "first" => lexed.first(failure.at),
        // Of what is read.
        "start" => failure.at == start,
        "begins" => lexed.first(failure.at) || failure.at == start,
        "third" => failure.at == start + 2,
        // Nothing else stands on the line or in the row.
        "ends" => {
            let next = failure.at + 1;
            let word = failure.word(next);
            next >= failure.stretch.end || lexed.first(next) || matches!(word, "|" | "}")
        }
        // What is declared has a type, which is not `yes/no`.
        "typed" => failure.word(start + 2) == ":" && failure.word(start + 3) != "yes",
        // In what an example takes as given.
        "in-given" => {
            let before = (start..failure.at).map(|index| failure.word(index));
            failure.word(start) == "example"
                && !before.into_iter().any(|it| it == "expect" || it == "when")
        }
        // Behind `best` in what is read.
        "in-best" => (start..failure.at).any(|index| failure.word(index) == "best"),
        // Three digits follow.
        "thousands" => failure.word(failure.at + 1).len() == 3,
        // What stands before it ends with who sees that.
        "seen" => (start..failure.at).any(|index| failure.word(index) == "seen"),
        // The word before stands nowhere else in the file, as the name of something would, except as that of a row.
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

/// A message or help with what stands in the text.
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

/// What a name stands for in a message.
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
        // What stands before the first `=`.
        "equation" => {
            let end = (start..failure.at).find(|index| failure.word(*index) == "=");
            let last = end.unwrap_or(failure.at).saturating_sub(1).max(start);
            written(lexed.span(start).to(lexed.span(last)))
        }
        // A declaration up to who sees it, and from there on.
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
        // What a change is about, as far as it was read.
        "target" => {
            let last = failure.at.saturating_sub(1).max(start + 1);
            written(lexed.span(start + 1).to(lexed.span(last)))
        }
        // The row of it that is named next, which the target may name already.
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
        // A cell of a row, or all of them if it is the only one.
        "cells" => {
            let at = lexed.index_at(marked.range().start);
            let (before, after) = (at.checked_sub(1), failure.word(at + 1));
            let only = before.is_some_and(|before| failure.word(before) != ",") && after == "=>";
            let columns = failure.columns().filter(|_| only).unwrap_or(1);
            return vec!["any"; columns].join(", ");
        }
        "rest" => written(marked.to(lexed.span(failure.stretch.end - 1))),
        "character" => return found.chars().take(1).flat_map(char::escape_debug).collect(),
        // As the name of a file.
        "small" => return found.to_ascii_lowercase().replace('_', "-"),
        // A name for a parameter of the type that follows, or stands before.
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
        // A row's clause that begins with the word found.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Entry, TABLE, read};
    use crate::syntax::grammar::Rule;

    #[test]
    fn every_line_of_the_table_can_be_read() {
        let mut all = read(include_str!("table.txt"));
        assert!(all.all(|entry| entry.is_some()));
        let rules: BTreeSet<String> = Rule::all_rules()
            .iter()
            .map(|rule| format!("{rule:?}"))
            .collect();
        for entry in TABLE.iter() {
            let Entry::Case(case) = entry else { continue };
            assert!(!case.help.is_empty(), "{}", case.message);
            for condition in &case.conditions {
                let condition = condition.trim_start_matches('!');
                let is_named = condition.contains(['=', '-'])
                    || [
                        "first",
                        "start",
                        "begins",
                        "third",
                        "ends",
                        "typed",
                        "unused",
                        "applied",
                        "counted",
                        "seen",
                        "thousands",
                    ]
                    .contains(&condition);
                assert!(
                    is_named || condition.split('|').all(|rule| rules.contains(rule)),
                    "{condition}"
                );
            }
        }
    }
}
