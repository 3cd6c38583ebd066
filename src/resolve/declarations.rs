//! Declarations: first all names, then all signatures.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entity, Memo, OUTCOME, ProductItem, RESULTS, Resolver, StateItem, is_own_result};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{EventId, FactId, OptionValue, PolicyId, StateId},
    source::Span,
    syntax::ast::{self, Clause, Item},
    types::{GivenId, KindId, ProductId, Type, Types},
};

/// The declarations of a game: what the checker starts from.
#[derive(Debug)]
pub(crate) struct Resolved<'t> {
    pub(crate) file: &'t ast::RuleFile,
    pub(crate) types: Types,
    pub(crate) alias_types: Vec<Type>,
    pub(crate) names: BTreeMap<String, (Entity, Span)>,
    pub(crate) members: BTreeMap<String, Vec<(KindId, u32)>>,
    pub(crate) options: Vec<OptionValue>,
    pub(crate) givens: Vec<GivenEntry<'t>>,
    pub(crate) states: Vec<StateEntry<'t>>,
    pub(crate) rounds: Vec<RoundEntry<'t>>,
    pub(crate) facts: Vec<FactEntry<'t>>,
    /// The facts in sections of events, by name.
    pub(crate) event_facts: BTreeMap<(EventId, &'t str), FactId>,
    pub(crate) event_names: BTreeMap<String, EventId>,
    pub(crate) events: Vec<EventEntry<'t>>,
    pub(crate) policy_names: BTreeMap<String, PolicyId>,
    pub(crate) policies: Vec<PolicyEntry<'t>>,
    /// The conditions of products, which the next stage checks.
    pub(crate) conditions: Vec<(ProductId, &'t ast::Expr)>,
    pub(crate) limit: u64,
    /// The options and types that are used; the next stage adds those that expressions use.
    pub(crate) used: BTreeSet<String>,
    /// The givens that are bounds of types.
    pub(crate) bounds: BTreeSet<GivenId>,
    /// Mistakes that do not stop the check of the rest.
    pub(crate) wrong: Vec<Diagnostic>,
}

/// A given with its types.
#[derive(Debug)]
pub(crate) struct GivenEntry<'t> {
    pub(crate) item: &'t ast::Given,
    pub(crate) parameters: Vec<Type>,
    pub(crate) key: Option<Type>,
    pub(crate) entry: Type,
    pub(crate) ty: Type,
}

/// A state variable with its types.
#[derive(Debug)]
pub(crate) struct StateEntry<'t> {
    pub(crate) item: StateItem<'t>,
    pub(crate) parameters: Vec<Type>,
    pub(crate) key: Option<Type>,
    pub(crate) entry: Type,
    pub(crate) ty: Type,
    /// The index of the round that resets it.
    pub(crate) round: Option<usize>,
}

/// A round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundEntry<'t> {
    pub(crate) item: &'t ast::Round,
    /// The index of the round around it.
    pub(crate) within: Option<usize>,
}

impl StateEntry<'_> {
    pub(crate) fn name(&self) -> &ast::Name {
        match self.item {
            StateItem::State(state) => &state.name,
            StateItem::Just(just) => &just.name,
        }
    }
}

/// A fact with its signature.
#[derive(Debug)]
pub(crate) struct FactEntry<'t> {
    pub(crate) item: &'t ast::Fact,
    pub(crate) owner: Option<EventId>,
    pub(crate) parameters: Vec<(String, Type)>,
    pub(crate) declared: Option<Type>,
}

/// An event with its fields.
#[derive(Debug)]
pub(crate) struct EventEntry<'t> {
    /// None for `start`.
    pub(crate) item: Option<&'t ast::Event>,
    pub(crate) name: String,
    pub(crate) fields: Vec<(String, Type)>,
}

/// A policy.
#[derive(Debug)]
pub(crate) struct PolicyEntry<'t> {
    pub(crate) item: &'t ast::Policy,
}

impl<'t> Resolver<'t> {
    /// Gives every declared name its id.
    pub(super) fn declare(&mut self) {
        self.events.insert("start".into(), EventId::START);
        self.event_items.push(None);
        let file = self.file;
        for item in &file.items {
            self.declare_item(item);
        }
        // Without a grid, the compass is not declared.
        let grids = self
            .products
            .iter()
            .any(|item| matches!(item, ProductItem::Grid(_)));
        if grids && !self.names.contains_key("Compass") {
            self.declare_compass();
        }
        // Without a fact for the outcome, its kind is not declared.
        let is_match = |fact: &ast::Fact| fact.name.text == OUTCOME;
        let says = |item: &Item| match item {
            Item::Fact(fact) => is_match(fact),
            Item::Section(section) => {
                let mut clauses = section.clauses.iter();
                clauses.any(|clause| matches!(clause, Clause::Fact(fact) if is_match(fact)))
            }
            _ => false,
        };
        if file.items.iter().any(says) && !self.names.contains_key(RESULTS) {
            self.declare_results();
        }
        for item in &file.items {
            if let Item::Section(section) = item {
                self.declare_section(section);
            }
        }
    }

