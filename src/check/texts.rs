//! Checks texts with holes that are written, and the written forms of types and states.

use super::{Checker, Place, Scope, apply::Lifts};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Draw, Expr, ExprKind, StateId, Template, TemplatePart, Write},
    resolve::Entity,
    source::Span,
    syntax::ast::{self, Item, Many, TextPart},
    types::{Constant, Type, Types},
};

/// What a `write` defines.
enum WriteTarget {
    /// The form of a kind's or product's values.
    Values(Type),
    /// The sign of a state's entries, which have this type.
    Entries(StateId, Type),
}

/// How many pieces a written form may consist of, including those of the forms that it uses.
const MOST_PIECES: u64 = 1 << 12;

/// The number of pieces of each written form.
struct Pieces<'w> {
    types: &'w Types,
    writes: &'w [Write],
    /// The number of pieces of each form, as far as it is known.
    counts: Vec<Option<u64>>,
    /// Whether each form has too many.
    long: Vec<bool>,
}

impl Pieces<'_> {
    fn of(&mut self, place: usize) -> u64 {
        if let Some(count) = self.counts[place] {
            return count;
        }
        // Forms that contain themselves are reported elsewhere.
        self.counts[place] = Some(1);
        let mut count = 0u64;
        self.writes[place].form.walk(&mut |part| {
            let ExprKind::Template(template) = &part.kind else {
                return;
            };
            for piece in &template.parts {
                let more = match piece {
                    TemplatePart::Hole(value) => self.of_type(&value.ty),
                    TemplatePart::Literal(_) => 1,
                };
                count = count.saturating_add(more);
            }
        });
        if count > MOST_PIECES {
            self.long[place] = true;
            count = 1;
        }
        self.counts[place] = Some(count);
        count
    }

    fn of_type(&mut self, ty: &Type) -> u64 {
        let whole = match ty.required().element().unwrap_or(ty.required()) {
            Type::Member(part) => self.types.whole(part.kind),
            other => other.clone(),
        };
        let form = self.writes.iter().position(|write| write.ty == whole);
        form.map_or(1, |form| self.of(form))
    }
}

