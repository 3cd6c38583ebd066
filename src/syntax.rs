//! Text to tree: the grammar's parser, the tree, and what is said of text that is no rule file.

pub mod ast;
mod cursor;
mod grammar;
mod lower;
mod slips;

use pest::Parser as _;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources, Span};
use grammar::{Grammar, Rule};
use lower::Lowering;

/// How deep an expression, a type or the steps of a transcript may be nested.
///
/// What walks the tree may recurse that deep and must not fear for its stack.
pub const MAXIMUM_DEPTH: usize = 64;

/// Reads the rule file `id` of `sources`.
///
/// # Errors
///
/// Everything that is wrong with the file's syntax, in the order of the text.
pub fn parse(sources: &Sources, id: SourceId) -> Result<ast::RuleFile, Vec<Diagnostic>> {
    let text = sources.get(id).map_or("", |source| source.text.as_str());
    let pairs = Grammar::parse(Rule::rule_file, text).map_err(|error| {
        let at = match error.location {
            pest::error::InputLocation::Pos(at) => at,
            pest::error::InputLocation::Span((start, _)) => start,
        };
        vec![Diagnostic::error(
            Code::Syntax,
            Span::new(id, at..at),
            error.variant.message().to_string(),
        )]
    })?;
    let lowering = Lowering::new(id, 0, text.len());
    let files: Vec<ast::RuleFile> = pairs.map(|node| lowering.rule_file(node)).collect();
    let diagnostics = lowering.finish();
    match files.into_iter().next() {
        Some(file) if diagnostics.is_empty() => Ok(file),
        _ => Err(diagnostics),
    }
}
