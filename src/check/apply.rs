//! Applications: `f of x` and `f(x, y)`, whatever `f` is.

use super::{Checker, FactState, Scope};
use crate::{
    diagnostic::{Code, Diagnostic, numbered},
    program::{Expr, ExprKind, FactId, LocalId, Tense},
    resolve::Entity,
    source::Span,
    syntax::ast,
    types::{KindId, ProductId, Type},
};

/// Arguments that may be none where the parameter may not: the whole is then none.
#[derive(Debug, Default)]
pub(super) struct Lifts(Vec<(LocalId, Expr)>);

impl Lifts {
    /// Wraps `body`, which speaks of the lifted arguments as locals.
    pub(super) fn around(self, body: Expr) -> Expr {
        self.0
            .into_iter()
            .rev()
            .fold(body, |body, (local, operand)| {
                let (ty, span) = (body.ty.clone().optional(), body.span);
                Expr {
                    kind: ExprKind::Lift {
                        local,
                        operand: Box::new(operand),
                        body: Box::new(body),
                    },
                    ty,
                    span,
                }
            })
    }
}

/// One way in which an attribute or part is reached: the parts to go through, then what is taken.
#[derive(Debug, Clone)]
struct Reach {
    through: Vec<(ProductId, usize)>,
    last: Taken,
}

#[derive(Debug, Clone, Copy)]
enum Taken {
    Field(ProductId, usize),
    Attribute(KindId, usize),
}

