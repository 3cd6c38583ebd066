//! Checks calls of built-ins, by the [table](crate::builtins).

use super::{
    Checker, Scope,
    apply::{Lifts, count_message},
};
use crate::{
    builtins::{self, Bound, Builtin, Entry, Mistake, Parameter, Pattern},
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{Interval, KindId, ProductId, Type},
};

/// The open types of an entry, as bound by the arguments checked so far.
#[derive(Default)]
struct Bindings {
    /// [`Pattern::Any`]
    any: Option<Type>,
    /// [`Pattern::Scalar`]
    scalar: Option<Type>,
    /// [`Pattern::Point`]
    grid: Option<ProductId>,
}

impl Checker<'_> {
    /// `name of x`, `name(x, y)`
    pub(super) fn builtin(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        written: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let takes = |entry: &&Entry| entry.parameters.len() == written.len();
        let Some(entry) = builtins::applied(&name.text).find(takes) else {
            if let Some(entry) = builtins::applied(&name.text).next() {
                self.wrong_count(entry, written, span);
            }
            return Self::wrong(span);
        };
        let mut lifts = Lifts::default();
        let Some((arguments, bindings)) =
            self.builtin_arguments(scope, entry, written, expected, &mut lifts)
        else {
            return Self::wrong(span);
        };
        if matches!(entry.builtin, Builtin::Size | Builtin::Sum) {
            self.equal_values(entry.builtin, &written[0], &arguments[0]);
        }
        let ty = self.result(&entry.result, &arguments, &bindings);
        let (arguments, ty) = self.of_decimals(entry.builtin, arguments, ty);
        let kind = ExprKind::Builtin(entry.builtin, arguments);
        lifts.around(Expr { kind, ty, span })
    }

    /// The result with decimal places, for built-ins that add or subtract decimals.
    fn of_decimals(
        &mut self,
        builtin: Builtin,
        mut arguments: Vec<Expr>,
        ty: Type,
    ) -> (Vec<Expr>, Type) {
        match (builtin, arguments.as_slice()) {
            (Builtin::Sum, [collection]) => {
                let places = collection.ty.element().and_then(Type::places);
                (arguments, Type::numbers(places.unwrap_or(0)))
            }
            (Builtin::Apart, [left, right]) if left.ty.is_number() && right.ty.is_number() => {
                let (left, right) =
                    super::decimals::of_equal_places(left.clone(), right.clone(), 0);
                let places = left.ty.places().unwrap_or(0);
                arguments = vec![left, right];
                let ty = match self.bound(Bound::Distance, &arguments) {
                    Some(most) => Type::Range(Interval::decimal(0, most.max(0), places)),
                    None => Type::numbers(places),
                };
                (arguments, ty)
            }
            _ => (arguments, ty),
        }
    }

    /// A built-in without parameters.
    pub(super) fn builtin_constant(&self, entry: &Entry, span: Span) -> Expr {
        Expr::new(
            ExprKind::Builtin(entry.builtin, Vec::new()),
            self.result(&entry.result, &[], &Bindings::default()),
            span,
        )
    }

    fn wrong_count(&mut self, entry: &Entry, written: &[ast::Expr], span: Span) {
        let message = count_message(entry.name, entry.parameters.len(), written.len());
        let form = entry.form();
        let help = match (entry.mistake, written) {
            (Some(Mistake::CountForSize), [whole])
                if !matches!(whole.kind, ast::ExprKind::Number(_)) =>
            {
                format!(
                    "to count them, write `size of {}`; `{form}` counts how often x is among them",
                    self.text(whole.span)
                )
            }
            _ => format!("write `{form}`"),
        };
        self.report(Diagnostic::error(Code::ArgumentCount, span, message).help(help));
    }

    /// Warns of `sum of {e for …}`, `sum of {x in p where c}` and `size of {x in p where c}` where p is a pile or a
    /// bag: equal values count once.
    fn equal_values(&mut self, builtin: Builtin, written: &ast::Expr, value: &Expr) {
        if builtin == Builtin::Size && self.size_of_answers(written, value) {
            return;
        }
        let filters = match (&written.kind, &value.kind) {
            (ast::ExprKind::Mapped { braces: true, .. }, _) => false,
            (ast::ExprKind::Filter { .. }, ExprKind::Comprehension { bindings, .. }) => {
                let repeats = |(_, of): &(_, Expr)| matches!(of.ty, Type::Pile(_) | Type::Bag(_));
                if !bindings.iter().any(repeats) || !matches!(value.ty, Type::Set(_)) {
                    return;
                }
                true
            }
            _ => return,
        };
        // The number of different values may be intended.
        if builtin == Builtin::Size && !filters {
            return;
        }
        let strip = |text: &str| {
            let inner = text.trim_start_matches('{').trim_end_matches('}');
            match &written.kind {
                ast::ExprKind::Filter { binding, .. } => {
                    format!("({} for {inner})", binding.name.text)
                }
                _ => format!("({inner})"),
            }
        };
        let (word, code) = match builtin {
            Builtin::Size => ("size", Code::SizeOfSet),
            _ => ("sum", Code::SumOfSet),
        };
        let message =
            format!("in a set equal values count once, so this may not be the {word} you mean");
        let text = strip(&self.text(written.span));
        let mut diagnostic = Diagnostic::warning(code, written.span, message)
            .help(format!("write `{word} of {text}`"))
            .edit(written.span, strip(self.written(written.span)), false);
        if let (Builtin::Size, ast::ExprKind::Filter { binding, .. }) = (builtin, &written.kind) {
            let inner = self.text(written.span);
            let different = format!(
                "{{{} for {}",
                binding.name.text,
                inner.trim_start_matches('{')
            );
            diagnostic = diagnostic.help(format!(
                "to count the different ones, write `size of {different}`"
            ));
        }
        self.report(diagnostic);
    }

    /// Warns of `size of {lit of l for l in Lamp}`, the size of a set of yes and no.
    fn size_of_answers(&mut self, written: &ast::Expr, value: &Expr) -> bool {
        let ast::ExprKind::Mapped {
            braces: true,
            value: answer,
            bindings,
            condition,
        } = &written.kind
        else {
            return false;
        };
        if value.ty.element() != Some(&Type::YesNo) {
            return false;
        }
        let message = format!(
            "`{}` is yes or no, so the size of this set is at most 2",
            self.text(answer.span)
        );
        let all: Vec<String> = bindings
            .iter()
            .map(|one| format!("{} in {}", one.name.text, self.written(one.collection.span)))
            .collect();
        let all = all.join(", ");
        let mut holds = match &answer.kind {
            ast::ExprKind::Binary {
                operator: ast::Operator::Or,
                ..
            } if condition.is_some() => {
                format!("({})", self.written(answer.span))
            }
            _ => self.written(answer.span).to_string(),
        };
        if let Some(condition) = condition {
            holds = format!("{} and {holds}", self.written(condition.span));
        }
        let counted = match bindings.as_slice() {
            [_] => format!("{{{all} where {holds}}}"),
            _ => format!("(1 for {all} where {holds})"),
        };
        self.report(
            Diagnostic::warning(Code::SizeOfSet, written.span, message)
                .help(format!(
                    "to count where it holds, write `size of {counted}`"
                ))
                .edit(written.span, counted, false),
        );
        true
    }

    fn builtin_arguments(
        &mut self,
        scope: &mut Scope,
        entry: &Entry,
        written: &[ast::Expr],
        expected: Option<&Type>,
        lifts: &mut Lifts,
    ) -> Option<(Vec<Expr>, Bindings)> {
        let mut bindings = Bindings::default();
        let mut arguments: Vec<(usize, Expr)> = Vec::new();
        let parameters = || entry.parameters.iter().enumerate();
        // Arguments of any type must agree with the others, so the others are checked first.
        let last = |(_, parameter): &(usize, &Parameter)| parameter.pattern == Pattern::Any;
        let order = parameters().filter(|it| !last(it));
        for (index, parameter) in order.chain(parameters().filter(last)) {
            let pattern = &parameter.pattern;
            let hint = if *pattern == entry.result {
                expected.cloned()
            } else {
                self.hint(pattern, &bindings)
            };
            let value = self.expression(scope, &written[index], hint.as_ref());
            let value = Self::lifted(scope, value, false, lifts);
            let value = self.builtin_argument(entry, parameter, value, &mut bindings)?;
            arguments.push((index, value));
        }
        arguments.sort_by_key(|(index, _)| *index);
        let arguments = arguments.into_iter().map(|(_, argument)| argument);
        Some((arguments.collect(), bindings))
    }

    /// The type that an argument is expected to have.
    fn hint(&self, pattern: &Pattern, bindings: &Bindings) -> Option<Type> {
        match pattern {
            Pattern::Number => Some(Type::Number),
            Pattern::Any => bindings.any.clone(),
            Pattern::Scalar => bindings.scalar.clone(),
            Pattern::Way => Some(self.compass()),
            Pattern::Map(Pattern::Point, _) => {
                let key = Type::Product(bindings.grid?);
                Some(Type::Map(key.into(), Type::Wrong.into()))
            }
            Pattern::Within(_)
            | Pattern::Text
            | Pattern::Printable
            | Pattern::Ranked
            | Pattern::Point
            | Pattern::Optional(_)
            | Pattern::Set(_)
            | Pattern::Pile(_)
            | Pattern::Collection(_)
            | Pattern::Map(..)
            | Pattern::Or(..) => None,
        }
    }

    /// The argument, if it matches the parameter.
    fn builtin_argument(
        &mut self,
        entry: &Entry,
        parameter: &Parameter,
        value: Expr,
        bindings: &mut Bindings,
    ) -> Option<Expr> {
        let value = match (&parameter.pattern, bindings.any.clone()) {
            _ if value.ty == Type::Wrong => return None,
            (Pattern::Number, _) => self.as_whole(value, "a number is expected here"),
            (Pattern::Way, _) => self.fitted(value, &self.compass()),
            (Pattern::Any, Some(element)) => self.comparable(value, &element)?,
            (pattern, _) if self.matches(pattern, &value.ty, bindings) => match value.ty {
                // `empty` is a pile where a pile is required.
                Type::Set(nothing) if matches!(pattern, Pattern::Pile(_)) => Expr {
                    ty: Type::Pile(nothing),
                    ..value
                },
                _ => value,
            },
            (pattern, _) => {
                let other_grid = *pattern == Pattern::Point && self.grid(&value.ty).is_some();
                let message = format!(
                    "`{}` is {}, but `{}` takes {}",
                    self.text(value.span),
                    self.described(&value.ty),
                    entry.name,
                    if other_grid {
                        "two points of one grid"
                    } else {
                        parameter.wanted
                    },
                );
                let error = Diagnostic::error(Code::WrongType, value.span, message);
                let text = self.text(value.span);
                self.report(match (&parameter.pattern, &value.ty) {
                    (Pattern::Ranked, Type::Set(_) | Type::Bag(_) | Type::Pile(_)) => {
                        error.help(format!("for how many there are, write `size of {text}`"))
                    }
                    _ => error,
                });
                return None;
            }
        };
        (value.ty != Type::Wrong).then_some(value)
    }

    /// Whether a type matches a pattern; binds open types.
    fn matches(&self, pattern: &Pattern, ty: &Type, bindings: &mut Bindings) -> bool {
        match (pattern, ty) {
            (Pattern::Number | Pattern::Within(_), ty) => ty.is_number() || *ty == Type::Nothing,
            (Pattern::Text, ty) => ty.is_text(),
            (Pattern::Printable, ty) => ty.element().is_none() && self.is_printable(ty),
            (Pattern::Any, ty) => {
                bindings.any = Some(ty.clone());
                true
            }
            (Pattern::Ranked, ty) => {
                self.resolved.types.is_ordered(ty) && self.places(ty).is_some()
            }
            (Pattern::Scalar, ty) => match (&bindings.scalar, ty) {
                // The first argument is checked together with the second.
                (None, ty) => {
                    bindings.scalar = Some(ty.clone());
                    true
                }
                (Some(Type::Member(first)), Type::Member(second)) => first.kind == second.kind,
                (Some(first), second) => first.is_number() && second.is_number(),
            },
            (Pattern::Point, ty) => self
                .grid(ty)
                .is_some_and(|grid| *bindings.grid.get_or_insert(grid) == grid),
            (Pattern::Way, ty) => *ty == self.compass(),
            (Pattern::Optional(inner), ty) => self.matches(inner, ty.required(), bindings),
            (Pattern::Set(inner), Type::Set(element))
            | (Pattern::Pile(inner), Type::Pile(element)) => self.matches(inner, element, bindings),
            (Pattern::Pile(inner), Type::Set(nothing)) if **nothing == Type::Nothing => {
                self.matches(inner, nothing, bindings)
            }
            (Pattern::Collection(inner), ty) => ty
                .element()
                .is_some_and(|element| self.matches(inner, element, bindings)),
            (Pattern::Map(key, value), Type::Map(found_key, found)) => {
                self.matches(key, found_key, bindings) && self.matches(value, found, bindings)
            }
            (Pattern::Or(left, right), ty) => {
                self.matches(left, ty, bindings) || self.matches(right, ty, bindings)
            }
            (Pattern::Set(_) | Pattern::Pile(_) | Pattern::Map(..), _) => false,
        }
    }

    /// The type of a built-in's result.
    fn result(&self, pattern: &Pattern, arguments: &[Expr], bindings: &Bindings) -> Type {
        let of = |pattern: &Pattern| self.result(pattern, arguments, bindings);
        let open = |ty: &Option<Type>| ty.clone().unwrap_or(Type::Nothing);
        match pattern {
            Pattern::Number => Type::Number,
            Pattern::Within(bound) => match (self.bound(*bound, arguments), bound) {
                (Some(most), Bound::Place) => Type::Range(Interval::new(1, most.max(1))),
                (Some(most), Bound::Size | Bound::Distance) => {
                    Type::Range(Interval::new(0, most.max(0)))
                }
                (None, _) => Type::Number,
            },
            Pattern::Text | Pattern::Printable => Type::Text,
            Pattern::Any | Pattern::Ranked => open(&bindings.any),
            Pattern::Scalar => open(&bindings.scalar),
            Pattern::Point => bindings.grid.map_or(Type::Nothing, Type::Product),
            Pattern::Way => self.compass(),
            Pattern::Optional(inner) => of(inner).optional(),
            Pattern::Set(element) => Type::Set(of(element).into()),
            Pattern::Pile(element) | Pattern::Collection(element) => Type::Pile(of(element).into()),
            Pattern::Map(key, value) => Type::Map(of(key).into(), of(value).into()),
            Pattern::Or(left, _) => of(left),
        }
    }

    /// The greatest number that a built-in can return, if the types of its arguments bound it.
    fn bound(&self, bound: Bound, arguments: &[Expr]) -> Option<i64> {
        let saturated = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let mut types = arguments.iter().map(|argument| &argument.ty);
        let (first, second) = (types.next()?, types.next());
        match (bound, first, second) {
            (Bound::Size, Type::Set(element), _) => {
                self.resolved.types.capacity(element).map(saturated)
            }
            (Bound::Place, ty, _) => self.places(ty).map(saturated),
            (Bound::Distance, Type::Range(left), Some(Type::Range(right))) => {
                Some((right.hi.saturating_sub(left.lo)).max(left.hi.saturating_sub(right.lo)))
            }
            (Bound::Distance, ty @ Type::Member(_), _) => {
                self.places(ty).map(|count| saturated(count) - 1)
            }
            (Bound::Size | Bound::Distance, ..) => None,
        }
    }

    /// How many values a type has in its order. For members, that of the whole kind counts.
    fn places(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Member(part) => {
                u64::try_from(self.resolved.types.kind(part.kind).members.len()).ok()
            }
            ty => self.resolved.types.capacity(ty),
        }
    }

    /// The grid of a type's points.
    fn grid(&self, ty: &Type) -> Option<ProductId> {
        match ty {
            Type::Product(id) => self.resolved.types.product(*id).grid.map(|_| *id),
            _ => None,
        }
    }

    fn compass(&self) -> Type {
        let types = &self.resolved.types;
        let kind = types.kinds.iter().position(|kind| kind.name == "Compass");
        types.whole(KindId::new(kind.unwrap_or_default()))
    }
}
