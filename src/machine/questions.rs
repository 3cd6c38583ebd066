//! Questions in a transcript, answered without changing the game.

use std::ops::Range;

use super::Machine;
use crate::{fault::Stop, lower::Key};

#[derive(Debug, Default)]
pub(crate) enum Answer {
    /// No answer: the event has no such fact.
    #[default]
    Nothing,
    Known(bool),
    /// The question cannot be evaluated.
    Failed(Stop),
}

/// The questions to answer in the next event.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// Their numbers.
    numbers: Range<usize>,
    /// Their answers, in the same order.
    answers: Vec<Answer>,
}

impl Machine<'_> {
    /// Answers these questions in the next event and in those that follow it. The last event with an answer wins.
    pub(crate) fn ask_in_event(&mut self, numbers: Range<usize>) {
        let answers = numbers.clone().map(|_| Answer::Nothing).collect();
        self.questions = Questions { numbers, answers };
    }

    /// The answer from the last event.
    pub(crate) fn take_answer(&mut self, number: usize) -> Answer {
        let place = number.checked_sub(self.questions.numbers.start);
        let answer = place.and_then(|place| self.questions.answers.get_mut(place));
        answer.map(std::mem::take).unwrap_or_default()
    }

    /// Answers a question between events.
    pub(crate) fn answer(&mut self, number: usize) -> Answer {
        self.answer_of(number, None)
    }

    /// Answers pending questions about the current event, before it changes the state.
    #[inline]
    pub(super) fn answer_questions(&mut self) {
        if self.has_questions() {
            self.answer_all();
        }
    }

    /// Whether there are questions for the next event.
    pub(super) fn has_questions(&self) -> bool {
        !self.questions.numbers.is_empty()
    }

    fn answer_all(&mut self) {
        for (place, number) in self.questions.numbers.clone().enumerate() {
            let answer = self.answer_of(number, Some(self.event));
            if !matches!(answer, Answer::Nothing) {
                self.questions.answers[place] = answer;
            }
        }
    }

    /// The conjunction of all parts of a question that are about an event, or about none.
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
