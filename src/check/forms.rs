//! Constant evaluation, for checks of how values are written.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

use super::by_tables;
use crate::{
    arithmetic,
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Body, Builtin, ByTable, Expr, ExprKind, FactId, Hole, Item, LocalId, Order,
        Program, TemplatePart, Tense, Via,
    },
    types::{Constant, ProductId, Type, Types},
};

/// How many values a type may have to be checked.
const GREATEST: u64 = 5_000;

/// How many calls of facts are evaluated to find forms that are the same.
const CALLS: u32 = 200_000;

/// How deeply an evaluated expression may nest.
const DEEP: usize = 100;

/// The values of variables.
pub(super) type Locals = Vec<(LocalId, Constant)>;

/// Evaluates expressions that depend on nothing but their variables.
#[derive(Debug)]
pub(super) struct Forms<'p> {
    program: &'p Program,
    /// How many calls of facts may still be evaluated.
    calls: Cell<u32>,
}

impl<'p> Forms<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Forms {
            program,
            calls: Cell::new(0),
        }
    }

    fn types(&self) -> &'p Types {
        &self.program.types
    }

    /// The value of a constant expression as a scalar: a number, member or product.
    pub(super) fn scalar(&self, expression: &Expr) -> Option<i64> {
        match self.value(expression, &mut Vec::new(), 0)? {
            Constant::Scalar(value) => Some(value),
            Constant::Text(_) | Constant::None => None,
        }
    }

    /// The value of an expression, if it depends on nothing but `locals`.
    pub(super) fn known(
        &self,
        expression: &Expr,
        locals: &[(LocalId, Constant)],
    ) -> Option<Constant> {
        self.value(expression, &mut locals.to_vec(), 0)
    }

    fn value(&self, expression: &Expr, locals: &mut Locals, depth: usize) -> Option<Constant> {
        if depth > DEEP {
            return None;
        }
        let depth = depth + 1;
        let number =
            |operand: &Expr, locals: &mut Locals| match self.value(operand, locals, depth)? {
                Constant::Scalar(value) => Some(value),
                Constant::Text(_) | Constant::None => None,
            };
        Some(match &expression.kind {
            ExprKind::Constant(constant) => constant.clone(),
            ExprKind::Local(local) => {
                let (_, value) = locals.iter().rev().find(|(found, _)| found == local)?;
                value.clone()
            }
            ExprKind::Checked(inner) | ExprKind::Converted(inner) | ExprKind::The(inner) => {
                let value = self.value(inner, locals, depth)?;
                let places = |ty: &Type| ty.required().places().unwrap_or(0);
                match value {
                    Constant::Scalar(value) => Constant::Scalar(arithmetic::scaled(
                        value,
                        places(&inner.ty),
                        places(&expression.ty),
                    )?),
                    value => value,
                }
            }
            ExprKind::Attribute {
                kind,
                attribute,
                operand,
            } => {
                let place = usize::try_from(number(operand, locals)?).ok()?;
                let attribute = self.types().kind(*kind).attributes.get(*attribute)?;
                attribute.values.get(place)?.clone()
            }
            ExprKind::Field {
                product,
                field,
                operand,
            } => {
                let index = number(operand, locals)?;
                let parts = self.types().product_parts(*product, index);
                parts
                    .get(*field)?
                    .1
                    .map_or(Constant::None, Constant::Scalar)
            }
            ExprKind::Make { product, parts } => {
                let values = parts.iter().map(|part| self.value(part, locals, depth));
                self.made(*product, values.collect::<Option<Vec<_>>>()?)?
            }
            ExprKind::Numbered(inner) => Constant::Scalar(number(inner, locals)?.checked_sub(1)?),
            ExprKind::Negate(inner) => Constant::Scalar(number(inner, locals)?.checked_neg()?),
            ExprKind::Arithmetic {
                operator,
                left,
                right,
            } => {
                let (left, right) = (number(left, locals)?, number(right, locals)?);
                Constant::Scalar(calculated(*operator, left, right)?)
            }
            ExprKind::Builtin(Builtin::Number, operands) => {
                Constant::Scalar(number(operands.first()?, locals)?.checked_add(1)?)
            }
            ExprKind::Lift {
                local,
                operand,
                body,
            } => match self.value(operand, locals, depth)? {
                Constant::None => Constant::None,
                value => {
                    locals.push((*local, value));
                    let value = self.value(body, locals, depth);
                    locals.pop();
                    value?
                }
            },
            ExprKind::Else(left, right) => match self.value(left, locals, depth)? {
                Constant::None => self.value(right, locals, depth)?,
                value => value,
            },
            ExprKind::Template(template) => {
                Constant::Text(self.text(&template.parts, locals, depth)?)
            }
            ExprKind::Fact {
                fact,
                tense: Tense::Now,
                arguments,
            } => {
                let values = arguments.iter();
                let values = values.map(|value| self.value(value, locals, depth));
                self.called(*fact, values.collect::<Option<_>>()?, depth)?
            }
            _ => Constant::Scalar(i64::from(self.truth(expression, locals, depth)?)),
        })
    }

    /// The text that a template makes.
    fn text(&self, parts: &[TemplatePart], locals: &mut Locals, depth: usize) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                TemplatePart::Literal(literal) => text.push_str(literal),
                TemplatePart::Hole(hole) => {
                    let value = self.value(hole, locals, depth)?;
                    text.push_str(&self.written(&value, &hole.ty, depth)?);
                }
            }
        }
        Some(text)
    }

    /// The value of a fact that is one expression or is matched by column.
    fn called(&self, fact: FactId, values: Vec<Constant>, depth: usize) -> Option<Constant> {
        self.calls.set(self.calls.get().checked_sub(1)?);
        let values = values.into_iter().enumerate();
        let mut locals = values
            .map(|(place, value)| (LocalId::new(place), value))
            .collect();
        match &self.program.facts.get(fact.index())?.definition.body {
            Body::Expression(value) => self.value(value, &mut locals, depth),
            Body::By(table) => self.matched(table, &mut locals, depth),
            Body::Table(_) => None,
        }
    }

    /// The value of the first row that matches.
    fn matched(&self, table: &ByTable, locals: &mut Locals, depth: usize) -> Option<Constant> {
        let keys = table.keys.iter().map(|key| self.value(key, locals, depth));
        let keys = keys.collect::<Option<Vec<_>>>()?;
        for row in &table.rows {
            let mut fires = row
                .cells
                .iter()
                .zip(&keys)
                .all(|(cell, key)| by_tables::fits(cell, key));
            for condition in &row.conditions {
                fires = fires && self.value(condition, locals, depth)? == Constant::Scalar(1);
            }
            if fires {
                return self.value(&row.value, locals, depth);
            }
        }
        None
    }

    /// The product with these parts.
    fn made(&self, product: ProductId, parts: Vec<Constant>) -> Option<Constant> {
        let parts = parts.into_iter().map(|part| match part {
            Constant::Scalar(value) => Some(Some(value)),
            Constant::None => Some(None),
            Constant::Text(_) => None,
        });
        let parts: Vec<Option<i64>> = parts.collect::<Option<_>>()?;
        let index = self.types().product_index(product, &parts)?;
        Some(Constant::Scalar(index))
    }

    /// The value of a condition that depends on nothing but `locals`.
    fn truth(&self, expression: &Expr, locals: &mut Locals, depth: usize) -> Option<bool> {
        let holds = |operand: &Expr, locals: &mut Locals| {
            Some(self.value(operand, locals, depth)? == Constant::Scalar(1))
        };
        Some(match &expression.kind {
            ExprKind::Not(inner) => !holds(inner, locals)?,
            ExprKind::And(left, right) => holds(left, locals)? && holds(right, locals)?,
            ExprKind::Or(left, right) => holds(left, locals)? || holds(right, locals)?,
            ExprKind::Is(left, right) => {
                self.value(left, locals, depth)? == self.value(right, locals, depth)?
            }
            ExprKind::Order {
                operator,
                left,
                right,
            } => {
                let left = self.value(left, locals, depth)?;
                let right = self.value(right, locals, depth)?;
                let (Constant::Scalar(left), Constant::Scalar(right)) = (left, right) else {
                    return None;
                };
                match operator {
                    Order::Less => left < right,
                    Order::LessOrEqual => left <= right,
                    Order::Greater => left > right,
                    Order::GreaterOrEqual => left >= right,
                }
            }
            _ => return None,
        })
    }

    /// The written form of a value.
    pub(super) fn written(&self, value: &Constant, ty: &Type, depth: usize) -> Option<String> {
        if depth > DEEP {
            return None;
        }
        let value = match value {
            Constant::Text(text) => return Some(text.clone()),
            Constant::None => return None,
            Constant::Scalar(value) => *value,
        };
        let ty = ty.required();
        let whole = match ty {
            Type::Member(part) => self.types().whole(part.kind),
            other => other.clone(),
        };
        if let Some(write) = self.program.writes.iter().find(|write| write.ty == whole) {
            let mut locals = vec![(LocalId(0), Constant::Scalar(value))];
            let form = self.value(&write.form, &mut locals, depth)?;
            return self.written(&form, &write.form.ty, depth + 1);
        }
        match ty {
            Type::Product(id) => {
                let parts = self.types().product_parts(*id, value);
                let parts: Option<Vec<String>> = parts
                    .into_iter()
                    .map(|(ty, part)| {
                        let part = part.map_or(Constant::None, Constant::Scalar);
                        self.written(&part, ty, depth + 1)
                    })
                    .collect();
                Some(parts?.join(","))
            }
            ty => Some(self.types().value_name(ty, value)),
        }
    }

    /// Whether a given determines how many values the type has.
    pub(super) fn is_sized_by_given(&self, ty: &Type) -> bool {
        match ty {
            Type::Range(interval) => interval.is_dynamic(),
            Type::Member(part) => self.types().kind(part.kind).count.is_some(),
            Type::Product(id) => {
                let fields = &self.types().product(*id).fields;
                fields.iter().any(|field| self.is_sized_by_given(&field.ty))
            }
            Type::Optional(inner) => self.is_sized_by_given(inner),
            _ => false,
        }
    }

    /// All values of a type, if they are few and known.
    pub(super) fn values(&self, ty: &Type) -> Option<Vec<i64>> {
        let count = self
            .types()
            .capacity(ty)
            .filter(|count| *count <= GREATEST)?;
        let count = i64::try_from(count).ok()?;
        Some(match ty {
            Type::YesNo => vec![0, 1],
            Type::Range(interval) => (interval.lo..=interval.hi).collect(),
            Type::Member(part) => (i64::from(part.first)..=i64::from(part.last)).collect(),
            Type::Product(id) => {
                let mut values = Vec::new();
                for index in 0..count {
                    if self.is_possible(*id, index)? {
                        values.push(index);
                    }
                }
                values
            }
            _ => return None,
        })
    }

    /// Whether the condition of a product holds for a value; none if it cannot be evaluated.
    fn is_possible(&self, id: ProductId, index: i64) -> Option<bool> {
        for (product, condition, _) in &self.program.conditions {
            if *product == id {
                let parts = self.types().product_parts(id, index);
                let mut locals: Locals = Vec::new();
                for (place, (_, part)) in parts.into_iter().enumerate() {
                    let part = part.map_or(Constant::None, Constant::Scalar);
                    locals.push((LocalId::new(place), part));
                }
                if self.value(condition, &mut locals, 0)? != Constant::Scalar(1) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// The written form of each value that a hole can read, if they are known and no given determines how many there
    /// are.
    pub(super) fn hole_forms(&self, hole: &Hole) -> Option<Vec<(i64, String)>> {
        if self.is_sized_by_given(&hole.ty) {
            return None;
        }
        let values = self.values(&hole.ty)?;
        let mut forms = Vec::new();
        for value in values {
            let form = match hole.via {
                Via::Form => self.written(&Constant::Scalar(value), &hole.ty, 0)?,
                Via::Attribute(kind, attribute) => {
                    let attribute = self.types().kind(kind).attributes.get(attribute)?;
                    let written = attribute.values.get(usize::try_from(value).ok()?)?;
                    self.written(written, &attribute.ty, 0)?
                }
                Via::Joined => return None,
            };
            forms.push((value, form));
        }
        Some(forms)
    }

    /// Reports forms that are ambiguous when they are read.
    pub(super) fn check(&self) -> Vec<Diagnostic> {
        let mut patterns = Vec::new();
        for transcript in &self.program.transcripts {
            super::reads::patterns(&transcript.steps, &mut patterns);
        }
        let holes = patterns
            .into_iter()
            .flat_map(|pattern| &pattern.items)
            .flat_map(Item::holes);
        self.calls.set(CALLS);
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut diagnostics = Vec::new();
        for hole in holes {
            let finite = matches!(hole.ty, Type::Member(_) | Type::Product(_));
            if !finite || !seen.insert(format!("{:?} {:?}", hole.ty, hole.via)) {
                continue;
            }
            diagnostics.extend(match self.hole_forms(hole) {
                Some(forms) => self.unreadable(hole, &forms),
                None => self.with_a_blank(hole),
            });
        }
        self.calls.set(0);
        diagnostics
    }

    fn unreadable(&self, hole: &Hole, forms: &[(i64, String)]) -> Option<Diagnostic> {
        let name = |value: i64| self.types().value_name(&hole.ty, value);
        let mut first: BTreeMap<&str, i64> = BTreeMap::new();
        for (value, form) in forms {
            if form.is_empty() || form.contains(char::is_whitespace) {
                let how = if form.is_empty() {
                    "as nothing"
                } else {
                    "with a blank"
                };
                return Some(
                    Diagnostic::error(
                        Code::SameForm,
                        hole.span,
                        format!(
                            "`{}` is written {how}, so it cannot be read as one word",
                            name(*value)
                        ),
                    )
                    .help(self.other_form(hole)),
                );
            }
            if let Some(other) = first.insert(form, *value) {
                return Some(
                    Diagnostic::error(
                        Code::SameForm,
                        hole.span,
                        format!(
                            "`{}` and `{}` are both written `{form}`, so neither can be read",
                            name(other),
                            name(*value)
                        ),
                    )
                    .help(self.other_form(hole)),
                );
            }
        }
        None
    }

    /// Reports a form with a blank in it, although the rest of the form is known only when a game starts.
    fn with_a_blank(&self, hole: &Hole) -> Option<Diagnostic> {
        if !matches!(hole.via, Via::Form) {
            return None;
        }
        let whole = self.types().whole_of(&hole.ty);
        let mut writes = self.program.writes.iter();
        let write = writes.find(|write| write.ty == whole)?;
        let ExprKind::Template(template) = &write.form.kind else {
            return None;
        };
        let is_blank = |part: &TemplatePart| match part {
            TemplatePart::Literal(text) => text.contains(char::is_whitespace),
            TemplatePart::Hole(_) => false,
        };
        template.parts.iter().any(is_blank).then(|| {
            let message = format!(
                "a {} is written with a blank, so it cannot be read as one word",
                self.types().display(&whole)
            );
            Diagnostic::error(Code::SameForm, hole.span, message)
                .label(write.form.span, "it is written so")
                .help(self.other_form(hole))
        })
    }

    fn other_form(&self, hole: &Hole) -> String {
        match hole.via {
            Via::Attribute(kind, attribute) => {
                let attribute = &self.types().kind(kind).attributes[attribute].name;
                format!("give each its own `{attribute}`")
            }
            Via::Form | Via::Joined => {
                let ty = self.types().display(&self.types().whole_of(&hole.ty));
                format!("give each its own form, without blanks: `write {ty} as \"…\"`")
            }
        }
    }
}

fn calculated(operator: Arithmetic, left: i64, right: i64) -> Option<i64> {
    match operator {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide => arithmetic::divide(left, right),
        Arithmetic::DivideUp => arithmetic::divide_up(left, right),
        Arithmetic::DivideEven => arithmetic::divide_even(left, right),
        Arithmetic::Modulo => arithmetic::modulo(left, right),
    }
}
