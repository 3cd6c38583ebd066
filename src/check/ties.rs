//! Ties in `best … by`: whether its keys distinguish all members.

use std::collections::BTreeMap;

use super::{forms::Forms, reads};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind, LocalId, Program, SortKey},
    source::Span,
    types::{Constant, Type},
};

/// Warns if the order of a type, and no key, decides between two members.
pub(super) fn check(program: &Program) -> Vec<Diagnostic> {
    let forms = Forms::new(program);
    let mut diagnostics = Vec::new();
    let mut search = |name: &str, expressions: Vec<&Expr>| {
        let mut best = |expression: &Expr| {
            if let ExprKind::Best {
                sorted: false,
                local,
                collection,
                keys,
                ..
            } = &expression.kind
                && let Some(element) = collection.ty.element()
            {
                let tie = Best {
                    name,
                    local: *local,
                    element,
                    keys,
                    span: expression.span,
                };
                diagnostics.extend(tie.check(program, &forms));
            }
        };
        for expression in expressions {
            expression.walk(&mut best);
        }
    };
    for fact in &program.facts {
        search(&fact.name, reads::of_definition(&fact.definition, false));
    }
    for event in &program.events {
        for equation in &event.equations {
            let name = &program.states[equation.state.index()].name;
            search(name, reads::of_definition(&equation.definition, false));
        }
        search(&event.name, reads::of_choices(&event.follows));
    }
    for policy in &program.policies {
        search(&policy.name, reads::of_choices(&policy.rows));
    }
    diagnostics
}

/// A `best` in something called `name`.
struct Best<'p> {
    name: &'p str,
    local: LocalId,
    element: &'p Type,
    keys: &'p [SortKey],
    span: Span,
}

impl Best<'_> {
    fn check(&self, program: &Program, forms: &Forms<'_>) -> Option<Diagnostic> {
        if forms.is_sized_by_given(self.element) {
            return None;
        }
        let mut seen: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
        for value in forms.values(self.element)? {
            let locals = [(self.local, Constant::Scalar(value))];
            let mut keys = Vec::new();
            for key in self.keys {
                match forms.known(&key.value, &locals)? {
                    Constant::Scalar(key) => keys.push(key),
                    Constant::Text(_) | Constant::None => return None,
                }
            }
            if let Some(first) = seen.insert(keys, value) {
                let name = |value: i64| {
                    forms
                        .written(&Constant::Scalar(value), self.element, 0)
                        .unwrap_or_else(|| program.types.value_name(self.element, value))
                };
                let element = program.types.display(self.element);
                let diagnostic = Diagnostic::warning(
                    Code::TiedKeys,
                    self.span,
                    format!(
                        "the keys of `{}` do not tell {} from {} apart; the order of {element} decides",
                        self.name,
                        name(first),
                        name(value)
                    ),
                );
                return Some(diagnostic.help("add a key that does: `, highest …` or `, lowest …`"));
            }
        }
        None
    }
}
