//! Compiles texts and written forms.

use super::{Compiler, Context, Frame, definitions::each_root, sources::source_of_shape};
use crate::{
    code::{Code, Form, Shape, Source, Text, Written},
    program::{Builtin, Expr, ExprKind, FactId, Template, TemplatePart, Tense},
    types::{Constant, Type},
};

/// Collections over at most this many values are written out when states are shown.
const MOST_WRITTEN: u64 = 1 << 10;

/// What was visited to find out whether a written form depends on a given.
#[derive(Default)]
struct Through {
    types: Vec<Type>,
    facts: Vec<FactId>,
}

impl Compiler<'_> {
    pub(super) fn template(&mut self, frame: &mut Frame, template: &Template) -> Text {
        let mut parts: Vec<Text> = template
            .parts
            .iter()
            .map(|part| match part {
                TemplatePart::Literal(literal) => Text::Literal(literal.clone()),
                TemplatePart::Hole(value) => self.text(frame, value),
            })
            .collect();
        if parts.len() == 1 {
            parts.remove(0)
        } else {
            Text::Parts(parts.into())
        }
    }

    /// An expression as a text.
    pub(super) fn text(&mut self, frame: &mut Frame, expr: &Expr) -> Text {
        match &expr.kind {
            ExprKind::Template(template) => return self.template(frame, template),
            ExprKind::Constant(Constant::Text(text)) => return Text::Literal(text.clone()),
            _ => {}
        }
        if let ExprKind::Listed {
            collection,
            between,
            last,
        } = &expr.kind
        {
            return self.list(frame, collection, (between, last));
        }
        if expr.ty.element().is_some() {
            return self.list(frame, expr, (" ", " "));
        }
        if expr.ty.is_optional() && expr.ty.required().element().is_some() {
            let code = self.code(frame, expr);
            return self.value_text(code, &expr.ty);
        }
        let written = self.written(&expr.ty);
        Text::Value(Box::new(self.code(frame, expr)), written)
    }

    /// Makes the source of a set ascending, so that it is written in order.
    fn ascending(&mut self, source: Source, ty: &Type) -> Source {
        let shape = self.shape(ty);
        let ordered = match (&source, &shape) {
            (Source::Items(items), _) => items.len() < 2 || matches!(shape, Shape::Pile { .. }),
            (Source::Mapped(..), Shape::Pile { .. }) => true,
            (
                Source::Mapped(..)
                | Source::Boundary { .. }
                | Source::Region { .. }
                | Source::Around { .. },
                _,
            ) => false,
            _ => true,
        };
        if ordered {
            return source;
        }
        let code = Code::Gather {
            source: Box::new(source),
            shape: Box::new(shape.clone()),
        };
        source_of_shape(code, &shape)
    }

    /// A value of a type as a text.
    pub(super) fn value_text(&mut self, code: Code, ty: &Type) -> Text {
        if let Some(element) = ty.required().element() {
            let shape = self.shape(ty.required());
            let written = self.written(&element.clone());
            return Text::List {
                source: Box::new(source_of_shape(code, &shape)),
                written,
                between: " ".to_string(),
                last: " ".to_string(),
            };
        }
        let written = self.written(ty);
        Text::Value(Box::new(code), written)
    }

    /// Whether messages can show values of a type.
    pub(super) fn is_written(&self, ty: &Type) -> bool {
        match ty.required() {
            Type::YesNo
            | Type::Number
            | Type::Decimal(_)
            | Type::Range(_)
            | Type::Member(_)
            | Type::Word
            | Type::Text => true,
            Type::Product(id) => !self.program.types.product(*id).record,
            Type::Set(element) | Type::Bag(element) | Type::Pile(element) => {
                let capacity = self.program.types.capacity(element);
                capacity.is_some_and(|count| count <= MOST_WRITTEN) && self.is_written(element)
            }
            _ => false,
        }
    }

    /// How messages write values of a type, if they can.
    pub(super) fn written_in_messages(&mut self, ty: &Type) -> Option<Written> {
        if !self.is_written(ty) {
            return None;
        }
        let before = std::mem::replace(&mut self.for_messages, true);
        let written = self.written(ty);
        self.for_messages = before;
        Some(written)
    }

    /// The written form of values of a type.
    pub(super) fn written(&mut self, ty: &Type) -> Written {
        match ty {
            Type::YesNo => Written::YesNo,
            number if number.is_decimal() => Written::Decimal(number.places().unwrap_or(0)),
            Type::Number | Type::Range(_) => Written::Number,
            Type::Optional(inner) => Written::OrNone(Box::new(self.written(inner))),
            Type::Member(_) | Type::Product(_) => {
                Written::Form(self.form(&self.program.types.whole_of(ty)))
            }
            Type::Set(element) | Type::Bag(element) | Type::Pile(element) => Written::Members {
                shape: Box::new(self.shape(ty)),
                member: Box::new(self.written(element)),
            },
            _ => Written::Text,
        }
    }

    /// The form of a kind or product, compiled when first needed.
    pub(super) fn form(&mut self, ty: &Type) -> usize {
        if let Some((_, form)) = self.form_ids.iter().find(|(known, _)| known == ty) {
            self.compiled.forms[*form].used |= !self.for_messages;
            return *form;
        }
        let place = self.compiled.forms.len();
        self.form_ids.push((ty.clone(), place));
        let domain = self.domain(ty);
        let name = self.program.types.display(ty);
        self.compiled.forms.push(Form {
            domain,
            text: Text::Literal(String::new()),
            locals: 0,
            given: false,
            by_facts: false,
            partial: None,
            last: None,
            used: !self.for_messages,
            read: false,
            known: Vec::new(),
            name: name.clone(),
        });
        let context = Context {
            event: None,
            tense: Tense::Now,
        };
        let write = self.program.writes.iter().find(|write| write.ty == *ty);
        let (text, locals) = match write {
            Some(write) => {
                let mut frame = Frame::new(context, write.locals);
                let text = self.text(&mut frame, &write.form);
                (text, frame.locals)
            }
            None => (self.default_form(ty), 1),
        };
        let mut through = Through::default();
        let given = self.is_dynamic(ty) || self.form_asks_given(ty, &mut through);
        let by_facts = !through.facts.is_empty();
        let partial = self.partial(ty);
        let last = self
            .is_dynamic(ty)
            .then(|| self.bounds(ty).map(|(_, hi)| hi))
            .flatten();
        self.compiled.forms[place] = Form {
            domain,
            text,
            locals,
            given,
            by_facts,
            partial,
            last,
            used: !self.for_messages,
            read: false,
            known: Vec::new(),
            name,
        };
        place
    }

    /// A member's name, or a product's parts joined by commas.
    fn default_form(&mut self, ty: &Type) -> Text {
        match ty {
            Type::Member(part) => {
                let names = self.program.types.kind(part.kind).members.clone();
                let table: Vec<i64> = names.iter().map(|name| self.text_id(name)).collect();
                let code = Code::Lookup(table.into(), Box::new(Code::Local(0)));
                Text::Value(Box::new(code), Written::Text)
            }
            Type::Product(id) => {
                let fields = self.program.types.product(*id).fields.clone();
                let mut parts = Vec::new();
                for (index, field) in fields.iter().enumerate() {
                    if index > 0 {
                        parts.push(Text::Literal(",".into()));
                    }
                    let code = self.part_of(*id, index, Code::Local(0));
                    let written = self.written(&field.ty);
                    parts.push(Text::Value(Box::new(code), written));
                }
                Text::Parts(parts.into())
            }
            _ => Text::Literal(String::new()),
        }
    }

    /// Whether the form of a type depends on a given: by its `write`, or without one by that of a part.
    fn form_asks_given(&self, ty: &Type, through: &mut Through) -> bool {
        if through.types.contains(ty) {
            return false;
        }
        through.types.push(ty.clone());
        let write = self.program.writes.iter().find(|write| write.ty == *ty);
        match (write, ty) {
            (Some(write), _) => self.asks_given(&write.form, through),
            (None, Type::Product(id)) => {
                let fields = &self.program.types.product(*id).fields;
                fields.iter().any(|field| {
                    let ty = field.ty.required();
                    let whole = match ty {
                        Type::Member(part) => self.program.types.whole(part.kind),
                        other => other.clone(),
                    };
                    self.is_dynamic(ty) || self.form_asks_given(&whole, through)
                })
            }
            (None, _) => false,
        }
    }

    /// Whether an expression depends on a given, or on something that exists only in a game, directly or through a form
    /// or fact.
    fn asks_given(&self, expr: &Expr, through: &mut Through) -> bool {
        let mut asks = match &expr.kind {
            ExprKind::Given(_)
            | ExprKind::State(..)
            | ExprKind::EventField(_)
            | ExprKind::Builtin(Builtin::GameNumber, _) => true,
            ExprKind::Fact { fact, .. } | ExprKind::Tabulated(fact, _) => {
                self.fact_asks_given(*fact, through)
            }
            _ => false,
        };
        let ty = expr.ty.required();
        let whole = match ty {
            Type::Member(part) => self.program.types.whole(part.kind),
            other => other.clone(),
        };
        asks = asks || self.form_asks_given(&whole, through);
        asks = asks || self.is_dynamic(ty);
        asks = asks || ty.element().is_some_and(|element| self.is_dynamic(element));
        expr.children(&mut |child| asks = asks || self.asks_given(child, through));
        asks
    }

    fn fact_asks_given(&self, fact: FactId, through: &mut Through) -> bool {
        if through.facts.contains(&fact) {
            return false;
        }
        through.facts.push(fact);
        let fact = &self.program.facts[fact.index()];
        let definition = &fact.definition;
        let mut types = fact.parameters.iter().map(|(_, ty)| ty);
        let mut asks = types.any(|ty| self.is_dynamic(ty));
        asks = asks || self.is_dynamic(&definition.ty);
        each_root(definition, &mut |root| {
            asks = asks || self.asks_given(root, through);
        });
        asks
    }

    pub(super) fn joined(&mut self, frame: &mut Frame, collection: &Expr) -> Code {
        Code::Text(Box::new(self.list(frame, collection, ("", ""))))
    }

    /// A list with one text between its members and another before the last.
    pub(super) fn list(
        &mut self,
        frame: &mut Frame,
        collection: &Expr,
        (between, last): (&str, &str),
    ) -> Text {
        let element = collection.ty.element().cloned().unwrap_or(Type::Text);
        let written = self.written(&element);
        let source = self.source(frame, collection, true);
        Text::List {
            source: Box::new(self.ascending(source, &collection.ty)),
            written,
            between: between.to_string(),
            last: last.to_string(),
        }
    }

    /// The reading of a type's attribute: each text with its value.
    pub(super) fn attribute_texts(
        &self,
        kind: crate::types::KindId,
        attribute: usize,
    ) -> Vec<(String, i64)> {
        let kind = self.program.types.kind(kind);
        kind.attributes[attribute]
            .values
            .iter()
            .enumerate()
            .filter_map(|(place, value)| {
                let text = match value {
                    Constant::Text(text) => text.clone(),
                    Constant::Scalar(number) => {
                        let ty = &kind.attributes[attribute].ty;
                        let places = ty.required().places().unwrap_or(0);
                        crate::arithmetic::decimal_text(*number, places)
                    }
                    Constant::None => return None,
                };
                Some((text, i64::try_from(place).ok()?))
            })
            .collect()
    }
}
