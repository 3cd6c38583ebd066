//! Checks arithmetic, neighbours (`after`, `before`) and extremes (`highest of`, `lowest of`).

use super::{Checker, Scope, apply::Lifts};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Arithmetic, Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{Interval, Type},
};

impl Checker<'_> {
    pub(super) fn arithmetic(
        &mut self,
        scope: &mut Scope,
        operator: Arithmetic,
        operator_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        self.looks_like_neighbour(operator, left, right, span);
        if matches!(operator, Arithmetic::Add | Arithmetic::Subtract) {
            self.looks_like_rounded_sum(operator_span, left, right, span);
        }
        let left = self.expression(scope, left, Some(&Type::Number));
        let right = self.expression(scope, right, Some(&Type::Number));
        let texts = (self.text(left.span), self.text(right.span));
        if let Some(help) = other_operator(operator, (&left, &texts.0), (&right, &texts.1)) {
            let message = format!(
                "`{}` is {}, and `{}` joins numbers",
                self.text(left.span),
                self.described(&left.ty),
                self.text(operator_span)
            );
            self.report(Diagnostic::error(Code::NotNumber, operator_span, message).help(help));
            return Self::wrong(span);
        }
        let what = format!("`{}` joins numbers", self.text(operator_span));
        let left = self.as_number(left, &what);
        let right = self.as_number(right, &what);
        if left.ty == Type::Wrong || right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        if matches!(operator, Arithmetic::Divide | Arithmetic::Modulo) {
            self.divisor(&right);
        }
        self.calculation(operator, left, right, operator_span, span)
    }

    /// Reports `level of mode + 1`, which is `(level of mode) + 1`, where the level of the next mode may be intended.
    pub(super) fn looks_like_neighbour(
        &mut self,
        operator: Arithmetic,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) {
        let ast::ExprKind::Apply {
            function,
            arguments,
            with_of: true,
        } = &left.kind
        else {
            return;
        };
        let (Arithmetic::Add | Arithmetic::Subtract, [argument]) = (operator, arguments.as_slice())
        else {
            return;
        };
        let ast::ExprKind::Name(name) = &argument.kind else {
            return;
        };
        if !matches!(right.kind, ast::ExprKind::Number(1)) || !self.is_ring_state(&name.text) {
            return;
        }
        let (function, name) = (&function.text, &name.text);
        let neighbour = |word: &str| format!("{function} of {word} {name}");
        let (word, sign) = if operator == Arithmetic::Add {
            ("after", "+")
        } else {
            ("before", "-")
        };
        self.report(
            Diagnostic::error(
                Code::ReadsOtherwise,
                span,
                format!("this is 1 {} than `{function} of {name}`, not the {function} of the {}",
                    if sign == "+" { "more" } else { "less" },
                    if sign == "+" { "next" } else { "one before" }),
            )
            .help(format!(
                "write `({function} of {name}) {sign} 1` if you mean that, or `{function} of {word} {name}`"
            ))
            .edit(span, format!("({function} of {name}) {sign} 1"), false)
            .edit(span, neighbour(word), false)
            .note(format!("you see this because `{name}` is a state or given, and a ring has a next member")),
        );
    }

    /// Whether the state or fact with this name is a member of a ring.
    pub(super) fn is_ring_state(&self, name: &str) -> bool {
        use crate::resolve::Entity;
        let ty = match self.resolved.names.get(name) {
            Some((Entity::State(id), _)) => &self.resolved.states[id.index()].ty,
            Some((Entity::Given(id), _)) => &self.resolved.givens[id.index()].ty,
            _ => return false,
        };
        matches!(ty, Type::Member(part) if self.resolved.types.kind(part.kind).ring)
    }

    /// `after x`, `after(x, n)`, `before x`
    pub(super) fn beside(
        &mut self,
        scope: &mut Scope,
        before: bool,
        operand: &ast::Expr,
        steps: Option<&ast::Expr>,
        span: Span,
    ) -> Expr {
        let word = if before { "before" } else { "after" };
        let operand = self.expression(scope, operand, None);
        let mut lifts = Lifts::default();
        let operand = Self::lifted(scope, operand, false, &mut lifts);
        let Type::Member(part) = operand.ty else {
            if operand.ty != Type::Wrong {
                let message = format!(
                    "{}, but `{word}` takes a member of a kind",
                    self.text_and_type(&operand)
                );
                let mut diagnostic = Diagnostic::error(Code::WrongType, operand.span, message);
                if operand.ty.is_number() {
                    let sign = if before { "-" } else { "+" };
                    diagnostic =
                        diagnostic.help(format!("write `{} {sign} 1`", self.text(operand.span)));
                }
                self.report(diagnostic);
            }
            return Self::wrong(span);
        };
        let steps = match steps {
            Some(steps) => self.number(scope, steps, "the number of steps is expected here"),
            None => Expr::new(
                ExprKind::Constant(crate::types::Constant::Scalar(1)),
                Type::Range(Interval::new(1, 1)),
                span,
            ),
        };
        let whole = self.resolved.types.whole(part.kind);
        let ty = if self.resolved.types.kind(part.kind).ring {
            whole
        } else {
            whole.optional()
        };
        lifts.around(Expr::new(
            ExprKind::Beside {
                operand: Box::new(operand),
                steps: Box::new(steps),
                before,
            },
            ty,
            span,
        ))
    }

    /// `highest of c`, `lowest of c`
    pub(super) fn extreme(
        &mut self,
        scope: &mut Scope,
        highest: bool,
        operand: &ast::Expr,
        span: Span,
    ) -> Expr {
        let operand = self.expression(scope, operand, None);
        if operand.ty == Type::Wrong {
            return operand;
        }
        let word = if highest { "highest of" } else { "lowest of" };
        let mut lifts = Lifts::default();
        let operand = Self::lifted(scope, operand, false, &mut lifts);
        let Some(element) = operand.ty.element().cloned() else {
            self.not_collection(&operand, &format!("`{word}` takes a collection"));
            return Self::wrong(span);
        };
        if !self.resolved.types.is_ordered(&element) && element != Type::Nothing {
            let message = format!(
                "`{}` holds {}, and such values have no order",
                self.text(operand.span),
                self.display(&element)
            );
            let help = format!(
                "say what decides: `best x in {} by {} …`, with a number of x",
                self.text(operand.span),
                if highest { "highest" } else { "lowest" }
            );
            self.report(Diagnostic::error(Code::NoOrder, operand.span, message).help(help));
            return Self::wrong(span);
        }
        // If one of several listed members is never none, neither is the extreme.
        let is_listed = match &operand.kind {
            ExprKind::Collect(members) => members.iter().any(|member| !member.ty.is_optional()),
            _ => false,
        };
        let kind = ExprKind::Extreme {
            highest,
            operand: Box::new(operand),
        };
        let ty = if is_listed {
            element
        } else {
            element.optional()
        };
        lifts.around(Expr::new(kind, ty, span))
    }
}

