//! How tightly expressions hold together, and so where parentheses are due.

use super::super::ast::{Expr, ExprKind, Operator, Prefix};

/// How tightly an expression holds together; what is looser than its place allows goes into parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// `a or b`
    Or,
    /// `a and b`
    And,
    /// `not a`
    Not,
    /// `a is b`
    Comparison,
    /// `a else b`
    Else,
    /// `a..b`
    Range,
    /// `a + b`, `m but v at k`
    Sum,
    /// `a * b`
    Product,
    /// `the a`, `-a`
    Prefix,
    /// Everything else.
    Atom,
}

impl Strength {
    /// The next tighter one.
    pub(super) fn tighter(self) -> Strength {
        match self {
            Strength::Or => Strength::And,
            Strength::And => Strength::Not,
            Strength::Not => Strength::Comparison,
            Strength::Comparison => Strength::Else,
            Strength::Else => Strength::Range,
            Strength::Range => Strength::Sum,
            Strength::Sum => Strength::Product,
            Strength::Product => Strength::Prefix,
            Strength::Prefix | Strength::Atom => Strength::Atom,
        }
    }

    /// Whether operators of this strength do not chain.
    pub(super) fn stands_alone(self) -> bool {
        matches!(self, Strength::Comparison | Strength::Range)
    }
}

/// How tightly `expr` holds together.
pub(super) fn strength(expr: &Expr) -> Strength {
    match &expr.kind {
        ExprKind::Binary { operator, .. } => operator_strength(*operator),
        ExprKind::Unary {
            operator: Prefix::Not,
            ..
        } => Strength::Not,
        ExprKind::Unary { .. } => Strength::Prefix,
        ExprKind::But { .. } => Strength::Sum,
        _ => Strength::Atom,
    }
}

/// How tightly an operator holds its operands.
pub(super) fn operator_strength(operator: Operator) -> Strength {
    match operator {
        Operator::Or => Strength::Or,
        Operator::And => Strength::And,
        Operator::Is
        | Operator::IsNot
        | Operator::In
        | Operator::NotIn
        | Operator::Within
        | Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual => Strength::Comparison,
        Operator::Else => Strength::Else,
        Operator::Range => Strength::Range,
        Operator::Add
        | Operator::Subtract
        | Operator::With
        | Operator::Without
        | Operator::Then => Strength::Sum,
        Operator::Multiply | Operator::Divide | Operator::Modulo => Strength::Product,
    }
}

/// Whether an expression takes in whatever follows it, because its last part does.
pub(super) fn is_open(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Quantified { .. } | ExprKind::Best { .. } => true,
        ExprKind::Binary { right, .. } => is_open(right),
        ExprKind::Unary { operand, .. }
        | ExprKind::Beside {
            operand,
            steps: None,
            ..
        }
        | ExprKind::Extreme { operand, .. }
        | ExprKind::Tensed { operand, .. } => is_open(operand),
        ExprKind::But { at, .. } => is_open(at),
        ExprKind::Apply {
            arguments,
            with_of: true,
            ..
        } => arguments.last().is_some_and(is_open),
        _ => false,
    }
}
