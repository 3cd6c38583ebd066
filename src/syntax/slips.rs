//! Slips that people make, and what they are told: what is wrong and what to write instead.
//!
//! A slip is recognised by what stands where reading failed, what stands before it, and what could have
//! stood there. Most are lines of `slips/table.txt`; the others are functions, which the table names.

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
    large_number, text_over_lines, too_deep,
};

use super::failure::Failure;
use crate::diagnostic::Diagnostic;
use table::{Entry, TABLE};

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
    ("clause_order", rows::clause_order),
    ("reserved_word", names::reserved_word),
    ("wrong_bracket", brackets::wrong_bracket),
    ("unclosed_bracket", brackets::unclosed_bracket),
    ("several_in_parentheses", brackets::several_in_parentheses),
    ("missing_bar", rows::missing_bar),
    ("row_without_name", rows::row_without_name),
    ("unknown_item", file::unknown_item),
];

/// What is said of a failure that is a known slip.
pub(super) fn recognise(failure: &Failure) -> Option<Diagnostic> {
    TABLE.iter().find_map(|entry| match entry {
        Entry::Case(case) => case.said(failure),
        Entry::Function(function) => function(failure),
    })
}
