//! Warnings about rules without effect: what nobody reads, what never happens, what never ends.

mod events;
mod lines;
mod live;
mod starts;

pub(super) use events::collect_plays;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    forms::Forms,
    reads::{self, Reads},
    rounds::parts,
};
use crate::{
    diagnostic::{Code, Diagnostic, enumerated},
    program::{Body, Event, EventId, Expr, ExprKind, FactId, Program, Reading, Row},
    resolve::{Entity, Resolved},
    source::{Sources, Span},
    types::Type,
};

/// Warns of rules without effect in a game without errors.
pub(super) fn check(
    program: &Program,
    resolved: &Resolved<'_>,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut diagnostics = live::check(program, &resolved.bounds);
    diagnostics.extend(events::check(program));
    let forms = Forms::new(program);
    for transcript in &program.transcripts {
        diagnostics.extend(starts::check(program, &forms, transcript));
        diagnostics.extend(lines::check(program, &forms, transcript, sources));
    }
    diagnostics.extend(types_without_values(program, &forms, sources));
    diagnostics.extend(forms.check());
    diagnostics.extend(rounds(program));
    diagnostics.extend(rows_of_refusal(program));
    diagnostics.extend(rows_that_never_fire(program, sources));
    diagnostics.extend(silent_refusals(program));
    diagnostics.extend(ambiguous_refusals(program));
    diagnostics.extend(unused_names(resolved));
    diagnostics
}

/// Warns of `type Pair(low: 1..3, high: 1..3) where high > 3`, which has no value.
fn types_without_values(
    program: &Program,
    forms: &Forms<'_>,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, condition, _) in &program.conditions {
        let ty = Type::Product(*id);
        if forms.is_sized_by_given(&ty) || !forms.values(&ty).is_some_and(|all| all.is_empty()) {
            continue;
        }
        let (name, text) = (
            &program.types.product(*id).name,
            sources.text(condition.span),
        );
        let message = format!("`{name}` has no value: `{text}` never holds");
        found.push(
            Diagnostic::warning(Code::ConstantCondition, condition.span, message)
                .help("write a condition that some of its values fulfil"),
        );
    }
    found
}

/// Warns of rounds without states, and of rounds that never begin.
fn rounds(program: &Program) -> Vec<Diagnostic> {
    let count = program.rounds.len();
    let (mut has_states, mut begins) = (vec![false; count], vec![false; count]);
    // A state of a round belongs to the rounds around it, too.
    for round in program.states.iter().filter_map(|state| state.round) {
        let mut next = Some(round);
        while let Some(round) = next.filter(|round| !has_states[*round]) {
            has_states[round] = true;
            next = program.rounds[round].within;
        }
    }
    // A round that begins also begins those within it.
    let mut inner = vec![Vec::new(); count];
    for (index, round) in program.rounds.iter().enumerate() {
        if let Some(outer) = round.within {
            inner[outer].push(index);
        }
    }
    let begun = program.events.iter().flat_map(|event| &event.begin);
    let mut open: Vec<usize> = begun.map(|(round, _)| *round).collect();
    while let Some(round) = open.pop() {
        if !std::mem::replace(&mut begins[round], true) {
            open.extend(&inner[round]);
        }
    }
    let mut diagnostics = Vec::new();
    for (index, round) in program.rounds.iter().enumerate() {
        let name = &round.name;
        let (has_states, begins) = (has_states[index], begins[index]);
        let (code, message, help) = if !has_states {
            (
                Code::Unused,
                format!("no state belongs to the round `{name}`"),
                format!(
                    "write `per {name}` after the type of what begins again with it, or leave it out"
                ),
            )
        } else if !begins {
            (
                Code::NeverChanges,
                format!("no event begins the round `{name}`"),
                format!("say in a section when one does: `begin | next: {name} when …`"),
            )
        } else {
            continue;
        };
        diagnostics.push(Diagnostic::warning(code, round.span, message).help(help));
    }
    diagnostics
}

