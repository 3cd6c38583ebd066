//! Parse failures: the token at fault, the rules that were expected there, and the tokens before it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::grammar::{self, Rule};
use super::lexer::Lexed;
use super::names::{CLAUSE, ITEM, OPERATOR, message_name};
use crate::diagnostic::{Code, Diagnostic, listed};
use crate::source::Span;

/// The rules that can begin an operand.
const ATOMS: &str = "call name number text group open_paren set open_brace pile open_bracket tensed \
                     quantified beside extreme best kw_best kw_sorted kw_yes kw_no kw_none kw_empty kw_the kw_not negation";

/// A range of tokens that does not parse, and the place of the failure.
pub(super) struct Failure<'t> {
    /// The whole text.
    pub(super) lexed: Lexed<'t>,
    /// The tokens that were parsed.
    pub(super) stretch: Range<usize>,
    /// The token at fault; the end of the stretch if it is too short.
    pub(super) at: usize,
    /// The byte at fault; within the token if that is a text.
    pub(super) offset: usize,
    /// The rule by which the stretch was parsed.
    pub(super) entry: Rule,
    /// The rules that were expected.
    expected: &'t [Rule],
}

impl<'t> Failure<'t> {
    /// A failure to parse the tokens `stretch` as `entry`, at byte `offset`, where `expected` would have been possible.
    pub(super) fn new(
        lexed: Lexed<'t>,
        stretch: Range<usize>,
        offset: usize,
        entry: Rule,
        expected: &'t [Rule],
    ) -> Failure<'t> {
        Failure {
            lexed,
            at: lexed.index_at(offset).clamp(stretch.start, stretch.end),
            stretch,
            offset,
            entry,
            expected,
        }
    }

    /// The word at fault; empty at the end of the stretch.
    pub(super) fn found(&self) -> &'t str {
        self.word(self.at)
    }

    /// A word of the stretch; empty outside it.
    pub(super) fn word(&self, index: usize) -> &'t str {
        if self.stretch.contains(&index) {
            self.lexed.word(index)
        } else {
            ""
        }
    }

    /// The word `back` words before the one at fault.
    pub(super) fn before(&self, back: usize) -> &'t str {
        let index = self.at.checked_sub(back);
        index.map_or("", |index| self.word(index))
    }

    /// The place of the failure; after the last word if the stretch is too short.
    pub(super) fn span(&self) -> Span {
        if self.at < self.stretch.end {
            self.lexed.span(self.at)
        } else if self.stretch.is_empty() {
            // An empty hole has no word at all.
            Span::new(self.lexed.source, self.offset..self.offset)
        } else {
            self.lexed.span(self.stretch.end - 1).tail()
        }
    }

    /// Whether `rule` was expected.
    pub(super) fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Whether one of these rules was expected.
    pub(super) fn expects_any(&self, rules: &[Rule]) -> bool {
        rules.iter().any(|rule| self.expects(*rule))
    }

    /// Whether the rule of this name was expected.
    pub(super) fn expects_named(&self, name: &str) -> bool {
        self.expected.iter().any(|rule| format!("{rule:?}") == name)
    }

    /// Whether an operator was expected, because an expression precedes.
    pub(super) fn after_expression(&self) -> bool {
        self.expects_any(&[Rule::kw_or, Rule::defaulting, Rule::rounding])
    }

    /// Whether the arrow and value of a `by` row were expected.
    pub(super) fn wants_arrow(&self) -> bool {
        self.expects(Rule::fat_arrow) && !self.expects_any(&[Rule::kw_when, Rule::when_clause])
    }

    /// Whether an expression was expected.
    pub(super) fn wants_expression(&self) -> bool {
        let whole = [Rule::expr, Rule::value, Rule::product, Rule::operand];
        self.expects_any(&whole) || self.expects(Rule::definition) || self.wants_atom()
    }

    /// Whether every beginning of an operand was expected.
    fn wants_atom(&self) -> bool {
        self.expects(Rule::number)
            && self.expects(Rule::kw_empty)
            && self.expects_any(&[Rule::pile, Rule::open_bracket])
    }

    /// The innermost open bracket.
    pub(super) fn innermost_bracket(&self) -> Option<usize> {
        let mut open = Vec::new();
        for index in self.stretch.start..self.at {
            match self.word(index) {
                "(" | "[" | "{" => open.push(index),
                ")" | "]" | "}" => drop(open.pop()),
                _ => {}
            }
        }
        open.last().copied()
    }

    /// 1 for a bracket that opens, -1 for one that closes, 0 for other tokens.
    pub(super) fn bracket(&self, index: usize) -> isize {
        match self.word(index) {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        }
    }

    /// The bar of the row at fault, if it is in one.
    pub(super) fn row(&self) -> Option<usize> {
        let mut depth = 0_usize;
        (self.stretch.start..self.at).rev().find(|index| {
            match self.word(*index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && self.word(*index) == "|"
        })
    }

    /// The end of the row at fault: the next bar, or the end of the stretch.
    pub(super) fn row_end(&self) -> usize {
        (self.at..self.stretch.end)
            .find(|index| self.word(*index) == "|")
            .unwrap_or(self.stretch.end)
    }

    /// The number of columns of the `by` table at fault, if it is known.
    pub(super) fn columns(&self) -> Option<usize> {
        let by = (self.stretch.start..self.at)
            .rev()
            .find(|index| self.word(*index) == "by")?;
        let mut depth = 0_usize;
        let mut columns = 1;
        for index in by..self.at {
            match self.word(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "," if depth == 0 => columns += 1,
                "|" if depth == 0 => break,
                _ => {}
            }
        }
        Some(columns)
    }

    /// The tokens of the row before the one at fault.
    pub(super) fn row_words(&self) -> impl Iterator<Item = &'t str> {
        let start = self.row().unwrap_or(self.stretch.start);
        (start..self.at).map(|index| self.word(index))
    }

    /// What was expected, in the words of the language.
    fn expectations(&self) -> Vec<String> {
        let called = |rules: &mut dyn Iterator<Item = &Rule>| -> BTreeSet<String> {
            rules.filter_map(|rule| message_name(*rule)).collect()
        };
        let mut words = called(&mut self.expected.iter());
        if self.at == self.stretch.end {
            // At the end of the text, more of it is expected.
            words.remove("the end");
        }
        if words.contains(OPERATOR) {
            // A name may be followed by an argument, and a row by the next clause, but these are rarely intended.
            words.retain(|word| !matches!(word.as_str(), "`(`" | "`of`" | "`new`"));
        }
        // In a type.
        if !self.after_expression() && words.remove(OPERATOR) && self.expects(Rule::range) {
            words.insert("`..`".to_owned());
        }
        if self.wants_atom() {
            let begins = |rule: &&Rule| ATOMS.split(' ').any(|atom| format!("{rule:?}") == atom);
            words = called(&mut self.expected.iter().filter(|rule| !begins(rule)));
            words.insert("a value".to_owned());
        }
        if words.len() > 1 {
            words.retain(|word| !matches!(word.as_str(), ITEM | CLAUSE | "the end" | "`cites`"));
        }
        let mut words: Vec<String> = words.into_iter().collect();
        // Phrases before words and marks of the language.
        words.sort_by_key(|word| word.starts_with('`'));
        words
    }

    /// The message for an unknown mistake.
    pub(super) fn plain(&self) -> Diagnostic {
        let expectations = self.expectations();
        let found = self.described();
        let message = match expectations.as_slice() {
            [] => format!("unexpected {found}"),
            _ => format!("expected {}, found {found}", listed(&expectations, "or")),
        };
        let diagnostic = Diagnostic::error(Code::Syntax, self.span(), message);
        let (left, right) = (self.before(1), self.found());
        if self.after_expression() {
            let is_operand = |word: &str| is_word(word) && !is_reserved(word);
            let help = match right {
                "at" => Some("to change an entry of a map, write `m but v at k`".to_owned()),
                _ if is_operand(left) && is_operand(right) && !self.lexed.first(self.at) => {
                    return self.beside(diagnostic, left, right);
                }
                "not" => Some("write `is not`, or `not in` for a collection".to_owned()),
                _ => None,
            };
            if let Some(help) = help {
                return diagnostic.help(help);
            }
        }
        let words = expectations.iter();
        let words = words.filter_map(|word| word.strip_prefix('`')?.strip_suffix('`'));
        diagnostic.did_you_mean(right, words)
    }

    /// Whether a name is a built-in that is applied to something, or stands somewhere as if it were applied or declared.
    pub(super) fn takes_one(&self, name: &str) -> bool {
        let word = |index: usize| self.lexed.word(index);
        let is_label = |index: usize| index > 0 && word(index - 1) == "|";
        let is_applied = |index: usize| {
            word(index) == name && !is_label(index) && matches!(word(index + 1), "(" | "of" | ":")
        };
        crate::builtins::is_applied(name) || (0..self.lexed.tokens.len()).any(is_applied)
    }

    /// Two names in a row: the first may be a misspelt word of the language, or meant to be applied to the second.
    fn beside(&self, diagnostic: Diagnostic, left: &str, right: &str) -> Diagnostic {
        const PREFIXES: [&str; 8] = [
            "after", "before", "highest", "lowest", "not", "new", "the", "sorted",
        ];
        let places = 0..self.lexed.tokens.len();
        let word = |index: usize| self.lexed.word(index);
        let elsewhere = |wanted: &str, at: usize| {
            (places.clone()).any(|index| word(index) == wanted && index != at)
        };
        if self.takes_one(left) {
            let help = format!("to apply `{left}` to `{right}`, write `{left} of {right}`");
            return diagnostic.help(help);
        }
        if elsewhere(left, self.at.saturating_sub(1)) && left != "has" {
            return diagnostic;
        }
        let span = self.lexed.span(self.at.saturating_sub(1));
        let unknown = format!("nothing here is called `{left}`");
        let unknown = Diagnostic::error(Code::Syntax, span, unknown);
        let near = unknown.did_you_mean(left, PREFIXES);
        if near.help.is_empty() {
            diagnostic
        } else {
            near
        }
    }

    /// The token at fault, for a message.
    fn described(&self) -> String {
        let whole = match self.found() {
            "" if self.entry == Rule::hole => "the end of the hole",
            "" if self.entry == Rule::expr_alone => "the end of the line",
            "" if self.stretch.end >= self.lexed.tokens.len() => "the end of the file",
            "" if self.entry == Rule::clauses_alone => "the end of the clause",
            "" => "the end of the item",
            word if word.starts_with(['"', '\'']) => "a text",
            word => return format!("`{word}`"),
        };
        whole.to_owned()
    }
}

/// Whether `word` starts like a name.
fn is_word(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Whether `word` is a word of the language that cannot be a name.
pub(super) fn is_reserved(word: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    is_word(word) && word.bytes().all(is_letter) && grammar::parse(Rule::name, word).is_err()
}