    fn declare_item(&mut self, item: &'t Item) {
        match item {
            Item::Option(option) => {
                self.bind(&option.name, Entity::Option(self.options.len()));
                self.options.push(option);
                self.option_values.push(Memo::Pending);
            }
            Item::Kind(kind) => self.declare_kind(kind),
            Item::Product(product) => {
                self.declare_product(&product.name, ProductItem::Product(product));
            }
            Item::Grid(grid) => self.declare_product(&grid.name, ProductItem::Grid(grid)),
            Item::Alias(alias) => {
                self.bind(&alias.name, Entity::Alias(self.aliases.len()));
                self.aliases.push(alias);
                self.alias_types.push(Memo::Pending);
            }
            Item::Given(given) => {
                self.bind(&given.name, Entity::Given(GivenId::new(self.givens.len())));
                self.givens.push(given);
                self.given_types.push(Memo::Pending);
            }
            Item::State(state) => {
                self.bind(&state.name, Entity::State(StateId::new(self.states.len())));
                self.states.push(StateItem::State(state));
            }
            Item::Just(just) => {
                self.bind(&just.name, Entity::State(StateId::new(self.states.len())));
                self.states.push(StateItem::Just(just));
            }
            Item::Round(round) => {
                self.bind(&round.name, Entity::Round(self.rounds.len()));
                self.rounds.push(round);
            }
            Item::Fact(fact) => {
                self.bind(&fact.name, Entity::Fact(FactId::new(self.facts.len())));
                self.facts.push((fact, None));
            }
            Item::Event(event) => self.declare_event(event),
            Item::Policy(policy) => self.declare_policy(policy),
            Item::Use(_)
            | Item::Write(_)
            | Item::Section(_)
            | Item::Transcript(_)
            | Item::Limit(_)
            | Item::Example(_)
            | Item::Change(_) => {}
        }
    }

    fn declare_product(&mut self, name: &'t ast::Name, item: ProductItem<'t>) {
        let id = ProductId::new(self.products.len());
        self.bind(name, Entity::Product(id));
        self.products.push(item);
        self.product_ready.push(Memo::Pending);
        self.product_depths.push(0);
        self.product_parts.push(1);
        self.types.products.push(crate::types::Product {
            name: name.text.clone(),
            span: name.span,
            fields: Vec::new(),
            grid: None,
            record: false,
        });
    }

    fn declare_event(&mut self, event: &'t ast::Event) {
        let id = EventId::new(self.event_items.len());
        if let Some(first) = self.events.get(&event.name.text) {
            match self.event_items.get(first.index()).copied().flatten() {
                Some(first) => self.duplicate(&event.name, first.name.span),
                None => self.report(
                    Diagnostic::error(
                        Code::DuplicateName,
                        event.name.span,
                        "`start` is the event with which every game begins",
                    )
                    .help("give this event another name"),
                ),
            }
        }
        self.events.entry(event.name.text.clone()).or_insert(id);
        self.event_items.push(Some(event));
    }

    fn declare_policy(&mut self, policy: &'t ast::Policy) {
        let id = PolicyId::new(self.policy_items.len());
        if let Some(first) = self.policies.get(&policy.name.text) {
            let first = self.policy_items[first.index()].name.span;
            self.duplicate(&policy.name, first);
        } else if policy.name.text == "random" {
            self.report(
                Diagnostic::error(
                    Code::DuplicateName,
                    policy.name.span,
                    "`random` is the policy that chooses by lot among all legal events",
                )
                .help("give this policy another name"),
            );
        }
        self.policies.entry(policy.name.text.clone()).or_insert(id);
        self.policy_items.push(policy);
    }

    fn declare_section(&mut self, section: &'t ast::Section) {
        for name in &section.events {
            let Some(event) = self.events.get(&name.text).copied() else {
                let near = self.candidates(self.events.keys());
                let mut diagnostic = Self::unknown(name, "event", Code::UnknownEvent, &near);
                if ["begin", "setup", "init", "initial"].contains(&name.text.as_str()) {
                    diagnostic =
                        diagnostic.help("what happens when a game begins is `on start { … }`");
                }
                self.report(diagnostic);
                continue;
            };
            for clause in &section.clauses {
                if let Clause::Fact(fact) = clause {
                    self.declare_event_fact(fact, event);
                }
            }
        }
    }

    fn declare_event_fact(&mut self, fact: &'t ast::Fact, event: EventId) {
        // The outcome of an event takes precedence over that of the game, so it may have the same name.
        let is_outcome = fact.name.text == OUTCOME;
        let known = self.names.get(&fact.name.text);
        let known = known.filter(|(entity, _)| !is_outcome || !matches!(entity, Entity::Fact(_)));
        let known = known.map(|(_, span)| *span).or_else(|| {
            let own = self.event_facts.get(&(event, &fact.name.text))?;
            Some(self.facts[own.index()].0.name.span)
        });
        if let Some(first) = known {
            self.duplicate(&fact.name, first);
        }
        let id = FactId::new(self.facts.len());
        self.event_facts
            .entry((event, &fact.name.text))
            .or_insert(id);
        self.facts.push((fact, Some(event)));
    }

