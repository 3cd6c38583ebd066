//! The start of a game: givens, initial values, and the output of `on start`.

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{Domain, NONE, Pointwise},
    fault::{Fault, Stop},
    lower::{Decided, Key},
};

/// How many bytes of texts games may leave behind before unused ones are freed.
const TEXTS: usize = 1 << 16;

impl<'c> Machine<'c> {
    /// Starts a game once its givens are read. Returns whether it goes on: the start may end it.
    ///
    /// # Errors
    /// An initial value, a written form or a row of `on start` cannot be evaluated.
    pub(crate) fn start(&mut self, read: &[Vec<bool>]) -> Result<bool, Stop> {
        self.prepare(read)?;
        self.open()
    }

    /// Starts a game without running `on start`.
    ///
    /// # Errors
    /// As [`Machine::start`], but for the rows of `on start`.
    pub(crate) fn prepare(&mut self, read: &[Vec<bool>]) -> Result<(), Stop> {
        self.game_number += 1;
        self.events = 0;
        self.game_fuel = self.most_fuel;
        // Keep the texts of the givens.
        self.texts.keep();
        self.forget();
        self.setup = None;
        if !self.keeps_games {
            self.interned.clear();
        }
        self.find_values(false)?;
        self.defaults(read)?;
        self.find_values(true)?;
        self.find_forms()?;
        self.texts_of_givens();
        if let Err(stop) = self.begin() {
            return Err(self.wrongly_given().unwrap_or(stop));
        }
        self.texts.keep();
        self.event = 0;
        Ok(())
    }

    /// Runs `on start`. Returns whether the game goes on; a game without events does not.
    ///
    /// # Errors
    /// A row cannot be evaluated, or makes the givens impossible.
    pub(crate) fn open(&mut self) -> Result<bool, Stop> {
        let decided = match self.run_lowered_event(false) {
            Some((decided, _)) => decided,
            None => self.decide()?,
        };
        let over = matches!(decided, Decided::Happens { over: true, .. });
        if over {
            self.keep_outcome()?;
        }
        Ok(!over && self.compiled.events.len() > 1)
    }

    /// The error of the first `impossible` row of `on start` that fires, of those that depend on givens only. It
    /// explains why an initial value fails.
    fn wrongly_given(&mut self) -> Option<Stop> {
        self.event = 0;
        self.forget();
        let stop = self.impossible_by(|row| row.stateless).err()?;
        matches!(*stop, Fault::Impossible { .. }).then_some(stop)
    }

    /// Sets every state to its initial value.
    pub(super) fn begin(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        self.event = 0;
        self.epoch += 1;
        for state in 0..compiled.states.len() {
            let known = self.new[state].epoch == self.epoch;
            if !known && !self.initialise_lowered(state) {
                self.exactly(|machine| machine.new_value(state))?;
            }
        }
        for (index, state) in compiled.states.iter().enumerate() {
            let value = self.new[index].value;
            self.write(state.offset, 0, state.slot, value);
            if let Some(previous) = state.previous {
                self.write(previous, 0, state.slot, value);
            }
        }
        self.epoch += 1;
        Ok(())
    }

    /// Sets the givens that were not read to their defaults.
    fn defaults(&mut self, read: &[Vec<bool>]) -> Result<(), Stop> {
        let compiled = self.compiled;
        self.event = 0;
        for (given, read) in compiled.givens.iter().zip(read) {
            if let Some(drawn) = &given.drawn
                && !read.first().copied().unwrap_or(false)
            {
                let value = self.drawn(drawn)?;
                self.write(given.offset, 0, given.slot, value);
            }
            let Some(default) = &given.default else {
                continue;
            };
            match (&default.pointwise, given.entry) {
                (Some(pointwise), Some((_, slot))) => {
                    let offset = given.offset;
                    self.each_key(pointwise, default.locals, &mut |machine, index| {
                        if !read.get(index).copied().unwrap_or(false) {
                            let value = machine.evaluate(&default.code)?;
                            machine.write(offset, index, slot, value);
                        }
                        Ok(())
                    })?;
                }
                _ if read.first().copied().unwrap_or(false) => {}
                _ => {
                    let value =
                        self.framed(default.locals, |machine| machine.evaluate(&default.code))?;
                    self.write(given.offset, 0, given.slot, value);
                }
            }
        }
        Ok(())
    }

