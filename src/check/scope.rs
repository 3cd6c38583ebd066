//! Scopes: the names that an expression can use.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    diagnostic::{Code, Diagnostic, enumerated, numbered},
    program::{EventId, LocalId},
    resolve::{Entity, is_own_result},
    source::Span,
    syntax::ast,
    types::Type,
};

use super::Checker;

/// Where an expression is, which decides what it may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The condition of a product: options only.
    Constant,
    /// A cell of a `by` table: options only.
    Cell,
    /// A written form: givens and options.
    Write,
    /// An initial value.
    Initial,
    /// A fact at top level.
    Fact,
    /// A section of an event.
    Event,
    /// The text of a report row.
    Report,
    /// The text of a report row of a refused event.
    Refused,
    /// An event's guard.
    Guard,
    /// The decider of an event, and its weight.
    Decider,
    /// `seen by`
    Sight,
    /// A policy.
    Policy,
    /// A `follows` row.
    Follows,
    /// A condition of a transcript.
    Transcript,
}

impl Place {
    /// Whether `new x` is allowed there.
    pub(super) fn sees_new(self) -> bool {
        matches!(self, Place::Fact | Place::Event | Place::Report)
    }

    /// Whether state may be read there.
    pub(super) fn sees_state(self) -> bool {
        !matches!(self, Place::Constant | Place::Cell | Place::Write)
    }

    /// Its description in messages.
    pub(super) fn described(self) -> &'static str {
        match self {
            Place::Constant => "the condition of a type",
            Place::Cell => "a cell",
            Place::Write => "a written form",
            Place::Initial => "an initial value",
            Place::Fact => "a fact",
            Place::Event => "an event's section",
            Place::Report => "a report",
            Place::Refused => "the report of a refused event",
            Place::Guard => "a guard",
            Place::Decider => "`by`",
            Place::Sight => "`seen by`",
            Place::Policy => "a policy",
            Place::Follows => "`follows`",
            Place::Transcript => "a transcript",
        }
    }
}

/// A variable in scope.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) local: LocalId,
    pub(super) ty: Type,
}

/// The names in scope besides the top-level ones, and the frame of the variables.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) place: Place,
    pub(super) event: Option<EventId>,
    pub(super) variables: Vec<Variable>,
    locals: usize,
}

impl Scope {
    pub(super) fn new(place: Place) -> Scope {
        Scope {
            place,
            event: None,
            variables: Vec::new(),
            locals: 0,
        }
    }

    /// The scope of an event's section, with the event's fields and facts.
    pub(super) fn of_event(event: EventId, place: Place) -> Scope {
        Scope {
            event: Some(event),
            ..Scope::new(place)
        }
    }

    /// Allocates a local.
    pub(super) fn local(&mut self) -> LocalId {
        self.locals += 1;
        LocalId::new(self.locals - 1)
    }

    /// Reserves locals for another use.
    pub(super) fn reserve(&mut self, locals: usize) {
        self.locals = self.locals.max(locals);
    }

    /// Adds a variable.
    pub(super) fn parameter(&mut self, name: &str, ty: Type) -> LocalId {
        let local = self.local();
        self.variables.push(Variable {
            name: name.to_string(),
            local,
            ty,
        });
        local
    }

    /// Removes all variables but the first `count`.
    pub(super) fn leave(&mut self, count: usize) {
        self.variables.truncate(count);
    }

    /// The size of the frame.
    pub(super) fn locals(&self) -> usize {
        self.locals
    }

    pub(super) fn find(&self, name: &str) -> Option<&Variable> {
        self.variables
            .iter()
            .rev()
            .find(|variable| variable.name == name)
    }
}

/// How many variables may have names of one kind's members before one error replaces all.
const MANY_ALIKE: usize = 3;

