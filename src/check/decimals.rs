//! Numbers with decimal places: converting and rounding them. The result is arithmetic on whole numbers of units, so
//! later stages know of decimal places only for reading and writing numbers.

use super::{Checker, Scope, arithmetic::interval};
use crate::{
    arithmetic::{MOST_PLACES, Rounding, decimal_text, scaled, unit},
    diagnostic::{Code, Diagnostic, numbered},
    program::{Arithmetic, Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{Constant, Interval, Type},
};

impl Checker<'_> {
    /// Reports a number with more decimal places than allowed.
    pub(super) fn too_many_places(&mut self, value: &Expr, due: &Type) {
        let text = self.text(value.span);
        let places = |ty: &Type| ty.required().places().unwrap_or(0);
        let count = |places: u8| numbered(usize::from(places), "decimal place");
        let (due, to, fewer) = match places(due) {
            0 => (
                "a whole number is expected here".to_string(),
                String::new(),
                "write a whole number",
            ),
            due => (
                format!("there is room for {due} here"),
                format!(" to {}", decimal_text(1, due)),
                "write it with fewer",
            ),
        };
        let message = format!("`{text}` has {}, and {due}", count(places(&value.ty)));
        let operand = match value.kind {
            ExprKind::Arithmetic { .. } | ExprKind::Else(..) => format!("({text})"),
            _ => text.clone(),
        };
        let help = match value.kind {
            ExprKind::Constant(_) => fewer.to_string(),
            _ => format!(
                "say how it is rounded: `{operand} rounded down{to}`, or `up`, or `even` for the nearest"
            ),
        };
        self.report(Diagnostic::error(Code::Rounding, value.span, message).help(help));
    }

    /// Checks arithmetic on two numbers.
    pub(super) fn calculation(
        &mut self,
        operator: Arithmetic,
        left: Expr,
        right: Expr,
        operator_span: Span,
        span: Span,
    ) -> Expr {
        let places = |side: &Expr| side.ty.places().unwrap_or(0);
        let (first, second) = (places(&left), places(&right));
        let most = first.max(second);
        match operator {
            Arithmetic::Multiply if first + second > MOST_PLACES => {
                let message = format!(
                    "this product has {}, and {MOST_PLACES} is the most",
                    numbered(usize::from(first + second), "decimal place")
                );
                self.report(
                    Diagnostic::error(Code::Rounding, span, message)
                        .help("round one of the two first, as in `x rounded even to 0.01`"),
                );
                Self::wrong(span)
            }
            Arithmetic::Multiply => combined(operator, left, right, first + second, span),
            Arithmetic::Divide if most > 0 => {
                let text = self.text(span);
                let message = "a quotient of decimals must say how it is rounded";
                self.report(
                    Diagnostic::error(Code::Rounding, operator_span, message).help(format!(
                        "write `{text} rounded down to {}`, or `up`, or `even` for the nearest; \
                         without `to` it becomes a whole number",
                        decimal_text(1, most)
                    )),
                );
                Self::wrong(span)
            }
            _ => {
                let (left, right) = of_equal_places(left, right, 0);
                combined(operator, left, right, most, span)
            }
        }
    }

    /// Warns of the divisor 0.
    pub(super) fn divisor(&mut self, right: &Expr) {
        if let Type::Range(by) = &right.ty
            && (by.lo, by.hi) == (0, 0)
        {
            let message = "nothing can be divided by 0";
            self.report(Diagnostic::warning(
                Code::DivisionByZero,
                right.span,
                message,
            ));
        }
    }

    /// Checks `a / b rounded down`, `x rounded even to 0.01`.
    pub(super) fn rounded(
        &mut self,
        scope: &mut Scope,
        operand: &ast::Expr,
        rounding: Rounding,
        to: Option<&ast::Expr>,
        span: Span,
    ) -> Expr {
        let (step, places) = match to.map(|to| &to.kind) {
            Some(ast::ExprKind::Number(step)) => (*step, 0),
            Some(ast::ExprKind::Decimal(step, places)) => (*step, *places),
            _ => (1, 0),
        };
        if let (Some(to), 0) = (to, step) {
            let message = "a number cannot be rounded to 0";
            self.report(
                Diagnostic::error(Code::Rounding, to.span, message)
                    .help("write what the result is a multiple of, such as `0.01`"),
            );
            return Self::wrong(span);
        }
        let (left, right) = operand.quotient();
        let what = match right {
            Some(_) => "`/` joins numbers",
            None => "only numbers are rounded",
        };
        let left = self.expression(scope, left, Some(&Type::Number));
        let left = self.as_number(left, what);
        let right = right.map(|right| {
            let right = self.expression(scope, right, Some(&Type::Number));
            self.as_number(right, what)
        });
        if left.ty == Type::Wrong || right.as_ref().is_some_and(|right| right.ty == Type::Wrong) {
            return Self::wrong(span);
        }
        if let Some(right) = &right {
            self.divisor(right);
        }
        // The number of steps is left / (right * step), each in its own units.
        let of = |side: &Expr| side.ty.places().unwrap_or(0);
        let (above, below) = (right.as_ref().map_or(0, of) + places, of(&left));
        let Some(divisor) = step.checked_mul(unit(below.saturating_sub(above))) else {
            let message = "this step is too large";
            self.report(Diagnostic::error(Code::LargeNumber, span, message));
            return Self::wrong(span);
        };
        let left = times(left, unit(above.saturating_sub(below)), span);
        let right = match right {
            Some(right) => times(right, divisor, span),
            None => Expr::number(divisor, 0, span),
        };
        let operator = match rounding {
            Rounding::Down => Arithmetic::Divide,
            Rounding::Up => Arithmetic::DivideUp,
            Rounding::Even => Arithmetic::DivideEven,
        };
        let steps = combined(operator, left, right, 0, span);
        let value = times(steps, step, span);
        let ty = match &value.ty {
            Type::Range(range) => Type::Range(Interval::decimal(range.lo, range.hi, places)),
            _ => Type::numbers(places),
        };
        Expr { ty, ..value }
    }

    /// Reports `a + b rounded down`: it is unclear whether b or the sum is rounded.
    pub(super) fn looks_like_rounded_sum(
        &mut self,
        operator_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) {
        let ast::ExprKind::Rounded { operand, .. } = &right.kind else {
            return;
        };
        let (left, sign) = (self.written(left.span), self.written(operator_span));
        let (right, inner) = (self.written(right.span), self.written(operand.span));
        let how = right.strip_prefix(inner).unwrap_or_default().trim();
        let other = format!("{left} {sign} ({right})");
        let whole = format!("({left} {sign} {inner}) {how}");
        let inner = self.text(operand.span);
        self.report(
            Diagnostic::error(
                Code::ReadsOtherwise,
                span,
                format!("only `{inner}` is rounded here, not what it is added to or taken from"),
            )
            .help(format!("write `{other}` if you mean that, or `{whole}`"))
            .edit(span, other, false)
            .edit(span, whole, false),
        );
    }
}

