//! Resolves names to declarations: types with their members and sizes, options with their values, and the signatures of
//! everything named. Expressions are left to the next stage, except where a constant is required.

mod constants;
mod declarations;
mod members;
mod signatures;
mod types;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use declarations::{FactEntry, Resolved};
pub(crate) use members::{ALL_RESULTS, COMPASS, OUTCOME, RESULTS, is_own_result};

use crate::{
    diagnostic::{Code, Diagnostic, candidates, gather},
    merge::copies::{GREATEST_COPIES, too_many_copies},
    program::{EventId, FactId, PolicyId, StateId},
    source::{Sources, Span},
    stack,
    syntax::ast,
    types::{GivenId, KindId, ProductId, Type, Types},
};

/// What a top-level name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entity {
    /// A kind or ring.
    Kind(KindId),
    /// A product, grid or record.
    Product(ProductId),
    /// `type N = T`, by its index among the aliases.
    Alias(usize),
    /// An option, by its index.
    Option(usize),
    /// A given.
    Given(GivenId),
    /// A state variable.
    State(StateId),
    /// A top-level fact.
    Fact(FactId),
    /// A round, by its index.
    Round(usize),
}

impl Entity {
    /// The keyword of its declaration, with an article.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Entity::Kind(_) => "a kind",
            Entity::Product(_) | Entity::Alias(_) => "a type",
            Entity::Option(_) => "an option",
            Entity::Given(_) => "a given",
            Entity::State(_) => "a state",
            Entity::Fact(_) => "a fact",
            Entity::Round(_) => "a round",
        }
    }

    /// The keyword of its declaration.
    pub(crate) fn noun(self) -> &'static str {
        self.described()
            .trim_start_matches("an ")
            .trim_start_matches("a ")
    }

    /// Whether it names a type.
    pub(crate) fn is_type(self) -> bool {
        matches!(
            self,
            Entity::Kind(_) | Entity::Product(_) | Entity::Alias(_)
        )
    }
}

/// A value that is computed on demand, once.
#[derive(Debug, Clone)]
enum Memo<T> {
    Pending,
    InProgress,
    Known(T),
    /// It is invalid, which was reported.
    Wrong,
}

/// How deeply the resolution of declarations may nest.
const GREATEST_NESTING: usize = 100;

/// How deeply types may nest.
const GREATEST_TYPE_DEPTH: usize = 250;

/// How many parts a type may have, including those of its parts: mentioning another type twice doubles its parts.
const MOST_PARTS: u64 = 1 << 12;

/// How deeply a written type or constant nests at most, for the size of the stack. The parser allows less.
const WRITTEN_DEPTH: usize = 100;

/// A value for an option from the caller: the option's name and the value as text.
pub(crate) type Setting = (String, String);

/// The name that diagnostics give the text of a setting, `name=value`.
pub const SETTING: &str = "--set";

/// Resolves the declarations of `file`.
///
/// Unknown types alone do not stop the check of the rest: then the mistakes are in `wrong`.
///
/// # Errors
/// All other mistakes, in the order of the file.
pub(crate) fn resolve<'t>(
    file: &'t ast::RuleFile,
    sources: &'t Sources,
    settings: &[Setting],
) -> Result<Resolved<'t>, Vec<Diagnostic>> {
    if let Some(many) = sections_of_several(file) {
        return Err(vec![many]);
    }
    let mut resolver = Resolver::new(file, sources, settings);
    resolver.declare();
    resolver.define();
    resolver.sign();
    let diagnostics = std::mem::take(&mut resolver.diagnostics);
    if diagnostics.is_empty() {
        Ok(resolver.finish())
    } else if resolver.lacks_only_types(&diagnostics) {
        Ok(Resolved {
            wrong: gather(diagnostics, sources),
            ..resolver.finish()
        })
    } else {
        Err(gather(diagnostics, sources))
    }
}

/// Reports sections for several events if their copies, one for each event, are too many to check.
fn sections_of_several(file: &ast::RuleFile) -> Option<Diagnostic> {
    let mut copied = 0usize;
    let many = file.items.iter().find_map(|item| match item {
        ast::Item::Section(section) if section.events.len() > 1 => {
            copied = copied.saturating_add(section.span.range().len() * section.events.len());
            (copied > GREATEST_COPIES).then_some(section)
        }
        _ => None,
    })?;
    let first = many.events.first().map_or(many.span, |first| first.span);
    Some(too_many_copies(first))
}