/// Warns of rows of `report` with a condition that refuses the event: then only `report refused` is said.
fn rows_of_refusal(program: &Program) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for event in &program.events {
        for row in &event.report.rows {
            let mut open: Vec<&Expr> = row.conditions.iter().collect();
            while let Some(condition) = open.pop() {
                match &condition.kind {
                    ExprKind::And(left, right) => open.extend([&**left, right]),
                    ExprKind::Fact { fact, .. } if event.refuse.contains(fact) => {
                        let name = &program.facts[fact.index()].name;
                        let message = format!(
                            "the row `{}` is never said: `{name}` refuses the event, and then only the rows of `report refused` are",
                            row.label
                        );
                        diagnostics.push(
                            Diagnostic::warning(Code::Unused, condition.span, message)
                                .help("write the row under `report refused`"),
                        );
                    }
                    _ => {}
                }
            }
        }
    }
    diagnostics
}

/// A row that waits for `over` or `restart`, where it says so, and whether its event does not define that.
type Waiting<'p> = (&'p Row, &'p Event, Span, bool);

/// Warns of rows that wait for `over` or `restart` in a section of an event that does not define it.
fn rows_that_never_fire(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    // A section, and a table, can belong to several events, perhaps as copies; what one defines is for that one.
    let mut never: BTreeMap<[&str; 3], Vec<Waiting<'_>>> = BTreeMap::new();
    for event in program.events.iter().skip(1) {
        let tables = event.equations.iter().filter_map(|equation| {
            let Body::Table(table) = &equation.definition.body else {
                return None;
            };
            Some(&table.rows)
        });
        let clauses = [&event.report.rows, &event.refused.rows];
        let rows = tables.chain(clauses).flatten();
        for row in rows.chain(event.begin.iter().map(|(_, row)| row)) {
            for part in row.conditions.iter().flat_map(parts) {
                let word = sources.text(part.span);
                if matches!(word, "over" | "restart") {
                    let is_no = matches!(part.kind, ExprKind::Constant(_));
                    let rows = never
                        .entry([&row.label, sources.text(row.value.span), word])
                        .or_default();
                    rows.push((row, event, part.span, is_no));
                }
            }
        }
    }
    let warnings = never.into_iter().filter_map(|([.., word], rows)| {
        let [(row, event, span, true)] = rows.as_slice() else {
            return None;
        };
        let (name, label) = (&event.name, &row.label);
        let message = format!(
            "`{label}` never fires: `{word}` is always no, since `{name}` does not define it"
        );
        let help =
            format!("write `fact {word} = …` in the section of `{name}`, or leave out the row");
        Some(Diagnostic::warning(Code::ConstantCondition, *span, message).help(help))
    });
    warnings.collect()
}

/// Warns of events that are refused without a word.
fn silent_refusals(program: &Program) -> Vec<Diagnostic> {
    let mut plays = Vec::new();
    for transcript in &program.transcripts {
        collect_plays(&transcript.steps, &mut plays);
    }
    let rows = plays.iter().flat_map(|play| &play.rows);
    let read: BTreeSet<EventId> = rows.map(|row| row.event).collect();
    let mut diagnostics = Vec::new();
    for (index, event) in program.events.iter().enumerate() {
        let Some(fact) = event.refuse.first() else {
            continue;
        };
        if !event.refused.rows.is_empty() || !read.contains(&EventId::new(index)) {
            continue;
        }
        let fact = &program.facts[fact.index()];
        let name = &fact.name;
        let message = format!("nobody hears why `{name}` refuses `{}`", event.name);
        let help = if fact.definition.ty.is_optional() && fact.definition.ty.required().is_text() {
            format!("say it: `report refused | {name}: \"{{{name}}}\"`")
        } else {
            format!("say it: `report refused | {name}: \"…\"`")
        };
        diagnostics.push(Diagnostic::warning(Code::SilentRefusal, fact.span, message).help(help));
    }
    diagnostics
}

