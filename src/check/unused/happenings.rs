//! Events that never happen, plays that never end, policies that never choose.

use std::collections::BTreeSet;

use super::super::transcripts::RANDOM;
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{EventId, Play, PolicyId, Program, Step},
};

/// Reports what nothing brings about, and what nothing brings to an end.
pub(super) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut plays = Vec::new();
    for transcript in &program.transcripts {
        collect(&transcript.steps, &mut plays);
    }
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut without_end = plays.iter().filter(|play| never_ends(program, play));
    if let Some(play) = without_end.next() {
        // What ends one of them ends them all.
        let diagnostic = without_end.fold(endless(play), |diagnostic, play| {
            diagnostic.label(play.span.head(), "nor this one")
        });
        diagnostics.push(diagnostic);
    }
    let mut produced: BTreeSet<EventId> = BTreeSet::new();
    for play in &plays {
        produced.extend(directly(program, play));
    }
    for policy in &program.policies {
        produced.extend(policy.rows.iter().map(|row| row.event));
    }
    for event in &program.events {
        produced.extend(event.follows.iter().map(|row| row.event));
    }
    for (index, event) in program.events.iter().enumerate().skip(1) {
        if !produced.contains(&EventId::new(index)) {
            diagnostics.push(
                Diagnostic::error(
                    Code::NeverHappens,
                    event.span,
                    format!("nothing ever makes the event `{}` happen", event.name),
                )
                .help(format!(
                    "say how a transcript writes it, in a `play`: `| {}: \"…\"`; or name it in a policy or in `follows`",
                    event.name
                )),
            );
        }
    }
    diagnostics.extend(idle(program, &plays));
    diagnostics
}

/// All `play` steps, also those that are repeated.
pub(in crate::check) fn collect<'p>(steps: &'p [Step], plays: &mut Vec<&'p Play>) {
    for step in steps {
        match step {
            Step::Play(play) => plays.push(play),
            Step::Times { steps, .. } | Step::Until { steps, .. } => collect(steps, plays),
            Step::Pattern(_) | Step::Start(_) => {}
        }
    }
}

/// The events that a `play` reads or chooses.
fn directly(program: &Program, play: &Play) -> BTreeSet<EventId> {
    match play.by {
        None => play.rows.iter().map(|row| row.event).collect(),
        Some(RANDOM) => (1..program.events.len()).map(EventId::new).collect(),
        Some(PolicyId(id)) => program
            .policies
            .get(id as usize)
            .into_iter()
            .flat_map(|policy| &policy.rows)
            .map(|row| row.event)
            .collect(),
    }
}

fn never_ends(program: &Program, play: &Play) -> bool {
    if play.until.is_some() || play.stop.is_some() {
        return false;
    }
    let mut reached = directly(program, play);
    let mut open: Vec<EventId> = reached.iter().copied().collect();
    while let Some(event) = open.pop() {
        let Some(event) = program.events.get(event.index()) else {
            continue;
        };
        if event.over.is_some() {
            return false;
        }
        for row in &event.follows {
            if reached.insert(row.event) {
                open.push(row.event);
            }
        }
    }
    true
}

fn endless(play: &Play) -> Diagnostic {
    Diagnostic::error(
        Code::EndlessPlay,
        play.span.head(),
        "nothing ends this `play`: none of its events says when the game is `over`",
    )
    .help("write `fact over = …` in a section of one of them; or end it by a condition, `play until …`, or by words, `play until over, or \"…\"`")
}

fn idle(program: &Program, plays: &[&Play]) -> Vec<Diagnostic> {
    program
        .policies
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            !plays
                .iter()
                .any(|play| play.by == Some(PolicyId::new(*index)))
        })
        .map(|(_, policy)| {
            Diagnostic::warning(
                Code::Unused,
                policy.span,
                format!("no `play` asks the policy `{}`", policy.name),
            )
            .help(format!(
                "write `play by {} until …`, or leave it out",
                policy.name
            ))
        })
        .collect()
}
