//! Fields that are paths: each member must be among those that may follow the members before it.
//!
//! The check of a path becomes a row of `impossible`, with variables that range over its places. The expression for the
//! members that may come next is kept as well, so that paths can be enumerated step by step.

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
    /// The paths among the fields of an event, each with its row of `impossible`.
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

    /// Reports a row of the rule file with the label of a path's row.
    pub(super) fn duplicate_path_label(&mut self, rows: &[Row], path: &Row) {
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

    /// A path and its row of `impossible`.
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
        // A variant may have replaced the expression, so that it is in another file.
        let span = if parameter.name.span.source == next.span.source {
            parameter.name.span.to(next.span)
        } else {
            next.span
        };
        let parts = Parts {
            name,
            ty: &ty,
            element: &element,
            whole: synthetic(ExprKind::EventField(field), &ty),
            place: synthetic(ExprKind::Local(place), &Type::Number),
            so_far: synthetic(ExprKind::Local(so_far), &ty),
            member: synthetic(ExprKind::Local(member), &element),
        };
        let [places, before, members] = parts.collections();
        let can = ExprKind::In(Box::new(parts.member.clone()), Box::new(next.clone()));
        let can = Expr::new(can, Type::YesNo, next.span);
        let row = Row {
            label: name.clone(),
            inline: false,
            maybe: false,
            value: parts.message(&next),
            bindings: vec![(place, places), (so_far, before), (member, members)],
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

    /// The type of a path's members.
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

    /// The members that may come next.
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

    /// Whether the members that may come next can be evaluated while a path is built: then only the fields before it
    /// are known, and the event has not happened.
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

/// How many possible members a message lists at most.
const MOST_LISTED: i64 = 12;

/// An expression that is not in the rule file. It has no span, so explanations do not quote it.
fn synthetic(kind: ExprKind, ty: &Type) -> Expr {
    Expr::new(kind, ty.clone(), Span::default())
}

fn number(value: i64) -> Expr {
    let ty = Type::Range(Interval::new(value, value));
    synthetic(ExprKind::Constant(Constant::Scalar(value)), &ty)
}

fn builtin(builtin: Builtin, arguments: Vec<Expr>, ty: &Type) -> Expr {
    synthetic(ExprKind::Builtin(builtin, arguments), ty)
}

/// The parts of a path's row.
struct Parts<'p> {
    name: &'p str,
    ty: &'p Type,
    element: &'p Type,
    /// The field with the whole path.
    whole: Expr,
    /// The variables: a place in the path, the members before it, and the member at it.
    place: Expr,
    so_far: Expr,
    member: Expr,
}

impl Parts<'_> {
    /// What the variables range over: all places, the members before one, the member at it.
    fn collections(&self) -> [Expr; 3] {
        let size = builtin(Builtin::Size, vec![self.whole.clone()], &Type::Number);
        let places = ExprKind::Span(Box::new(number(1)), Box::new(size));
        let many = sum(Arithmetic::Subtract, self.place.clone(), number(1));
        let before = builtin(Builtin::TopMany, vec![many, self.whole.clone()], self.ty);
        let members = builtin(
            Builtin::Item,
            vec![self.whole.clone(), self.place.clone()],
            &self.element.clone().optional(),
        );
        [
            synthetic(places, &Type::Set(Type::Number.into())),
            synthetic(
                ExprKind::Collect(vec![before]),
                &Type::Pile(self.ty.clone().into()),
            ),
            synthetic(ExprKind::Collect(vec![members]), self.ty),
        ]
    }

    /// The message about a wrong member, the first or a later one, with the members that are possible.
    fn message(&self, next: &Expr) -> Expr {
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
        let size = builtin(Builtin::Size, vec![next.clone()], &Type::Number);
        let parts = number(MOST_LISTED + 1);
        let too_many = sum(Arithmetic::Divide, size.clone(), parts);
        let which = sum(
            Arithmetic::Add,
            number(1),
            sum(Arithmetic::Add, at_most(1, size), at_most(1, too_many)),
        );
        text(vec![
            TemplatePart::Hole(text_at(
                vec![begins, goes_on],
                at_most(2, self.place.clone()),
            )),
            TemplatePart::Hole(text_at(vec![none, few, many], which)),
        ])
    }
}

fn text(parts: Vec<TemplatePart>) -> Expr {
    synthetic(ExprKind::Template(Template { parts }), &Type::Text)
}

fn sum(operator: Arithmetic, left: Expr, right: Expr) -> Expr {
    let (left, right) = (Box::new(left), Box::new(right));
    let sum = ExprKind::Arithmetic {
        operator,
        left,
        right,
    };
    synthetic(sum, &Type::Number)
}

/// The smaller of a value and a number.
fn at_most(most: i64, value: Expr) -> Expr {
    let both = ExprKind::Collect(vec![number(most), value]);
    let at_most = ExprKind::Extreme {
        highest: false,
        operand: Box::new(synthetic(both, &Type::Pile(Type::Number.into()))),
    };
    let at_most = synthetic(at_most, &Type::Number.optional());
    synthetic(ExprKind::The(Box::new(at_most)), &Type::Number)
}

/// The text at an index, from 1.
fn text_at(texts: Vec<Expr>, place: Expr) -> Expr {
    let texts = ExprKind::Collect(texts);
    let texts = synthetic(texts, &Type::Pile(Type::Text.into()));
    let one = builtin(Builtin::Item, vec![texts, place], &Type::Text.optional());
    synthetic(ExprKind::The(Box::new(one)), &Type::Text)
}
