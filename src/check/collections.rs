//! Checks sets, bags, piles, maps and ranges.

use super::{Checker, Place, Scope, decimals::type_with_places};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{Constant, Interval, Part, Type},
};

impl Checker<'_> {
    pub(super) fn empty(expected: Option<&Type>, span: Span) -> Expr {
        let ty = match expected.map(Type::required) {
            Some(ty @ (Type::Set(_) | Type::Bag(_) | Type::Pile(_))) => ty.clone(),
            _ => Type::Set(Type::Nothing.into()),
        };
        Expr::new(ExprKind::Collect(Vec::new()), ty, span)
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
        self.none_among(scope, items);
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
                "this is a set with one yes or no in it",
            );
            if let ExprKind::In(..) = &only.kind {
                let text = self.text(only.span);
                diagnostic = diagnostic
                    .help(format!(
                        "to ask whether it is so, write `{text}` without braces"
                    ))
                    .edit(span, self.written(only.span), false);
            }
            self.report(diagnostic);
            return Self::wrong(span);
        }
        Expr::new(ExprKind::Collect(items), ty, span)
    }

    /// Reports `{x in s}` where `x` is undeclared: a variable is intended.
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
                    "this asks whether `{}` is in `{of}`, but there is no such name",
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
        self.none_among(scope, items);
        let (items, element) = self.items(scope, items, expected);
        Expr::new(ExprKind::Collect(items), Type::Pile(element.into()), span)
    }

    /// Reports `{none, A}`: no collection contains none. In a cell of a `by` table it is allowed.
    fn none_among(&mut self, scope: &Scope, items: &[ast::Expr]) {
        let mut items = items.iter();
        let none = items.find(|item| matches!(item.kind, ast::ExprKind::None));
        let Some(none) = none.filter(|_| scope.place != Place::Cell) else {
            return;
        };
        let message = "`none` is never in a collection: it is left out";
        self.report(
            Diagnostic::error(Code::NeverEqual, none.span, message)
                .help("leave it out; to ask for none as well, write `x is none or x in {…}`"),
        );
    }

    /// Checks items, and finds the smallest type for all of them.
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
        // A member that several kinds have gets its type from another item.
        let first = items
            .iter()
            .position(|item| !self.needs_expected_type(item))
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
            if let Some(joined) = crate::types::join(&element, item.ty.required()) {
                element = joined;
            } else {
                let message = format!(
                    "`{}` is {}, but the others are {}",
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
        if let Some(wanted) = wanted {
            element = widened(element, &wanted);
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
            Type::Pile(element) => {
                let text = self.text(left.span);
                let message = format!("`{text}` is a pile, but `{word}` is for sets and bags");
                let right = self.expression(scope, right, Some(&left.ty));
                let other = self.text(right.span);
                let help = if without {
                    format!("write `(x for x in {text} where x not in …)`")
                } else if right.ty != Type::Wrong
                    && crate::types::join(element, &right.ty).is_some()
                {
                    format!("write `{text} then [{other}]`: `then` puts one pile under another")
                } else {
                    "write `then`: it puts one pile under another".into()
                };
                self.report(Diagnostic::error(Code::WrongType, left.span, message).help(help));
                return Self::wrong(span);
            }
            Type::Map(..) if matches!(left.kind, ExprKind::But { .. }) => {
                let text = self.text(left.span);
                let message = format!("`{text}` is a map, but `{word}` is for sets and bags");
                let help =
                    format!("write `but v at (s {word} t)` if what comes after `at` goes on");
                self.report(Diagnostic::error(Code::NotCollection, left.span, message).help(help));
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
            let why = format!("a collection is expected after `{word}`");
            if crate::types::join(&element, &right.ty).is_some() {
                let text = self.text(right.span);
                let message = format!("`{text}` is {}, and {why}", self.described(&right.ty));
                let written = self.written(right.span);
                self.report(
                    Diagnostic::error(Code::NotCollection, right.span, message)
                        .write(format!("{{{written}}}")),
                );
            } else {
                self.not_collection(&right, &why);
            }
            return Self::wrong(span);
        };
        let Some(joined) = crate::types::join_elements(&element, &other) else {
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
                        "`{text}` is {}, but `then` joins piles",
                        self.described(other)
                    );
                    self.report(
                        Diagnostic::error(Code::WrongType, side.span, message)
                            .help(format!("write `[{text}]` for a pile of one"))
                            .edit(side.span, format!("[{}]", self.written(side.span)), false),
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
            (Some(a), Some(b)) => crate::types::join_elements(a, b),
            _ => None,
        };
        let Some(element) = joined else {
            let message = self.two_types(&left, &right, "no pile holds both");
            self.report(Diagnostic::error(Code::WrongType, span, message));
            return Self::wrong(span);
        };
        let ty = Type::Pile(element.into());
        let left = self.fitted(left, &ty);
        let right = self.fitted(right, &ty);
        Expr::new(ExprKind::Then(Box::new(left), Box::new(right)), ty, span)
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
        // An option is constant, too, but may be set to another value.
        let is_fixed = [left, right].into_iter().all(|side| match &side.kind {
            ast::ExprKind::Number(_) => true,
            ast::ExprKind::Name(name) => self.resolved.members.contains_key(&name.text),
            _ => false,
        });
        let left = self.expression(scope, left, hint.as_ref());
        let right = self.expression(scope, right, Some(&left.ty));
        for side in [&left, &right] {
            if side.ty.is_optional() {
                self.may_be_none(side, "a range goes from one value to another");
                return Self::wrong(span);
            }
        }
        let wanted = hint.as_ref().and_then(|hint| hint.required().places());
        let (left, right) = super::decimals::of_equal_places(left, right, wanted.unwrap_or(0));
        let element = match (&left.ty, &right.ty) {
            (Type::Wrong, _) | (_, Type::Wrong) => return Self::wrong(span),
            (Type::Range(lo), Type::Range(hi)) => {
                Type::Range(Interval::decimal(lo.lo, hi.hi.max(lo.lo), lo.places))
            }
            (lo, hi) if lo.is_number() && hi.is_number() => Type::numbers(lo.places().unwrap_or(0)),
            (Type::Member(lo), Type::Member(hi)) if lo.kind == hi.kind => Type::Member(Part {
                kind: lo.kind,
                first: lo.first,
                last: hi.last.max(lo.first),
            }),
            _ => {
                let message = self.two_types(&left, &right, "no range goes from one to the other");
                self.report(Diagnostic::error(Code::WrongType, span, message));
                return Self::wrong(span);
            }
        };
        if let (ExprKind::Constant(lo), ExprKind::Constant(hi)) = (&left.kind, &right.kind)
            && let (Constant::Scalar(lo), Constant::Scalar(hi)) = (lo, hi)
            && is_fixed
            && lo > hi
        {
            let back = format!("{}..{}", self.text(right.span), self.text(left.span));
            self.report(
                Diagnostic::warning(
                    Code::ConstantCondition,
                    span,
                    "this range has nothing in it",
                )
                .help(format!(
                    "write `{back}`; to go backwards, `reversed of (x for x in {back})`"
                )),
            );
        }
        Expr::new(
            ExprKind::Span(Box::new(left), Box::new(right)),
            Type::Set(element.into()),
            span,
        )
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
                    "{}, but `but … at` changes an entry of a map",
                    self.text_and_type(&map)
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
            if crate::types::fits(&element, &key) {
                at
            } else {
                self.fitted(at, &Type::Set(key))
            }
        } else {
            self.fitted(at, &(*key).clone().optional())
        };
        Expr::new(
            ExprKind::But {
                map: Box::new(map.clone()),
                value: Box::new(value),
                at: Box::new(at),
                many,
            },
            map.ty,
            span,
        )
    }
}

/// The element type of a collection where one of `wanted` is expected: `wanted` if it surely fits; for numbers, with
/// the decimal places of `wanted`.
pub(super) fn widened(element: Type, wanted: &Type) -> Type {
    if crate::types::surely_fits(&element, wanted) {
        return wanted.clone();
    }
    match wanted.places() {
        Some(places) => type_with_places(&element, places).unwrap_or(element),
        None => element,
    }
}