impl Checker<'_> {
    /// Reports `name` if it is already in scope.
    pub(super) fn shadows(&mut self, scope: &Scope, name: &ast::Name) {
        let diagnostic = self.shadowing(scope, name);
        self.report_all(diagnostic.into_iter().collect());
    }

    /// The error for a `name` that is already in scope.
    pub(super) fn shadowing(&self, scope: &Scope, name: &ast::Name) -> Option<Diagnostic> {
        let text = name.text.as_str();
        let (what, place): (String, Option<Span>) = if scope.find(text).is_some() {
            ("a variable already in use here".into(), None)
        } else if let Some(event) = scope.event
            && self.resolved.events[event.index()]
                .fields
                .iter()
                .any(|(field, _)| field == text)
        {
            ("a field of the event".into(), None)
        } else if let Some(fact) = self.event_fact(scope, text) {
            let span = self.resolved.facts[fact.index()].item.name.span;
            ("a fact of the event".into(), Some(span))
        } else if let Some((entity, span)) = self.resolved.names.get(text) {
            (entity.described().into(), Some(*span))
        } else if let Some(member) = self.resolved.members.get(text) {
            let kind = self.resolved.types.kind(member[0].0);
            if is_own_result(kind) {
                return None;
            }
            (format!("a member of {}", kind.name), Some(kind.span))
        } else {
            return None;
        };
        let help = if scope.find(text).is_some() {
            "give the new one another name; or, if the first was to end before it, put parentheses around that: \
             `every`, `some`, `no` and `best` reach as far as they can"
        } else {
            "give the new one another name"
        };
        let mut diagnostic =
            Diagnostic::error(Code::Shadowing, name.span, format!("`{text}` is {what}")).help(help);
        if let Some(place) = place.filter(|place| *place != Span::default()) {
            diagnostic = diagnostic.label(place, "declared here");
        }
        Some(diagnostic)
    }

    /// The fact of the scope's event with this name.
    pub(super) fn event_fact(&self, scope: &Scope, name: &str) -> Option<crate::program::FactId> {
        let event = scope.event?;
        self.resolved.event_facts.get(&(event, name)).copied()
    }

    /// Every name that an expression in this scope can use.
    pub(super) fn names_in_sight(&self, scope: &Scope) -> Vec<String> {
        let mut names: Vec<String> = scope
            .variables
            .iter()
            .map(|variable| variable.name.clone())
            .collect();
        if let Some(event) = scope.event {
            let fields = &self.resolved.events[event.index()].fields;
            names.extend(fields.iter().map(|(name, _)| name.clone()));
            names.extend(
                self.resolved
                    .facts
                    .iter()
                    .filter(|fact| fact.owner == Some(event))
                    .map(|fact| fact.item.name.text.clone()),
            );
        }
        names.extend(
            self.resolved
                .names
                .iter()
                .filter(|(_, (entity, _))| {
                    scope.place.sees_state()
                        || !matches!(entity, Entity::State(_) | Entity::Fact(_))
                })
                .map(|(name, _)| name.clone()),
        );
        names.extend(self.resolved.members.keys().cloned());
        names
    }

    /// Keeps only the first of many errors about variables named like members of one kind, and lists the other
    /// variables in it: the kind is at fault.
    pub(super) fn one_for_each_kind(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let kinds = &self.resolved.types.kinds;
        // The span of the kind that an error refers to, and the variable.
        let about = |diagnostic: &Diagnostic| {
            let place = diagnostic.labels.first()?.span;
            let kind = kinds.iter().position(|kind| kind.span == place)?;
            let name = self.sources.text(diagnostic.span);
            let is_member = diagnostic.code == Code::Shadowing && name != kinds[kind].name;
            is_member.then(|| (kind, name.to_string()))
        };
        let mut alike: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (kind, name) in diagnostics.iter().filter_map(about) {
            alike.entry(kind).or_default().push(name);
        }
        alike.retain(|_, names| names.len() >= MANY_ALIKE);
        let mut left = Vec::new();
        for mut diagnostic in diagnostics {
            let Some((kind, _)) = about(&diagnostic) else {
                left.push(diagnostic);
                continue;
            };
            // The first error of a kind takes the list; later ones are dropped.
            match alike.get_mut(&kind).map(std::mem::take) {
                None => left.push(diagnostic),
                Some(names) if names.is_empty() => {}
                Some(names) => {
                    let more = numbered(names.len() - 1, "more place");
                    let others: BTreeSet<&String> =
                        names.iter().filter(|name| **name != names[0]).collect();
                    let others = match others.len() {
                        0 => String::new(),
                        _ => format!(": {}", enumerated(others)),
                    };
                    let kind = &kinds[kind].name;
                    diagnostic.help = vec![format!(
                        "give the members of `{kind}` other names, or these variables"
                    )];
                    left.push(diagnostic.note(format!("it is the same in {more}{others}")));
                }
            }
        }
        left
    }
}
