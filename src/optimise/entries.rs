//! Maps of which an event changes a few entries.

use super::Optimiser;
use crate::code::{Code, Equation, Few, Row};

/// The most combinations of values of the key's parts: machine code does each separately.
const WAYS: usize = 4;

impl Optimiser<'_> {
    /// Finds the only entries that an equation can change, if each row determines its key or a part of it.
    pub(super) fn only(&self, equation: &mut Equation) {
        let Some(pointwise) = &equation.pointwise else {
            return;
        };
        let count = u32::try_from(pointwise.parameters.len()).unwrap_or(u32::MAX);
        if let (1, Code::If(choice)) = (count, &mut equation.code)
            && let Some(key) = self.required_value(0, &choice.conditions)
            && let [Code::Equal(_)] = &*choice.conditions
        {
            // The condition is that the key has this value: nothing is left to evaluate.
            let parts = Box::new([Some([key].into())]);
            equation.only = Some(Few { parts });
            equation.code = std::mem::replace(&mut choice.value, Code::Constant(0));
            return;
        }
        let parts: Box<_> = (0..count)
            .map(|local| self.values_of_part(local, &equation.code))
            .collect();
        let ways: usize = parts.iter().flatten().map(|values| values.len()).product();
        // If these are all entries, nothing can be left out.
        let some = ways <= WAYS && ways < pointwise.key.count;
        if parts.iter().any(Option::is_some) && some {
            equation.only = Some(Few { parts });
        }
    }

    /// The only values of a part of the key (a local) with which an entry can change.
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
            .map(|conditions| self.required_value(local, conditions))
            .collect()
    }

    /// The value that one of the conditions requires a local to have. The conditions before it will not be evaluated
    /// for other values any more, so they must not be able to fail.
    fn required_value(&self, local: u32, conditions: &[Code]) -> Option<Code> {
        for condition in conditions {
            let value = self.value(local, condition);
            if value.is_some() || !self.facts.is_speculatable(condition) {
                return value;
            }
        }
        None
    }

    /// The value that a condition requires a local to have.
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
            Code::And(pair) => {
                return self.required_value(local, &[pair.0.clone(), pair.1.clone()]);
            }
            _ => return None,
        };
        let reads_local = value.any(&|code| matches!(code, Code::Local(_)));
        (!reads_local && self.facts.is_speculatable(value)).then(|| value.clone())
    }
}
