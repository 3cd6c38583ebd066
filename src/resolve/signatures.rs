//! The signatures of givens, states, rounds, events and facts.

use std::collections::BTreeSet;

use super::{
    Entity, Memo, Resolver, StateItem,
    declarations::{EventEntry, FactEntry, RoundEntry, StateEntry},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{self, Item},
    types::{Field, GivenId, Interval, KEY_OF, ProductId, Type},
};

/// Signatures, filled by [`Resolver::sign`].
#[derive(Debug)]
pub(super) struct Signatures<'t> {
    pub(super) states: Vec<StateEntry<'t>>,
    pub(super) rounds: Vec<RoundEntry<'t>>,
    pub(super) events: Vec<EventEntry<'t>>,
    pub(super) facts: Vec<FactEntry<'t>>,
}

/// A bound: a fixed number, or a given with its range.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bound {
    Fixed(Interval),
    Given(GivenId, Interval),
}

impl Bound {
    /// How many decimal places it has.
    pub(super) fn places(&self) -> u8 {
        match self {
            Bound::Fixed(number) => number.places,
            Bound::Given(_, range) => range.places,
        }
    }
}

/// How many events a game may have if the file sets no `limit`.
const DEFAULT_LIMIT: u64 = 1_000_000;

/// The greatest value of `limit`.
const GREATEST_LIMIT: i64 = 1_000_000_000;

impl<'t> Resolver<'t> {
    /// The key type for parameters: the type of a single parameter, or a product of several.
    pub(super) fn key(
        &mut self,
        name: &str,
        span: Span,
        parameters: &[(String, Type)],
    ) -> Option<Type> {
        match parameters {
            [] => None,
            [(_, only)] => Some(only.clone()),
            several => {
                let fields: Vec<Field> = several
                    .iter()
                    .map(|(name, ty)| Field {
                        name: name.clone(),
                        ty: ty.clone(),
                    })
                    .collect();
                let id = ProductId::new(self.types.products.len());
                self.types.products.push(crate::types::Product {
                    name: format!("{KEY_OF}{name}"),
                    span,
                    fields,
                    grid: None,
                    record: false,
                });
                Some(Type::Product(id))
            }
        }
    }

    pub(super) fn parameters(&mut self, parameters: &'t [ast::Parameter]) -> Vec<(String, Type)> {
        let mut known: Vec<(String, Type)> = Vec::new();
        for parameter in parameters {
            if known.iter().any(|(name, _)| *name == parameter.name.text) {
                let first = parameters[0].name.span;
                self.duplicate(&parameter.name, first);
            }
            let ty = self.ty(&parameter.ty);
            known.push((parameter.name.text.clone(), ty));
        }
        known
    }

    /// The parameters of a state or given, whose types must be bounded: every combination gets an entry.
    pub(super) fn keys(&mut self, parameters: &'t [ast::Parameter]) -> Vec<(String, Type)> {
        let known = self.parameters(parameters);
        for ((_, ty), parameter) in known.iter().zip(parameters) {
            if self.types.capacity(ty).is_none() && !self.is_wrong(ty) {
                let message = format!(
                    "there would be an entry for every {}, of which there is no end",
                    self.types.display(ty)
                );
                self.report(
                    Diagnostic::error(Code::InfiniteKey, parameter.ty.span, message)
                        .help("use a kind, a product of kinds, or numbers such as `1..9`"),
                );
            }
        }
        known
    }

    pub(super) fn bounded_key(&mut self, key: Option<&Type>, span: Span) {
        if let Some(key) = key
            && let Some(count) = self.types.capacity(key)
            && count > super::types::GREATEST_TYPE
        {
            self.too_large(span, count);
        }
    }

    pub(super) fn map_of(key: Option<&Type>, entry: &Type) -> Type {
        match key {
            None => entry.clone(),
            Some(key) => Type::Map(key.clone().into(), entry.clone().into()),
        }
    }

    /// The types of the key and the entry of a given.
    pub(super) fn given_type(&mut self, id: GivenId) -> (Option<Type>, Type) {
        match &self.given_types[id.index()] {
            Memo::Known(known) => return known.clone(),
            Memo::InProgress => {
                let item = self.givens[id.index()];
                self.cyclic(&item.name);
                return (None, Type::Wrong);
            }
            Memo::Wrong => return (None, Type::Wrong),
            Memo::Pending => {}
        }
        self.given_types[id.index()] = Memo::InProgress;
        let item = self.givens[id.index()];
        let parameters = self.keys(&item.parameters);
        let key = self.key(&item.name.text, item.name.span, &parameters);
        self.bounded_key(key.as_ref(), item.name.span);
        let entry = self.ty(&item.ty);
        self.given_types[id.index()] = Memo::Known((key.clone(), entry.clone()));
        (key, entry)
    }

    /// Reports a declaration that depends on itself.
    pub(super) fn cyclic(&mut self, name: &ast::Name) {
        self.report(
            Diagnostic::error(
                Code::CyclicDeclaration,
                name.span,
                format!("the definition of `{}` depends on itself", name.text),
            )
            .help("define it without itself"),
        );
    }

