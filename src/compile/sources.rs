//! Compiles what loops range over, without building collections.

use super::{Compiler, Frame, Noting};
use crate::{
    code::{Code, Loop, Shape, Source},
    program::{Expr, ExprKind, LocalId},
    types::Type,
};

impl Compiler<'_> {
    /// The source of an expression. With `once`, it gives the values of a set once and in ascending order, for uses
    /// where the difference could be seen.
    pub(super) fn source(&mut self, frame: &mut Frame, expr: &Expr, once: bool) -> Source {
        match &expr.kind {
            ExprKind::Span(lo, hi) => {
                Source::Span(Box::new((self.code(frame, lo), self.code(frame, hi))))
            }
            ExprKind::All => {
                let element = expr.ty.element().cloned().unwrap_or(Type::Nothing);
                self.all_values(&element)
            }
            ExprKind::Collect(items)
                if !once || !matches!(expr.ty, Type::Set(_)) || items.len() < 2 =>
            {
                Source::Items(items.iter().map(|item| self.code(frame, item)).collect())
            }
            ExprKind::Converted(inner)
                if inner.ty.element().is_some()
                    && !(once && matches!(expr.ty, Type::Set(_)) && !is_distinct(inner)) =>
            {
                self.source(frame, inner, once)
            }
            ExprKind::Comprehension { .. } if frame.noting != Noting::No => {
                frame.without_noting(|frame| self.source(frame, expr, once))
            }
            ExprKind::Comprehension {
                value,
                bindings,
                condition,
            } if !once || !matches!(expr.ty, Type::Set(_)) || is_distinct(expr) => {
                let bindings = self.bindings(frame, bindings);
                let condition = condition
                    .as_ref()
                    .map(|condition| self.code(frame, condition));
                let value = self.code(frame, value);
                Source::Mapped(
                    Box::new(Loop {
                        bindings,
                        condition,
                    }),
                    value,
                )
            }
            ExprKind::Builtin(builtin, arguments) => {
                match self.builtin_source(frame, *builtin, arguments) {
                    Some(source) if !(once && is_found_in_any_order(&source)) => source,
                    _ => self.made(frame, expr),
                }
            }
            _ => self.made(frame, expr),
        }
    }

    /// The values of a collection, each as often as it contains them, in any order.
    pub(super) fn distinct(&mut self, frame: &mut Frame, expr: &Expr) -> Source {
        // Sources on grids give each value once, though not in order.
        let once = !matches!(expr.kind, ExprKind::Builtin(..));
        self.source(frame, expr, once)
    }

    /// The source of a collection that is built first.
    fn made(&mut self, frame: &mut Frame, expr: &Expr) -> Source {
        let shape = self.shape(&expr.ty);
        let code = match &expr.kind {
            ExprKind::Comprehension { .. } => {
                let source = self.source(frame, expr, false);
                Code::Gather {
                    source: Box::new(source),
                    shape: Box::new(shape.clone()),
                }
            }
            _ => self.code(frame, expr),
        };
        source_of_shape(code, &shape)
    }

    pub(super) fn all_values(&mut self, element: &Type) -> Source {
        if let Some(partial) = self.partial(element) {
            return Source::Partial(partial);
        }
        match self.bounds(element) {
            Some(ends) => Source::Span(Box::new(ends)),
            None => Source::Items(Box::new([])),
        }
    }

    pub(super) fn bindings(
        &mut self,
        frame: &mut Frame,
        bindings: &[(LocalId, Expr)],
    ) -> Box<[(u32, Source)]> {
        bindings
            .iter()
            .map(|(local, collection)| (local.0, self.source(frame, collection, true)))
            .collect()
    }
}

/// Whether a set's comprehension gives no value twice, because it selects members of one set.
fn is_distinct(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Comprehension {
            value, bindings, ..
        } => match bindings.as_slice() {
            [(local, collection)] => {
                matches!(value.kind, ExprKind::Local(found) if found == *local)
                    && matches!(collection.ty, Type::Set(_))
            }
            _ => false,
        },
        ExprKind::Collect(items) => items.len() < 2,
        _ => matches!(expr.ty, Type::Set(_)),
    }
}

/// Whether a source may give its values in another than ascending order.
fn is_found_in_any_order(source: &Source) -> bool {
    matches!(
        source,
        Source::Region { .. } | Source::Boundary { .. } | Source::Line { .. }
    )
}

/// The source of a collection of a shape.
pub(super) fn source_of_shape(code: Code, shape: &Shape) -> Source {
    match shape {
        Shape::Bits { domain } => Source::Bits {
            set: code,
            base: domain.base,
            count: domain.count,
        },
        Shape::Words { domain, words } => Source::Words {
            set: code,
            base: domain.base,
            words: *words,
        },
        Shape::Counts { domain } => Source::Counts {
            bag: code,
            base: domain.base,
            count: domain.count,
        },
        Shape::Pile { slot, .. } => Source::Pile {
            pile: code,
            slot: *slot,
        },
        Shape::Hashed { hashed } => Source::Hashed {
            set: code,
            hashed: *hashed,
        },
        Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => Source::Items(Box::new([code])),
    }
}
