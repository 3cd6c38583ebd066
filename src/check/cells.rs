//! Checks the cells of `by` tables: constants, collections of constants, `any`, `none`, `not …`.

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind, Matches},
    source::Span,
    syntax::ast::{self, CellKind},
    types::{Constant, Type},
};

/// The constants in a cell.
#[derive(Debug, Default)]
struct Named {
    ranges: Vec<(i64, i64)>,
    texts: Vec<String>,
    none: bool,
}

impl Checker<'_> {
    pub(super) fn cell(&mut self, cell: &ast::Cell, key: &Type) -> Matches {
        let CellKind::Match { negated, value } = &cell.kind else {
            return Matches::Any;
        };
        if *key == Type::Wrong {
            return Matches::Any;
        }
        if let ast::ExprKind::Binary {
            operator: ast::Operator::Or,
            left,
            right,
            ..
        } = &value.ungrouped().kind
        {
            let help = format!(
                "write `{{{}, {}}}`",
                self.text(left.span),
                self.text(right.span)
            );
            self.report(
                Diagnostic::error(
                    Code::CellForm,
                    value.span,
                    "a cell that matches several values is a set",
                )
                .help(help),
            );
            return Matches::Any;
        }
        let expected = cell_expectation(value, key);
        let mut scope = Scope::new(Place::Cell);
        let before = self.diagnostics.len();
        let checked = self.expression(&mut scope, value, Some(&expected));
        if checked.ty == Type::Wrong || self.diagnostics.len() > before {
            return Matches::Any;
        }
        let element = checked.ty.element().unwrap_or(&checked.ty).clone();
        if crate::types::join(&element, key).is_none() {
            let message = format!(
                "`{}` is {}, but this column is {}",
                self.text(checked.span),
                self.described(&checked.ty),
                self.described(key)
            );
            self.report(Diagnostic::error(Code::NeverEqual, checked.span, message));
            return Matches::Any;
        }
        if element.places() > key.required().places() {
            let message = format!(
                "`{}` is {}, but this column is {}",
                self.text(checked.span),
                self.described(&element),
                self.described(key)
            );
            self.report(
                Diagnostic::error(Code::NeverEqual, checked.span, message)
                    .help("write it with no more decimal places than the column has"),
            );
            return Matches::Any;
        }
        let mut named = Named::default();
        if !self.name_constants(&checked, &mut named) {
            self.report(no_constant(checked.span, "a cell is a constant".into()));
            return Matches::Any;
        }
        if named.none && !key.is_optional() {
            self.report(Diagnostic::warning(
                Code::NeverNone,
                checked.span,
                "this column is never none",
            ));
        }
        if let (Some(from), Some(to)) = (element.places(), key.required().places())
            && from != to
        {
            named.ranges = named
                .ranges
                .into_iter()
                .map(|(lo, hi)| {
                    let scaled = |value: i64| {
                        let beyond = if value < 0 { i64::MIN } else { i64::MAX };
                        crate::arithmetic::scaled(value, from, to).unwrap_or(beyond)
                    };
                    (scaled(lo), scaled(hi))
                })
                .collect();
        }
        if key.required().is_text() {
            Matches::Texts {
                negated: *negated,
                texts: named.texts,
                none: named.none,
            }
        } else {
            Matches::Scalars {
                negated: *negated,
                ranges: named.ranges,
                none: named.none,
            }
        }
    }

    /// Collects the constants of an expression. Returns whether it consists only of constants.
    fn name_constants(&self, expr: &Expr, named: &mut Named) -> bool {
        match &expr.kind {
            ExprKind::Constant(Constant::Scalar(value)) => named.ranges.push((*value, *value)),
            ExprKind::Constant(Constant::Text(text)) => named.texts.push(text.clone()),
            ExprKind::Constant(Constant::None) => named.none = true,
            ExprKind::Converted(inner) | ExprKind::Checked(inner) => {
                return self.name_constants(inner, named);
            }
            ExprKind::Collect(items) => {
                return items.iter().all(|item| self.name_constants(item, named));
            }
            ExprKind::Span(lo, hi) => {
                let (Some(lo), Some(hi)) = (self.scalar(lo), self.scalar(hi)) else {
                    return false;
                };
                named.ranges.push((lo, hi));
            }
            ExprKind::Make { .. } | ExprKind::Numbered(_) | ExprKind::Negate(_) => {
                let Some(value) = self.scalar(expr) else {
                    return false;
                };
                named.ranges.push((value, value));
            }
            ExprKind::All => {
                let Some(element) = expr.ty.element() else {
                    return false;
                };
                let Some(range) = self.all_values(element) else {
                    return false;
                };
                named.ranges.push(range);
            }
            _ => return false,
        }
        true
    }

    /// The value of a constant expression as a scalar.
    fn scalar(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Constant(Constant::Scalar(value)) => Some(*value),
            ExprKind::Converted(inner) | ExprKind::Checked(inner) => self.scalar(inner),
            ExprKind::Negate(inner) => self.scalar(inner)?.checked_neg(),
            ExprKind::Numbered(inner) => self.scalar(inner)?.checked_sub(1),
            ExprKind::Make { product, parts } => {
                let fields = &self.resolved.types.product(*product).fields;
                let mut index: i64 = 0;
                for (field, part) in fields.iter().zip(parts) {
                    let (first, last) = self.all_values(&field.ty)?;
                    let value = self.scalar(part)?;
                    let count = last.checked_sub(first)?.checked_add(1)?;
                    index = index
                        .checked_mul(count)?
                        .checked_add(value.checked_sub(first)?)?;
                }
                Some(index)
            }
            _ => None,
        }
    }

    /// The first and last value of an ordered type.
    fn all_values(&self, ty: &Type) -> Option<(i64, i64)> {
        match ty {
            Type::YesNo => Some((0, 1)),
            Type::Range(range) => Some((range.lo, range.hi)),
            Type::Member(part) => Some((i64::from(part.first), i64::from(part.last))),
            Type::Product(_) => {
                let count = i64::try_from(self.resolved.types.capacity(ty)?).ok()?;
                Some((0, count.checked_sub(1)?))
            }
            _ => None,
        }
    }
}

/// The error for a cell that is not constant.
pub(super) fn no_constant(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::NotConstant, span, message).help(
        "write a value, a set or range of values, a type, `none` or `any`; put anything else after `when`",
    )
}

/// The expected type of a cell's value: that of the column, or a collection of it.
fn cell_expectation(value: &ast::Expr, key: &Type) -> Type {
    match &value.kind {
        ast::ExprKind::Set(_)
        | ast::ExprKind::Binary {
            operator: ast::Operator::Range,
            ..
        } => Type::Set(key.required().clone().into()),
        _ => key.clone(),
    }
}