    /// Calls `body` for each key, in a frame whose first locals are the key's parts.
    pub(super) fn each_key(
        &mut self,
        pointwise: &'c Pointwise,
        locals: usize,
        body: &mut dyn FnMut(&mut Self, usize) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let end = self.end_of_keys(pointwise)?;
        self.framed(locals, |machine| {
            for index in 0..end {
                machine.charge_one()?;
                let key = pointwise.key.value(index);
                if pointwise
                    .partial
                    .is_some_and(|partial| !machine.is_value(partial, key))
                {
                    continue;
                }
                machine.bind_key(&pointwise.parameters, index, key);
                body(machine, index)?;
            }
            Ok(())
        })
    }

    /// One past the last index of a map's keys.
    fn end_of_keys(&mut self, pointwise: &'c Pointwise) -> Result<usize, Stop> {
        let count = pointwise.key.count;
        Ok(match &pointwise.last {
            Some(last) => count.min(pointwise.key.index(self.evaluate(last)?).saturating_add(1)),
            None => count,
        })
    }

    /// Sets the first locals to the parts of a key.
    pub(super) fn bind_key(&mut self, parameters: &[Domain], index: usize, key: i64) {
        if let [_] = parameters {
            self.set_local(0, key);
            return;
        }
        let mut rest = index;
        for (place, domain) in parameters.iter().enumerate().rev() {
            let value = domain.value(rest % domain.count);
            self.set_local(u32::try_from(place).unwrap_or(u32::MAX), value);
            rest /= domain.count;
        }
    }

    /// Frees the texts of earlier games, once there are many.
    fn texts_of_givens(&mut self) {
        if self.texts.size() < TEXTS || self.compiled.keeps_given_texts || self.keeps_games {
            return;
        }
        let compiled = self.compiled;
        let mut fresh = super::Texts::new(compiled);
        for (start, count) in &compiled.text_roots {
            for place in *start..start + count {
                let id = self.load(place);
                if id != crate::code::NONE {
                    let id = fresh.id(self.texts.get(id));
                    self.store(place, id);
                }
            }
        }
        self.texts = fresh;
    }

    /// Sets a given, or one entry of it, to a value that was read.
    pub(crate) fn give(&mut self, given: usize, entry: Option<usize>, value: i64) {
        let given = &self.compiled.givens[given];
        match (entry, given.entry) {
            (Some(index), Some((_, slot))) => self.write(given.offset, index, slot, value),
            _ => self.write(given.offset, 0, given.slot, value),
        }
    }

    /// The new value of a state in the current event, evaluated once per step.
    #[inline]
    pub(super) fn new_value(&mut self, state: usize) -> Result<i64, Stop> {
        let memo = self.new[state];
        if memo.epoch == self.epoch {
            return Ok(memo.value);
        }
        let number = u32::try_from(state).unwrap_or(u32::MAX);
        self.call_key(Key::New(self.event, number), &[])
    }

    /// Saves the state before an event that was read or chosen, for `previous`.
    #[inline]
    pub(super) fn keep(&mut self) {
        for kept in &self.compiled.kept {
            self.memory
                .copy_within(kept.offset..kept.offset + kept.words, kept.previous);
        }
    }

    /// Replaces the old values with the new ones. `chosen` means that this event was read or chosen, so that the state
    /// before it becomes `previous`.
    pub(super) fn commit(&mut self, chosen: bool) -> Result<(), Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        // A new value that lies in fixed memory is about to be overwritten: copy it first.
        for change in &event.blocks {
            let state = &compiled.states[*change as usize];
            let value = self.new[*change as usize].value;
            if let Some(words) = state.shape.block()
                && value != NONE
                && at(value) < compiled.fixed_words
                && at(value) != state.offset
            {
                self.new[*change as usize].value = handle(self.copy(at(value), words)?);
            }
        }
        if chosen {
            self.keep();
        }
        for (state, offset) in &event.words {
            self.memory[*offset] = self.new[*state as usize].value.cast_unsigned();
        }
        for change in &event.blocks {
            let state = &compiled.states[*change as usize];
            let value = self.new[*change as usize].value;
            self.write(state.offset, 0, state.slot, value);
        }
        self.epoch += 1;
        Ok(())
    }
}
