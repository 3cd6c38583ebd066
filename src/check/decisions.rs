//! What decides about an event: guards, `over` and `restart`, what is refused or illegal.

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{FactId, Guard, TemplatePart},
    syntax::ast::{self},
    types::Type,
};

impl Checker<'_> {
    /// `over` and `restart` are yes or no.
    pub(super) fn reserved_fact(&mut self, fact: FactId) {
        let ty = self.fact_type(fact);
        let item = self.resolved.facts[fact.index()].item;
        if ty != Type::YesNo && ty != Type::Wrong {
            let message = format!(
                "`{}` decides whether the game ends, so it is yes or no, not {}",
                item.name.text,
                self.described(&ty)
            );
            self.report(Diagnostic::error(Code::WrongType, item.name.span, message));
        }
        if !item.parameters.is_empty() {
            self.report(Diagnostic::error(
                Code::ArgumentCount,
                item.name.span,
                format!("`{}` takes no parameters", item.name.text),
            ));
        }
    }

    /// `illegal` and `refuse` facts are yes/no, or something that may be none.
    pub(super) fn decision_fact(&mut self, fact: FactId) {
        let ty = self.fact_type(fact);
        let item = self.resolved.facts[fact.index()].item;
        if !matches!(ty, Type::YesNo | Type::Optional(_) | Type::Wrong) {
            let message = format!(
                "`{}` is {}, so it is always the case",
                item.name.text,
                self.described(&ty)
            );
            self.report(
                Diagnostic::error(Code::WrongType, item.name.span, message)
                    .help("make it yes/no, or something that may be none"),
            );
        }
    }

    pub(super) fn guard(&mut self, guard: &ast::Guard) -> Guard {
        let mut scope = Scope::new(Place::Guard);
        let condition = self.condition(&mut scope, &guard.condition);
        let text = self.text(guard.condition.span);
        let mut says = self.says(&mut scope, guard.says.as_ref());
        let place = self.sources.cited(guard.condition.span);
        if let (Some(says), Some(place)) = (&mut says, place) {
            says.parts
                .push(TemplatePart::Literal(format!(" ({place})")));
        }
        Guard {
            condition: if guard.negated {
                super::operators::not(condition)
            } else {
                condition
            },
            written: format!("{} {text}", if guard.negated { "unless" } else { "when" }),
            says,
            locals: scope.locals(),
        }
    }
}
