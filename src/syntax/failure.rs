//! A place where reading failed: what is there, what could have been, and what stands before it.

use std::collections::BTreeSet;
use std::ops::Range;

use pest::Parser as _;

use super::grammar::{Grammar, Rule};
use super::page::Page;
use super::tokens::{CLAUSE, ITEM, OPERATOR, human};
use crate::diagnostic::{Code, Diagnostic, listed};
use crate::source::Span;

/// The rules that an operand begins with.
const ATOMS: &[Rule] = &[
    Rule::call,
    Rule::name,
    Rule::number,
    Rule::text,
    Rule::group,
    Rule::open_paren,
    Rule::set,
    Rule::open_brace,
    Rule::pile,
    Rule::open_bracket,
    Rule::tensed,
    Rule::quantified,
    Rule::beside,
    Rule::extreme,
    Rule::best,
    Rule::kw_best,
    Rule::kw_yes,
    Rule::kw_no,
    Rule::kw_none,
    Rule::kw_empty,
    Rule::kw_the,
    Rule::kw_not,
    Rule::negation,
];

/// A stretch of tokens that cannot be read, and where that showed.
pub(super) struct Failure<'t> {
    /// The whole text.
    pub(super) page: Page<'t>,
    /// The tokens that were read.
    pub(super) stretch: Range<usize>,
    /// The token at which no rule went on; the stretch's end if it is too short.
    pub(super) at: usize,
    /// The byte at which no rule went on; within the token if that is a text.
    pub(super) offset: usize,
    /// What the stretch was read as.
    pub(super) entry: Rule,
    /// What could have stood there.
    pub(super) expected: &'t [Rule],
}

