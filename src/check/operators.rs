//! Operators: on yes/no, numbers, ordered values and collections.

use super::{Checker, Scope, apply::Lifts};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Arithmetic, Expr, ExprKind, Order},
    source::Span,
    syntax::ast::{self, Operator, Prefix},
    types::{Interval, Type},
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
        match operator {
            Operator::Or | Operator::And => self.junction(scope, operator, left, right, span),
            Operator::Is | Operator::IsNot => {
                self.is(scope, operator == Operator::IsNot, left, right, span)
            }
            Operator::In | Operator::NotIn => {
                self.membership(scope, operator == Operator::NotIn, left, right, span)
            }
            Operator::Within => self.within(scope, left, right, span),
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => self.order(scope, operator, left, right, span),
            Operator::Else => self.or_else(scope, left, right, expected, span),
            Operator::Range => self.range(scope, left, right, expected, span),
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Modulo => {
                self.arithmetic(scope, operator, operator_span, left, right, span)
            }
            Operator::With | Operator::Without => self.with(
                scope,
                operator == Operator::Without,
                left,
                right,
                expected,
                span,
            ),
            Operator::Then => self.then(scope, left, right, expected, span),
        }
    }

    fn junction(
        &mut self,
        scope: &mut Scope,
        operator: Operator,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let word = if operator == Operator::And {
            "and"
        } else {
            "or"
        };
        let left = self.joined_condition(scope, left, None, word);
        let right_value = self.joined_condition(scope, right, Some(&left), word);
        let kind = if operator == Operator::And {
            ExprKind::And(Box::new(left), Box::new(right_value))
        } else {
            ExprKind::Or(Box::new(left), Box::new(right_value))
        };
        Expr {
            kind,
            ty: Type::YesNo,
            span,
        }
    }

    /// One side of `and` or `or`. `grade of tile is One or Two` is a slip that everybody makes once.
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
            && self
                .resolved
                .types
                .join(&value.ty, first.ty.required())
                .is_some()
        {
            let message = format!(
                "`{}` is {}, not yes/no, so `or` cannot join it",
                self.text(value.span),
                self.described(&value.ty)
            );
            let help = format!(
                "write `{} in {{{}, {}}}`",
                self.text(of.span),
                self.text(first.span),
                self.text(value.span)
            );
            self.report(Diagnostic::error(Code::NotYesNo, value.span, message).help(help));
            return Self::wrong(value.span);
        }
        if value.ty.is_optional() && *value.ty.required() == Type::YesNo {
            self.may_be_none(&value, &format!("`{word}` joins yes and no"));
        } else {
            let message = format!(
                "`{}` is {}, not yes/no, so `{word}` cannot join it",
                self.text(value.span),
                self.described(&value.ty)
            );
            self.report(Diagnostic::error(Code::NotYesNo, value.span, message));
        }
        Self::wrong(value.span)
    }

    /// Both sides of a comparison; the one that says more is looked at first.
    fn pair(&mut self, scope: &mut Scope, left: &ast::Expr, right: &ast::Expr) -> (Expr, Expr) {
        if self.is_needy(left) && !self.is_needy(right) {
            let right = self.expression(scope, right, None);
            let left = self.expression(scope, left, Some(right.ty.required()));
            (left, right)
        } else {
            let left = self.expression(scope, left, None);
            let right = self.expression(scope, right, Some(left.ty.required()));
            (left, right)
        }
    }

    fn is(
        &mut self,
        scope: &mut Scope,
        negated: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (left, right) = self.pair(scope, left, right);
        if left.ty == Type::Wrong || right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let Some(joined) = self.resolved.types.join(&left.ty, &right.ty) else {
            self.never_equal(&left, &right, span);
            return Self::wrong(span);
        };
        for (value, other) in [(&left, &right), (&right, &left)] {
            if matches!(other.kind, ExprKind::Constant(crate::types::Constant::None))
                && !value.ty.is_optional()
            {
                self.never_none(value, span);
            }
        }
        let left = self.fitted(left, &joined);
        let right = self.fitted(right, &joined);
        let is = Expr {
            kind: ExprKind::Is(Box::new(left), Box::new(right)),
            ty: Type::YesNo,
            span,
        };
        if negated { not(is) } else { is }
    }

    fn never_none(&mut self, value: &Expr, span: Span) {
        let text = self.text(value.span);
        self.report(
            Diagnostic::warning(Code::NeverNone, span, format!("`{text}` is never none"))
                .here("this is always the same"),
        );
    }

    fn never_equal(&mut self, left: &Expr, right: &Expr, span: Span) {
        let message = format!(
            "`{}` is {} and `{}` is {}: they are never the same",
            self.text(left.span),
            self.described(&left.ty),
            self.text(right.span),
            self.described(&right.ty)
        );
        let mut diagnostic = Diagnostic::error(Code::NeverEqual, span, message);
        for (one, other) in [(left, right), (right, left)] {
            if let Some(element) = one.ty.element()
                && self
                    .resolved
                    .types
                    .join(element, other.ty.required())
                    .is_some()
            {
                diagnostic = diagnostic.help(format!(
                    "write `{} in {}`, or `{} is {{{}}}`",
                    self.text(other.span),
                    self.text(one.span),
                    self.text(one.span),
                    self.text(other.span)
                ));
            }
        }
        self.report(diagnostic);
    }

    fn membership(
        &mut self,
        scope: &mut Scope,
        negated: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (item, collection) = if self.is_needy(right) || !self.is_needy(left) {
            let item = self.expression(scope, left, None);
            let expected = Type::Set(item.ty.required().clone().into());
            let collection = self.expression(scope, right, Some(&expected));
            (item, collection)
        } else {
            let collection = self.expression(scope, right, None);
            let item = self.expression(scope, left, collection.ty.element());
            (item, collection)
        };
        if item.ty == Type::Wrong || collection.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let Some(element) = collection.ty.element().cloned() else {
            self.not_collection(&collection, "`in` asks whether a thing is in a collection");
            return Self::wrong(span);
        };
        let Some(item) = self.comparable(item, &element) else {
            return Self::wrong(span);
        };
        let found = Expr {
            kind: ExprKind::In(Box::new(item), Box::new(collection)),
            ty: Type::YesNo,
            span,
        };
        if negated { not(found) } else { found }
    }

    /// Says that a value is no collection.
    pub(super) fn not_collection(&mut self, value: &Expr, why: &str) {
        let text = self.text(value.span);
        if value.ty.is_optional() && value.ty.required().element().is_some() {
            self.may_be_none(value, why);
            return;
        }
        let mut diagnostic = Diagnostic::error(
            Code::NotCollection,
            value.span,
            format!("`{text}` is {}, and {why}", self.described(&value.ty)),
        );
        if value.ty.is_number() {
            diagnostic = diagnostic.help(format!("for the numbers up to it write `1..{text}`"));
        } else {
            diagnostic = diagnostic.help(format!("write `{{{text}}}`"));
        }
        self.report(diagnostic);
    }

    /// The item, if it can be one of a collection of `element`.
    pub(super) fn comparable(&mut self, item: Expr, element: &Type) -> Option<Expr> {
        if item.ty == Type::Wrong {
            return None;
        }
        if self
            .resolved
            .types
            .join(item.ty.required(), element)
            .is_some()
        {
            return Some(item);
        }
        let message = format!(
            "`{}` is {}, and the collection holds {}",
            self.text(item.span),
            self.described(&item.ty),
            self.display(element)
        );
        self.report(Diagnostic::error(Code::NeverEqual, item.span, message));
        None
    }

    fn within(
        &mut self,
        scope: &mut Scope,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (left, right) = self.pair(scope, left, right);
        for side in [&left, &right] {
            if side.ty != Type::Wrong && side.ty.element().is_none() {
                self.not_collection(side, "`within` compares two collections");
                return Self::wrong(span);
            }
        }
        if left.ty == Type::Wrong || right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let elements = (left.ty.element(), right.ty.element());
        if let (Some(a), Some(b)) = elements
            && self.resolved.types.join(a, b).is_none()
        {
            self.never_equal(&left, &right, span);
            return Self::wrong(span);
        }
        Expr {
            kind: ExprKind::Within(Box::new(left), Box::new(right)),
            ty: Type::YesNo,
            span,
        }
    }

    fn order(
        &mut self,
        scope: &mut Scope,
        operator: Operator,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (left, right) = self.pair(scope, left, right);
        for side in [&left, &right] {
            if side.ty.is_optional() {
                self.may_be_none(side, "none is neither more nor less than anything");
                return Self::wrong(span);
            }
            if side.ty != Type::Wrong && !self.resolved.types.is_ordered(&side.ty) {
                let message = format!(
                    "`{}` is {}, and such values have no order",
                    self.text(side.span),
                    self.described(&side.ty)
                );
                self.report(
                    Diagnostic::error(Code::NoOrder, side.span, message)
                        .note("numbers, members of a kind and products of them have one"),
                );
                return Self::wrong(span);
            }
        }
        if left.ty == Type::Wrong || right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        if self.resolved.types.join(&left.ty, &right.ty).is_none() {
            let message = format!(
                "`{}` is {} and `{}` is {}: they cannot be compared",
                self.text(left.span),
                self.described(&left.ty),
                self.text(right.span),
                self.described(&right.ty)
            );
            self.report(Diagnostic::error(Code::NeverEqual, span, message));
            return Self::wrong(span);
        }
        let operator = match operator {
            Operator::Less => Order::Less,
            Operator::LessOrEqual => Order::LessOrEqual,
            Operator::Greater => Order::Greater,
            _ => Order::GreaterOrEqual,
        };
        Expr {
            kind: ExprKind::Order {
                operator,
                left: Box::new(left),
                right: Box::new(right),
            },
            ty: Type::YesNo,
            span,
        }
    }

    fn or_else(
        &mut self,
        scope: &mut Scope,
        left: &ast::Expr,
        right: &ast::Expr,
        expected: Option<&Type>,
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
        let Some(joined) = self.resolved.types.join(&inner, &right.ty) else {
            let message = format!(
                "`{}` is {} and `{}` is {}",
                self.text(left.span),
                self.described(&inner),
                self.text(right.span),
                self.described(&right.ty)
            );
            self.report(
                Diagnostic::error(Code::WrongType, span, message)
                    .help("what stands after `else` is of the same type"),
            );
            return Self::wrong(span);
        };
        let left = self.fitted(left, &joined.clone().optional());
        let right = self.fitted(right, &joined);
        Expr {
            kind: ExprKind::Else(Box::new(left), Box::new(right)),
            ty: joined,
            span,
        }
    }

    fn arithmetic(
        &mut self,
        scope: &mut Scope,
        operator: Operator,
        operator_span: Span,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        self.looks_like_neighbour(operator, left, right, span);
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
        let operator = match operator {
            Operator::Add => Arithmetic::Add,
            Operator::Subtract => Arithmetic::Subtract,
            Operator::Multiply => Arithmetic::Multiply,
            Operator::Divide => Arithmetic::Divide,
            _ => Arithmetic::Modulo,
        };
        let ty = interval(operator, &left.ty, &right.ty).map_or(Type::Number, Type::Range);
        Expr {
            kind: ExprKind::Arithmetic {
                operator,
                left: Box::new(left),
                right: Box::new(right),
            },
            ty,
            span,
        }
    }

    /// `level of mode + 1` reads as if it meant the next one's; it is `(level of mode) + 1`.
    fn looks_like_neighbour(
        &mut self,
        operator: Operator,
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
        let (Operator::Add | Operator::Subtract, [argument]) = (operator, arguments.as_slice())
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
        let (word, sign) = if operator == Operator::Add {
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
            )),
        );
    }

    /// Whether a state or fact of this name is a member of a ring.
    fn is_ring_state(&self, name: &str) -> bool {
        use crate::resolve::Entity;
        let ty = match self.resolved.names.get(name) {
            Some((Entity::State(id), _)) => &self.resolved.states[id.index()].ty,
            Some((Entity::Given(id), _)) => &self.resolved.givens[id.index()].ty,
            _ => return false,
        };
        matches!(ty, Type::Member(part) if self.resolved.types.kind(part.kind).ring)
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
                let operand = self.number(scope, operand, "`-` stands before numbers");
                if let ExprKind::Constant(crate::types::Constant::Scalar(value)) = operand.kind {
                    let value = value.saturating_neg();
                    return Expr {
                        kind: ExprKind::Constant(crate::types::Constant::Scalar(value)),
                        ty: Type::Range(Interval::new(value, value)),
                        span,
                    };
                }
                let ty = match &operand.ty {
                    Type::Range(range) => match (range.hi.checked_neg(), range.lo.checked_neg()) {
                        (Some(lo), Some(hi)) => Type::Range(Interval::new(lo, hi)),
                        _ => Type::Number,
                    },
                    other => other.clone(),
                };
                Expr {
                    kind: ExprKind::Negate(Box::new(operand)),
                    ty,
                    span,
                }
            }
            Prefix::The => {
                let operand = self.expression(scope, operand, expected);
                match operand.ty.clone() {
                    Type::Optional(inner) => Expr {
                        kind: ExprKind::The(Box::new(operand)),
                        ty: (*inner).clone(),
                        span,
                    },
                    Type::Wrong => operand,
                    _ => {
                        self.never_none(&operand, span);
                        operand
                    }
                }
            }
        }
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
                    "`{}` is {}, and `{word}` is asked of a member of a kind",
                    self.text(operand.span),
                    self.described(&operand.ty)
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
            Some(steps) => self.number(scope, steps, "the number of steps is due here"),
            None => Expr {
                kind: ExprKind::Constant(crate::types::Constant::Scalar(1)),
                ty: Type::Range(Interval::new(1, 1)),
                span,
            },
        };
        let whole = self.resolved.types.whole(part.kind);
        let ty = if self.resolved.types.kind(part.kind).ring {
            whole
        } else {
            whole.optional()
        };
        lifts.around(Expr {
            kind: ExprKind::Beside {
                operand: Box::new(operand),
                steps: Box::new(steps),
                before,
            },
            ty,
            span,
        })
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
            self.not_collection(&operand, &format!("`{word}` is asked of a collection"));
            return Self::wrong(span);
        };
        if !self.resolved.types.is_ordered(&element) && element != Type::Nothing {
            let message = format!(
                "`{}` holds {}, and such values have no order",
                self.text(operand.span),
                self.display(&element)
            );
            self.report(Diagnostic::error(Code::NoOrder, operand.span, message));
            return Self::wrong(span);
        }
        lifts.around(Expr {
            kind: ExprKind::Extreme {
                highest,
                operand: Box::new(operand),
            },
            ty: element.optional(),
            span,
        })
    }
}

