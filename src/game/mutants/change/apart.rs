//! Finds rows that exclude each other, so that their order does not matter.

use crate::syntax::{
    ast::{ByRow, CellKind, Conditions, Expr, ExprKind, Operator, Prefix, Row},
    print,
};

/// Whether the conditions of two rows contradict each other syntactically.
pub(super) fn are_apart(one: &Row, other: &Row) -> bool {
    if !one.bindings.is_empty() || !other.bindings.is_empty() {
        return false;
    }
    let others = claims(&other.conditions);
    claims(&one.conditions)
        .iter()
        .any(|claim| others.iter().any(|other| claim.contradicts(other)))
}

/// Whether no values match both rows of a `by` table.
pub(super) fn match_apart(one: &ByRow, other: &ByRow) -> bool {
    let mut columns = one.cells.iter().zip(&other.cells);
    columns.any(
        |(one, other)| match (values(&one.kind), values(&other.kind)) {
            (Some(one), Some(other)) => one.iter().all(|value| !other.contains(value)),
            _ => false,
        },
    )
}

/// A condition that must hold for a row to fire.
struct Claim {
    /// The source of the condition, or of what `is` compares.
    said: String,
    /// The constant that it is compared with.
    is: Option<String>,
    /// Whether it must hold or must not hold.
    holds: bool,
}

impl Claim {
    fn contradicts(&self, other: &Claim) -> bool {
        if self.said != other.said {
            return false;
        }
        if self.is == other.is {
            return self.holds != other.holds;
        }
        // A value cannot equal two constants.
        self.is.is_some() && other.is.is_some() && self.holds && other.holds
    }
}

fn claims(conditions: &Conditions) -> Vec<Claim> {
    let mut claims = Vec::new();
    if let Some(when) = &conditions.when {
        add(when, true, &mut claims);
    }
    if let Some(unless) = &conditions.unless {
        add(unless, false, &mut claims);
    }
    claims
}

/// Adds what follows if an expression holds, or does not.
fn add(expr: &Expr, holds: bool, claims: &mut Vec<Claim>) {
    let mut plain = |said: String, is: Option<String>, holds: bool| {
        claims.push(Claim { said, is, holds });
    };
    match &expr.kind {
        ExprKind::Group(inner) => add(inner, holds, claims),
        ExprKind::Unary {
            operator: Prefix::Not,
            operand,
        } => add(operand, !holds, claims),
        ExprKind::Binary {
            operator,
            left,
            right,
            ..
        } => match operator {
            Operator::And if holds => {
                add(left, true, claims);
                add(right, true, claims);
            }
            Operator::Or if !holds => {
                add(left, false, claims);
                add(right, false, claims);
            }
            Operator::Is | Operator::IsNot => {
                let same = *operator == Operator::Is;
                let value = constant(right);
                let said = match &value {
                    Some(_) => print::expression(left),
                    None => format!(
                        "{} is {}",
                        print::expression(left),
                        print::expression(right)
                    ),
                };
                plain(said, value, holds == same);
            }
            Operator::Greater | Operator::LessOrEqual => {
                let said = format!("{} > {}", print::expression(left), print::expression(right));
                plain(said, None, holds == (*operator == Operator::Greater));
            }
            Operator::Less | Operator::GreaterOrEqual => {
                let said = format!("{} < {}", print::expression(left), print::expression(right));
                plain(said, None, holds == (*operator == Operator::Less));
            }
            _ => plain(print::expression(expr), None, holds),
        },
        _ => plain(print::expression(expr), None, holds),
    }
}

/// The source of a literal: a number, yes, no or none. A name may be a constant or not, so it does not count.
fn constant(value: &Expr) -> Option<String> {
    let is_constant = matches!(
        value.kind,
        ExprKind::Number(_) | ExprKind::Decimal(..) | ExprKind::YesNo(_) | ExprKind::None
    );
    is_constant.then(|| print::expression(value))
}

/// The source of each value that a cell lists.
fn values(cell: &CellKind) -> Option<Vec<String>> {
    let CellKind::Match {
        negated: false,
        value,
    } = cell
    else {
        return None;
    };
    let single = |value: &Expr| {
        let is_single = constant(value).is_some() || matches!(value.kind, ExprKind::Name(_));
        is_single.then(|| print::expression(value))
    };
    match &value.kind {
        ExprKind::Set(items) => items.iter().map(single).collect(),
        _ => Some(vec![single(value)?]),
    }
}
