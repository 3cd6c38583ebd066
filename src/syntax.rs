//! Parsing of rule files: the grammar's parser, the syntax tree, and error messages.

pub(crate) mod ast;
mod failure;
mod format;
mod grammar;
mod lexer;
mod lower;
mod mistakes;
mod names;
mod nesting;
mod outline;
mod precedence;
pub(crate) mod print;
mod recover;
mod salvage;
mod skeleton;

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::{BYTE_ORDER_MARK, SourceId, Sources, Span};
use grammar::Rule;
use lower::Lowering;
pub(crate) use salvage::{Salvaged, salvage};
pub(crate) use skeleton::{
    Entry, Expected, NameContext, Stretch, Word, expected_after, is_free_name, is_name, skeleton,
};

/// How deeply an expression, a type or the steps of a transcript may nest.
///
/// A function that walks the tree may recurse that deeply without overflowing its stack.
pub(crate) const MAXIMUM_DEPTH: usize = 64;

/// How many bytes a rule file may have.
pub(crate) const MAXIMUM_LENGTH: usize = 4 * 1024 * 1024;

/// Parses the rule file `id` of `sources`.
///
/// # Errors
///
/// All syntax errors, in the order of the text.
pub(crate) fn parse(sources: &Sources, id: SourceId) -> Result<ast::RuleFile, Vec<Diagnostic>> {
    let whole = sources.get(id).map_or("", |source| source.text.as_str());
    if whole.len() > MAXIMUM_LENGTH {
        return Err(vec![mistakes::large_file(Span::new(id, 0..0))]);
    }
    let text = whole.strip_prefix(BYTE_ORDER_MARK).unwrap_or(whole);
    refuse_too_deep(id, whole, 0..whole.len())?;
    let pairs = grammar::parse(Rule::rule_file, text)
        .map_err(|error| recover::diagnose(id, whole, &error))?;
    let lowering = Lowering::new(id, whole.len() - text.len(), text.len());
    let files: Vec<ast::RuleFile> = pairs.map(|node| lowering.rule_file(node)).collect();
    let diagnostics = lowering.finish();
    match files.into_iter().next() {
        Some(file) if diagnostics.is_empty() => Ok(file),
        _ => Err(diagnostics),
    }
}

/// The names of all rules of the grammar.
pub(crate) fn grammar_rules() -> Vec<String> {
    let rules = Rule::all_rules().iter().chain(&[Rule::EOI]);
    rules.map(|rule| format!("{rule:?}")).collect()
}

/// The names of the rules that make a node of a rule file, which must not nest too deeply; none if it is not valid.
pub(crate) fn used_grammar_rules(text: &str) -> Vec<String> {
    let nodes = grammar::parse(Rule::rule_file, text).into_iter();
    let nodes = nodes.flat_map(pest::iterators::Pairs::flatten);
    nodes.map(|node| format!("{:?}", node.as_rule())).collect()
}

/// The rule file `id` of `sources` in the standard layout, with its comments.
///
/// # Errors
///
/// All syntax errors.
pub(crate) fn formatted(sources: &Sources, id: SourceId) -> Result<String, Vec<Diagnostic>> {
    parse(sources, id)?;
    let whole = sources.get(id).map_or("", |source| source.text.as_str());
    let text = whole.strip_prefix(BYTE_ORDER_MARK).unwrap_or(whole);
    Ok(format::format(Rule::rule_file, text))
}

/// Parses the bytes `range` of the source `id` as an expression.
///
/// # Errors
///
/// Its syntax errors.
pub(crate) fn expression(
    sources: &Sources,
    id: SourceId,
    range: Range<usize>,
) -> Result<ast::Expr, Vec<Diagnostic>> {
    let whole = sources.get(id).map_or("", |source| source.text.as_str());
    let text = whole.get(range.clone()).unwrap_or("");
    refuse_too_deep(id, whole, range.clone())?;
    let pairs = grammar::parse(Rule::expr_alone, text)
        .map_err(|error| vec![recover::diagnose_expression(id, whole, &range, &error)])?;
    let lowering = Lowering::new(id, range.start, text.len());
    let expressions: Vec<ast::Expr> = pairs.map(|node| lowering.expr_alone(node)).collect();
    let diagnostics = lowering.finish();
    match expressions.into_iter().next() {
        Some(expression) if diagnostics.is_empty() => Ok(expression),
        _ => Err(diagnostics),
    }
}

/// Rejects the bytes `range` of a text if parsing it could overflow the stack.
fn refuse_too_deep(id: SourceId, text: &str, range: Range<usize>) -> Result<(), Vec<Diagnostic>> {
    let start = range.start;
    match nesting::too_deep(text.get(range).unwrap_or("")) {
        Some(at) => Err(vec![mistakes::too_deep(Span::new(
            id,
            start + at..start + at + 1,
        ))]),
        None => Ok(()),
    }
}