/// `not e`
pub(super) fn not(operand: Expr) -> Expr {
    let span = operand.span;
    Expr {
        kind: ExprKind::Not(Box::new(operand)),
        ty: Type::YesNo,
        span,
    }
}

/// What `a is b` or `a in {b}` compares: a and b.
fn compared(condition: &Expr) -> Option<(&Expr, Expr)> {
    match &condition.kind {
        ExprKind::Is(left, right) => Some((left, (**right).clone())),
        ExprKind::Or(_, last) => compared(last),
        _ => None,
    }
}

/// What to write where `+` or `-` stands between things that are no numbers.
fn other_operator(
    operator: Operator,
    (left, left_text): (&Expr, &str),
    (right, right_text): (&Expr, &str),
) -> Option<String> {
    let add = match operator {
        Operator::Add => true,
        Operator::Subtract => false,
        _ => return None,
    };
    let joined = |word: &str| format!("write `{left_text} {word} {right_text}`");
    match (&left.ty, &right.ty) {
        (Type::Set(_) | Type::Bag(_), _) if add => Some(joined("with")),
        (Type::Set(_) | Type::Bag(_), _) => Some(joined("without")),
        (Type::Pile(_), _) if add => Some(joined("then")),
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

/// The numbers that arithmetic on two ranges can give, if they fit.
fn interval(operator: Arithmetic, left: &Type, right: &Type) -> Option<Interval> {
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
        Arithmetic::Divide | Arithmetic::Modulo => None,
    }
}
