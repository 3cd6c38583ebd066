//! The built-ins: what each is applied to and what it gives.

use super::{Checker, Scope, apply::Lifts};
use crate::{
    diagnostic::{Code, Diagnostic, numbered},
    program::{Builtin, Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{Interval, ProductId, Type},
};

/// All names of built-ins that are applied to something.
pub(super) const NAMES: [&str; 16] = [
    "size",
    "count",
    "sum",
    "top",
    "item",
    "below",
    "reversed",
    "number",
    "joined",
    "neighbours",
    "region",
    "step",
    "way",
    "between",
    "ray",
    "apart",
];

/// A built-in being checked: its arguments so far.
pub(super) struct Call<'c> {
    pub(super) name: &'c ast::Name,
    pub(super) written: &'c [ast::Expr],
    pub(super) lifts: Lifts,
    pub(super) span: Span,
}

impl Checker<'_> {
    pub(super) fn builtin(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        written: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let mut call = Call {
            name,
            written,
            lifts: Lifts::default(),
            span,
        };
        let made = match name.text.as_str() {
            "size" => self.size(scope, &mut call),
            "count" => self.count(scope, &mut call),
            "sum" => self.sum(scope, &mut call),
            "top" => self.top(scope, &mut call, expected),
            "item" => self.item(scope, &mut call),
            "below" => self.slice(scope, &mut call, Builtin::Below, expected),
            "reversed" => self.reversed(scope, &mut call, expected),
            "number" => self.number_of(scope, &mut call),
            "joined" => self.joined(scope, &mut call),
            "neighbours" => self.neighbours(scope, &mut call),
            "region" => self.region(scope, &mut call),
            "step" => self.step(scope, &mut call),
            "way" => self.way(scope, &mut call),
            "between" => self.between(scope, &mut call),
            "ray" => self.ray(scope, &mut call),
            _ => self.apart(scope, &mut call),
        };
        match made {
            Some((builtin, arguments, ty)) => call.lifts.around(Expr {
                kind: ExprKind::Builtin(builtin, arguments),
                ty,
                span,
            }),
            None => Self::wrong(span),
        }
    }

    pub(super) fn takes_count(
        &mut self,
        call: &Call<'_>,
        counts: &[usize],
        form: &str,
    ) -> Option<()> {
        if counts.contains(&call.written.len()) {
            return Some(());
        }
        let message = format!(
            "`{}` takes {}, and here {} {}",
            call.name.text,
            numbered(counts[0], "argument"),
            if call.written.len() == 1 { "is" } else { "are" },
            call.written.len()
        );
        let help = match (call.name.text.as_str(), call.written) {
            ("count", [whole]) if !matches!(whole.kind, ast::ExprKind::Number(_)) => format!(
                "for how many there are write `size of {}`; `{form}` is how often x is among them",
                self.text(whole.span)
            ),
            _ => format!("write `{form}`"),
        };
        self.report(Diagnostic::error(Code::ArgumentCount, call.span, message).help(help));
        None
    }

    pub(super) fn plain_argument(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        index: usize,
        expected: Option<&Type>,
    ) -> Option<Expr> {
        let value = self.expression(scope, &call.written[index], expected);
        let value = Self::lifted(scope, value, false, &mut call.lifts);
        (value.ty != Type::Wrong).then_some(value)
    }

    pub(super) fn refuse(&mut self, call: &Call<'_>, value: &Expr, wanted: &str) {
        let message = format!(
            "`{}` is {}, and `{}` is asked of {wanted}",
            self.text(value.span),
            self.described(&value.ty),
            call.name.text,
        );
        self.report(Diagnostic::error(Code::WrongType, value.span, message));
    }

    pub(super) fn number_argument(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        index: usize,
    ) -> Option<Expr> {
        let value = self.plain_argument(scope, call, index, Some(&Type::Number))?;
        let value = self.as_number(value, "a number is due here");
        (value.ty != Type::Wrong).then_some(value)
    }

    fn pile_argument(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        index: usize,
        expected: Option<&Type>,
    ) -> Option<Expr> {
        let value = self.plain_argument(scope, call, index, expected)?;
        match &value.ty {
            Type::Pile(_) => Some(value),
            Type::Set(nothing) if **nothing == Type::Nothing => Some(Expr {
                ty: Type::Pile(Type::Nothing.into()),
                ..value
            }),
            _ => {
                self.refuse(call, &value, "a pile");
                None
            }
        }
    }

    fn size(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[1], "size of …")?;
        let value = self.plain_argument(scope, call, 0, None)?;
        let ty = match &value.ty {
            Type::Set(element) => match self.resolved.types.capacity(element) {
                Some(count) => {
                    Type::Range(Interval::new(0, i64::try_from(count).unwrap_or(i64::MAX)))
                }
                None => Type::Number,
            },
            Type::Bag(_) | Type::Pile(_) => Type::Number,
            _ => {
                self.refuse(call, &value, "a set, a bag or a pile");
                return None;
            }
        };
        Some((Builtin::Size, vec![value], ty))
    }

    fn count(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[2], "count(x, c)")?;
        let collection = self.plain_argument(scope, call, 1, None)?;
        let Some(element) = collection.ty.element().cloned() else {
            self.refuse(call, &collection, "a thing and a collection");
            return None;
        };
        let item = self.expression(scope, &call.written[0], Some(&element));
        let item = Self::lifted(scope, item, false, &mut call.lifts);
        let item = self.comparable(item, &element)?;
        Some((Builtin::Count, vec![item, collection], Type::Number))
    }

    fn sum(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[1], "sum of …")?;
        let value = self.plain_argument(scope, call, 0, None)?;
        match value.ty.element() {
            Some(element) if element.is_number() || *element == Type::Nothing => {
                if matches!(
                    call.written[0].kind,
                    ast::ExprKind::Mapped { braces: true, .. }
                ) {
                    let inner = self.text(value.span);
                    let inner = inner
                        .trim_start_matches('{')
                        .trim_end_matches('}')
                        .to_string();
                    self.report(
                        Diagnostic::warning(
                            Code::SumOfSet,
                            value.span,
                            "in a set equal values count once, so this may not be the sum you mean",
                        )
                        .help(format!("write `sum of ({inner})`")),
                    );
                }
                Some((Builtin::Sum, vec![value], Type::Number))
            }
            _ => {
                self.refuse(call, &value, "a collection of numbers");
                None
            }
        }
    }

    fn top(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        expected: Option<&Type>,
    ) -> Option<Made> {
        if call.written.len() == 2 {
            return self.slice(scope, call, Builtin::TopMany, expected);
        }
        self.takes_count(call, &[1, 2], "top of p")?;
        let pile = self.pile_argument(scope, call, 0, None)?;
        let ty = pile.ty.element()?.clone().optional();
        Some((Builtin::Top, vec![pile], ty))
    }

    fn slice(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        builtin: Builtin,
        expected: Option<&Type>,
    ) -> Option<Made> {
        self.takes_count(call, &[2], &format!("{}(k, p)", call.name.text))?;
        let count = self.number_argument(scope, call, 0)?;
        let pile = self.pile_argument(scope, call, 1, expected)?;
        let ty = pile.ty.clone();
        Some((builtin, vec![count, pile], ty))
    }

    fn item(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[2], "item(p, i)")?;
        let pile = self.pile_argument(scope, call, 0, None)?;
        let index = self.number_argument(scope, call, 1)?;
        let ty = pile.ty.element()?.clone().optional();
        Some((Builtin::Item, vec![pile, index], ty))
    }

    fn reversed(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        expected: Option<&Type>,
    ) -> Option<Made> {
        self.takes_count(call, &[1], "reversed of p")?;
        let pile = self.pile_argument(scope, call, 0, expected)?;
        let ty = pile.ty.clone();
        Some((Builtin::Reversed, vec![pile], ty))
    }

    fn number_of(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[1], "number of m")?;
        let value = self.plain_argument(scope, call, 0, None)?;
        let count = match &value.ty {
            Type::Member(part) => {
                // The place is counted in the whole kind, whatever part the value is known to be of.
                u64::try_from(self.resolved.types.kind(part.kind).members.len()).ok()
            }
            ty => self.resolved.types.capacity(ty),
        };
        match count {
            Some(count) if self.resolved.types.is_ordered(&value.ty) => {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                Some((
                    Builtin::Number,
                    vec![value],
                    Type::Range(Interval::new(1, count.max(1))),
                ))
            }
            _ => {
                self.refuse(call, &value, "a member of a kind, or a product of such");
                None
            }
        }
    }

    fn joined(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[1], "joined of …")?;
        let value = self.plain_argument(scope, call, 0, None)?;
        if value.ty.element().is_none() || !self.is_printable(&value.ty) {
            self.refuse(call, &value, "a collection of what can be written");
            return None;
        }
        Some((Builtin::Joined, vec![value], Type::Text))
    }

    /// The grid that a type's values are points of.
    pub(super) fn grid(&self, ty: &Type) -> Option<ProductId> {
        match ty {
            Type::Product(id) => self.resolved.types.product(*id).grid.map(|_| *id),
            _ => None,
        }
    }

    pub(super) fn point_argument(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        index: usize,
    ) -> Option<(Expr, ProductId)> {
        let value = self.plain_argument(scope, call, index, None)?;
        if let Some(grid) = self.grid(&value.ty) {
            Some((value, grid))
        } else {
            self.refuse(call, &value, "points of a `grid`");
            None
        }
    }

    pub(super) fn compass(&self) -> Type {
        let kind = self
            .resolved
            .types
            .kinds
            .iter()
            .position(|kind| kind.name == "Compass")
            .unwrap_or_default();
        self.resolved.types.whole(crate::types::KindId::new(kind))
    }

    pub(super) fn way_argument(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
        index: usize,
    ) -> Option<Expr> {
        let compass = self.compass();
        let value = self.plain_argument(scope, call, index, Some(&compass))?;
        let value = self.fitted(value, &compass);
        (value.ty != Type::Wrong).then_some(value)
    }

    pub(super) fn two_points(
        &mut self,
        scope: &mut Scope,
        call: &mut Call<'_>,
    ) -> Option<(Expr, Expr, ProductId)> {
        self.takes_count(call, &[2], &format!("{}(p, q)", call.name.text))?;
        let (from, grid) = self.point_argument(scope, call, 0)?;
        let (to, other) = self.point_argument(scope, call, 1)?;
        if grid != other {
            self.refuse(call, &to, "two points of one grid");
            return None;
        }
        Some((from, to, grid))
    }

    fn apart(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[2], "apart(x, y)")?;
        let left = self.plain_argument(scope, call, 0, None)?;
        let right = self.plain_argument(scope, call, 1, Some(&left.ty.clone()))?;
        let range = match (&left.ty, &right.ty) {
            (Type::Range(left), Type::Range(right)) => {
                let most = (right.hi.saturating_sub(left.lo)).max(left.hi.saturating_sub(right.lo));
                Type::Range(Interval::new(0, most.max(0)))
            }
            (Type::Member(left), Type::Member(right)) if left.kind == right.kind => {
                let count = self.resolved.types.kind(left.kind).members.len();
                let most = i64::try_from(count).unwrap_or(i64::MAX).saturating_sub(1);
                Type::Range(Interval::new(0, most.max(0)))
            }
            (left, right) if left.is_number() && right.is_number() => Type::Number,
            _ => {
                self.refuse(call, &right, "two numbers, or two members of one kind");
                return None;
            }
        };
        Some((Builtin::Apart, vec![left, right], range))
    }
}

/// What a built-in is made into.
pub(super) type Made = (Builtin, Vec<Expr>, Type);
