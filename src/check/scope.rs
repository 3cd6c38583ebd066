//! What an expression can see.

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

/// Where an expression stands, which decides what of the game it can speak of.
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
    /// A report row's own words.
    Report,
    /// A report row of a refused event.
    Refused,
    /// An event's guard.
    Guard,
    /// Who decides an event, and how likely it is.
    Decider,
    /// Who sees something.
    Sight,
    /// A policy.
    Policy,
    /// A `follows` row.
    Follows,
    /// A condition of a transcript.
    Transcript,
}

impl Place {
    /// Whether `new x` means something there.
    pub(super) fn sees_new(self) -> bool {
        matches!(self, Place::Fact | Place::Event | Place::Report)
    }

    /// Whether the state means something there.
    pub(super) fn sees_state(self) -> bool {
        !matches!(self, Place::Constant | Place::Cell | Place::Write)
    }

    /// What it is called in messages.
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

/// A variable in sight.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) local: LocalId,
    pub(super) ty: Type,
}

/// The names in sight besides the top-level ones, and the frame that holds them.
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

    /// The scope of an event's section: its fields and its facts are in sight.
    pub(super) fn of_event(event: EventId, place: Place) -> Scope {
        Scope {
            event: Some(event),
            ..Scope::new(place)
        }
    }

    /// A new place in the frame.
    pub(super) fn local(&mut self) -> LocalId {
        self.locals += 1;
        LocalId::new(self.locals - 1)
    }

    /// Keeps so many places of the frame for others.
    pub(super) fn reserve(&mut self, locals: usize) {
        self.locals = self.locals.max(locals);
    }

    /// A new variable.
    pub(super) fn parameter(&mut self, name: &str, ty: Type) -> LocalId {
        let local = self.local();
        self.variables.push(Variable {
            name: name.to_string(),
            local,
            ty,
        });
        local
    }

    /// Forgets the variables that were added since there were `count`.
    pub(super) fn leave(&mut self, count: usize) {
        self.variables.truncate(count);
    }

    /// How large the frame is.
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

/// How many variables may be called like members of one kind before one error stands for all.
const MANY_ALIKE: usize = 3;

impl Checker<'_> {
    /// Says so if `name` is something in sight already.
    pub(super) fn shadows(&mut self, scope: &Scope, name: &ast::Name) {
        let diagnostic = self.shadowing(scope, name);
        self.report_all(diagnostic.into_iter().collect());
    }

    /// The error that `name` is something in sight already.
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

    /// Everything an expression there could have meant by a name.
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

    /// Of many errors that variables are called like members of one kind leaves the first, which names the others: it is the
    /// kind that is to blame.
    pub(super) fn one_for_each_kind(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let kinds = &self.resolved.types.kinds;
        // The kind that an error points at, by its place, and the variable.
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
            // Taken by the first error of a kind, whose others are left out.
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