/// What to write instead of `+` or `-` between values that are not numbers.
fn other_operator(
    operator: Arithmetic,
    (left, left_text): (&Expr, &str),
    (right, right_text): (&Expr, &str),
) -> Option<String> {
    let add = match operator {
        Arithmetic::Add => true,
        Arithmetic::Subtract => false,
        _ => return None,
    };
    // A single member to add or remove needs brackets.
    let is_one = |element: &Type| {
        let is_known = right.ty != Type::Wrong && right.ty.element().is_none();
        is_known && crate::types::join(element, right.ty.required()).is_some()
    };
    match (&left.ty, &right.ty) {
        (Type::Set(element) | Type::Bag(element), _) => {
            let word = if add { "with" } else { "without" };
            Some(if is_one(element) {
                format!("write `{left_text} {word} {{{right_text}}}`")
            } else {
                format!("write `{left_text} {word} {right_text}`")
            })
        }
        (Type::Pile(element), _) if add => Some(if is_one(element) {
            format!(
                "write `{left_text} then [{right_text}]`, or `[{right_text}] then {left_text}` to put it on top"
            )
        } else {
            format!("write `{left_text} then {right_text}`")
        }),
        (Type::Member(_), right) if right.is_number() => {
            let (word, sign) = if add { ("after", '+') } else { ("before", '-') };
            let instead = if right_text == "1" {
                format!("{word} {left_text}")
            } else {
                format!("{word}({left_text}, {right_text})")
            };
            Some(format!(
                "write `{instead}`: members of a kind have no `{sign}`"
            ))
        }
        (left, right) if add && (left.is_text() || right.is_text()) => {
            Some("write one text with holes: `\"{a}{b}\"`".into())
        }
        _ => None,
    }
}

/// The possible results of arithmetic on two ranges, if they fit; units do not matter.
pub(super) fn interval(operator: Arithmetic, left: &Type, right: &Type) -> Option<Interval> {
    let (Type::Range(left), Type::Range(right)) = (left, right) else {
        if let (Arithmetic::Modulo, Type::Range(right)) = (operator, right)
            && right.lo > 0
        {
            return Some(Interval::new(0, right.hi - 1));
        }
        return None;
    };
    let hull = |operation: fn(i64, i64) -> Option<i64>| {
        let corners = [
            operation(left.lo, right.lo)?,
            operation(left.lo, right.hi)?,
            operation(left.hi, right.lo)?,
            operation(left.hi, right.hi)?,
        ];
        Some(Interval::new(
            corners.iter().copied().min()?,
            corners.iter().copied().max()?,
        ))
    };
    match operator {
        Arithmetic::Add => hull(i64::checked_add),
        Arithmetic::Subtract => hull(i64::checked_sub),
        Arithmetic::Multiply => hull(i64::checked_mul),
        Arithmetic::Divide if right.lo > 0 => hull(crate::arithmetic::divide),
        Arithmetic::Modulo if right.lo > 0 => Some(Interval::new(0, right.hi - 1)),
        Arithmetic::DivideUp if right.lo > 0 => hull(crate::arithmetic::divide_up),
        Arithmetic::DivideEven if right.lo > 0 => hull(crate::arithmetic::divide_even),
        Arithmetic::Divide | Arithmetic::DivideUp | Arithmetic::DivideEven | Arithmetic::Modulo => {
            None
        }
    }
}
