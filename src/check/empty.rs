//! Types whose condition holds for no value.

use super::forms::Forms;
use crate::{
    diagnostic::{Code, Diagnostic},
    program::Program,
    source::Sources,
    types::Type,
};

/// Warns of `type Pair(low: 1..3, high: 1..3) where high > 3`, which has no value.
pub(super) fn check(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    let forms = Forms::new(program);
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
