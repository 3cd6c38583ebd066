//! Constants, which must be known before anything runs: options, bounds of ranges, attributes.

use super::{Entity, Memo, Resolver, SETTING, value_elsewhere};
use crate::{
    arithmetic,
    diagnostic::{Code, Diagnostic, alternatives},
    program::OptionValue,
    source::Span,
    syntax::ast::{self, ExprKind, Operator, Prefix, TextPart},
    types::{Constant, KindId, Part, Type},
};

impl<'t> Resolver<'t> {
    /// A constant expression, with its type.
    pub(super) fn constant(
        &mut self,
        written: &'t ast::Expr,
        expected: Option<&Type>,
    ) -> Option<(Constant, Type)> {
        let number =
            |value: i64, places: u8| (Constant::Scalar(value), Type::one_number(value, places));
        match &written.kind {
            ExprKind::Number(value) => Some(number(*value, 0)),
            ExprKind::Decimal(value, places) => Some(number(*value, *places)),
            ExprKind::YesNo(value) => Some((Constant::Scalar(i64::from(*value)), Type::YesNo)),
            ExprKind::None => Some((Constant::None, Type::Nothing.optional())),
            ExprKind::Group(inner) => self.constant(inner, expected),
            ExprKind::Text(text) => match text.parts.as_slice() {
                [] => Some((Constant::Text(String::new()), Type::Text)),
                [TextPart::Literal { text, .. }] => {
                    Some((Constant::Text(text.clone()), Type::Text))
                }
                _ => self.not_constant(written.span),
            },
            ExprKind::Unary {
                operator: Prefix::Negate,
                operand,
            } => match self.constant(operand, expected)? {
                (Constant::Scalar(value), ty) if ty.is_number() => {
                    let value = value.checked_neg();
                    value.map(|value| number(value, ty.places().unwrap_or(0)))
                }
                _ => self.not_constant(written.span),
            },
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let left = self.constant(left, expected)?;
                let right = self.constant(right, expected)?;
                match (left, right) {
                    ((Constant::Scalar(left), a), (Constant::Scalar(right), b))
                        if a.is_number() && b.is_number() =>
                    {
                        let places = (a.places().unwrap_or(0), b.places().unwrap_or(0));
                        match calculate(*operator, (left, places.0), (right, places.1)) {
                            Some((value, places)) => Some(number(value, places)),
                            None => self.not_constant(written.span),
                        }
                    }
                    _ => self.not_constant(written.span),
                }
            }
            ExprKind::Rounded {
                operand,
                rounding,
                to,
            } => {
                let step = match to.as_deref().map(|to| &to.kind) {
                    Some(ExprKind::Number(step)) => (*step, 0),
                    Some(ExprKind::Decimal(step, places)) => (*step, *places),
                    _ => (1, 0),
                };
                let (left, right) = operand.quotient();
                let left = self.constant(left, expected)?;
                let right = match right {
                    Some(right) => self.constant(right, expected)?,
                    None => number(1, 0),
                };
                match (left, right) {
                    ((Constant::Scalar(left), a), (Constant::Scalar(right), b))
                        if a.is_number() && b.is_number() =>
                    {
                        let left = (left, a.places().unwrap_or(0));
                        let right = (right, b.places().unwrap_or(0));
                        match arithmetic::rounded(*rounding, left, right, step) {
                            Some(value) => Some(number(value, step.1)),
                            None => self.not_constant(written.span),
                        }
                    }
                    _ => self.not_constant(written.span),
                }
            }
            ExprKind::Name(name) => self.named_constant(name, expected),
            ExprKind::Apply {
                function,
                arguments,
                ..
            } => match (self.names.get(&function.text), arguments.as_slice()) {
                (Some((Entity::Kind(kind), _)), [argument]) => {
                    let whole = self.types.whole(*kind);
                    self.constant(argument, Some(&whole))
                }
                _ => self.not_constant(written.span),
            },
            _ => self.not_constant(written.span),
        }
    }

    fn not_constant<T>(&mut self, span: Span) -> Option<T> {
        self.report(
            Diagnostic::error(
                Code::NotConstant,
                span,
                "this must be known before anything runs",
            )
            .help("write a number, a member, a text, yes, no, none or an option"),
        );
        None
    }

    fn named_constant(
        &mut self,
        name: &'t ast::Name,
        expected: Option<&Type>,
    ) -> Option<(Constant, Type)> {
        match self.names.get(&name.text).map(|(entity, _)| *entity) {
            Some(Entity::Option(index)) => {
                self.used.insert(name.text.clone());
                let option = self.option_value(index)?;
                return Some((option.value, option.ty));
            }
            Some(entity) => {
                let message = format!(
                    "`{}` is {}, and this must be known before anything runs",
                    name.text,
                    entity.described()
                );
                self.report(
                    Diagnostic::error(Code::NotConstant, name.span, message)
                        .help("write a number, a member, a text, yes, no, none or an option"),
                );
                return None;
            }
            None => {}
        }
        let members = self.members.get(&name.text).cloned().unwrap_or_default();
        let wanted = match expected.map(Type::required) {
            Some(Type::Member(part)) => Some(part.kind),
            _ => None,
        };
        let found = members
            .iter()
            .find(|(kind, _)| Some(*kind) == wanted)
            .or(members.first());
        if let Some((kind, place)) = found {
            self.used.insert(self.types.kind(*kind).name.clone());
            let part = Part {
                kind: *kind,
                first: *place,
                last: *place,
            };
            return Some((Constant::Scalar(i64::from(*place)), Type::Member(part)));
        }
        if let Some(value) = value_elsewhere(&name.text) {
            let message = format!("there is no member or option called `{}`", name.text);
            let diagnostic = Diagnostic::error(Code::UnknownName, name.span, message);
            self.report(diagnostic.write(value.to_owned()));
            return None;
        }
        let near = self.constant_names(wanted);
        self.report(Self::unknown(
            name,
            "member or option",
            Code::UnknownName,
            &near,
        ));
        None
    }

    fn constant_names(&self, wanted: Option<KindId>) -> Vec<String> {
        if let Some(kind) = wanted {
            return self.candidates(self.types.kind(kind).members.iter());
        }
        let options = self.options.iter().map(|option| &option.name.text);
        self.candidates(self.members.keys().chain(options))
    }

    /// The value of an option.
    pub(super) fn option_value(&mut self, index: usize) -> Option<OptionValue> {
        match &self.option_values[index] {
            Memo::Known(known) => return Some(known.clone()),
            Memo::InProgress => {
                let name = &self.options[index].name;
                self.cyclic(name);
                return None;
            }
            Memo::Wrong => return None,
            Memo::Pending => {}
        }
        self.option_values[index] = Memo::InProgress;
        let item = self.options[index];
        let option = self.nested(&item.name, |resolver| resolver.option_declared(item));
        let option = option.flatten();
        self.option_values[index] = option.clone().map_or(Memo::Wrong, Memo::Known);
        option
    }

    /// The value of an option that is needed for the first time.
    fn option_declared(&mut self, item: &'t ast::OptionItem) -> Option<OptionValue> {
        let ty = self.ty(&item.ty);
        let set = match self.settings.get(&item.name.text).cloned() {
            Some(text) => Some(self.setting(&item.name, &text, &ty)?),
            None => None,
        };
        let default = self.constant(&item.value, Some(&ty))?;
        let before = self.diagnostics.len();
        let given = default.clone();
        let mut default = self.constant_of(default, &ty, item.value.span);
        if item.value.span.source != item.span.source {
            self.say_how_to_widen(before, &item.name.text, &ty, given);
        }
        // The default may be outside the bounds that settings of other options give the type, if this option is set as
        // well.
        if default.is_none() && !self.settings.is_empty() {
            default.clone_from(&set);
            let errors = self.diagnostics.split_off(before);
            if default.is_none() {
                let name = &item.name.text;
                let help = format!(
                    "another setting may have narrowed its type: set this too, with `--set {name}=…`"
                );
                self.diagnostics
                    .extend(errors.into_iter().map(|error| error.help(&*help)));
            }
        }
        let default = default?;
        let value = set.unwrap_or_else(|| default.clone());
        Some(OptionValue {
            name: item.name.text.clone(),
            ty,
            value,
            default,
            meaning: self.comment_after(item.span),
        })
    }

    /// Says how a variant widens the type of what it sets, if it sets it to a number outside its type.
    fn say_how_to_widen(
        &mut self,
        from: usize,
        path: &str,
        ty: &Type,
        (set, found): (Constant, Type),
    ) {
        let error = self.diagnostics.get_mut(from);
        let (Some(error), Type::Range(bounds), Constant::Scalar(set)) = (error, ty.required(), set)
        else {
            return;
        };
        let are_whole = found.places() == Some(0) && ty.required().places() == Some(0);
        if error.code != Code::OutsideType || !are_whole {
            return;
        }
        let (lo, hi) = (bounds.lo.min(set), bounds.hi.max(set));
        error.help = vec![format!(
            "write one that is, or widen the type, too: `replace {path}: {lo}..{hi}`"
        )];
    }

    /// The comment at the end of the line where `span` ends: an option's documentation.
    fn comment_after(&self, span: Span) -> String {
        let Some(source) = self.sources.get(span.source) else {
            return String::new();
        };
        let rest = source.text.get(span.end as usize..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("");
        match line.trim_start().strip_prefix("--") {
            Some(comment) => comment.trim().to_string(),
            None => String::new(),
        }
    }

    /// The constant, if it is a value of `ty`.
    pub(super) fn constant_of(
        &mut self,
        (constant, found): (Constant, Type),
        ty: &Type,
        span: Span,
    ) -> Option<Constant> {
        if *ty == Type::Wrong {
            return None;
        }
        if found.places() > ty.required().places() && ty.required().is_number() {
            let written = self.sources.text(span);
            let message = format!(
                "`{written}` has more decimal places than {}",
                self.types.display(ty.required())
            );
            self.report(Diagnostic::error(Code::OutsideType, span, message).help(
                "leave some out, or write the type with more, as `0.00..9.99` for `0.0..9.9`",
            ));
            return None;
        }
        if !crate::types::fits(&found, ty) {
            let message = format!(
                "this is {}, but {} is expected",
                self.types.described(&found),
                self.types.described(ty)
            );
            self.report(Diagnostic::error(Code::WrongType, span, message));
            return None;
        }
        let constant = match (constant, found.required().places(), ty.required().places()) {
            (Constant::Scalar(value), Some(from), Some(to)) => {
                // A number beyond 64 bits is not a value of the type either.
                let beyond = if value < 0 { i64::MIN } else { i64::MAX };
                Constant::Scalar(arithmetic::scaled(value, from, to).unwrap_or(beyond))
            }
            (constant, ..) => constant,
        };
        if let Constant::Scalar(value) = constant {
            let inside = match ty.required() {
                Type::Range(interval) => (interval.lo..=interval.hi).contains(&value),
                Type::Member(part) => {
                    (i64::from(part.first)..=i64::from(part.last)).contains(&value)
                }
                _ => true,
            };
            if !inside {
                let written = self.sources.text(span);
                let message = format!("`{written}` is not one of {}", self.types.display(ty));
                self.report(
                    Diagnostic::error(Code::OutsideType, span, message)
                        .help("write one that is, or widen the type"),
                );
                return None;
            }
        }
        Some(constant)
    }

    /// The value of an option that the caller has set.
    fn setting(&mut self, name: &ast::Name, text: &str, ty: &Type) -> Option<Constant> {
        let constant = match ty.required() {
            Type::YesNo => match text {
                "yes" => Some(Constant::Scalar(1)),
                "no" => Some(Constant::Scalar(0)),
                _ => None,
            },
            Type::Number => text.parse().ok().map(Constant::Scalar),
            Type::Decimal(places) => number_of(text, *places).map(Constant::Scalar),
            Type::Range(interval) => number_of(text, interval.places)
                .filter(|value| (interval.lo..=interval.hi).contains(value))
                .map(Constant::Scalar),
            Type::Member(part) => {
                let members = &self.types.kind(part.kind).members;
                let place = members.iter().position(|member| member == text);
                place
                    .filter(|place| (part.first as usize..=part.last as usize).contains(place))
                    .and_then(|place| i64::try_from(place).ok())
                    .map(Constant::Scalar)
            }
            Type::Text | Type::Word => Some(Constant::Text(text.to_string())),
            _ => None,
        };
        let constant = match constant {
            None if ty.is_optional() && text == "none" => Some(Constant::None),
            other => other,
        };
        if constant.is_none() {
            let described = self.types.described(ty);
            let message = if text.is_empty() {
                format!("option `{}` needs a value: it is {described}", name.text)
            } else {
                format!(
                    "option `{}` cannot be `{text}`: it is {described}",
                    name.text
                )
            };
            let mut diagnostic = match self.place_of_setting(&name.text, text) {
                Some((_, value)) => Diagnostic::error(Code::OutsideType, value, message)
                    .label(name.span, "declared here"),
                None => Diagnostic::error(Code::OutsideType, name.span, message),
            };
            if *ty.required() == Type::YesNo {
                let value = match text {
                    "true" | "Yes" | "on" | "1" => "yes",
                    "false" | "No" | "off" | "0" => "no",
                    _ => "yes` or `no",
                };
                diagnostic = diagnostic.help(format!("write `{value}`"));
            }
            if text.contains(',') && text.contains('=') {
                diagnostic = diagnostic.help("to set several options, write `--set` before each");
            }
            if let Type::Member(part) = ty.required() {
                let members = self.types.kind(part.kind).members.clone();
                diagnostic = diagnostic
                    .did_you_mean(text, members.iter().map(String::as_str))
                    .note(format!("it can be {}", alternatives(&members)));
            }
            self.report(diagnostic);
        }
        constant
    }

    /// The spans of the name and the value of a setting.
    pub(super) fn place_of_setting(&self, name: &str, value: &str) -> Option<(Span, Span)> {
        let source = self.sources.find(SETTING, &format!("{name}={value}"))?;
        let end = name.len() + 1 + value.len();
        Some((
            Span::new(source, 0..name.len()),
            Span::new(source, name.len() + 1..end),
        ))
    }
}

/// The number that a setting gives, in units of `places` decimal places; the text may have fewer.
fn number_of(text: &str, places: u8) -> Option<i64> {
    if places == 0 {
        return text.parse().ok();
    }
    let (value, from) = arithmetic::decimal(text)?;
    arithmetic::scaled(value, from, places)
}

/// Arithmetic on constants, each with its decimal places. None on overflow, or for other operators.
fn calculate(
    operator: Operator,
    (left, left_places): (i64, u8),
    (right, right_places): (i64, u8),
) -> Option<(i64, u8)> {
    if operator == Operator::Multiply {
        let places = left_places.checked_add(right_places)?;
        let fits = places <= arithmetic::MOST_PLACES;
        return Some((left.checked_mul(right)?, places)).filter(|_| fits);
    }
    let places = left_places.max(right_places);
    let left = arithmetic::scaled(left, left_places, places)?;
    let right = arithmetic::scaled(right, right_places, places)?;
    let value = match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Divide if right != 0 && places == 0 => arithmetic::divide(left, right),
        Operator::Modulo if right != 0 => arithmetic::modulo(left, right),
        _ => None,
    };
    Some((value?, places))
}
