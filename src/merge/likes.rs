//! `on tick as tock { … }`: what the game says of one event is said of another too.
//!
//! This is done last, so that it counts for whatever any variant says of the one.

use std::collections::BTreeSet;

use super::{
    failures,
    names::{Names, Use},
};
use crate::{
    diagnostic::Diagnostic,
    syntax::ast::{self, Clause, Item, Report, Role, Row, Rows, Section},
};

/// Writes out every section that takes over what is said of another event.
pub(super) fn write_out(items: &mut Vec<Item>, diagnostics: &mut Vec<Diagnostic>) {
    let mut taken = BTreeSet::new();
    while let Some(index) = items.iter().position(is_like) {
        let Item::Section(section) = &mut items[index] else {
            return;
        };
        let Some(like) = section.like.take() else {
            return;
        };
        let events = section.events.clone();
        let mut at = index + 1;
        for event in &events {
            if event.text == like.text || !taken.insert(event.text.clone()) {
                diagnostics.push(failures::taken_twice(event, &like));
                continue;
            }
            match said(items, event, &like) {
                Ok(clauses) if clauses.is_empty() => {}
                Ok(clauses) => {
                    let span = like.span;
                    let section = Section {
                        events: vec![event.clone()],
                        like: None,
                        clauses,
                        span,
                    };
                    items.insert(at, Item::Section(section));
                    at += 1;
                }
                Err(failure) => diagnostics.push(*failure),
            }
        }
    }
}

fn is_like(item: &Item) -> bool {
    matches!(item, Item::Section(section) if section.like.is_some())
}

/// What is said of `like` and must be said of `event` too, since nothing else is said of that.
fn said(
    items: &[Item],
    event: &ast::Name,
    like: &ast::Name,
) -> Result<Vec<Clause>, Box<Diagnostic>> {
    let fields = |name: &str| -> Option<BTreeSet<String>> {
        items.iter().find_map(|item| match item {
            Item::Event(event) if event.name.text == name => Some(
                event
                    .fields
                    .iter()
                    .map(|field| field.name.text.clone())
                    .collect(),
            ),
            _ => None,
        })
    };
    let Some(others) = fields(&like.text) else {
        let events = items.iter().filter_map(|item| match item {
            Item::Event(event) => Some(event.name.text.as_str()),
            _ => None,
        });
        return Err(Box::new(failures::no_event(like, events)));
    };
    let own = clauses_of(items, &event.text);
    let facts: BTreeSet<&str> = own.iter().filter_map(|clause| fact_name(clause)).collect();
    let has = fields(&event.text).unwrap_or_default();
    let mut missing = others;
    missing.retain(|field| !has.contains(field) && !facts.contains(field.as_str()));
    let lacking: Vec<String> = missing.iter().cloned().collect();
    let mut clauses: Vec<Clause> = clauses_of(items, &like.text).into_iter().cloned().collect();
    clauses.retain(|clause| match clause {
        Clause::Fact(fact) => !facts.contains(fact.name.text.as_str()),
        Clause::New(new) => !own
            .iter()
            .any(|other| matches!(other, Clause::New(other) if other.name.text == new.name.text)),
        _ => true,
    });
    // A fact that speaks of what the event lacks is lacking itself, and so on.
    loop {
        let before = clauses.len();
        let mut gone = Vec::new();
        clauses.retain_mut(|clause| {
            let speaks = fact_name(clause).is_some() && mentions(clause, &missing);
            if let (true, Clause::Fact(fact)) = (speaks, &*clause) {
                gone.push((fact.name.clone(), fact.role));
            }
            !speaks
        });
        for (name, role) in gone {
            if role != Role::Fact || name.text == "over" {
                return Err(Box::new(failures::must_say(event, like, &name, &lacking)));
            }
            missing.insert(name.text);
        }
        if clauses.len() == before {
            break;
        }
    }
    let mut kept = Vec::new();
    for mut clause in clauses {
        if let Clause::New(new) = &clause {
            let name = new.name.clone();
            if mentions(&mut clause, &missing) {
                return Err(Box::new(failures::must_say(event, like, &name, &lacking)));
            }
        }
        let labels = labels(&own, &clause);
        let rows = match &mut clause {
            Clause::Impossible(Rows { rows, .. })
            | Clause::Begin(Rows { rows, .. })
            | Clause::Follows(Rows { rows, .. })
            | Clause::Report(Report { rows, .. }) => rows,
            Clause::Fact(_) | Clause::New(_) => {
                kept.push(clause);
                continue;
            }
        };
        rows.retain_mut(|row: &mut Row| {
            !labels.contains(&row.label.text) && !mentions(row, &missing)
        });
        if !rows.is_empty() {
            kept.push(clause);
        }
    }
    Ok(needed(kept, &own))
}