    /// The index of the round with this name.
    fn round_called(&mut self, name: &ast::Name) -> Option<usize> {
        let entity = self.names.get(&name.text).map(|(entity, _)| *entity);
        let diagnostic = match entity {
            Some(Entity::Round(round)) => return Some(round),
            Some(other) => {
                let message = format!("`{}` is {}, not a round", name.text, other.described());
                Diagnostic::error(Code::UnknownName, name.span, message)
                    .help("declare a round for what begins again together: `round …`")
            }
            None => {
                let known = self.rounds.clone().into_iter();
                let near = self.candidates(known.map(|round| &round.name.text));
                let message = format!("there is no round called `{}`", name.text);
                Diagnostic::error(Code::UnknownName, name.span, message)
                    .did_you_mean(&name.text, near.iter().map(String::as_str))
                    .help(format!("declare it: `round {}`", name.text))
            }
        };
        self.report(diagnostic);
        None
    }

    /// The signatures of rounds; none may contain itself.
    fn sign_rounds(&mut self) {
        for item in self.rounds.clone() {
            let within = item.within.as_ref();
            let within = within.and_then(|within| self.round_called(within));
            self.signatures.rounds.push(RoundEntry { item, within });
        }
        let mut known = BTreeSet::new();
        for first in 0..self.rounds.len() {
            let mut way: Vec<usize> = Vec::new();
            let mut at = Some(first);
            while let Some(round) = at.filter(|round| !known.contains(round)) {
                if let Some(place) = way.iter().position(|other| *other == round) {
                    let circle = way.split_off(place);
                    let names = circle
                        .iter()
                        .chain([&round])
                        .map(|round| &self.rounds[*round].name.text);
                    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                    let name = &self.rounds[round].name;
                    let message = format!("{}: no round can be inside itself", names.join(" in "));
                    let diagnostic = Diagnostic::error(Code::CyclicDeclaration, name.span, message)
                        .help("leave out one `in`: the longest round is in none");
                    self.report(diagnostic);
                    known.extend(circle);
                    break;
                }
                way.push(round);
                at = self.signatures.rounds[round].within;
            }
            known.extend(way);
        }
    }

    /// The signatures of states, events and facts.
    pub(super) fn sign(&mut self) {
        self.sign_rounds();
        for item in self.states.clone() {
            let entry = match item {
                StateItem::State(state) => {
                    let parameters = self.keys(&state.parameters);
                    let key = self.key(&state.name.text, state.name.span, &parameters);
                    self.bounded_key(key.as_ref(), state.name.span);
                    let entry = self.ty(&state.ty);
                    let round = state.per.as_ref();
                    let round = round.and_then(|round| self.round_called(round));
                    StateEntry {
                        round,
                        item,
                        parameters: parameters.into_iter().map(|(_, ty)| ty).collect(),
                        ty: Self::map_of(key.as_ref(), &entry),
                        key,
                        entry,
                    }
                }
                StateItem::Just(_) => StateEntry {
                    item,
                    round: None,
                    parameters: Vec::new(),
                    key: None,
                    entry: Type::YesNo,
                    ty: Type::YesNo,
                },
            };
            self.signatures.states.push(entry);
        }
        for item in self.event_items.clone() {
            let entry = EventEntry {
                item,
                name: item.map_or("start".into(), |event| event.name.text.clone()),
                fields: item.map_or(Vec::new(), |event| self.parameters(&event.fields)),
            };
            self.signatures.events.push(entry);
        }
        for (item, owner) in self.facts.clone() {
            let entry = FactEntry {
                item,
                owner,
                parameters: self.parameters(&item.parameters),
                declared: item.ty.as_ref().map(|ty| self.ty(ty)),
            };
            self.signatures.facts.push(entry);
        }
        self.find_limit();
    }

    pub(super) fn find_limit(&mut self) {
        let mut first: Option<Span> = None;
        for item in &self.file.items {
            let Item::Limit(limit) = item else { continue };
            if let Some(first) = first {
                self.report(
                    Diagnostic::error(Code::DuplicateName, limit.span, "there are two limits")
                        .label(first, "the first time")
                        .help("keep one of them"),
                );
            }
            first = Some(limit.span);
            if limit.events < 1 || limit.events > GREATEST_LIMIT {
                self.report(
                    Diagnostic::error(
                        Code::LimitRange,
                        limit.span,
                        format!("a game cannot be limited to {} events", limit.events),
                    )
                    .help(format!("write a number from 1 to {GREATEST_LIMIT}")),
                );
            }
            self.limit = u64::try_from(limit.events).unwrap_or(DEFAULT_LIMIT);
        }
    }
}

impl Signatures<'_> {
    pub(super) fn new() -> Self {
        Signatures {
            states: Vec::new(),
            rounds: Vec::new(),
            events: Vec::new(),
            facts: Vec::new(),
        }
    }
}

/// The limit if the file sets none.
pub(super) const fn default_limit() -> u64 {
    DEFAULT_LIMIT
}
