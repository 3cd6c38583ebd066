//! Checks rows that choose events, in policies and `follows`.

use super::{Checker, Place, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Choice, EventId, Expr, Policy},
    source::Span,
    syntax::ast::{self},
    types::{Constant, Type},
};

impl<'t> Checker<'t> {
    pub(super) fn policies(&mut self) -> Vec<Policy> {
        let items: Vec<&'t ast::Policy> = self
            .resolved
            .policies
            .iter()
            .map(|policy| policy.item)
            .collect();
        items
            .into_iter()
            .map(|item| {
                let mut scope = Scope::new(Place::Policy);
                let rows = self.choices(&mut scope, &item.rows);
                Policy {
                    name: item.name.text.clone(),
                    rows,
                    locals: scope.locals(),
                    span: item.name.span,
                }
            })
            .collect()
    }

    /// Checks rows that choose events.
    pub(super) fn choices(&mut self, scope: &mut Scope, rows: &'t [ast::Row]) -> Vec<Choice> {
        self.unique_labels(rows);
        let mut choices = Vec::new();
        for row in rows {
            self.only_in_reports(row);
            let before = scope.variables.len();
            let bindings = self.bindings(scope, &row.bindings);
            let conditions = self.conditions_of(scope, &row.conditions);
            if let Some((event, fields)) = self.named_event(scope, &row.value) {
                let says = self.says(scope, row.conditions.says.as_ref());
                choices.push(Choice {
                    label: row.label.text.clone(),
                    event,
                    fields,
                    bindings,
                    conditions,
                    says,
                    span: row.span,
                });
            }
            scope.leave(before);
        }
        choices
    }

    /// Checks an event with its fields: `put(widest, none)`, `skip`. A field that is none skips the row.
    pub(super) fn named_event(
        &mut self,
        scope: &mut Scope,
        written: &ast::Expr,
    ) -> Option<(EventId, Vec<Expr>)> {
        let (name, arguments): (&ast::Name, &[ast::Expr]) = match &written.kind {
            ast::ExprKind::Name(name) => (name, &[]),
            ast::ExprKind::Apply {
                function,
                arguments,
                ..
            } => (function, arguments),
            _ => {
                self.report(
                    Diagnostic::error(
                        Code::UnknownEvent,
                        written.span,
                        "an event is expected here",
                    )
                    .help("write its name with its fields: `put(3, 4)`"),
                );
                return None;
            }
        };
        let event = match self.resolved.event_names.get(&name.text) {
            Some(event) if *event != EventId::START => *event,
            _ => {
                let near = self.candidates(self.resolved.event_names.keys());
                self.report(
                    Diagnostic::error(
                        Code::UnknownEvent,
                        name.span,
                        format!("there is no event called `{}`", name.text),
                    )
                    .did_you_mean(&name.text, near.iter().map(String::as_str)),
                );
                return None;
            }
        };
        let fields = self.resolved.events[event.index()].fields.clone();
        if fields.len() != arguments.len() {
            let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!(
                "`{}` has {}, but {} given here",
                name.text,
                crate::diagnostic::numbered(fields.len(), "field"),
                if arguments.is_empty() {
                    "none is".to_string()
                } else if arguments.len() == 1 {
                    "1 is".to_string()
                } else {
                    format!("{} are", arguments.len())
                }
            );
            self.report(
                Diagnostic::error(Code::ArgumentCount, written.span, message).help(format!(
                    "write `{}({})`",
                    name.text,
                    names.join(", ")
                )),
            );
            return None;
        }
        let values = fields
            .iter()
            .zip(arguments)
            .map(|((_, ty), argument)| {
                // None in a field that is not optional skips the row.
                let value = self.expression(scope, argument, Some(ty));
                self.fitted(value, &ty.clone().optional())
            })
            .collect();
        Some((event, values))
    }

    /// The constant none, for a field without a value.
    pub(super) fn none(span: Span) -> Expr {
        Expr::new(
            crate::program::ExprKind::Constant(Constant::None),
            Type::Nothing.optional(),
            span,
        )
    }
}