impl<'t> Failure<'t> {
    /// Reading the tokens `stretch` as `entry` failed at byte `offset`, where `expected` could have stood.
    pub(super) fn new(
        page: Page<'t>,
        stretch: Range<usize>,
        offset: usize,
        entry: Rule,
        expected: &'t [Rule],
    ) -> Failure<'t> {
        let at = page.tokens.partition_point(|token| token.end <= offset);
        Failure {
            page,
            at: at.clamp(stretch.start, stretch.end),
            stretch,
            offset,
            entry,
            expected,
        }
    }

    /// The word at which reading failed; empty at the end of the stretch.
    pub(super) fn found(&self) -> &'t str {
        self.word(self.at)
    }

    /// A word of the stretch; empty outside it.
    pub(super) fn word(&self, index: usize) -> &'t str {
        if self.stretch.contains(&index) {
            self.page.word(index)
        } else {
            ""
        }
    }

    /// The word `back` words before the one at which reading failed.
    pub(super) fn before(&self, back: usize) -> &'t str {
        self.at
            .checked_sub(back)
            .map_or("", |index| self.word(index))
    }

    /// Where reading failed; after the last word if the stretch is too short.
    pub(super) fn span(&self) -> Span {
        if self.at < self.stretch.end {
            self.page.span(self.at)
        } else {
            let last = self.stretch.end.saturating_sub(1);
            let last = self.page.span(last.max(self.stretch.start)).tail();
            // An empty hole has no word at all.
            if self.stretch.is_empty() {
                Span::new(self.page.source, self.offset..self.offset)
            } else {
                last
            }
        }
    }

    /// Whether `rule` could have stood there.
    pub(super) fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Whether an operator could have stood there, because an expression stands before it.
    pub(super) fn after_expression(&self) -> bool {
        [Rule::kw_or, Rule::adding, Rule::multiplying]
            .iter()
            .any(|rule| self.expects(*rule))
    }

    /// Whether the value of a `by` row could have followed, after its arrow.
    pub(super) fn wants_arrow(&self) -> bool {
        let in_row = self.expects(Rule::kw_when) || self.expects(Rule::when_clause);
        self.expects(Rule::fat_arrow) && !in_row
    }

    /// Whether an expression could have stood there.
    pub(super) fn wants_expression(&self) -> bool {
        const WHOLE: &[Rule] = &[
            Rule::expr,
            Rule::value,
            Rule::product,
            Rule::operand,
            Rule::definition,
        ];
        WHOLE.iter().any(|rule| self.expects(*rule)) || self.wants_atom()
    }

    /// Whether each of the things that an operand begins with could have stood there.
    fn wants_atom(&self) -> bool {
        let bracket = self.expects(Rule::pile) || self.expects(Rule::open_bracket);
        self.expects(Rule::number) && self.expects(Rule::kw_empty) && bracket
    }

    /// Where in the stretch the row begins in which reading failed: its bar, if it is in one.
    pub(super) fn row(&self) -> Option<usize> {
        let mut depth = 0_usize;
        for index in (self.stretch.start..self.at).rev() {
            match self.word(index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth = depth.saturating_sub(1),
                "|" if depth == 0 => return Some(index),
                _ => {}
            }
        }
        None
    }

    /// The tokens of the present row before the place where reading failed.
    pub(super) fn row_words(&self) -> impl Iterator<Item = &'t str> {
        let start = self.row().unwrap_or(self.stretch.start);
        (start..self.at).map(|index| self.word(index))
    }

    /// What could have stood there, in the words of the language.
    fn expectations(&self) -> Vec<String> {
        let mut words: BTreeSet<&str> = self
            .expected
            .iter()
            .filter_map(|rule| human(*rule))
            .collect();
        if self.at == self.stretch.end {
            // Nobody expects the end where the end is found.
            words.remove("the end");
        }
        if words.contains(OPERATOR) {
            // After a name an argument may follow, but it is rarely what is meant.
            words.remove("`(`");
            words.remove("`of`");
            // Neither is the next clause, if there is one.
            words.remove("`new`");
        }
        if !self.after_expression() && self.expects(Rule::range) {
            // In a type.
            words.remove(OPERATOR);
            words.insert("`..`");
        }
        if self.wants_atom() {
            let of_atom = |rule: &&Rule| !ATOMS.contains(rule);
            words = self
                .expected
                .iter()
                .filter(of_atom)
                .filter_map(|rule| human(*rule))
                .collect();
            words.insert("a value");
        }
        if words.len() > 1 {
            words.remove(ITEM);
            words.remove(CLAUSE);
            words.remove("the end");
        }
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        // Phrases before marks.
        words.sort_by_key(|word| word.starts_with('`'));
        words
    }

    /// What is said where no slip is recognised.
    pub(super) fn plain(&self) -> Diagnostic {
        let expectations = self.expectations();
        let found = self.described();
        let message = match expectations.as_slice() {
            [] => format!("{found} cannot stand here"),
            _ => format!("expected {}, found {found}", listed(&expectations, "or")),
        };
        let diagnostic = Diagnostic::error(Code::Syntax, self.span(), message);
        let (left, right) = (self.before(1), self.found());
        let are_names = self.at > self.stretch.start && is_name(left) && is_name(right);
        if right == "at" && self.after_expression() {
            return diagnostic.help("a map with another entry is `m but v at k`");
        }
        if are_names && self.after_expression() && !self.page.first(self.at) {
            return diagnostic.help(format!(
                "to apply `{left}` to `{right}`, write `{left} of {right}`"
            ));
        }
        if right == "not" && self.after_expression() {
            return diagnostic.help("write `is not`, or `not in` for a collection");
        }
        let words: Vec<&str> = expectations
            .iter()
            .filter_map(|word| word.strip_prefix('`')?.strip_suffix('`'))
            .collect();
        diagnostic.did_you_mean(right, words)
    }

    /// What was found, for a message.
    pub(super) fn described(&self) -> String {
        let word = self.found();
        if !word.is_empty() {
            return if word.starts_with(['"', '\'']) {
                "a text".to_owned()
            } else {
                format!("`{word}`")
            };
        }
        if self.entry == Rule::hole {
            "the end of the hole".to_owned()
        } else if self.entry == Rule::expr_alone {
            "the end of the line".to_owned()
        } else if self.stretch.end >= self.page.tokens.len() {
            "the end of the file".to_owned()
        } else if self.entry == Rule::clauses_alone {
            "the end of the clause".to_owned()
        } else {
            "the end of the item".to_owned()
        }
    }
}

/// Whether `word` is a name or could be one.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_reserved(word)
}

/// Whether `word` is a word of the language and cannot be a name.
pub(super) fn is_reserved(word: &str) -> bool {
    let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word && Grammar::parse(Rule::name, word).is_err()
}
