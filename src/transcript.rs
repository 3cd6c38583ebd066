//! Runs a game over a transcript: turns its text into events.

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
pub(crate) use moves::{Depth, FoundMoves, GREATEST_LINE, MoveSearch};
pub(crate) use why::{LineExplanation, WhyQuery};

use crate::{
    code::{Item, Pattern, Step, Transcript},
    diagnostic::StateShown,
    fault::{Fault, Place, Stop, TextTrouble, Unreadable},
    limits::FLUSH_AT,
    machine::{Executable, Lot, Machine},
};
pub(crate) use questions::{Question, QuestionKind, UnmetQuestion, UnmetReason};
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
    /// `None` if the caller takes the report from the machine.
    output: Option<&'io mut dyn Write>,
    /// The stack of steps in progress.
    frames: Vec<control::Frame<'c>>,
    /// For each given, which of its entries have been read.
    given: Vec<Vec<bool>>,
    /// Whether a game has started and is not over.
    in_game: bool,
    /// The names that were read since the last start, with their places.
    named: names::Names,
    /// The last pattern that was read.
    last: Option<&'c Pattern>,
    /// Whether to find out why words do not match.
    explains: bool,
    /// Whether nothing expected matches, so that only the reason is left to find.
    refuses: bool,
    /// The run stops after the events of this line.
    stop_after: Option<usize>,
    /// The `play` whose events were possible where the run stopped.
    reached: Option<&'c crate::code::Play>,
    /// A buffer for the values of a collection, to save allocations.
    values: Vec<i64>,
    /// The questions of the transcript, if they are to be answered.
    watch: Option<questions::Watch<'c>>,
    /// Receives everything that happens.
    watcher: Option<Watcher<'c, 'io>>,
    /// Explains a line.
    explainer: Option<Box<why::Explainer<'c>>>,
    /// Prepares rounds of this run on other threads.
    helped: Option<Prepares<'c, 'io>>,
    /// The part that this run prepares, if that is all that it does: then it keeps its report.
    part: Option<Part>,
}

/// What stopped a run, and where in the transcript.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) fault: Fault,
    pub(crate) place: Place,
    /// The printable part of the game's state; empty outside a game.
    pub(crate) state: Vec<StateShown>,
}

impl Stopped {
    /// Whether the transcript only ends too early.
    pub(crate) fn ends(&self) -> bool {
        matches!(
            &self.fault,
            Fault::Transcript(unreadable) if matches!(unreadable.trouble, TextTrouble::Ends { .. })
        )
    }

    /// The event that the words stand for, if it is not possible now.
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
    /// A run over a transcript of one of the game's forms.
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
            explainer: None,
            helped: None,
            part: None,
        }
    }

    /// Sets the seed of `play by random`, which is 0 by default.
    pub(crate) fn seeded(mut self, seed: u64) -> Self {
        self.machine.lot = Lot::new(seed);
        self
    }

    /// Limits the work of each game.
    pub(crate) fn bounded(mut self, work: u64) -> Self {
        self.machine.bound(work);
        self
    }

    /// Runs to the end of the transcript. The report up to a fault is written in any case.
    ///
    /// # Errors
    /// What stopped the run.
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

    /// Frees what the last event allocated. Before a game starts there is no event, and the texts that are given are
    /// not part of the state yet.
    fn forget_event(&mut self) {
        if self.in_game {
            self.machine.forget();
        }
    }

    /// Adds to a fault its place and the game's state.
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
        let goes_on = if self.explainer.is_some() {
            self.start_explained()?
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

    /// Whether these words come next; they are consumed if `take` is set. Without words: whether the transcript ends.
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
                    if self.explainer.is_some() {
                        self.note_read(words);
                    }
                }
                Ok(true)
            }
            Err(_) => Ok(false),
        }
    }

    /// Reads a pattern, which must match.
    fn read_step(&mut self, pattern: &'c Pattern) -> Result<(), Stop> {
        self.answer_due()?;
        if let Some(Item::Word(_)) = pattern.items.first() {
            // This waits for input first, which is faster than doing so while matching.
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
                if self.explainer.is_some() {
                    self.note_read(pattern);
                }
                Ok(())
            }
            Err(miss) => Err(self.unreadable(vec![(pattern, None, miss)])?),
        }
    }

    /// Consumes the words of a pattern.
    fn take(&mut self, pattern: &'c Pattern, count: usize) {
        self.last = Some(pattern);
        self.reader.take(count);
    }

    /// Checks that nothing follows the last step.
    fn nothing_left(&mut self) -> Result<(), Stop> {
        self.answer_due()?;
        if self.peek(0)?.is_none() {
            return Ok(());
        }
        let place = self.reader.place(0);
        // If a number in the transcript says how many games there are, that number may be wrong.
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

    /// The `index`-th word from here; `None` at the end of the transcript or, by lines, of the line.
    #[inline]
    fn peek(&mut self, index: usize) -> Result<Option<()>, Stop> {
        if self.reader.has(index) {
            return Ok(Some(()));
        }
        self.fetch(index)
    }

    /// Like [`Run::peek`], but reads more input first.
    fn fetch(&mut self, index: usize) -> Result<Option<()>, Stop> {
        loop {
            match self.reader.ready(index) {
                Ok(Ready::Word) => return Ok(Some(())),
                Ok(Ready::End) => return Ok(None),
                Ok(Ready::Starved) => {
                    // Whoever waits for the next input should see the report so far.
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

    /// Writes out the report, if there is enough of it.
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

    /// Writes out and flushes the report.
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
