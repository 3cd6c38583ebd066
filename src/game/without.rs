//! A game without one of its rows, to see what the row does.

use crate::{
    explanation::RowPlace,
    program::{Body, Definition, Expr, Program},
    source::{Sources, Span},
};

/// The program with a row that never fires.
pub(super) fn without(program: &Program, sources: &Sources, row: &RowPlace) -> Program {
    let mut program = program.clone();
    let is_meant = |label: &str, span: Span| {
        label == row.row
            && sources.position(span).line == row.at
            && sources
                .get(span.source)
                .is_some_and(|source| source.name == row.file)
    };
    let still = |label: &str, span: Span, conditions: &mut Vec<Expr>| {
        if is_meant(label, span) {
            conditions.insert(0, Expr::yes_no(false, span));
        }
    };
    let stilled = |definition: &mut Definition| match &mut definition.body {
        Body::Expression(_) => {}
        Body::Table(table) => {
            for row in &mut table.rows {
                still(&row.label, row.span, &mut row.conditions);
            }
        }
        Body::By(table) => {
            for row in &mut table.rows {
                still(&row.label, row.span, &mut row.conditions);
            }
        }
    };
    for fact in &mut program.facts {
        stilled(&mut fact.definition);
    }
    for state in &mut program.states {
        stilled(&mut state.initial);
    }
    for event in &mut program.events {
        for equation in &mut event.equations {
            stilled(&mut equation.definition);
        }
        for clause in [&mut event.impossible, &mut event.report, &mut event.refused] {
            for row in &mut clause.rows {
                still(&row.label, row.span, &mut row.conditions);
            }
        }
        for choice in &mut event.follows {
            still(&choice.label, choice.span, &mut choice.conditions);
        }
    }
    for policy in &mut program.policies {
        for choice in &mut policy.rows {
            still(&choice.label, choice.span, &mut choice.conditions);
        }
    }
    program
}
