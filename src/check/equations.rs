//! Checks equations: the new values of states.

use std::collections::BTreeMap;

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic, numbered},
    program::{Body, Definition, Equation, Event, EventId, Expr, ExprKind, How, LocalId, StateId},
    resolve::Entity,
    source::Span,
    syntax::ast,
    types::Type,
};

/// What earlier sections of an event define as a state's new value.
pub(super) struct Known {
    /// Its index among the equations of the event.
    place: usize,
    /// The rows of its table, by label.
    labels: BTreeMap<String, Span>,
}

impl<'t> Checker<'t> {
    /// Whether a name already means a value of the type, so that one entry is intended and not all.
    fn is_one_entry(&mut self, scope: &Scope, name: &ast::Name, ty: &Type) -> bool {
        let fields = scope
            .event
            .map(|event| &self.resolved.events[event.index()].fields);
        let field = fields.and_then(|fields| fields.iter().find(|(field, _)| *field == name.text));
        let fact = match self.resolved.names.get(&name.text) {
            Some((Entity::Fact(fact), _)) => Some(*fact),
            _ => None,
        };
        if let Some(fact) = self.event_fact(scope, &name.text).or(fact) {
            if !self.resolved.facts[fact.index()].item.parameters.is_empty() {
                return false;
            }
            let found = self.fact_type(fact);
            return crate::types::fits(found.required(), ty);
        }
        let found = match (field, self.resolved.names.get(&name.text)) {
            (Some((_, ty)), _) => ty,
            (None, Some((Entity::State(id), _))) => &self.resolved.states[id.index()].ty,
            (None, Some((Entity::Given(id), _))) => &self.resolved.givens[id.index()].ty,
            (None, None) => {
                let kinds = self.resolved.members.get(&name.text).into_iter().flatten();
                let mut wholes = kinds.map(|(kind, _)| self.resolved.types.whole(*kind));
                return wholes.any(|whole| crate::types::fits(&whole, ty));
            }
            _ => return false,
        };
        crate::types::fits(found.required(), ty)
    }

    /// Reports `new score(turn) = …` where `turn` already means something else.
    fn one_entry(
        &self,
        diagnostic: Diagnostic,
        new: &ast::New,
        name: &ast::Name,
        ty: &Type,
    ) -> Diagnostic {
        let (state, key) = (&new.name.text, &name.text);
        let mut diagnostic = Diagnostic {
            help: Vec::new(),
            ..diagnostic
        }
        .note(format!(
            "`new {state}(…)` takes a new name, which stands for every {}",
            self.display(ty)
        ));
        if let [only] = &*new.parameters {
            let parenthesised = new.name.span.tail().to(only.span);
            let close = self
                .written(new.span)
                .get(usize::try_from(only.span.end - new.span.start).unwrap_or(usize::MAX)..);
            let width = close.and_then(|rest| rest.find(')')).map_or(0, |at| at + 1);
            let end = only.span.end as usize + width;
            let span = Span::new(parenthesised.source, new.name.span.end as usize..end);
            diagnostic = diagnostic.edit(span, format!(" of {key}"), true);
        }
        diagnostic.help(format!(
            "to change only the `{state}` of `{key}`, write `new {state} of {key}`; to change all, choose another name"
        ))
    }