/// What of `clauses` counts: of the facts those that the others, or what the event says itself, speak of.
fn needed(clauses: Vec<Clause>, own: &[&Clause]) -> Vec<Clause> {
    let counts = |clause: &Clause| match clause {
        Clause::Fact(fact) => fact.role != Role::Fact || fact.name.text == "over",
        _ => true,
    };
    let mut heard = BTreeSet::new();
    let mut kept: Vec<bool> = clauses.iter().map(counts).collect();
    let all = own.iter().copied().chain(kept_of(&clauses, &kept));
    for clause in all {
        hear(clause, &mut heard);
    }
    loop {
        let next = clauses.iter().zip(&kept).position(|(clause, kept)| {
            !kept && fact_name(clause).is_some_and(|name| heard.contains(name))
        });
        let Some(next) = next else { break };
        kept[next] = true;
        hear(&clauses[next], &mut heard);
    }
    let both = clauses.into_iter().zip(kept);
    both.filter_map(|(clause, kept)| kept.then_some(clause))
        .collect()
}

/// Those of `clauses` that are kept.
fn kept_of<'c>(clauses: &'c [Clause], kept: &'c [bool]) -> impl Iterator<Item = &'c Clause> {
    let both = clauses.iter().zip(kept);
    both.filter_map(|(clause, kept)| kept.then_some(clause))
}

/// Adds the names that a clause speaks of.
fn hear(clause: &Clause, heard: &mut BTreeSet<String>) {
    let mut clause = clause.clone();
    clause.names(&mut |name, _| {
        heard.insert(name.text.clone());
    });
}

/// All that is said of an event.
fn clauses_of<'i>(items: &'i [Item], event: &str) -> Vec<&'i Clause> {
    let sections = items.iter().filter_map(|item| match item {
        Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
            Some(&section.clauses)
        }
        _ => None,
    });
    sections.flatten().collect()
}

fn fact_name(clause: &Clause) -> Option<&str> {
    match clause {
        Clause::Fact(fact) => Some(&fact.name.text),
        _ => None,
    }
}

/// The names of the rows that `own` has in clauses such as this one.
fn labels(own: &[&Clause], clause: &Clause) -> BTreeSet<String> {
    let rows = own.iter().filter_map(|other| match (other, clause) {
        (Clause::Impossible(rows), Clause::Impossible(_))
        | (Clause::Begin(rows), Clause::Begin(_))
        | (Clause::Follows(rows), Clause::Follows(_)) => Some(&rows.rows),
        (Clause::Report(one), Clause::Report(other)) if one.refused == other.refused => {
            Some(&one.rows)
        }
        _ => None,
    });
    rows.flatten().map(|row| row.label.text.clone()).collect()
}

/// Whether a part of a tree speaks of one of these.
fn mentions(part: &mut dyn Names, names: &BTreeSet<String>) -> bool {
    let mut found = false;
    part.names(&mut |name, how| found |= how != Use::Bound && names.contains(&name.text));
    found
}
