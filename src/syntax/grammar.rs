//! The parser that pest makes from `grammar/`.

/// The grammar of rule files.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/words.pest"]
#[grammar = "grammar/rules.pest"]
pub(super) struct Grammar;