    /// Checks `new score of turn = …` in the section of an event.
    pub(super) fn equation(
        &mut self,
        id: EventId,
        new: &'t ast::New,
        event: &mut Event,
        so_far: &mut BTreeMap<StateId, Known>,
    ) {
        let Some((Entity::State(state), _)) = self.resolved.names.get(&new.name.text) else {
            let states = self.resolved.states.iter();
            let near = self.candidates(states.map(|state| &state.name().text));
            let message = match self.resolved.names.get(&new.name.text) {
                Some((entity, _)) => {
                    format!(
                        "`{}` is {}, but only a state can change",
                        new.name.text,
                        entity.described()
                    )
                }
                None => format!("there is no state called `{}`", new.name.text),
            };
            self.report(
                Diagnostic::error(Code::UnknownName, new.name.span, message)
                    .did_you_mean(&new.name.text, near.iter().map(String::as_str))
                    .help(format!(
                        "declare what events change as a state: `state {}: … = …`",
                        new.name.text
                    )),
            );
            return;
        };
        let state = *state;
        if id == EventId::START {
            self.report(
                Diagnostic::error(
                    Code::NewAtStart,
                    new.span,
                    "nothing changes at `start`: every state has its initial value",
                )
                .help(format!(
                    "give the value where `{}` is declared: `state {}: … = …`",
                    new.name.text, new.name.text
                )),
            );
            return;
        }
        let entry = &self.resolved.states[state.index()];
        let (parameters, entry_type) = (entry.parameters.clone(), entry.entry.clone());
        let whole = entry.ty.clone();
        let named = new.entry.as_ref().map(|entry| entry.keys.len());
        let named = named.unwrap_or(new.parameters.len());
        let pointwise = named > 0;
        if pointwise && named != parameters.len() {
            self.other_count(new, named, &parameters, &whole);
            return;
        }
        let mut scope = Scope::of_event(id, Place::Event);
        for (name, ty) in new.parameters.iter().zip(&parameters) {
            if let Some(mut diagnostic) = self.shadowing(&scope, name) {
                if self.is_one_entry(&scope, name, ty) {
                    diagnostic = self.one_entry(diagnostic, new, name, ty);
                }
                self.report(diagnostic);
            }
            scope.parameter(&name.text, ty.clone());
        }
        let is_entry = match &new.entry {
            Some(entry) => self.is_entry(&mut scope, (new, entry), &parameters),
            None => Vec::new(),
        };
        let mut known = so_far.get_mut(&state);
        let place = known.as_ref().map(|known| known.place);
        if let Some(first) = place.and_then(|place| event.equations.get(place)) {
            if !self.can_add_rows((&event.name, first), new, pointwise) {
                return;
            }
            scope.reserve(first.definition.locals);
        }
        let ty = if pointwise { entry_type } else { whole };
        let mut definition = self.definition(scope, &new.definition, Some(&ty), &new.name.text);
        match &mut definition.body {
            Body::Table(table) if table.how == How::One => {
                for row in &mut table.rows {
                    row.conditions.splice(0..0, is_entry.iter().cloned());
                }
            }
            _ => definition.only = is_entry,
        }
        let Some(known) = &mut known else {
            let known = Known {
                place: event.equations.len(),
                labels: labels(&definition),
            };
            so_far.insert(state, known);
            event.equations.push(Equation {
                state,
                pointwise,
                definition,
                begins: None,
                span: new.span,
            });
            return;
        };
        if let Some(first) = event.equations.get_mut(known.place) {
            self.add_rows(&mut first.definition, definition, &mut known.labels);
        }
    }

    /// Reports `new score(a, b) = …` with a wrong number of parameters.
    fn other_count(&mut self, new: &ast::New, named: usize, parameters: &[Type], whole: &Type) {
        let name = &new.name.text;
        let are = if named == 1 { "is" } else { "are" };
        let message = match (parameters, whole) {
            ([], Type::Map(..)) => format!("`{name}` is one map: it has no parameters"),
            ([], _) => format!("`{name}` is one value and has no entries"),
            _ => format!(
                "`{name}` has {}, but {named} {are} named here",
                numbered(parameters.len(), "parameter"),
            ),
        };
        let mut diagnostic = Diagnostic::error(Code::ArgumentCount, new.name.span, message);
        let each = vec!["…"; parameters.len()].join(", ");
        diagnostic = match (&new.entry, parameters) {
            (Some(entry), []) if matches!(whole, Type::Map(..)) => {
                if let (ast::Definition::Expression(value), [key]) =
                    (&new.definition, entry.keys.as_slice())
                {
                    let (value, key) = (self.written(value.span), self.written(key.span));
                    let text = format!("new {name} = {name} but ({value}) at ({key})");
                    diagnostic = diagnostic.edit(new.span, text, false);
                }
                diagnostic.help(format!("write `new {name} = {name} but … at …`"))
            }
            (_, []) => diagnostic.help(format!("write `new {name} = …`")),
            (Some(entry), [Type::Product(product)])
                if self.resolved.types.product(*product).fields.len() == named =>
            {
                let keys = entry.keys.iter().map(|key| self.text(key.span));
                let keys = keys.collect::<Vec<_>>().join(", ");
                let product = &self.resolved.types.product(*product).name;
                diagnostic.help(format!("write `new {name} of {product}({keys})`"))
            }
            (Some(_), [_]) => diagnostic.help(format!("write `new {name} of …`")),
            (Some(_), _) => diagnostic.help(format!("name the entry: `new {name} of ({each})`")),
            (None, _) => diagnostic.help(format!("give each a name: `new {name}({each})`")),
        };
        self.report(diagnostic);
    }

    /// The conditions that the parameters, which are the first locals, are the key after `of`. They fail if that is
    /// none.
    fn is_entry(
        &mut self,
        scope: &mut Scope,
        (new, entry): (&ast::New, &ast::Entry),
        parameters: &[Type],
    ) -> Vec<Expr> {
        for _ in parameters {
            scope.local();
        }
        let mut conditions = Vec::new();
        for (place, (key, ty)) in entry.keys.iter().zip(parameters).enumerate() {
            let span = match entry.keys.as_slice() {
                [_] => entry.span,
                _ => key.span,
            };
            let key = self.expression(scope, key, Some(ty));
            let is_of_many = |element: &Type| crate::types::fits(element, ty);
            if key.ty.element().is_some_and(is_of_many) {
                self.several_entries(new, &key, ty);
                continue;
            }
            let due = if key.ty.is_optional() {
                ty.clone().optional()
            } else {
                ty.clone()
            };
            let key = self.fitted(key, &due);
            if key.ty == Type::Wrong {
                continue;
            }
            let own = Expr::new(ExprKind::Local(LocalId::new(place)), ty.clone(), key.span);
            let own = self.fitted(own, &due);
            let is = ExprKind::Is(own.into(), key.into());
            conditions.push(Expr::new(is, Type::YesNo, span));
        }
        conditions
    }

