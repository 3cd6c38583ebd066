//! Slips that people make, and what they are told: what is wrong and what to write instead.
//!
//! A slip is recognised by what stands where reading failed, what stands before it, and what could have
//! stood there.

mod beyond;
mod brackets;
mod file;
mod names;
mod rows;
mod signs;
mod texts;
mod words;

pub(super) use beyond::{
    beside_arguments, chained_comparison, chained_range, filter_without_binding, large_file,
    large_number, text_over_lines, too_deep,
};
pub(super) use file::{
    clause_outside_section, late_header, missing_brace, missing_header, second_header,
    surplus_brace, unclosed_brace,
};

use super::failure::Failure;
use crate::diagnostic::Diagnostic;

/// What the slips are recognised by, the more certain first.
const SLIPS: &[fn(&Failure) -> Option<Diagnostic>] = &[
    signs::foreign_comment,
    texts::foreign_quotes,
    texts::apostrophe,
    texts::unclosed_text,
    texts::inside_text,
    names::foreign_letter,
    names::stray_character,
    names::number_and_letters,
    signs::double_dash,
    signs::dot,
    words::no_if,
    words::foreign_word,
    file::assignment,
    file::event_body,
    file::section_head,
    file::file_name,
    names::dash_in_name,
    names::missing_type,
    names::foreign_type,
    names::ring_of_range,
    names::item_of,
    names::bound_expression,
    names::missing_value,
    words::is_in,
    words::foreign_phrase,
    rows::cell_else,
    rows::cell_with_or,
    rows::by_row_sign,
    rows::by_row_colon,
    rows::missing_of,
    rows::clause_order,
    rows::where_for_when,
    rows::when_for_where,
    rows::condition_outside_row,
    words::reserved_word,
    brackets::empty_brackets,
    brackets::wrong_bracket,
    brackets::unclosed_bracket,
    brackets::several_in_parentheses,
    signs::stray_separator,
    signs::foreign_sign,
    rows::stray_row,
    rows::table_inside,
    rows::new_entry,
    rows::missing_bar,
    rows::row_without_name,
    signs::equals_for_is,
    signs::index,
    file::unknown_item,
];

/// What is said of a failure that is a known slip.
pub(super) fn recognise(failure: &Failure) -> Option<Diagnostic> {
    SLIPS.iter().find_map(|slip| slip(failure))
}
