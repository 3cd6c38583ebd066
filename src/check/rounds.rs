//! Rounds, and the events that begin them.

use std::collections::BTreeSet;

use super::{
    Checker, Scope,
    reads::{Read, Reads},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Body, Definition, Equation, Event, EventId, Expr, ExprKind, Fact, FactId, How, Program,
        Reading, Round, Row, StateId, Table, Tense, begin_name, is_same,
    },
    resolve::Entity,
    source::Span,
    syntax::ast,
    types::{Constant, Type},
};

impl<'t> Checker<'t> {
    pub(super) fn rounds(&self) -> Vec<Round> {
        let rounds = self.resolved.rounds.iter();
        let rounds = rounds.map(|round| Round {
            name: round.item.name.text.clone(),
            within: round.within,
            span: round.item.name.span,
        });
        rounds.collect()
    }

    /// The round that a row of `begin` names, if it names one.
    fn named_round(&self, value: &ast::Expr) -> Option<usize> {
        match &value.kind {
            ast::ExprKind::Name(name) => match self.resolved.names.get(&name.text) {
                Some((Entity::Round(round), _)) => Some(*round),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether `round` begins whenever `outer` does: it is the same, or within it.
    fn begins_with(&self, round: usize, outer: usize) -> bool {
        let mut at = Some(round);
        while let Some(round) = at {
            if round == outer {
                return true;
            }
            at = self.resolved.rounds[round].within;
        }
        false
    }

    /// The states that are reset with a round that one of the rows names.
    pub(super) fn begun_by(&self, rows: &[ast::Row]) -> Vec<StateId> {
        let rounds = rows.iter().filter_map(|row| self.named_round(&row.value));
        let rounds: BTreeSet<usize> = rounds.collect();
        let begins = |round: usize| rounds.iter().any(|outer| self.begins_with(round, *outer));
        let states = self.resolved.states.iter().enumerate();
        states
            .filter(|(_, state)| state.round.is_some_and(begins))
            .map(|(index, _)| StateId::new(index))
            .collect()
    }

    /// Checks a `begin` of an event's section: `begin | full: lap when level > 9`.
    pub(super) fn begin(
        &mut self,
        scope: &mut Scope,
        id: EventId,
        clause: &'t ast::Rows,
        event: &mut Event,
    ) {
        if id == EventId::START {
            let message = "at `start`, everything begins, and nothing begins again";
            self.report(
                Diagnostic::error(Code::NewAtStart, clause.span, message)
                    .help("leave it out, or write it in the section of an event"),
            );
            return;
        }
        for row in &clause.rows {
            let first = event.begin.iter().map(|(_, other)| other);
            let mut first = first.filter(|other| other.label == row.label.text);
            if let Some(first) = first.next().map(|first| first.span) {
                self.same_label(&row.label, first);
            }
            self.only_in_reports(row);
            self.only_in_first_of(row);
            let before = scope.variables.len();
            let bindings = self.bindings(scope, &row.bindings);
            let conditions = self.conditions_of(scope, &row.conditions);
            let says = self.says(scope, row.conditions.says.as_ref());
            scope.leave(before);
            let Some(round) = self.named_round(&row.value) else {
                self.no_round(&row.value);
                continue;
            };
            let row = Row {
                label: row.label.text.clone(),
                inline: false,
                maybe: false,
                value: Expr::yes_no(true, row.value.span),
                bindings,
                conditions,
                says,
                sight: None,
                span: row.span,
            };
            event.begin.push((round, row));
        }
    }

    /// Reports a row of `begin` that names no round.
    fn no_round(&mut self, value: &ast::Expr) {
        let ast::ExprKind::Name(name) = &value.kind else {
            let message = "a row of `begin` names a round";
            self.report(
                Diagnostic::error(Code::UnknownName, value.span, message).help(
                    "write its name alone, and when it begins after it: `| name: round when …`",
                ),
            );
            return;
        };
        let diagnostic = if let Some((entity, _)) = self.resolved.names.get(&name.text) {
            let is_state = matches!(entity, Entity::State(_));
            let message = format!("`{}` is {}, not a round", name.text, entity.described());
            let diagnostic = Diagnostic::error(Code::UnknownName, name.span, message);
            if is_state {
                diagnostic.help(format!(
                    "put it into one: `round …`, and `state {}: … per … = …`",
                    name.text
                ))
            } else {
                diagnostic.help("declare a round for what begins again together: `round …`")
            }
        } else {
            let rounds = self.resolved.rounds.iter();
            let near = self.candidates(rounds.map(|round| &round.item.name.text));
            let message = format!("there is no round called `{}`", name.text);
            Diagnostic::error(Code::UnknownName, name.span, message)
                .did_you_mean(&name.text, near.iter().map(String::as_str))
                .help(format!("declare it: `round {}`", name.text))
        };
        self.report(diagnostic);
    }

    /// Adds to an event's equations the reset of all states of rounds that may begin in it.
    pub(super) fn begin_again(&mut self, id: EventId, locals: usize, event: &mut Event) {
        let mut facts: Vec<Option<FactId>> = vec![None; self.resolved.rounds.len()];
        for (round, fact) in facts.iter_mut().enumerate() {
            let mut states = self.resolved.states.iter();
            if !states.any(|state| state.round == Some(round)) {
                continue;
            }
            let rows = event.begin.iter();
            let rows = rows.filter(|(outer, _)| self.begins_with(round, *outer));
            let rows: Vec<Row> = rows.map(|(_, row)| row.clone()).collect();
            let Some(span) = rows.first().map(|row| row.span) else {
                continue;
            };
            let name = &self.resolved.rounds[round].item.name.text;
            *fact = Some(FactId::new(
                self.resolved.facts.len() + self.begin_facts.len(),
            ));
            self.begin_facts.push(Fact {
                name: begin_name(name),
                owner: Some(id),
                parameters: Vec::new(),
                definition: Definition {
                    body: Body::Table(Table {
                        how: How::Any,
                        rows,
                    }),
                    only: Vec::new(),
                    ty: Type::YesNo,
                    locals,
                    span,
                },
                span,
            });
        }
        for (index, state) in self.resolved.states.iter().enumerate() {
            let Some(begins) = state.round.and_then(|round| facts[round]) else {
                continue;
            };
            let id = StateId::new(index);
            let known = event.equations.iter_mut().find(|one| one.state == id);
            if let Some(equation) = known {
                equation.begins = Some(begins);
                continue;
            }
            let pointwise = !state.parameters.is_empty();
            let ty = if pointwise { &state.entry } else { &state.ty };
            let span = self.begin_facts[begins.index() - self.resolved.facts.len()].span;
            event.equations.push(Equation {
                state: id,
                pointwise,
                definition: unchanged(ty.clone(), state.parameters.len(), span),
                begins: Some(begins),
                span,
            });
        }
    }
}

/// A table without rows, which leaves a state unchanged.
fn unchanged(ty: Type, locals: usize, span: Span) -> Definition {
    Definition {
        body: Body::Table(Table {
            how: How::One,
            rows: Vec::new(),
        }),
        only: Vec::new(),
        ty,
        locals,
        span,
    }
}

/// The states whose new values a fact reads, itself or through other facts.
type News<'p> = &'p dyn Fn(FactId) -> Option<&'p BTreeSet<StateId>>;

/// Warns of uses of the new value of a state in an event that resets it.
pub(super) fn stale_uses<'p>(
    program: &'p Program,
    event: &'p Event,
    news: News<'p>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (round, begin) in &event.begin {
        if !begin.bindings.is_empty() {
            continue;
        }
        let row = BeginRow {
            program,
            round: *round,
            begin,
            conditions: begin.conditions.iter().flat_map(parts).collect(),
            over: event.over,
            news,
        };
        if row.conditions.is_empty() {
            diagnostics.extend(useless_equations(program, event, *round, begin));
        }
        diagnostics.extend(row.equations(event));
        diagnostics.extend(row.reports(event));
    }
    diagnostics
}

/// A row of an event's `begin`.
struct BeginRow<'p> {
    program: &'p Program,
    /// The round that it begins.
    round: usize,
    begin: &'p Row,
    /// Its conditions, split at `and`.
    conditions: Vec<&'p Expr>,
    over: Option<FactId>,
    news: News<'p>,
}

