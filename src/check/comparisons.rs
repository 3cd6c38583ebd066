//! Comparisons: equality, membership and order.

use super::{Checker, Scope, operators::not};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind, Order, is_same},
    resolve::StateItem,
    source::Span,
    syntax::ast,
    types::Type,
};

impl Checker<'_> {
    /// Checks both sides of a comparison, the one with the more specific type first.
    pub(super) fn pair(
        &mut self,
        scope: &mut Scope,
        left: &ast::Expr,
        right: &ast::Expr,
    ) -> (Expr, Expr) {
        if self.needs_expected_type(left) && !self.needs_expected_type(right) {
            let right = self.expression(scope, right, None);
            let left = self.expression(scope, left, Some(right.ty.required()));
            (left, right)
        } else {
            let left = self.expression(scope, left, None);
            let right = self.expression(scope, right, Some(left.ty.required()));
            (left, right)
        }
    }

    pub(super) fn is(
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
        let Some(joined) = crate::types::join(&left.ty, &right.ty) else {
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
        self.compared_with_itself(&left, &right, span);
        if let Some(value) = self.literal(&right) {
            self.constant_comparison(scope, &left, (value, value), negated, span);
        }
        let left = self.fitted(left, &joined);
        let right = self.fitted(right, &joined);
        let is = Expr::new(ExprKind::Is(left.into(), right.into()), Type::YesNo, span);
        if negated { not(is) } else { is }
    }

    pub(super) fn never_none(&mut self, value: &Expr, span: Span) {
        let text = self.text(value.span);
        let warning = Diagnostic::warning(Code::NeverNone, span, format!("`{text}` is never none"))
            .here("this always has a value");
        self.report(if value.ty.element().is_some() {
            warning.help(format!("to ask whether there is anything in it, write `{text} is empty` or `{text} is not empty`"))
        } else {
            warning
        });
    }

    pub(super) fn never_equal(&mut self, left: &Expr, right: &Expr, span: Span) {
        let message = self.two_types(left, right, "they are never the same");
        let mut diagnostic = Diagnostic::error(Code::NeverEqual, span, message);
        for (one, other) in [(left, right), (right, left)] {
            if let Type::Member(part) = one.ty.required()
                && let Some(name) = self.text(other.span).strip_prefix('"')
                && let Some(name) = name.strip_suffix('"')
            {
                let members = &self.resolved.types.kind(part.kind).members;
                if members.iter().any(|member| member == name) {
                    diagnostic = diagnostic.help(format!("write `{name}`, without quotes"));
                }
            }
        }
        for (one, other) in [(left, right), (right, left)] {
            if let Some(element) = one.ty.element()
                && crate::types::join(element, other.ty.required()).is_some()
            {
                let (all, item) = (self.text(one.span), self.text(other.span));
                let is_type = self.resolved.names.get(&*all);
                diagnostic = diagnostic.help(match &one.ty {
                    _ if is_type.is_some_and(|(entity, _)| entity.is_type()) => {
                        format!("`{all}` is the set of all its members: compare the one that you mean, such as a field or a state of this type")
                    }
                    Type::Pile(_) => format!("write `{item} in {all}`, `every x in {all} has x is {item}`, or `{all} is [{item}]`"),
                    _ => format!("write `{item} in {all}`, or `{all} is {{{item}}}`"),
                });
            }
        }
        self.report(diagnostic);
    }

    pub(super) fn membership(
        &mut self,
        scope: &mut Scope,
        negated: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (item, collection) =
            if self.needs_expected_type(right) || !self.needs_expected_type(left) {
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
        if let ExprKind::Span(lo, hi) = &collection.kind
            && let (Some(lo), Some(hi)) = (self.literal(lo), self.literal(hi))
        {
            self.constant_comparison(scope, &item, (lo, hi), negated, span);
        }
        let found = Expr::new(
            ExprKind::In(Box::new(item), Box::new(collection)),
            Type::YesNo,
            span,
        );
        if negated { not(found) } else { found }
    }

    /// Reports a value that is not a collection.
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
            diagnostic = diagnostic.help(format!("for the numbers up to it, write `1..{text}`"));
        } else if let Type::Map(key, entry) = &value.ty {
            let key = self.display(key);
            diagnostic = diagnostic.help(if entry.required().element().is_some() {
                format!("say whose: `{text} of k`, where k is a {key}")
            } else {
                format!("its keys are `{key}`, and its entries `({text} of k for k in {key})`")
            });
        } else {
            diagnostic = diagnostic.help(format!("write `{{{text}}}`"));
        }
        self.report(diagnostic);
    }

    /// The item, if it can be a member of a collection of `element`.
    pub(super) fn comparable(&mut self, item: Expr, element: &Type) -> Option<Expr> {
        if item.ty == Type::Wrong {
            return None;
        }
        if item.ty.required().places() > element.places() && element.is_number() {
            self.too_many_places(&item, element);
            return None;
        }
        if crate::types::join(item.ty.required(), element).is_some() {
            return Some(match element.places() {
                Some(places) => super::decimals::with_places(item, places),
                None => item,
            });
        }
        let message = format!(
            "`{}` is {}, but the collection holds {}",
            self.text(item.span),
            self.described(&item.ty),
            self.display(element)
        );
        self.report(Diagnostic::error(Code::NeverEqual, item.span, message));
        None
    }

    pub(super) fn within(
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
            && crate::types::join_elements(a, b).is_none()
        {
            self.never_equal(&left, &right, span);
            return Self::wrong(span);
        }
        Expr::new(
            ExprKind::Within(Box::new(left), Box::new(right)),
            Type::YesNo,
            span,
        )
    }

    pub(super) fn order(
        &mut self,
        scope: &mut Scope,
        operator: Order,
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
                let note = "numbers, members of a kind and products of them have one";
                self.report(self.no_order(side).note(note));
                return Self::wrong(span);
            }
        }
        if left.ty == Type::Wrong || right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        if crate::types::join(&left.ty, &right.ty).is_none() {
            let message = self.two_types(&left, &right, "they cannot be compared");
            self.report(Diagnostic::error(Code::NeverEqual, span, message));
            return Self::wrong(span);
        }
        self.compared_with_itself(&left, &right, span);
        if let Some((value, meant)) = self.bounded(operator, &left, &right) {
            self.constant_comparison(scope, value, meant, false, span);
        }
        let (left, right) = super::decimals::of_equal_places(left, right, 0);
        Expr::new(
            ExprKind::Order {
                operator,
                left: Box::new(left),
                right: Box::new(right),
            },
            Type::YesNo,
            span,
        )
    }

    /// Warns of `new total is new total`.
    fn compared_with_itself(&mut self, left: &Expr, right: &Expr, span: Span) {
        if matches!(left.kind, ExprKind::Constant(_)) || !is_same(left, right) {
            return;
        }
        let message = format!("this compares `{}` with itself", self.text(left.span));
        self.report(
            Diagnostic::warning(Code::ConstantCondition, span, message)
                .help("compare it with something else, or leave this out"),
        );
    }

    /// A whole number that is written in digits, not as an option, which could be set to another.
    fn literal(&self, value: &Expr) -> Option<i64> {
        let is_whole = value.ty.places() == Some(0);
        self.written(value.span).parse().ok().filter(|_| is_whole)
    }

    /// What a comparison with a literal compares, and the numbers for which it holds.
    fn bounded<'e>(
        &self,
        operator: Order,
        left: &'e Expr,
        right: &'e Expr,
    ) -> Option<(&'e Expr, (i64, i64))> {
        let (value, limit, operator) = match (self.literal(left), self.literal(right)) {
            (None, Some(limit)) => (left, limit, operator),
            (Some(limit), None) => {
                let mirrored = match operator {
                    Order::Less => Order::Greater,
                    Order::LessOrEqual => Order::GreaterOrEqual,
                    Order::Greater => Order::Less,
                    Order::GreaterOrEqual => Order::LessOrEqual,
                };
                (right, limit, mirrored)
            }
            _ => return None,
        };
        let holds = match operator {
            Order::Less => (i64::MIN, limit.checked_sub(1)?),
            Order::LessOrEqual => (i64::MIN, limit),
            Order::Greater => (limit.checked_add(1)?, i64::MAX),
            Order::GreaterOrEqual => (limit, i64::MAX),
        };
        Some((value, holds))
    }

    /// Warns of `n > 10` where `n` is a field or state that is declared as `0..10`.
    fn constant_comparison(
        &mut self,
        scope: &Scope,
        value: &Expr,
        (lo, hi): (i64, i64),
        negated: bool,
        span: Span,
    ) {
        let Some((least, most)) = self.declared_range(scope, value) else {
            return;
        };
        let always = match () {
            () if hi < least || most < lo => negated,
            () if lo <= least && most <= hi => !negated,
            () => return,
        };
        let holds = if always { "always" } else { "never" };
        let text = self.text(value.span);
        let message = format!("this {holds} holds: `{text}` is one of {least}..{most}");
        let help = if always {
            "leave it out, or compare with something else".to_string()
        } else {
            format!("compare `{text}` with one of them, or with something else")
        };
        self.report(Diagnostic::warning(Code::ConstantCondition, span, message).help(help));
    }

    /// The numbers of a field or state that is declared with a range of literals.
    fn declared_range(&self, scope: &Scope, value: &Expr) -> Option<(i64, i64)> {
        let ty = match &super::rounds::map_of(value).kind {
            ExprKind::EventField(field) => {
                let item = self.resolved.events.get(scope.event?.index())?.item?;
                &item.fields.get(*field)?.ty
            }
            ExprKind::State(state, _) => match self.resolved.states.get(state.index())?.item {
                StateItem::State(state) => &state.ty,
                StateItem::Just(_) => return None,
            },
            _ => return None,
        };
        let ast::TypeKind::Range(lo, hi) = &ty.kind else {
            return None;
        };
        match (&lo.kind, &hi.kind) {
            (ast::ExprKind::Number(lo), ast::ExprKind::Number(hi)) => Some((*lo, *hi)),
            _ => None,
        }
    }

    /// Warns of `n > 5 and n < 3`, which never holds.
    pub(super) fn never(&mut self, left: &Expr, right: &Expr, span: Span) {
        let meant = |checker: &Self, condition: &Expr| -> Option<(Expr, (i64, i64))> {
            match &condition.kind {
                ExprKind::Order {
                    operator,
                    left,
                    right,
                } => {
                    let (value, holds) = checker.bounded(*operator, left, right)?;
                    Some((value.clone(), holds))
                }
                ExprKind::Is(value, other) => {
                    let only = checker.literal(other)?;
                    Some(((**value).clone(), (only, only)))
                }
                _ => None,
            }
        };
        let Some((value, (lo, hi))) = meant(self, right) else {
            return;
        };
        let others = super::rounds::parts(left);
        let excludes = |other: &&Expr| {
            meant(self, other).is_some_and(|(same, (least, most))| {
                is_same(&same, &value) && (hi < least || most < lo)
            })
        };
        let Some(other) = others.into_iter().find(excludes) else {
            return;
        };
        let [one, other] = [other.span, right.span].map(|span| self.text(span));
        let message = format!("this never holds: `{one}` and `{other}` exclude each other");
        self.report(
            Diagnostic::warning(Code::ConstantCondition, span, message)
                .help("write `or` where one of them is enough"),
        );
    }
}
