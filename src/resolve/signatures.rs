//! The signatures of givens, states, events and facts.

use super::{
    Memo, Resolver, StateItem,
    declarations::{EventEntry, FactEntry, StateEntry},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{self, Item},
    types::{Field, GivenId, Interval, ProductId, Type},
};

/// Signatures, filled by [`Resolver::sign`].
#[derive(Debug)]
pub(super) struct Signatures<'t> {
    pub(super) states: Vec<StateEntry<'t>>,
    pub(super) events: Vec<EventEntry<'t>>,
    pub(super) facts: Vec<FactEntry<'t>>,
}

/// A bound: a fixed number, or a given with the numbers it may be.
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

/// How many events a game may have where the file says nothing.
const DEFAULT_LIMIT: u64 = 1_000_000;

/// The greatest `limit` that may be written.
const GREATEST_LIMIT: i64 = 1_000_000_000;

impl<'t> Resolver<'t> {
    /// The key type for parameters: the parameter's own, or a product of them.
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
                    name: format!("key of {name}"),
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

    /// The parameters of a state or given: room is made for every combination.
    pub(super) fn keys(&mut self, parameters: &'t [ast::Parameter]) -> Vec<(String, Type)> {
        let known = self.parameters(parameters);
        for ((_, ty), parameter) in known.iter().zip(parameters) {
            if self.types.capacity(ty).is_none() && !self.is_wrong(ty) {
                let message = format!(
                    "there would be an entry for every {}, and there is no end of them",
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

    /// The key's type and the entry's type of a given.
    pub(super) fn given_type(&mut self, id: GivenId) -> (Option<Type>, Type) {
        match &self.given_types[id.index()] {
            Memo::Known(known) => return known.clone(),
            Memo::Asked => {
                let item = self.givens[id.index()];
                self.cyclic(&item.name);
                return (None, Type::Wrong);
            }
            Memo::Wrong => return (None, Type::Wrong),
            Memo::Unasked => {}
        }
        self.given_types[id.index()] = Memo::Asked;
        let item = self.givens[id.index()];
        let parameters = self.keys(&item.parameters);
        let key = self.key(&item.name.text, item.name.span, &parameters);
        self.bounded_key(key.as_ref(), item.name.span);
        let entry = self.ty(&item.ty);
        self.given_types[id.index()] = Memo::Known((key.clone(), entry.clone()));
        (key, entry)
    }

    /// Says that a declaration needs itself.
    pub(super) fn cyclic(&mut self, name: &ast::Name) {
        self.report(
            Diagnostic::error(
                Code::CyclicDeclaration,
                name.span,
                format!("what `{}` is depends on itself", name.text),
            )
            .help("say what it is without itself"),
        );
    }

    /// The signatures of states, events and facts.
    pub(super) fn sign(&mut self) {
        for item in self.states.clone() {
            let entry = match item {
                StateItem::State(state) => {
                    let parameters = self.keys(&state.parameters);
                    let key = self.key(&state.name.text, state.name.span, &parameters);
                    self.bounded_key(key.as_ref(), state.name.span);
                    let entry = self.ty(&state.ty);
                    StateEntry {
                        item,
                        parameters: parameters.into_iter().map(|(_, ty)| ty).collect(),
                        ty: Self::map_of(key.as_ref(), &entry),
                        key,
                        entry,
                    }
                }
                StateItem::Just(_) => StateEntry {
                    item,
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
                    Diagnostic::error(Code::DuplicateName, limit.span, "`limit` is said twice")
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
                        format!("a game of at most {} events cannot be", limit.events),
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
            events: Vec::new(),
            facts: Vec::new(),
        }
    }
}

/// The limit where none is written.
pub(super) const fn default_limit() -> u64 {
    DEFAULT_LIMIT
}
