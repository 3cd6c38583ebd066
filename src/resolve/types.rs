//! Resolves types as written to [`Type`]s.

use super::{Entity, Memo, ProductItem, Resolver, signatures::Bound};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{self, ExprKind, TypeKind},
    types::{Constant, Field, Geometry, GivenId, Interval, KindId, Part, ProductId, Type},
};

/// How many values a type may have if it is enumerated, or has an entry for each.
pub(super) const GREATEST_TYPE: u64 = 1 << 20;

impl<'t> Resolver<'t> {
    /// The type that is written.
    pub(super) fn ty(&mut self, written: &'t ast::Type) -> Type {
        match &written.kind {
            TypeKind::YesNo => Type::YesNo,
            TypeKind::Named(name) => self.named_type(name),
            TypeKind::Decimals(places) => Type::numbers(*places),
            TypeKind::Range(lo, hi) => self.range_type(lo, hi, written.span),
            TypeKind::Set(element) => Type::Set(self.element_type(element).into()),
            TypeKind::Bag(element) => Type::Bag(self.element_type(element).into()),
            TypeKind::Pile(element) => Type::Pile(self.element_type(element).into()),
            TypeKind::Map(key, value) => {
                let key_type = self.ty(key);
                match self.types.capacity(&key_type) {
                    None if self.is_wrong(&key_type) => {}
                    None => {
                        let message = format!(
                            "there would be an entry for every {}, of which there is no end",
                            self.types.display(&key_type)
                        );
                        self.report(
                            Diagnostic::error(Code::InfiniteKey, key.span, message)
                                .help("use a kind, a product of kinds, or numbers such as `1..9`"),
                        );
                    }
                    Some(count) if count > GREATEST_TYPE => self.too_large(key.span, count),
                    Some(_) => {}
                }
                Type::Map(key_type.into(), self.ty(value).into())
            }
            TypeKind::Optional(inner) => {
                let inner_type = self.ty(inner);
                if inner_type.is_optional() {
                    self.report(
                        Diagnostic::error(
                            Code::WrongType,
                            written.span,
                            "this may be none twice over",
                        )
                        .help("leave out the `?`: the type has one already"),
                    );
                }
                inner_type.optional()
            }
        }
    }

    /// Whether the only mistakes are unknown types of fields, states, facts and givens.
    pub(super) fn lacks_only_types(&self, wrong: &[Diagnostic]) -> bool {
        let known = |option: &Memo<_>| matches!(option, Memo::Known(_));
        wrong.iter().all(|one| one.code == Code::UnknownType)
            && self.option_values.iter().all(known)
            && self
                .alias_types
                .iter()
                .all(|alias| matches!(alias, Memo::Known(ty) if !self.is_wrong(ty)))
            && (0..self.products.len()).all(|id| !self.is_wrong(&Type::Product(ProductId::new(id))))
    }

    /// Whether a mistake in a type was already reported.
    pub(super) fn is_wrong(&self, ty: &Type) -> bool {
        match ty.required() {
            Type::Wrong => true,
            Type::Product(id) => {
                let fields = &self.types.product(*id).fields;
                fields.iter().any(|field| self.is_wrong(&field.ty))
            }
            _ => false,
        }
    }

    /// The type of a collection's members, which are never none.
    fn element_type(&mut self, written: &'t ast::Type) -> Type {
        let element = self.ty(written);
        if element.is_optional() {
            self.report(
                Diagnostic::error(
                    Code::WrongType,
                    written.span,
                    "a collection never holds none: it leaves it out",
                )
                .help("leave out the `?`"),
            );
        }
        if let Type::Range(_) | Type::Member(_) | Type::Product(_) = element
            && let Some(count) = self.types.capacity(&element)
            && count > GREATEST_TYPE
        {
            self.too_large(written.span, count);
        }
        element
    }

    pub(super) fn too_large(&mut self, span: Span, count: u64) {
        let more = if count == u64::MAX { " or more" } else { "" };
        self.report(
            Diagnostic::error(
                Code::TooLarge,
                span,
                format!("this needs {count}{more} entries; {GREATEST_TYPE} is the most"),
            )
            .help("use a smaller range"),
        );
    }

