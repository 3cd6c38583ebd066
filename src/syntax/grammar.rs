//! The parser that pest makes from `grammar/`.

use pest::{Parser as _, error::Error, iterators::Pairs};

use super::MAXIMUM_DEPTH;
use crate::stack;

/// The grammar of rule files.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/words.pest"]
#[grammar = "grammar/rules.pest"]
struct Grammar;

/// Parses a text, which must not nest too deeply.
///
/// # Errors
/// The place where the text does not match the rule.
pub(super) fn parse(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Error<Rule>> {
    // The parser recurses. `nesting` rejects anything deeper than this beforehand.
    stack::with_room(2 * MAXIMUM_DEPTH, || Grammar::parse(rule, text))
}