impl BeginRow<'_> {
    /// Whether the round begins whenever `row` fires, except perhaps at the end of the game.
    fn fires_with(&self, row: &Row) -> bool {
        let conditions: Vec<&Expr> = row.conditions.iter().flat_map(parts).collect();
        let holds = |condition: &Expr| conditions.iter().any(|one| is_same(one, condition));
        let is_over = |condition: &Expr| matches!(condition.kind, ExprKind::Fact { fact, .. } if Some(fact) == self.over);
        self.conditions
            .iter()
            .all(|condition| match &condition.kind {
                ExprKind::Not(inner) if is_over(inner) => !holds(inner),
                _ => holds(condition),
            })
    }

    /// The state of the round whose new value is read, if one is.
    fn read(&self, read: &Read) -> Option<StateId> {
        let of_round =
            |state: &StateId| self.program.states[state.index()].round == Some(self.round);
        match read.what {
            Reading::State(state, Tense::New) => Some(state).filter(of_round),
            Reading::Fact(fact, Tense::Now) => (self.news)(fact)?.iter().copied().find(of_round),
            _ => None,
        }
    }

    /// Warns of `new score = score + new tricks when last` where `tricks` is reset when `last`.
    fn equations(&self, event: &Event) -> Vec<Diagnostic> {
        let outside = event
            .equations
            .iter()
            .filter(|one| self.program.states[one.state.index()].round != Some(self.round));
        let tables = outside.filter_map(|one| match &one.definition.body {
            Body::Table(table) => Some(&table.rows),
            Body::Expression(_) | Body::By(_) => None,
        });
        let rows = tables.flatten().filter(|row| self.fires_with(row));
        let early = rows.filter_map(|row| {
            let expressions = row.conditions.iter().chain([&row.value]);
            let reads = Reads::of(expressions).list;
            let mut reads = reads
                .iter()
                .filter_map(|read| Some((read.span, self.read(read)?)));
            let (span, state) = reads.next()?;
            Some(self.begins_again(state, span))
        });
        early.collect()
    }

    /// Warns of `report | won: "{new tricks} tricks" when last` where `tricks` is reset to 0 when `last`, and of
    /// `report | lead: "{new lead} leads"` where `lead` is none when its round begins.
    fn reports(&self, event: &Event) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        for row in &event.report.rows {
            let is_reset = self.fires_with(row);
            let conditions = Reads::of(&row.conditions).list;
            let mut conditions = conditions
                .iter()
                .filter_map(|read| Some((read.span, self.read(read)?)));
            if let Some((span, state)) = conditions.next().filter(|_| is_reset) {
                diagnostics.push(self.begins_again(state, span));
                continue;
            }
            // A report may mention the first value of the next round, unless that is always the same.
            let first = |state: StateId| match &self.program.states[state.index()].again().body {
                Body::Expression(value) => constant(value),
                Body::Table(_) | Body::By(_) => None,
            };
            let mut warning = None;
            row.value.walk(&mut |part| {
                let (inner, demanded) = match &part.kind {
                    ExprKind::The(inner) => (&**inner, true),
                    _ => (part, false),
                };
                let ExprKind::State(state, Tense::New) = map_of(inner).kind else {
                    return;
                };
                let is_of_round = self.program.states[state.index()].round == Some(self.round);
                let Some(first) = first(state).filter(|_| is_of_round && warning.is_none()) else {
                    return;
                };
                let is_none = matches!(first, Constant::None);
                if is_reset && !is_none {
                    warning = Some(self.begins_again(state, inner.span));
                } else if demanded && is_none && (is_reset || row.conditions.is_empty()) {
                    warning = Some(self.is_none(state, inner.span));
                }
            });
            diagnostics.extend(warning);
        }
        diagnostics
    }

    /// The warning about a value that is just the first one of the round.
    fn begins_again(&self, state: StateId, span: Span) -> Diagnostic {
        let (name, round) = self.names(state);
        let message = format!(
            "`{name}` begins again with `{round}` when this row is asked, so `new {name}` is what it begins with"
        );
        let help = format!(
            "for the value without that, write `old {name}` and what this event adds to it"
        );
        Diagnostic::warning(Code::WhichTense, span, message)
            .label(self.begin.span, "it begins again here")
            .help(help)
    }

    /// The warning about a required value that is none when the round begins.
    fn is_none(&self, state: StateId, span: Span) -> Diagnostic {
        let (name, round) = self.names(state);
        let message = format!(
            "`new {name}` is none when `{round}` begins in this event, and a text needs a value: the run would stop"
        );
        let label = &self.begin.label;
        let help = format!(
            "write what is said then: `{{new {name} else '…'}}`; or report it only when `{label}` does not fire"
        );
        Diagnostic::warning(Code::WhichTense, span, message)
            .label(self.begin.span, "it begins again here")
            .help(help)
    }

    fn names(&self, state: StateId) -> (&str, &str) {
        (
            &self.program.states[state.index()].name,
            &self.program.rounds[self.round].name,
        )
    }
}

