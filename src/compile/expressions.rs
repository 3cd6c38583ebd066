//! Compiles expressions.

use super::{Compiler, Context, Frame, Noting};
use crate::{
    code::{After, Code, Component, Entry, NONE, Part, Shape, Tabulate},
    program::{Arithmetic, Expr, ExprKind, FactId, Order, StateId, Tense},
    types::{Constant, ProductId, Type},
};

impl Compiler<'_> {
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
    pub(super) fn code(&mut self, frame: &mut Frame, expr: &Expr) -> Code {
        if frame.noting != Noting::No
            && let Some(noted) = self.noted(frame, expr)
        {
            return noted;
        }
        match &expr.kind {
            ExprKind::Constant(constant) => self.constant(constant),
            ExprKind::Local(local) => Code::Local(local.0),
            ExprKind::EventField(index) => {
                Code::Load(u32::try_from(self.compiled.fields + index).unwrap_or(u32::MAX))
            }
            ExprKind::State(state, tense) => self.state(frame, *state, *tense),
            ExprKind::Given(given) => {
                let ty = self.program.givens[given.index()].ty.clone();
                self.load(self.given_offsets[given.index()], &ty)
            }
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => {
                let context = shifted(frame.context, *tense);
                let arguments: Vec<Code> = arguments
                    .iter()
                    .map(|argument| self.code(frame, argument))
                    .collect();
                let slot = self.instance(*fact, context);
                if arguments.is_empty() {
                    Code::Fact(slot)
                } else {
                    Code::Call(slot, arguments.into())
                }
            }
            ExprKind::Tabulated(fact, tense) => self.tabulated(frame, *fact, *tense, &expr.ty),
            ExprKind::Lift {
                local,
                operand,
                body,
            } => Code::Lift {
                local: local.0,
                operand: Box::new(self.code(frame, operand)),
                body: Box::new(self.code(frame, body)),
            },
            ExprKind::Attribute {
                kind,
                attribute,
                operand,
            } => {
                let values = self.program.types.kind(*kind).attributes[*attribute]
                    .values
                    .clone();
                let table: Vec<i64> = values.iter().map(|value| self.word(value)).collect();
                lookup(&table, self.code(frame, operand))
            }
            ExprKind::Field {
                product,
                field,
                operand,
            } => {
                let operand = self.code(frame, operand);
                self.part_of(*product, *field, operand)
            }
            ExprKind::Make { product, parts } => self.make(frame, *product, parts, expr),
            ExprKind::Numbered(number) => self.numbered(frame, number, &expr.ty),
            ExprKind::Entry { map, key } => {
                let Shape::Map { domain, slot, .. } = self.shape(&map.ty) else {
                    return Code::Constant(NONE);
                };
                Code::Entry(Box::new(Entry {
                    map: self.code(frame, map),
                    key: self.code(frame, key),
                    domain,
                    slot,
                    bounds: self.bounds_of(&expr.ty),
                }))
            }
            ExprKind::Arithmetic {
                operator,
                left,
                right,
            } => {
                let pair = Box::new((self.code(frame, left), self.code(frame, right)));
                let site = self.site(expr.span);
                match operator {
                    Arithmetic::Add => Code::Add(pair, site),
                    Arithmetic::Subtract => Code::Subtract(pair, site),
                    Arithmetic::Multiply => Code::Multiply(pair, site),
                    Arithmetic::Divide => Code::Divide(pair, site),
                    Arithmetic::DivideUp => {
                        let (left, right) = *pair;
                        let left = Code::Negate(Box::new(left), site);
                        let below = Code::Divide(Box::new((left, right)), site);
                        Code::Negate(Box::new(below), site)
                    }
                    Arithmetic::DivideEven => Code::DivideEven(pair, site),
                    Arithmetic::Modulo => Code::Modulo(pair, site),
                }
            }
            ExprKind::Negate(operand) => {
                let site = self.site(expr.span);
                Code::Negate(Box::new(self.code(frame, operand)), site)
            }
            ExprKind::Order {
                operator,
                left,
                right,
            } => {
                let (left, right) = (self.code(frame, left), self.code(frame, right));
                // Mentions are noted in the order in which they were written.
                let in_order = frame.noting != Noting::No;
                match operator {
                    Order::Greater if in_order => {
                        let other = Code::LessOrEqual(Box::new((left, right)));
                        Code::Not(Box::new(other))
                    }
                    Order::GreaterOrEqual if in_order => {
                        Code::Not(Box::new(Code::Less(Box::new((left, right)))))
                    }
                    Order::Less => Code::Less(Box::new((left, right))),
                    Order::LessOrEqual => Code::LessOrEqual(Box::new((left, right))),
                    Order::Greater => Code::Less(Box::new((right, left))),
                    Order::GreaterOrEqual => Code::LessOrEqual(Box::new((right, left))),
                }
            }
            ExprKind::Is(left, right) => self.is(frame, left, right),
            ExprKind::Not(operand) => self.not(frame, operand),
            ExprKind::And(left, right) => {
                Code::And(Box::new((self.code(frame, left), self.code(frame, right))))
            }
            ExprKind::Or(left, right) => {
                Code::Or(Box::new((self.code(frame, left), self.code(frame, right))))
            }
            ExprKind::Else(left, right) => {
                Code::Else(Box::new((self.code(frame, left), self.code(frame, right))))
            }
            ExprKind::The(operand) => {
                let site = self.site(operand.span);
                Code::The(Box::new(self.code(frame, operand)), site)
            }
            ExprKind::Checked(operand) => {
                let code = self.code_as(frame, operand, &expr.ty);
                self.checked(code, &expr.ty, operand.span)
            }
            ExprKind::Converted(operand) => self.code_as(frame, operand, &expr.ty),
            ExprKind::Template(template) => Code::Text(Box::new(self.template(frame, template))),
            ExprKind::Listed { .. } => Code::Text(Box::new(self.text(frame, expr))),
            ExprKind::Beside {
                operand,
                steps,
                before,
            } => self.beside(frame, operand, steps, *before),
            ExprKind::Builtin(builtin, arguments) => self.builtin(frame, *builtin, arguments, expr),
            ExprKind::In(..)
            | ExprKind::Within(..)
            | ExprKind::Span(..)
            | ExprKind::All
            | ExprKind::Collect(_)
            | ExprKind::Comprehension { .. }
            | ExprKind::With(..)
            | ExprKind::Without(..)
            | ExprKind::Then(..)
            | ExprKind::But { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Best { .. }
            | ExprKind::Extreme { .. } => self.collection(frame, expr),
        }
    }

    /// A constant as a word.
    pub(super) fn word(&mut self, constant: &Constant) -> i64 {
        match constant {
            Constant::Scalar(value) => *value,
            Constant::Text(text) => self.text_id(text),
            Constant::None => NONE,
        }
    }

    fn constant(&mut self, constant: &Constant) -> Code {
        Code::Constant(self.word(constant))
    }

    /// Fixed memory as a value of a type.
    pub(super) fn load(&mut self, offset: usize, ty: &Type) -> Code {
        let slot = self.element_slot(ty);
        match slot {
            crate::code::Slot::Word | crate::code::Slot::Byte { .. } => {
                Code::Load(u32::try_from(offset).unwrap_or(u32::MAX))
            }
            crate::code::Slot::Block { .. } => {
                Code::Constant(i64::try_from(offset).unwrap_or(i64::MAX))
            }
            crate::code::Slot::OptionalBlock { .. } => Code::RecordPart {
                offset,
                slot,
                operand: Box::new(Code::Constant(0)),
            },
        }
    }

    fn state(&mut self, frame: &Frame, state: StateId, tense: Tense) -> Code {
        use crate::program::EventId;
        let ty = self.program.states[state.index()].ty.clone();
        let context = shifted(frame.context, tense);
        let now = self.state_offsets[state.index()];
        match (context.tense, context.event) {
            (Tense::Previous, event) if event != Some(EventId::START) => {
                let previous = self.previous_offsets[state.index()].unwrap_or(now);
                self.load(previous, &ty)
            }
            (Tense::New, Some(event))
                if event != EventId::START || frame.context.tense != Tense::Now =>
            {
                let definition = &self.program.states[state.index()];
                let changes = event == EventId::START
                    || self.program.events[event.index()]
                        .equations
                        .iter()
                        .any(|equation| equation.state == state);
                if changes {
                    Code::New(state.0)
                } else if definition.just {
                    Code::Constant(0)
                } else {
                    self.load(now, &ty)
                }
            }
            // At the start, every tense means the initial value.
            _ => self.load(now, &ty),
        }
    }

    fn tabulated(&mut self, frame: &Frame, fact: FactId, tense: Tense, ty: &Type) -> Code {
        let context = shifted(frame.context, tense);
        let slot = self.instance(fact, context);
        let Type::Map(key, _) = ty else {
            return Code::Constant(NONE);
        };
        let partial = self.partial(key);
        match self.shape(ty) {
            Shape::Map {
                domain,
                slot: entry,
                words,
                ..
            } => Code::Tabulate(Box::new(Tabulate {
                fact: slot,
                domain,
                partial,
                slot: entry,
                words,
            })),
            _ => Code::Constant(NONE),
        }
    }

    /// A part of a product.
    pub(super) fn part_of(&mut self, product: ProductId, field: usize, operand: Code) -> Code {
        let definition = self.program.types.product(product);
        if definition.record {
            if let Shape::Record { parts, .. } = self.shape(&Type::Product(product)) {
                let (offset, slot, _) = parts[field].clone();
                return Code::RecordPart {
                    offset,
                    slot,
                    operand: Box::new(operand),
                };
            }
            return Code::Constant(NONE);
        }
        let fields = definition.fields.clone();
        let divisor: i64 = fields
            .iter()
            .skip(field + 1)
            .filter_map(|field| self.domain(&field.ty))
            .map(|domain| i64::try_from(domain.count).unwrap_or(i64::MAX))
            .product();
        let Some(domain) = self.domain(&fields[field].ty) else {
            return Code::Constant(NONE);
        };
        let modulus = i64::try_from(domain.count).unwrap_or(i64::MAX);
        let whole = self
            .domain(&Type::Product(product))
            .map_or(0, |domain| domain.count);
        if (1..=LOOKED_UP).contains(&whole) {
            // A look-up is faster than a division.
            let place = |index: usize| (i64::try_from(index).unwrap_or(0) / divisor) % modulus;
            let table: Vec<i64> = (0..whole)
                .map(|index| domain.value(usize::try_from(place(index)).unwrap_or(0)))
                .collect();
            return lookup(&table, operand);
        }
        Code::Part(Box::new(Part {
            operand,
            divisor,
            domain,
        }))
    }

    fn make(&mut self, frame: &mut Frame, product: ProductId, parts: &[Expr], expr: &Expr) -> Code {
        let codes: Vec<Code> = parts.iter().map(|part| self.code(frame, part)).collect();
        if let Shape::Record {
            parts: layout,
            words,
        } = self.shape(&Type::Product(product))
        {
            let parts = layout
                .into_iter()
                .zip(codes)
                .map(|((offset, slot, _), code)| (offset, slot, code))
                .collect();
            return Code::Record { parts, words };
        }
        let fields = self.program.types.product(product).fields.clone();
        let mut stride = 1;
        let mut components: Vec<Component> = Vec::new();
        for (field, code) in fields.iter().zip(codes).rev() {
            let Some(domain) = self.domain(&field.ty) else {
                continue;
            };
            components.push(Component {
                code,
                domain,
                stride,
            });
            stride *= i64::try_from(domain.count).unwrap_or(i64::MAX);
        }
        components.reverse();
        match self.partial(&Type::Product(product)) {
            None => Code::Index(components.into()),
            Some(partial) => {
                let site = self.site(expr.span);
                Code::CheckedIndex(components.into(), partial, site)
            }
        }
    }

    fn numbered(&mut self, frame: &mut Frame, number: &Expr, ty: &Type) -> Code {
        let code = self.code(frame, number);
        let site = self.site(number.span);
        let Type::Member(part) = ty else {
            return code;
        };
        let check = crate::code::Check::Range {
            lo: Code::Constant(1),
            hi: self.member_count(part.kind),
            optional: false,
            ty: self.program.types.display(ty),
            written: crate::code::Written::Number,
        };
        let checked = Code::Checked(Box::new(code), Box::new(check), site);
        Code::Subtract(Box::new((checked, Code::Constant(1))), site)
    }

    pub(super) fn checked(&mut self, code: Code, ty: &Type, span: crate::source::Span) -> Code {
        match self.check(ty) {
            Some(check) => {
                let site = self.site(span);
                Code::Checked(Box::new(code), Box::new(check), site)
            }
            None => code,
        }
    }

    fn is(&mut self, frame: &mut Frame, left: &Expr, right: &Expr) -> Code {
        for (side, other) in [(left, right), (right, left)] {
            if is_empty(side) && other.ty.element().is_some() {
                return self.nothing_in(frame, other);
            }
        }
        let shape = self.shape(&left.ty);
        let (left, right) = (self.code(frame, left), self.code(frame, right));
        match shape {
            Shape::Scalar | Shape::Bits { .. } => match (left, right) {
                (Code::Constant(value), other) | (other, Code::Constant(value)) => {
                    Code::EqualConstant(Box::new(other), value)
                }
                (left, right) => Code::Equal(Box::new((left, right))),
            },
            other => Code::Same(Box::new((left, right)), Box::new(other)),
        }
    }

    fn not(&mut self, frame: &mut Frame, operand: &Expr) -> Code {
        match self.code(frame, operand) {
            Code::Some(range) => Code::No(range),
            Code::No(range) => Code::Some(range),
            Code::Not(inner) => *inner,
            other => Code::Not(Box::new(other)),
        }
    }

    fn beside(&mut self, frame: &mut Frame, operand: &Expr, steps: &Expr, before: bool) -> Code {
        let Type::Member(part) = operand.ty else {
            return Code::Constant(NONE);
        };
        Code::After(Box::new(After {
            operand: self.code(frame, operand),
            steps: self.code(frame, steps),
            count: self.member_count(part.kind),
            ring: self.program.types.kind(part.kind).ring,
            before,
        }))
    }
}

