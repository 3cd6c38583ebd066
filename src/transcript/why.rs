//! Why the events on one line of a transcript did what they did.

use super::{Place, Run, Stopped};
use crate::{
    code::explain::Explained,
    fault::{Fault, Stop},
    machine::{After, Explanation},
};

/// The events on a line, explained.
#[derive(Debug)]
pub(crate) struct LineExplained {
    pub(crate) line: usize,
    /// The events on it, each before those that follow it.
    pub(crate) events: Vec<EventExplained>,
}

/// An event, explained.
#[derive(Debug)]
pub(crate) struct EventExplained {
    pub(crate) event: usize,
    /// Its words; nothing where it follows another.
    pub(crate) words: Option<String>,
    pub(crate) explanation: Explanation,
}

impl<'c> Run<'c, '_> {
    /// Runs to a line, or to the last one, and explains the events that are read from it.
    ///
    /// # Errors
    /// What stopped it before that line; that no event is read from it.
    pub(crate) fn why(
        mut self,
        explained: &'c Explained,
        line: usize,
        depth: usize,
    ) -> Result<LineExplained, Box<Stopped>> {
        self.stop_after = Some(line.saturating_sub(1));
        let transcript = self.transcript;
        self.machine.set_bottom(transcript.locals);
        let result = match self.steps(&transcript.steps) {
            Ok(()) => Err(Box::new(Fault::NotPlaying)),
            Err(stop) if matches!(*stop, Fault::Reached) => {
                self.explain_line(explained, line, depth)
            }
            Err(stop) => Err(stop),
        };
        result.map_err(|fault| self.stopped(fault))
    }

    fn explain_line(
        &mut self,
        explained: &'c Explained,
        line: usize,
        depth: usize,
    ) -> Result<LineExplained, Stop> {
        let Some(play) = self.reached else {
            return Err(Box::new(Fault::NotPlaying));
        };
        let mut events = Vec::new();
        while self.in_game && self.peek(0)?.is_some() {
            let place: Place = self.reader.place(0);
            if place.line != line || self.is_done(play)? || self.stops(play)? {
                break;
            }
            self.take_in_hand(play)?;
            let words: Vec<String> = (0..self.reader.last_count())
                .map(|index| super::reader::shown(self.reader.last_word(index)))
                .collect();
            if !self.explain_event(explained, depth, words.join(" "), &mut events)? {
                break;
            }
        }
        if events.is_empty() {
            return Err(Box::new(Fault::NotPlaying));
        }
        Ok(LineExplained { line, events })
    }

    /// Explains the event in hand and those that follow it, and does them; says whether they could be.
    fn explain_event(
        &mut self,
        explained: &'c Explained,
        depth: usize,
        words: String,
        events: &mut Vec<EventExplained>,
    ) -> Result<bool, Stop> {
        let mut chosen = true;
        let mut words = Some(words);
        loop {
            let event = self.machine.event;
            let explanation = self.machine.explanation(explained, depth)?;
            let impossible = explanation.is_impossible();
            events.push(EventExplained {
                event,
                words: words.take(),
                explanation,
            });
            if impossible {
                return Ok(false);
            }
            let after = self.machine.happen(chosen)?;
            chosen = false;
            self.in_game = after != After::Over;
            if after != After::On || self.machine.take_next()?.is_none() {
                self.machine.forget();
                return Ok(true);
            }
        }
    }
}
