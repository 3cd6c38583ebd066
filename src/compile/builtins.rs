//! Compiles built-ins.

use super::{Compiler, Frame};
use crate::{
    code::{self, Code, NONE, Shape, Source},
    program::{Builtin, Expr, ExprKind},
    types::Type,
};

impl Compiler<'_> {
    /// An optional argument's domain does not matter to the function applied: the checker lifted it.
    pub(super) fn builtin(
        &mut self,
        frame: &mut Frame,
        builtin: Builtin,
        arguments: &[Expr],
        expr: &Expr,
    ) -> Code {
        let boxed = |compiler: &mut Self, frame: &mut Frame, index: usize| {
            Box::new(compiler.code(frame, &arguments[index]))
        };
        match builtin {
            Builtin::GameNumber => self.game_number(),
            Builtin::Number => {
                let base = match &arguments[0].ty {
                    Type::Range(range) => range.lo,
                    _ => 0,
                };
                let site = self.site(expr.span);
                let operand = self.code(frame, &arguments[0]);
                Code::Add(Box::new((operand, Code::Constant(1 - base))), site)
            }
            Builtin::Apart => {
                let site = self.site(expr.span);
                let pair = (
                    self.code(frame, &arguments[0]),
                    self.code(frame, &arguments[1]),
                );
                Code::Apart(Box::new(pair), site)
            }
            Builtin::Top | Builtin::Item => {
                let Shape::Pile { slot, .. } = self.shape(&arguments[0].ty) else {
                    return Code::Constant(NONE);
                };
                let index = if builtin == Builtin::Top {
                    Box::new(Code::Constant(1))
                } else {
                    boxed(self, frame, 1)
                };
                Code::Item {
                    pile: boxed(self, frame, 0),
                    index,
                    slot,
                }
            }
            Builtin::TopMany | Builtin::Below => {
                let pair = (
                    self.code(frame, &arguments[0]),
                    self.code(frame, &arguments[1]),
                );
                if builtin == Builtin::Below {
                    Code::Below(Box::new(pair))
                } else {
                    Code::TopMany(Box::new(pair))
                }
            }
            Builtin::Reversed => {
                let Shape::Pile { slot, .. } = self.shape(&arguments[0].ty) else {
                    return Code::Constant(NONE);
                };
                Code::Reversed {
                    pile: boxed(self, frame, 0),
                    stride: slot.stride(),
                }
            }
            Builtin::Step => {
                let grid = self.grid(&arguments[0].ty);
                let operands = (
                    self.code(frame, &arguments[0]),
                    self.code(frame, &arguments[1]),
                    self.code(frame, &arguments[2]),
                );
                Code::GridStep {
                    grid,
                    operands: Box::new(operands),
                }
            }
            Builtin::Way => {
                let grid = self.grid(&arguments[0].ty);
                let operands = (
                    self.code(frame, &arguments[0]),
                    self.code(frame, &arguments[1]),
                );
                Code::GridWay {
                    grid,
                    operands: Box::new(operands),
                }
            }
            Builtin::Size => self.size(frame, &arguments[0]),
            Builtin::Count => self.count_of(frame, &arguments[0], &arguments[1]),
            Builtin::Sum => {
                let site = self.site(expr.span);
                Code::Sum(Box::new(self.distinct(frame, &arguments[0])), site)
            }
            Builtin::Joined => self.joined(frame, &arguments[0]),
            Builtin::Neighbours | Builtin::Region | Builtin::Between | Builtin::Ray => {
                let source = self.source(frame, expr, false);
                let shape = self.shape(&expr.ty);
                Code::Gather {
                    source: Box::new(source),
                    shape: Box::new(shape),
                }
            }
        }
    }

    /// The values of a built-in as a source, without building a collection.
    pub(super) fn builtin_source(
        &mut self,
        frame: &mut Frame,
        builtin: Builtin,
        arguments: &[Expr],
    ) -> Option<Source> {
        let ends = |compiler: &mut Self, frame: &mut Frame| {
            let start = compiler.code(frame, &arguments[0]);
            Box::new((start, compiler.code(frame, &arguments[1])))
        };
        Some(match builtin {
            Builtin::Neighbours => match &arguments[0] {
                Expr {
                    kind: ExprKind::Builtin(Builtin::Region, inner),
                    ..
                } => {
                    let grid = self.grid(&inner[0].ty);
                    let (point, map, slot) = self.region(frame, inner)?;
                    Source::Boundary {
                        grid,
                        point,
                        map,
                        slot,
                    }
                }
                argument => match &argument.ty {
                    Type::Set(element) => Source::Around {
                        grid: self.grid(element),
                        points: Box::new(self.source(frame, argument, false)),
                    },
                    ty => Source::Beside {
                        grid: self.grid(ty),
                        point: self.code(frame, argument),
                    },
                },
            },
            Builtin::Region => {
                let grid = self.grid(&arguments[0].ty);
                let (point, map, slot) = self.region(frame, arguments)?;
                Source::Region {
                    grid,
                    point,
                    map,
                    slot,
                }
            }
            Builtin::Between => Source::Line {
                grid: self.grid(&arguments[0].ty),
                ends: ends(self, frame),
            },
            Builtin::Ray => Source::Ray {
                grid: self.grid(&arguments[0].ty),
                start: ends(self, frame),
            },
            Builtin::Size
            | Builtin::Count
            | Builtin::Sum
            | Builtin::Top
            | Builtin::TopMany
            | Builtin::Item
            | Builtin::Below
            | Builtin::Reversed
            | Builtin::Number
            | Builtin::Joined
            | Builtin::Step
            | Builtin::Way
            | Builtin::Apart
            | Builtin::GameNumber => return None,
        })
    }

    fn region(
        &mut self,
        frame: &mut Frame,
        arguments: &[Expr],
    ) -> Option<(Code, Code, code::Slot)> {
        let Shape::Map { slot, .. } = self.shape(&arguments[1].ty) else {
            return None;
        };
        Some((
            self.code(frame, &arguments[0]),
            self.code(frame, &arguments[1]),
            slot,
        ))
    }
}