/// Whether an expression needs the text of a fact that may be none.
fn demands(expression: &Expr, wanted: FactId) -> bool {
    let mut demands = false;
    expression.walk(&mut |part| {
        if let ExprKind::The(inner) = &part.kind {
            demands |= matches!(inner.kind, ExprKind::Fact { fact, .. } if fact == wanted);
        }
    });
    demands
}

/// The warning about `report refused | wrong: "no: {wrong}"` where another fact refuses the event, too, and `wrong` may
/// be none then.
fn needs_one_refusal(program: &Program, event: &Event, row: &Row) -> Option<Diagnostic> {
    let mut refusals = event.refuse.iter();
    let demanded = *refusals.find(|fact| demands(&row.value, **fact))?;
    let other = event.refuse.iter().find(|fact| **fact != demanded)?;
    let (demanded, other) = (
        &program.facts[demanded.index()].name,
        &program.facts[other.index()],
    );
    let (name, label, also) = (&event.name, &row.label, &other.name);
    let message = format!(
        "this row needs the text of `{demanded}`, which may be none when `{also}` refuses `{name}`: the run would stop"
    );
    let help = if other.span.source == row.span.source {
        format!("say it `when {demanded} is not none`, and write a row for `{also}`")
    } else {
        format!(
            "write `except {name}.report.{label} when {demanded} is none`, and a row of `report refused` for `{also}`"
        )
    };
    Some(
        Diagnostic::warning(Code::WhichRefusal, row.span, message)
            .label(other.span, "this refuses it, too")
            .help(help),
    )
}

/// Warns of rows of `report refused` that are said whichever of several facts refuses the event, but seem to be about
/// one of them: the row needs its text, has its name, or there is more than one such row.
fn ambiguous_refusals(program: &Program) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for event in program.events.iter().filter(|event| event.refuse.len() > 1) {
        let always = event.refused.rows.iter();
        let always = always.filter(|row| row.conditions.is_empty());
        diagnostics.extend(always.filter_map(|row| needs_one_refusal(program, event, row)));
        let name = |fact: &FactId| program.facts[fact.index()].name.as_str();
        let names: Vec<&str> = event.refuse.iter().map(name).collect();
        let is_general = |row: &&Row| {
            let rows = std::slice::from_ref(*row);
            let reads = Reads::of(reads::of_rows(rows, true)).list;
            let reads_refusal = |read: &reads::Read| matches!(read.what, Reading::Fact(fact, _) if event.refuse.contains(&fact));
            row.conditions.is_empty() && !reads.iter().any(reads_refusal)
        };
        let general: Vec<&Row> = event.refused.rows.iter().filter(is_general).collect();
        let is_alone = general.len() == 1;
        for row in general {
            let own = names.contains(&row.label.as_str());
            if is_alone && !own {
                continue;
            }
            let message = format!(
                "`{}` is said whichever of {} refuses `{}`",
                row.label,
                enumerated(&names),
                event.name
            );
            let facts = event.refuse.iter().map(|fact| &program.facts[fact.index()]);
            let mut meant = facts.filter(|fact| !own || fact.name == row.label);
            let condition = meant.next().map_or(String::new(), |fact| {
                let optional = fact.definition.ty.is_optional();
                let is_not = if optional { " is not none" } else { "" };
                format!("{}{is_not}", fact.name)
            });
            let help = format!("say which one it is about, as in `when {condition}`");
            diagnostics.push(Diagnostic::warning(Code::WhichRefusal, row.span, message).help(help));
        }
    }
    diagnostics
}

/// Warns of options and types that nothing uses.
fn unused_names(resolved: &Resolved<'_>) -> Vec<Diagnostic> {
    resolved
        .names
        .iter()
        .filter(|(name, (entity, span))| {
            let declared = entity.is_type() || matches!(entity, Entity::Option(_));
            declared && *span != Span::default() && !resolved.used.contains(*name)
        })
        .map(|(name, (entity, span))| {
            let diagnostic = Diagnostic::warning(
                Code::Unused,
                *span,
                format!("nothing uses the {} `{name}`", entity.noun()),
            );
            diagnostic.help("leave it out")
        })
        .collect()
}
