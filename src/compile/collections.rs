//! Compiles collections.

use super::{Compiler, Frame, expressions::is_empty, sources::source_of_shape};
use crate::{
    code::{self, But, ButMany, Code, CountIn, Loop, NONE, Remap, Shape, Source},
    program::{Expr, ExprKind, LocalId, Quantifier},
    types::Type,
};

impl Compiler<'_> {
    pub(super) fn collection(&mut self, frame: &mut Frame, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::In(item, collection) => self.is_in(frame, item, collection),
            ExprKind::Within(left, right) => self.within(frame, left, right),
            ExprKind::Collect(items) => {
                let shape = self.shape(&expr.ty);
                let items: Vec<Code> = items.iter().map(|item| self.code(frame, item)).collect();
                if let (Shape::Bits { domain }, true) = (
                    &shape,
                    items.iter().all(|item| matches!(item, Code::Constant(_))),
                ) {
                    let bits = items.iter().fold(0i64, |bits, item| match item {
                        Code::Constant(value) if *value != NONE => {
                            bits | (1 << domain.index(*value))
                        }
                        _ => bits,
                    });
                    return Code::Constant(bits);
                }
                Code::Collect {
                    items: items.into(),
                    shape: Box::new(shape),
                }
            }
            ExprKind::Span(..) | ExprKind::All | ExprKind::Comprehension { .. } => {
                self.gathered(frame, expr)
            }
            ExprKind::With(left, right) => self.with(frame, left, right, &expr.ty, false),
            ExprKind::Without(left, right) => self.with(frame, left, right, &expr.ty, true),
            ExprKind::Then(left, right) => {
                let Shape::Pile { slot, .. } = self.shape(&expr.ty) else {
                    return Code::Constant(NONE);
                };
                let piles = (self.code(frame, left), self.code(frame, right));
                Code::Then {
                    piles: Box::new(piles),
                    stride: slot.stride(),
                }
            }
            ExprKind::But {
                map,
                value,
                at,
                many,
            } => self.but(frame, map, value, at, *many),
            ExprKind::Quantified {
                quantifier,
                bindings,
                condition,
            } => self.quantified(frame, *quantifier, bindings, condition),
            ExprKind::Best { .. } => self.best(frame, expr),
            ExprKind::Extreme { highest, operand } => self.extreme(frame, *highest, operand),
            _ => Code::Constant(NONE),
        }
    }

    /// The collection of the values of an expression's source.
    fn gathered(&mut self, frame: &mut Frame, expr: &Expr) -> Code {
        let shape = self.shape(&expr.ty);
        let source = self.source(frame, expr, !is_set(&shape));
        if let (Shape::Bits { domain }, Source::Span(ends)) = (&shape, &source)
            && let (Code::Constant(lo), Code::Constant(hi)) = &**ends
        {
            let bits = (*lo..=*hi).fold(0i64, |bits, value| bits | (1 << domain.index(value)));
            return Code::Constant(bits);
        }
        Code::Gather {
            source: Box::new(source),
            shape: Box::new(shape),
        }
    }

    /// An expression's value in the shape of another type.
    pub(super) fn code_as(&mut self, frame: &mut Frame, expr: &Expr, ty: &Type) -> Code {
        if let (Some(from), Some(to)) = (expr.ty.required().places(), ty.required().places())
            && from < to
        {
            return self.with_places(frame, expr, to - from);
        }
        let (from, to) = (self.shape(&expr.ty), self.shape(ty));
        if from == to || to.block().is_none() && matches!(to, Shape::Scalar) {
            return self.code(frame, expr);
        }
        if let (Shape::Map { .. }, Shape::Map { .. }) = (&from, &to) {
            return self.map_as(frame, expr, &from, &to);
        }
        if matches!(
            to,
            Shape::Bits { .. }
                | Shape::Words { .. }
                | Shape::Counts { .. }
                | Shape::Pile { .. }
                | Shape::Hashed { .. }
        ) {
            if expr.ty.is_optional() {
                let local = frame.local();
                let operand = self.code(frame, expr);
                let source = source_of_shape(Code::Local(local), &from);
                return Code::Lift {
                    local,
                    operand: Box::new(operand),
                    body: Box::new(Code::Gather {
                        source: Box::new(source),
                        shape: Box::new(to),
                    }),
                };
            }
            let source = self.source(frame, expr, !is_set(&to));
            return Code::Gather {
                source: Box::new(source),
                shape: Box::new(to),
            };
        }
        self.code(frame, expr)
    }

    /// Converts a number, which may be none, to more decimal places.
    fn with_places(&mut self, frame: &mut Frame, expr: &Expr, more: u8) -> Code {
        let local = frame.local();
        let site = self.site(expr.span);
        let units = Code::Constant(crate::arithmetic::unit(more));
        Code::Lift {
            local,
            operand: Box::new(self.code(frame, expr)),
            body: Box::new(Code::Multiply(Box::new((Code::Local(local), units)), site)),
        }
    }

    /// A map with its entries converted to another shape.
    fn map_as(&mut self, frame: &mut Frame, expr: &Expr, from: &Shape, to: &Shape) -> Code {
        let (
            Shape::Map { domain, slot, .. },
            Shape::Map {
                slot: wider, words, ..
            },
        ) = (from, to)
        else {
            return self.code(frame, expr);
        };
        let map = self.code(frame, expr);
        Code::Remap(Box::new(Remap {
            map,
            domain: *domain,
            from: *slot,
            to: *wider,
            words: *words,
        }))
    }

    fn quantified(
        &mut self,
        frame: &mut Frame,
        quantifier: Quantifier,
        bindings: &[(LocalId, Expr)],
        condition: &Expr,
    ) -> Code {
        let bindings = bindings
            .iter()
            .map(|(local, collection)| (local.0, self.source(frame, collection, false)))
            .collect();
        let condition = self.code(frame, condition);
        let condition = if quantifier == Quantifier::Every {
            Code::Not(Box::new(condition))
        } else {
            condition
        };
        let range = Box::new(Loop {
            bindings,
            condition: Some(condition),
        });
        match quantifier {
            Quantifier::Some => Code::Some(range),
            Quantifier::No | Quantifier::Every => Code::No(range),
        }
    }

    pub(super) fn nothing_in(&mut self, frame: &mut Frame, collection: &Expr) -> Code {
        match self.shape(&collection.ty) {
            Shape::Bits { .. } if !matches!(collection.kind, ExprKind::Comprehension { .. }) => {
                Code::EqualConstant(Box::new(self.code(frame, collection)), 0)
            }
            _ => {
                let source = self.source(frame, collection, false);
                let local = frame.local();
                Code::No(Box::new(Loop {
                    bindings: Box::new([(local, source)]),
                    condition: None,
                }))
            }
        }
    }

    fn is_in(&mut self, frame: &mut Frame, item: &Expr, collection: &Expr) -> Code {
        let shape = self.shape(&collection.ty);
        match &collection.kind {
            ExprKind::Span(lo, hi) => {
                let triple = (
                    self.code(frame, item),
                    self.code(frame, lo),
                    self.code(frame, hi),
                );
                return Code::Between(Box::new(triple));
            }
            ExprKind::All => {
                let element = collection.ty.element().cloned().unwrap_or(Type::Nothing);
                if let Some((lo, hi)) = self.bounds(&element) {
                    return Code::Between(Box::new((self.code(frame, item), lo, hi)));
                }
            }
            ExprKind::Comprehension { .. } | ExprKind::Collect(_) => {
                let whole = self.code(frame, collection);
                if let (Code::Constant(bits), Shape::Bits { domain }) = (&whole, &shape) {
                    return Code::HasBit {
                        item: Box::new(self.code(frame, item)),
                        set: Box::new(Code::Constant(*bits)),
                        base: domain.base,
                    };
                }
                let source = self.source(frame, collection, false);
                let element = self.shape(item.ty.required());
                return Code::Among {
                    item: Box::new(self.code(frame, item)),
                    source: Box::new(source),
                    shape: Box::new(element),
                };
            }
            _ => {}
        }
        let item = Box::new(self.code(frame, item));
        let set = Box::new(self.code(frame, collection));
        match shape {
            Shape::Bits { domain } => Code::HasBit {
                item,
                set,
                base: domain.base,
            },
            shape => Code::Has {
                item,
                set,
                shape: Box::new(shape),
            },
        }
    }

    fn within(&mut self, frame: &mut Frame, left: &Expr, right: &Expr) -> Code {
        let (left_shape, shape) = (self.shape(&left.ty), self.shape(&right.ty));
        if let (Shape::Counts { .. }, Shape::Counts { .. }) = (&left_shape, &shape) {
            return Code::CountsWithin {
                bags: Box::new((self.code(frame, left), self.code(frame, right))),
                left: Box::new(left_shape),
                right: Box::new(shape),
            };
        }
        Code::Within {
            left: Box::new(self.source(frame, left, false)),
            right: Box::new(self.code(frame, right)),
            shape: Box::new(shape),
        }
    }

    fn with(
        &mut self,
        frame: &mut Frame,
        left: &Expr,
        right: &Expr,
        ty: &Type,
        without: bool,
    ) -> Code {
        let shape = self.shape(ty);
        let set = self.code_as(frame, left, ty);
        let other = self.shape(&right.ty);
        let simple = !matches!(right.kind, ExprKind::Comprehension { .. });
        if let (Shape::Bits { domain }, Shape::Bits { domain: same }, true) =
            (&shape, &other, simple)
            && domain.base == same.base
        {
            let right = self.code(frame, right);
            let pair = Box::new((set, right));
            return if without {
                Code::BitsWithout(pair)
            } else {
                Code::BitsWith(pair)
            };
        }
        let once = matches!(shape, Shape::Counts { .. })
            || matches!(shape, Shape::Hashed { hashed } if self.compiled.hashed[hashed].bag);
        let source = Box::new(self.source(frame, right, once));
        let (set, shape) = (Box::new(set), Box::new(shape));
        if without {
            Code::Without { set, source, shape }
        } else {
            Code::With { set, source, shape }
        }
    }

    fn but(&mut self, frame: &mut Frame, map: &Expr, value: &Expr, at: &Expr, many: bool) -> Code {
        let Shape::Map {
            domain,
            slot,
            words,
            ..
        } = self.shape(&map.ty)
        else {
            return Code::Constant(NONE);
        };
        let map = self.code(frame, map);
        let value = self.code(frame, value);
        if many {
            Code::ButMany(Box::new(ButMany {
                map,
                value,
                at: self.source(frame, at, false),
                domain,
                slot,
                words,
            }))
        } else {
            Code::But(Box::new(But {
                map,
                value,
                at: self.code(frame, at),
                domain,
                slot,
                words,
            }))
        }
    }

    fn best(&mut self, frame: &mut Frame, expr: &Expr) -> Code {
        let ExprKind::Best {
            sorted,
            local,
            collection,
            condition,
            keys,
        } = &expr.kind
        else {
            return Code::Constant(NONE);
        };
        let ordered = !collection.ty.element().is_some_and(Type::is_text);
        // Equally good values come in the order of the source.
        let source = self.source(frame, collection, *sorted || !ordered);
        let condition = condition
            .as_ref()
            .map(|condition| self.code(frame, condition));
        let keys: Vec<(bool, Code)> = keys
            .iter()
            .map(|key| (key.highest, self.code(frame, &key.value)))
            .collect();
        // One local for the best so far, and one for each of its keys.
        let held = (0..=keys.len()).map(|_| frame.local()).collect();
        let sorted = sorted.then(|| self.shape(&expr.ty));
        Code::Best(Box::new(code::Best {
            sorted,
            local: local.0,
            source,
            condition,
            keys: keys.into(),
            held,
            ordered,
            first: None,
        }))
    }

    fn extreme(&mut self, frame: &mut Frame, highest: bool, operand: &Expr) -> Code {
        let shape = self.shape(&operand.ty);
        if let (Shape::Bits { domain }, false) = (
            &shape,
            matches!(
                operand.kind,
                ExprKind::Comprehension { .. } | ExprKind::Collect(_)
            ),
        ) {
            let set = Box::new(self.code(frame, operand));
            let base = domain.base;
            return if highest {
                Code::BitsHighest { set, base }
            } else {
                Code::BitsLowest { set, base }
            };
        }
        Code::Extreme {
            highest,
            source: Box::new(self.source(frame, operand, false)),
        }
    }

    pub(super) fn size(&mut self, frame: &mut Frame, collection: &Expr) -> Code {
        if is_empty(collection) {
            return Code::Constant(0);
        }
        let fused = matches!(
            collection.kind,
            ExprKind::Comprehension { .. } | ExprKind::Collect(_) | ExprKind::Span(..)
        );
        match self.shape(&collection.ty) {
            Shape::Bits { .. } if !fused => Code::BitsSize(Box::new(self.code(frame, collection))),
            Shape::Pile { .. } if !fused => Code::PileSize(Box::new(self.code(frame, collection))),
            Shape::Hashed { .. } if !fused => {
                Code::HashedSize(Box::new(self.code(frame, collection)))
            }
            _ => Code::Count(Box::new(self.distinct(frame, collection))),
        }
    }

    pub(super) fn count_of(&mut self, frame: &mut Frame, item: &Expr, collection: &Expr) -> Code {
        let shape = self.shape(&collection.ty);
        let element = self.shape(item.ty.required());
        let fused = matches!(collection.kind, ExprKind::Comprehension { .. });
        let value = Box::new(self.code(frame, item));
        match shape {
            Shape::Counts { domain } if !fused => Code::CountIn(Box::new(CountIn {
                item: *value,
                bag: self.code(frame, collection),
                domain,
            })),
            shape @ Shape::Hashed { .. } if !fused => Code::CountHashed {
                item: value,
                set: Box::new(self.code(frame, collection)),
                shape: Box::new(shape),
            },
            _ => Code::CountOf {
                item: value,
                source: Box::new(self.distinct(frame, collection)),
                shape: Box::new(element),
            },
        }
    }
}

fn is_set(shape: &Shape) -> bool {
    matches!(shape, Shape::Bits { .. } | Shape::Words { .. })
}
