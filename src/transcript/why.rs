//! Why the events on one line of a transcript did what they did.

use super::{Place, Run, Stopped};
use crate::{
    code::{Play, explain::Explained},
    fault::{Fault, Stop},
    machine::{After, Explanation},
};

/// The events on a line, explained.
#[derive(Debug)]
pub(crate) struct LineExplained {
    pub(crate) line: usize,
    /// Each event's name, its words, and what it did.
    pub(crate) events: Vec<(usize, String, Explanation)>,
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
            if place.line != line || self.stops(play)? {
                break;
            }
            let Some((event, words)) = self.read_in_hand(play)? else {
                break;
            };
            let explanation = self.machine.explanation(explained, depth)?;
            let stops = explanation.is_impossible();
            events.push((event, words, explanation));
            if stops {
                break;
            }
            if self.machine.step()? == After::Over {
                self.in_game = false;
            }
            self.machine.forget();
        }
        if events.is_empty() {
            return Err(Box::new(Fault::NotPlaying));
        }
        Ok(LineExplained { line, events })
    }

    /// Reads the next event without doing it; nothing where the words that end the game come.
    fn read_in_hand(&mut self, play: &'c Play) -> Result<Option<(usize, String)>, Stop> {
        for row in &play.rows {
            if !self.may_be_read(row)? {
                continue;
            }
            if let Ok(count) = self.matched(&row.pattern)? {
                for (field, value) in &row.fields {
                    let value = self.machine.evaluate(value)?;
                    self.machine.set_field(*field, value);
                }
                self.take(&row.pattern, count);
                self.machine.event = row.event;
                let words: Vec<String> = (0..self.reader.last_count())
                    .map(|index| super::reader::shown(self.reader.last_word(index)))
                    .collect();
                return Ok(Some((row.event, words.join(" "))));
            }
        }
        self.nothing_fits(play)?;
        Ok(None)
    }
}
