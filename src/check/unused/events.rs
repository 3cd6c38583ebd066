//! Warnings about events that never happen, plays that never end and policies that nothing uses.

use std::collections::BTreeSet;

use super::super::transcripts::RANDOM;
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Choice, Decider, EventId, ExprKind, Play, Policy, PolicyId, Program, StateId, Step, Tense,
    },
    types::{Constant, Type},
};

/// Reports events that nothing produces, plays that nothing ends, and the like.
pub(super) fn check(program: &Program) -> Vec<Diagnostic> {
    let mut plays = Vec::new();
    for transcript in &program.transcripts {
        collect_plays(&transcript.steps, &mut plays);
    }
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut without_end = plays.iter().filter(|play| never_ends(program, play));
    if let Some(play) = without_end.next() {
        // One message: what ends one of them may end all.
        let diagnostic = without_end.fold(endless(play), |diagnostic, play| {
            diagnostic.label(play.span.head(), "nor this one")
        });
        diagnostics.push(diagnostic);
    }
    let mut produced: BTreeSet<EventId> = BTreeSet::new();
    for play in &plays {
        produced.extend(events_of_play(program, play));
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
    diagnostics.extend(unused_policies(program, &plays));
    diagnostics.extend(unreachable_guards(program));
    diagnostics
}

/// Adds all `play` steps, including repeated ones.
pub(in crate::check) fn collect_plays<'p>(steps: &'p [Step], plays: &mut Vec<&'p Play>) {
    for step in steps {
        match step {
            Step::Play(play) => plays.push(play),
            Step::Times { steps, .. } | Step::Until { steps, .. } => collect_plays(steps, plays),
            Step::Pattern(_) | Step::Start(_) => {}
        }
    }
}

/// The events that a `play` reads or chooses.
fn events_of_play(program: &Program, play: &Play) -> BTreeSet<EventId> {
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

/// Warns of guards that require a value that a state never has: `event take when phase is Last`.
fn unreachable_guards(program: &Program) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for event in &program.events {
        let Some(guard) = &event.guard else { continue };
        let mut open = vec![&guard.condition];
        while let Some(condition) = open.pop() {
            let (one, other) = match &condition.kind {
                ExprKind::And(left, right) => {
                    open.extend([&**right, left]);
                    continue;
                }
                ExprKind::Is(one, other) => (one, other),
                _ => continue,
            };
            let (ExprKind::State(state, Tense::Now), ExprKind::Constant(Constant::Scalar(value))) =
                (&one.kind, &other.kind)
            else {
                continue;
            };
            let Type::Member(part) = program.states[state.index()].ty.required() else {
                continue;
            };
            // A state may begin with the value of an option.
            let mut options = program.options.iter();
            let of_kind =
                |ty: &Type| matches!(ty.required(), Type::Member(one) if one.kind == part.kind);
            if options.any(|option| of_kind(&option.ty)) {
                continue;
            }
            if values_of_state(program, *state).is_none_or(|all| all.contains(value)) {
                continue;
            }
            let member = usize::try_from(*value).ok();
            let Some(member) = member.and_then(|at| program.types.kind(part.kind).members.get(at))
            else {
                continue;
            };
            let (state, event, member) = (&program.states[state.index()].name, &event.name, member);
            let message = format!(
                "`{event}` never comes: nothing makes `{state}` {member}, and it does not begin so"
            );
            diagnostics.push(
                Diagnostic::warning(Code::ConstantCondition, condition.span, message).help(
                    format!("write `new {state} = {member}` in the event after which it comes"),
                ),
            );
        }
    }
    diagnostics
}

/// The values of a state, if all of them are constants.
fn values_of_state(program: &Program, state: StateId) -> Option<BTreeSet<i64>> {
    let it = program.states.get(state.index())?;
    let equations = program.events.iter().flat_map(|event| &event.equations);
    let equations = equations.filter(|equation| equation.state == state);
    let mut open = vec![&it.initial];
    open.extend(&it.again);
    open.extend(equations.map(|equation| &equation.definition));
    let mut visited = BTreeSet::new();
    let mut all = BTreeSet::new();
    while let Some(definition) = open.pop() {
        let mut values = definition.values();
        while let Some(value) = values.pop() {
            match &value.kind {
                ExprKind::Constant(Constant::Scalar(value)) => {
                    all.insert(*value);
                }
                ExprKind::Constant(Constant::None) => {}
                ExprKind::State(other, _) if *other == state => {}
                ExprKind::Else(one, other) => values.extend([&**one, other]),
                ExprKind::The(inner) | ExprKind::Converted(inner) | ExprKind::Checked(inner) => {
                    values.push(inner);
                }
                ExprKind::Fact { fact, .. } => {
                    if visited.insert(*fact) {
                        open.push(&program.facts.get(fact.index())?.definition);
                    }
                }
                _ => return None,
            }
        }
    }
    Some(all)
}

fn never_ends(program: &Program, play: &Play) -> bool {
    if play.until.is_some() || play.stop.is_some() {
        return false;
    }
    let mut reached = events_of_play(program, play);
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

fn unused_policies(program: &Program, plays: &[&Play]) -> Vec<Diagnostic> {
    // `referee play --seat Ann=greedy` lets a policy choose what a seat decides.
    let is_for_seats = |policy: &Policy| {
        let by_seat = |row: &Choice| {
            let event = program.events.get(row.event.index());
            event.is_some_and(|event| matches!(event.by, Decider::Seat(_)))
        };
        program.seats.is_some() && policy.rows.iter().any(by_seat)
    };
    program
        .policies
        .iter()
        .enumerate()
        .filter(|(index, policy)| {
            !is_for_seats(policy)
                && !plays
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
