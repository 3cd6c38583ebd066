//! What a transcript asks of the game, answered without changing it.

use std::ops::Range;

use super::Machine;
use crate::{fault::Stop, lower::Key};

/// The answer to a question.
#[derive(Debug, Default)]
pub(crate) enum Answer {
    /// There is none: the event has no such fact.
    #[default]
    Nothing,
    /// Yes or no.
    Known(bool),
    /// It cannot be worked out.
    Failed(Stop),
}

/// The questions that are answered in the next event.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// Their numbers.
    asked: Range<usize>,
    /// Their answers, in that order.
    answers: Vec<Answer>,
}

impl Machine<'_> {
    /// Has these questions answered in the event that comes next, and in those that follow it. The last event that has
    /// an answer gives it.
    pub(crate) fn ask_in_event(&mut self, asked: Range<usize>) {
        let answers = asked.clone().map(|_| Answer::Nothing).collect();
        self.questions = Questions { asked, answers };
    }

    /// The answer that was given in the last event.
    pub(crate) fn take_answer(&mut self, number: usize) -> Answer {
        let place = number.checked_sub(self.questions.asked.start);
        let answer = place.and_then(|place| self.questions.answers.get_mut(place));
        answer.map(std::mem::take).unwrap_or_default()
    }

    /// The answer to a question that is asked between events.
    pub(crate) fn answer(&mut self, number: usize) -> Answer {
        self.answer_of(number, None)
    }

    /// Answers what is asked in the event in hand, before it changes the state.
    #[inline]
    pub(super) fn answer_in_event(&mut self) {
        if self.answers_in_event() {
            self.answer_all();
        }
    }

    /// Whether anything is asked in the event that comes next.
    pub(super) fn answers_in_event(&self) -> bool {
        !self.questions.asked.is_empty()
    }

    fn answer_all(&mut self) {
        for (place, number) in self.questions.asked.clone().enumerate() {
            let answer = self.answer_of(number, Some(self.event));
            if !matches!(answer, Answer::Nothing) {
                self.questions.answers[place] = answer;
            }
        }
    }

    /// All parts of a question that are asked in an event, or in none: yes if every one is.
    fn answer_of(&mut self, number: usize, event: Option<usize>) -> Answer {
        let compiled = self.compiled;
        let mut answer = Answer::Nothing;
        for part in &compiled.questions {
            if part.number != number || part.event != event {
                continue;
            }
            let fact = u32::try_from(part.fact).unwrap_or(u32::MAX);
            let value = self.call_key(Key::Fact(fact, Some(self.event)), &[]);
            answer = match (value, answer) {
                (Err(stop), _) => return Answer::Failed(stop),
                (Ok(value), Answer::Known(before)) => Answer::Known(before && value == 1),
                (Ok(value), _) => Answer::Known(value == 1),
            };
        }
        answer
    }
}
