//! Small changes to expressions.

use super::Changer;
use crate::{
    source::Span,
    syntax::{
        ast::{Binding, Expr, ExprKind, Operator, Prefix, Tense},
        print,
    },
};

impl Changer<'_> {
    pub(super) fn bindings(&mut self, bindings: &mut [Binding]) {
        for binding in bindings {
            self.expr(&mut binding.collection);
        }
    }

    pub(super) fn exprs(&mut self, exprs: &mut [Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// Whether to replace an expression by `expr`.
    fn replaces(&mut self, span: Span, before: &Expr, after: &Expr) -> bool {
        self.site(span, || {
            (print::expression(before), print::expression(after))
        })
    }

    pub(super) fn expr(&mut self, expr: &mut Expr) {
        if let Some(other) = self.other(expr) {
            *expr = other;
            return;
        }
        match &mut expr.kind {
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Tensed { operand, .. }
            | ExprKind::Extreme { operand, .. }
            | ExprKind::Rounded { operand, .. }
            | ExprKind::Group(operand) => self.expr(operand),
            ExprKind::But { map, value, at } => {
                self.expr(map);
                self.expr(value);
                self.expr(at);
            }
            ExprKind::Quantified {
                bindings,
                condition,
                ..
            } => {
                self.bindings(bindings);
                self.expr(condition);
            }
            ExprKind::Best {
                bindings,
                condition,
                keys,
                ..
            } => {
                self.bindings(bindings);
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                for key in keys {
                    self.expr(&mut key.value);
                }
            }
            ExprKind::Beside { operand, steps, .. } => {
                self.expr(operand);
                if let Some(steps) = steps {
                    self.expr(steps);
                }
            }
            ExprKind::Apply { arguments, .. } => self.exprs(arguments),
            ExprKind::Set(items) | ExprKind::Pile(items) => self.exprs(items),
            ExprKind::Filter { binding, condition } => {
                self.expr(&mut binding.collection);
                self.expr(condition);
            }
            ExprKind::Mapped {
                value,
                bindings,
                condition,
                ..
            } => {
                self.expr(value);
                self.bindings(bindings);
                if let Some(condition) = condition {
                    self.expr(condition);
                }
            }
            ExprKind::Name(_)
            | ExprKind::Number(_)
            | ExprKind::Decimal(..)
            | ExprKind::Text(_)
            | ExprKind::YesNo(_)
            | ExprKind::None
            | ExprKind::Empty => {}
        }
    }

    /// The replacement of an expression, if it is the one to change.
    fn other(&mut self, expr: &Expr) -> Option<Expr> {
        let span = expr.span;
        let with = |kind| Expr { kind, span };
        let mut others: Vec<(Span, Expr)> = Vec::new();
        match &expr.kind {
            ExprKind::Number(number) => {
                let more = number.checked_add(1)?;
                others.push((span, with(ExprKind::Number(more))));
            }
            ExprKind::Decimal(value, places) => {
                let more = value.checked_add(1)?;
                others.push((span, with(ExprKind::Decimal(more, *places))));
            }
            ExprKind::YesNo(yes) => others.push((span, with(ExprKind::YesNo(!yes)))),
            ExprKind::Name(name) => {
                let mut name = name.clone();
                name.text.clone_from(self.members.get(&name.text)?);
                others.push((span, with(ExprKind::Name(name))));
            }
            ExprKind::Tensed { tense, operand } => {
                let tense = match tense {
                    Tense::New => Tense::Old,
                    Tense::Old => Tense::New,
                    Tense::Previous => return None,
                };
                let operand = operand.clone();
                others.push((span, with(ExprKind::Tensed { tense, operand })));
            }
            // Leaves out the operator: the turn does not pass on, for example.
            ExprKind::Beside { operand, .. }
            | ExprKind::Unary {
                operator: Prefix::Not,
                operand,
            } => others.push((span, (**operand).clone())),
            ExprKind::Binary {
                operator: Operator::And | Operator::Or,
                left,
                right,
                operator_span,
            } => {
                others.push((*operator_span, (**left).clone()));
                others.push((*operator_span, (**right).clone()));
            }
            ExprKind::Binary {
                operator,
                operator_span,
                left,
                right,
            } => {
                let kind = ExprKind::Binary {
                    operator: counterpart(*operator)?,
                    operator_span: *operator_span,
                    left: left.clone(),
                    right: right.clone(),
                };
                others.push((*operator_span, with(kind)));
            }
            _ => {}
        }
        let wanted = |(span, other): &(Span, Expr)| self.replaces(*span, expr, other);
        let place = others.iter().position(wanted)?;
        others.into_iter().nth(place).map(|(_, other)| other)
    }
}

/// The operator that replaces another.
fn counterpart(operator: Operator) -> Option<Operator> {
    Some(match operator {
        Operator::Is => Operator::IsNot,
        Operator::IsNot => Operator::Is,
        Operator::In => Operator::NotIn,
        Operator::NotIn => Operator::In,
        Operator::Less => Operator::LessOrEqual,
        Operator::LessOrEqual => Operator::Less,
        Operator::Greater => Operator::GreaterOrEqual,
        Operator::GreaterOrEqual => Operator::Greater,
        Operator::Add => Operator::Subtract,
        Operator::Subtract => Operator::Add,
        Operator::Or
        | Operator::And
        | Operator::Within
        | Operator::Else
        | Operator::Range
        | Operator::With
        | Operator::Without
        | Operator::Then
        | Operator::Multiply
        | Operator::Divide
        | Operator::Modulo => return None,
    })
}
