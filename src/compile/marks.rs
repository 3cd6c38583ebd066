//! Which words of a transcript an `impossible` row is about.

use std::collections::BTreeSet;

use super::definitions::each_part;
use crate::{
    builtins::Builtin,
    code::{Mark, Spoken},
    program::{Expr, ExprKind, Program, Row, expressions_of},
};

/// Whether a row does not depend on the state, directly or through facts.
pub(super) fn is_stateless(program: &Program, row: &Row) -> bool {
    let collections = row.bindings.iter().map(|(_, collection)| collection);
    let mut open: Vec<&Expr> = collections
        .chain(&row.conditions)
        .chain([&row.value])
        .collect();
    let mut met = BTreeSet::new();
    let mut stateless = true;
    while let Some(expression) = open.pop() {
        expression.walk(&mut |part| match &part.kind {
            ExprKind::State(..) => stateless = false,
            ExprKind::Fact { fact, .. } | ExprKind::Tabulated(fact, _) if met.insert(*fact) => {
                open.extend(expressions_of(&program.facts[fact.index()].definition));
            }
            _ => {}
        });
    }
    stateless
}

/// What a row's `for` ranges over, or else the only field (before the game, given) that its conditions mention; if they
/// mention several, the only one of them that its text mentions.
pub(super) fn mark(row: &Row) -> Option<Mark> {
    let through = row.bindings.iter().find_map(|(local, collection)| {
        // The row of a path binds the member at each position.
        if let Some((spoken, place)) = at_position(collection) {
            return Some(Mark {
                spoken,
                local: Some(place),
                is_position: true,
            });
        }
        Some(Mark {
            spoken: whole(collection)?,
            local: Some(local.0),
            is_position: false,
        })
    });
    if through.is_some() {
        return through;
    }
    let mut mentions = Vec::new();
    for (_, collection) in &row.bindings {
        mentioned(collection, &mut mentions);
    }
    for condition in &row.conditions {
        mentioned(condition, &mut mentions);
    }
    if mentions.len() > 1 {
        let mut in_text = Vec::new();
        mentioned(&row.value, &mut in_text);
        mentions.retain(|spoken| in_text.contains(spoken));
    }
    match mentions.as_slice() {
        [spoken] => Some(Mark {
            spoken: *spoken,
            local: None,
            is_position: false,
        }),
        _ => None,
    }
}

/// The field or given that an expression is.
fn whole(expr: &Expr) -> Option<Spoken> {
    match &expr.kind {
        ExprKind::EventField(field) => Some(Spoken::Field(*field)),
        ExprKind::Given(given) => Some(Spoken::Given(given.index())),
        ExprKind::Converted(inner) | ExprKind::Checked(inner) | ExprKind::The(inner) => {
            whole(inner)
        }
        _ => None,
    }
}

/// The field and the position variable of `[item(field, position)]`.
fn at_position(expr: &Expr) -> Option<(Spoken, u32)> {
    let ExprKind::Collect(one) = &expr.kind else {
        return None;
    };
    let [one] = one.as_slice() else {
        return None;
    };
    match &one.kind {
        ExprKind::Builtin(Builtin::Item, of) => match of.as_slice() {
            [path, place] => match place.kind {
                ExprKind::Local(place) => Some((whole(path)?, place.0)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Collects the fields that an expression mentions, and its givens only if it mentions no field.
fn mentioned(expr: &Expr, found: &mut Vec<Spoken>) {
    each_part(expr, &mut |part| {
        let spoken = match &part.kind {
            ExprKind::EventField(field) => Spoken::Field(*field),
            ExprKind::Given(given) => Spoken::Given(given.index()),
            _ => return,
        };
        if !found.contains(&spoken) {
            found.push(spoken);
        }
    });
    if found
        .iter()
        .any(|spoken| matches!(spoken, Spoken::Field(_)))
    {
        found.retain(|spoken| matches!(spoken, Spoken::Field(_)));
    }
}
