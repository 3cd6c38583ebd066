//! Operators: on yes/no, numbers, ordered values and collections.

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    operators::{self, Rule},
    program::{Expr, ExprKind, is_same},
    source::Span,
    syntax::ast::{self, Operator, Prefix},
    types::{Constant, Interval, Type},
};

impl Checker<'_> {
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one operator, as the tree has them"
    )]
    pub(super) fn binary(
        &mut self,
        scope: &mut Scope,
        operator: Operator,
        operator_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let entry = operators::entry(operator);
        match entry.rule {
            Rule::Junction { and } => self.junction(scope, and, entry.sign, left, right, span),
            Rule::Equality { negated } => self.is(scope, negated, left, right, span),
            Rule::Membership { negated } => self.membership(scope, negated, left, right, span),
            Rule::Inclusion => self.within(scope, left, right, span),
            Rule::Order(order) => self.order(scope, order, left, right, span),
            Rule::Default => self.or_else(scope, (left, right), expected, false, span),
            Rule::Range => self.range(scope, left, right, expected, span),
            Rule::Arithmetic(_)
                if expected == Some(&Type::Text) && self.lacks_quotes(left, right) =>
            {
                let message = "a text is expected here, and its quotes are missing";
                let text = format!("\"{}\"", self.written(span));
                self.report(Diagnostic::error(Code::WrongType, span, message).write(text));
                Self::wrong(span)
            }
            Rule::Arithmetic(operator) => {
                self.arithmetic(scope, operator, operator_span, left, right, span)
            }
            Rule::Change { without } => self.with(scope, without, left, right, expected, span),
            Rule::Concatenation => self.then(scope, left, right, expected, span),
        }
    }

    /// Whether both sides of an operator are holes of a text without quotes: `{a}-{b}`.
    fn lacks_quotes(&self, left: &ast::Expr, right: &ast::Expr) -> bool {
        let is_hole = |side: &ast::Expr| {
            let written = self.written(side.span);
            written.starts_with('{') && written.ends_with('}') && !written.contains('"')
        };
        is_hole(left) && is_hole(right)
    }

    fn junction(
        &mut self,
        scope: &mut Scope,
        and: bool,
        word: &str,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let left = self.joined_condition(scope, left, None, word);
        if !and && self.is_further_value(scope, &left, right) {
            return Self::wrong(span);
        }
        let right = self.joined_condition(scope, right, Some(&left), word);
        if and {
            self.never(&left, &right, span);
        } else {
            self.always(&left, &right, span);
        }
        let make = if and { ExprKind::And } else { ExprKind::Or };
        Expr::new(make(left.into(), right.into()), Type::YesNo, span)
    }

    /// Reports `a is One or Two and c`, where `Two and c` binds tighter.
    fn is_further_value(&mut self, scope: &mut Scope, left: &Expr, right: &ast::Expr) -> bool {
        let Some((of, first)) = compared(left) else {
            return false;
        };
        let ast::ExprKind::Binary {
            operator: Operator::And,
            left: written,
            ..
        } = &right.kind
        else {
            return false;
        };
        // Its errors are reported below, or when it is checked again.
        let errors_before = self.diagnostics.len();
        let value = self.expression(scope, written, Some(first.ty.required()));
        self.diagnostics.truncate(errors_before);
        if matches!(value.ty, Type::YesNo | Type::Wrong)
            || value.ty.is_optional()
            || crate::types::join(&value.ty, first.ty.required()).is_none()
        {
            return false;
        }
        self.further_value(&value, (of, &first), "and", " and …");
        true
    }

    /// Reports a value that `or` or `and` joins to a comparison with another value.
    fn further_value(&mut self, value: &Expr, (of, first): (&Expr, &Expr), word: &str, rest: &str) {
        let message = format!(
            "{}, not yes/no, so `{word}` cannot join it",
            self.text_and_type(value)
        );
        let [of, first, other] = [of, first, value].map(|part| self.text(part.span));
        self.report(
            Diagnostic::error(Code::NotYesNo, value.span, message)
                .help(format!("write `{of} in {{{first}, {other}}}{rest}`")),
        );
    }

    /// Warns of `a is not One or a is not Two`, which always holds.
    fn always(&mut self, left: &Expr, right: &Expr, span: Span) {
        let (Some((one, first)), Some((other, second))) = (excluded(left), excluded(right)) else {
            return;
        };
        let constant = |value: &Expr| matches!(value.kind, ExprKind::Constant(Constant::Scalar(_)));
        let differ = constant(first) && constant(second) && !is_same(first, second);
        if !differ || !is_same(one, other) {
            return;
        }
        let [what, first, second] = [one, first, second].map(|part| self.text(part.span));
        let message = format!("this always holds: `{what}` is never both `{first}` and `{second}`");
        self.report(
            Diagnostic::warning(Code::ConstantCondition, span, message)
                .help(format!("write `{what} not in {{{first}, {second}}}`")),
        );
    }

    /// Checks one side of `and` or `or`. `size of box is Small or Large` is a common mistake.
    fn joined_condition(
        &mut self,
        scope: &mut Scope,
        written: &ast::Expr,
        left: Option<&Expr>,
        word: &str,
    ) -> Expr {
        let compared = left.and_then(|left| compared(left));
        let expected = compared.as_ref().map(|(_, value)| value.ty.clone());
        let value = self.expression(
            scope,
            written,
            Some(expected.as_ref().unwrap_or(&Type::YesNo)),
        );
        if value.ty == Type::YesNo || value.ty == Type::Wrong {
            return value;
        }
        if let Some((of, first)) = compared
            && word == "or"
            && !value.ty.is_optional()
            && crate::types::join(&value.ty, first.ty.required()).is_some()
        {
            self.further_value(&value, (of, &first), word, "");
            return Self::wrong(value.span);
        }
        if value.ty.is_optional() && *value.ty.required() == Type::YesNo {
            self.may_be_none(&value, &format!("`{word}` joins yes and no"));
        } else {
            let message = format!(
                "{}, not yes/no, so `{word}` cannot join it",
                self.text_and_type(&value)
            );
            let mut diagnostic = Diagnostic::error(Code::NotYesNo, value.span, message);
            if word == "or" && left.is_none() && value.ty.is_optional() {
                let text = self.text(value.span);
                diagnostic = diagnostic.help(format!(
                    "for another value where it is none, write `{text} else …`"
                ));
            }
            self.report(diagnostic);
        }
        Self::wrong(value.span)
    }

    /// Checks `x else y`. If it is the whole of a hole, `y` may be a text although `x` has another type.
    pub(super) fn or_else(
        &mut self,
        scope: &mut Scope,
        (left, right): (&ast::Expr, &ast::Expr),
        expected: Option<&Type>,
        written: bool,
        span: Span,
    ) -> Expr {
        let left = self.expression(scope, left, expected);
        if left.ty == Type::Wrong {
            self.expression(scope, right, expected);
            return Self::wrong(span);
        }
        if !left.ty.is_optional() {
            self.never_none(&left, span);
        }
        let inner = left.ty.required().clone();
        let right = self.expression(scope, right, Some(&inner));
        if right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let Some(joined) = crate::types::join(&inner, &right.ty) else {
            if written && right.ty == Type::Text && self.is_printable(&inner) {
                let left = Self::as_text(scope, left);
                let kind = ExprKind::Else(Box::new(left), Box::new(right));
                return Expr::new(kind, Type::Text, span);
            }
            let message = format!(
                "`{}` is {} and `{}` is {}",
                self.text(left.span),
                self.described(&inner),
                self.text(right.span),
                self.described(&right.ty)
            );
            self.report(
                Diagnostic::error(Code::WrongType, span, message)
                    .help("what comes after `else` has the same type"),
            );
            return Self::wrong(span);
        };
        let left = self.fitted(left, &joined.clone().optional());
        let right = self.fitted(right, &joined);
        Expr::new(
            ExprKind::Else(Box::new(left), Box::new(right)),
            joined,
            span,
        )
    }

    pub(super) fn unary(
        &mut self,
        scope: &mut Scope,
        operator: Prefix,
        operand: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        match operator {
            Prefix::Not => not(Expr {
                span,
                ..self.condition(scope, operand)
            }),
            Prefix::Negate => {
                let operand = self.expression(scope, operand, Some(&Type::Number));
                let operand = self.as_number(operand, "`-` goes before numbers");
                let places = operand.ty.places().unwrap_or(0);
                if let ExprKind::Constant(Constant::Scalar(value)) = operand.kind {
                    let value = value.saturating_neg();
                    return Expr::new(
                        ExprKind::Constant(Constant::Scalar(value)),
                        Type::one_number(value, places),
                        span,
                    );
                }
                let ty = match &operand.ty {
                    Type::Range(range) => match (range.hi.checked_neg(), range.lo.checked_neg()) {
                        (Some(lo), Some(hi)) => Type::Range(Interval::decimal(lo, hi, places)),
                        _ => Type::numbers(places),
                    },
                    other => other.clone(),
                };
                Expr::new(ExprKind::Negate(Box::new(operand)), ty, span)
            }
            Prefix::The => {
                let operand = self.expression(scope, operand, expected);
                match operand.ty.clone() {
                    Type::Optional(inner) => {
                        Expr::new(ExprKind::The(Box::new(operand)), (*inner).clone(), span)
                    }
                    Type::Wrong => operand,
                    _ => {
                        self.never_none(&operand, span);
                        operand
                    }
                }
            }
        }
    }
}

/// `not e`
pub(super) fn not(operand: Expr) -> Expr {
    let span = operand.span;
    Expr::new(ExprKind::Not(Box::new(operand)), Type::YesNo, span)
}

/// The sides of `a is not b`.
fn excluded(condition: &Expr) -> Option<(&Expr, &Expr)> {
    match &condition.kind {
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::Is(left, right) => Some((left, right)),
            _ => None,
        },
        ExprKind::Or(_, last) => excluded(last),
        _ => None,
    }
}

/// The sides of `a is b` or `a in {b}`.
fn compared(condition: &Expr) -> Option<(&Expr, Expr)> {
    match &condition.kind {
        ExprKind::Is(left, right) => Some((left, (**right).clone())),
        ExprKind::Or(_, last) => compared(last),
        _ => None,
    }
}
