//! `on tick as tock { … }`: an event that copies the rules of another.
//!
//! The copies are made last, so that they include the changes of all variants.

use std::collections::BTreeSet;

use super::{
    failures,
    names::{Names, Use},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{self, Clause, Item, Report, Role, Row, Rows, Section},
};

/// The greatest total length, in bytes, of the copies of rules that several events share.
pub(crate) const GREATEST_COPIES: usize = 4 * 1024 * 1024;

/// Expands every section with `as`.
pub(super) fn expand(items: &mut Vec<Item>, diagnostics: &mut Vec<Diagnostic>) {
    let mut taken = BTreeSet::new();
    let mut copied = 0usize;
    while let Some(index) = items.iter().position(copies_rules) {
        let Item::Section(section) = &mut items[index] else {
            return;
        };
        let Some(like) = section.like.take() else {
            return;
        };
        let events = section.events.clone();
        if events.len() > 1 && adds_rows(items, index, &like) {
            // Each section of several events puts the rows in their places.
            if let Item::Section(section) = items.remove(index) {
                for event in events.into_iter().rev() {
                    let section = Section {
                        events: vec![event],
                        like: Some(like.clone()),
                        ..section.clone()
                    };
                    items.insert(index, Item::Section(section));
                }
            }
            continue;
        }
        let mut at = index + 1;
        for event in &events {
            if event.text == like.text || !taken.insert(event.text.clone()) {
                diagnostics.push(failures::taken_twice(event, &like));
                continue;
            }
            // Making a copy also searches all items.
            copied = copied.saturating_add(length(items, &like.text) + items.len());
            if copied > GREATEST_COPIES {
                diagnostics.push(too_many_copies(like.span));
                items.retain(|item| !copies_rules(item));
                return;
            }
            match copied_clauses(items, event, &like) {
                Ok(clauses) if clauses.is_empty() => {}
                Ok(mut clauses) => {
                    keep_places(items, event, &mut clauses);
                    let span = like.span;
                    let section = Section {
                        events: vec![event.clone()],
                        like: None,
                        clauses,
                        span,
                    };
                    match &mut items[index] {
                        // It only replaced rows, so nothing is left of it.
                        Item::Section(own) if own.clauses.is_empty() && events.len() == 1 => {
                            *own = Section {
                                span: own.span,
                                ..section
                            };
                        }
                        _ => {
                            items.insert(at, Item::Section(section));
                            at += 1;
                        }
                    }
                }
                Err(failure) => diagnostics.push(*failure),
            }
        }
    }
}

/// The error for rules shared by too many events: each has its own copy to check.
pub(crate) fn too_many_copies(at: Span) -> Diagnostic {
    let message = format!(
        "the rules that several events share take more than {} MiB: each event has its own copy",
        GREATEST_COPIES / (1024 * 1024)
    );
    Diagnostic::error(Code::LargeFile, at, message)
        .help("declare one event with a field instead of many that are alike")
}

/// The length of all rules about an event, in bytes.
fn length(items: &[Item], event: &str) -> usize {
    let clauses = clauses_of(items, event).into_iter();
    let lengths = clauses.map(|clause| match clause {
        Clause::Fact(fact) => fact.span.range().len(),
        Clause::New(new) => new.span.range().len(),
        Clause::Impossible(Rows { rows, .. })
        | Clause::Begin(Rows { rows, .. })
        | Clause::Follows(Rows { rows, .. })
        | Clause::Report(Report { rows, .. }) => {
            rows.iter().map(|row| row.span.range().len()).sum()
        }
    });
    lengths.sum()
}

/// Warns of events without a guard that copy the rules of an event with one.
pub(super) fn unguarded(items: &[Item]) -> Vec<Diagnostic> {
    let event = |name: &ast::Name| {
        items.iter().find_map(|item| match item {
            Item::Event(event) if event.name.text == name.text => Some(event),
            _ => None,
        })
    };
    let mut warnings = Vec::new();
    for item in items {
        let Item::Section(Section {
            events,
            like: Some(like),
            ..
        }) = item
        else {
            continue;
        };
        let guard = event(like).and_then(|event| event.guard.as_ref());
        let own = events.iter().filter_map(event);
        let unguarded = own.filter(|event| event.guard.is_none());
        if let Some(guard) = guard {
            warnings.extend(unguarded.map(|event| failures::lost_guard(event, like, guard)));
        }
    }
    warnings
}