impl Checker<'_> {
    /// Checks `function(arguments)`; `tense` is what was written before it.
    pub(super) fn apply(
        &mut self,
        scope: &mut Scope,
        function: &ast::Name,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        tense: Option<(Tense, &str)>,
        span: Span,
    ) -> Expr {
        let text = function.text.as_str();
        let stands_apart = super::builtins::NAMES.contains(&text) || self.takes(text);
        if tense.is_none() && stands_apart && self.is_single(scope, text) {
            return self.built_in_or_taken(scope, function, arguments, expected, span);
        }
        if let Some(fact) = self.event_fact(scope, text) {
            if tense.is_some() {
                self.name(scope, function, None, tense);
                return Self::wrong(span);
            }
            if self.is_map(fact) {
                return self.entry(scope, function, arguments, tense, span);
            }
            return self.call(scope, fact, Tense::Now, function, arguments, span);
        }
        let entity = self.resolved.names.get(text).map(|(entity, _)| *entity);
        match entity {
            Some(Entity::Fact(fact)) if !self.is_attribute_too(scope, text, arguments) => {
                if self.is_map(fact) {
                    return self.entry(scope, function, arguments, tense, span);
                }
                let tense = tense.map_or(Tense::Now, |(tense, _)| tense);
                return self.call(scope, fact, tense, function, arguments, span);
            }
            Some(Entity::Kind(kind)) => {
                self.resolved.used.insert(text.to_string());
                return self.of_kind(scope, kind, function, arguments, span);
            }
            Some(Entity::Product(product)) => {
                self.resolved.used.insert(text.to_string());
                return self.make(scope, product, function, arguments, span);
            }
            Some(Entity::State(_) | Entity::Given(_)) => {
                return self.entry(scope, function, arguments, tense, span);
            }
            _ => {}
        }
        if scope.find(text).is_some() || self.is_field(scope, text) {
            return self.entry(scope, function, arguments, tense, span);
        }
        if let Some((_, word)) = tense {
            if !self.takes(text) && !super::builtins::NAMES.contains(&text) {
                self.unknown_function(scope, function);
                return Self::wrong(span);
            }
            self.report(
                Diagnostic::error(
                    Code::TenseHere,
                    function.span,
                    format!("`{text}` is no state and no fact, so `{word} {text}` says nothing"),
                )
                .help(format!("write `{text} of {word} …`")),
            );
            return Self::wrong(span);
        }
        self.built_in_or_taken(scope, function, arguments, expected, span)
    }

    /// What is no fact and no map: a built-in, an attribute or a part.
    fn built_in_or_taken(
        &mut self,
        scope: &mut Scope,
        function: &ast::Name,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let text = function.text.as_str();
        if super::builtins::NAMES.contains(&text) && !self.is_attribute_too(scope, text, arguments)
        {
            return self.builtin(scope, function, arguments, expected, span);
        }
        self.take(scope, function, arguments, span)
    }

    /// Whether a fact is asked of nothing and is a map, so that what stands after it is a key.
    fn is_map(&mut self, fact: FactId) -> bool {
        self.resolved.facts[fact.index()].parameters.is_empty()
            && matches!(self.fact_type(fact), Type::Map(..))
    }

    /// Whether a name stands for a value that has no entries, so that what is asked of something by that name is an
    /// attribute or part.
    fn is_single(&mut self, scope: &Scope, name: &str) -> bool {
        let event = scope
            .event
            .map(|event| &self.resolved.events[event.index()]);
        let field = event.and_then(|event| event.fields.iter().find(|(field, _)| field == name));
        let ty = if let Some(variable) = scope.find(name) {
            variable.ty.clone()
        } else if let Some((_, ty)) = field {
            ty.clone()
        } else if let Some(fact) = self.event_fact(scope, name) {
            return self.is_single_fact(fact);
        } else {
            match self.resolved.names.get(name).map(|(entity, _)| *entity) {
                Some(Entity::State(id)) => self.resolved.states[id.index()].ty.clone(),
                Some(Entity::Given(id)) => self.resolved.givens[id.index()].ty.clone(),
                Some(Entity::Fact(fact)) => return self.is_single_fact(fact),
                _ => return false,
            }
        };
        !matches!(ty, Type::Map(..) | Type::Wrong)
    }

    /// The same of a fact. One whose type is being worked out cannot be asked for entries there.
    fn is_single_fact(&mut self, fact: FactId) -> bool {
        let entry = &self.resolved.facts[fact.index()];
        if !entry.parameters.is_empty() {
            return false;
        }
        let asked = matches!(self.facts[fact.index()], FactState::Asked);
        (asked && entry.declared.is_none()) || !self.is_map(fact)
    }

    fn is_field(&self, scope: &Scope, name: &str) -> bool {
        scope.event.is_some_and(|event| {
            self.resolved.events[event.index()]
                .fields
                .iter()
                .any(|(field, _)| field == name)
        })
    }

    /// Whether `name` is an attribute or part of its one argument as well as something else: then it is that.
    fn is_attribute_too(&mut self, scope: &Scope, name: &str, arguments: &[ast::Expr]) -> bool {
        let [argument] = arguments else { return false };
        if !self.takes(name) {
            return false;
        }
        let place = (argument.span, scope.event);
        if let Some(known) = self.attributes.get(&place) {
            return *known;
        }
        let before = self.diagnostics.len();
        let operand = self.expression(&mut scope.clone(), argument, None);
        // What is wrong with the argument is found again; what is wrong with a fact it asks for is not.
        let mut found = self.diagnostics.split_off(before);
        found.retain(|diagnostic| !argument.span.holds(diagnostic.span));
        self.diagnostics.append(&mut found);
        let is_attribute = !self.reaches(operand.ty.required(), name).is_empty();
        self.attributes.insert(place, is_attribute);
        is_attribute
    }

    /// Whether any kind has such an attribute or any product such a part.
    pub(super) fn takes(&self, name: &str) -> bool {
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

    /// An argument for a parameter of type `ty`. Where it may be none and the parameter may not, a local stands
    /// for it and `lifts` remembers what makes the whole none.
    pub(super) fn argument(
        &mut self,
        scope: &mut Scope,
        written: &ast::Expr,
        ty: &Type,
        lifts: &mut Lifts,
    ) -> Expr {
        let value = self.expression(scope, written, Some(ty));
        let value = Self::lifted(scope, value, ty.is_optional(), lifts);
        self.fitted(value, ty)
    }

    /// The value, or a local for it where it may be none and `optional` says that it may not.
    pub(super) fn lifted(
        scope: &mut Scope,
        value: Expr,
        optional: bool,
        lifts: &mut Lifts,
    ) -> Expr {
        let Type::Optional(inner) = &value.ty else {
            return value;
        };
        if optional {
            return value;
        }
        let (ty, span) = ((**inner).clone(), value.span);
        let local = scope.local();
        lifts.0.push((local, value));
        Expr {
            kind: ExprKind::Local(local),
            ty,
            span,
        }
    }

    fn count_arguments(
        &mut self,
        name: &ast::Name,
        wanted: usize,
        found: usize,
        declared: Option<Span>,
        span: Span,
    ) -> bool {
        if wanted == found {
            return true;
        }
        let message = format!(
            "`{}` takes {}, and here {} {}",
            name.text,
            numbered(wanted, "argument"),
            if found == 1 { "is" } else { "are" },
            found
        );
        let mut diagnostic = Diagnostic::error(Code::ArgumentCount, span, message);
        if let Some(declared) = declared {
            diagnostic = diagnostic.label(declared, "declared here");
        }
        if wanted > 1 && found == 1 {
            diagnostic = diagnostic.help(format!("write `{}(…, …)`", name.text));
        } else if wanted == 0 {
            diagnostic = diagnostic.help(format!("write `{}` alone", name.text));
        }
        self.report(diagnostic);
        false
    }

    fn call(
        &mut self,
        scope: &mut Scope,
        fact: FactId,
        tense: Tense,
        function: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        if !scope.place.sees_state() {
            // A fact without state in it would do, but nothing tells them apart at a glance.
            let entry = &self.resolved.facts[fact.index()];
            if entry.parameters.is_empty() {
                return self.name(scope, function, None, None);
            }
        }
        let parameters = self.resolved.facts[fact.index()].parameters.clone();
        let declared = self.resolved.facts[fact.index()].item.name.span;
        if !self.count_arguments(
            function,
            parameters.len(),
            arguments.len(),
            Some(declared),
            span,
        ) {
            return Self::wrong(span);
        }
        let mut lifts = Lifts::default();
        let arguments = parameters
            .iter()
            .zip(arguments)
            .map(|((_, ty), argument)| self.argument(scope, argument, ty, &mut lifts))
            .collect();
        let ty = self.fact_type(fact);
        lifts.around(Expr {
            kind: ExprKind::Fact {
                fact,
                tense,
                arguments,
            },
            ty,
            span,
        })
    }

    /// `Side(1)`, or `Result(Even)` to say which kind's member is meant.
    fn of_kind(
        &mut self,
        scope: &mut Scope,
        kind: KindId,
        function: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let declared = self.resolved.types.kind(kind).span;
        if !self.count_arguments(function, 1, arguments.len(), Some(declared), span) {
            return Self::wrong(span);
        }
        let whole = self.resolved.types.whole(kind);
        if !self.resolved.types.kind(kind).numbered {
            return self.value(scope, &arguments[0], &whole);
        }
        let value = self.expression(scope, &arguments[0], Some(&whole));
        if value.ty == whole {
            return value;
        }
        let mut lifts = Lifts::default();
        let value = Self::lifted(scope, value, false, &mut lifts);
        let number = self.as_number(value, "members of a ring are numbered");
        lifts.around(Expr {
            kind: ExprKind::Numbered(Box::new(number)),
            ty: whole,
            span,
        })
    }

    fn make(
        &mut self,
        scope: &mut Scope,
        product: ProductId,
        function: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let fields = self.resolved.types.product(product).fields.clone();
        let declared = self.resolved.types.product(product).span;
        if !self.count_arguments(
            function,
            fields.len(),
            arguments.len(),
            Some(declared),
            span,
        ) {
            return Self::wrong(span);
        }
        let mut lifts = Lifts::default();
        let parts = fields
            .iter()
            .zip(arguments)
            .map(|(field, argument)| self.argument(scope, argument, &field.ty, &mut lifts))
            .collect();
        lifts.around(Expr {
            kind: ExprKind::Make { product, parts },
            ty: Type::Product(product),
            span,
        })
    }

    /// An entry of a map: a state, a given or a variable.
    fn entry(
        &mut self,
        scope: &mut Scope,
        function: &ast::Name,
        arguments: &[ast::Expr],
        tense: Option<(Tense, &str)>,
        span: Span,
    ) -> Expr {
        let map = self.name(scope, function, None, tense);
        let parameters = self.key_parts(function, &map);
        let Type::Map(key, entry) = map.ty.clone() else {
            if map.ty != Type::Wrong {
                let what = self.described(&map.ty);
                let mut diagnostic = Diagnostic::error(
                    Code::NotMap,
                    span,
                    format!("`{}` is {what}, so it has no entries", function.text),
                );
                if self.takes(&function.text) {
                    diagnostic = diagnostic
                        .note(format!("`{}` is an attribute or part too", function.text))
                        .help("give one of them another name");
                } else if matches!(map.ty, Type::Pile(_)) {
                    diagnostic = diagnostic.help(format!("write `item({}, …)`", function.text));
                }
                self.report(diagnostic);
            }
            return Self::wrong(span);
        };
        let wanted = parameters.as_ref().map_or(1, Vec::len);
        if !self.count_arguments(function, wanted, arguments.len(), None, span) {
            return Self::wrong(span);
        }
        let mut lifts = Lifts::default();
        let key = match (parameters, &*key) {
            (Some(parameters), Type::Product(product)) => {
                let parts = parameters
                    .iter()
                    .zip(arguments)
                    .map(|(ty, argument)| self.argument(scope, argument, ty, &mut lifts))
                    .collect();
                Expr {
                    kind: ExprKind::Make {
                        product: *product,
                        parts,
                    },
                    ty: Type::Product(*product),
                    span,
                }
            }
            (_, key) => self.argument(scope, &arguments[0], key, &mut lifts),
        };
        lifts.around(Expr {
            kind: ExprKind::Entry {
                map: Box::new(map),
                key: Box::new(key),
            },
            ty: (*entry).clone(),
            span,
        })
    }

    /// The types of the parameters, where a state or given has several.
    fn key_parts(&self, function: &ast::Name, map: &Expr) -> Option<Vec<Type>> {
        if !matches!(map.kind, ExprKind::State(..) | ExprKind::Given(_)) {
            return None;
        }
        let parameters = match self.resolved.names.get(&function.text)?.0 {
            Entity::State(id) => self.resolved.states[id.index()].parameters.clone(),
            Entity::Given(id) => self.resolved.givens[id.index()].parameters.clone(),
            _ => return None,
        };
        (parameters.len() > 1).then_some(parameters)
    }

    /// An attribute or a part.
    fn take(
        &mut self,
        scope: &mut Scope,
        function: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Expr {
        if !self.takes(&function.text) {
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
        let ways = self.reaches(&operand.ty, &function.text);
        let [way] = ways.as_slice() else {
            self.not_reached(function, &operand, ways.len());
            return Self::wrong(span);
        };
        let mut value = operand;
        let mut steps: Vec<Taken> = way
            .through
            .iter()
            .map(|(product, field)| Taken::Field(*product, *field))
            .collect();
        steps.push(way.last);
        for step in steps {
            value = Self::lifted(scope, value, false, &mut lifts);
            value = self.taken(step, value, span);
        }
        lifts.around(value)
    }

    fn taken(&self, step: Taken, operand: Expr, span: Span) -> Expr {
        let operand = Box::new(operand);
        match step {
            Taken::Field(product, field) => Expr {
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
            Taken::Attribute(kind, attribute) => Expr {
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

    /// The only kind that has such an attribute, which tells members of one name apart.
    fn owner_of(&self, name: &str) -> Option<Type> {
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

    /// The ways from a value of type `ty` to something called `name`; the nearest ones only.
    fn reaches(&self, ty: &Type, name: &str) -> Vec<Reach> {
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
                            found.push(Reach {
                                through: through.clone(),
                                last: Taken::Attribute(part.kind, index),
                            });
                        }
                    }
                    Type::Product(id) => {
                        for (index, field) in
                            self.resolved.types.product(*id).fields.iter().enumerate()
                        {
                            if field.name == name {
                                found.push(Reach {
                                    through: through.clone(),
                                    last: Taken::Field(*id, index),
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

    fn not_reached(&mut self, function: &ast::Name, operand: &Expr, ways: usize) {
        let name = &function.text;
        let of = self.text(operand.span);
        let what = self.described(&operand.ty);
        if ways > 1 {
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
            "`{name}` is asked of {}, and `{of}` is {what}",
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
        near.extend(super::builtins::NAMES.map(String::from));
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
        let message = if self.resolved.names.contains_key(&name.text)
            || self.resolved.members.contains_key(&name.text)
        {
            format!("`{}` is nothing that is asked of something", name.text)
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

/// What the language has for a function that other languages have.
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
        "floor" => Some("there are whole numbers only, and `/` rounds down"),
        _ => None,
    }
}
