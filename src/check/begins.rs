//! Rounds, and the events in which they begin again.

use std::collections::BTreeSet;

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Body, Definition, Equation, Event, EventId, Expr, Fact, FactId, How, Program, Round, Row,
        StateId, Table, name_of_begin,
    },
    resolve::Entity,
    source::Span,
    syntax::ast::{self, ExprKind},
    types::Type,
};

impl<'t> Checker<'t> {
    /// The rounds of the game.
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
            ExprKind::Name(name) => match self.resolved.names.get(&name.text) {
                Some((Entity::Round(round), _)) => Some(*round),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a round begins wherever another does: it is that, or in it.
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

    /// The states that begin again with a round that one of the rows names.
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

    /// `begin | full: lap when level > 9` in the section of an event.
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

    /// A row of `begin` that names no round.
    fn no_round(&mut self, value: &ast::Expr) {
        let ExprKind::Name(name) = &value.kind else {
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
            let near = self.near(rounds.map(|round| &round.item.name.text));
            let message = format!("there is no round called `{}`", name.text);
            Diagnostic::error(Code::UnknownName, name.span, message)
                .did_you_mean(&name.text, near.iter().map(String::as_str))
                .help(format!("declare it: `round {}`", name.text))
        };
        self.report(diagnostic);
    }

    /// Adds to an event's equations that the states of the rounds that may begin in it begin again.
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
            *fact = Some(FactId::new(self.resolved.facts.len() + self.begun.len()));
            self.begun.push(Fact {
                name: name_of_begin(name),
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
            let span = self.begun[begins.index() - self.resolved.facts.len()].span;
            event.equations.push(Equation {
                state: id,
                pointwise,
                definition: stays(ty.clone(), state.parameters.len(), span),
                begins: Some(begins),
                span,
            });
        }
    }
}

/// A definition of no row, by which a state stays as it is.
fn stays(ty: Type, locals: usize, span: Span) -> Definition {
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

/// Warns of `new doubled = …` in an event in which the round of `doubled` begins in any case, as `begin` says.
pub(super) fn never_counts(
    program: &Program,
    event: &Event,
    round: usize,
    begin: &Row,
) -> Vec<Diagnostic> {
    let is_stays = |equation: &Equation| matches!(&equation.definition.body, Body::Table(table) if table.rows.is_empty());
    // What several events have in common may count in another of them.
    let is_shared = |equation: &Equation| {
        let has = |other: &&Event| other.equations.iter().any(|one| one.span == equation.span);
        program.events.iter().filter(has).count() > 1
    };
    let states = &program.states;
    let dead = event.equations.iter().filter(|equation| {
        states[equation.state.index()].round == Some(round)
            && !is_stays(equation)
            && !is_shared(equation)
    });
    let told = dead.map(|equation| {
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
    told.collect()
}
