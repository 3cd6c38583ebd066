//! One event: what is impossible, refused, changed, said, and what follows.

use super::Machine;
use crate::{
    code::{Choice, Impossible},
    fault::{Fault, Stop},
    lower::{self, Decided, Key, Return},
};

/// How a game stands after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It goes on.
    On,
    /// It is over.
    Over,
    /// The event was refused.
    Refused,
}

/// What machine code has read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Read {
    /// The first word of the event that was read last, and the one after its last.
    pub(crate) first: usize,
    pub(crate) next: usize,
    /// The row of the `play` that it was read by.
    pub(crate) row: usize,
}

/// Rows that choose an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choices {
    /// Those of a policy.
    Policy(usize),
    /// Those of the events that follow an event.
    Follows(usize),
}

impl<'c> Machine<'c> {
    /// Does the event in hand, and what follows it.
    ///
    /// # Errors
    /// What makes it impossible, or what is wrong with a row.
    pub(crate) fn step(&mut self) -> Result<After, Stop> {
        let after = self.happen(true)?;
        self.follow(after)
    }

    /// Does what follows an event.
    fn follow(&mut self, mut after: After) -> Result<After, Stop> {
        while after == After::On && self.take_next()?.is_some() {
            after = self.happen(false)?;
        }
        Ok(after)
    }

    /// Ends what machine code has begun, and does what follows it.
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

    /// Takes the event in hand that follows the one in hand, if one does, and gives the row that says so.
    pub(crate) fn take_next(&mut self) -> Result<Option<&'c Choice>, Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        if event.follows.is_empty() || self.restarted {
            return Ok(None);
        }
        if event
            .fields
            .iter()
            .all(|field| field.shape.block().is_none())
        {
            self.forget();
        }
        let choice = self.choose(Choices::Follows(self.event))?;
        if choice.is_some() {
            self.take_chosen();
            // What was worked out of the fields of the event before is forgotten.
            self.epoch += 1;
        }
        Ok(choice)
    }

    /// Does one event. `chosen` says that it was read or chosen and does not follow another.
    pub(crate) fn happen(&mut self, chosen: bool) -> Result<After, Stop> {
        self.events += 1;
        if self.events > self.compiled.limit {
            return Err(Box::new(Fault::Limit(self.compiled.limit)));
        }
        self.fast_rests = self.fast_rests.saturating_sub(1);
        self.restarted = false;
        self.assert_fields();
        let (decided, done) = match self.happened_lowered(chosen) {
            Some(happened) => happened,
            None => (self.decide()?, false),
        };
        self.end(decided, done, chosen)
    }

    /// Ends an event that was decided: the new values take the place of the old ones, unless that is done.
    fn end(&mut self, decided: Decided, done: bool, chosen: bool) -> Result<After, Stop> {
        self.answer_in_event();
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
            let in_hand = self.event;
            self.begin()?;
            self.event = in_hand;
            self.restarted = true;
        }
        Ok(if over { After::Over } else { After::On })
    }

    /// Decides the event in hand: what is impossible and refused, what changes, and what is said. Where it fails, what was
    /// said before the line that it fails in stays.
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

    /// The first `impossible` row to fire stops the run.
    pub(super) fn impossible(&mut self) -> Result<(), Stop> {
        self.impossible_by(|_| true)
    }

    /// The same, by the rows that `asks` picks.
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

    /// The first row that fires, whose event's guard holds, and none of whose fields is none where it may not be.
    /// Its event and fields wait in `chosen`.
    pub(crate) fn choose(&mut self, choices: Choices) -> Result<Option<&'c Choice>, Stop> {
        let compiled = self.compiled;
        let rows = match choices {
            Choices::Policy(policy) => compiled.policies[policy].as_slice(),
            Choices::Follows(event) => compiled.events[event].follows.as_slice(),
        };
        let place = match self.chosen_lowered(choices) {
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

    /// The place of the row that chooses the next event, below 0 for none; its fields wait to be taken.
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
        match self.guarded_lowered(event) {
            Some(may) => Ok(may),
            None => self.exactly(|machine| Ok(machine.call_key(Key::Guard(event), &[])? == 1)),
        }
    }

    /// Takes the chosen event in hand.
    pub(crate) fn take_chosen(&mut self) {
        self.event = self.chosen_event;
        for (place, value) in (self.compiled.fields..).zip(&self.chosen_fields) {
            self.memory[place] = value.cast_unsigned();
        }
    }
}
