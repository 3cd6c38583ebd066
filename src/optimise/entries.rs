//! Maps of which an event changes a few entries.

use super::Optimiser;
use crate::code::{Code, Equation, Few, Row};

/// How many ways there are to take one of the values of each part, at most: machine code does each by itself.
const WAYS: usize = 4;

impl Optimiser<'_> {
    /// Finds the only entries that an equation can change: where each row says which key it is for, or which part of
    /// the key.
    pub(super) fn only(&self, equation: &mut Equation) {
        let Some(pointwise) = &equation.pointwise else {
            return;
        };
        let count = u32::try_from(pointwise.parameters.len()).unwrap_or(u32::MAX);
        if let (1, Code::If(choice)) = (count, &mut equation.code)
            && let Some(key) = self.asked(0, &choice.conditions)
            && let [Code::Equal(_)] = &*choice.conditions
        {
            // The key is the one that is asked for: nothing is left to ask.
            let parts = Box::new([Some([key].into())]);
            equation.only = Some(Few { parts });
            equation.code = std::mem::replace(&mut choice.value, Code::Constant(0));
            return;
        }
        let parts: Box<_> = (0..count)
            .map(|local| self.values_of_part(local, &equation.code))
            .collect();
        let ways: usize = parts.iter().flatten().map(|values| values.len()).product();
        // Where these are all entries there is nothing to leave out.
        let some = ways <= WAYS && ways < pointwise.key.count;
        if parts.iter().any(Option::is_some) && some {
            equation.only = Some(Few { parts });
        }
    }

    /// The only values of a part of the key, a local, with which an entry can change.
    fn values_of_part(&self, local: u32, code: &Code) -> Option<Box<[Code]>> {
        let conditions: Vec<&[Code]> = match code {
            Code::Agree { rows, .. } => {
                let unbound = |row: &Row| row.bindings.is_empty();
                if !rows.iter().all(unbound) {
                    return None;
                }
                rows.iter().map(|row| &*row.conditions).collect()
            }
            Code::If(choice) => vec![&choice.conditions],
            _ => return None,
        };
        let values = conditions.into_iter();
        values
            .map(|conditions| self.asked(local, conditions))
            .collect()
    }

    /// The value of a local that one of the conditions asks for. Those before it are not asked for other values any
    /// more, so that they must be known never to fail.
    fn asked(&self, local: u32, conditions: &[Code]) -> Option<Code> {
        for condition in conditions {
            let value = self.value(local, condition);
            if value.is_some() || !self.facts.is_speculatable(condition) {
                return value;
            }
        }
        None
    }

    /// The value of a local that a condition asks for.
    fn value(&self, local: u32, condition: &Code) -> Option<Code> {
        let is_local = |code: &Code| matches!(code, Code::Local(other) if *other == local);
        let value = match condition {
            Code::EqualConstant(operand, value) if is_local(operand) => {
                return Some(Code::Constant(*value));
            }
            Code::Equal(pair) => match &**pair {
                (own, other) | (other, own) if is_local(own) => other,
                _ => return None,
            },
            Code::And(pair) => return self.asked(local, &[pair.0.clone(), pair.1.clone()]),
            _ => return None,
        };
        let asks_local = value.any(&|code| matches!(code, Code::Local(_)));
        (!asks_local && self.facts.is_speculatable(value)).then(|| value.clone())
    }
}
