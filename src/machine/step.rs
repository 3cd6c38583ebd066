//! One event: whether it is impossible or refused, what it changes and says, and which event follows it.

use super::Machine;
use crate::{
    code::{Choice, Impossible},
    fault::{Fault, Stop},
    lower::{self, Decided, Key, Return},
};

/// The status of a game after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    On,
    Over,
    Refused,
}

/// What machine code has read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Read {
    /// The first word of the last event read, and the one after its last word.
    pub(crate) first: usize,
    pub(crate) next: usize,
    /// The row of `play` that it matched.
    pub(crate) row: usize,
}

/// Rows that choose an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choices {
    Policy(usize),
    Follows(usize),
}

impl<'c> Machine<'c> {
    /// Runs the current event, and those that follow it.
    ///
    /// # Errors
    /// The event is impossible, or a row cannot be evaluated.
    pub(crate) fn step(&mut self) -> Result<After, Stop> {
        let after = self.happen(true)?;
        self.follow(after)
    }

    /// Runs the events that follow the current one.
    fn follow(&mut self, mut after: After) -> Result<After, Stop> {
        while after == After::On && self.take_next()?.is_some() {
            after = self.happen(false)?;
        }
        Ok(after)
    }

    /// Finishes an event that machine code has begun, and runs those that follow it.
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub(crate) fn go_on(&mut self, returned: Return) -> Result<After, Stop> {
        let after = match returned {
            Return::Over => After::Over,
            Return::Stopped | Return::Happened => After::On,
            Return::Waits => self.happen(false)?,
            Return::Decided { decided, chosen } => self.end(decided, false, chosen)?,
        };
        self.follow(after)
    }

    /// Makes the event that follows the current one current, if there is one, and returns the row that chose it.
    pub(crate) fn take_next(&mut self) -> Result<Option<&'c Choice>, Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        if event.follows.is_empty() || self.restarted {
            return Ok(None);
        }
        if !event.is_kept() {
            self.forget();
        }
        let choice = self.choose(Choices::Follows(self.event))?;
        if choice.is_some() {
            self.take_chosen();
            // Drop the caches that depend on the fields of the event before.
            self.epoch += 1;
        }
        Ok(choice)
    }

    /// Runs one event. `chosen` means that it was read or chosen and does not follow another.
    pub(crate) fn happen(&mut self, chosen: bool) -> Result<After, Stop> {
        self.events += 1;
        if self.events > self.compiled.limit {
            return Err(Box::new(Fault::Limit(self.compiled.limit)));
        }
        self.fast_pause = self.fast_pause.saturating_sub(1);
        self.restarted = false;
        self.assert_fields();
        let (decided, done) = match self.run_lowered_event(chosen) {
            Some(happened) => happened,
            None => (self.decide()?, false),
        };
        self.end(decided, done, chosen)
    }

    /// Finishes an event that was decided: commits the new values unless that is `done`.
    fn end(&mut self, decided: Decided, done: bool, chosen: bool) -> Result<After, Stop> {
        self.answer_questions();
        let Decided::Happens { over, restart } = decided else {
            return Ok(After::Refused);
        };
        if over {
            self.keep_outcome()?;
        }
        if !done {
            self.commit(chosen)?;
        }
        self.assert_state();
        if restart && !over {
            let event = self.event;
            self.begin()?;
            self.event = event;
            self.restarted = true;
        }
        Ok(if over { After::Over } else { After::On })
    }

    /// Decides the current event: whether it is impossible or refused, what it changes, and what it says. If it fails,
    /// the output keeps the complete lines before the failure.
    pub(super) fn decide(&mut self) -> Result<Decided, Stop> {
        let line_start = self.line_start;
        let decided = self.exactly(|machine| {
            machine.line_start = machine.out.len();
            machine.call_key(Key::Event(machine.event), &[1])
        });
        if decided.is_err() {
            self.out.truncate(self.line_start);
        }
        self.line_start = line_start;
        decided.map(|word| lower::happened(word).0)
    }

    /// Stops at the first `impossible` row that fires.
    pub(super) fn impossible(&mut self) -> Result<(), Stop> {
        self.impossible_by(|_| true)
    }

    /// The same, for the rows that `asks` selects.
    pub(super) fn impossible_by(&mut self, asks: impl Fn(&Impossible) -> bool) -> Result<(), Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        if event.impossible.is_empty() {
            return Ok(());
        }
        let index = self.event;
        self.framed(event.impossible_locals, |machine| {
            let rows = event.impossible.iter().enumerate();
            for (place, Impossible { row, mark, .. }) in rows.filter(|(_, row)| asks(row)) {
                machine.run(&row.bindings, &row.conditions, &mut |machine| {
                    let text = machine.rendered(&row.text)?;
                    let local = mark.and_then(|mark| mark.local);
                    Err(Box::new(Fault::Impossible {
                        event: index,
                        row: place,
                        text,
                        member: local.map(|local| machine.locals[machine.base + local as usize]),
                    }))
                })?;
            }
            Ok(())
        })
    }

    /// The first row that fires, whose event's guard holds, and whose fields all have a value if they need one. The
    /// event and its fields wait in `chosen`.
    pub(crate) fn choose(&mut self, choices: Choices) -> Result<Option<&'c Choice>, Stop> {
        let compiled = self.compiled;
        let rows = match choices {
            Choices::Policy(policy) => compiled.policies[policy].as_slice(),
            Choices::Follows(event) => compiled.events[event].follows.as_slice(),
        };
        let place = match self.choose_lowered(choices) {
            Some(place) => place,
            None => self.chosen_exactly(choices)?,
        };
        let choice = usize::try_from(place).ok();
        let Some(choice) = choice.map(|place| &rows[place]) else {
            return Ok(None);
        };
        let fields = compiled.events[choice.event].fields.len();
        self.chosen_fields.truncate(fields);
        self.chosen_event = choice.event;
        self.passed(choice.passed);
        Ok(Some(choice))
    }

    /// The index of the row that chooses the next event, negative for none; its fields wait in `chosen_fields`.
    fn chosen_exactly(&mut self, choices: Choices) -> Result<i64, Stop> {
        let events = &self.compiled.events;
        let fields = events.iter().map(|event| event.fields.len());
        self.chosen_fields.resize(fields.max().unwrap_or(0), 0);
        let key = match choices {
            Choices::Policy(policy) => Key::Policy(policy),
            Choices::Follows(event) => Key::Follows(event),
        };
        self.exactly(|machine| machine.call_key(key, &[]))
    }

    /// Whether an event's guard holds.
    pub(crate) fn may_happen(&mut self, event: usize) -> Result<bool, Stop> {
        if self.compiled.events[event].guard.is_none() {
            return Ok(true);
        }
        match self.check_lowered_guard(event) {
            Some(may) => Ok(may),
            None => self.exactly(|machine| Ok(machine.call_key(Key::Guard(event), &[])? == 1)),
        }
    }

    /// Makes the chosen event the current one.
    pub(crate) fn take_chosen(&mut self) {
        self.event = self.chosen_event;
        for (place, value) in (self.compiled.fields..).zip(&self.chosen_fields) {
            self.memory[place] = value.cast_unsigned();
        }
    }
}
