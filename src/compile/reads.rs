//! What rows read: facts and states, also those that cannot be written in a line.

use super::{Context, Frame, definitions::each_root, explain::Explainer, expressions::shifted};
use crate::{
    code::{
        Code,
        explain::{Read, ReadOf},
    },
    program::{Expr, ExprKind, FactId, StateId, Tense},
};

/// What a fact is called that is asked of a state.
pub(super) fn called(name: &str, tense: Tense) -> String {
    match tense {
        Tense::Now => name.to_string(),
        Tense::New => format!("new {name}"),
        Tense::Previous => format!("previous {name}"),
    }
}

/// Where in a row an expression stands.
#[derive(Clone, Default)]
struct Within {
    /// Whether a loop is around it, whose variables have no value yet.
    looped: bool,
    /// The variables around it that stand for something that may be none, and what that is.
    lifted: Vec<(u32, Code)>,
    /// The facts whose definitions are looked into.
    through: Vec<FactId>,
}

impl Explainer<'_, '_> {
    /// What some expressions read, in their order.
    pub(super) fn reads<'e>(
        &mut self,
        frame: &mut Frame,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<Read> {
        let mut reads = Vec::new();
        for expr in exprs {
            self.read(frame, expr, &Within::default(), &mut reads);
        }
        reads
    }

    /// What an expression reads.
    fn read(&mut self, frame: &mut Frame, expr: &Expr, within: &Within, reads: &mut Vec<Read>) {
        let closed = is_closed(expr);
        let known = closed || !within.looped;
        let mut reading = |what: ReadOf, closed: bool| {
            let lifted = if closed {
                Vec::new()
            } else {
                within.lifted.clone()
            };
            reads.push(Read {
                lifted,
                what,
                closed,
            });
        };
        match &expr.kind {
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } if known => {
                let context = shifted(frame.context, *tense);
                let what = ReadOf::Fact {
                    fact: self.fact(*fact, context),
                    arguments: arguments
                        .iter()
                        .map(|argument| self.compiler.code(frame, argument))
                        .collect(),
                    value: self.compiler.code(frame, expr),
                };
                reading(what, closed);
            }
            ExprKind::Fact { fact, tense, .. } => {
                self.read_through(frame, (*fact, *tense), within, reads);
            }
            ExprKind::State(state, tense) => {
                if let Some(what) = state_read(frame.context, *state, *tense, None) {
                    reading(what, true);
                }
            }
            ExprKind::Entry { map, key } => {
                if let ExprKind::State(state, tense) = &map.kind {
                    let key_code = known.then(|| self.compiler.code(frame, key));
                    let what = state_read(frame.context, *state, *tense, key_code);
                    if let Some(what) = what {
                        reading(what, closed || !known);
                    }
                    self.read(frame, key, within, reads);
                    return;
                }
            }
            ExprKind::Lift {
                local,
                operand,
                body,
            } => {
                self.read(frame, operand, within, reads);
                let mut inner = within.clone();
                if !within.looped {
                    let operand = self.compiler.code(frame, operand);
                    inner.lifted.push((local.0, operand));
                }
                self.read(frame, body, &inner, reads);
                return;
            }
            _ => {}
        }
        let mut inner = within.clone();
        inner.looped |= matches!(
            expr.kind,
            ExprKind::Comprehension { .. } | ExprKind::Quantified { .. } | ExprKind::Best { .. }
        );
        expr.children(&mut |child| self.read(frame, child, &inner, reads));
    }

    /// What a fact reads, in place of the fact: a loop asks for it, of what only the loop knows.
    fn read_through(
        &mut self,
        frame: &mut Frame,
        (fact, tense): (FactId, Tense),
        within: &Within,
        reads: &mut Vec<Read>,
    ) {
        if within.through.contains(&fact) {
            return;
        }
        let mut inner = within.clone();
        inner.through.push(fact);
        let context = shifted(frame.context, tense);
        let outer = std::mem::replace(&mut frame.context, context);
        let program = self.compiler.program;
        let definition = &program.facts[fact.index()].definition;
        each_root(definition, &mut |expr| {
            self.read(frame, expr, &inner, reads);
        });
        frame.context = outer;
    }
}

/// A state that is read; what it was before the last event is none of this one's.
fn state_read(context: Context, state: StateId, tense: Tense, key: Option<Code>) -> Option<ReadOf> {
    let tense = shifted(context, tense).tense;
    (tense != Tense::Previous).then(|| ReadOf::State {
        state: state.index(),
        key,
        new: tense == Tense::New,
    })
}

/// Whether an expression has no variables.
fn is_closed(expr: &Expr) -> bool {
    let mut closed = !matches!(expr.kind, ExprKind::Local(_));
    expr.children(&mut |child| closed = closed && is_closed(child));
    closed
}
