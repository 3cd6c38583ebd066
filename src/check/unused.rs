//! What nobody reads, what never happens, and what never ends.

mod happenings;
mod lines;
mod live;
mod starts;

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
    diagnostics.extend(names(resolved));
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
