//! Runs `play`: events that are read or that a policy chooses.

use std::fmt::Write as _;

use super::{Run, expected::Mismatch};
use crate::{
    code::{Choice, Chooser, Pattern, Play, PlayRow},
    explanation,
    fault::{Fault, Stop},
    lower::Return,
    machine::{After, Choices},
    stream::By,
};

impl<'c> Run<'c, '_> {
    pub(super) fn play(&mut self, play: &'c Play) -> Result<(), Stop> {
        loop {
            self.said()?;
            if !self.in_game {
                return Ok(());
            }
            if self.go_natively(play)? {
                continue;
            }
            self.machine.forget();
            if self.is_done(play)? {
                return Ok(());
            }
            if play.by.is_none() && self.is_reached()? {
                self.reached = Some(play);
                return Err(Box::new(self.at_line()));
            }
            if self.stops(play)? {
                self.note_game_end();
                return Ok(());
            }
            match play.by {
                Some(chooser) => self.choose(chooser)?,
                None => self.read_event(play)?,
            }
        }
    }

    /// Runs events in machine code. Returns whether the last one was completed outside of it, so that something else
    /// comes next.
    fn go_natively(&mut self, play: &'c Play) -> Result<bool, Stop> {
        let is_observed =
            self.explainer.is_some() || self.watcher.is_some() || self.watch.is_some();
        if is_observed || self.stop_after.is_some() || self.machine.says_outcomes() {
            return Ok(false);
        }
        let (words, next, text) = self.reader.in_hand();
        let Some((returned, read)) = self.machine.play_lowered(play, words, next, text) else {
            return Ok(false);
        };
        if read.next > next {
            self.reader.take_to(read.first, read.next);
            self.last = play.rows.get(read.row).map(|row| &row.pattern);
        }
        if returned == Return::Stopped {
            return Ok(false);
        }
        if self.machine.go_on(returned)? == After::Over {
            self.end_game()?;
        }
        Ok(true)
    }

    /// Whether the condition of `until` holds.
    pub(super) fn is_done(&mut self, play: &'c Play) -> Result<bool, Stop> {
        match &play.until {
            Some(until) => Ok(self.machine.step_value(until)? == 1),
            None => Ok(false),
        }
    }

    /// Whether the run is to stop before the next word.
    fn is_reached(&mut self) -> Result<bool, Stop> {
        let Some(line) = self.stop_after else {
            return Ok(false);
        };
        Ok(self.peek(0)?.is_none() || self.reader.place(0).line > line)
    }

    /// What stops the run there: a game that begins only after the line is not under way.
    fn at_line(&self) -> Fault {
        let has_read = self.reader.last_count() > 0;
        match self.stop_after {
            Some(line) if has_read && self.reader.last_line() > line => Fault::NotPlaying,
            _ => Fault::Reached,
        }
    }

    /// Whether the words come that end a `play`.
    pub(super) fn stops(&mut self, play: &'c Play) -> Result<bool, Stop> {
        let Some(stop) = &play.stop else {
            return Ok(false);
        };
        Ok(self.may_stop(stop)? && self.comes(&stop.words, !stop.before)?)
    }

    pub(super) fn may_stop(&mut self, stop: &'c crate::code::Stop) -> Result<bool, Stop> {
        match &stop.when {
            Some(when) => Ok(self.machine.step_value(when)? == 1),
            None => Ok(true),
        }
    }

    /// Lets a policy choose the next event, and runs it.
    fn choose(&mut self, chooser: Chooser) -> Result<(), Stop> {
        let compiled = self.compiled;
        self.ask_next()?;
        let policy = match chooser {
            Chooser::Policy(policy) => policy,
            Chooser::Lot => {
                self.draw(None)?;
                let step = self.step(None, Some(explanation::By::Lot), (By::Random, None))?;
                if step == After::Over {
                    self.end_game()?;
                }
                return Ok(());
            }
        };
        let by = self.explain_decision(policy)?;
        let Some(choice) = self.machine.choose(Choices::Policy(policy))? else {
            return Err(no_choice());
        };
        self.machine.take_chosen();
        let name = &compiled.events[choice.event].name;
        match self.step(None, by, (By::Policy, Some(choice))) {
            Ok(After::On) => Ok(()),
            Ok(After::Over) => self.end_game(),
            Ok(After::Refused) => Err(Box::new(Fault::Policy {
                text: format!("`{}` chooses `{name}`, which is refused", choice.label),
                choice: Some((choice.span, name.clone())),
                row: None,
            })),
            Err(stop) => Err(match *stop {
                Fault::Impossible {
                    event, row, text, ..
                } => {
                    let row = &compiled.events[event].impossible[row].row;
                    Box::new(Fault::Policy {
                        text,
                        choice: Some((choice.span, name.clone())),
                        row: Some((row.span, row.label.clone())),
                    })
                }
                other => Box::new(other),
            }),
        }
    }

    /// Runs the current event and those that follow it. It was read in a `play`, or something chose it.
    fn step(
        &mut self,
        play: Option<&'c Play>,
        by: Option<explanation::By>,
        chosen: (By, Option<&'c Choice>),
    ) -> Result<After, Stop> {
        if self.explainer.is_some() {
            self.step_explained(play, by)
        } else if self.watcher.is_some() {
            self.step_watched(chosen)
        } else {
            self.machine.step()
        }
    }

    /// Reads the next event and runs it.
    fn read_event(&mut self, play: &'c Play) -> Result<(), Stop> {
        self.answer_due()?;
        if self.passes_over(play)? {
            return Ok(());
        }
        let event = self.take_in_hand(play)?;
        self.ask_next()?;
        let stepped = self.step(Some(play), None, (By::Transcript, None));
        if self.unless_expected(stepped, event)? == After::Over {
            self.end_game()?;
        }
        Ok(())
    }

    /// Ends the game.
    pub(super) fn end_game(&mut self) -> Result<(), Stop> {
        self.in_game = false;
        self.machine.end_game()
    }

    /// Reads the next event and makes it the current one.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn take_in_hand(&mut self, play: &'c Play) -> Result<usize, Stop> {
        for row in &play.rows {
            if !self.may_be_read(row)? {
                continue;
            }
            if let Ok(count) = self.matched(&row.pattern)? {
                for (field, value) in &row.fields {
                    let value = self.machine.step_value(value)?;
                    self.machine.set_field(*field, value);
                }
                self.take(&row.pattern, count);
                self.machine.event = row.event;
                self.machine.passed(row.passed);
                return Ok(row.event);
            }
        }
        self.reached = Some(play);
        Err(self.nothing_fits(play)?)
    }

    pub(super) fn may_be_read(&mut self, row: &'c PlayRow) -> Result<bool, Stop> {
        if !self.machine.may_happen(row.event)? {
            return Ok(false);
        }
        for condition in &row.conditions {
            if self.machine.step_value(condition)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The fault that nothing matches, with what was expected.
    fn nothing_fits(&mut self, play: &'c Play) -> Result<Stop, Stop> {
        (self.explains, self.refuses) = (true, true);
        let mut mismatches = Vec::new();
        let mut untimely = None;
        if let Some(stop) = &play.stop
            && self.may_stop(stop)?
            && let Err(mismatch) = self.matched(&stop.words)?
        {
            mismatches.push((&stop.words, None, mismatch));
        }
        for row in &play.rows {
            let mismatch = if self.may_be_read(row)? {
                match self.matched(&row.pattern)? {
                    Ok(_) => continue,
                    // If not even the first word matches, this row was not meant.
                    Err(mismatch) if mismatch.matched == 0 => {
                        let barred = self.machine.barred(row.event);
                        barred.map_or(mismatch, Mismatch::untried)
                    }
                    Err(mismatch) => mismatch,
                }
            } else {
                let reason = self.why_not_now(row)?;
                // It may be written correctly but not be possible now.
                if untimely.is_none()
                    && let Ok(count @ 1..) = self.matched(&row.pattern)?
                {
                    untimely = Some((row, count, reason));
                    continue;
                }
                Mismatch::untried(reason)
            };
            mismatches.push((&row.pattern, Some(row.event), mismatch));
        }
        let farthest = mismatches
            .iter()
            .map(|(_, _, mismatch)| mismatch.matched)
            .max();
        Ok(match untimely {
            Some((row, count, reason))
                if self.is_whole_line(&mismatches)
                    || farthest.is_none_or(|farthest| count > farthest) =>
            {
                // A suggestion must be possible for some values of its fields.
                for (_, event, mismatch) in &mut mismatches {
                    if let (Some(event), false) = (*event, mismatch.untried)
                        && let Some(reason) = self.machine.barred(event)
                    {
                        *mismatch = Mismatch::untried(reason);
                    }
                }
                self.take(&row.pattern, count);
                self.untimely((row.event, &reason), mismatches)
            }
            Some((row, _, reason)) => {
                mismatches.push((&row.pattern, Some(row.event), Mismatch::untried(reason)));
                self.unreadable(mismatches)?
            }
            None => self.unreadable(mismatches)?,
        })
    }

    /// Whether an event that only its guard forbids is more likely meant than those that do not match: it is the whole
    /// line, and no other row starts with its first word.
    fn is_whole_line(&self, mismatches: &[(&Pattern, Option<usize>, Mismatch)]) -> bool {
        let mut begun = mismatches
            .iter()
            .filter(|(_, _, mismatch)| mismatch.matched > 0);
        self.transcript.by_lines && !begun.any(|(pattern, _, _)| pattern.begins_with_text())
    }

    pub(super) fn why_not_now(&mut self, row: &'c PlayRow) -> Result<String, Stop> {
        let compiled = self.compiled;
        if let Some(guard) = &compiled.events[row.event].guard
            && !self.machine.may_happen(row.event)?
        {
            if let Some(says) = &guard.says {
                return self.machine.rendered(says);
            }
            let mut reason = only(&guard.written);
            let mut failed = Vec::new();
            for part in &guard.parts {
                let holds = self.machine.step_value(&part.code)? != 0;
                if holds == part.negated {
                    let verb = if holds { "holds" } else { "does not hold" };
                    failed.push(format!("`{}` {verb}", part.written));
                }
            }
            // If all conditions fail, none stands out.
            if !failed.is_empty() && failed.len() < guard.parts.len() {
                let _ = write!(reason, ", and {}", failed.join(", "));
            }
            return Ok(reason);
        }
        for (condition, written) in row.conditions.iter().zip(&row.written) {
            if self.machine.step_value(condition)? == 0 {
                return Ok(only(written));
            }
        }
        Ok("its row's condition does not hold".into())
    }
}

/// The fault that a policy chooses nothing.
pub(super) fn no_choice() -> Stop {
    Box::new(Fault::Policy {
        text: "no row of the policy fires".into(),
        choice: None,
        row: None,
    })
}

/// `only when c` or `not when c`: describes a guard that forbids an event.
fn only(written: &str) -> String {
    match written.strip_prefix("unless ") {
        Some(condition) => format!("not when {condition}"),
        None => format!("only {written}"),
    }
}
