//! The printed forms of rows and definitions: two that are printed alike say the same.

use crate::syntax::{
    ast::{ByRow, Definition, Expr, ExprKind, Prefix, Row, Type},
    print,
};

/// Whether two definitions say the same.
pub(super) fn same_definition(one: &Definition, other: &Definition) -> bool {
    print::definition(one) == print::definition(other)
}

/// Whether two rows say the same, whatever they are called.
pub(super) fn same_row(one: &Row, other: &Row) -> bool {
    print::row_body(one) == print::row_body(other)
}

/// Whether two rows of a `by` table say the same, whatever they are called.
pub(super) fn same_by_row(one: &ByRow, other: &ByRow) -> bool {
    print::by_row_body(one) == print::by_row_body(other)
}

/// Whether two expressions say the same.
pub(super) fn same(one: &Expr, other: &Expr) -> bool {
    print::expression(one) == print::expression(other)
}

/// Whether two types say the same.
pub(super) fn same_type(one: &Type, other: &Type) -> bool {
    print::written_type(one) == print::written_type(other)
}

/// Whether an expression can stand among a member's attributes.
pub(super) fn is_attribute(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Text(_)
        | ExprKind::Number(_)
        | ExprKind::YesNo(_)
        | ExprKind::None
        | ExprKind::Name(_) => true,
        ExprKind::Unary {
            operator: Prefix::Negate,
            operand,
        } => matches!(operand.kind, ExprKind::Number(_)),
        _ => false,
    }
}
