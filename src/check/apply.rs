//! Applications: `f of x` and `f(x, y)`, where `f` may be a fact, map, built-in, attribute or part.

use super::{Checker, FactState, Scope};
use crate::{
    builtins,
    diagnostic::{Code, Diagnostic, numbered},
    program::{Expr, ExprKind, FactId, LocalId, Tense},
    resolve::Entity,
    source::Span,
    syntax::ast,
    types::{KindId, ProductId, Type},
};

/// Arguments that may be none although the parameter may not: if one is, the whole call is none.
#[derive(Debug, Default)]
pub(super) struct Lifts(Vec<(LocalId, Expr)>);

impl Lifts {
    /// Wraps `body`, in which locals stand for the lifted arguments.
    pub(super) fn around(self, body: Expr) -> Expr {
        self.0
            .into_iter()
            .rev()
            .fold(body, |body, (local, operand)| {
                let (ty, span) = (body.ty.clone().optional(), body.span);
                Expr::new(
                    ExprKind::Lift {
                        local,
                        operand: Box::new(operand),
                        body: Box::new(body),
                    },
                    ty,
                    span,
                )
            })
    }
}

impl Checker<'_> {
    /// Checks `function(arguments)`; `tense` is the word before it.
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
        let has_other_meaning = builtins::is_applied(text) || self.is_attribute_or_part(text);
        if tense.is_none() && has_other_meaning && self.is_single(scope, text) {
            return self.builtin_or_attribute(scope, function, arguments, expected, span);
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
            Some(Entity::Fact(fact)) if !self.is_attribute_too(scope, text, arguments, None) => {
                if self.is_map(fact) {
                    return self.entry(scope, function, arguments, tense, span);
                }
                let tense = tense.map_or(Tense::Now, |(tense, _)| tense);
                return self.call(scope, fact, tense, function, arguments, span);
            }
            Some(entity @ (Entity::Kind(_) | Entity::Product(_))) => {
                self.resolved.used.insert(text.to_string());
                let known = self.diagnostics.len();
                let made = match entity {
                    Entity::Kind(kind) => self.of_kind(scope, kind, function, arguments, span),
                    Entity::Product(product) => {
                        self.make(scope, product, function, arguments, span)
                    }
                    _ => Self::wrong(span),
                };
                self.suggest_part(text, known);
                return made;
            }
            Some(entity @ (Entity::State(_) | Entity::Given(_))) => {
                let ty = match entity {
                    Entity::State(id) => self.resolved.states[id.index()].ty.clone(),
                    Entity::Given(id) => self.resolved.givens[id.index()].ty.clone(),
                    _ => Type::Wrong,
                };
                if let (None, Type::Map(key, _)) = (tense, &ty)
                    && self.is_attribute_too(scope, text, arguments, Some(key))
                {
                    return self.attribute_or_part(scope, function, arguments, span);
                }
                return self.entry(scope, function, arguments, tense, span);
            }
            _ => {}
        }
        if scope.find(text).is_some() || self.is_field(scope, text) {
            return self.entry(scope, function, arguments, tense, span);
        }
        if let Some((_, word)) = tense {
            if !self.is_attribute_or_part(text) && !builtins::is_applied(text) {
                self.unknown_function(scope, function);
                return Self::wrong(span);
            }
            self.report(
                Diagnostic::error(
                    Code::TenseHere,
                    function.span,
                    format!(
                        "`{text}` is neither a state nor a fact, so `{word} {text}` means nothing"
                    ),
                )
                .help(format!("write `{text} of {word} …`")),
            );
            return Self::wrong(span);
        }
        self.builtin_or_attribute(scope, function, arguments, expected, span)
    }

    /// If applying a type led to one mistake, suggests the part or attribute of the same name in small letters.
    fn suggest_part(&mut self, ty: &str, known: usize) {
        let part = ty.to_ascii_lowercase();
        if self.diagnostics.len() == known + 1
            && self.is_attribute_or_part(&part)
            && let Some(diagnostic) = self.diagnostics.pop()
        {
            self.diagnostics
                .push(diagnostic.help(format!("did you mean `{part} of …`?")));
        }
    }

    /// Checks an application of a built-in, attribute or part.
    fn builtin_or_attribute(
        &mut self,
        scope: &mut Scope,
        function: &ast::Name,
        arguments: &[ast::Expr],
        expected: Option<&Type>,
        span: Span,
    ) -> Expr {
        let text = function.text.as_str();
        if builtins::is_applied(text) && !self.is_attribute_too(scope, text, arguments, None) {
            return self.builtin(scope, function, arguments, expected, span);
        }
        self.attribute_or_part(scope, function, arguments, span)
    }

    /// Whether a fact has no parameters and is a map, so that an argument is a key.
    fn is_map(&mut self, fact: FactId) -> bool {
        self.resolved.facts[fact.index()].parameters.is_empty()
            && matches!(self.fact_type(fact), Type::Map(..))
    }

    /// Whether a name is a value without entries, so that its application is an attribute or part with the same name.
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

    /// The same for a fact. A fact whose type is being inferred cannot have an entry taken there.
    fn is_single_fact(&mut self, fact: FactId) -> bool {
        let entry = &self.resolved.facts[fact.index()];
        if !entry.parameters.is_empty() {
            return false;
        }
        let in_progress = matches!(self.facts[fact.index()], FactState::InProgress);
        (in_progress && entry.declared.is_none()) || !self.is_map(fact)
    }

    fn is_field(&self, scope: &Scope, name: &str) -> bool {
        scope.event.is_some_and(|event| {
            self.resolved.events[event.index()]
                .fields
                .iter()
                .any(|(field, _)| field == name)
        })
    }

    /// An argument for a parameter of type `ty`. If it may be none and the parameter may not, it is lifted.
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

    /// The value, or a local for it if it may be none and `optional` does not allow that.
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
        Expr::new(ExprKind::Local(local), ty, span)
    }

    pub(super) fn count_arguments(
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
        let message = count_message(&name.text, wanted, found);
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
            // A fact that reads no state would do, but authors could not tell which do.
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
        lifts.around(Expr::new(
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            },
            ty,
            span,
        ))
    }

    /// `Side(1)`, or `Result(Even)` to choose the kind of a member.
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
        let number = self.as_whole(value, "members of a ring are numbered");
        lifts.around(Expr::new(ExprKind::Numbered(Box::new(number)), whole, span))
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
        lifts.around(Expr::new(
            ExprKind::Make { product, parts },
            Type::Product(product),
            span,
        ))
    }

    /// An entry of a map, which is a state, a given or a variable.
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
                if self.is_attribute_or_part(&function.text) {
                    diagnostic = diagnostic
                        .note(format!(
                            "`{}` is also an attribute or a part",
                            function.text
                        ))
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
                Expr::new(
                    ExprKind::Make {
                        product: *product,
                        parts,
                    },
                    Type::Product(*product),
                    span,
                )
            }
            (_, key) => self.argument(scope, &arguments[0], key, &mut lifts),
        };
        lifts.around(Expr::new(
            ExprKind::Entry {
                map: Box::new(map),
                key: Box::new(key),
            },
            (*entry).clone(),
            span,
        ))
    }

    /// The types of the parameters of a state or given with several.
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
}

/// The message for a wrong number of arguments.
pub(super) fn count_message(name: &str, wanted: usize, found: usize) -> String {
    let wanted = numbered(wanted, "argument");
    let verb = if found == 1 { "is" } else { "are" };
    format!("`{name}` takes {wanted}, but {found} {verb} given")
}
