//! Sets, bags, piles and maps; what ranges over them.

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind, LocalId, Quantifier, SortKey},
    source::Span,
    syntax::ast,
    types::{Interval, Part, Type},
};

/// How many values a collection's element type may have for it to be a set of bits.
const GREATEST_SPAN: i64 = 1 << 20;

impl Checker<'_> {
    pub(super) fn empty(expected: Option<&Type>, span: Span) -> Expr {
        let ty = match expected.map(Type::required) {
            Some(ty @ (Type::Set(_) | Type::Bag(_) | Type::Pile(_))) => ty.clone(),
            _ => Type::Set(Type::Nothing.into()),
        };
        Expr {
            kind: ExprKind::Collect(Vec::new()),
            ty,
            span,
        }
    }

    /// `{a, b}`
    pub(super) fn set(
        &mut self,
        scope: &mut Scope,
        items: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        if self.filter_without_where(scope, items, span) {
            return Self::wrong(span);
        }
        let (items, element) = self.items(scope, items, expected);
        let ty = match expected.map(Type::required) {
            Some(Type::Bag(_)) => Type::Bag(element.into()),
            _ => Type::Set(element.into()),
        };
        if let [only] = items.as_slice()
            && only.ty == Type::YesNo
            && !matches!(expected, Some(Type::Set(element)) if **element == Type::YesNo)
        {
            let mut diagnostic = Diagnostic::error(
                Code::ReadsOtherwise,
                span,
                "this is the set of one yes or no",
            );
            if let ExprKind::In(..) = &only.kind {
                let text = self.text(only.span);
                diagnostic = diagnostic.help(format!(
                    "to ask whether it is so write `{text}` without braces"
                ));
            }
            self.report(diagnostic);
            return Self::wrong(span);
        }
        Expr {
            kind: ExprKind::Collect(items),
            ty,
            span,
        }
    }

    /// `{x in s}`, where nothing is called x: its author thinks of a variable.
    fn filter_without_where(&mut self, scope: &Scope, items: &[ast::Expr], span: Span) -> bool {
        let [only] = items else { return false };
        let ast::ExprKind::Binary {
            operator: ast::Operator::In,
            left,
            right,
            ..
        } = &only.kind
        else {
            return false;
        };
        let ast::ExprKind::Name(name) = &left.kind else {
            return false;
        };
        if self.names_in_sight(scope).contains(&name.text) {
            return false;
        }
        let of = self.text(right.span);
        self.report(
            Diagnostic::error(
                Code::ReadsOtherwise,
                span,
                format!(
                    "this asks whether `{}` is in `{of}`, and nothing is called so",
                    name.text
                ),
            )
            .help(format!(
                "write `{{{} in {of} where …}}` for some of them, or just `{of}` for all",
                name.text
            )),
        );
        true
    }

    /// `[a, b]`
    pub(super) fn pile(
        &mut self,
        scope: &mut Scope,
        items: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let (items, element) = self.items(scope, items, expected);
        Expr {
            kind: ExprKind::Collect(items),
            ty: Type::Pile(element.into()),
            span,
        }
    }

    /// The items and the smallest type for all of them.
    fn items(
        &mut self,
        scope: &mut Scope,
        items: &[ast::Expr],
        expected: Option<&Type>,
    ) -> (Vec<Expr>, Type) {
        let wanted = expected
            .and_then(|expected| expected.required().element())
            .cloned();
        let mut found: Vec<Expr> = Vec::new();
        let mut element = Type::Nothing;
        // A member that several kinds have is told by its neighbours.
        let first = items
            .iter()
            .position(|item| !self.is_needy(item))
            .unwrap_or(0);
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|index| (*index != first, *index));
        let mut placed: Vec<(usize, Expr)> = Vec::new();
        for index in order {
            let hint = match (&wanted, &element) {
                (Some(wanted), _) => Some(wanted.clone()),
                (None, Type::Nothing) => None,
                (None, element) => Some(element.clone()),
            };
            let item = self.expression(scope, &items[index], hint.as_ref());
            if let Some(joined) = self.resolved.types.join(&element, item.ty.required()) {
                element = joined;
            } else {
                let message = format!(
                    "`{}` is {}, and the others are {}",
                    self.text(item.span),
                    self.described(&item.ty),
                    self.display(&element)
                );
                self.report(Diagnostic::error(Code::WrongType, item.span, message));
            }
            placed.push((index, item));
        }
        placed.sort_by_key(|(index, _)| *index);
        found.extend(placed.into_iter().map(|(_, item)| item));
        if let Some(wanted) = wanted
            && self.resolved.types.surely_fits(&element, &wanted)
        {
            element = wanted;
        }
        let found = found
            .into_iter()
            .map(|item| {
                let ty = if item.ty.is_optional() {
                    element.clone().optional()
                } else {
                    element.clone()
                };
                self.fitted(item, &ty)
            })
            .collect();
        (found, element)
    }

    /// `lo..hi`
    pub(super) fn range(
        &mut self,
        scope: &mut Scope,
        left: &ast::Expr,
        right: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let hint = expected
            .and_then(|expected| expected.required().element())
            .cloned();
        let left = self.expression(scope, left, hint.as_ref());
        let right = self.expression(scope, right, Some(&left.ty));
        for side in [&left, &right] {
            if side.ty.is_optional() {
                self.may_be_none(side, "a range goes from one value to another");
                return Self::wrong(span);
            }
        }
        let element = match (&left.ty, &right.ty) {
            (Type::Wrong, _) | (_, Type::Wrong) => return Self::wrong(span),
            (Type::Range(lo), Type::Range(hi)) => {
                Type::Range(Interval::new(lo.lo, hi.hi.max(lo.lo)))
            }
            (lo, hi) if lo.is_number() && hi.is_number() => Type::Number,
            (Type::Member(lo), Type::Member(hi)) if lo.kind == hi.kind => Type::Member(Part {
                kind: lo.kind,
                first: lo.first,
                last: hi.last.max(lo.first),
            }),
            _ => {
                let message = format!(
                    "`{}` is {} and `{}` is {}: no range goes from one to the other",
                    self.text(left.span),
                    self.described(&left.ty),
                    self.text(right.span),
                    self.described(&right.ty)
                );
                self.report(Diagnostic::error(Code::WrongType, span, message));
                return Self::wrong(span);
            }
        };
        Expr {
            kind: ExprKind::Span(Box::new(left), Box::new(right)),
            ty: Type::Set(element.into()),
            span,
        }
    }

    /// What a variable ranges over.
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

    /// Brings variables into sight. The caller forgets them with [`Scope::leave`].
    pub(super) fn bindings(
        &mut self,
        scope: &mut Scope,
        bindings: &[ast::Binding],
    ) -> Vec<(LocalId, Expr)> {
        let mut bound = Vec::new();
        for binding in bindings {
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
            self.speaks_of_others(&bound, condition, &checked, quantifier);
        }
        scope.leave(before);
        Expr {
            kind: ExprKind::Quantified {
                quantifier,
                bindings: bound,
                condition: Box::new(checked),
            },
            ty: Type::YesNo,
            span,
        }
    }

    /// `no q in s where a of q is 9 and mode is A`: the last part does not speak of q, and its author thinks
    /// that it stands outside.
    fn speaks_of_others(
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
        let speaks = |expr: &Expr| bound.iter().any(|(local, _)| mentions(expr, *local));
        if !speaks(first) || speaks(last) || last.ty == Type::Wrong {
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
                format!(
                    "`{text}` is part of what `{word}` asks, and does not speak of its variable"
                ),
            )
            .help(format!(
                "put it before `{word}`, or set parentheses around what `{word}` asks"
            )),
        );
    }

    pub(super) fn best(
        &mut self,
        scope: &mut Scope,
        bindings: &[ast::Binding],
        condition: Option<&ast::Expr>,
        keys: &[ast::Key],
        span: Span,
    ) -> Expr {
        let [binding] = bindings else {
            self.report(
                Diagnostic::error(Code::WrongType, span, "`best` has one variable")
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
        Expr {
            kind: ExprKind::Best {
                local,
                collection: Box::new(collection),
                condition,
                keys,
            },
            ty: element.optional(),
            span,
        }
    }

    fn sort_key(&mut self, scope: &mut Scope, written: &ast::Expr) -> Expr {
        let key = self.expression(scope, written, None);
        if key.ty.is_optional() {
            self.may_be_none(&key, "what is best is told by values");
            return Self::wrong(key.span);
        }
        if !self.resolved.types.is_ordered(&key.ty) {
            let message = format!(
                "`{}` is {}, and such values have no order",
                self.text(key.span),
                self.described(&key.ty)
            );
            self.report(Diagnostic::error(Code::NoOrder, key.span, message));
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
        let value = Expr {
            kind: ExprKind::Local(*local),
            ty: element.clone(),
            span: binding.name.span,
        };
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

    fn comprehension(
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
        if let Some(wanted) = expected.and_then(Type::element)
            && self.resolved.types.surely_fits(&element, wanted)
        {
            element = wanted.clone();
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
        Expr {
            kind: ExprKind::Comprehension {
                value: Box::new(value),
                bindings,
                condition: condition.map(Box::new),
            },
            ty,
            span,
        }
    }

    fn bounded_set(&mut self, ty: &Type, span: Span) {
        if let Type::Set(element) | Type::Bag(element) = ty
            && let Type::Range(range) = **element
            && range.hi.saturating_sub(range.lo) > GREATEST_SPAN
        {
            self.report(
                Diagnostic::error(
                    Code::TooLarge,
                    span,
                    format!("this set could hold the numbers {}..{}", range.lo, range.hi),
                )
                .help("use a pile, `( … for … in … )`, or smaller numbers"),
            );
        }
    }

    /// `s with t`, `s without t`
    pub(super) fn with(
        &mut self,
        scope: &mut Scope,
        without: bool,
        left: &ast::Expr,
        right: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let word = if without { "without" } else { "with" };
        let left = self.expression(scope, left, expected);
        if left.ty == Type::Wrong {
            return left;
        }
        let element = match &left.ty {
            Type::Set(element) | Type::Bag(element) => (**element).clone(),
            Type::Pile(_) => {
                let text = self.text(left.span);
                let message = format!("`{text}` is a pile, and `{word}` is for sets and bags");
                let help = if without {
                    format!("write `(x for x in {text} where x not in …)`")
                } else {
                    "write `then`: it puts one pile under another".into()
                };
                self.report(Diagnostic::error(Code::WrongType, left.span, message).help(help));
                return Self::wrong(span);
            }
            _ => {
                self.not_collection(&left, &format!("`{word}` is for sets and bags"));
                return Self::wrong(span);
            }
        };
        let hint = Type::Set(element.clone().into());
        let right = self.expression(scope, right, Some(&hint));
        if right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let Some(other) = right.ty.element().cloned() else {
            self.not_collection(&right, &format!("after `{word}` a collection is due"));
            return Self::wrong(span);
        };
        let Some(joined) = self.resolved.types.join(&element, &other) else {
            let message = format!(
                "`{}` holds {}, and `{}` holds {}",
                self.text(left.span),
                self.display(&element),
                self.text(right.span),
                self.display(&other)
            );
            self.report(Diagnostic::error(Code::WrongType, span, message));
            return Self::wrong(span);
        };
        let element = if without && element != Type::Nothing {
            element
        } else {
            joined
        };
        let ty = match &left.ty {
            Type::Bag(_) => Type::Bag(element.into()),
            _ => Type::Set(element.into()),
        };
        let left = self.fitted(left, &ty);
        let kind = if without {
            ExprKind::Without(Box::new(left), Box::new(right))
        } else {
            ExprKind::With(Box::new(left), Box::new(right))
        };
        Expr { kind, ty, span }
    }

    /// `p then q`
    pub(super) fn then(
        &mut self,
        scope: &mut Scope,
        left: &ast::Expr,
        right: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let left = self.expression(scope, left, expected);
        let hint = match (&left.ty, expected) {
            (Type::Pile(element), _) if **element != Type::Nothing => Some(left.ty.clone()),
            (_, expected) => expected.cloned(),
        };
        let right = self.expression(scope, right, hint.as_ref());
        for side in [&left, &right] {
            match &side.ty {
                Type::Pile(_) | Type::Wrong => {}
                Type::Set(nothing) if **nothing == Type::Nothing => {}
                other => {
                    let text = self.text(side.span);
                    let message = format!(
                        "`{text}` is {}, and `then` joins piles",
                        self.described(other)
                    );
                    self.report(
                        Diagnostic::error(Code::WrongType, side.span, message)
                            .help(format!("write `[{text}]` for a pile of one")),
                    );
                    return Self::wrong(span);
                }
            }
        }
        if left.ty == Type::Wrong || right.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let elements = (left.ty.element(), right.ty.element());
        let joined = match elements {
            (Some(a), Some(b)) => self.resolved.types.join(a, b),
            _ => None,
        };
        let Some(element) = joined else {
            let message = format!(
                "`{}` is {} and `{}` is {}: no pile holds both",
                self.text(left.span),
                self.described(&left.ty),
                self.text(right.span),
                self.described(&right.ty)
            );
            self.report(Diagnostic::error(Code::WrongType, span, message));
            return Self::wrong(span);
        };
        let ty = Type::Pile(element.into());
        let left = self.fitted(left, &ty);
        let right = self.fitted(right, &ty);
        Expr {
            kind: ExprKind::Then(Box::new(left), Box::new(right)),
            ty,
            span,
        }
    }

    /// `m but v at k`
    pub(super) fn but(
        &mut self,
        scope: &mut Scope,
        map: &ast::Expr,
        value: &ast::Expr,
        at: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let map = self.expression(scope, map, expected);
        let Type::Map(key, entry) = map.ty.clone() else {
            if map.ty != Type::Wrong {
                let message = format!(
                    "`{}` is {}, and `but … at` changes an entry of a map",
                    self.text(map.span),
                    self.described(&map.ty)
                );
                self.report(Diagnostic::error(Code::NotMap, map.span, message));
            }
            return Self::wrong(span);
        };
        let value = self.value(scope, value, &entry);
        let at = self.expression(scope, at, Some(&key));
        if value.ty == Type::Wrong || at.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let many = at.ty.element().is_some();
        let at = if many {
            let element = at.ty.element().cloned().unwrap_or(Type::Nothing);
            if self.resolved.types.fits(&element, &key) {
                at
            } else {
                self.fitted(at, &Type::Set(key))
            }
        } else {
            self.fitted(at, &(*key).clone().optional())
        };
        Expr {
            kind: ExprKind::But {
                map: Box::new(map.clone()),
                value: Box::new(value),
                at: Box::new(at),
                many,
            },
            ty: map.ty,
            span,
        }
    }
}

/// Whether `expr` speaks of a local.
fn mentions(expr: &Expr, local: LocalId) -> bool {
    if matches!(expr.kind, ExprKind::Local(found) if found == local) {
        return true;
    }
    let mut found = false;
    expr.children(&mut |child| found = found || mentions(child, local));
    found
}