/// If the path leads to a row that an event copies from another, adds the new row to the section that copies, and
/// returns the place of the replaced row. None if the event has a row of that name itself, or the section is of several
/// events.
pub(super) fn replace_copied_row(items: &mut [Item], path: &ast::Path, row: &Row) -> Option<Span> {
    let [event, clause, label] = path.parts.as_slice() else {
        return None;
    };
    let clause_of = |rows: Vec<Row>| {
        let span = row.span;
        Some(match clause.text.as_str() {
            "impossible" => Clause::Impossible(Rows { rows, span }),
            "begin" => Clause::Begin(Rows { rows, span }),
            "follows" => Clause::Follows(Rows { rows, span }),
            name @ ("report" | "refused") => Clause::Report(Report {
                refused: name == "refused",
                rows,
                span,
            }),
            _ => return None,
        })
    };
    let none = clause_of(Vec::new())?;
    let called = |items: &[Item], event: &str| {
        let rows = rows_of_same_sort(&clauses_of(items, event), &none);
        rows.into_iter().find(|row| row.label.text == label.text)
    };
    let like = items.iter().find_map(|item| match item {
        Item::Section(section) if section.events.iter().any(|it| it.text == event.text) => {
            section.like.clone()
        }
        _ => None,
    })?;
    let before = called(items, &like.text)?.span;
    if called(items, &event.text).is_some() {
        return None;
    }
    let mut sections = sections_of(items, &event.text);
    let section = sections.find(|section| section.like.is_some())?;
    if section.events.len() > 1 {
        return None;
    }
    section.clauses.push(clause_of(vec![row.clone()])?);
    Some(before)
}

/// Whether a section has rows with a place among those of `like`.
fn adds_rows(items: &[Item], index: usize, like: &ast::Name) -> bool {
    let Some(Item::Section(section)) = items.get(index) else {
        return false;
    };
    let others = clauses_of(items, &like.text);
    section.clauses.iter().any(|clause| {
        !rows_of_same_sort(&[clause], clause).is_empty()
            && !rows_of_same_sort(&others, clause).is_empty()
    })
}

fn copies_rules(item: &Item) -> bool {
    matches!(item, Item::Section(section) if section.like.is_some())
}

