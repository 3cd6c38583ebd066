//! Names: variables, fields, facts, states, givens, options, types and members.

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Builtin, Expr, ExprKind, FactId, StateId, Tense},
    resolve::Entity,
    source::Span,
    syntax::ast,
    types::{Constant, Part, Type},
};

impl Checker<'_> {
    /// What a name stands for; `tense` is what was written before it.
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
            return Expr {
                kind: ExprKind::Local(local),
                ty,
                span,
            };
        }
        if let Some(event) = scope.event
            && let Some(index) = self.resolved.events[event.index()]
                .fields
                .iter()
                .position(|(field, _)| *field == name.text)
        {
            self.no_tense(name, tense, "a field of the event");
            let ty = self.resolved.events[event.index()].fields[index].1.clone();
            return Expr {
                kind: ExprKind::EventField(index),
                ty,
                span,
            };
        }
        if let Some(fact) = self.event_fact(scope, &name.text) {
            self.no_tense(name, tense, "a fact of the event");
            return self.fact_name(fact, Tense::Now, expected, span);
        }
        if scope.event.is_some() && matches!(name.text.as_str(), "over" | "restart") {
            // Reserved facts are no where they are not defined.
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

    fn no_tense(&mut self, name: &ast::Name, tense: Option<(Tense, &str)>, what: &str) {
        if let Some((_, word)) = tense {
            self.report(
                Diagnostic::error(
                    Code::TenseHere,
                    name.span,
                    format!("`{}` is {what}, which no event changes", name.text),
                )
                .help(format!("leave out `{word}`")),
            );
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
                Expr {
                    kind: ExprKind::Constant(option.value.clone()),
                    ty: constant_type(&option.value, &option.ty),
                    span,
                }
            }
            Entity::Given(id) => {
                self.sees_givens(scope, name);
                Expr {
                    kind: ExprKind::Given(id),
                    ty: self.resolved.givens[id.index()].ty.clone(),
                    span,
                }
            }
            Entity::State(id) => self.state_name(scope, name, id, tense),
            Entity::Fact(id) => {
                self.sees_state(scope, name, "fact");
                let tense = tense.map_or(Tense::Now, |(tense, _)| tense);
                self.fact_name(id, tense, expected, span)
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
                    "`{}` as a value is the set of all its members, and there is no end of them",
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
            let message = format!("`{}` is a {what}, and a cell is a constant", name.text);
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
                    "{} cannot speak of the {what} `{}`",
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
        Expr {
            kind: ExprKind::State(id, tense.map_or(Tense::Now, |(tense, _)| tense)),
            ty: self.resolved.states[id.index()].ty.clone(),
            span: name.span,
        }
    }

    /// In a report row's own words a variable that the event changes must say which value is meant.
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
            .help(format!("write `new {text}` or `old {text}`")),
        );
    }

    fn fact_name(&mut self, id: FactId, tense: Tense, expected: Option<&Type>, span: Span) -> Expr {
        let ty = self.fact_type(id);
        match self.resolved.facts[id.index()].parameters.as_slice() {
            [] => Expr {
                kind: ExprKind::Fact {
                    fact: id,
                    tense,
                    arguments: Vec::new(),
                },
                ty,
                span,
            },
            [(_, key)] if self.resolved.types.capacity(key).is_some() => {
                let key = key.clone();
                if expected.is_some_and(|expected| !matches!(expected, Type::Map(..)))
                    && ty != Type::Wrong
                {
                    self.missing_argument(id, span);
                    return Self::wrong(span);
                }
                Expr {
                    kind: ExprKind::Tabulated(id, tense),
                    ty: Type::Map(key.into(), ty.into()),
                    span,
                }
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
                "`{name}` is asked of something: `{name}({})`",
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

    fn member_or_unknown(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        expected: Option<&Type>,
        tense: Option<(Tense, &str)>,
    ) -> Expr {
        if let Some(member) = self.member(name, expected) {
            self.no_tense(name, tense, "a member of a kind");
            return member;
        }
        if name.text == "game_number" {
            return Expr {
                kind: ExprKind::Builtin(Builtin::GameNumber, Vec::new()),
                ty: Type::Number,
                span: name.span,
            };
        }
        self.unknown_name(scope, name);
        Self::wrong(name.span)
    }

    pub(super) fn unknown_name(&mut self, scope: &Scope, name: &ast::Name) {
        let near = self.names_in_sight(scope);
        let mut diagnostic = Diagnostic::error(
            Code::UnknownName,
            name.span,
            format!("nothing here is called `{}`", name.text),
        )
        .did_you_mean(&name.text, near.iter().map(String::as_str));
        if let Some(owner) = self.elsewhere(&name.text) {
            diagnostic = diagnostic.note(owner);
        }
        if super::builtins::NAMES.contains(&name.text.as_str()) {
            diagnostic =
                diagnostic.help(format!("write `{} of …` or `{}(…)`", name.text, name.text));
        }
        self.report(diagnostic);
    }

    /// Where else something is called so: in another event's section, or as its field.
    fn elsewhere(&self, name: &str) -> Option<String> {
        if let Some(fact) = self
            .resolved
            .facts
            .iter()
            .find(|fact| fact.owner.is_some() && fact.item.name.text == name)
        {
            let event = &self.resolved.events[fact.owner?.index()].name;
            return Some(format!("`{name}` is a fact of the event `{event}` only"));
        }
        let event = self
            .resolved
            .events
            .iter()
            .find(|event| event.fields.iter().any(|(field, _)| field == name))?;
        Some(format!(
            "`{name}` is a field of the event `{}` only",
            event.name
        ))
    }

    /// The member that a name stands for, told by the type that is expected where several kinds have one.
    pub(super) fn member(&mut self, name: &ast::Name, expected: Option<&Type>) -> Option<Expr> {
        let found = self.resolved.members.get(&name.text)?.clone();
        let wanted = expected.and_then(wanted_kind);
        let chosen = found.iter().find(|(kind, _)| Some(*kind) == wanted);
        let (kind, place) = match (chosen, found.as_slice()) {
            (Some(chosen), _) => *chosen,
            (None, [only]) => *only,
            (None, several) => {
                let kinds: Vec<String> = several
                    .iter()
                    .map(|(kind, _)| self.resolved.types.kind(*kind).name.clone())
                    .collect();
                self.report(
                    Diagnostic::error(
                        Code::AmbiguousMember,
                        name.span,
                        format!(
                            "`{}` is a member of {}",
                            name.text,
                            crate::diagnostic::listed(&kinds, "and of")
                        ),
                    )
                    .help(format!("say which: `{}({})`", kinds[0], name.text)),
                );
                return Some(Self::wrong(name.span));
            }
        };
        let owner = self.resolved.types.kind(kind).name.clone();
        self.resolved.used.insert(owner);
        Some(Expr {
            kind: ExprKind::Constant(Constant::Scalar(i64::from(place))),
            ty: Type::Member(Part {
                kind,
                first: place,
                last: place,
            }),
            span: name.span,
        })
    }

    /// Whether the expression needs to know what is expected of it.
    pub(super) fn is_needy(&self, written: &ast::Expr) -> bool {
        use ast::ExprKind as Written;
        match &written.kind {
            Written::None | Written::Empty => true,
            Written::Group(inner) => self.is_needy(inner),
            Written::Set(items) | Written::Pile(items) => {
                items.iter().all(|item| self.is_needy(item))
            }
            Written::Name(name) => {
                self.resolved.members.contains_key(&name.text)
                    && !self.resolved.names.contains_key(&name.text)
            }
            _ => false,
        }
    }
}

/// The kind that a type's values, or its collection's members, are of.
fn wanted_kind(ty: &Type) -> Option<crate::types::KindId> {
    match ty {
        Type::Member(part) => Some(part.kind),
        Type::Optional(inner) => wanted_kind(inner),
        _ => None,
    }
}

/// The set of all values of a type.
fn all(element: Type, span: Span) -> Expr {
    Expr {
        kind: ExprKind::All,
        ty: Type::Set(element.into()),
        span,
    }
}

/// The narrowest type of an option's value.
fn constant_type(value: &Constant, ty: &Type) -> Type {
    match (value, ty) {
        (Constant::Scalar(value), ty) if ty.is_number() => {
            Type::Range(crate::types::Interval::new(*value, *value))
        }
        _ => ty.clone(),
    }
}
