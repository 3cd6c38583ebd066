//! Removes events and rounds with everything that is only about them.

use super::{Merging, history::Edit};
use crate::{
    source::Span,
    syntax::ast::{self, Clause, Expr, ExprKind, Item, Row, Step},
};

impl Merging<'_> {
    /// Whether this is the name of an event.
    pub(super) fn is_event(&self, name: &str) -> bool {
        let is_match = |item: &Item| matches!(item, Item::Event(event) if event.name.text == name);
        self.items.iter().any(is_match)
    }

    /// Removes an event: its sections, and the rows that read, choose or cause it.
    pub(super) fn remove_event(&mut self, name: &str, span: Span) {
        let mut before = None;
        self.items.retain_mut(|item| match item {
            Item::Event(event) if event.name.text == name => {
                before = Some(event.span);
                false
            }
            Item::Section(section) => {
                let was = section.events.len();
                section.events.retain(|event| event.text != name);
                for clause in &mut section.clauses {
                    if let Clause::Follows(rows) = clause {
                        rows.rows.retain(|row| !names(&row.value, name));
                    }
                }
                section.clauses.retain(
                    |clause| !matches!(clause, Clause::Follows(rows) if rows.rows.is_empty()),
                );
                was == section.events.len() || !section.events.is_empty()
            }
            Item::Policy(policy) => {
                policy.rows.retain(|row| !names(&row.value, name));
                true
            }
            Item::Transcript(transcript) => {
                unread(&mut transcript.steps, name);
                true
            }
            _ => true,
        });
        if let Some(before) = before {
            self.record(name.to_string(), Edit::Removed, span, before);
        }
    }
}

impl Merging<'_> {
    /// Whether this is the name of a round.
    pub(super) fn is_round(&self, name: &str) -> bool {
        let is_match = |item: &Item| matches!(item, Item::Round(round) if round.name.text == name);
        self.items.iter().any(is_match)
    }

    /// Removes a round and the rows that begin it.
    pub(super) fn remove_round(&mut self, name: &str, span: Span) {
        if let Some(before) = without_round(&mut self.items, name) {
            self.record(name.to_string(), Edit::Removed, span, before);
        }
    }
}

/// Removes a round and the rows that begin it. Its states and inner rounds no longer belong to one. Returns the place
/// of its declaration.
pub(super) fn without_round(items: &mut Vec<Item>, name: &str) -> Option<Span> {
    let mut before = None;
    let is_match = |one: &mut ast::Name| one.text == name;
    items.retain_mut(|item| match item {
        Item::Round(round) if round.name.text == name => {
            before = Some(round.span);
            false
        }
        Item::Round(round) => {
            round.within.take_if(is_match);
            true
        }
        Item::State(state) => {
            state.per.take_if(is_match);
            true
        }
        Item::Section(section) => {
            let was = section.clauses.len();
            for clause in &mut section.clauses {
                if let Clause::Begin(rows) = clause {
                    rows.rows.retain(|row| !names(&row.value, name));
                }
            }
            section
                .clauses
                .retain(|clause| !matches!(clause, Clause::Begin(rows) if rows.rows.is_empty()));
            was == 0 || !section.clauses.is_empty()
        }
        _ => true,
    });
    before
}

/// Removes the rows that read an event.
fn unread(steps: &mut [Step], name: &str) {
    for step in steps {
        match step {
            Step::Play(play) => play.rows.retain(|row: &Row| match &row.event {
                Some(event) => !names(event, name),
                None => row.label.text != name,
            }),
            Step::Repeat(repeat) => unread(&mut repeat.steps, name),
            Step::Pattern(_) | Step::Start(_) => {}
        }
    }
}

/// Whether an expression is this event, with or without its fields.
fn names(expr: &Expr, event: &str) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => name.text == event,
        ExprKind::Apply { function, .. } => function.text == event,
        _ => false,
    }
}
