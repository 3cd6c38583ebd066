//! Maps with another entry, and ranges.

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{Interval, Part, Type},
};

impl Checker<'_> {
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
