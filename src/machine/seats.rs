//! Who decides what happens, how likely it is, and what each seat has at the end.

use super::Machine;
use crate::{
    code::{Asked, Decider, Outcome, Written},
    fault::{self, Stop, Trouble},
};

/// Who decides an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decides {
    /// Nobody who plays.
    Referee,
    Chance,
    /// A seat, as it is written.
    Seat(String),
}

/// What a seat has when the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Has {
    Loss,
    Draw,
    Win,
    Points(i64),
}

/// How a game ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ending {
    /// Its number; 0 where none has ended.
    pub(crate) game: i64,
    /// What each seat has.
    pub(crate) outcome: Vec<(String, Has)>,
}

impl<'c> Machine<'c> {
    /// Whether a field of an event says who decides it.
    pub(crate) fn is_decided_by_field(&self, event: usize) -> bool {
        matches!(self.compiled.events[event].by, Decider::Field(..))
    }

    /// All who may decide an event now: several where a field says who does.
    ///
    /// # Errors
    /// What is wrong with the rule that says it.
    pub(crate) fn deciders(&mut self, event: usize) -> Result<Vec<Decides>, Stop> {
        let Decider::Field(field, _) = self.compiled.events[event].by else {
            return Ok(vec![self.decides(event)?]);
        };
        let mut deciders = Vec::new();
        self.each_value_of(event, field, &mut |machine, event| {
            deciders.push(machine.decides(event)?);
            Ok(())
        })?;
        Ok(deciders)
    }

    /// Who decides an event now; the event in hand, where a field says it.
    ///
    /// # Errors
    /// What is wrong with the rule that says it.
    pub(crate) fn decides(&mut self, event: usize) -> Result<Decides, Stop> {
        let compiled = self.compiled;
        Ok(match &compiled.events[event].by {
            Decider::Referee => Decides::Referee,
            Decider::Chance(_) => Decides::Chance,
            Decider::Seat(asked, written) => {
                let seat = self.framed(asked.locals, |machine| machine.value_of(asked))?;
                Decides::Seat(self.written(seat, written)?)
            }
            Decider::Field(field, written) => {
                Decides::Seat(self.written(self.field(*field), written)?)
            }
        })
    }

    /// How likely the event in hand is beside others, if the rules say it.
    ///
    /// # Errors
    /// What is wrong with the rule that says it; that it is less than nothing.
    pub(crate) fn weight(&mut self, event: usize) -> Result<Option<u64>, Stop> {
        let compiled = self.compiled;
        let Decider::Chance(Some((asked, site))) = &compiled.events[event].by else {
            return Ok(None);
        };
        let weight = self.framed(asked.locals, |machine| machine.value_of(asked))?;
        match u64::try_from(weight) {
            Ok(weight) => Ok(Some(weight)),
            Err(_) => Err(fault::rules(*site, Trouble::Weight { value: weight })),
        }
    }

    /// From here on, it is kept what each seat has when a game ends.
    pub(crate) fn keep_outcomes(&mut self) {
        self.ending.get_or_insert_default();
    }

    /// From here on, it is not: events that say it can be done by machine code again.
    pub(crate) fn keep_no_outcomes(&mut self) {
        self.ending = None;
    }

    /// Whether an event says what each seat has, and that is kept.
    pub(super) fn says_outcome(&self, event: usize) -> bool {
        self.ending.is_some() && self.compiled.events[event].outcome.is_some()
    }

    /// Whether some event does.
    pub(crate) fn says_outcomes(&self) -> bool {
        (0..self.compiled.events.len()).any(|event| self.says_outcome(event))
    }

    /// Keeps what each seat has by the event in hand, which ends the game.
    pub(super) fn keep_outcome(&mut self) -> Result<(), Stop> {
        if self.says_outcome(self.event)
            && let Some(outcome) = &self.compiled.events[self.event].outcome
        {
            self.keep_ending(Some(outcome))?;
        }
        Ok(())
    }

    /// Keeps what each seat has in the present state, in which the game is over, unless its last event said it.
    ///
    /// # Errors
    /// What is wrong with the rule that says it.
    pub(crate) fn end_game(&mut self) -> Result<(), Stop> {
        let game = self.game_number;
        if self
            .ending
            .as_ref()
            .is_none_or(|ending| ending.game == game)
        {
            return Ok(());
        }
        self.forget();
        self.keep_ending(self.compiled.outcome.as_ref())
    }

    fn keep_ending(&mut self, outcome: Option<&'c Outcome>) -> Result<(), Stop> {
        let outcome = match outcome {
            Some(outcome) => self.outcome_by(outcome)?,
            None => Vec::new(),
        };
        let game = self.game_number;
        self.ending = Some(Ending { game, outcome });
        Ok(())
    }

    /// How the last game ended that is over, if that is kept.
    pub(crate) fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref().filter(|ending| ending.game > 0)
    }

    /// Whether nothing has happened since a game was over.
    pub(crate) fn has_just_ended(&self, game: i64) -> bool {
        game == self.game_number || game + 1 == self.game_number && self.events == 0
    }

    fn outcome_by(&mut self, outcome: &'c Outcome) -> Result<Vec<(String, Has)>, Stop> {
        let mut seats = Vec::new();
        self.each(&outcome.seats, &mut |_, seat| {
            seats.push(seat);
            Ok(true)
        })?;
        let mut all = Vec::new();
        for seat in seats {
            let value = self.framed(outcome.asked.locals, |machine| {
                let base = machine.base;
                machine.locals[base] = seat;
                machine.value_of(&outcome.asked)
            })?;
            let has = match value {
                points if outcome.points => Has::Points(points),
                0 => Has::Loss,
                1 => Has::Draw,
                _ => Has::Win,
            };
            all.push((self.written(seat, &outcome.seat)?, has));
        }
        Ok(all)
    }

    /// Those who play, as they are written, each with its place in its kind; nothing where the rules do not say it.
    ///
    /// # Errors
    /// What is wrong with the rule that says how they are written.
    pub(crate) fn seats(&mut self) -> Result<Vec<(i64, String)>, Stop> {
        let Some((seats, written)) = &self.compiled.seats else {
            return Ok(Vec::new());
        };
        let mut values = Vec::new();
        self.each(seats, &mut |_, seat| {
            values.push(seat);
            Ok(true)
        })?;
        let seats = values.into_iter();
        seats
            .map(|seat| Ok((seat, self.written(seat, written)?)))
            .collect()
    }

    fn value_of(&mut self, asked: &'c Asked) -> Result<i64, Stop> {
        self.exactly(|machine| machine.evaluate(&asked.code))
    }

    fn written(&mut self, value: i64, written: &'c Written) -> Result<String, Stop> {
        let start = self.out.len();
        let said = self.say_value(value, written);
        let text = String::from_utf8_lossy(&self.out[start..]).into_owned();
        self.out.truncate(start);
        said.map(|()| text)
    }
}
