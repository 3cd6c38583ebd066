//! One event: what is impossible, refused, changed, said, and what follows.

use super::{Machine, Memo};
use crate::{
    code::{Choice, Equation, Event, Impossible, NONE, Natively, Report},
    fault::{Fault, Stop},
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

/// What is decided of an event, before anything changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decided {
    /// It is refused.
    Refused,
    /// It happens; whether the game is over then, and whether it begins again.
    Happens { over: bool, restart: bool },
}

/// How machine code comes back from the events of a `play`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// What comes next must be done.
    Stopped,
    /// The game is over.
    Over,
    /// The event in hand follows another and is still to happen.
    Waits,
    /// The event in hand has happened, and which one follows is still to be asked.
    Happened,
    /// The event in hand was decided, but not all of it is done.
    Decided {
        decided: Decided,
        /// Whether it was read or chosen, and does not follow another.
        chosen: bool,
    },
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

/// Which of some rows machine code chose.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chosen {
    Row(usize),
    Nothing,
    /// The evaluator must say it.
    Unknown,
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
            self.stamp += 1;
        }
        Ok(choice)
    }

    /// Does one event. `chosen` says that it was read or chosen and does not follow another.
    pub(crate) fn happen(&mut self, chosen: bool) -> Result<After, Stop> {
        self.events += 1;
        if self.events > self.compiled.limit {
            return Err(Box::new(Fault::Limit(self.compiled.limit)));
        }
        self.restarted = false;
        self.assert_fields();
        let (decided, done) = match self.happened_lowered(chosen) {
            Some(happened) => happened,
            None => (self.event_decided()?, false),
        };
        self.end(decided, done, chosen)
    }

    /// Ends an event that was decided: the new values take the place of the old ones, unless that is done.
    fn end(&mut self, decided: Decided, done: bool, chosen: bool) -> Result<After, Stop> {
        self.answer_in_event();
        let Decided::Happens { over, restart } = decided else {
            return Ok(After::Refused);
        };
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

    /// Decides the event in hand where a lowered function could not. An exact function says what is wrong, but before
    /// the game is lowered, when the evaluator does all.
    fn event_decided(&mut self) -> Result<Decided, Stop> {
        let is_lowered = self.is_lowered() || self.compiled.natively == Natively::Exact;
        if is_lowered
            && !self.answers_in_event()
            && let Some(decided) = self.decided_exactly()
        {
            return decided;
        }
        self.decide_event()
    }

    /// Decides the event in hand: what is impossible and refused, what changes, and what is said.
    fn decide_event(&mut self) -> Result<Decided, Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        self.impossible()?;
        for refuse in &event.refuse {
            if self.evaluate(&refuse.fires)? == 1 {
                self.said(&event.refused, event.refused_locals)?;
                return Ok(Decided::Refused);
            }
        }
        let over = match &event.over {
            Some(over) => self.operand(over)? == 1,
            None => false,
        };
        let restart = match &event.restart {
            Some(restart) => self.evaluate(restart)? == 1,
            None => false,
        };
        for state in &event.changes {
            self.change(event, *state as usize)?;
        }
        self.report()?;
        Ok(Decided::Happens { over, restart })
    }

    /// Works out the new value of a state in the event in hand, if nobody has asked for it before.
    #[inline]
    fn change(&mut self, event: &'c Event, state: usize) -> Result<(), Stop> {
        if self.new[state].stamp == self.stamp {
            return Ok(());
        }
        let Some(Some(Equation {
            code,
            locals: 0,
            pointwise: None,
            ..
        })) = event.equations.get(state)
        else {
            self.new_value(state)?;
            return Ok(());
        };
        let value = self.operand(code)?;
        self.new[state] = Memo {
            stamp: self.stamp,
            value,
        };
        Ok(())
    }

    /// The first `impossible` row to fire stops the run.
    pub(super) fn impossible(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        if event.impossible.is_empty() {
            return Ok(());
        }
        let index = self.event;
        self.framed(event.impossible_locals, |machine| {
            for (place, row) in event.impossible.iter().enumerate() {
                let Impossible { row, mark } = row;
                if row.bindings.is_empty() && !machine.all_hold(&row.conditions)? {
                    continue;
                }
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

    /// Says the rows of the event in hand that fire.
    pub(super) fn report(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[self.event];
        self.said(&event.report, event.report_locals)
    }

    fn said(&mut self, rows: &'c [Report], locals: usize) -> Result<(), Stop> {
        if rows.is_empty() {
            return Ok(());
        }
        self.framed(locals, |machine| {
            for row in rows {
                if row.bindings.is_empty() {
                    if machine.all_hold(&row.conditions)? {
                        machine.say_row(row)?;
                    }
                    continue;
                }
                machine.run(&row.bindings, &row.conditions, &mut |machine| {
                    machine.say_row(row)?;
                    Ok(true)
                })?;
            }
            Ok(())
        })
    }

    fn say_row(&mut self, row: &'c Report) -> Result<(), Stop> {
        let start = self.out.len();
        if let Err(stop) = self.say(&row.text) {
            // Half a line is not said.
            self.out.truncate(start);
            return Err(stop);
        }
        if !row.inline {
            self.out.push(b'\n');
        }
        Ok(())
    }

    /// The first row that fires, whose event's guard holds, and none of whose fields is none where it may not be.
    /// Its event and fields wait in `chosen`.
    pub(crate) fn choose(&mut self, choices: Choices) -> Result<Option<&'c Choice>, Stop> {
        let compiled = self.compiled;
        let rows = match choices {
            Choices::Policy(policy) => compiled.policies[policy].as_slice(),
            Choices::Follows(event) => compiled.events[event].follows.as_slice(),
        };
        match self.chosen_lowered(choices) {
            Chosen::Unknown => self.choose_among(rows),
            Chosen::Nothing => Ok(None),
            Chosen::Row(place) => {
                let choice = &rows[place];
                let fields = compiled.events[choice.event].fields.len();
                self.chosen_fields.truncate(fields);
                self.chosen_event = choice.event;
                self.count_taken(choice.count);
                Ok(Some(choice))
            }
        }
    }

    /// As [`Machine::choose`], by the evaluator.
    fn choose_among(&mut self, choices: &'c [Choice]) -> Result<Option<&'c Choice>, Stop> {
        for choice in choices {
            let mut found = false;
            self.framed(choice.locals, |machine| {
                if choice.bindings.is_empty() {
                    found = machine.all_hold(&choice.conditions)? && machine.picks(choice)?;
                    return Ok(true);
                }
                machine.run(&choice.bindings, &choice.conditions, &mut |machine| {
                    found = machine.picks(choice)?;
                    Ok(!found)
                })
            })?;
            if found {
                self.count_taken(choice.count);
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    fn picks(&mut self, choice: &'c Choice) -> Result<bool, Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[choice.event];
        self.chosen_fields.clear();
        for (field, code) in event.fields.iter().zip(&choice.fields) {
            let mut value = self.operand(code)?;
            if value == NONE {
                if !field.optional {
                    return Ok(false);
                }
            } else if let Some(words) = field.shape.block() {
                // A block of the state would change under the event's hands.
                value = super::memory::handle(self.copy(super::memory::at(value), words)?);
            }
            self.chosen_fields.push(value);
        }
        self.chosen_event = choice.event;
        self.may_happen(choice.event)
    }

    /// Whether an event's guard holds.
    pub(crate) fn may_happen(&mut self, event: usize) -> Result<bool, Stop> {
        let compiled = self.compiled;
        let guard = &compiled.events[event].guard;
        if guard.is_some()
            && let Some(may) = self.guarded_lowered(event)
        {
            return Ok(may);
        }
        match guard {
            None => Ok(true),
            Some(guard) if guard.locals == 0 => Ok(self.evaluate(&guard.code)? == 1),
            Some(guard) => Ok(self.in_frame(guard.locals, &guard.code)? == 1),
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
