//! What nobody reads, what never happens, and what never ends.

mod happenings;
mod lines;
mod live;
mod starts;

pub(super) use happenings::collect;

use super::forms::Forms;
use crate::{
    diagnostic::{Code, Diagnostic},
    program::Program,
    resolve::{Entity, Resolved},
    source::{Sources, Span},
};

/// Reports what is of no use in a game that is otherwise in order.
pub(super) fn check(
    program: &Program,
    resolved: &Resolved<'_>,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut diagnostics = live::check(program, &resolved.bounds);
    diagnostics.extend(happenings::check(program));
    let forms = Forms::new(program);
    for transcript in &program.transcripts {
        diagnostics.extend(starts::check(program, &forms, transcript));
        diagnostics.extend(lines::check(program, &forms, transcript, sources));
    }
    diagnostics.extend(forms.check());
    diagnostics.extend(rounds(program));
    diagnostics.extend(names(resolved));
    diagnostics
}

/// Rounds with which nothing begins, and those that never do.
fn rounds(program: &Program) -> Vec<Diagnostic> {
    let within = |round: usize, outer: usize| {
        let mut rounds = std::iter::successors(Some(round), |round| program.rounds[*round].within);
        rounds.any(|round| round == outer)
    };
    let mut diagnostics = Vec::new();
    for (index, round) in program.rounds.iter().enumerate() {
        let name = &round.name;
        let mut states = program.states.iter().filter_map(|state| state.round);
        let holds = states.any(|of_state| within(of_state, index));
        let mut events = program.events.iter();
        let begins = events.any(|event| event.begin.iter().any(|(other, _)| within(index, *other)));
        let (code, message, help) = if !holds {
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

/// Options and types that nothing speaks of.
fn names(resolved: &Resolved<'_>) -> Vec<Diagnostic> {
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