/// The rules about `like` that `event` must copy, since it has none of its own instead.
fn copied_clauses(
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
    // A fact that depends on something the event lacks is lacking itself, and so on.
    loop {
        let before = clauses.len();
        let mut lacking_facts = Vec::new();
        clauses.retain_mut(|clause| {
            let is_lacking = fact_name(clause).is_some() && mentions(clause, &missing);
            if let (true, Clause::Fact(fact)) = (is_lacking, &*clause) {
                lacking_facts.push((fact.name.clone(), fact.role));
            }
            !is_lacking
        });
        for (name, role) in lacking_facts {
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
    let mut rest = clauses.into_iter();
    while let Some(mut clause) = rest.next() {
        let own_rows: Vec<Vec<Row>> = own
            .iter()
            .map(|one| rows_of_same_sort(&[one], &clause))
            .collect();
        if let Clause::New(new) = &clause {
            let name = new.name.clone();
            if mentions(&mut clause, &missing) {
                return Err(Box::new(failures::must_say(event, like, &name, &lacking)));
            }
        }
        let labels = rows_of_same_sort(&clauses_of(items, &like.text), &clause).into_iter();
        let labels: BTreeSet<String> = labels.map(|row| row.label.text).collect();
        let is_last = !rest.as_slice().iter().any(|other| is_alike(other, &clause));
        let Some(rows) = rows_of(&mut clause) else {
            kept.push(clause);
            continue;
        };
        let (replacing, adding) = with_neighbours(&own_rows, &labels);
        let mut all = Vec::new();
        for mut row in std::mem::take(rows) {
            if let Some(group) = replacing.iter().find(|(label, _)| *label == row.label.text) {
                all.extend(group.1.iter().cloned());
            } else if !mentions(&mut row, &missing) {
                all.push(row);
            }
        }
        if is_last {
            all.extend(adding);
        }
        *rows = all;
        if !rows.is_empty() {
            kept.push(clause);
        }
    }
    Ok(without_unused_facts(kept, &own))
}

/// The rows of an event's own clauses that replace those with `labels`, by their names and each with the new rows that
/// go with it, and the rows of the clauses that replace none.
fn with_neighbours(
    own: &[Vec<Row>],
    labels: &BTreeSet<String>,
) -> (Vec<(String, Vec<Row>)>, Vec<Row>) {
    let mut replacing: Vec<(String, Vec<Row>)> = Vec::new();
    let mut adding = Vec::new();
    for rows in own {
        // New rows stay before the first that replaces one, or after the last before them.
        let mut group = Vec::new();
        let mut name: Option<&str> = None;
        for row in rows {
            let label = row.label.text.as_str();
            if labels.contains(label)
                && name != Some(label)
                && let Some(name) = name.replace(label)
            {
                replacing.push((name.to_string(), std::mem::take(&mut group)));
            }
            group.push(row.clone());
        }
        match name {
            Some(name) => replacing.push((name.to_string(), group)),
            None => adding.extend(group),
        }
    }
    (replacing, adding)
}

/// Removes the facts that neither the other clauses nor the event's own use.
fn without_unused_facts(clauses: Vec<Clause>, own: &[&Clause]) -> Vec<Clause> {
    let counts = |clause: &Clause| match clause {
        Clause::Fact(fact) => fact.role != Role::Fact || fact.name.text == "over",
        _ => true,
    };
    let mut used = BTreeSet::new();
    let mut kept: Vec<bool> = clauses.iter().map(counts).collect();
    let all = own.iter().copied().chain(kept_of(&clauses, &kept));
    for clause in all {
        add_names(clause, &mut used);
    }
    loop {
        let next = clauses.iter().zip(&kept).position(|(clause, kept)| {
            !kept && fact_name(clause).is_some_and(|name| used.contains(name))
        });
        let Some(next) = next else { break };
        kept[next] = true;
        add_names(&clauses[next], &mut used);
    }
    let both = clauses.into_iter().zip(kept);
    both.filter_map(|(clause, kept)| kept.then_some(clause))
        .collect()
}

/// The clauses that are kept.
fn kept_of<'c>(clauses: &'c [Clause], kept: &'c [bool]) -> impl Iterator<Item = &'c Clause> {
    let both = clauses.iter().zip(kept);
    both.filter_map(|(clause, kept)| kept.then_some(clause))
}

/// Adds the names that a clause uses.
fn add_names(clause: &Clause, used: &mut BTreeSet<String>) {
    let mut clause = clause.clone();
    clause.names(&mut |name, _| {
        used.insert(name.text.clone());
    });
}

/// All clauses about an event.
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

/// The rows that `own` has in clauses of the same sort.
fn rows_of_same_sort(own: &[&Clause], clause: &Clause) -> Vec<Row> {
    let own = own.iter().filter(|own| is_alike(own, clause));
    let rows = own.filter_map(|own| match own {
        Clause::Impossible(rows) | Clause::Begin(rows) | Clause::Follows(rows) => Some(&rows.rows),
        Clause::Report(report) => Some(&report.rows),
        Clause::Fact(_) | Clause::New(_) => None,
    });
    rows.flatten().cloned().collect()
}

/// The rows of a clause without a definition.
fn rows_of(clause: &mut Clause) -> Option<&mut Vec<Row>> {
    match clause {
        Clause::Impossible(Rows { rows, .. })
        | Clause::Begin(Rows { rows, .. })
        | Clause::Follows(Rows { rows, .. })
        | Clause::Report(Report { rows, .. }) => Some(rows),
        Clause::Fact(_) | Clause::New(_) => None,
    }
}

/// Removes from the event's own sections the rows that `clauses` have in the places of those that they replace. If such
/// a section is also of other events, it keeps them, and they are removed from `clauses`.
fn keep_places(items: &mut [Item], event: &ast::Name, clauses: &mut [Clause]) {
    for clause in clauses {
        let like = clause.clone();
        let Some(rows) = rows_of(clause) else {
            continue;
        };
        rows.retain(|row| {
            let mut elsewhere = false;
            for section in sections_of(items, &event.text) {
                let shared = section.events.len() > 1;
                for own in &mut section.clauses {
                    if !is_alike(own, &like) {
                        continue;
                    }
                    let Some(own) = rows_of(own) else { continue };
                    let is_same =
                        |other: &Row| other.span == row.span && other.label.text == row.label.text;
                    if shared {
                        elsewhere |= own.iter().any(is_same);
                    } else {
                        own.retain(|other| !is_same(other));
                    }
                }
                section
                    .clauses
                    .retain_mut(|own| rows_of(own).is_none_or(|rows| !rows.is_empty()));
            }
            !elsewhere
        });
    }
}

/// The sections about an event.
fn sections_of<'i>(items: &'i mut [Item], event: &str) -> impl Iterator<Item = &'i mut Section> {
    items.iter_mut().filter_map(move |item| match item {
        Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
            Some(section)
        }
        _ => None,
    })
}

/// Whether the rows of two clauses add up.
fn is_alike(one: &Clause, other: &Clause) -> bool {
    match (one, other) {
        (Clause::Impossible(_), Clause::Impossible(_))
        | (Clause::Begin(_), Clause::Begin(_))
        | (Clause::Follows(_), Clause::Follows(_)) => true,
        (Clause::Report(one), Clause::Report(other)) => one.refused == other.refused,
        _ => false,
    }
}

/// Whether a part of a tree uses one of these names.
fn mentions(part: &mut dyn Names, names: &BTreeSet<String>) -> bool {
    let mut found = false;
    part.names(&mut |name, how| found |= how != Use::Bound && names.contains(&name.text));
    found
}
