//! Common mistakes of syntax, each with its own message: what is wrong and what to write instead.
//!
//! A mistake is recognised by the token at fault, the tokens before it, and what was expected. Most are lines of
//! `mistakes/table.txt`; the others are functions that the table names.

mod brackets;
mod file;
mod names;
mod refused;
mod rows;
mod table;
mod texts;
mod words;

pub(super) use file::{
    clause_outside_section, late_header, missing_brace, missing_header, second_header,
    surplus_brace, unclosed_brace,
};
pub(super) use refused::{
    beside_arguments, chained_comparison, chained_range, filter_without_binding, large_file,
    large_number, many_places, not_whole, text_over_lines, too_deep,
};

use super::failure::Failure;
use crate::diagnostic::Diagnostic;
use table::{Entry, TABLE};

/// The message for a failure that is a known mistake.
pub(super) fn recognise(failure: &Failure) -> Option<Diagnostic> {
    TABLE.iter().find_map(|entry| match entry {
        Entry::Case(case) => case.diagnostic(failure),
        Entry::Function(function) => function(failure),
    })
}
