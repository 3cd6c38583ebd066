//! Checks variables that range over collections: quantified conditions, `best`, filters and comprehensions.

use super::{Checker, Scope, collections::widened};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind, LocalId, Quantifier, SortKey},
    source::Span,
    syntax::ast,
    types::Type,
};

/// How many variables one expression may bind; evaluation nests as deeply.
const MOST_VARIABLES: usize = 64;

/// How many values the element type of a set may have.
const GREATEST_SPAN: i64 = 1 << 20;

impl Checker<'_> {
    /// Checks the collection that a variable ranges over.
    pub(super) fn ranged(&mut self, scope: &mut Scope, written: &ast::Expr) -> (Expr, Type) {
        let collection = self.expression(scope, written, None);
        if collection.ty == Type::Wrong {
            return (collection, Type::Wrong);
        }
        if let Some(element) = collection.ty.element() {
            let element = element.clone();
            (collection, element)
        } else {
            self.not_collection(&collection, "a variable ranges over a collection");
            (Self::wrong(written.span), Type::Wrong)
        }
    }

    /// Adds variables to the scope. The caller removes them with [`Scope::leave`].
    pub(super) fn bindings(
        &mut self,
        scope: &mut Scope,
        bindings: &[ast::Binding],
    ) -> Vec<(LocalId, Expr)> {
        let mut bound = Vec::new();
        if let Some(first) = bindings.get(MOST_VARIABLES) {
            let message = format!("more than {MOST_VARIABLES} variables are bound in one place");
            self.report(
                Diagnostic::error(Code::TooDeep, first.name.span, message)
                    .help("let one variable go through a type with several parts, or use facts"),
            );
        }
        for binding in bindings.iter().take(MOST_VARIABLES) {
            let (collection, element) = self.ranged(scope, &binding.collection);
            self.shadows(scope, &binding.name);
            let local = scope.parameter(&binding.name.text, element);
            bound.push((local, collection));
        }
        bound
    }

    pub(super) fn quantified(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        bindings: &[ast::Binding],
        condition: &ast::Expr,
        span: Span,
    ) -> Expr {
        let before = scope.variables.len();
        let bound = self.bindings(scope, bindings);
        let reported = self.diagnostics.len();
        let checked = self.condition(scope, condition);
        if self.diagnostics.len() == reported {
            self.stray_condition(&bound, condition, &checked, quantifier);
        }
        scope.leave(before);
        Expr::new(
            ExprKind::Quantified {
                quantifier,
                bindings: bound,
                condition: Box::new(checked),
            },
            Type::YesNo,
            span,
        )
    }

    /// Reports `no q in s where a of q is 9 and mode is A`: the last part does not depend on q, so it may be meant to
    /// be outside.
    pub(super) fn stray_condition(
        &mut self,
        bound: &[(LocalId, Expr)],
        written: &ast::Expr,
        condition: &Expr,
        quantifier: Quantifier,
    ) {
        if matches!(written.kind, ast::ExprKind::Group(_)) {
            return;
        }
        let (ExprKind::And(first, last) | ExprKind::Or(first, last)) = &condition.kind else {
            return;
        };
        let uses_variable = |expr: &Expr| bound.iter().any(|(local, _)| uses_local(expr, *local));
        if !uses_variable(first) || uses_variable(last) || last.ty == Type::Wrong {
            return;
        }
        let word = match quantifier {
            Quantifier::Some => "some",
            Quantifier::No => "no",
            Quantifier::Every => "every",
        };
        let text = self.text(last.span);
        self.report(
            Diagnostic::error(
                Code::ReadsOtherwise,
                last.span,
                format!("`{text}` is part of what `{word}` asks, but does not use its variable"),
            )
            .help(format!(
                "put it before `{word}`, or put parentheses around what `{word}` asks"
            )),
        );
    }

    pub(super) fn best(
        &mut self,
        scope: &mut Scope,
        sorted: bool,
        (bindings, condition): (&[ast::Binding], Option<&ast::Expr>),
        keys: &[ast::Key],
        span: Span,
    ) -> Expr {
        let word = if sorted { "sorted" } else { "best" };
        let [binding] = bindings else {
            let message = format!("`{word}` has one variable");
            self.report(
                Diagnostic::error(Code::WrongType, span, message)
                    .help("make a product of what you look for, and range over that"),
            );
            return Self::wrong(span);
        };
        let before = scope.variables.len();
        let (collection, element) = self.ranged(scope, &binding.collection);
        self.shadows(scope, &binding.name);
        let local = scope.parameter(&binding.name.text, element.clone());
        let condition = condition.map(|condition| Box::new(self.condition(scope, condition)));
        let keys = keys
            .iter()
            .map(|key| SortKey {
                highest: key.highest,
                value: self.sort_key(scope, &key.value),
            })
            .collect();
        scope.leave(before);
        let ty = if sorted {
            Type::Pile(element.into())
        } else {
            element.optional()
        };
        Expr::new(
            ExprKind::Best {
                sorted,
                local,
                collection: Box::new(collection),
                condition,
                keys,
            },
            ty,
            span,
        )
    }

    pub(super) fn sort_key(&mut self, scope: &mut Scope, written: &ast::Expr) -> Expr {
        let key = self.expression(scope, written, None);
        if key.ty.is_optional() {
            self.may_be_none(&key, "values decide what comes first");
            return Self::wrong(key.span);
        }
        if !self.resolved.types.is_ordered(&key.ty) {
            self.report(self.no_order(&key));
            return Self::wrong(key.span);
        }
        key
    }

    /// `{x in s where c}`
    pub(super) fn filter(
        &mut self,
        scope: &mut Scope,
        binding: &ast::Binding,
        condition: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let before = scope.variables.len();
        let bound = self.bindings(scope, std::slice::from_ref(binding));
        let (local, collection) = &bound[0];
        let element = collection.ty.element().cloned().unwrap_or(Type::Wrong);
        let value = Expr::new(ExprKind::Local(*local), element.clone(), binding.name.span);
        let condition = self.condition(scope, condition);
        scope.leave(before);
        self.comprehension(value, bound, Some(condition), true, expected, span)
    }

    /// `{e for x in s}`, `(e for x in s)`
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one expression, as the tree has them"
    )]
    pub(super) fn mapped(
        &mut self,
        scope: &mut Scope,
        braces: bool,
        value: &ast::Expr,
        bindings: &[ast::Binding],
        condition: Option<&ast::Expr>,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let before = scope.variables.len();
        let bound = self.bindings(scope, bindings);
        let hint = expected
            .and_then(|expected| expected.required().element())
            .cloned();
        let condition = condition.map(|condition| self.condition(scope, condition));
        let value = self.expression(scope, value, hint.as_ref());
        scope.leave(before);
        self.comprehension(value, bound, condition, braces, expected, span)
    }

    pub(super) fn comprehension(
        &mut self,
        value: Expr,
        bindings: Vec<(LocalId, Expr)>,
        condition: Option<Expr>,
        braces: bool,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let mut element = value.ty.required().clone();
        if element == Type::Wrong {
            return Self::wrong(span);
        }
        let expected = expected.map(Type::required);
        if let Some(wanted) = expected.and_then(Type::element) {
            element = widened(element, wanted);
        }
        let value_type = if value.ty.is_optional() {
            element.clone().optional()
        } else {
            element.clone()
        };
        let value = self.fitted(value, &value_type);
        let ty = match (braces, expected) {
            (true, Some(Type::Bag(_))) => Type::Bag(element.into()),
            (true, _) => Type::Set(element.into()),
            (false, _) => Type::Pile(element.into()),
        };
        self.bounded_set(&ty, span);
        Expr::new(
            ExprKind::Comprehension {
                value: Box::new(value),
                bindings,
                condition: condition.map(Box::new),
            },
            ty,
            span,
        )
    }

    pub(super) fn bounded_set(&mut self, ty: &Type, span: Span) {
        if let Type::Set(element) | Type::Bag(element) = ty
            && let Type::Range(range) = **element
            && range.hi.saturating_sub(range.lo) > GREATEST_SPAN
        {
            self.report(
                Diagnostic::error(
                    Code::TooLarge,
                    span,
                    format!("this set could hold the numbers {}", self.display(element)),
                )
                .help("use a pile, `( … for … in … )`, or smaller numbers"),
            );
        }
    }
}

/// Whether `expr` uses a local.
fn uses_local(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= matches!(expr.kind, ExprKind::Local(found) if found == local));
    found
}
