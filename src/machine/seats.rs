//! Who decides an event, its weight, and the outcome of each seat at the end.

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::Machine;
use crate::{
    code::{Decider, Drawn, FramedCode, Outcome, Written},
    fault::{self, Fault, Stop, Trouble},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decides {
    /// No seat.
    Referee,
    Chance,
    /// A seat, in its written form.
    Seat(String),
}

/// The outcome of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Has {
    Loss,
    Draw,
    Win,
    Points(i64),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ending {
    /// Its number; 0 if none has ended.
    pub(crate) game: i64,
    /// The outcome of each seat.
    pub(crate) outcome: Vec<(String, Has)>,
}

/// The lot: from the same seed it draws the same, on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Lot(Pcg64Mcg);

impl Lot {
    pub(crate) fn new(seed: u64) -> Lot {
        Lot(Pcg64Mcg::seed_from_u64(seed))
    }

    /// One of the numbers below `count`, each as likely as the others.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        // The numbers above the last multiple of `count` would make some likelier.
        let end = u64::MAX - u64::MAX % count;
        loop {
            let number = self.0.next_u64();
            if number < end {
                return number % count;
            }
        }
    }

    /// Puts values in an order that is as likely as any other.
    fn shuffle(&mut self, values: &mut [i64]) {
        for last in (1..values.len()).rev() {
            let other = self.below(last as u64 + 1);
            values.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }
}

impl<'c> Machine<'c> {
    /// Whether a field of an event determines who decides it.
    pub(crate) fn is_decided_by_field(&self, event: usize) -> bool {
        matches!(self.compiled.events[event].by, Decider::Field(..))
    }

    /// What chance draws: one value, or all that a pile is shuffled from.
    ///
    /// # Errors
    /// What is wrong with the rule that says what it is drawn from, or that there is nothing.
    pub(crate) fn drawn_values(&mut self, drawn: &'c Drawn) -> Result<Vec<i64>, Stop> {
        let mut values = Vec::new();
        self.framed(drawn.locals, |machine| {
            machine.each(&drawn.from, &mut |machine, value| {
                values.push(value);
                machine.fits(values.len())?;
                Ok(true)
            })
        })?;
        self.lot.shuffle(&mut values);
        if drawn.pile.is_none() {
            values.truncate(1);
            if values.is_empty() {
                return Err(Box::new(Fault::Policy {
                    text: "there is no value for chance to draw".to_string(),
                    choice: None,
                    row: None,
                }));
            }
        }
        Ok(values)
    }

    /// A value that chance draws.
    ///
    /// # Errors
    /// As [`Machine::drawn_values`].
    pub(crate) fn drawn(&mut self, drawn: &'c Drawn) -> Result<i64, Stop> {
        let values = self.drawn_values(drawn)?;
        match &drawn.pile {
            Some(shape) => self.collection(shape, &values),
            None => Ok(values[0]),
        }
    }

    /// Everyone who may decide an event now; several if a field determines it.
    ///
    /// # Errors
    /// The rule for it cannot be evaluated.
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

    /// Who decides an event now. If a field determines it, the event must be the current one.
    ///
    /// # Errors
    /// The rule for it cannot be evaluated.
    pub(crate) fn decides(&mut self, event: usize) -> Result<Decides, Stop> {
        let compiled = self.compiled;
        Ok(match &compiled.events[event].by {
            Decider::Referee => Decides::Referee,
            Decider::Chance(_) => Decides::Chance,
            Decider::Seat(seat, written) => {
                let seat = self.framed_value(seat, 0)?;
                Decides::Seat(self.written(seat, written)?)
            }
            Decider::Field(field, written) => {
                Decides::Seat(self.written(self.field(*field), written)?)
            }
        })
    }

    /// Whose choice an event is now, whatever its fields are; `None` if a field says it.
    pub(crate) fn decides_now(&mut self, event: usize) -> Option<Decides> {
        let by = &self.compiled.events[event].by;
        let is_named = matches!(by, Decider::Field(..));
        (!is_named).then(|| self.decides(event).ok()).flatten()
    }

    /// The weight of the current event among others, if the rules define it.
    ///
    /// # Errors
    /// The rule for it cannot be evaluated, or gives a negative number.
    pub(crate) fn weight(&mut self, event: usize) -> Result<Option<u64>, Stop> {
        let compiled = self.compiled;
        let Decider::Chance(Some((weight, site))) = &compiled.events[event].by else {
            return Ok(None);
        };
        let weight = self.framed_value(weight, 0)?;
        match u64::try_from(weight) {
            Ok(weight) => Ok(Some(weight)),
            Err(_) => Err(fault::rules(*site, Trouble::Weight { value: weight })),
        }
    }

    /// Starts recording outcomes when games end.
    pub(crate) fn keep_outcomes(&mut self) {
        self.ending.get_or_insert_default();
    }

    /// Stops recording outcomes, so that machine code can run events with outcomes again.
    pub(crate) fn keep_no_outcomes(&mut self) {
        self.ending = None;
    }

    /// Whether an event defines outcomes, and they are recorded.
    pub(super) fn says_outcome(&self, event: usize) -> bool {
        self.ending.is_some() && self.compiled.events[event].outcome.is_some()
    }

    /// Whether any event defines outcomes.
    pub(crate) fn says_outcomes(&self) -> bool {
        (0..self.compiled.events.len()).any(|event| self.says_outcome(event))
    }

    /// Records the outcomes of the current event, which ends the game.
    pub(super) fn keep_outcome(&mut self) -> Result<(), Stop> {
        if self.says_outcome(self.event)
            && let Some(outcome) = &self.compiled.events[self.event].outcome
        {
            self.keep_ending(Some(outcome))?;
        }
        Ok(())
    }

    /// Records the outcomes in the current state, in which the game is over, unless the last event has.
    ///
    /// # Errors
    /// The rule for them cannot be evaluated.
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

    /// The ending of the last game that is over, if recorded.
    pub(crate) fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref().filter(|ending| ending.game > 0)
    }

    /// Whether no event has happened since the game ended.
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
            let has = match self.framed_value(&outcome.value, seat)? {
                points if outcome.points => Has::Points(points),
                0 => Has::Loss,
                1 => Has::Draw,
                _ => Has::Win,
            };
            all.push((self.written(seat, &outcome.seat)?, has));
        }
        Ok(all)
    }

    /// The seats in their written form, each with its index in its kind. Empty if the rules define none.
    ///
    /// # Errors
    /// The rule for the written form cannot be evaluated.
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

    /// Evaluates framed code with `first` as its first local.
    pub(super) fn framed_value(&mut self, code: &'c FramedCode, first: i64) -> Result<i64, Stop> {
        self.framed(code.locals.max(1), |machine| {
            machine.set_local(0, first);
            machine.exactly(|machine| machine.evaluate(&code.code))
        })
    }

    fn written(&mut self, value: i64, written: &'c Written) -> Result<String, Stop> {
        let start = self.out.len();
        let said = self.say_value(value, written);
        let text = String::from_utf8_lossy(&self.out[start..]).into_owned();
        self.out.truncate(start);
        said.map(|()| text)
    }
}
