//! Rule files in one layout.
//!
//! Every word of a text is written again, in its order, with its comments; only what stands between words is chosen
//! anew. A line end that the author has at a place where a line may end stays; where a line is too long, more are made,
//! at the loosest places first. What is in rows or braces is on one line, or each row on a line of its own.

mod build;
mod expressions;
mod layout;
mod rows;
mod trivia;

use super::grammar::{self, Rule};
use build::Builder;

/// A text that the grammar's rule `rule` reads, in the one layout; as it is, if the rule does not read it.
pub(super) fn format(rule: Rule, text: &str) -> String {
    let Ok(nodes) = grammar::parse(rule, text) else {
        return text.to_owned();
    };
    let mut builder = Builder::new(text);
    for node in nodes {
        builder.node(node);
    }
    layout::layout(&builder.ops, builder.groups)
}
