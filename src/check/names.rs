//! Checks names: variables, fields, facts, states, givens, options, types and members.

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind, FactId, StateId, Tense},
    resolve::Entity,
    source::Span,
    syntax::ast,
    types::{Constant, Type},
};

impl Checker<'_> {
    /// Checks a name; `tense` is the word before it.
    pub(super) fn name(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        expected: Option<&Type>,
        tense: Option<(Tense, &str)>,
    ) -> Expr {
        let span = name.span;
        if let Some(variable) = scope.find(&name.text) {
            let (local, ty) = (variable.local, variable.ty.clone());
            self.no_tense(name, tense, "a variable");
            return Expr::new(ExprKind::Local(local), ty, span);
        }
        if let Some(event) = scope.event
            && let Some(index) = self.resolved.events[event.index()]
                .fields
                .iter()
                .position(|(field, _)| *field == name.text)
        {
            self.no_tense(name, tense, "a field of the event");
            let ty = self.resolved.events[event.index()].fields[index].1.clone();
            return Expr::new(ExprKind::EventField(index), ty, span);
        }
        if let Some(fact) = self.event_fact(scope, &name.text) {
            self.no_tense(name, tense, "a fact of the event");
            return self.fact_name(fact, Tense::Now, expected, span);
        }
        if scope.event.is_some() && matches!(name.text.as_str(), "over" | "restart") {
            // `over` and `restart` are no if they are not defined.
            return Expr::yes_no(false, span);
        }
        match self
            .resolved
            .names
            .get(&name.text)
            .map(|(entity, _)| *entity)
        {
            Some(entity) => self.entity(scope, name, entity, expected, tense),
            None => self.member_or_unknown(scope, name, expected, tense),
        }
    }

    pub(super) fn no_tense(&mut self, name: &ast::Name, tense: Option<(Tense, &str)>, what: &str) {
        if let Some((_, word)) = tense {
            let diagnostic = Diagnostic::error(
                Code::TenseHere,
                name.span,
                format!("`{}` is {what}, which no event changes", name.text),
            )
            .help(format!("leave out `{word}`"));
            self.report(self.leave_out(diagnostic, word, name.span));
        }
    }

    fn entity(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        entity: Entity,
        expected: Option<&Type>,
        tense: Option<(Tense, &str)>,
    ) -> Expr {
        let span = name.span;
        if !matches!(entity, Entity::State(_) | Entity::Fact(_)) {
            self.no_tense(name, tense, entity.described());
        }
        self.resolved.used.insert(name.text.clone());
        match entity {
            Entity::Option(index) => {
                let option = &self.resolved.options[index];
                Expr::new(
                    ExprKind::Constant(option.value.clone()),
                    constant_type(&option.value, &option.ty),
                    span,
                )
            }
            Entity::Given(id) => {
                self.sees_givens(scope, name);
                Expr::new(
                    ExprKind::Given(id),
                    self.resolved.givens[id.index()].ty.clone(),
                    span,
                )
            }
            Entity::State(id) => self.state_name(scope, name, id, tense),
            Entity::Fact(id) => {
                self.sees_state(scope, name, "fact");
                let tense = tense.map_or(Tense::Now, |(tense, _)| tense);
                self.fact_name(id, tense, expected, span)
            }
            Entity::Round(_) => {
                self.report(
                    Diagnostic::error(
                        Code::UnknownName,
                        span,
                        format!("`{}` is a round, and a round has no value", name.text),
                    )
                    .help("name a round after `per`, after `in` or in a row of `begin`"),
                );
                Self::wrong(span)
            }
            Entity::Kind(id) => {
                let element = self.resolved.types.whole(id);
                all(element, span)
            }
            Entity::Product(id) => {
                if self.resolved.types.product(id).record {
                    self.endless(name);
                    return Self::wrong(span);
                }
                all(Type::Product(id), span)
            }
            Entity::Alias(index) => {
                let element = self.resolved.alias_types[index].clone();
                if self.resolved.types.capacity(&element).is_none() {
                    self.endless(name);
                    return Self::wrong(span);
                }
                all(element, span)
            }
        }
    }

    fn endless(&mut self, name: &ast::Name) {
        self.report(
            Diagnostic::error(
                Code::EndlessType,
                name.span,
                format!(
                    "`{}` as a value is the set of all its members, of which there is no end",
                    name.text
                ),
            )
            .help("use a kind, a product of kinds, or numbers such as `1..9`"),
        );
    }

    fn sees_givens(&mut self, scope: &Scope, name: &ast::Name) {
        if matches!(scope.place, Place::Constant | Place::Cell) {
            self.out_of_sight(scope, name, "given");
        }
    }

    fn sees_state(&mut self, scope: &Scope, name: &ast::Name, what: &str) {
        if !scope.place.sees_state() {
            self.out_of_sight(scope, name, what);
        }
    }

    fn out_of_sight(&mut self, scope: &Scope, name: &ast::Name, what: &str) {
        if scope.place == Place::Cell {
            let message = format!("`{}` is a {what}, but a cell is a constant", name.text);
            self.report(super::cells::no_constant(name.span, message));
            return;
        }
        let sees = match scope.place {
            Place::Constant => "only the parts of the type, and options, are known there",
            _ => "only the value `it`, givens and options are known there",
        };
        self.report(
            Diagnostic::error(
                Code::OutOfSight,
                name.span,
                format!(
                    "{} cannot use the {what} `{}`",
                    scope.place.described(),
                    name.text
                ),
            )
            .note(sees),
        );
    }

    fn state_name(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        id: StateId,
        tense: Option<(Tense, &str)>,
    ) -> Expr {
        self.sees_state(scope, name, "state");
        self.needs_tense(scope, name, id, tense);
        Expr::new(
            ExprKind::State(id, tense.map_or(Tense::Now, |(tense, _)| tense)),
            self.resolved.states[id.index()].ty.clone(),
            name.span,
        )
    }

    /// In the text of a report row, requires a tense with a state that the event changes.
    pub(super) fn needs_tense(
        &mut self,
        scope: &Scope,
        name: &ast::Name,
        id: StateId,
        tense: Option<(Tense, &str)>,
    ) {
        let (Place::Report, Some(event), None) = (scope.place, scope.event, tense) else {
            return;
        };
        if !self.changed(event, id) {
            return;
        }
        let text = &name.text;
        self.report(
            Diagnostic::error(
                Code::WhichTense,
                name.span,
                format!("`{text}` changes in this event; in a report say which value you mean"),
            )
            .help(format!("write `new {text}` or `old {text}`"))
            .edit(name.span, format!("new {text}"), false)
            .edit(name.span, format!("old {text}"), false),
        );
    }

    fn fact_name(&mut self, id: FactId, tense: Tense, expected: Option<&Type>, span: Span) -> Expr {
        let ty = self.fact_type(id);
        match self.resolved.facts[id.index()].parameters.as_slice() {
            [] => Expr::new(
                ExprKind::Fact {
                    fact: id,
                    tense,
                    arguments: Vec::new(),
                },
                ty,
                span,
            ),
            [(_, key)] if self.resolved.types.capacity(key).is_some() => {
                let key = key.clone();
                if expected.is_some_and(|expected| !matches!(expected, Type::Map(..)))
                    && ty != Type::Wrong
                {
                    self.missing_argument(id, span);
                    return Self::wrong(span);
                }
                Expr::new(
                    ExprKind::Tabulated(id, tense),
                    Type::Map(key.into(), ty.into()),
                    span,
                )
            }
            _ => {
                self.missing_argument(id, span);
                Self::wrong(span)
            }
        }
    }

    fn missing_argument(&mut self, id: FactId, span: Span) {
        let entry = &self.resolved.facts[id.index()];
        let name = &entry.item.name.text;
        let parameters: Vec<String> = entry
            .parameters
            .iter()
            .map(|(name, ty)| format!("{name}: {}", self.display(ty)))
            .collect();
        let diagnostic = Diagnostic::error(
            Code::ArgumentCount,
            span,
            format!(
                "`{name}` takes arguments: `{name}({})`",
                parameters.join(", ")
            ),
        )
        .label(entry.item.name.span, "declared here")
        .help(if parameters.len() == 1 {
            format!("write `{name} of …`")
        } else {
            format!("write `{name}({})`", vec!["…"; parameters.len()].join(", "))
        });
        self.report(diagnostic);
    }
}

/// The set of all values of a type.
fn all(element: Type, span: Span) -> Expr {
    Expr::new(ExprKind::All, Type::Set(element.into()), span)
}

/// The narrowest type of an option's value.
fn constant_type(value: &Constant, ty: &Type) -> Type {
    match (value, ty) {
        (Constant::Scalar(value), ty) if ty.is_number() => {
            Type::one_number(*value, ty.places().unwrap_or(0))
        }
        _ => ty.clone(),
    }
}
