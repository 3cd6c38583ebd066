//! Leaks: events that put parts of hidden states and givens into public states.

use std::collections::BTreeSet;

use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Builtin, EventId, Expr, ExprKind, FactId, Hidden, Program, Row, StateId},
};

/// Warns of `new shown = the top of stock`, where everyone sees `shown` but not the stock. If a row of the report tells
/// everyone, it is intended.
pub(super) fn public(program: &Program, id: EventId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let event = &program.events[id.index()];
    for equation in &event.equations {
        let state = &program.states[equation.state.index()];
        if state.sight.is_some() {
            continue;
        }
        let pieces = |value| hidden_source(program, value, &mut BTreeSet::new());
        let Some((what, span)) = equation
            .definition
            .values()
            .into_iter()
            .find_map(|value| Some((pieces(value)?, value.span)))
        else {
            continue;
        };
        if is_reported_to_all(program, id, what, equation.state) {
            continue;
        }
        let (hidden, shown) = (program.name_of(None, what), &state.name);
        let message = format!(
            "part of `{hidden}`, which not everyone sees, goes into `{shown}`, which everyone sees"
        );
        let all = program
            .seats
            .map_or("…", |kind| &program.types.kind(kind).name);
        let mut diagnostic = Diagnostic::warning(Code::Leak, span, message);
        if let Some(sight) = program.sight(None, what) {
            diagnostic = diagnostic.label(sight.span, "only these see it");
        }
        found.push(diagnostic.help(format!(
            "say who sees `{shown}`: after its type, write `seen by` or `hidden`; if everyone is to learn it, report it in a row with `seen by {all}`"
        )));
    }
    found
}

/// Whether everyone reads a row of the report about the hidden value or the state that gets it.
fn is_reported_to_all(program: &Program, id: EventId, what: Hidden, shown: StateId) -> bool {
    let rows = &program.events[id.index()].report.rows;
    rows.iter().any(|row| match &row.sight {
        None => mentions(row, shown) && program.secrets_of_row(id, row).is_empty(),
        Some(sight) => {
            let seats = sight.seats.as_ref();
            let is_for_all = seats.is_some_and(|seats| matches!(seats.kind, ExprKind::All));
            let secrets = program.secrets_of_row(id, row);
            is_for_all && (mentions(row, shown) || secrets.iter().any(|secret| secret.what == what))
        }
    })
}

/// Whether the value of a row depends on a state.
fn mentions(row: &Row, state: StateId) -> bool {
    let mut found = false;
    row.value.walk(&mut |part| {
        found |= matches!(part.kind, ExprKind::State(one, _) if one == state);
    });
    found
}

/// The hidden state or given of which a value, or one of its members, is a part.
fn hidden_source(
    program: &Program,
    value: &Expr,
    visited: &mut BTreeSet<FactId>,
) -> Option<Hidden> {
    let hidden = |what| program.sight(None, what).map(|_| what);
    match &value.kind {
        ExprKind::State(state, _) => hidden(Hidden::State(*state)),
        ExprKind::Given(given) => hidden(Hidden::Given(*given)),
        ExprKind::Entry { map: inner, .. }
        | ExprKind::But { value: inner, .. }
        | ExprKind::Converted(inner)
        | ExprKind::Checked(inner)
        | ExprKind::The(inner)
        | ExprKind::Without(inner, _)
        | ExprKind::Lift { operand: inner, .. } => hidden_source(program, inner, visited),
        ExprKind::With(left, right) | ExprKind::Then(left, right) | ExprKind::Else(left, right) => {
            hidden_source(program, left, visited).or_else(|| hidden_source(program, right, visited))
        }
        ExprKind::Collect(members) => members
            .iter()
            .find_map(|member| hidden_source(program, member, visited)),
        ExprKind::Builtin(
            Builtin::Top | Builtin::TopMany | Builtin::Below | Builtin::Item,
            operands,
        ) => operands.iter().find_map(|one| match one.ty.element() {
            Some(_) => hidden_source(program, one, visited),
            None => None,
        }),
        ExprKind::Fact { fact, .. } if visited.insert(*fact) => {
            let definition = &program.facts.get(fact.index())?.definition;
            let mut values = definition.values().into_iter();
            values.find_map(|value| hidden_source(program, value, visited))
        }
        _ => None,
    }
}
