//! Attributes and parts of values.

use super::{Checker, Scope, apply::Lifts};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, ExprKind},
    source::Span,
    syntax::ast,
    types::{KindId, ProductId, Type},
};

/// A path to an attribute or part: the parts to go through, and what is taken at the end.
#[derive(Debug, Clone)]
pub(super) struct AttributePath {
    through: Vec<(ProductId, usize)>,
    last: Target,
}

#[derive(Debug, Clone, Copy)]
enum Target {
    Field(ProductId, usize),
    Attribute(KindId, usize),
}

impl Checker<'_> {
    /// Whether `name`, which has another meaning, is an attribute or part of its one argument: then it means that. If
    /// `name` is a map with `key`, an argument of that type takes an entry instead.
    pub(super) fn is_attribute_too(
        &mut self,
        scope: &Scope,
        name: &str,
        arguments: &[ast::Expr],
        key: Option<&Type>,
    ) -> bool {
        let [argument] = arguments else { return false };
        if !self.is_attribute_or_part(name) {
            return false;
        }
        let place = (argument.span, scope.event);
        if let Some(known) = self.attributes.get(&place) {
            return *known;
        }
        let before = self.diagnostics.len();
        let operand = self.expression(&mut scope.clone(), argument, None);
        // Errors in the argument are reported when it is checked again; those in a fact that it uses are not.
        let mut found = self.diagnostics.split_off(before);
        found.retain(|diagnostic| !argument.span.contains(diagnostic.span));
        self.diagnostics.append(&mut found);
        let is_key = key.is_some_and(|key| crate::types::fits(operand.ty.required(), key));
        let is_attribute = !is_key && !self.paths_to(operand.ty.required(), name).is_empty();
        self.attributes.insert(place, is_attribute);
        is_attribute
    }

    /// Whether any kind has this attribute or any product this part.
    pub(super) fn is_attribute_or_part(&self, name: &str) -> bool {
        let types = &self.resolved.types;
        types.kinds.iter().any(|kind| {
            kind.attributes
                .iter()
                .any(|attribute| attribute.name == name)
        }) || types
            .products
            .iter()
            .any(|product| product.fields.iter().any(|field| field.name == name))
    }

    /// Checks an attribute or part of a value.
    pub(super) fn attribute_or_part(
        &mut self,
        scope: &mut Scope,
        function: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        if !self.is_attribute_or_part(&function.text) {
            self.unknown_function(scope, function);
            return Self::wrong(span);
        }
        if !self.count_arguments(function, 1, arguments.len(), None, span) {
            return Self::wrong(span);
        }
        let expected = self.owner_of(&function.text);
        let operand = self.expression(scope, &arguments[0], expected.as_ref());
        if operand.ty == Type::Wrong {
            return Self::wrong(span);
        }
        let mut lifts = Lifts::default();
        let operand = Self::lifted(scope, operand, false, &mut lifts);
        let paths = self.paths_to(&operand.ty, &function.text);
        let [path] = paths.as_slice() else {
            self.not_reached(function, &operand, paths.len());
            return Self::wrong(span);
        };
        let mut value = operand;
        let mut steps: Vec<Target> = path
            .through
            .iter()
            .map(|(product, field)| Target::Field(*product, *field))
            .collect();
        steps.push(path.last);
        for step in steps {
            value = Self::lifted(scope, value, false, &mut lifts);
            value = self.follow(step, value, span);
        }
        lifts.around(value)
    }

    fn follow(&self, step: Target, operand: Expr, span: Span) -> Expr {
        let operand = Box::new(operand);
        match step {
            Target::Field(product, field) => Expr {
                ty: self.resolved.types.product(product).fields[field]
                    .ty
                    .clone(),
                kind: ExprKind::Field {
                    product,
                    field,
                    operand,
                },
                span,
            },
            Target::Attribute(kind, attribute) => Expr {
                ty: self.resolved.types.kind(kind).attributes[attribute]
                    .ty
                    .clone(),
                kind: ExprKind::Attribute {
                    kind,
                    attribute,
                    operand,
                },
                span,
            },
        }
    }

    /// The only kind with this attribute, which selects among members with the same name.
    pub(super) fn owner_of(&self, name: &str) -> Option<Type> {
        let types = &self.resolved.types;
        let mut owners = types.kinds.iter().enumerate().filter(|(_, kind)| {
            kind.attributes
                .iter()
                .any(|attribute| attribute.name == name)
        });
        let (index, _) = owners.next()?;
        owners
            .next()
            .is_none()
            .then(|| types.whole(KindId::new(index)))
    }

    /// The shortest paths from a value of type `ty` to an attribute or part called `name`.
    pub(super) fn paths_to(&self, ty: &Type, name: &str) -> Vec<AttributePath> {
        let mut level: Vec<(Vec<(ProductId, usize)>, Type)> = vec![(Vec::new(), ty.clone())];
        for _ in 0..8 {
            let mut found = Vec::new();
            let mut next = Vec::new();
            for (through, ty) in &level {
                match ty.required() {
                    Type::Member(part) => {
                        let kind = self.resolved.types.kind(part.kind);
                        if let Some(index) = kind
                            .attributes
                            .iter()
                            .position(|attribute| attribute.name == name)
                        {
                            found.push(AttributePath {
                                through: through.clone(),
                                last: Target::Attribute(part.kind, index),
                            });
                        }
                    }
                    Type::Product(id) => {
                        for (index, field) in
                            self.resolved.types.product(*id).fields.iter().enumerate()
                        {
                            if field.name == name {
                                found.push(AttributePath {
                                    through: through.clone(),
                                    last: Target::Field(*id, index),
                                });
                            }
                            let mut through = through.clone();
                            through.push((*id, index));
                            next.push((through, field.ty.clone()));
                        }
                    }
                    _ => {}
                }
            }
            if !found.is_empty() || next.is_empty() {
                return found;
            }
            level = next;
        }
        Vec::new()
    }

    pub(super) fn not_reached(&mut self, function: &ast::Name, operand: &Expr, paths: usize) {
        let name = &function.text;
        let of = self.text(operand.span);
        let what = self.described(&operand.ty);
        if paths > 1 {
            let message = format!("`{of}` is {what}, and several of its parts have `{name}`");
            self.report(
                Diagnostic::error(Code::AmbiguousAttribute, function.span, message)
                    .help(format!("say which part: `{name} of … of {of}`")),
            );
            return;
        }
        let types = &self.resolved.types;
        let owners: Vec<String> = types
            .kinds
            .iter()
            .filter(|kind| {
                kind.attributes
                    .iter()
                    .any(|attribute| attribute.name == *name)
            })
            .map(|kind| format!("a {}", kind.name))
            .chain(
                types
                    .products
                    .iter()
                    .filter(|product| product.fields.iter().any(|field| field.name == *name))
                    .map(|product| format!("a {}", product.name)),
            )
            .collect();
        let message = format!(
            "`{name}` belongs to {}, but `{of}` is {what}",
            crate::diagnostic::listed(&owners, "or")
        );
        let mut diagnostic = Diagnostic::error(Code::NoAttribute, operand.span, message);
        if operand.ty.element().is_some() {
            diagnostic =
                diagnostic.help(format!("for each of them: `({name} of x for x in {of})`"));
        }
        self.report(diagnostic);
    }

    pub(super) fn unknown_function(&mut self, scope: &Scope, name: &ast::Name) {
        let mut near = self.names_in_sight(scope);
        near.extend(crate::builtins::names().map(String::from));
        let types = &self.resolved.types;
        near.extend(
            types
                .kinds
                .iter()
                .flat_map(|kind| &kind.attributes)
                .map(|attribute| attribute.name.clone()),
        );
        near.extend(
            types
                .products
                .iter()
                .flat_map(|product| &product.fields)
                .map(|field| field.name.clone()),
        );
        let near = self.candidates(near.iter());
        let message = if self.resolved.names.contains_key(&name.text)
            || self.resolved.members.contains_key(&name.text)
        {
            format!("`{}` cannot be used with `of`", name.text)
        } else {
            format!(
                "no attribute, part, state or fact is called `{}`",
                name.text
            )
        };
        let mut diagnostic = Diagnostic::error(Code::UnknownName, name.span, message)
            .did_you_mean(&name.text, near.iter().map(String::as_str));
        if let Some(instead) = familiar(&name.text) {
            diagnostic = diagnostic.help(instead);
        }
        self.report(diagnostic);
    }
}

