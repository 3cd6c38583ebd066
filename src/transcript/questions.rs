//! Answers the questions of a transcript (lines that begin with `#?`) during the run.

use super::{Run, Stopped};
use crate::{
    code::Play,
    fault::{Fault, Stop},
    machine::{After, Answer},
};

/// A question.
#[derive(Debug)]
pub(crate) struct Question {
    /// Its line, from 1.
    pub(crate) line: usize,
    pub(crate) kind: QuestionKind,
    /// Whether the expected answer is yes.
    pub(crate) expects_yes: bool,
}

/// What a question is about.
#[derive(Debug)]
pub(crate) enum QuestionKind {
    /// Whether something holds in the state before the line.
    State,
    /// Whether something holds in the event before the line.
    Event,
    /// Whether the event before the line is legal.
    Legal,
    /// Whether a row of this name makes the next event impossible.
    Impossible(String),
    /// Whether the guard of the event with this name forbids it next.
    Guarded(String),
    /// Whether exactly these lines are possible next. This is answered after the run.
    Moves(Vec<String>),
}

/// A question that was not answered as expected.
#[derive(Debug)]
pub(crate) struct UnmetQuestion {
    /// The index of the question.
    pub(crate) number: usize,
    /// The reason.
    pub(crate) reason: UnmetReason,
}

/// Why a question was not answered as expected.
#[derive(Debug)]
pub(crate) enum UnmetReason {
    /// It does not hold.
    No {
        /// The state, in one line.
        state: String,
        /// Whether the event before it was refused.
        refused: bool,
    },
    /// No game had started.
    NoGame,
    /// There is no event before it, or that event does not have what the question mentions.
    Silent,
    /// The run ended before it.
    Unreached,
    /// The event is possible.
    Possible,
    /// The event is impossible because of this other row.
    Otherwise(String),
    /// The evaluation failed.
    Failed(Box<Stopped>),
}

/// The questions of a transcript and the answers so far.
pub(super) struct Watch<'c> {
    questions: &'c [Question],
    /// The first question without an answer.
    next: usize,
    /// The question about the next event.
    open: Option<usize>,
    /// Whether the last event was refused.
    refused: bool,
    unmet: Vec<UnmetQuestion>,
}

impl<'c> Run<'c, '_> {
    /// Runs to the end of the transcript. Returns the questions that were not answered as expected, and the work that
    /// the events took. `questions` must be in the order of their lines.
    pub(crate) fn answer_questions(
        mut self,
        questions: &'c [Question],
    ) -> (Result<(), Box<Stopped>>, Vec<UnmetQuestion>, u64) {
        self.watch = Some(Watch {
            questions,
            next: 0,
            open: None,
            refused: false,
            unmet: Vec::new(),
        });
        let result = self.go();
        let work = self.machine.done;
        let Some(mut watch) = self.watch else {
            return (result, Vec::new(), work);
        };
        let left = watch.open.into_iter().chain(watch.next..questions.len());
        watch.unmet.extend(left.map(|number| UnmetQuestion {
            number,
            reason: UnmetReason::Unreached,
        }));
        watch.unmet.sort_by_key(|question| question.number);
        (result, watch.unmet, work)
    }

    /// The range of the questions before the next word.
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
        self.forget_event();
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
        let wanted = question.expects_yes;
        let started = self.machine.game_number() > 0;
        let answer = match &question.kind {
            QuestionKind::Moves(_) => return,
            QuestionKind::Impossible(_) | QuestionKind::Guarded(_) => {
                let before = self.watch.as_mut().and_then(|w| w.open.replace(number));
                if let Some(before) = before {
                    self.unmet(before, UnmetReason::Possible);
                }
                return;
            }
            _ if !started => return self.unmet(number, UnmetReason::NoGame),
            QuestionKind::State => self.machine.answer(number),
            QuestionKind::Event => self.machine.take_answer(number),
            QuestionKind::Legal => match self.machine.take_answer(number) {
                // An event without rules about it breaks none.
                Answer::Nothing => Answer::Known(true),
                answer => answer,
            },
        };
        match answer {
            Answer::Known(answer) if answer == wanted => {}
            Answer::Known(_) => {
                let state = self.machine.state_line();
                let refused = self.watch.as_ref().is_some_and(|watch| watch.refused);
                self.unmet(number, UnmetReason::No { state, refused });
            }
            Answer::Nothing => self.unmet(number, UnmetReason::Silent),
            Answer::Failed(stop) => {
                let stopped = self.stopped(stop);
                self.unmet(number, UnmetReason::Failed(stopped));
            }
        }
    }

    fn unmet(&mut self, number: usize, reason: UnmetReason) {
        if let Some(watch) = &mut self.watch {
            watch.unmet.push(UnmetQuestion { number, reason });
        }
    }

    /// Lets the current event, which is about to run, answer the questions before the next word.
    pub(super) fn ask_next(&mut self) -> Result<(), Stop> {
        if self.watch.is_some() {
            let (first, end) = self.due()?;
            self.machine.ask_in_event(first..end);
        }
        Ok(())
    }

    /// Skips an event that a question expects its guard to forbid, if the guard does. Returns whether it was skipped.
    pub(super) fn passes_over(&mut self, play: &'c Play) -> Result<bool, Stop> {
        let open = self.watch.as_ref().and_then(|w| w.questions.get(w.open?));
        let Some(QuestionKind::Guarded(name)) = open.map(|question| &question.kind) else {
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

    /// Skips an event that a question expects to be impossible, if it is.
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
            self.unmet(number, UnmetReason::Possible);
            return stepped;
        };
        let Fault::Impossible { event, row, .. } = &*stop else {
            self.unmet(number, UnmetReason::Unreached);
            return Err(stop);
        };
        let label = &compiled.events[*event].impossible[*row].row.label;
        let question = self.watch.as_ref().and_then(|w| w.questions.get(number));
        let wanted = question.is_some_and(
            |question| matches!(&question.kind, QuestionKind::Impossible(wanted) if wanted == label),
        );
        if *event == read && wanted {
            return Ok(After::On);
        }
        self.unmet(number, UnmetReason::Otherwise(label.clone()));
        Err(stop)
    }
}