    fn named_type(&mut self, name: &'t ast::Name) -> Type {
        match name.text.as_str() {
            "number" => return Type::Number,
            "word" => return Type::Word,
            "text" => return Type::Text,
            _ => {}
        }
        self.used.insert(name.text.clone());
        match self.names.get(&name.text).map(|(entity, _)| *entity) {
            Some(Entity::Kind(id)) => {
                self.kind_members(id);
                self.types.whole(id)
            }
            Some(Entity::Product(id)) => {
                self.product_fields(id);
                if matches!(
                    self.product_ready[id.index()],
                    Memo::InProgress | Memo::Wrong
                ) {
                    return Type::Wrong;
                }
                Type::Product(id)
            }
            Some(Entity::Alias(index)) => self.alias_type(index),
            Some(entity) => {
                let message = format!("`{}` is {}, not a type", name.text, entity.described());
                self.report(
                    Diagnostic::error(Code::UnknownType, name.span, message).help(format!(
                        "for the numbers up to it, write `1..{}`",
                        name.text
                    )),
                );
                Type::Wrong
            }
            None => {
                let types = self.names.iter();
                let types = types.filter(|(_, (entity, _))| entity.is_type());
                let mut near = self.candidates(types.map(|(name, _)| name));
                near.extend(["number", "word", "text"].map(String::from));
                self.unknown_type(name, &near);
                Type::Wrong
            }
        }
    }

    fn unknown_type(&mut self, name: &ast::Name, near: &[String]) {
        let instead = match name.text.as_str() {
            "int" | "integer" | "Int" | "Integer" | "float" | "Number" => Some("`number`"),
            "bool" | "boolean" | "Bool" | "Boolean" => Some("`yes/no`"),
            "string" | "str" | "String" => {
                Some("`word` for a word that a transcript says, `text` for what a report says")
            }
            "list" | "array" | "List" => Some("`pile of …`"),
            _ => None,
        };
        let mut diagnostic = Self::unknown(name, "type", Code::UnknownType, near);
        let text = &name.text;
        if let Some(instead) = instead {
            diagnostic.help.clear();
            diagnostic = diagnostic.help(format!("write {instead}"));
        } else if diagnostic.help.is_empty() && text.starts_with(char::is_uppercase) {
            diagnostic = diagnostic.help(format!("declare it: `kind {text} | A | B` names its values, `type {text} = …` is another type or part of one"));
        }
        self.report(diagnostic);
    }

    fn range_type(&mut self, lo: &'t ast::Expr, hi: &'t ast::Expr, span: Span) -> Type {
        if let (Some(first), Some(last)) = (self.member(lo), self.member(hi)) {
            let ((kind, first), (other, last)) = (first, last);
            if kind != other {
                self.report(
                    Diagnostic::error(
                        Code::WrongType,
                        span,
                        "these are members of two kinds, and a range is of one",
                    )
                    .help("write two members of the same kind"),
                );
                return Type::Wrong;
            }
            if first > last {
                self.empty_range(span);
                return Type::Wrong;
            }
            self.used.insert(self.types.kind(kind).name.clone());
            return Type::Member(Part { kind, first, last });
        }
        let (Some(first), Some(last)) = (self.bound(lo), self.bound(hi)) else {
            return Type::Wrong;
        };
        let places = first.places().max(last.places());
        let (Some((low, lo_given)), Some((high, hi_given))) = (
            self.bound_of_places(&first, places, lo.span),
            self.bound_of_places(&last, places, hi.span),
        ) else {
            return Type::Wrong;
        };
        let interval = Interval {
            lo: low.lo,
            hi: high.hi,
            places,
            lo_given,
            hi_given,
        };
        if interval.lo > interval.hi {
            self.empty_range(span);
            return Type::Wrong;
        }
        Type::Range(interval)
    }