/// The equivalent of a function of other languages.
fn familiar(name: &str) -> Option<&'static str> {
    match name {
        "max" => Some("write `highest of {a, b}`"),
        "min" => Some("write `lowest of {a, b}`"),
        "len" | "length" => Some("write `size of …`"),
        "abs" => Some("write `apart(x, y)`: how far x and y are apart"),
        "contains" => Some("write `x in s`"),
        "next" => Some("write `after x`"),
        "prev" | "previous" => Some("write `before x`"),
        "first" | "head" => Some("write `top of p`"),
        "last" => Some("write `top of (reversed of p)`"),
        "reverse" => Some("write `reversed of p`"),
        "pile" | "list" | "array" | "stack" | "queue" => Some("a pile is written `[a, b]`"),
        "set" | "bag" => Some("a set or a bag is written `{a, b}`"),
        "random" | "rand" | "shuffled" | "shuffle" => {
            Some("a fact draws nothing: chance decides a given or an event that says `by chance`")
        }
        "floor" => Some("write `x rounded down`; of whole numbers, `/` rounds down anyway"),
        "ceil" | "ceiling" => Some("write `x rounded up`, as in `7 / 2 rounded up`"),
        "round" => Some("write `x rounded even`; `rounded even to 0.01` keeps two places"),
        _ => None,
    }
}
