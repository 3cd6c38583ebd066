//! What is ranged over.

use super::{
    Machine,
    memory::{at, handle},
    pile::Pile,
};
use crate::{
    code::{Best, Code, Loop, NONE, Source},
    fault::Stop,
};

/// What is done with each value; it says whether to go on.
pub(crate) type Visit<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>, i64) -> Result<bool, Stop>;

/// What is done each time that variables have values; it says whether to go on.
pub(super) type Body<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>) -> Result<bool, Stop>;

impl<'c> Machine<'c> {
    /// Visits each value; says whether no visit stopped it.
    pub(super) fn each(&mut self, source: &'c Source, visit: Visit<'_, 'c>) -> Result<bool, Stop> {
        match source {
            Source::Span(ends) => {
                let lo = self.evaluate(&ends.0)?;
                let hi = self.evaluate(&ends.1)?;
                for value in lo..=hi {
                    self.works()?;
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Source::Partial(partial) => {
                for index in 0..self.compiled.partial[*partial].count {
                    self.works()?;
                    if self.is_value(*partial, handle(index)) && !visit(self, handle(index))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Source::Bits { set, base, .. } => {
                let mut bits = self.evaluate(set)?;
                while bits != 0 {
                    self.works()?;
                    let value = base + i64::from(bits.trailing_zeros());
                    bits &= bits - 1;
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Source::Words { set, base, words } => {
                let start = at(self.evaluate(set)?);
                self.each_word(start, *base, *words, visit)
            }
            Source::Counts { bag, base, count } => {
                let start = at(self.evaluate(bag)?);
                self.each_counted(start, *base, *count, visit)
            }
            Source::Pile { pile, slot } => {
                let pile = Pile::of(self.evaluate(pile)?);
                for index in 0..pile.len {
                    self.works()?;
                    let value = self.element(pile, index, *slot)?;
                    if !visit(self, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Source::Hashed { set, hashed } => {
                let set = self.evaluate(set)?;
                self.each_hashed(set, *hashed, visit)
            }
            Source::Items(items) => {
                for item in items {
                    let value = self.evaluate(item)?;
                    if value != NONE && !visit(self, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Source::Mapped(range, value) => self.mapped(range, value, visit),
            Source::When(pair) => {
                let (condition, source) = &**pair;
                let mut holds = None;
                let done = self.each(source, &mut |machine, value| {
                    if holds.is_none() {
                        holds = Some(machine.operand(condition)? != 0);
                    }
                    Ok(holds == Some(true) && visit(machine, value)?)
                })?;
                Ok(done || holds == Some(false))
            }
            other => self.each_point(other, visit),
        }
    }

    /// Visits the members of a bag of counts, once per piece.
    pub(super) fn each_counted(
        &mut self,
        start: usize,
        base: i64,
        count: usize,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        let mut index = 0;
        while let Some(skipped) = self.memory[start + index..start + count]
            .iter()
            .position(|pieces| *pieces != 0)
        {
            index += skipped;
            for _ in 0..self.load(start + index) {
                self.works()?;
                if !visit(self, base + handle(index))? {
                    return Ok(false);
                }
            }
            index += 1;
        }
        Ok(true)
    }

    fn mapped(
        &mut self,
        range: &'c Loop,
        value: &'c Code,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        if let ([(local, source)], Code::Local(same)) = (&*range.bindings, value)
            && local == same
        {
            // A filter: what is ranged over is the value.
            return self.each(source, &mut |machine, value| {
                machine.set_local(*local, value);
                if let Some(condition) = &range.condition
                    && machine.evaluate(condition)? == 0
                {
                    return Ok(true);
                }
                visit(machine, value)
            });
        }
        self.run(
            &range.bindings,
            range.condition.as_slice(),
            &mut |machine| {
                let value = machine.evaluate(value)?;
                if value == NONE {
                    return Ok(true);
                }
                visit(machine, value)
            },
        )
    }

    /// Visits the members of a set of words.
    pub(super) fn each_word(
        &mut self,
        start: usize,
        base: i64,
        words: usize,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        for word in 0..words {
            let mut bits = self.memory[start + word];
            while bits != 0 {
                self.works()?;
                let value = base + handle(word * 64) + i64::from(bits.trailing_zeros());
                bits &= bits - 1;
                if !visit(self, value)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether all conditions hold.
    #[inline]
    pub(super) fn all_hold(&mut self, conditions: &'c [Code]) -> Result<bool, Stop> {
        for condition in conditions {
            if self.operand(condition)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs `body` for each value of the variables for which the conditions hold; says whether nothing stopped it.
    pub(super) fn run(
        &mut self,
        bindings: &'c [(u32, Source)],
        conditions: &'c [Code],
        body: Body<'_, 'c>,
    ) -> Result<bool, Stop> {
        let Some(((local, source), rest)) = bindings.split_first() else {
            return if self.all_hold(conditions)? {
                body(self)
            } else {
                Ok(true)
            };
        };
        if rest.is_empty() {
            return self.each(source, &mut |machine, value| {
                machine.set_local(*local, value);
                if machine.all_hold(conditions)? {
                    body(machine)
                } else {
                    Ok(true)
                }
            });
        }
        self.each(source, &mut |machine, value| {
            machine.set_local(*local, value);
            machine.run(rest, conditions, body)
        })
    }

    /// The best of what is ranged over: the first in order where keys are the same.
    #[inline(never)]
    pub(super) fn best(&mut self, best: &'c Best) -> Result<i64, Stop> {
        let Some((chosen, keys)) = best.held.split_first() else {
            return Ok(NONE);
        };
        self.set_local(*chosen, NONE);
        self.each(&best.source, &mut |machine, value| {
            machine.set_local(best.local, value);
            if let Some(condition) = &best.condition
                && machine.evaluate(condition)? == 0
            {
                return Ok(true);
            }
            machine.challenge(best, *chosen, keys, value)?;
            Ok(!machine.comes_first(best))
        })?;
        Ok(self.locals[self.base + *chosen as usize])
    }

    /// Whether the first value that fulfilled the condition is the best, and asking the others can say nothing else.
    fn comes_first(&self, best: &Best) -> bool {
        let states = best.first.as_ref();
        states.is_some_and(|states| {
            let mut states = states.iter();
            states.all(|state| self.new[*state as usize].stamp == self.stamp)
        })
    }

    /// Compares a value with the best so far, key by key, and takes its place if it is better.
    fn challenge(
        &mut self,
        best: &'c Best,
        chosen: u32,
        keys: &[u32],
        value: i64,
    ) -> Result<(), Stop> {
        let first = self.locals[self.base + chosen as usize] == NONE;
        let mut better = first;
        for ((highest, key), held) in best.keys.iter().zip(keys) {
            let found = self.evaluate(key)?;
            if !better {
                let held = self.locals[self.base + *held as usize];
                if found == held {
                    continue;
                }
                if (found > held) != *highest {
                    return Ok(());
                }
                better = true;
            }
            self.set_local(*held, found);
        }
        // A tie is settled by the type's order: the least wins, in whatever order they come.
        let held = self.locals[self.base + chosen as usize];
        if better || (best.ordered && value < held) {
            self.set_local(chosen, value);
        }
        Ok(())
    }
}
