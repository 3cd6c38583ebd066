//! A program with one row disabled.

use crate::{
    program::{Body, Choice, Definition, Expr, ExprKind, Program, Row, Step},
    source::Span,
    types::Type,
};

/// Disables the row at `span`.
pub(super) fn silence(program: &mut Program, span: Span) {
    for fact in &mut program.facts {
        in_definition(&mut fact.definition, span);
    }
    for given in &mut program.givens {
        if let Some(default) = &mut given.default {
            in_definition(default, span);
        }
    }
    for state in &mut program.states {
        in_definition(&mut state.initial, span);
        if let Some(again) = &mut state.again {
            in_definition(again, span);
        }
    }
    for event in &mut program.events {
        for equation in &mut event.equations {
            in_definition(&mut equation.definition, span);
        }
        for clause in [&mut event.impossible, &mut event.report, &mut event.refused] {
            in_rows(&mut clause.rows, span);
        }
        in_choices(&mut event.follows, span);
    }
    for policy in &mut program.policies {
        in_choices(&mut policy.rows, span);
    }
    for transcript in &mut program.transcripts {
        in_steps(&mut transcript.steps, span);
    }
}

fn in_definition(definition: &mut Definition, span: Span) {
    match &mut definition.body {
        Body::Expression(_) => {}
        Body::Table(table) => in_rows(&mut table.rows, span),
        Body::By(table) => {
            for row in &mut table.rows {
                if row.span == span {
                    row.conditions = vec![never(span)];
                }
            }
        }
    }
}

fn in_rows(rows: &mut [Row], span: Span) {
    for row in rows {
        if row.span == span {
            row.conditions = vec![never(span)];
        }
    }
}

fn in_choices(rows: &mut [Choice], span: Span) {
    for row in rows {
        if row.span == span {
            row.conditions = vec![never(span)];
        }
    }
}

fn in_steps(steps: &mut [Step], span: Span) {
    for step in steps {
        match step {
            Step::Play(play) => {
                for row in &mut play.rows {
                    if row.span == span {
                        row.conditions = vec![never(span)];
                    }
                }
            }
            Step::Times { steps, .. } | Step::Until { steps, .. } => in_steps(steps, span),
            Step::Pattern(_) | Step::Start(_) => {}
        }
    }
}

/// A condition that never holds.
fn never(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Constant(crate::types::Constant::Scalar(0)),
        ty: Type::YesNo,
        span,
    }
}
