//! Fields that are paths: each member is one of those that may come after the members before it.
//!
//! A path that goes another way is impossible: that is a row like any other, which goes through the places of the path.
//! What may come after a path is known besides, for what follows paths step by step.

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Builtin, EventId, Expr, ExprKind, Path, Row, Template, TemplatePart, Tense,
    },
    source::Span,
    syntax::ast,
    types::{Constant, Interval, Type},
};

impl<'t> Checker<'t> {
    /// The paths among the fields of an event, and the rows that make others impossible.
    pub(super) fn paths(
        &mut self,
        id: EventId,
        item: &'t ast::Event,
        scope: &mut Scope,
    ) -> (Vec<Path>, Vec<Row>) {
        let mut all = (Vec::new(), Vec::new());
        for (field, parameter) in item.fields.iter().enumerate() {
            if let Some(next) = &parameter.next
                && let Some((path, row)) = self.path(id, field, parameter, next, scope)
            {
                all.0.push(path);
                all.1.push(row);
            }
        }
        all
    }

    /// A row of the game's that is called as the one of a path.
    pub(super) fn called_as_path(&mut self, rows: &[Row], path: &Row) {
        let Some(row) = rows.iter().find(|row| row.label == path.label) else {
            return;
        };
        let name = &row.label;
        let message = format!("two rows are called `{name}`");
        self.report(
            Diagnostic::error(Code::DuplicateLabel, row.span, message)
                .label(path.span, "the row that `each in` makes")
                .help("give this row another name"),
        );
    }

    /// A path, and the row that makes others impossible.
    fn path(
        &mut self,
        id: EventId,
        field: usize,
        parameter: &ast::Parameter,
        next: &'t ast::Expr,
        scope: &mut Scope,
    ) -> Option<(Path, Row)> {
        let name = &parameter.name.text;
        let ty = self.resolved.events[id.index()].fields[field].1.clone();
        let element = self.element_of_path(parameter, &ty)?;
        let known = scope.variables.len();
        let (place, member) = (scope.local(), scope.local());
        let so_far = scope.parameter(name, ty.clone());
        let next = self.next_of_path(scope, name, next, &ty, &element);
        scope.leave(known);
        let next = next?;
        if !self.is_before_event(id, field, name, &next) {
            return None;
        }
        // A variant may have replaced what stands there.
        let span = if parameter.name.span.source == next.span.source {
            parameter.name.span.to(next.span)
        } else {
            next.span
        };
        let parts = Parts {
            name,
            ty: &ty,
            element: &element,
            whole: unwritten(ExprKind::EventField(field), &ty),
            place: unwritten(ExprKind::Local(place), &Type::Number),
            so_far: unwritten(ExprKind::Local(so_far), &ty),
            member: unwritten(ExprKind::Local(member), &element),
        };
        let [places, before, there] = parts.collections();
        let can = ExprKind::In(Box::new(parts.member.clone()), Box::new(next.clone()));
        let can = Expr::new(can, Type::YesNo, next.span);
        let row = Row {
            label: name.clone(),
            inline: false,
            maybe: false,
            value: parts.said(&next),
            bindings: vec![(place, places), (so_far, before), (member, there)],
            conditions: vec![super::operators::not(can)],
            says: None,
            sight: None,
            span,
        };
        let path = Path {
            field,
            next,
            so_far,
            span,
        };
        Some((path, row))
    }

    /// What a path holds.
    fn element_of_path(&mut self, parameter: &ast::Parameter, ty: &Type) -> Option<Type> {
        let help = match ty {
            Type::Pile(element) => return Some((**element).clone()),
            Type::Wrong => return None,
            Type::Set(element) | Type::Bag(element) => format!(
                "write `{}: pile of {} each in …`",
                parameter.name.text,
                self.display(element)
            ),
            _ => "leave out `each in …`, and say in an `impossible` row what it cannot be".into(),
        };
        let message = format!(
            "`{}` is {}, but `each in` says what the members of a pile may be",
            parameter.name.text,
            self.described(ty)
        );
        let span = parameter.ty.span;
        self.report(Diagnostic::error(Code::NotCollection, span, message).help(help));
        None
    }

