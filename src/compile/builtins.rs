//! What the language has built in, as code.

use super::{Compiler, Frame};
use crate::{
    code::{Code, NONE, Shape},
    program::{Builtin, Expr},
    types::Type,
};

impl Compiler<'_> {
    /// An optional argument's domain does not matter to what it is applied to: the checker lifted it.
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
}