/// The number, which may be none, with this many decimal places, or its own if it has more.
pub(super) fn with_places(value: Expr, places: u8) -> Expr {
    let number = value.ty.required();
    let Some((own, ty)) = number.places().zip(type_with_places(number, places)) else {
        return value;
    };
    let span = value.span;
    if value.ty.is_optional() {
        let ty = ty.optional();
        return Expr::new(ExprKind::Converted(Box::new(value)), ty, span);
    }
    if let ExprKind::Constant(Constant::Scalar(number)) = value.kind
        && let Some(number) = scaled(number, own, places)
    {
        return Expr::scalar(number, ty, span);
    }
    let value = times(value, unit(places - own), span);
    Expr { ty, ..value }
}

/// Two numbers with the same number of decimal places, at least `least`; other values are unchanged.
pub(super) fn of_equal_places(left: Expr, right: Expr, least: u8) -> (Expr, Expr) {
    let (Some(first), Some(second)) = (left.ty.places(), right.ty.places()) else {
        return (left, right);
    };
    let places = first.max(second).max(least);
    (with_places(left, places), with_places(right, places))
}

/// The type of the same numbers with more decimal places; none if they have as many, or for other types.
pub(super) fn type_with_places(ty: &Type, places: u8) -> Option<Type> {
    ty.places().filter(|own| *own < places)?;
    let scaled = match ty {
        Type::Range(range) => range.scaled(places).map(Type::Range),
        _ => None,
    };
    Some(scaled.unwrap_or(Type::numbers(places)))
}

/// The result of an operator on two numbers, both in units of `places` decimal places.
fn combined(operator: Arithmetic, left: Expr, right: Expr, places: u8, span: Span) -> Expr {
    let ty = match interval(operator, &left.ty, &right.ty) {
        Some(range) => Type::Range(Interval { places, ..range }),
        None => Type::numbers(places),
    };
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = ExprKind::Arithmetic {
        operator,
        left,
        right,
    };
    Expr::new(kind, ty, span)
}

/// A number of units, multiplied.
fn times(value: Expr, by: i64, span: Span) -> Expr {
    if by == 1 {
        return value;
    }
    combined(
        Arithmetic::Multiply,
        value,
        Expr::number(by, 0, span),
        0,
        span,
    )
}
