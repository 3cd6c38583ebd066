//! The parser that pest makes from `grammar/`.

use pest::{Parser as _, error::Error, iterators::Pairs};

use super::MAXIMUM_DEPTH;
use crate::stack;

/// The grammar of rule files.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/words.pest"]
#[grammar = "grammar/rules.pest"]
struct Grammar;

/// Parses a text that is not nested too deep.
///
/// # Errors
/// Where the text is not what the rule describes.
pub(super) fn parse(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Error<Rule>> {
    // The parser recurses. `nesting` refuses what is deeper than this before it is parsed.
    stack::with_room(2 * MAXIMUM_DEPTH, || Grammar::parse(rule, text))
}
