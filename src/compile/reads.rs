//! What rows read: facts and states, also those that cannot be written in a line.

use super::{Context, Frame, explain::Explainer, expressions::shifted};
use crate::{
    code::explain::{Read, ReadOf},
    program::{Expr, ExprKind, StateId, Tense},
};

/// What a fact is called that is asked of a state.
pub(super) fn called(name: &str, tense: Tense) -> String {
    match tense {
        Tense::Now => name.to_string(),
        Tense::New => format!("new {name}"),
        Tense::Previous => format!("previous {name}"),
    }
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
            self.read(frame, expr, false, &mut reads);
        }
        reads
    }

    /// What an expression reads; `inside` a loop its variables have no value yet.
    fn read(&mut self, frame: &mut Frame, expr: &Expr, inside: bool, reads: &mut Vec<Read>) {
        let closed = is_closed(expr);
        let known = closed || !inside;
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
                reads.push(Read { what, closed });
            }
            ExprKind::State(state, tense) => {
                let what = state_read(frame.context, *state, *tense);
                reads.extend(what.map(|what| Read { what, closed: true }));
                return;
            }
            ExprKind::Entry { map, key } => {
                if let ExprKind::State(state, tense) = &map.kind {
                    let code = known.then(|| self.compiler.code(frame, key));
                    if let Some(ReadOf::State { state, new, .. }) =
                        state_read(frame.context, *state, *tense)
                    {
                        let what = ReadOf::State {
                            state,
                            key: code,
                            new,
                        };
                        let closed = closed || !known;
                        reads.push(Read { what, closed });
                    }
                    self.read(frame, key, inside, reads);
                    return;
                }
            }
            _ => {}
        }
        let binds = matches!(
            expr.kind,
            ExprKind::Comprehension { .. }
                | ExprKind::Quantified { .. }
                | ExprKind::Best { .. }
                | ExprKind::Lift { .. }
        );
        expr.children(&mut |child| self.read(frame, child, inside || binds, reads));
    }
}

/// A state that is read; what it was before the last event is none of this one's.
fn state_read(context: Context, state: StateId, tense: Tense) -> Option<ReadOf> {
    let tense = shifted(context, tense).tense;
    (tense != Tense::Previous).then(|| ReadOf::State {
        state: state.index(),
        key: None,
        new: tense == Tense::New,
    })
}

/// Whether an expression has no variables.
fn is_closed(expr: &Expr) -> bool {
    let mut closed = !matches!(expr.kind, ExprKind::Local(_));
    expr.children(&mut |child| closed = closed && is_closed(child));
    closed
}