    /// Resolves the declaration of every name.
    pub(super) fn define(&mut self) {
        for index in 0..self.options.len() {
            self.option_value(index);
        }
        self.unknown_settings();
        for index in 0..self.kinds.len() {
            self.kind_members(KindId::new(index));
        }
        for index in 0..self.products.len() {
            self.product_fields(ProductId::new(index));
        }
        for index in 0..self.aliases.len() {
            self.alias_type(index);
        }
        for index in 0..self.kinds.len() {
            self.kind_attributes(KindId::new(index));
        }
        for index in 0..self.givens.len() {
            self.given_type(GivenId::new(index));
        }
        self.clashing_members();
    }

    fn unknown_settings(&mut self) {
        let known: Vec<String> = self
            .options
            .iter()
            .map(|option| option.name.text.clone())
            .collect();
        let mut unknown = self.settings.clone();
        unknown.retain(|name, _| !known.contains(name));
        let header = match &self.file.header {
            ast::Header::Game { name, .. } | ast::Header::Variant { name, .. } => name.span,
        };
        for (name, value) in unknown {
            let place = self.place_of_setting(&name, &value);
            let mut diagnostic = Diagnostic::error(
                Code::UnknownOption,
                place.map_or(header, |(name, _)| name),
                format!("there is no option called `{name}`"),
            )
            .did_you_mean(&name, known.iter().map(String::as_str));
            diagnostic = if known.is_empty() {
                diagnostic.note("this game has no options")
            } else {
                diagnostic.note(format!(
                    "its options are {}",
                    crate::diagnostic::enumerated(&known)
                ))
            };
            self.report(diagnostic);
        }
    }

    /// Reports members with the name of another declaration.
    fn clashing_members(&mut self) {
        let clashes: Vec<(String, Span, Entity)> = self
            .members
            .keys()
            .filter_map(|name| {
                let (entity, span) = self.names.get(name)?;
                Some((name.clone(), *span, *entity))
            })
            .collect();
        for (name, span, entity) in clashes {
            let kinds = self.members[&name].iter();
            let mut kinds = kinds.map(|(kind, _)| self.types.kind(*kind));
            // Only outcomes use the members of the built-in kind, so another declaration may hide them.
            let Some(kind) = kinds.find(|kind| !is_own_result(kind)) else {
                continue;
            };
            let diagnostic = Diagnostic::error(
                Code::DuplicateName,
                span,
                format!(
                    "`{name}` is {} and also a member of {}",
                    entity.described(),
                    kind.name
                ),
            )
            .label(kind.span, format!("`{name}` is a member of this kind"))
            .help("give one of them another name");
            self.report(diagnostic);
        }
    }

    /// The finished declarations. Must only be called if the only mistakes are unknown types.
    pub(super) fn finish(mut self) -> Resolved<'t> {
        let givens = (0..self.givens.len())
            .map(|index| {
                let (key, entry) = self.given_type(GivenId::new(index));
                let item = self.givens[index];
                GivenEntry {
                    item,
                    parameters: self
                        .parameters(&item.parameters)
                        .into_iter()
                        .map(|(_, ty)| ty)
                        .collect(),
                    ty: Self::map_of(key.as_ref(), &entry),
                    key,
                    entry,
                }
            })
            .collect();
        let states = std::mem::take(&mut self.signatures.states);
        let rounds = std::mem::take(&mut self.signatures.rounds);
        let facts = std::mem::take(&mut self.signatures.facts);
        let events = std::mem::take(&mut self.signatures.events);
        let conditions = self
            .products
            .iter()
            .enumerate()
            .filter_map(|(index, item)| match item {
                ProductItem::Product(product) => {
                    Some((ProductId::new(index), product.condition.as_ref()?))
                }
                ProductItem::Grid(_) => None,
            })
            .collect();
        Resolved {
            file: self.file,
            alias_types: (0..self.aliases.len())
                .map(|index| self.alias_type(index))
                .collect(),
            options: self
                .option_values
                .iter()
                .filter_map(|memo| match memo {
                    Memo::Known(value) => Some(value.clone()),
                    Memo::Pending | Memo::InProgress | Memo::Wrong => None,
                })
                .collect(),
            types: self.types,
            names: self.names,
            members: self.members,
            givens,
            states,
            rounds,
            facts,
            event_facts: self.event_facts,
            event_names: self.events,
            events,
            policy_names: self.policies,
            policies: self
                .policy_items
                .iter()
                .map(|item| PolicyEntry { item })
                .collect(),
            conditions,
            limit: self.limit,
            used: self.used,
            bounds: self.bounds,
            wrong: Vec::new(),
        }
    }
}
