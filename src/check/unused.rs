//! What nobody reads, and what nothing produces.

use crate::{diagnostic::Diagnostic, program::Program, source::Sources};

/// Reports definitions, states and givens that nobody reads, and events that nothing produces.
pub(super) fn check(_program: &Program, _sources: &Sources) -> Vec<Diagnostic> {
    Vec::new()
}
