//! Structural equality of parts of a tree, by their printed forms, and conversions between them.

use crate::syntax::{
    ast::{
        ByRow, Definition, Expr, ExprKind, Item, Operator, Pattern, Prefix, Product, Row, Sight,
        Text, Type, TypeKind,
    },
    print,
};

/// Whether two definitions are equal.
pub(super) fn same_definition(one: &Definition, other: &Definition) -> bool {
    print::definition(one) == print::definition(other)
}

/// Whether two rows are equal but for their labels.
pub(super) fn same_row(one: &Row, other: &Row) -> bool {
    print::row_body(one) == print::row_body(other)
}

/// Whether two rows of a `by` table are equal but for their labels.
pub(super) fn same_by_row(one: &ByRow, other: &ByRow) -> bool {
    print::by_row_body(one) == print::by_row_body(other)
}

/// Whether two expressions are equal.
pub(super) fn same(one: &Expr, other: &Expr) -> bool {
    print::expression(one) == print::expression(other)
}

/// Whether two products are equal.
pub(super) fn same_product(one: &Product, other: &Product) -> bool {
    let printed = |product: &Product| print::item(&Item::Product(product.clone()));
    printed(one) == printed(other)
}

/// Whether two texts are equal.
pub(super) fn same_text(one: &Text, other: &Text) -> bool {
    print::text(one) == print::text(other)
}

/// Whether two visibilities are equal.
pub(super) fn same_sight(one: &Sight, other: &Sight) -> bool {
    match (&one.seats, &other.seats) {
        (Some(one), Some(other)) => same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Whether two types are equal.
pub(super) fn same_type(one: &Type, other: &Type) -> bool {
    print::written_type(one) == print::written_type(other)
}

/// Whether an expression can be the value of an attribute.
pub(super) fn is_attribute(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Text(_) | ExprKind::YesNo(_) | ExprKind::None | ExprKind::Name(_) => true,
        _ => is_number(expr),
    }
}

/// The value of a row without conditions or other parts.
pub(super) fn bare(row: &Row) -> Option<&Expr> {
    let conditions = &row.conditions;
    let more = row.inline
        || row.maybe
        || row.event.is_some()
        || !row.bindings.is_empty()
        || row.sight.is_some()
        || conditions.when.is_some()
        || conditions.unless.is_some()
        || conditions.says.is_some()
        || conditions.cites.is_some();
    (!more).then_some(&row.value)
}

/// A row as a pattern of a transcript, if it is only a text.
pub(super) fn as_pattern(row: &Row) -> Option<Pattern> {
    match &bare(row)?.kind {
        ExprKind::Text(text) => Some(Pattern {
            label: Some(row.label.clone()),
            text: text.clone(),
        }),
        _ => None,
    }
}

/// The type that an expression would be if it were parsed as one: `1..9`, `Size`, `set of Size`.
pub(super) fn as_type(expr: &Expr) -> Option<Type> {
    let kind = match &expr.kind {
        ExprKind::Name(name) => TypeKind::Named(name.clone()),
        ExprKind::Binary {
            operator: Operator::Range,
            left,
            right,
            ..
        } => {
            let is_bound = |bound: &Expr| match &bound.kind {
                ExprKind::Name(_) => true,
                _ => is_number(bound),
            };
            if !is_bound(left) || !is_bound(right) {
                return None;
            }
            TypeKind::Range(left.clone(), right.clone())
        }
        ExprKind::Apply {
            function,
            arguments,
            with_of: true,
        } => {
            let [of] = arguments.as_slice() else {
                return None;
            };
            let of = Box::new(as_type(of)?);
            match function.text.as_str() {
                "set" => TypeKind::Set(of),
                "bag" => TypeKind::Bag(of),
                "pile" => TypeKind::Pile(of),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Type {
        kind,
        span: expr.span,
    })
}

/// Whether an expression is a number literal.
fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Decimal(..) => true,
        ExprKind::Unary {
            operator: Prefix::Negate,
            operand,
        } => matches!(operand.kind, ExprKind::Number(_) | ExprKind::Decimal(..)),
        _ => false,
    }
}
