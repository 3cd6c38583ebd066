//! The conditions of a row, with another one.

use crate::syntax::ast::{Conditions, Expr, ExprKind, Operator};

/// Adds that the row does not fire when `condition` holds or, if `negated`, that it fires only then.
pub(super) fn except(conditions: &mut Conditions, negated: bool, condition: Expr) {
    let (place, operator) = if negated {
        (&mut conditions.when, Operator::And)
    } else {
        (&mut conditions.unless, Operator::Or)
    };
    *place = Some(match place.take() {
        None => condition,
        Some(before) => {
            let span = condition.span;
            Expr {
                kind: ExprKind::Binary {
                    operator,
                    operator_span: span.head(),
                    left: Box::new(before),
                    right: Box::new(condition),
                },
                span,
            }
        }
    });
}

/// Whether an exception never makes a difference.
pub(super) fn is_idle(negated: bool, condition: &Expr) -> bool {
    matches!(condition.kind, ExprKind::YesNo(yes) if yes == negated)
}
