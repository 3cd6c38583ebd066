//! A fact that asks itself: only for one less, from a range that is not too long.

use super::{Graph, reads};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Expr, ExprKind, Fact, FactId, GREATEST_RECURSION, LocalId, Reading, Tense,
    },
    types::{Constant, Type},
};

/// Reports facts that ask themselves and may not.
pub(super) fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, (fact, reads)) in graph.program.facts.iter().zip(&graph.facts).enumerate() {
        let id = FactId::new(index);
        let itself =
            |read: &&super::Read| matches!(read.what, Reading::Fact(found, _) if found == id);
        if reads.list.iter().any(|read| itself(&read)) {
            diagnostics.extend(asks_itself(fact, id));
        }
    }
    diagnostics
}

fn asks_itself(fact: &Fact, id: FactId) -> Option<Diagnostic> {
    let mut calls: Vec<&Expr> = Vec::new();
    for expression in reads::of_definition(&fact.definition, false) {
        expression.walk(&mut |expression| match &expression.kind {
            ExprKind::Fact { fact, .. } | ExprKind::Tabulated(fact, _) if *fact == id => {
                calls.push(expression);
            }
            _ => {}
        });
    }
    let first = calls.first()?;
    let name = &fact.name;
    let Some((parameter, Type::Range(range))) = fact.parameters.first() else {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                first.span,
                format!("`{name}` asks itself, and nothing says that this ends"),
            )
            .label(fact.span, "declared here")
            .help(format!(
                "let its first parameter count down: `{name}(n: 1..9)` may ask `{name}(n - 1)`"
            )),
        );
    };
    if let Some(call) = calls.iter().find(|call| !counts_down(call)) {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                call.span,
                format!("`{name}` asks itself here for something else than `{parameter} - 1`"),
            )
            .help(format!(
                "a fact may ask itself only for one less: `{name}({parameter} - 1{})`",
                if fact.parameters.len() > 1 {
                    ", …"
                } else {
                    ""
                }
            )),
        );
    }
    let count = range.count().unwrap_or(u64::MAX);
    if count > GREATEST_RECURSION {
        return Some(
            Diagnostic::error(
                Code::Recursion,
                fact.span,
                format!(
                    "`{name}` may ask itself {count} times over; {GREATEST_RECURSION} is the most"
                ),
            )
            .label(first.span, "here it asks itself")
            .help("use a smaller range, or `for` or `sum of` in its place"),
        );
    }
    None
}

/// Whether a call is asked for the first parameter less one.
fn counts_down(call: &Expr) -> bool {
    let ExprKind::Fact {
        arguments,
        tense: Tense::Now,
        ..
    } = &call.kind
    else {
        return false;
    };
    let Some(ExprKind::Arithmetic {
        operator: Arithmetic::Subtract,
        left,
        right,
    }) = arguments.first().map(|argument| &plain(argument).kind)
    else {
        return false;
    };
    matches!(plain(left).kind, ExprKind::Local(LocalId(0)))
        && matches!(plain(right).kind, ExprKind::Constant(Constant::Scalar(1)))
}

/// The expression without the checks around it.
fn plain(expression: &Expr) -> &Expr {
    match &expression.kind {
        ExprKind::Checked(inner) | ExprKind::Converted(inner) => plain(inner),
        _ => expression,
    }
}