    /// What may come next.
    fn next_of_path(
        &mut self,
        scope: &mut Scope,
        name: &str,
        next: &'t ast::Expr,
        ty: &Type,
        element: &Type,
    ) -> Option<Expr> {
        let expected = Type::Set(element.clone().into());
        let next = self.expression(scope, next, Some(&expected));
        let text = self.text(next.span);
        let found = match &next.ty {
            Type::Wrong => return None,
            Type::YesNo => {
                let message =
                    format!("`{text}` is yes/no, but `each in` says which members may come next");
                let help = format!(
                    "write the set of those: `{{x in {} where …}}`",
                    self.display(element)
                );
                let diagnostic = Diagnostic::error(Code::NotCollection, next.span, message);
                self.report(diagnostic.help(help));
                return None;
            }
            other => other.element().cloned(),
        };
        let Some(found) = found else {
            self.not_collection(&next, "`each in` says which members may come next");
            return None;
        };
        if crate::types::join(element, &found).is_none() {
            let message = format!(
                "`{text}` holds {}, and `{name}` is {}",
                self.display(&found),
                self.described(ty)
            );
            let help = format!(
                "write a collection of {}: those that may come next",
                self.display(element)
            );
            self.report(Diagnostic::error(Code::NeverEqual, next.span, message).help(help));
            return None;
        }
        Some(next)
    }

    /// Whether what comes next can be asked while a path is followed: the fields before it have their values then, and
    /// nothing has happened.
    fn is_before_event(&mut self, id: EventId, field: usize, name: &str, next: &Expr) -> bool {
        let mut wrong: Option<(Span, String)> = None;
        let fields = &self.resolved.events[id.index()].fields;
        next.walk(&mut |part| {
            let what = match &part.kind {
                ExprKind::EventField(other) if *other > field => {
                    format!(
                        "the field `{}`, which comes after `{name}`",
                        fields[*other].0
                    )
                }
                ExprKind::State(state, Tense::New) => {
                    let state = &self.resolved.states[state.index()];
                    format!(
                        "`new {}`: the event has not happened yet",
                        state.name().text
                    )
                }
                ExprKind::Fact {
                    fact,
                    tense: Tense::New,
                    ..
                }
                | ExprKind::Tabulated(fact, Tense::New) => {
                    let fact = &self.resolved.facts[fact.index()].item.name.text;
                    format!("`new {fact}`: the event has not happened yet")
                }
                ExprKind::Fact { fact, .. } | ExprKind::Tabulated(fact, _) => {
                    let fact = &self.resolved.facts[fact.index()];
                    if fact.owner != Some(id) {
                        return;
                    }
                    let fact = &fact.item.name.text;
                    format!(
                        "`{fact}`, a fact of the event, which is known only when all of `{name}` is"
                    )
                }
                _ => return,
            };
            wrong.get_or_insert((part.span, what));
        });
        let Some((span, what)) = wrong else {
            return true;
        };
        self.report(
            Diagnostic::error(Code::OutOfSight, span, format!("`each in` cannot use {what}"))
                .note(format!(
                    "there `{name}` is what comes before a member, and only the fields before it, the state and facts at the top level are known"
                )),
        );
        false
    }
}

/// How many members a message lists that may come next.
const MOST_TOLD: i64 = 12;

/// What nobody has written: it has no place, so that no explanation calls it by a name.
fn unwritten(kind: ExprKind, ty: &Type) -> Expr {
    Expr::new(kind, ty.clone(), Span::default())
}

fn number(value: i64) -> Expr {
    let ty = Type::Range(Interval::new(value, value));
    unwritten(ExprKind::Constant(Constant::Scalar(value)), &ty)
}

fn asked(builtin: Builtin, arguments: Vec<Expr>, ty: &Type) -> Expr {
    unwritten(ExprKind::Builtin(builtin, arguments), ty)
}