/// The parts of a product with at most this many values are looked up.
const LOOKED_UP: usize = 4096;

/// The entry of a table at an index; composes nested look-ups.
fn lookup(table: &[i64], place: Code) -> Code {
    match place {
        Code::Lookup(inner, operand) => {
            let both = inner
                .iter()
                .map(|place| {
                    let place = usize::try_from(*place).ok();
                    place
                        .and_then(|place| table.get(place))
                        .copied()
                        .unwrap_or(NONE)
                })
                .collect();
            Code::Lookup(both, operand)
        }
        Code::Constant(place) => {
            let place = usize::try_from(place).ok();
            Code::Constant(
                place
                    .and_then(|place| table.get(place))
                    .copied()
                    .unwrap_or(NONE),
            )
        }
        place => Code::Lookup(table.into(), Box::new(place)),
    }
}

/// Whether an expression is an empty collection.
pub(super) fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Collect(items) => items.is_empty(),
        ExprKind::Converted(inner) => is_empty(inner),
        _ => false,
    }
}

/// The context of an expression in a tense, within a context.
pub(super) fn shifted(context: Context, tense: Tense) -> Context {
    let tense = match (context.tense, tense) {
        (Tense::Now, tense) => tense,
        // The state before the event that leads to a new state is the current one.
        (Tense::New, Tense::Previous) => match context.event {
            Some(crate::program::EventId::START) => Tense::New,
            _ => Tense::Now,
        },
        (outer, _) => outer,
    };
    Context { tense, ..context }
}
