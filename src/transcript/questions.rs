//! What a transcript asks of the game on the lines that begin with `#?`, answered while it is run.

use super::{Run, Stopped};
use crate::{
    code::Play,
    fault::{Fault, Stop},
    machine::{After, Answer},
};

/// A line that asks something.
#[derive(Debug)]
pub(crate) struct Question {
    /// Its number, from 1.
    pub(crate) line: usize,
    pub(crate) what: What,
    /// Whether the answer is to be yes.
    pub(crate) wanted: bool,
}

/// What is asked.
#[derive(Debug)]
pub(crate) enum What {
    /// Whether something holds in the state that the events before the line have led to.
    State,
    /// Whether something holds in the event before the line.
    Event,
    /// Whether the event before the line breaks no rule.
    Legal,
    /// Whether a row of this name makes the next event impossible.
    Impossible(String),
    /// Whether the guard of the event of this name keeps it from coming next.
    Guarded(String),
    /// Whether just these lines may come next; asked when the run has ended.
    Moves(Vec<String>),
}

/// A question whose answer is not as it is to be.
#[derive(Debug)]
pub(crate) struct Miss {
    /// Which question.
    pub(crate) number: usize,
    /// What the answer is.
    pub(crate) lapse: Lapse,
}

/// An answer that is not as it is to be.
#[derive(Debug)]
pub(crate) enum Lapse {
    /// It does not hold.
    No {
        /// The state in a line.
        state: String,
        /// Whether the event before it was refused.
        refused: bool,
    },
    /// No game has started.
    NoGame,
    /// The event before it says nothing of it, or there is none.
    Silent,
    /// The run ended before.
    Unreached,
    /// The event is possible.
    Possible,
    /// The event is impossible by another row.
    Otherwise(String),
    /// It cannot be worked out.
    Failed(Box<Stopped>),
}

/// The questions of a transcript and the answers so far.
pub(super) struct Watch<'c> {
    questions: &'c [Question],
    /// The first that was not asked yet.
    next: usize,
    /// The question about the next event.
    open: Option<usize>,
    /// Whether the last event was refused.
    refused: bool,
    misses: Vec<Miss>,
}

