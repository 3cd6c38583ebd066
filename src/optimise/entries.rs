//! Maps of which an event changes a few entries.

use super::Optimiser;
use crate::code::{Code, Equation, Row};

impl Optimiser<'_> {
    /// Finds the only keys whose entries an equation can change: where each row says which key it is for.
    pub(super) fn only(&self, equation: &mut Equation) {
        let Some(pointwise) = &equation.pointwise else {
            return;
        };
        if pointwise.parameters.len() != 1 || pointwise.partial.is_some() {
            return;
        }
        let keys: Option<Vec<Code>> = match &mut equation.code {
            Code::Agree { rows, .. } => {
                let key = |row: &Row| {
                    self.asked(&row.conditions)
                        .filter(|_| row.bindings.is_empty())
                };
                rows.iter().map(key).collect()
            }
            Code::If(choice) => {
                let key = self.asked(&choice.conditions);
                if let (Some(key), [Code::Equal(_)]) = (&key, &*choice.conditions) {
                    // The key is the one that is asked for: nothing is left to ask.
                    equation.only = Some(Box::new([key.clone()]));
                    equation.code = std::mem::replace(&mut choice.value, Code::Constant(0));
                    return;
                }
                key.map(|key| vec![key])
            }
            _ => None,
        };
        equation.only = keys.map(Into::into);
    }

    /// The key that one of the conditions asks for. Those before it are not asked for other keys any more, so that they
    /// must be known never to fail.
    fn asked(&self, conditions: &[Code]) -> Option<Code> {
        for condition in conditions {
            let key = self.key(condition);
            if key.is_some() || !self.facts.is_sure(condition) {
                return key;
            }
        }
        None
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
            Code::And(pair) => return self.asked(&[pair.0.clone(), pair.1.clone()]),
            _ => return None,
        };
        let asks_local = key.any(&|code| matches!(code, Code::Local(_)));
        (!asks_local && self.facts.is_sure(key)).then(|| key.clone())
    }
}