    /// Reports `new owner of closed = …` where `closed` is a set of keys.
    fn several_entries(&mut self, new: &ast::New, key: &Expr, ty: &Type) {
        let message = format!(
            "`{}` is {}, but {} is expected here",
            self.text(key.span),
            self.described(&key.ty),
            self.described(ty)
        );
        let error = Diagnostic::error(Code::WrongType, key.span, message);
        let (name, keys) = (&new.name.text, self.written(key.span));
        let diagnostic = match &new.definition {
            ast::Definition::Expression(value) => {
                let value = self.written(value.span);
                let text = format!("new {name} = {name} but ({value}) at ({keys})");
                let help =
                    format!("to change all of them, write `new {name} = {name} but … at {keys}`");
                error.help(help).edit(new.span, text, false)
            }
            _ => error.help(format!(
                "to change all of them, write `new {name}(x) | …: … when x in {keys}`"
            )),
        };
        self.report(diagnostic);
    }

    /// Whether a further `new` of a state can be added to the same table; if not, this is reported.
    fn can_add_rows(
        &mut self,
        (event, first): (&str, &Equation),
        new: &ast::New,
        pointwise: bool,
    ) -> bool {
        let name = &new.name.text;
        let has_rows = |how: Option<How>| how == Some(How::One);
        let firsts = match &first.definition.body {
            Body::Table(table) => Some(table.how),
            Body::Expression(_) | Body::By(_) => None,
        };
        let own = match &new.definition {
            ast::Definition::Table(table) => Some(table.how),
            ast::Definition::Expression(_) | ast::Definition::By(_) => None,
        };
        let mut rows = None;
        let (message, help) = if !has_rows(firsts) || !has_rows(own) {
            let of = if pointwise { " of …" } else { "" };
            let help = if first.span.source == new.span.source {
                format!(
                    "write both as rows, without `=`, each with a name: `new {name}{of} | one: …`"
                )
            } else {
                if pointwise && first.pointwise {
                    rows = self.as_rows(event, first, new);
                }
                format!(
                    "to give another one instead, write `replace {event}.new.{name} = …` outside the section"
                )
            };
            (format!("this event gives the new `{name}` twice"), help)
        } else if first.pointwise != pointwise {
            (
                format!("the new `{name}` is given entry by entry here, and as a whole there"),
                format!("write both as entries: `new {name} of …`, or `new {name}(x)` for all"),
            )
        } else {
            return true;
        };
        let diagnostic = Diagnostic::error(Code::DuplicateName, new.name.span, message)
            .label(first.span, "the first time")
            .help(help);
        self.report(rows.into_iter().fold(diagnostic, Diagnostic::help));
        false
    }

    /// How a variant says `new hand of who = hand of who without {card}` again, as a row beside others.
    fn as_rows(&self, event: &str, first: &Equation, new: &ast::New) -> Option<String> {
        let name = &new.name.text;
        let written = self.written(first.span);
        let (entry, value) = written.split_once('=')?;
        let key = entry.trim().strip_prefix(&format!("new {name} of "))?;
        let one_line = !value.contains(['\n', '|']) && !key.starts_with('(');
        let parameter = match new.parameters.as_slice() {
            [] => "x",
            [only] => &only.text,
            _ => return None,
        };
        one_line.then(|| format!(
            "to add to it, write `remove {event}.new.{name}` outside the section, and here `new {name}({parameter}) | own: {} when {parameter} is {key} | …`",
            value.trim()
        ))
    }

    /// Adds the rows of a further `new` of a state.
    fn add_rows(
        &mut self,
        first: &mut Definition,
        more: Definition,
        known: &mut BTreeMap<String, Span>,
    ) {
        first.locals = first.locals.max(more.locals);
        let own = labels(&more);
        let (Body::Table(table), Body::Table(more)) = (&mut first.body, more.body) else {
            return;
        };
        for row in &more.rows {
            if let Some(same) = known.get(&row.label) {
                let message = format!("two rows are called `{}`", row.label);
                self.report(
                    Diagnostic::error(Code::DuplicateLabel, row.span, message)
                        .label(*same, "the first")
                        .help("give each row its own name"),
                );
            }
        }
        for (label, span) in own {
            known.entry(label).or_insert(span);
        }
        table.rows.extend(more.rows);
    }
}

/// The rows of a table, by label.
fn labels(definition: &Definition) -> BTreeMap<String, Span> {
    let mut labels = BTreeMap::new();
    if let Body::Table(table) = &definition.body {
        for row in &table.rows {
            labels.entry(row.label.clone()).or_insert(row.span);
        }
    }
    labels
}
