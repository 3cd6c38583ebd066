//! What rows mention, with the values.

use super::Machine;
use crate::{
    code::{
        NONE,
        explain::{Mention, Mentioned},
    },
    fault::Stop,
};

/// Something that was mentioned.
#[derive(Debug)]
pub(super) struct Traced {
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// The fact, if it is one, with its arguments.
    pub(super) fact: Option<(usize, Vec<i64>)>,
}

/// Adds the values of a further time that the same was mentioned.
pub(super) fn merge(before: &mut [Traced], further: Vec<Traced>) {
    for more in further {
        let known = before.iter_mut().find(|known| known.name == more.name);
        if let Some(known) = known
            && let (Some(value), Some(another)) = (&mut known.value, more.value)
            && !value.split(", ").any(|one| one == another)
        {
            value.push_str(", ");
            value.push_str(&another);
        }
    }
}

impl<'c> Machine<'c> {
    /// Adds what is mentioned, each name once; of what is joined, only that which decided.
    pub(super) fn trace(
        &mut self,
        mentioned: &'c Mentioned,
        traced: &mut Vec<Traced>,
    ) -> Result<(), Stop> {
        match mentioned {
            Mentioned::Value(mention) => self.trace_value(mention, traced),
            Mentioned::All(all) => {
                for one in all {
                    self.trace(one, traced)?;
                }
                Ok(())
            }
            Mentioned::Joined {
                decides,
                left,
                right,
            } => {
                if self.evaluate(&left.0)? == *decides {
                    return self.trace(&left.1, traced);
                }
                if self.evaluate(&right.0)? != *decides {
                    self.trace(&left.1, traced)?;
                }
                self.trace(&right.1, traced)
            }
            Mentioned::Else { first, second } => {
                let is_none = self.evaluate(&first.0)? == NONE;
                self.trace(&first.1, traced)?;
                if is_none {
                    self.trace(second, traced)?;
                }
                Ok(())
            }
            Mentioned::Bound {
                local,
                operand,
                body,
            } => {
                let value = self.evaluate(&operand.0)?;
                self.trace(&operand.1, traced)?;
                if value != NONE {
                    self.set_local(*local, value);
                    self.trace(body, traced)?;
                }
                Ok(())
            }
            Mentioned::Found {
                bindings,
                condition,
                ranges,
                variables,
                body,
            } => {
                let mut found = false;
                self.run(bindings, condition, &mut |machine| {
                    found = true;
                    for variable in variables {
                        machine.trace_value(variable, traced)?;
                    }
                    machine.trace(body, traced)?;
                    Ok(false)
                })?;
                if !found {
                    for range in ranges {
                        self.trace(range, traced)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn trace_value(&mut self, mention: &'c Mention, traced: &mut Vec<Traced>) -> Result<(), Stop> {
        if traced.iter().any(|known| known.name == mention.name) {
            return Ok(());
        }
        let value = match &mention.text {
            Some(text) => Some(self.rendered(text)?),
            None => None,
        };
        let fact = match &mention.fact {
            Some((fact, arguments)) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.evaluate(argument)?);
                }
                Some((*fact, values))
            }
            None => None,
        };
        traced.push(Traced {
            name: mention.name.clone(),
            value,
            fact,
        });
        Ok(())
    }
}
