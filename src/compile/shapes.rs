//! From types to shapes, and how their values become data.

use super::{Compiler, Context, Frame};
use crate::{
    code::{
        Bounds, Check, Code, Domain, HashedShape, NONE, Partial, Shape, Slot, Typed, TypedEntries,
        TypedState,
    },
    program::Tense,
    types::{GivenId, ProductId, Type},
};

/// A set over at most this many values is stored in one word; one bit is left for none.
const SMALL_SET: usize = 63;

impl Compiler<'_> {
    /// The domain of a finite type.
    pub(super) fn domain(&self, ty: &Type) -> Option<Domain> {
        let count = |ty: &Type| usize::try_from(self.program.types.capacity(ty)?).ok();
        match ty {
            Type::Optional(inner) => {
                let inner = self.domain(inner)?;
                Some(Domain {
                    count: inner.count + 1,
                    optional: true,
                    ..inner
                })
            }
            Type::YesNo | Type::Product(_) => Some(Domain {
                base: 0,
                count: count(ty)?,
                optional: false,
            }),
            Type::Range(range) => Some(Domain {
                base: range.lo,
                count: count(ty)?,
                optional: false,
            }),
            Type::Member(part) => Some(Domain {
                base: i64::from(part.first),
                count: count(ty)?,
                optional: false,
            }),
            _ => None,
        }
    }

    /// The bounds of a type's values, if they are words that are compared or counted.
    pub(super) fn bounds_of(&self, ty: &Type) -> Option<Bounds> {
        let optional = ty.is_optional();
        match ty.required() {
            Type::Number | Type::Decimal(_) => Some(Bounds {
                optional,
                ..Bounds::NUMBER
            }),
            Type::Product(id) if self.program.types.product(*id).record => None,
            _ => Bounds::of(self.domain(ty)?),
        }
    }

    /// The domain that sets of a type share with sets of its larger types, so that both can be mixed.
    pub(super) fn set_domain(&self, element: &Type) -> Option<Domain> {
        match element {
            Type::Member(part) => self.domain(&self.program.types.whole(part.kind)),
            Type::Range(range) if range.lo >= 0 => Some(Domain {
                base: 0,
                count: usize::try_from(range.hi).ok()?.checked_add(1)?,
                optional: false,
            }),
            Type::Nothing => Some(Domain {
                base: 0,
                count: 0,
                optional: false,
            }),
            other => self.domain(other),
        }
    }

    pub(super) fn shape(&mut self, ty: &Type) -> Shape {
        match ty {
            Type::Optional(inner) => self.shape(inner),
            Type::Set(element) => match self.set_domain(element) {
                Some(domain) if domain.count <= SMALL_SET => Shape::Bits { domain },
                Some(domain) => Shape::Words {
                    domain,
                    words: domain.count.div_ceil(64),
                },
                None => self.hashed(element, false),
            },
            Type::Bag(element) => match self.set_domain(element) {
                Some(domain) => Shape::Counts { domain },
                None => self.hashed(element, true),
            },
            Type::Pile(element) => {
                let shape = self.shape(element);
                Shape::Pile {
                    slot: element_slot_of(element, &shape),
                    element: Box::new(shape),
                }
            }
            Type::Map(key, entry) => {
                let domain = self.domain(key).unwrap_or(Domain {
                    base: 0,
                    count: 0,
                    optional: false,
                });
                let shape = self.shape(entry);
                let slot = self.slot_of(entry, &shape);
                Shape::Map {
                    domain,
                    slot,
                    entry: Box::new(shape),
                    words: slot.words(domain.count),
                }
            }
            Type::Product(id) if self.program.types.product(*id).record => self.record(*id),
            _ => Shape::Scalar,
        }
    }

    fn record(&mut self, id: ProductId) -> Shape {
        let fields = self.program.types.product(id).fields.clone();
        let mut parts = Vec::new();
        let mut words = 0;
        for field in &fields {
            let shape = self.shape(&field.ty);
            // A single byte would take a whole word anyway.
            let slot = element_slot_of(&field.ty, &shape);
            parts.push((words, slot, shape));
            words += slot.words(1);
        }
        Shape::Record { parts, words }
    }

    fn hashed(&mut self, element: &Type, bag: bool) -> Shape {
        let element_shape = self.shape(element);
        let shape = HashedShape {
            bag,
            slot: element_slot_of(element, &element_shape),
            flat: element_shape.is_flat(),
            element: element_shape,
            text: element.is_text(),
        };
        let known = self
            .compiled
            .hashed
            .iter()
            .position(|other| *other == shape);
        Shape::Hashed {
            hashed: known.unwrap_or_else(|| {
                self.compiled.hashed.push(shape);
                self.compiled.hashed.len() - 1
            }),
        }
    }

    /// The slot of a type's values in arrays.
    pub(super) fn slot(&mut self, ty: &Type) -> Slot {
        let shape = self.shape(ty);
        self.slot_of(ty, &shape)
    }

    /// As [`Self::slot`], for a type with a known shape.
    fn slot_of(&self, ty: &Type, shape: &Shape) -> Slot {
        match element_slot_of(ty, shape) {
            Slot::Word => match self.domain(ty.required()) {
                Some(domain)
                    if domain.count <= 255
                        && !matches!(ty.required(), Type::Set(_) | Type::Bag(_)) =>
                {
                    Slot::Byte { base: domain.base }
                }
                _ => Slot::Word,
            },
            other => other,
        }
    }

    /// The slot of a single value of the type.
    pub(super) fn element_slot(&mut self, ty: &Type) -> Slot {
        element_slot_of(ty, &self.shape(ty))
    }

    /// The first and the last value of a type whose values are consecutive.
    pub(super) fn bounds(&self, ty: &Type) -> Option<(Code, Code)> {
        let constant = Code::Constant;
        match ty {
            Type::YesNo => Some((constant(0), constant(1))),
            Type::Range(range) => Some((
                range
                    .lo_given
                    .map_or(constant(range.lo), |id| self.given_word(id)),
                range
                    .hi_given
                    .map_or(constant(range.hi), |id| self.given_word(id)),
            )),
            Type::Member(part) => {
                let kind = self.program.types.kind(part.kind);
                let whole = part.last as usize + 1 >= kind.members.len();
                let last = match kind.count {
                    Some(given) if whole => {
                        Code::Subtract(Box::new((self.given_word(given), constant(1))), 0)
                    }
                    _ => constant(i64::from(part.last)),
                };
                Some((constant(i64::from(part.first)), last))
            }
            Type::Product(_) => {
                let domain = self.domain(ty)?;
                let last = i64::try_from(domain.count).unwrap_or(i64::MAX) - 1;
                Some((constant(0), constant(last)))
            }
            _ => None,
        }
    }

    /// The number of members of a kind.
    pub(super) fn member_count(&self, kind: crate::types::KindId) -> Code {
        let kind = self.program.types.kind(kind);
        match kind.count {
            Some(given) => self.given_word(given),
            None => Code::Constant(i64::try_from(kind.members.len()).unwrap_or(i64::MAX)),
        }
    }

    fn given_word(&self, id: GivenId) -> Code {
        let offset = self.given_offsets.get(id.index()).copied().unwrap_or(0);
        Code::Load(u32::try_from(offset).unwrap_or(u32::MAX))
    }

    /// Whether a type's values depend on givens.
    pub(super) fn is_dynamic(&self, ty: &Type) -> bool {
        match ty {
            Type::Range(range) => range.is_dynamic(),
            Type::Member(part) => self.program.types.kind(part.kind).count.is_some(),
            Type::Product(id) => {
                let fields = &self.program.types.product(*id).fields;
                fields.iter().any(|field| self.is_dynamic(&field.ty))
            }
            Type::Optional(inner) => self.is_dynamic(inner),
            _ => false,
        }
    }

    /// The partial type of a product, if not all its indices are values.
    pub(super) fn partial(&mut self, ty: &Type) -> Option<usize> {
        let Type::Product(id) = ty else { return None };
        let key = format!("{id:?}");
        if let Some(known) = self.partial_ids.get(&key) {
            return *known;
        }
        self.partial_ids.insert(key.clone(), None);
        let domain = self.domain(ty)?;
        let condition = self
            .program
            .conditions
            .iter()
            .find(|(product, _, _)| product == id);
        let fields = self.program.types.product(*id).fields.clone();
        let context = Context {
            event: None,
            tense: Tense::Now,
        };
        // The condition's first locals are the parts; the index comes after its locals.
        let locals = condition.map_or(fields.len(), |(_, _, locals)| *locals);
        let mut frame = Frame::new(context, locals);
        let index = frame.local();
        let mut tests: Vec<Code> = Vec::new();
        let mut bound: Vec<(u32, Code)> = Vec::new();
        // A variable must not be bound to none: that would make the whole condition none. Read such a part in place.
        let mut parts: Vec<Code> = Vec::new();
        for (place, field) in fields.iter().enumerate() {
            let part = self.part_of(*id, place, Code::Local(index));
            let local = u32::try_from(place).unwrap_or(u32::MAX);
            let or_none = |test: Code| {
                if !field.ty.is_optional() {
                    return test;
                }
                let is_none = Code::EqualConstant(Box::new(Code::Local(local)), NONE);
                Code::Or(Box::new((is_none, test)))
            };
            if self.is_dynamic(&field.ty)
                && let Some((lo, hi)) = self.bounds(field.ty.required())
            {
                let between = Code::Between(Box::new((Code::Local(local), lo, hi)));
                tests.push(or_none(between));
            }
            if let Some(inner) = self.partial(field.ty.required()) {
                let is_value = Code::IsValue(Box::new(Code::Local(local)), inner);
                tests.push(or_none(is_value));
            }
            if field.ty.is_optional() {
                parts.push(part);
            } else {
                parts.push(Code::Local(local));
                bound.push((local, part));
            }
        }
        if let Some((_, condition, _)) = condition {
            tests.push(self.code(&mut frame, condition));
        }
        if tests.is_empty() {
            return None;
        }
        let mut all = tests
            .into_iter()
            .rev()
            .reduce(|rest, test| Code::And(Box::new((test, rest))))?;
        all.put(&parts);
        let is_value = bound
            .into_iter()
            .rev()
            .fold(all, |body, (local, operand)| Code::Lift {
                local,
                operand: Box::new(operand),
                body: Box::new(body),
            });
        let given = self.is_dynamic(ty);
        let before = self.compiled.partial.last();
        self.compiled.partial.push(Partial {
            start: before.map_or(0, |partial| partial.start + partial.count),
            count: domain.count,
            given,
            is_value,
            index,
        });
        let place = self.compiled.partial.len() - 1;
        self.partial_ids.insert(key, Some(place));
        Some(place)
    }

    /// The check of a value that is read or stored as `ty`; nothing if its shape says it all.
    pub(super) fn check(&mut self, ty: &Type) -> Option<Check> {
        let optional = ty.is_optional();
        let name = self.program.types.display(ty.required());
        match ty.required() {
            required @ (Type::Range(_) | Type::Member(_)) => {
                let (lo, hi) = self.bounds(required)?;
                Some(Check::Range {
                    lo,
                    hi,
                    optional,
                    ty: name,
                    written: match required {
                        Type::Member(part) => {
                            let whole = self.program.types.whole(part.kind);
                            self.written(&whole)
                        }
                        _ => self.written(required),
                    },
                })
            }
            required @ (Type::Set(_) | Type::Bag(_) | Type::Pile(_)) => {
                let element = required.element()?.clone();
                let check = self.check(&element)?;
                let shape = self.shape(required);
                if let (Shape::Bits { domain }, Type::Member(part)) = (&shape, &element)
                    && !self.is_dynamic(&element)
                {
                    let allowed = (part.first..=part.last)
                        .map(|place| 1i64 << (i64::from(place) - domain.base))
                        .fold(0, |all, bit| all | bit);
                    return Some(Check::Bits { allowed, ty: name });
                }
                Some(Check::Each {
                    shape,
                    check: Box::new(check),
                    optional,
                })
            }
            Type::Map(_, entry) => {
                let check = self.check(entry)?;
                let Shape::Map { domain, slot, .. } = self.shape(ty) else {
                    return None;
                };
                Some(Check::Entries {
                    domain,
                    slot,
                    check: Box::new(check),
                    optional,
                })
            }
            _ => None,
        }
    }

    /// How a value of a type becomes data. Whether it is none is seen from the value.
    pub(super) fn typed(&mut self, ty: &Type) -> Typed {
        let ty = ty.required();
        if let Some(element) = ty.element() {
            return Typed::List {
                shape: self.shape(ty),
                element: Box::new(self.typed(element)),
            };
        }
        match ty {
            Type::YesNo => Typed::YesNo,
            number if number.is_number() && !number.is_decimal() => Typed::Number,
            Type::Map(key, _) => self.typed_map(ty, std::slice::from_ref(&**key)),
            Type::Product(id) if self.program.types.product(*id).record => {
                let fields = self.program.types.product(*id).fields.clone();
                let Shape::Record { parts, .. } = self.shape(ty) else {
                    return Typed::Record(Vec::new());
                };
                let parts = fields.into_iter().zip(parts);
                let parts = parts.map(|(field, (offset, slot, _))| {
                    let typed = self.typed(&field.ty);
                    (field.name, offset, slot, typed)
                });
                Typed::Record(parts.collect())
            }
            other => Typed::Text(self.written(other)),
        }
    }

    /// A map whose keys are made up of values of these types.
    fn typed_map(&mut self, ty: &Type, parameters: &[Type]) -> Typed {
        let (Type::Map(key, entry), Shape::Map { domain, slot, .. }) = (ty, self.shape(ty)) else {
            return Typed::Record(Vec::new());
        };
        let pointwise = self.pointwise(key, &[], entry);
        let parameters = parameters.iter().filter_map(|parameter| {
            let domain = self.domain(parameter)?;
            Some((domain, self.typed(parameter)))
        });
        let parameters = parameters.collect();
        Typed::Entries(Box::new(TypedEntries {
            domain,
            slot,
            partial: pointwise.as_ref().and_then(|pointwise| pointwise.partial),
            last: pointwise.and_then(|pointwise| pointwise.last),
            key: self.written(key),
            parameters,
            entry: self.typed(entry),
        }))
    }

    /// How all states become data.
    pub(super) fn typed_states(&mut self) -> Vec<TypedState> {
        let program = self.program;
        let states = program.states.iter().map(|state| TypedState {
            name: state.name.clone(),
            whole: if state.parameters.is_empty() {
                self.typed(&state.ty)
            } else {
                self.typed_map(&state.ty, &state.parameters)
            },
        });
        states.collect()
    }
}

/// The slot of a single value of a type, by its shape. Uses nested shapes as given: computing them again at each level
/// would double the work with each.
fn element_slot_of(ty: &Type, shape: &Shape) -> Slot {
    match (shape.block(), ty.is_optional()) {
        (None, _) => Slot::Word,
        (Some(words), false) => Slot::Block { words },
        (Some(words), true) => Slot::OptionalBlock { words },
    }
}
