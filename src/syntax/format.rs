//! The formatter: rule files in the standard layout.
//!
//! It keeps all words and comments in their order, and only chooses the space between them. A line break of the author
//! stays where one is allowed. Lines that are too long are broken further, at the operators that bind loosest. Rows and
//! the contents of braces are on one line, or each on a line of its own.

mod build;
mod expressions;
mod layout;
mod rows;
mod trivia;

use super::grammar::{self, Rule};
use build::Builder;

/// A text in the standard layout, parsed by the grammar's rule `rule`; unchanged if it does not parse.
pub(super) fn format(rule: Rule, text: &str) -> String {
    let (formatted, has_new_lines) = formatted_once(rule, text);
    if has_new_lines {
        // What is aligned depends on which parts are on one line.
        formatted_once(rule, &formatted).0
    } else {
        formatted
    }
}

/// The layout of a text, and whether it breaks lines where the text does not.
fn formatted_once(rule: Rule, text: &str) -> (String, bool) {
    let Ok(nodes) = grammar::parse(rule, text) else {
        return (text.to_owned(), false);
    };
    let mut builder = Builder::new(text);
    for node in nodes {
        builder.node(node);
    }
    layout::layout(&builder.ops, builder.groups)
}