/// What the row of a path is made of.
struct Parts<'p> {
    name: &'p str,
    ty: &'p Type,
    element: &'p Type,
    /// The field.
    whole: Expr,
    /// The variables: a place in it, what comes before that, and what stands there.
    place: Expr,
    so_far: Expr,
    member: Expr,
}

impl Parts<'_> {
    /// What the variables go through: all places; what comes before one; what stands there.
    fn collections(&self) -> [Expr; 3] {
        let size = asked(Builtin::Size, vec![self.whole.clone()], &Type::Number);
        let places = ExprKind::Span(Box::new(number(1)), Box::new(size));
        let many = sum(Arithmetic::Subtract, self.place.clone(), number(1));
        let before = asked(Builtin::TopMany, vec![many, self.whole.clone()], self.ty);
        let there = asked(
            Builtin::Item,
            vec![self.whole.clone(), self.place.clone()],
            &self.element.clone().optional(),
        );
        [
            unwritten(places, &Type::Set(Type::Number.into())),
            unwritten(
                ExprKind::Collect(vec![before]),
                &Type::Pile(self.ty.clone().into()),
            ),
            unwritten(ExprKind::Collect(vec![there]), self.ty),
        ]
    }

    /// What is said of a wrong member: of the first, or of one that comes after others; and which may come there.
    fn said(&self, next: &Expr) -> Expr {
        let literal = |text: &str| TemplatePart::Literal(text.into());
        let begins = text(vec![
            TemplatePart::Literal(format!("`{}` cannot begin with ", self.name)),
            TemplatePart::Hole(self.member.clone()),
        ]);
        let goes_on = text(vec![
            TemplatePart::Literal(format!("`{}` cannot go on with ", self.name)),
            TemplatePart::Hole(self.member.clone()),
            literal(" after "),
            TemplatePart::Hole(self.so_far.clone()),
        ]);
        let none = text(vec![literal(", nor with anything else")]);
        let few = text(vec![
            literal(", only with "),
            TemplatePart::Hole(next.clone()),
        ]);
        let many = text(Vec::new());
        let size = asked(Builtin::Size, vec![next.clone()], &Type::Number);
        let parts = number(MOST_TOLD + 1);
        let too_many = sum(Arithmetic::Divide, size.clone(), parts);
        let which = sum(
            Arithmetic::Add,
            number(1),
            sum(Arithmetic::Add, least(1, size), least(1, too_many)),
        );
        text(vec![
            TemplatePart::Hole(one_of(vec![begins, goes_on], least(2, self.place.clone()))),
            TemplatePart::Hole(one_of(vec![none, few, many], which)),
        ])
    }
}

fn text(parts: Vec<TemplatePart>) -> Expr {
    unwritten(ExprKind::Template(Template { parts }), &Type::Text)
}

fn sum(operator: Arithmetic, left: Expr, right: Expr) -> Expr {
    let (left, right) = (Box::new(left), Box::new(right));
    let sum = ExprKind::Arithmetic {
        operator,
        left,
        right,
    };
    unwritten(sum, &Type::Number)
}

/// A value, or a number where that is less.
fn least(most: i64, value: Expr) -> Expr {
    let both = ExprKind::Collect(vec![number(most), value]);
    let least = ExprKind::Extreme {
        highest: false,
        operand: Box::new(unwritten(both, &Type::Pile(Type::Number.into()))),
    };
    let least = unwritten(least, &Type::Number.optional());
    unwritten(ExprKind::The(Box::new(least)), &Type::Number)
}

/// The text at a place, from 1.
fn one_of(texts: Vec<Expr>, place: Expr) -> Expr {
    let texts = ExprKind::Collect(texts);
    let texts = unwritten(texts, &Type::Pile(Type::Text.into()));
    let one = asked(Builtin::Item, vec![texts, place], &Type::Text.optional());
    unwritten(ExprKind::The(Box::new(one)), &Type::Text)
}