impl Checker<'_> {
    pub(super) fn writes(&mut self) -> (Vec<Write>, Vec<Draw>) {
        let (mut writes, mut draws) = (Vec::new(), Vec::new());
        let mut written: Vec<(&ast::Name, Span)> = Vec::new();
        let file = self.resolved.file;
        for item in &file.items {
            let Item::Write(write) = item else { continue };
            let Some(what) = self.write_target(&write.ty) else {
                continue;
            };
            let mut others = written.iter();
            if let Some((_, first)) = others.find(|(other, _)| other.text == write.ty.text) {
                self.report(
                    Diagnostic::error(
                        Code::DuplicateName,
                        write.span,
                        format!("`{}` has two written forms", write.ty.text),
                    )
                    .label(*first, "the first")
                    .help("keep one of them"),
                );
                continue;
            }
            written.push((&write.ty, write.span));
            let mut scope = Scope::new(Place::Write);
            let it = match &what {
                WriteTarget::Values(ty) => ty.clone(),
                WriteTarget::Entries(_, entry) => entry.clone(),
            };
            scope.parameter("it", it);
            let form = self.printed(&mut scope, &write.form);
            let locals = scope.locals();
            match what {
                WriteTarget::Values(ty) => writes.push(Write { ty, form, locals }),
                WriteTarget::Entries(state, _) => draws.push(Draw {
                    state,
                    sign: form,
                    locals,
                }),
            }
        }
        (self.short_forms(writes), draws)
    }

    /// Removes forms with too many pieces and reports them: each that uses another twice doubles its pieces.
    fn short_forms(&mut self, writes: Vec<Write>) -> Vec<Write> {
        let mut forms = Pieces {
            types: &self.resolved.types,
            writes: &writes,
            counts: vec![None; writes.len()],
            long: vec![false; writes.len()],
        };
        for place in 0..writes.len() {
            forms.of(place);
        }
        let long = forms.long;
        for (write, _) in writes.iter().zip(&long).filter(|(_, long)| **long) {
            let message = format!("this form is put together from more than {MOST_PIECES} pieces");
            self.report(
                Diagnostic::error(Code::ChainTooDeep, write.form.span, message)
                    .help("use each part at most once in its form"),
            );
        }
        let kept = writes.into_iter().zip(long).filter(|(_, long)| !long);
        kept.map(|(write, _)| write).collect()
    }

    /// What a `write` defines: the form of a kind or product, or the sign for a state that is a map on a grid.
    fn write_target(&mut self, name: &ast::Name) -> Option<WriteTarget> {
        let entity = self
            .resolved
            .names
            .get(&name.text)
            .map(|(entity, _)| *entity);
        let message = match entity {
            Some(Entity::Kind(id)) => {
                return Some(WriteTarget::Values(self.resolved.types.whole(id)));
            }
            Some(Entity::Product(id)) => return Some(WriteTarget::Values(Type::Product(id))),
            Some(Entity::State(id)) => {
                let state = &self.resolved.states[id.index()];
                let on_grid = |key: &Type| match key {
                    Type::Product(key) => self.resolved.types.product(*key).grid.is_some(),
                    _ => false,
                };
                let entry = &state.entry;
                if state.key.as_ref().is_some_and(on_grid) && entry.required().element().is_none() {
                    return Some(WriteTarget::Entries(id, entry.clone()));
                }
                let diagnostic = Diagnostic::error(
                    Code::Picture,
                    name.span,
                    format!(
                        "`{}` cannot be drawn: it is not a state with one value for each point of a grid",
                        name.text
                    ),
                )
                .help("write the name of such a state, of a kind or of a product");
                self.report(diagnostic);
                return None;
            }
            _ => format!("there is no kind, product or state called `{}`", name.text),
        };
        let names = self.resolved.names.iter();
        let names =
            names.filter(|(_, (entity, _))| entity.is_type() || matches!(entity, Entity::State(_)));
        let near = self.candidates(names.map(|(name, _)| name));
        let diagnostic = Diagnostic::error(Code::UnknownType, name.span, message)
            .did_you_mean(&name.text, near.iter().map(String::as_str));
        self.report(diagnostic);
        None
    }

    /// Checks a text as a value.
    pub(super) fn text_value(&mut self, scope: &mut Scope, text: &ast::Text) -> Expr {
        let template = self.template(scope, text, false);
        let kind = match template.parts.as_slice() {
            [] => ExprKind::Constant(Constant::Text(String::new())),
            [TemplatePart::Literal(literal)] => ExprKind::Constant(Constant::Text(literal.clone())),
            _ => ExprKind::Template(template),
        };
        Expr {
            kind,
            ty: Type::Text,
            span: text.span,
        }
    }

    /// Checks a text and its holes; only `says` and `impossible` rows write none as `none`.
    pub(super) fn template(
        &mut self,
        scope: &mut Scope,
        text: &ast::Text,
        writes_none: bool,
    ) -> Template {
        let mut parts = Vec::new();
        for part in &text.parts {
            match part {
                TextPart::Literal { text, .. } => parts.push(TemplatePart::Literal(text.clone())),
                TextPart::Hole(hole) => {
                    if !matches!(hole.many, Many::One) {
                        self.report(
                            Diagnostic::error(
                                Code::HoleForm,
                                hole.span,
                                "`...` is for reading: a text that is written needs none",
                            )
                            .help("write the collection alone: `{x}` joins it with blanks"),
                        );
                    }
                    let value = self.printed(scope, &hole.value);
                    self.sign_before(&parts, &value);
                    let value = Self::hole(value, writes_none);
                    let value = match &hole.separators {
                        Some(separators) => self.listed(value, separators),
                        None => value,
                    };
                    parts.push(TemplatePart::Hole(value));
                }
            }
        }
        Template { parts }
    }

    /// Warns of `"${who}"`, the syntax of other languages; before a number, a currency sign may be intended.
    fn sign_before(&mut self, before: &[TemplatePart], value: &Expr) {
        let signed =
            matches!(before.last(), Some(TemplatePart::Literal(text)) if text.ends_with('$'));
        if !signed || value.ty.required().is_number() || value.ty == Type::Wrong {
            return;
        }
        let span = value.span;
        let text = self.text(span);
        let brace = Span::new(
            span.source,
            (span.start as usize).saturating_sub(2)..span.start as usize,
        );
        let diagnostic = Diagnostic::warning(
            Code::SignBeforeHole,
            span,
            "the `$` before this hole is written as it is",
        )
        .help(format!("a hole is `{{{text}}}`, without `$`"));
        self.report(if self.written(brace) == "${" {
            diagnostic.edit(brace, "{", false)
        } else {
            diagnostic
        });
    }

    /// The value of a hole. Without `else` it must not be none.
    fn hole(value: Expr, writes_none: bool) -> Expr {
        match &value.ty {
            Type::Optional(inner) if !writes_none => Expr {
                ty: (**inner).clone(),
                span: value.span,
                kind: ExprKind::The(Box::new(value)),
            },
            _ => value,
        }
    }

    /// Checks a collection with separators between its members.
    fn listed(&mut self, value: Expr, separators: &ast::Separators) -> Expr {
        if value.ty == Type::Wrong {
            return value;
        }
        if value.ty.element().is_none() {
            let message = format!(
                "{}, but `by` says what comes between the members of a collection",
                self.text_and_type(&value)
            );
            self.report(Diagnostic::error(Code::HoleForm, separators.span, message));
            return Self::wrong(value.span);
        }
        let between = self.separator(&separators.between);
        let last = match &separators.last {
            Some(last) => self.separator(last),
            None => between.clone(),
        };
        let span = value.span;
        let kind = ExprKind::Listed {
            collection: Box::new(value),
            between,
            last,
        };
        Expr::new(kind, Type::Text, span)
    }

    /// Checks a text without holes.
    pub(super) fn separator(&mut self, text: &ast::Text) -> String {
        match text.parts.as_slice() {
            [] => String::new(),
            [TextPart::Literal { text, .. }] => text.clone(),
            _ => {
                self.report(
                    Diagnostic::error(
                        Code::HoleForm,
                        text.span,
                        "what comes between the members of a collection has no holes",
                    )
                    .help("write the members as texts, `{(\"…\" for x in s) by ', '}`"),
                );
                String::new()
            }
        }
    }

    /// Checks a value that must have a written form.
    pub(super) fn printed(&mut self, scope: &mut Scope, written: &ast::Expr) -> Expr {
        let value = match &written.kind {
            ast::ExprKind::Binary {
                operator: ast::Operator::Else,
                left,
                right,
                ..
            } => self.or_else(scope, (left, right), None, true, written.span),
            _ => self.expression(scope, written, None),
        };
        if value.ty == Type::Wrong || self.is_printable(value.ty.required()) {
            return value;
        }
        let message = format!("{}, which has no written form", self.text_and_type(&value));
        let element = value.ty.required().element();
        let help = match element.and_then(Type::element) {
            _ if element == Some(&Type::Nothing) => {
                "leave it out; for an empty line, write `\"\"`".to_string()
            }
            Some(_) => format!(
                "write each of its members as a text: `{{('{{x}}' for x in {}) by ', '}}`",
                self.text(value.span)
            ),
            None => match value.ty.required() {
                Type::Map(keys, _) => format!(
                    "write its entries one by one, as in `{{('{{{} of x}}' for x in {}) by ' '}}`",
                    self.text(value.span).trim_start_matches("new "),
                    self.resolved.types.described(keys)
                ),
                _ => "write its members or parts one by one: `{(… for x in …)}`".to_string(),
            },
        };
        self.report(Diagnostic::error(Code::NotPrintable, value.span, message).help(help));
        Self::wrong(value.span)
    }

    /// An optional value as text: none stays none.
    pub(super) fn as_text(scope: &mut Scope, value: Expr) -> Expr {
        let span = value.span;
        let mut lifts = Lifts::default();
        let hole = Self::lifted(scope, value, false, &mut lifts);
        let parts = vec![TemplatePart::Hole(hole)];
        let text = ExprKind::Template(Template { parts });
        lifts.around(Expr::new(text, Type::Text, span))
    }

    /// Whether values of the type have a written form.
    pub(super) fn is_printable(&self, ty: &Type) -> bool {
        match ty {
            Type::YesNo
            | Type::Number
            | Type::Decimal(_)
            | Type::Range(_)
            | Type::Member(_)
            | Type::Word
            | Type::Text
            | Type::Nothing
            | Type::Wrong => true,
            Type::Product(id) => !self.resolved.types.product(*id).record,
            Type::Optional(inner) => self.is_printable(inner),
            Type::Set(element) | Type::Bag(element) | Type::Pile(element) => {
                !matches!(
                    **element,
                    Type::Set(_) | Type::Bag(_) | Type::Pile(_) | Type::Nothing
                ) && self.is_printable(element)
            }
            Type::Map(..) => false,
        }
    }
}

/// The plain parts of a text, for titles and the like.
pub(super) fn plain(text: &ast::Text) -> String {
    text.parts
        .iter()
        .map(|part| match part {
            TextPart::Literal { text, .. } => text.as_str(),
            TextPart::Hole(_) => "…",
        })
        .collect()
}
