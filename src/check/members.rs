//! Members of kinds, and unknown names.

use super::{Checker, Place, Scope};
use crate::{
    builtins,
    diagnostic::{Code, Diagnostic, SUGGESTIONS, numbered, with_article},
    program::{Expr, ExprKind, Tense},
    resolve::{Entity, value_elsewhere},
    syntax::ast,
    types::{Constant, Part, Type},
};

impl Checker<'_> {
    pub(super) fn member_or_unknown(
        &mut self,
        scope: &mut Scope,
        name: &ast::Name,
        expected: Option<&Type>,
        tense: Option<(Tense, &str)>,
    ) -> Expr {
        if let Some(member) = self.member(name, expected) {
            self.no_tense(name, tense, "a member of a kind");
            return member;
        }
        if let Some(entry) = builtins::constant(&name.text) {
            return self.builtin_constant(entry, name.span);
        }
        self.unknown_name(scope, name);
        Self::wrong(name.span)
    }

    pub(super) fn unknown_name(&mut self, scope: &Scope, name: &ast::Name) {
        let few = self.diagnostics.len() < SUGGESTIONS;
        let mut diagnostic = Diagnostic::error(
            Code::UnknownName,
            name.span,
            format!("nothing here is called `{}`", name.text),
        );
        if few {
            diagnostic = self.with_suggestion(scope, name, diagnostic);
        }
        if few && let Some(owner) = self.elsewhere(&name.text) {
            diagnostic = diagnostic.note(owner);
            if scope.place == Place::Guard && self.is_field_of_any(&name.text) {
                diagnostic = diagnostic.help(
                    "a guard is asked before there are fields: say what rests on them in the event's section, `impossible | name: \"…\" when …`",
                );
            }
        }
        if scope.place == Place::Cell && self.is_field_of_any(&name.text) {
            diagnostic = diagnostic.help(format!(
                "a cell is a constant: write rows with conditions instead, `| name: value when … is {}`",
                name.text
            ));
        }
        let counted = |kind: &&crate::types::Kind| kind.count.is_some();
        if name.text.starts_with(char::is_uppercase)
            && let Some(kind) = self.resolved.types.kinds.iter().find(counted)
        {
            let kind = &kind.name;
            diagnostic = diagnostic.note(format!("the members of {kind} are `{kind}(1)` and so on here, whatever a transcript calls them"));
        }
        let text = &name.text;
        diagnostic = match text.as_str() {
            text if let Some(value) = value_elsewhere(text) => diagnostic.write(value.to_owned()),
            "otherwise" | "default" => diagnostic.help("write `any` in the cell of a `by` table"),
            _ if builtins::is_applied(text) => {
                diagnostic.help(format!("write `{text} of …` or `{text}(…)`"))
            }
            _ if diagnostic.help.is_empty() && self.is_attribute_or_part(text) => {
                diagnostic.help(format!("write `{text} of …`: it is asked of something"))
            }
            _ if diagnostic.help.is_empty() && scope.place == Place::Transcript => {
                diagnostic.help(format!("a transcript reads a name before it uses it: write the step `\"{{{text}}}\"` before this"))
            }
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Whether an event has a field of this name.
    fn is_field_of_any(&self, name: &str) -> bool {
        let mut events = self.resolved.events.iter();
        events.any(|event| event.fields.iter().any(|(field, _)| field == name))
    }

    /// Adds a suggestion for an unknown name: a similar name of a value, a part of a value in scope, or a value of a
    /// type with a similar name, since a type's name stands for all its values.
    fn with_suggestion(
        &self,
        scope: &Scope,
        name: &ast::Name,
        diagnostic: Diagnostic,
    ) -> Diagnostic {
        let is_type = |near: &String| {
            let entity = self.resolved.names.get(near);
            let types = matches!(
                entity,
                Some((Entity::Kind(_) | Entity::Product(_) | Entity::Alias(_), _))
            );
            types && scope.find(near).is_none()
        };
        let names = self.names_in_sight(scope);
        let (types, values): (Vec<String>, Vec<String>) = names.into_iter().partition(is_type);
        let text = name.text.as_str();
        let is_near = |names: &[String]| {
            crate::diagnostic::nearest(text, names.iter().map(String::as_str)).is_some()
        };
        let single =
            |mut found: Vec<&str>| (found.len() == 1).then(|| found.swap_remove(0).to_string());
        let with_values = self.values_in_sight(scope);
        let has_part = |ty: &&(&str, &Type)| self.has_part(ty.1, text);
        let of_part = with_values.iter().filter(has_part).map(|(value, _)| *value);
        if !values.iter().any(|value| value == text)
            && let Some(value) = single(of_part.collect())
        {
            return diagnostic.write(format!("{text} of {value}"));
        }
        let near_type = crate::diagnostic::nearest(text, types.iter().map(String::as_str));
        if let (Some(near), false) = (near_type, is_near(&values)) {
            let of_type = with_values.iter().filter(|(_, ty)| {
                let described = self.resolved.types.described(ty.required());
                described == near || described == with_article(near)
            });
            let of_type: Vec<&str> = of_type.map(|(value, _)| *value).collect();
            if let [first, ..] = of_type.as_slice() {
                let many = of_type.len() > 1;
                return match (single(of_type.clone()), many) {
                    (Some(value), _) => diagnostic.write(value),
                    _ => diagnostic.help(format!("write `{first}`, or what else is a {near} here")),
                };
            }
        }
        let near = if is_near(&values) { values } else { types };
        diagnostic.did_you_mean(text, near.iter().map(String::as_str))
    }

    /// The variables and event fields in scope, with their types.
    fn values_in_sight<'s>(&'s self, scope: &'s Scope) -> Vec<(&'s str, &'s Type)> {
        let variables = scope.variables.iter();
        let mut values: Vec<(&str, &Type)> = variables
            .map(|variable| (variable.name.as_str(), &variable.ty))
            .collect();
        if let Some(event) = scope.event {
            let fields = self.resolved.events[event.index()].fields.iter();
            values.extend(fields.map(|(name, ty)| (name.as_str(), ty)));
        }
        values
    }

    /// Whether values of a type have a part or an attribute of this name.
    fn has_part(&self, ty: &Type, name: &str) -> bool {
        let types = &self.resolved.types;
        match ty.required() {
            Type::Product(id) => {
                let mut fields = types.product(*id).fields.iter();
                fields.any(|field| field.name == name)
            }
            Type::Member(part) => {
                let mut attributes = types.kind(part.kind).attributes.iter();
                attributes.any(|attribute| attribute.name == name)
            }
            _ => false,
        }
    }

    /// The other event whose section or field has this name, described for a message.
    pub(super) fn elsewhere(&self, name: &str) -> Option<String> {
        if let Some(fact) = self
            .resolved
            .facts
            .iter()
            .find(|fact| fact.owner.is_some() && fact.item.name.text == name)
        {
            let event = &self.resolved.events[fact.owner?.index()].name;
            return Some(format!("`{name}` is a fact of the event `{event}` only"));
        }
        let events = self.resolved.events.iter();
        let mut events = events.filter(|event| event.fields.iter().any(|(field, _)| field == name));
        let event = &events.next()?.name;
        Some(match events.count() {
            0 => format!("`{name}` is a field of the event `{event}` only"),
            others => format!(
                "`{name}` is a field of the event `{event}` and of {}; only their sections can use it",
                numbered(others, "other")
            ),
        })
    }

    /// The member with this name; if several kinds have one, the expected type decides.
    pub(super) fn member(&mut self, name: &ast::Name, expected: Option<&Type>) -> Option<Expr> {
        let found = self.resolved.members.get(&name.text)?.clone();
        let wanted = expected.and_then(wanted_kind);
        let chosen = found.iter().find(|(kind, _)| Some(*kind) == wanted);
        let (kind, place) = match (chosen, found.as_slice()) {
            (Some(chosen), _) => *chosen,
            (None, [only]) => *only,
            (None, several) => {
                let kinds: Vec<String> = several
                    .iter()
                    .map(|(kind, _)| self.resolved.types.kind(*kind).name.clone())
                    .collect();
                self.report(
                    Diagnostic::error(
                        Code::AmbiguousMember,
                        name.span,
                        format!(
                            "`{}` is a member of {}",
                            name.text,
                            crate::diagnostic::listed(&kinds, "and of")
                        ),
                    )
                    .help(format!("say which: `{}({})`", kinds[0], name.text)),
                );
                return Some(Self::wrong(name.span));
            }
        };
        let owner = self.resolved.types.kind(kind).name.clone();
        self.resolved.used.insert(owner);
        Some(Expr {
            kind: ExprKind::Constant(Constant::Scalar(i64::from(place))),
            ty: Type::Member(Part {
                kind,
                first: place,
                last: place,
            }),
            span: name.span,
        })
    }

    /// Whether an expression has no type without an expected one.
    pub(super) fn needs_expected_type(&self, written: &ast::Expr) -> bool {
        use ast::ExprKind as Written;
        match &written.kind {
            Written::None | Written::Empty => true,
            Written::Group(inner) => self.needs_expected_type(inner),
            Written::Set(items) | Written::Pile(items) => {
                items.iter().all(|item| self.needs_expected_type(item))
            }
            Written::Name(name) => {
                self.resolved.members.contains_key(&name.text)
                    && !self.resolved.names.contains_key(&name.text)
            }
            _ => false,
        }
    }
}

/// The kind of a type's values.
fn wanted_kind(ty: &Type) -> Option<crate::types::KindId> {
    match ty {
        Type::Member(part) => Some(part.kind),
        Type::Optional(inner) => wanted_kind(inner),
        _ => None,
    }
}
