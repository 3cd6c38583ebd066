//! Checks resolved declarations and makes the program of them: every expression gets its type, every variable its slot.

mod aims;
mod apply;
mod arithmetic;
mod attributes;
mod builtins;
mod by_tables;
mod cells;
mod choices;
mod collections;
mod comparisons;
mod coverage;
mod decimals;
mod decisions;
mod equations;
mod events;
mod expression;
mod forms;
mod graph;
mod leaks;
mod members;
mod names;
mod operators;
mod paths;
mod patterns;
mod ranging;
mod readings;
mod reads;
mod rounds;
mod scope;
pub(crate) mod style;
mod tables;
mod tenses;
mod texts;
mod ties;
mod transcripts;
mod unused;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    diagnostic::{Code, Diagnostic, Severity, candidates, gather},
    program::{Definition, EventId, Expr, ExprKind, Fact, FactId, Given, Program, State, StateId},
    resolve::{Resolved, StateItem},
    source::{Sources, Span},
    stack,
    syntax::ast::Header,
    types::{KindId, ProductId, Type, UNKNOWN},
};
use scope::{Place, Scope};
pub(crate) use tenses::check_joined;

/// Checks the declarations of a game.
///
/// # Errors
/// All errors, in the order of the file. Warnings are left out then, since they may be consequences.
pub(crate) fn check(
    resolved: Resolved<'_>,
    sources: &Sources,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let lacks_types = !resolved.wrong.is_empty();
    let mut checker = Checker::start(resolved, sources);
    let mut program = checker.program();
    if !checker.has_errors() {
        let (diagnostics, depth) = graph::check(&program);
        checker.report_all(diagnostics);
        program.depth = depth;
    }
    if !checker.has_errors() {
        checker.report_all(unused::check(&program, &checker.resolved, sources));
        checker.report_all(readings::check(&program));
        checker.report_all(ties::check(&program));
        checker.report_all(tenses::check(&program, sources));
        checker.report_all(leaks::check(&program, sources));
        checker.missing_deciders(&program);
    }
    let wrong = checker.has_errors();
    let found = gather(std::mem::take(&mut checker.diagnostics), sources);
    let mut diagnostics = checker.one_for_each_kind(found);
    if wrong {
        diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
        if lacks_types {
            // Without the type, the number of arguments and optional values are unknown, too.
            diagnostics.retain(|diagnostic| {
                let by_types = matches!(diagnostic.code, Code::ArgumentCount | Code::MayBeNone);
                diagnostic.code.is_independent()
                    && !by_types
                    && !diagnostic.message.contains(UNKNOWN)
            });
        }
        Err(diagnostics)
    } else {
        Ok((program, diagnostics))
    }
}

/// The progress of checking a fact.
#[derive(Debug, Clone)]
enum FactState {
    Pending,
    InProgress,
    Checked(Definition),
}

/// How many facts without a written type may depend on each other in a chain.
const INFERENCE_DEPTH: usize = 100;

/// How deeply the expressions of one fact nest at most, for the size of the stack. The parser allows less.
const FACT_DEPTH: usize = 100;