    /// A bound of a range: a number, an option, or a given that has bounds itself.
    pub(super) fn bound(&mut self, written: &'t ast::Expr) -> Option<Bound> {
        if let ExprKind::Name(name) = &written.kind
            && let Some((Entity::Given(id), _)) = self.names.get(&name.text)
        {
            return self.given_bound(*id, written.span);
        }
        if let Some(given) = self.given_within(written) {
            let message = format!(
                "`{}` is a given: it can be an end of a range only on its own, not in a calculation",
                given.text
            );
            let help = "make the result a given, too, or write its greatest possible value";
            self.report(Diagnostic::error(Code::NotConstant, given.span, message).help(help));
            return None;
        }
        match self.constant(written, Some(&Type::Number))? {
            (Constant::Scalar(number), ty) if ty.is_number() => {
                let places = ty.places().unwrap_or(0);
                Some(Bound::Fixed(Interval::decimal(number, number, places)))
            }
            (_, ty) => {
                let message = format!(
                    "a bound is a number, but this is {}",
                    self.types.described(&ty)
                );
                self.report(Diagnostic::error(Code::WrongType, written.span, message));
                None
            }
        }
    }

    /// The first given that a calculation asks for.
    fn given_within(&self, written: &'t ast::Expr) -> Option<&'t ast::Name> {
        match &written.kind {
            ExprKind::Name(name) => {
                let (entity, _) = self.names.get(&name.text)?;
                matches!(entity, Entity::Given(_)).then_some(name)
            }
            ExprKind::Group(inner) => self.given_within(inner),
            ExprKind::Binary { left, right, .. } => {
                let left = self.given_within(left);
                left.or_else(|| self.given_within(right))
            }
            _ => None,
        }
    }

    fn given_bound(&mut self, id: GivenId, span: Span) -> Option<Bound> {
        let (key, entry) = self.given_type(id);
        match (key, entry) {
            (None, Type::Range(interval)) => {
                self.bounds.insert(id);
                Some(Bound::Given(id, interval))
            }
            (_, Type::Wrong) => None,
            _ => {
                self.report(
                    Diagnostic::error(
                        Code::UnboundedBound,
                        span,
                        "a given can be a bound only if it has bounds itself",
                    )
                    .help("give it a type such as `2..4`: room is made for the most"),
                );
                None
            }
        }
    }

    /// A bound in units of so many decimal places. Givens are not converted, so a given must have as many.
    fn bound_of_places(
        &mut self,
        bound: &Bound,
        places: u8,
        span: Span,
    ) -> Option<(Interval, Option<GivenId>)> {
        match bound {
            Bound::Fixed(number) => {
                let scaled = number.scaled(places);
                if scaled.is_none() {
                    let message = "with so many decimal places this bound is too large";
                    self.report(Diagnostic::error(Code::LargeNumber, span, message));
                }
                scaled.map(|scaled| (scaled, None))
            }
            Bound::Given(id, range) if range.places == places => Some((*range, Some(*id))),
            Bound::Given(..) => {
                let message =
                    "both ends of a range have equally many decimal places if one is a given";
                self.report(
                    Diagnostic::error(Code::WrongType, span, message)
                        .help("give both as many, as in `0.0` for `0`"),
                );
                None
            }
        }
    }

    fn empty_range(&mut self, span: Span) {
        self.report(
            Diagnostic::error(Code::EmptyRange, span, "this range has nothing in it")
                .help("write the smaller one first"),
        );
    }

    /// The member of a kind that an expression names, if it names one.
    fn member(&self, written: &ast::Expr) -> Option<(KindId, u32)> {
        let ExprKind::Name(name) = &written.kind else {
            return None;
        };
        match self.members.get(&name.text)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    pub(super) fn alias_type(&mut self, index: usize) -> Type {
        match &self.alias_types[index] {
            Memo::Known(known) => return known.clone(),
            Memo::InProgress => {
                let name = &self.aliases[index].name;
                self.cyclic(name);
                return Type::Wrong;
            }
            Memo::Wrong => return Type::Wrong,
            Memo::Pending => {}
        }
        self.alias_types[index] = Memo::InProgress;
        let alias = self.aliases[index];
        let ty = self.nested(&alias.name, |resolver| resolver.ty(&alias.ty));
        let depth = ty.as_ref().map_or(0, |ty| self.type_depth(ty));
        let Some(ty) = ty.filter(|_| !self.is_too_deep(&alias.name, depth)) else {
            self.alias_types[index] = Memo::Wrong;
            return Type::Wrong;
        };
        self.alias_types[index] = Memo::Known(ty.clone());
        self.types
            .aliases
            .push((alias.name.text.clone(), ty.clone()));
        ty
    }

    pub(super) fn product_fields(&mut self, id: ProductId) {
        match self.product_ready[id.index()] {
            Memo::Known(()) | Memo::Wrong => return,
            Memo::InProgress => {
                let name = match self.products[id.index()] {
                    ProductItem::Product(product) => &product.name,
                    ProductItem::Grid(grid) => &grid.name,
                };
                self.cyclic(name);
                return;
            }
            Memo::Pending => {}
        }
        self.product_ready[id.index()] = Memo::InProgress;
        let item = self.products[id.index()];
        let (name, parameters): (&ast::Name, Vec<&'t ast::Parameter>) = match item {
            ProductItem::Product(product) => (&product.name, product.fields.iter().collect()),
            ProductItem::Grid(grid) => (
                &grid.name,
                grid.axes.iter().map(|axis| &axis.field).collect(),
            ),
        };
        let mut fields: Vec<Field> = Vec::new();
        for parameter in &parameters {
            if fields.iter().any(|field| field.name == parameter.name.text) {
                self.duplicate(&parameter.name, parameters[0].name.span);
            }
            let ty = self.nested(name, |resolver| resolver.ty(&parameter.ty));
            let ty = ty.unwrap_or(Type::Wrong);
            fields.push(Field {
                name: parameter.name.text.clone(),
                ty,
            });
        }
        let parts = fields.iter().map(|field| self.type_parts(&field.ty));
        let parts = parts.fold(0, u64::saturating_add);
        let too_many = self.has_too_many_parts(name, parts);
        if too_many {
            for field in &mut fields {
                field.ty = Type::Wrong;
            }
        } else {
            self.product_parts[id.index()] = parts;
        }
        let record = fields
            .iter()
            .any(|field| self.types.capacity(&field.ty).is_none());
        let wrong = fields.iter().any(|field| field.ty == Type::Wrong);
        let depths = fields.iter().map(|field| self.type_depth(&field.ty));
        let depth = depths.max().unwrap_or(0);
        let product = &mut self.types.products[id.index()];
        product.fields = fields;
        product.record = record;
        self.product_depths[id.index()] = depth;
        if too_many || self.is_too_deep(name, depth) {
            self.product_ready[id.index()] = Memo::Wrong;
            return;
        }
        self.product_ready[id.index()] = Memo::Known(());
        if wrong {
            return;
        }
        if let Some(count) = self.types.capacity(&Type::Product(id))
            && count > GREATEST_TYPE
        {
            self.too_large(name.span, count);
        }
        if let ProductItem::Grid(grid) = item {
            self.grid_geometry(id, grid);
        }
    }

    fn grid_geometry(&mut self, id: ProductId, grid: &'t ast::Grid) {
        let fields = &self.types.products[id.index()].fields;
        let ordered = |ty: &Type| matches!(ty, Type::Range(_) | Type::Member(_));
        if fields.len() != 2 || !fields.iter().all(|field| ordered(&field.ty)) {
            self.report(
                Diagnostic::error(
                    Code::GridAxes,
                    grid.name.span,
                    "a grid has two axes, each of numbers or of a kind",
                )
                .help("write `grid Point(row: 1..9, column: 1..9)`, or `type` where there is no geometry"),
            );
            return;
        }
        self.types.products[id.index()].grid = Some(Geometry {
            rows_up: grid.axes[0].up,
            columns_up: grid.axes[1].up,
            wraps: (grid.axes[0].wraps, grid.axes[1].wraps),
            product: id,
        });
    }
}