/// The map that an expression is an entry of, or the expression itself.
pub(super) fn map_of(expression: &Expr) -> &Expr {
    let expression = expression.unconverted();
    match &expression.kind {
        ExprKind::Entry { map, .. } => map_of(map),
        _ => expression,
    }
}

/// The value of a constant expression.
fn constant(expression: &Expr) -> Option<&Constant> {
    match &expression.unconverted().kind {
        ExprKind::Constant(value) => Some(value),
        _ => None,
    }
}

/// The parts of a condition, split at `and`.
pub(super) fn parts(condition: &Expr) -> Vec<&Expr> {
    let (mut open, mut parts) = (vec![condition], Vec::new());
    while let Some(one) = open.pop() {
        match &one.kind {
            ExprKind::And(left, right) => open.extend([&**right, left]),
            _ => parts.push(one),
        }
    }
    parts
}

/// Warns of `new doubled = …` in an event that always resets `doubled`.
fn useless_equations(
    program: &Program,
    event: &Event,
    round: usize,
    begin: &Row,
) -> Vec<Diagnostic> {
    let changes_nothing = |equation: &Equation| matches!(&equation.definition.body, Body::Table(table) if table.rows.is_empty());
    // An equation shared by several events may have an effect in another.
    let is_shared = |equation: &Equation| {
        let has = |other: &&Event| other.equations.iter().any(|one| one.span == equation.span);
        program.events.iter().filter(has).count() > 1
    };
    let states = &program.states;
    let dead = event.equations.iter().filter(|equation| {
        states[equation.state.index()].round == Some(round)
            && !changes_nothing(equation)
            && !is_shared(equation)
    });
    let warnings = dead.map(|equation| {
        let (name, round) = (&states[equation.state.index()].name, &program.rounds[round].name);
        let message = format!(
            "`new {name}` never counts here: `{round}` begins in each `{}`, and `{name}` with it",
            event.name
        );
        let help = format!(
            "leave it out; or declare `{name}` without `per {round}`, or say when `{round}` begins: `when …`"
        );
        Diagnostic::warning(Code::NeverChanges, equation.span, message)
            .label(begin.span, "it begins again here")
            .help(help)
    });
    warnings.collect()
}
