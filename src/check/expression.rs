//! Checks expressions, and the conversion of values to a required type.

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Builtin, Expr, ExprKind, Tense},
    source::Span,
    syntax::ast,
    types::{Constant, Type},
};

impl Checker<'_> {
    /// Checks an expression. `expected` selects among members with the same name and gives `empty` a type; the caller
    /// checks whether the value fits it.
    pub(super) fn expression(
        &mut self,
        scope: &mut Scope,
        written: &ast::Expr,
        expected: Option<&Type>,
    ) -> Expr {
        use ast::ExprKind as Written;
        let span = written.span;
        match &written.kind {
            Written::Binary {
                operator,
                left,
                right,
                operator_span,
            } => self.binary(
                scope,
                *operator,
                *operator_span,
                left,
                right,
                expected,
                span,
            ),
            Written::Unary { operator, operand } => {
                self.unary(scope, *operator, operand, expected, span)
            }
            Written::But { map, value, at } => self.but(scope, map, value, at, expected, span),
            Written::Quantified {
                quantifier,
                bindings,
                condition,
            } => self.quantified(scope, *quantifier, bindings, condition, span),
            Written::Best {
                sorted,
                bindings,
                condition,
                keys,
            } => {
                let ranging = (bindings.as_slice(), condition.as_deref());
                self.best(scope, *sorted, ranging, keys, span)
            }
            Written::Tensed { tense, operand } => {
                self.tensed(scope, *tense, operand, expected, span)
            }
            Written::Beside {
                before,
                operand,
                steps,
            } => self.beside(scope, *before, operand, steps.as_deref(), span),
            Written::Extreme { highest, operand } => self.extreme(scope, *highest, operand, span),
            Written::Name(name) => self.name(scope, name, expected, None),
            Written::Apply {
                function,
                arguments,
                ..
            } => self.apply(scope, function, arguments, expected, None, span),
            Written::Number(value) => Expr::number(*value, 0, span),
            Written::Decimal(value, places) => Expr::number(*value, *places, span),
            Written::Rounded {
                operand,
                rounding,
                to,
            } => self.rounded(scope, operand, *rounding, to.as_deref(), span),
            Written::Text(text) => self.text_value(scope, text),
            Written::YesNo(value) => Expr::yes_no(*value, span),
            Written::None => Expr::new(
                ExprKind::Constant(Constant::None),
                Type::Nothing.optional(),
                span,
            ),
            Written::Empty => Self::empty(expected, span),
            Written::Set(items) => self.set(scope, items, expected, span),
            Written::Pile(items) => self.pile(scope, items, expected, span),
            Written::Filter { binding, condition } => {
                self.filter(scope, binding, condition, expected, span)
            }
            Written::Mapped {
                braces,
                value,
                bindings,
                condition,
            } => self.mapped(
                scope,
                *braces,
                value,
                bindings,
                condition.as_deref(),
                expected,
                span,
            ),
            Written::Group(inner) => {
                let inner = self.expression(scope, inner, expected);
                Expr { span, ..inner }
            }
        }
    }

    /// Checks an expression that must have a value of type `ty`.
    pub(super) fn value(&mut self, scope: &mut Scope, written: &ast::Expr, ty: &Type) -> Expr {
        let value = self.expression(scope, written, Some(ty));
        self.fitted(value, ty)
    }

    /// The value as one of type `ty`, with a check at run time if it may not fit; an error if it cannot fit.
    pub(super) fn fitted(&mut self, value: Expr, ty: &Type) -> Expr {
        if value.ty == *ty || value.ty == Type::Wrong || *ty == Type::Wrong {
            return value;
        }
        let types = &self.resolved.types;
        if !crate::types::fits(&value.ty, ty) {
            let no_entry = matches!(ty, Type::Map(..)) && is_none(&value);
            if value.ty.is_optional() && crate::types::fits(value.ty.required(), ty) && !no_entry {
                self.may_be_none(&value, &format!("{} is expected", types.described(ty)));
            } else {
                self.wrong_type(&value, ty);
            }
            return Self::wrong(value.span);
        }
        let value = match ty.required().places() {
            Some(places) => super::decimals::with_places(value, places),
            None => value,
        };
        if value.ty == *ty {
            return value;
        }
        self.never_fits(&value, ty);
        let kind = if crate::types::surely_fits(&value.ty, ty) {
            if plain(&value.ty) {
                return value;
            }
            ExprKind::Converted
        } else {
            ExprKind::Checked
        };
        let span = value.span;
        Expr::new(kind(Box::new(value)), ty.clone(), span)
    }

    /// Warns if no value fits `ty`, or if a distance or index may be outside it.
    fn never_fits(&mut self, value: &Expr, ty: &Type) {
        let (never, above) = match (value.ty.required(), ty.required()) {
            (Type::Range(from), Type::Range(to)) => {
                (from.lo > to.hi || from.hi < to.lo, from.hi > to.hi)
            }
            (Type::Member(from), Type::Member(to)) => {
                (from.first > to.last || from.last < to.first, false)
            }
            _ => return,
        };
        let mut inner = value;
        while let ExprKind::Lift { body, .. } | ExprKind::Converted(body) = &inner.kind {
            inner = body;
        }
        let counts = matches!(
            inner.kind,
            ExprKind::Builtin(Builtin::Number | Builtin::Apart, _)
        );
        let due = self.display(ty.required());
        let message = match value.ty.required() {
            Type::Range(from) if !never && above && counts => {
                format!(
                    "this may be {}, but here it must be one of {due}",
                    from.text(from.hi)
                )
            }
            _ if never => format!("`{}` is not one of {due}", self.text(value.span)),
            _ => return,
        };
        self.report(
            Diagnostic::warning(Code::OutsideType, value.span, message)
                .note("if that happens, the run stops here"),
        );
    }

    fn wrong_type(&mut self, value: &Expr, ty: &Type) {
        if value.ty.places() > ty.required().places() && ty.required().is_number() {
            self.too_many_places(value, ty.required());
            return;
        }
        let mut diagnostic = Diagnostic::error(
            Code::WrongType,
            value.span,
            format!(
                "`{}` is {}, but {} is expected here",
                self.text(value.span),
                self.described(&value.ty),
                self.described(ty)
            ),
        );
        let written = self.written(value.span);
        if let Type::Map(_, entry) = ty
            && crate::types::fits(&value.ty, entry)
        {
            diagnostic = diagnostic.help("this is one entry, and a map has many: `new x(p)` says what every entry is, and `new x of k` what one is");
        }
        if let (Type::Map(..), Type::Set(_) | Type::Bag(_) | Type::Pile(_)) = (ty, &value.ty) {
            diagnostic = diagnostic.help("a map is given entry by entry, not as a collection: `new x(k) = …` says what the entry of each k is");
        }
        if let Type::Set(element) | Type::Bag(element) = ty
            && crate::types::fits(&value.ty, element)
        {
            diagnostic = diagnostic.write(format!("{{{written}}}"));
        } else if let Type::Set(element) | Type::Bag(element) = ty
            && let Type::Pile(member) = &value.ty
            && crate::types::fits(member, element)
            && let Some(members) = written
                .strip_prefix('[')
                .and_then(|it| it.strip_suffix(']'))
        {
            if matches!(ty, Type::Bag(_)) {
                let note =
                    "where a bag is expected, `{…}` is a bag, and may have a value several times";
                diagnostic = diagnostic.note(note);
            }
            diagnostic = diagnostic.write(format!("{{{members}}}"));
        } else if let Type::Pile(element) = ty
            && crate::types::fits(&value.ty, element)
        {
            diagnostic = diagnostic.write(format!("[{written}]"));
        } else if *ty == Type::Text && written.starts_with('{') && written.ends_with('}') {
            // It looks like a text without quotes.
            diagnostic = diagnostic.help(format!("put a text in quotes: write `\"{written}\"`"));
        } else if *ty == Type::Text && self.is_printable(value.ty.required()) {
            diagnostic = diagnostic.write(format!("\"{{{written}}}\""));
        } else if matches!(ty, Type::Pile(_)) && matches!(value.ty, Type::Set(_)) {
            diagnostic = diagnostic.help("`[…]` and `(… for … in …)` are piles, `{…}` is a set");
        }
        self.report(diagnostic);
    }

    /// Reports a value that may be none where it must not; `why` says why.
    pub(super) fn may_be_none(&mut self, value: &Expr, why: &str) {
        let text = self.text(value.span);
        // Only the author knows what number to use instead: for `lowest of`, 0 is nearly always wrong.
        let instead = match value.ty.required() {
            Type::YesNo => Some("no"),
            Type::Set(_) | Type::Bag(_) | Type::Pile(_) => Some("empty"),
            _ => None,
        };
        let written = self.written(value.span);
        if is_none(value) {
            let message = format!("`{text}` cannot stand here: {why}");
            let help =
                "write a value; or let the type end in `?`, so that none is one of its values";
            self.report(Diagnostic::error(Code::MayBeNone, value.span, message).help(help));
            return;
        }
        let mut diagnostic = Diagnostic::error(
            Code::MayBeNone,
            value.span,
            format!("`{text}` may be none here, and {why}"),
        )
        .help(match instead {
            Some(instead) => format!("write `({text} else {instead})`, or `the {text}` where you know that there is one"),
            None => format!("give a value for none, `({text} else …)`; or write `the {text}` where you know that there is one"),
        });
        if let Some(instead) = instead {
            diagnostic = diagnostic.edit(value.span, format!("({written} else {instead})"), false);
        }
        self.report(diagnostic.edit(value.span, format!("(the {written})"), false));
    }

    /// Checks an expression that must be yes/no and not none.
    pub(super) fn condition(&mut self, scope: &mut Scope, written: &ast::Expr) -> Expr {
        let condition = self.expression(scope, written, Some(&Type::YesNo));
        match &condition.ty {
            Type::YesNo | Type::Wrong => condition,
            Type::Optional(inner) if **inner == Type::YesNo => {
                self.may_be_none(&condition, "a condition is yes or no");
                Self::wrong(condition.span)
            }
            other => {
                let message = format!(
                    "`{}` is {}, not yes/no, so it cannot be a condition",
                    self.text(condition.span),
                    self.described(other)
                );
                let mut diagnostic = Diagnostic::error(Code::NotYesNo, condition.span, message);
                let completion = match other {
                    Type::Optional(_) => "is not none",
                    Type::Set(_) | Type::Bag(_) | Type::Pile(_) => "is not empty",
                    ty if ty.is_number() => "> 0",
                    _ => "is …",
                };
                let text = self.text(condition.span);
                diagnostic = diagnostic.help(
                    if matches!(other, Type::Text) && scope.place == Place::Transcript {
                        format!("words that end it come after a comma: `…, or {text}`")
                    } else if completion == "is …" {
                        format!("compare it: `{text} is …`")
                    } else {
                        format!("did you mean `{text} {completion}`?")
                    },
                );
                if completion != "is …" {
                    let text = format!("{} {completion}", self.written(condition.span));
                    diagnostic = diagnostic.edit(condition.span, text, false);
                }
                self.report(diagnostic);
                Self::wrong(condition.span)
            }
        }
    }

    /// Checks an expression that must be a whole number and not none.
    pub(super) fn number(&mut self, scope: &mut Scope, written: &ast::Expr, what: &str) -> Expr {
        let value = self.expression(scope, written, Some(&Type::Number));
        self.as_whole(value, what)
    }

    /// The value if it is a whole number, or else an error; `what` says what it is needed for.
    pub(super) fn as_whole(&mut self, value: Expr, what: &str) -> Expr {
        let value = self.as_number(value, what);
        if value.ty.is_decimal() {
            self.too_many_places(&value, &Type::Number);
            return Self::wrong(value.span);
        }
        value
    }

    /// The value if it is a number, or else an error; `what` says what it is needed for.
    pub(super) fn as_number(&mut self, value: Expr, what: &str) -> Expr {
        if value.ty.is_number() || value.ty == Type::Wrong {
            return value;
        }
        if value.ty.is_optional() && value.ty.required().is_number() {
            self.may_be_none(&value, what);
        } else {
            let message = format!("{}, and {what}", self.text_and_type(&value));
            let error = Diagnostic::error(Code::NotNumber, value.span, message);
            let text = self.text(value.span);
            self.report(match &value.ty {
                Type::Map(key, entry) if entry.required().is_number() => error.help(format!(
                    "it has one for each {}: write `{text} of …`",
                    self.display(key)
                )),
                _ => error,
            });
        }
        Self::wrong(value.span)
    }

    fn tensed(
        &mut self,
        scope: &mut Scope,
        tense: ast::Tense,
        operand: &ast::Expr,
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let word = match tense {
            ast::Tense::New => "new",
            ast::Tense::Old => "old",
            ast::Tense::Previous => "previous",
        };
        let is_done = scope.place == Place::Follows && tense == ast::Tense::Old;
        let is_early = tense == ast::Tense::New && !scope.place.sees_new();
        if !scope.place.sees_state() || is_early || is_done {
            let message = format!("`{word}` means nothing in {}", scope.place.described());
            let diagnostic = Diagnostic::error(Code::TenseHere, span, message);
            let diagnostic = if is_done {
                diagnostic
            } else {
                self.leave_out(diagnostic, word, operand.span)
            };
            self.report(match scope.place {
                Place::Follows if is_done => diagnostic.help(
                    "there everything has its new value already: write `previous` for that before the event",
                ),
                Place::Follows => diagnostic.help(format!(
                    "there everything has its new value already: leave out `{word}`"
                )),
                Place::Refused => diagnostic.help(format!(
                    "a refused event changes nothing: leave out `{word}`"
                )),
                Place::Guard | Place::Decider | Place::Policy | Place::Transcript => {
                    diagnostic.help(format!("no event is happening there: leave out `{word}`"))
                }
                _ => diagnostic.help(format!("leave out `{word}`")),
            });
            return Self::wrong(span);
        }
        let tense = match tense {
            ast::Tense::New => Tense::New,
            ast::Tense::Old => Tense::Now,
            ast::Tense::Previous => Tense::Previous,
        };
        match &operand.kind {
            ast::ExprKind::Name(name) => {
                let value = self.name(scope, name, expected, Some((tense, word)));
                Expr { span, ..value }
            }
            ast::ExprKind::Apply {
                function,
                arguments,
                ..
            } => self.apply(
                scope,
                function,
                arguments,
                expected,
                Some((tense, word)),
                span,
            ),
            _ => {
                let message = format!("`{word}` goes before the name of a state or a fact");
                self.report(Diagnostic::error(Code::TenseHere, span, message));
                Self::wrong(span)
            }
        }
    }
}

/// Whether this is the word `none`.
fn is_none(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Constant(Constant::None))
}

/// Whether a value of the type has the same written form as a value of any larger type.
fn plain(ty: &Type) -> bool {
    match ty {
        Type::YesNo
        | Type::Number
        | Type::Decimal(_)
        | Type::Range(_)
        | Type::Member(_)
        | Type::Product(_)
        | Type::Word
        | Type::Text
        | Type::Nothing
        | Type::Wrong => true,
        Type::Optional(inner) => plain(inner),
        Type::Set(_) | Type::Bag(_) | Type::Pile(_) | Type::Map(..) => false,
    }
}