impl<'c> Run<'c, '_> {
    /// Runs to the transcript's end, and tells which of the questions, which are in the order of their lines, were not
    /// answered as they are to be, and how much work the events took.
    pub(crate) fn watched(
        mut self,
        questions: &'c [Question],
    ) -> (Result<(), Box<Stopped>>, Vec<Miss>, u64) {
        self.watch = Some(Watch {
            questions,
            next: 0,
            open: None,
            refused: false,
            misses: Vec::new(),
        });
        let result = self.go();
        let work = self.machine.done;
        let Some(mut watch) = self.watch else {
            return (result, Vec::new(), work);
        };
        let left = watch.open.into_iter().chain(watch.next..questions.len());
        watch.misses.extend(left.map(|number| Miss {
            number,
            lapse: Lapse::Unreached,
        }));
        watch.misses.sort_by_key(|miss| miss.number);
        (result, watch.misses, work)
    }

    /// The questions that come before the next word: the first of them, and the one after the last.
    fn due(&mut self) -> Result<(usize, usize), Stop> {
        let Some(watch) = &self.watch else {
            return Ok((0, 0));
        };
        let (questions, next) = (watch.questions, watch.next);
        if next == questions.len() {
            return Ok((next, next));
        }
        let line = match self.peek(0)? {
            Some(()) => self.reader.next_line(),
            None => usize::MAX,
        };
        let left = questions.get(next..).unwrap_or_default();
        let count = left.partition_point(|question| question.line < line);
        Ok((next, next + count))
    }

    /// Answers the questions before the next word, which is about to be read.
    pub(super) fn answer_due(&mut self) -> Result<(), Stop> {
        if self.watch.is_none() {
            return Ok(());
        }
        let (first, end) = self.due()?;
        if first == end {
            return Ok(());
        }
        self.machine.forget();
        for number in first..end {
            self.answer(number);
        }
        if let Some(watch) = &mut self.watch {
            watch.next = end;
        }
        Ok(())
    }

    fn answer(&mut self, number: usize) {
        let Some(question) = self.watch.as_ref().and_then(|w| w.questions.get(number)) else {
            return;
        };
        let wanted = question.wanted;
        let started = self.machine.game_number() > 0;
        let answer = match &question.what {
            What::Moves(_) => return,
            What::Impossible(_) | What::Guarded(_) => {
                let before = self.watch.as_mut().and_then(|w| w.open.replace(number));
                if let Some(before) = before {
                    self.miss(before, Lapse::Possible);
                }
                return;
            }
            _ if !started => return self.miss(number, Lapse::NoGame),
            What::State => self.machine.answer(number),
            What::Event => self.machine.take_answer(number),
            What::Legal => match self.machine.take_answer(number) {
                // What no rule speaks of breaks none.
                Answer::Nothing => Answer::Known(true),
                answer => answer,
            },
        };
        match answer {
            Answer::Known(answer) if answer == wanted => {}
            Answer::Known(_) => {
                let state = self.machine.state_line();
                let refused = self.watch.as_ref().is_some_and(|watch| watch.refused);
                self.miss(number, Lapse::No { state, refused });
            }
            Answer::Nothing => self.miss(number, Lapse::Silent),
            Answer::Failed(stop) => {
                let stopped = self.stopped(stop);
                self.miss(number, Lapse::Failed(stopped));
            }
        }
    }

    fn miss(&mut self, number: usize, lapse: Lapse) {
        if let Some(watch) = &mut self.watch {
            watch.misses.push(Miss { number, lapse });
        }
    }

    /// Has what comes before the next word answered in the event that is about to be done.
    pub(super) fn ask_next(&mut self) -> Result<(), Stop> {
        if self.watch.is_some() {
            let (first, end) = self.due()?;
            self.machine.ask_in_event(first..end);
        }
        Ok(())
    }

    /// Passes over an event that is read next where somebody expects its guard to forbid it, and it does. Whether it was so.
    pub(super) fn passes_over(&mut self, play: &'c Play) -> Result<bool, Stop> {
        let open = self.watch.as_ref().and_then(|w| w.questions.get(w.open?));
        let Some(What::Guarded(name)) = open.map(|question| &question.what) else {
            return Ok(false);
        };
        for row in &play.rows {
            let guarded = self.compiled.events[row.event].name == *name;
            let may_happen = self.may_be_read(row)?;
            if (may_happen || guarded)
                && let Ok(count) = self.matched(&row.pattern)?
            {
                let forbidden = !may_happen && !self.machine.may_happen(row.event)?;
                if forbidden && let Some(watch) = &mut self.watch {
                    watch.open = None;
                    self.take(&row.pattern, count);
                }
                return Ok(forbidden);
            }
        }
        Ok(false)
    }

    /// What came of an event that was read: where somebody expects it to be impossible and it is, it is passed over.
    pub(super) fn unless_expected(
        &mut self,
        stepped: Result<After, Stop>,
        read: usize,
    ) -> Result<After, Stop> {
        let number = self.watch.as_mut().and_then(|watch| {
            watch.refused = matches!(stepped, Ok(After::Refused));
            watch.open.take()
        });
        let Some(number) = number else {
            return stepped;
        };
        let compiled = self.compiled;
        let Err(stop) = stepped else {
            self.miss(number, Lapse::Possible);
            return stepped;
        };
        let Fault::Impossible { event, row, .. } = &*stop else {
            self.miss(number, Lapse::Unreached);
            return Err(stop);
        };
        let label = &compiled.events[*event].impossible[*row].row.label;
        let question = self.watch.as_ref().and_then(|w| w.questions.get(number));
        let wanted = question.is_some_and(
            |question| matches!(&question.what, What::Impossible(wanted) if wanted == label),
        );
        if *event == read && wanted {
            return Ok(After::On);
        }
        self.miss(number, Lapse::Otherwise(label.clone()));
        Err(stop)
    }
}
