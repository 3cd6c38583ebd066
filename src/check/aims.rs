//! The targets of holes that are read.

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{EventId, Expr, Target, Via},
    resolve::Entity,
    source::Span,
    syntax::ast::{self},
    types::Type,
};

/// The target of a hole: where the value goes, its type, and its written form.
pub(super) struct Aim {
    pub(super) target: Target,
    pub(super) ty: Type,
    pub(super) via: Via,
    pub(super) name: String,
}

impl Checker<'_> {
    /// Whether the target can be none or an empty collection.
    pub(super) fn takes_none(aim: &Aim) -> bool {
        aim.ty.is_optional() || (aim.via == Via::Joined && aim.ty.element().is_some())
    }

    pub(super) fn is_readable(&self, ty: &Type, via: Via, many: bool) -> bool {
        match (via, ty) {
            (Via::Attribute(..), _)
            | (
                Via::Form,
                Type::Number
                | Type::Decimal(_)
                | Type::Word
                | Type::YesNo
                | Type::Range(_)
                | Type::Member(_),
            ) => true,
            (Via::Joined, ty) => ty
                .element()
                .is_some_and(|element| self.resolved.types.capacity(element).is_some()),
            (Via::Form, Type::Text) => many,
            (Via::Form, Type::Product(id)) => !self.resolved.types.product(*id).record,
            (Via::Form, _) => false,
        }
    }

    /// The target of a hole.
    pub(super) fn aim(
        &mut self,
        scope: &mut Scope,
        written: &ast::Expr,
        event: Option<EventId>,
        span: Span,
    ) -> Option<Aim> {
        match &written.kind {
            ast::ExprKind::Name(name) => self.aim_at_name(scope, name, event),
            ast::ExprKind::Apply {
                function,
                arguments,
                ..
            } => {
                if let Some((Entity::Given(id), _)) = self.resolved.names.get(&function.text) {
                    let id = *id;
                    return self.aim_at_entry(scope, id, function, arguments, span);
                }
                if function.text != "joined" && !self.is_attribute_or_part(&function.text) {
                    self.unknown_function(scope, function);
                    return None;
                }
                let [argument] = arguments.as_slice() else {
                    self.no_aim(span);
                    return None;
                };
                let inner = self.aim(scope, argument, event, span)?;
                if function.text == "joined" {
                    if inner.ty.required().element().is_none() {
                        let message = format!(
                            "`{}` is {}, not a collection",
                            inner.name,
                            self.described(&inner.ty)
                        );
                        self.report(Diagnostic::error(Code::HoleForm, span, message));
                        return None;
                    }
                    return Some(Aim {
                        via: Via::Joined,
                        ..inner
                    });
                }
                self.aim_by_attribute(function, inner)
            }
            _ => {
                self.no_aim(span);
                None
            }
        }
    }

    pub(super) fn no_aim(&mut self, span: Span) {
        self.report(
            Diagnostic::error(
                Code::HoleForm,
                span,
                "a hole that is read names one field, given or number",
            )
            .help("write `{x}`, `{name of A}`, `{letter of x}`, `{joined of x}`, each perhaps with `else '…'`"),
        );
    }

    pub(super) fn aim_at_name(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        event: Option<EventId>,
    ) -> Option<Aim> {
        if let Some(event) = event {
            let fields = &self.resolved.events[event.index()].fields;
            if let Some(index) = fields.iter().position(|(field, _)| *field == name.text) {
                return Some(Aim {
                    target: Target::Field(index),
                    ty: fields[index].1.clone(),
                    via: Via::Form,
                    name: name.text.clone(),
                });
            }
        }
        if let Some((Entity::Given(id), _)) = self.resolved.names.get(&name.text) {
            let given = &self.resolved.givens[id.index()];
            if given.key.is_some() {
                let text = &name.text;
                self.report(
                    Diagnostic::error(
                        Code::HoleForm,
                        name.span,
                        format!("`{text}` has several entries: which one is read here?"),
                    )
                    .help(format!("write `{{{text} of …}}`")),
                );
                return None;
            }
            Some(Aim {
                target: Target::Given(*id, None),
                ty: given.ty.clone(),
                via: Via::Form,
                name: name.text.clone(),
            })
        } else {
            if let Some(event) = event {
                self.unknown_field(name, event);
                return None;
            }
            self.shadows(scope, name);
            let local = scope.parameter(&name.text, Type::Number);
            Some(Aim {
                target: Target::Number(local),
                ty: Type::Number,
                via: Via::Form,
                name: name.text.clone(),
            })
        }
    }

    pub(super) fn unknown_field(&mut self, name: &ast::Name, event: EventId) {
        let entry = &self.resolved.events[event.index()];
        let near: Vec<String> = entry
            .fields
            .iter()
            .map(|(field, _)| field.clone())
            .collect();
        let mut diagnostic = Diagnostic::error(
            Code::UnknownName,
            name.span,
            format!(
                "the event `{}` has no field called `{}`",
                entry.name, name.text
            ),
        )
        .did_you_mean(&name.text, near.iter().map(String::as_str));
        if !near.is_empty() {
            diagnostic = diagnostic.note(format!(
                "its fields are {}",
                crate::diagnostic::alternatives(&near).replace(" or ", " and ")
            ));
        }
        self.report(diagnostic);
    }

    pub(super) fn aim_at_entry(
        &mut self,
        scope: &mut Scope,
        id: crate::types::GivenId,
        function: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Aim> {
        let given = &self.resolved.givens[id.index()];
        let (entry, parameters) = (given.entry.clone(), given.parameters.clone());
        if parameters.len() != arguments.len() || parameters.is_empty() {
            self.no_aim(span);
            return None;
        }
        let parts: Vec<Expr> = parameters
            .iter()
            .zip(arguments)
            .map(|(ty, argument)| self.value(scope, argument, ty))
            .collect();
        let key = match (self.resolved.givens[id.index()].key.clone(), parts) {
            (Some(Type::Product(product)), parts) if parts.len() > 1 => Expr::new(
                crate::program::ExprKind::Make { product, parts },
                Type::Product(product),
                span,
            ),
            (_, mut parts) => parts.remove(0),
        };
        Some(Aim {
            target: Target::Given(id, Some(key)),
            ty: entry,
            via: Via::Form,
            name: function.text.clone(),
        })
    }

    /// Reports `row of s` in a pattern, where `s` is of no kind.
    fn no_attribute_to_read(&mut self, attribute: &ast::Name, inner: &Aim) {
        let (name, part) = (&inner.name, &attribute.text);
        let parts = match inner.ty.required() {
            Type::Product(id) => &*self.resolved.types.product(*id).fields,
            _ => &[],
        };
        let has_part = parts.iter().any(|field| field.name == *part);
        let (message, help) = if has_part {
            let ty = self.display(inner.ty.required());
            let parts = parts.iter().map(|part| format!("{{{} of it}}", part.name));
            let parts: Vec<String> = parts.collect();
            (
                format!("the parts of `{name}` are read together, not `{part}` by itself"),
                format!(
                    "write `{{{name}}}`, and declare how it is written: `write {ty} as \"{}\"`",
                    parts.join(" ")
                ),
            )
        } else {
            (
                format!(
                    "`{name}` is {}, which has no `{part}`",
                    self.described(&inner.ty)
                ),
                "a value is read in its written form, or by an attribute of its kind".to_string(),
            )
        };
        self.report(Diagnostic::error(Code::HoleForm, attribute.span, message).help(help));
    }

    /// The target of `letter of x`, which reads `x` by an attribute of its kind.
    pub(super) fn aim_by_attribute(&mut self, attribute: &ast::Name, inner: Aim) -> Option<Aim> {
        let Type::Member(part) = *inner.ty.required() else {
            self.no_attribute_to_read(attribute, &inner);
            return None;
        };
        let kind = self.resolved.types.kind(part.kind);
        let found = kind
            .attributes
            .iter()
            .position(|other| other.name == attribute.text);
        let Some(index) = found else {
            let near: Vec<String> = kind
                .attributes
                .iter()
                .map(|attribute| attribute.name.clone())
                .collect();
            let message = format!(
                "`{}` has no attribute called `{}`",
                kind.name, attribute.text
            );
            self.report(
                Diagnostic::error(Code::NoAttribute, attribute.span, message)
                    .did_you_mean(&attribute.text, near.iter().map(String::as_str)),
            );
            return None;
        };
        Some(Aim {
            via: Via::Attribute(part.kind, index),
            ..inner
        })
    }
}