/// The state of the check.
struct Checker<'t> {
    resolved: Resolved<'t>,
    sources: &'t Sources,
    facts: Vec<FactState>,
    depth: usize,
    /// The states that each event changes.
    changes: BTreeMap<EventId, BTreeSet<StateId>>,
    /// The kind whose members decide events, and the place that says so first.
    seats: Option<(KindId, Span)>,
    /// For a name with several meanings that is applied to an argument, by its place and the event of the section:
    /// whether it is an attribute or part of the argument. Cached because finding out checks the argument.
    attributes: BTreeMap<(Span, Option<EventId>), bool>,
    /// The facts that say whether a round begins in an event. Their ids follow those of all others.
    begin_facts: Vec<Fact>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Checker<'t> {
    fn start(mut resolved: Resolved<'t>, sources: &'t Sources) -> Self {
        let diagnostics = std::mem::take(&mut resolved.wrong);
        let facts = vec![FactState::Pending; resolved.facts.len()];
        let mut checker = Checker {
            resolved,
            sources,
            facts,
            depth: 0,
            changes: BTreeMap::new(),
            seats: None,
            attributes: BTreeMap::new(),
            begin_facts: Vec::new(),
            diagnostics,
        };
        checker.find_changes();
        checker
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The candidates for a similar name; none after many mistakes.
    fn candidates<'n>(&self, names: impl Iterator<Item = &'n String>) -> Vec<String> {
        candidates(&self.diagnostics, names)
    }

    fn report_all(&mut self, diagnostics: Vec<Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The text at `span` for a message: on one line and shortened.
    fn text(&self, span: Span) -> String {
        let text: Vec<&str> = self.sources.text(span).split_whitespace().collect();
        let text = text.join(" ");
        if text.chars().count() > 40 {
            let short: String = text.chars().take(37).collect();
            format!("{short}…")
        } else {
            text
        }
    }

    /// The text at `span`.
    fn written(&self, span: Span) -> &'t str {
        self.sources.text(span)
    }

    /// The span of `word` and the blanks after it, if they are right before `span`.
    fn word_before(&self, word: &str, span: Span) -> Option<Span> {
        let before = self
            .sources
            .get(span.source)?
            .text
            .get(..span.start as usize)?;
        let rest = before.trim_end().strip_suffix(word)?;
        Some(Span::new(span.source, rest.len()..before.len()))
    }

    /// Suggests to leave out a word before `span`.
    fn leave_out(&self, diagnostic: Diagnostic, word: &str, span: Span) -> Diagnostic {
        match self.word_before(word, span) {
            Some(place) => diagnostic.edit(place, "", true),
            None => diagnostic,
        }
    }

    fn display(&self, ty: &Type) -> String {
        self.resolved.types.display(ty)
    }

    fn described(&self, ty: &Type) -> String {
        self.resolved.types.described(ty)
    }

    /// "`x` is a number", for messages.
    fn text_and_type(&self, value: &Expr) -> String {
        format!(
            "`{}` is {}",
            self.text(value.span),
            self.described(&value.ty)
        )
    }

    /// "`x` is a number and `y` is a text: …", for messages.
    fn two_types(&self, left: &Expr, right: &Expr, so: &str) -> String {
        let (left, right) = (self.text_and_type(left), self.text_and_type(right));
        format!("{left} and {right}: {so}")
    }

    /// The error for values of a type without order.
    fn no_order(&self, value: &Expr) -> Diagnostic {
        let message = format!(
            "{}, and such values have no order",
            self.text_and_type(value)
        );
        let error = Diagnostic::error(Code::NoOrder, value.span, message);
        if *value.ty.required() != Type::YesNo {
            return error;
        }
        error.help("give yes and no numbers in a fact of their own: `= by … | yes => 1 | no => 0`")
    }

    /// A replacement for an expression with an error, which was reported.
    fn wrong(span: Span) -> Expr {
        Expr {
            kind: ExprKind::Constant(crate::types::Constant::None),
            ty: Type::Wrong,
            span,
        }
    }

    fn program(&mut self) -> Program {
        let file = self.resolved.file;
        let (name, title) = match &file.header {
            Header::Game { name, title, .. } | Header::Variant { name, title, .. } => (name, title),
        };
        let title = title.as_ref().map_or(name.text.clone(), texts::plain);
        let conditions = self.conditions();
        let (writes, draws) = self.writes();
        let givens = self.givens();
        let states = self.states();
        for index in 0..self.facts.len() {
            self.fact(FactId::new(index));
        }
        let mut events = self.events();
        for event in &mut events {
            event.outcome = event.outcome.filter(|fact| self.is_outcome(*fact));
        }
        let policies = self.policies();
        let transcripts = self.transcripts();
        let outcome = self.outcome();
        let mut facts = self.checked_facts();
        facts.append(&mut self.begin_facts);
        Program {
            name: name.text.clone(),
            title,
            types: self.resolved.types.clone(),
            conditions,
            writes,
            draws,
            options: self.resolved.options.clone(),
            givens,
            states,
            rounds: self.rounds(),
            facts,
            events,
            policies,
            transcripts,
            seats: self.seats.map(|(kind, _)| kind),
            view: None,
            outcome,
            limit: self.resolved.limit,
            depth: 0,
        }
    }

    fn conditions(&mut self) -> Vec<(ProductId, Expr, usize)> {
        let mut checked = Vec::new();
        for (product, condition) in self.resolved.conditions.clone() {
            let mut scope = Scope::new(Place::Constant);
            let fields = self.resolved.types.product(product).fields.clone();
            for field in fields {
                scope.parameter(&field.name, field.ty);
            }
            let condition = self.condition(&mut scope, condition);
            checked.push((product, condition, scope.locals()));
        }
        checked
    }

    fn givens(&mut self) -> Vec<Given> {
        let mut givens = Vec::new();
        for index in 0..self.resolved.givens.len() {
            let entry = &self.resolved.givens[index];
            let (item, key, ty) = (entry.item, entry.key.clone(), entry.ty.clone());
            let (parameters, entry) = (entry.parameters.clone(), entry.entry.clone());
            let default = item.default.as_ref().map(|default| {
                let mut scope = Scope::new(Place::Initial);
                for (parameter, ty) in item.parameters.iter().zip(&parameters) {
                    self.shadows(&scope, &parameter.name);
                    scope.parameter(&parameter.name.text, ty.clone());
                }
                self.definition(scope, default, Some(&entry), &item.name.text)
            });
            let sight = item.sight.as_ref();
            let sight = sight.map(|sight| self.sight_of(&item.parameters, parameters, sight));
            let drawn = item
                .drawn
                .is_some_and(|span| self.is_drawn(item, &ty, span));
            givens.push(Given {
                name: item.name.text.clone(),
                key,
                entry,
                ty,
                sight,
                drawn,
                default,
                span: item.name.span,
            });
        }
        givens
    }

    fn states(&mut self) -> Vec<State> {
        let mut states = Vec::new();
        for index in 0..self.resolved.states.len() {
            let entry = &self.resolved.states[index];
            let round = entry.round;
            let (item, key, ty) = (entry.item, entry.key.clone(), entry.ty.clone());
            let (parameters, entry) = (entry.parameters.clone(), entry.entry.clone());
            let sight = match item {
                StateItem::State(state) => state
                    .sight
                    .as_ref()
                    .map(|sight| self.sight_of(&state.parameters, parameters.clone(), sight)),
                StateItem::Just(_) => None,
            };
            let (name, initial, again, just) = match item {
                StateItem::State(state) => {
                    let mut scope = Scope::new(Place::Initial);
                    for (parameter, ty) in state.parameters.iter().zip(&parameters) {
                        self.shadows(&scope, &parameter.name);
                        scope.parameter(&parameter.name.text, ty.clone());
                    }
                    let again = state.again.as_ref().map(|again| {
                        self.definition(scope.clone(), again, Some(&entry), &state.name.text)
                    });
                    let initial =
                        self.definition(scope, &state.initial, Some(&entry), &state.name.text);
                    (&state.name, initial, again, false)
                }
                StateItem::Just(just) => {
                    let no = Expr::yes_no(false, just.span);
                    (&just.name, tables::constant(no), None, true)
                }
            };
            states.push(State {
                name: name.text.clone(),
                parameters,
                key,
                entry,
                ty,
                initial,
                again,
                round,
                just,
                sight,
                shown: None,
                span: name.span,
            });
        }
        states
    }

    /// The type of a fact. A fact without a written type is checked now.
    fn fact_type(&mut self, id: FactId) -> Type {
        if let Some(declared) = &self.resolved.facts[id.index()].declared {
            return declared.clone();
        }
        match &self.facts[id.index()] {
            FactState::Checked(definition) => definition.ty.clone(),
            FactState::InProgress => {
                self.untyped(id);
                Type::Wrong
            }
            FactState::Pending => {
                if self.depth >= INFERENCE_DEPTH {
                    self.untyped(id);
                    return Type::Wrong;
                }
                stack::with_room(FACT_DEPTH, || self.fact(id));
                match &self.facts[id.index()] {
                    FactState::Checked(definition) => definition.ty.clone(),
                    FactState::InProgress | FactState::Pending => Type::Wrong,
                }
            }
        }
    }

    fn untyped(&mut self, id: FactId) {
        let item = self.resolved.facts[id.index()].item;
        self.report(
            Diagnostic::error(
                Code::UntypedFact,
                item.name.span,
                format!(
                    "the type of `{}` depends on too many others, or on itself",
                    item.name.text
                ),
            )
            .help(format!("write it: `fact {}: number = …`", item.name.text)),
        );
    }

    /// Checks a fact, once.
    fn fact(&mut self, id: FactId) {
        if !matches!(self.facts[id.index()], FactState::Pending) {
            return;
        }
        self.facts[id.index()] = FactState::InProgress;
        self.depth += 1;
        let entry = &self.resolved.facts[id.index()];
        let (item, owner, declared) = (entry.item, entry.owner, entry.declared.clone());
        let parameters = entry.parameters.clone();
        let mut scope = match owner {
            Some(event) => Scope::of_event(event, Place::Event),
            None => Scope::new(Place::Fact),
        };
        let fields = owner.map(|event| &self.resolved.events[event.index()].fields);
        if fields.is_some_and(|fields| fields.iter().any(|(name, _)| *name == item.name.text)) {
            let message = format!("`{}` is a field of the event", item.name.text);
            self.report(
                Diagnostic::error(Code::Shadowing, item.name.span, message)
                    .help("give the fact another name"),
            );
        }
        for (parameter, (name, ty)) in item.parameters.iter().zip(&parameters) {
            self.shadows(&scope, &parameter.name);
            scope.parameter(name, ty.clone());
        }
        let definition =
            self.definition(scope, &item.definition, declared.as_ref(), &item.name.text);
        self.facts[id.index()] = FactState::Checked(definition);
        self.depth -= 1;
    }

    fn checked_facts(&mut self) -> Vec<Fact> {
        let states = std::mem::take(&mut self.facts);
        states
            .into_iter()
            .zip(&self.resolved.facts)
            .map(|(state, entry)| Fact {
                name: entry.item.name.text.clone(),
                owner: entry.owner,
                parameters: entry.parameters.clone(),
                definition: match state {
                    FactState::Checked(definition) => definition,
                    FactState::InProgress | FactState::Pending => {
                        tables::constant(Checker::wrong(entry.item.span))
                    }
                },
                span: entry.item.name.span,
            })
            .collect()
    }
}
