//! Facts, and what is remembered of them during a step.

use super::{Machine, Memo, memory::handle};
use crate::{
    code::{Code, Tabulate},
    fault::Stop,
};

impl<'c> Machine<'c> {
    /// The value of a fact without parameters, worked out once in a step.
    #[inline]
    pub(super) fn fact(&mut self, fact: usize) -> Result<i64, Stop> {
        let memo = self.facts[fact];
        if memo.stamp == self.stamp {
            return Ok(memo.value);
        }
        self.fact_anew(fact)
    }

    #[inline(never)]
    pub(super) fn fact_of(&mut self, fact: u32) -> Result<i64, Stop> {
        self.fact(fact as usize)
    }

    #[inline(never)]
    fn fact_anew(&mut self, fact: usize) -> Result<i64, Stop> {
        self.works()?;
        let compiled = self.compiled;
        let definition = &compiled.facts[fact];
        let value = if definition.locals == 0 {
            self.evaluate(&definition.code)?
        } else {
            self.in_frame(definition.locals, &definition.code)?
        };
        let value = self.as_typed(definition.bounds, value);
        self.facts[fact] = Memo {
            stamp: self.stamp,
            value,
        };
        Ok(value)
    }

    /// The value of a fact with parameters.
    #[inline(never)]
    pub(super) fn call(&mut self, fact: usize, arguments: &'c [Code]) -> Result<i64, Stop> {
        self.works()?;
        let compiled = self.compiled;
        let definition = &compiled.facts[fact];
        let (base, frame_top) = (self.base, self.frame_top);
        self.reserve(definition.locals);
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.operand(argument)?;
            let bounds = definition.takes.get(index).copied().flatten();
            self.locals[frame_top + index] = self.as_typed(bounds, value);
        }
        self.base = frame_top;
        let value = self.remembered(fact, arguments.len())?;
        self.base = base;
        self.frame_top = frame_top;
        Ok(self.as_typed(definition.bounds, value))
    }

    /// The value of a fact whose arguments are the first locals of the frame.
    #[inline(never)]
    fn remembered(&mut self, fact: usize, parameters: usize) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let definition = &compiled.facts[fact];
        let Some(table) = &definition.table else {
            return self.evaluate(&definition.code);
        };
        let mut place = 0;
        for (index, domain) in table.domains.iter().enumerate().take(parameters) {
            place = place * domain.count + domain.index(self.locals[self.base + index]);
        }
        let place = table.start + place;
        let memo = self.table[place];
        if memo.stamp == self.stamp {
            return Ok(memo.value);
        }
        let value = self.evaluate(&definition.code)?;
        self.table[place] = Memo {
            stamp: self.stamp,
            value,
        };
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn tabulate(&mut self, table: &Tabulate) -> Result<i64, Stop> {
        let compiled = self.compiled;
        let fact = table.fact as usize;
        let locals = compiled.facts[fact].locals;
        let start = self.block(table.words)?;
        for index in 0..table.domain.count {
            let key = table.domain.value(index);
            if table
                .partial
                .is_some_and(|partial| !self.is_value(partial, key))
            {
                continue;
            }
            self.works()?;
            let value = self.framed(locals, |machine| {
                machine.set_local(0, key);
                machine.remembered(fact, 1)
            })?;
            self.write(start, index, table.slot, value);
        }
        Ok(handle(start))
    }
}
