//! The built-ins and the operators, as the reference in `docs/language.md` lists them.

use crate::{builtins, operators};

/// The rules around the examples.
pub const CONTEXT: &str = builtins::CONTEXT;

/// A built-in or an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// How it is written: `size of …`, `count(x, c)`, `<=`.
    pub form: String,
    /// What it takes.
    pub takes: String,
    /// What it gives.
    pub gives: String,
    /// What that is, in one line.
    pub doc: &'static str,
    /// An expression with [`CONTEXT`] around it.
    pub example: &'static str,
    /// The value of the example, as a report writes it.
    pub value: &'static str,
}

/// The built-ins.
#[must_use]
pub fn builtins() -> Vec<Operation> {
    let operations = builtins::TABLE.iter().map(|entry| {
        let patterns = entry.parameters.iter().map(|it| it.pattern.to_string());
        let takes: Vec<String> = patterns.collect();
        let (example, value) = entry.example;
        Operation {
            form: entry.form(),
            takes: takes.join(", "),
            gives: entry.result.to_string(),
            doc: entry.doc,
            example,
            value,
        }
    });
    operations.collect()
}

/// The operators between two operands, loosest first.
#[must_use]
pub fn operators() -> Vec<Operation> {
    let operations = operators::TABLE.iter().map(|entry| {
        let (example, value) = entry.example;
        Operation {
            form: entry.sign.to_string(),
            takes: entry.operands.to_string(),
            gives: entry.result.to_string(),
            doc: entry.doc,
            example,
            value,
        }
    });
    operations.collect()
}