/// The state of the resolution.
struct Resolver<'t> {
    file: &'t ast::RuleFile,
    sources: &'t Sources,
    settings: BTreeMap<String, String>,
    names: BTreeMap<String, (Entity, Span)>,
    types: Types,
    kinds: Vec<&'t ast::Kind>,
    /// The number of members of each numbered ring; named members are known from the start.
    kind_ready: Vec<Memo<()>>,
    products: Vec<ProductItem<'t>>,
    product_ready: Vec<Memo<()>>,
    aliases: Vec<&'t ast::Alias>,
    alias_types: Vec<Memo<Type>>,
    /// How deeply types nest in each product that is resolved.
    product_depths: Vec<usize>,
    /// The number of parts of each product, including those of its parts.
    product_parts: Vec<u64>,
    /// How deeply the resolution of declarations is nested now.
    nesting: usize,
    /// Whether it was too deep, which was reported.
    is_nested_too_deep: bool,
    options: Vec<&'t ast::OptionItem>,
    option_values: Vec<Memo<crate::program::OptionValue>>,
    givens: Vec<&'t ast::Given>,
    given_types: Vec<Memo<(Option<Type>, Type)>>,
    states: Vec<StateItem<'t>>,
    rounds: Vec<&'t ast::Round>,
    events: BTreeMap<String, EventId>,
    event_items: Vec<Option<&'t ast::Event>>,
    policies: BTreeMap<String, PolicyId>,
    policy_items: Vec<&'t ast::Policy>,
    facts: Vec<(&'t ast::Fact, Option<EventId>)>,
    event_facts: BTreeMap<(EventId, &'t str), FactId>,
    /// The members of all kinds, by name.
    members: BTreeMap<String, Vec<(KindId, u32)>>,
    signatures: signatures::Signatures<'t>,
    limit: u64,
    used: BTreeSet<String>,
    bounds: BTreeSet<GivenId>,
    diagnostics: Vec<Diagnostic>,
}

/// A `type N(…)` or a `grid`.
#[derive(Debug, Clone, Copy)]
enum ProductItem<'t> {
    Product(&'t ast::Product),
    Grid(&'t ast::Grid),
}

/// A `state` or a `just`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StateItem<'t> {
    /// `state x: T = v`
    State(&'t ast::State),
    /// `just x`
    Just(&'t ast::Just),
}

/// The word for a value that other languages call `name`.
pub(crate) fn value_elsewhere(name: &str) -> Option<&'static str> {
    match name {
        "true" | "True" | "TRUE" | "Yes" | "YES" => Some("yes"),
        "false" | "False" | "FALSE" | "No" | "NO" => Some("no"),
        "null" | "nil" | "None" => Some("none"),
        _ => None,
    }
}

impl<'t> Resolver<'t> {
    fn new(file: &'t ast::RuleFile, sources: &'t Sources, settings: &[Setting]) -> Self {
        Resolver {
            file,
            sources,
            settings: settings.iter().cloned().collect(),
            names: BTreeMap::new(),
            types: Types::default(),
            kinds: Vec::new(),
            kind_ready: Vec::new(),
            products: Vec::new(),
            product_ready: Vec::new(),
            aliases: Vec::new(),
            alias_types: Vec::new(),
            product_depths: Vec::new(),
            product_parts: Vec::new(),
            nesting: 0,
            is_nested_too_deep: false,
            options: Vec::new(),
            option_values: Vec::new(),
            givens: Vec::new(),
            given_types: Vec::new(),
            states: Vec::new(),
            rounds: Vec::new(),
            events: BTreeMap::new(),
            event_items: Vec::new(),
            policies: BTreeMap::new(),
            policy_items: Vec::new(),
            facts: Vec::new(),
            event_facts: BTreeMap::new(),
            members: BTreeMap::new(),
            signatures: signatures::Signatures::new(),
            limit: signatures::default_limit(),
            used: BTreeSet::new(),
            bounds: BTreeSet::new(),
            diagnostics: Vec::new(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that `name` is declared twice.
    fn duplicate(&mut self, name: &ast::Name, first: Span) {
        let (mut first, mut second) = (first, name.span);
        // Sections are resolved after all other items, so `second` may come first in the file.
        if first.source == second.source && second < first {
            (first, second) = (second, first);
        }
        let help = if first.source == second.source {
            "give one of them another name"
        } else {
            "give the new one another name; or write `replace …` to change what is there"
        };
        self.report(
            Diagnostic::error(
                Code::DuplicateName,
                second,
                format!("`{}` is declared twice", name.text),
            )
            .here("the second time")
            .label(first, "the first time")
            .help(help),
        );
    }

    /// Resolves a declaration that another one needs, unless they nest too deeply.
    fn nested<T>(&mut self, name: &ast::Name, resolve: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.nesting == GREATEST_NESTING {
            // A long chain is one mistake.
            if std::mem::replace(&mut self.is_nested_too_deep, true) {
                return None;
            }
            let message = format!(
                "`{}` depends on a chain of more than {GREATEST_NESTING} declarations",
                name.text
            );
            self.report(
                Diagnostic::error(Code::ChainTooDeep, name.span, message)
                    .help("define some of them without the others"),
            );
            return None;
        }
        self.nesting += 1;
        let resolved = stack::with_room(WRITTEN_DEPTH, || resolve(self));
        self.nesting -= 1;
        Some(resolved)
    }

    /// Reports a declared type in which types nest too deeply.
    fn is_too_deep(&mut self, name: &ast::Name, depth: usize) -> bool {
        if depth <= GREATEST_TYPE_DEPTH {
            return false;
        }
        if std::mem::replace(&mut self.is_nested_too_deep, true) {
            return true;
        }
        let message = format!(
            "`{}` nests more than {GREATEST_TYPE_DEPTH} types",
            name.text
        );
        self.report(
            Diagnostic::error(Code::ChainTooDeep, name.span, message)
                .help("keep what lies deepest in a state of its own"),
        );
        true
    }

    /// Reports a declared type with too many parts.
    fn has_too_many_parts(&mut self, name: &ast::Name, parts: u64) -> bool {
        if parts <= MOST_PARTS {
            return false;
        }
        let message = format!(
            "`{}` has more than {MOST_PARTS} parts, including the parts of its parts",
            name.text
        );
        self.report(
            Diagnostic::error(Code::ChainTooDeep, name.span, message)
                .help("keep some of them in states of their own"),
        );
        true
    }

    /// The number of parts of a type, including those of its parts.
    fn type_parts(&self, ty: &Type) -> u64 {
        match ty {
            Type::Set(inner) | Type::Bag(inner) | Type::Pile(inner) | Type::Optional(inner) => {
                self.type_parts(inner)
            }
            Type::Map(key, entry) => self.type_parts(key).saturating_add(self.type_parts(entry)),
            Type::Product(id) => self.product_parts.get(id.index()).copied().unwrap_or(1),
            _ => 1,
        }
    }

    /// How deeply types nest in this one.
    fn type_depth(&self, ty: &Type) -> usize {
        match ty {
            Type::Set(inner) | Type::Bag(inner) | Type::Pile(inner) | Type::Optional(inner) => {
                self.type_depth(inner) + 1
            }
            Type::Map(key, entry) => self.type_depth(key).max(self.type_depth(entry)) + 1,
            Type::Product(id) => self
                .product_depths
                .get(id.index())
                .map_or(0, |depth| depth + 1),
            Type::YesNo
            | Type::Number
            | Type::Decimal(_)
            | Type::Range(_)
            | Type::Member(_)
            | Type::Word
            | Type::Text
            | Type::Nothing
            | Type::Wrong => 0,
        }
    }

    fn bind(&mut self, name: &ast::Name, entity: Entity) {
        if let Some((_, first)) = self.names.get(&name.text) {
            let first = *first;
            self.duplicate(name, first);
        } else {
            self.names.insert(name.text.clone(), (entity, name.span));
        }
    }

    /// The diagnostic for an unknown name, with the nearest known one.
    fn unknown(name: &ast::Name, sort: &str, code: Code, near: &[String]) -> Diagnostic {
        let message = format!("there is no {sort} called `{}`", name.text);
        Diagnostic::error(code, name.span, message)
            .did_you_mean(&name.text, near.iter().map(String::as_str))
    }

    /// The candidates for a similar name; none after many mistakes.
    fn candidates<'n>(&self, names: impl Iterator<Item = &'n String>) -> Vec<String> {
        candidates(&self.diagnostics, names)
    }
}
