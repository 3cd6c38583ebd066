//! Transcripts: text to events, and the run that they make.

mod control;
mod expected;
mod holes;
mod lot;
mod marking;
mod matching;
mod moves;
mod names;
mod play;
mod questions;
mod reader;
mod reasons;
mod rounds;
mod session;
mod traced;
mod values;
mod why;

use std::io::{Read, Write};

pub(crate) use holes::{Taker, Takes};
pub(crate) use moves::{All, Asked, Depth, GREATEST_LINE};
pub(crate) use why::{LineExplained, Question as WhyQuestion, Until};

use crate::{
    code::{Item, Pattern, Step, Transcript},
    diagnostic::StateShown,
    fault::{Fault, Place, Stop, TextTrouble, Unreadable},
    limits::FLUSH_AT,
    machine::{Executable, Lot, Machine},
};
pub(crate) use questions::{Lapse, Miss, Question, What};
pub(crate) use reader::QUESTION;
use reader::{Reader, Ready};
use rounds::Prepares;
pub(crate) use rounds::{Part, Prepared, Rounds};
pub(crate) use session::{Awaited, Snapshot};
pub(crate) use traced::Watcher;

/// A run over one transcript.
pub(crate) struct Run<'c, 'io> {
    compiled: &'c Executable,
    transcript: &'c Transcript,
    pub(crate) machine: Machine<'c>,
    reader: Reader<'io>,
    /// Nothing where somebody takes what is said from the machine.
    output: Option<&'io mut dyn Write>,
    /// The steps under way.
    frames: Vec<control::Frame<'c>>,
    /// Which entries of which givens were read.
    given: Vec<Vec<bool>>,
    /// Whether a game has started and is not over.
    in_game: bool,
    /// Words that were given since the last start, and where they stand.
    named: names::Names,
    /// The last pattern that was read.
    last: Option<&'c Pattern>,
    /// Whether somebody wants to know why words do not match.
    explains: bool,
    /// Whether nothing that is due fits what has come, and it is only asked why.
    refuses: bool,
    /// The line after whose events the run stops.
    stop_after: Option<usize>,
    /// The events that could have come where it stopped.
    reached: Option<&'c crate::code::Play>,
    /// Values of the words of a collection, kept so that none allocates.
    values: Vec<i64>,
    /// What the transcript asks, where somebody wants to know the answers.
    watch: Option<questions::Watch<'c>>,
    /// Who wants to know all that happens.
    watcher: Option<Watcher<'c, 'io>>,
    /// The line that is explained, where somebody wants to know why.
    telling: Option<Box<why::Telling<'c>>>,
    /// Who prepares rounds of this run, if anybody does.
    helped: Option<Prepares<'c, 'io>>,
    /// The part that is prepared, where this run does no more: it keeps what is said.
    part: Option<Part>,
}

/// What stopped a run, with the place in the transcript.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) fault: Fault,
    pub(crate) place: Place,
    /// The game's state, as far as it can be shown; nothing outside a game.
    pub(crate) state: Vec<StateShown>,
}

impl Stopped {
    /// Whether nothing is wrong but that more is due.
    pub(crate) fn ends(&self) -> bool {
        matches!(
            &self.fault,
            Fault::Transcript(unreadable) if matches!(unreadable.trouble, TextTrouble::Ends { .. })
        )
    }

