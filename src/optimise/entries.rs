//! Maps of which an event changes a few entries.

use super::Optimiser;
use crate::code::{Code, Equation};

impl Optimiser<'_> {
    /// Finds the only keys whose entries an equation can change: where each row says which key it is for.
    pub(super) fn only(&self, equation: &mut Equation) {
        let Some(pointwise) = &equation.pointwise else {
            return;
        };
        let Code::Agree { rows, .. } = &equation.code else {
            return;
        };
        if pointwise.parameters.len() != 1 || pointwise.partial.is_some() {
            return;
        }
        let keys: Option<Vec<Code>> = rows
            .iter()
            .map(|row| {
                row.conditions
                    .iter()
                    .find_map(|condition| self.key(condition))
            })
            .collect();
        equation.only = keys.map(Into::into);
    }

    /// The key that a condition asks for.
    fn key(&self, condition: &Code) -> Option<Code> {
        let key = match condition {
            Code::EqualConstant(operand, value) if matches!(**operand, Code::Local(0)) => {
                return Some(Code::Constant(*value));
            }
            Code::Equal(pair) => match &**pair {
                (Code::Local(0), other) | (other, Code::Local(0)) => other,
                _ => return None,
            },
            Code::And(pair) => return self.key(&pair.0).or_else(|| self.key(&pair.1)),
            _ => return None,
        };
        let asks_local = key.any(&|code| matches!(code, Code::Local(_)));
        (!asks_local && self.facts.is_sure(key)).then(|| key.clone())
    }
}