    /// The number of the event that cannot come now, if the words are those of one.
    pub(crate) fn untimely(&self) -> Option<usize> {
        match &self.fault {
            Fault::Transcript(unreadable) => match unreadable.trouble {
                TextTrouble::Untimely { event } => Some(event),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'c, 'io> Run<'c, 'io> {
    /// A run of a game over a transcript of one of its forms.
    pub(crate) fn new(
        compiled: &'c Executable,
        transcript: &'c Transcript,
        input: &'io mut dyn Read,
        output: &'io mut dyn Write,
    ) -> Run<'c, 'io> {
        Run::over(compiled, transcript, Some(input), Some(output))
    }

    fn over(
        compiled: &'c Executable,
        transcript: &'c Transcript,
        input: Option<&'io mut dyn Read>,
        output: Option<&'io mut dyn Write>,
    ) -> Run<'c, 'io> {
        let given = compiled
            .givens
            .iter()
            .map(|given| vec![false; given.entry.map_or(1, |(domain, _)| domain.count)])
            .collect();
        Run {
            compiled,
            transcript,
            machine: Machine::ready(compiled),
            reader: Reader::new(input, transcript.by_lines),
            output,
            frames: Vec::new(),
            given,
            in_game: false,
            named: names::Names::default(),
            last: None,
            explains: false,
            refuses: false,
            stop_after: None,
            reached: None,
            values: Vec::new(),
            watch: None,
            watcher: None,
            telling: None,
            helped: None,
            part: None,
        }
    }

    /// Lets `random` draw from another seed than 0.
    pub(crate) fn seeded(mut self, seed: u64) -> Self {
        self.machine.lot = Lot::new(seed);
        self
    }

    /// Allows each game no more than this much work.
    pub(crate) fn bounded(mut self, work: u64) -> Self {
        self.machine.bound(work);
        self
    }

    /// Runs to the transcript's end. What was said before a fault is written out all the same.
    ///
    /// # Errors
    /// What stopped it.
    pub(crate) fn run(mut self) -> Result<(), Box<Stopped>> {
        self.go()
    }

    fn go(&mut self) -> Result<(), Box<Stopped>> {
        let transcript = self.transcript;
        self.machine.set_bottom(transcript.locals);
        let result = self
            .steps(&transcript.steps)
            .and_then(|()| self.nothing_left());
        let flushed = self.show();
        match result.and(flushed) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.stopped(fault)),
        }
    }

    /// A fault, with the place and the game's state.
    fn stopped(&mut self, fault: Stop) -> Box<Stopped> {
        let place = self.place_of(&fault);
        let state = if self.in_game {
            self.machine.state_shown()
        } else {
            Vec::new()
        };
        Box::new(Stopped {
            fault: *fault,
            place,
            state,
        })
    }

    fn start(&mut self) -> Result<(), Stop> {
        self.in_game = false;
        let goes_on = if self.telling.is_some() {
            self.start_told()?
        } else if self.watcher.is_some() {
            self.start_watched()?
        } else {
            self.machine.start(&self.given)?
        };
        self.named.clear();
        self.in_game = goes_on;
        if !goes_on {
            self.end_game()?;
        }
        self.said()
    }

    /// Whether some words come next; they are read if `take` says so. Without words: whether the transcript ends.
    fn comes(&mut self, words: &'c Pattern, take: bool) -> Result<bool, Stop> {
        self.answer_due()?;
        if words.items.is_empty() {
            return Ok(self.peek(0)?.is_none());
        }
        if self.peek(0)?.is_none() {
            return Ok(false);
        }
        match self.matched(words)? {
            Ok(count) => {
                if take {
                    self.take(words, count);
                    if self.telling.is_some() {
                        self.tell_read(words);
                    }
                }
                Ok(true)
            }
            Err(_) => Ok(false),
        }
    }

    /// Reads a pattern that must come.
    fn read_step(&mut self, pattern: &'c Pattern) -> Result<(), Stop> {
        self.answer_due()?;
        if let Some(Item::Word(_)) = pattern.items.first() {
            // What is not there yet would be read slowly.
            self.peek(0)?;
        }
        let (words, next, text) = self.reader.in_hand();
        let machine = &mut self.machine;
        let read = machine.read_lowered(pattern, words, next, text, &mut self.given);
        let matched = if let Some(count) = read {
            Ok(count)
        } else {
            self.explains = true;
            let matched = self.matched(pattern)?;
            self.explains = false;
            matched
        };
        match matched {
            Ok(count) => {
                self.take(pattern, count);
                self.remember_names(pattern);
                if self.telling.is_some() {
                    self.tell_read(pattern);
                }
                Ok(())
            }
            Err(miss) => Err(self.unreadable(vec![(pattern, None, miss)])?),
        }
    }

    /// Counts the words of a pattern as read.
    fn take(&mut self, pattern: &'c Pattern, count: usize) {
        self.last = Some(pattern);
        self.reader.take(count);
    }

    /// After the last step nothing may follow.
    fn nothing_left(&mut self) -> Result<(), Stop> {
        self.answer_due()?;
        if self.peek(0)?.is_none() {
            return Ok(());
        }
        let place = self.reader.place(0);
        // Where a number says how many games there are, it may be that which is wrong.
        let steps = &self.transcript.steps;
        let repeats = steps.iter().any(|step| matches!(step, Step::Times(..)));
        let plays_last = matches!(steps.last(), Some(Step::Play(_)));
        let line = self.reader.last_place(0, self.reader.last_count()).line;
        let over = Some(line).filter(|line| plays_last && !repeats && *line > 0);
        Err(Box::new(Fault::Transcript(Box::new(Unreadable {
            found: self.reader.found(0),
            trouble: TextTrouble::LeftOver { over },
            expected: Vec::new(),
            place,
        }))))
    }

    /// The `index`-th word from here, or none where the transcript, or by lines the line, ends.
    #[inline]
    fn peek(&mut self, index: usize) -> Result<Option<()>, Stop> {
        if self.reader.has(index) {
            return Ok(Some(()));
        }
        self.fetch(index)
    }

    /// As [`Run::peek`], where more must be read first.
    fn fetch(&mut self, index: usize) -> Result<Option<()>, Stop> {
        loop {
            match self.reader.ready(index) {
                Ok(Ready::Word) => return Ok(Some(())),
                Ok(Ready::End) => return Ok(None),
                Ok(Ready::Starved) => {
                    // Whoever waits for more sees what was said so far.
                    self.show()?;
                    let refilled = self.reader.refill();
                    if !refilled.map_err(|error| Box::new(Fault::Input(error)))? {
                        return Err(Box::new(Fault::Starved));
                    }
                }
                Err(unreadable) => return Err(Box::new(Fault::Transcript(unreadable))),
            }
        }
    }

    /// Writes out what was said, once there is much of it.
    fn said(&mut self) -> Result<(), Stop> {
        if self.machine.out.len() >= FLUSH_AT {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Stop> {
        if let Some(part) = &mut self.part {
            part.keep(&mut self.machine);
            return Ok(());
        }
        let Some(output) = &mut self.output else {
            return Ok(());
        };
        let written = output.write_all(&self.machine.out);
        self.machine.out.clear();
        written.map_err(|error| Box::new(Fault::Output(error)))
    }

    /// Writes out what was said, so that somebody sees it.
    fn show(&mut self) -> Result<(), Stop> {
        self.flush()?;
        match &mut self.output {
            Some(output) => output
                .flush()
                .map_err(|error| Box::new(Fault::Output(error))),
            None => Ok(()),
        }
    }
}
