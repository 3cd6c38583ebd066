//! Where a run stands in the steps of its transcript: so that it can stop where more is to be read, and go on there.

use super::Run;
use crate::{
    code::{Pattern, Step},
    fault::Stop,
};

/// Steps under way, each inside the one before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'c> {
    steps: &'c [Step],
    /// Which of them is next; after the last one a round is over.
    next: usize,
    rounds: Rounds<'c>,
}

/// How often steps are done.
#[derive(Debug, Clone, Copy)]
enum Rounds<'c> {
    Once,
    /// So many times more.
    Times(i64),
    /// Until words come.
    Until {
        words: &'c Pattern,
        /// How many words were read before this round; nothing before the first.
        before: Option<u64>,
    },
}

/// What a run waits to read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Due<'c> {
    /// Nothing: all steps are done.
    Nothing,
    /// This step.
    Step(&'c Step),
    /// These words, or another round of these steps.
    Round(&'c Pattern, &'c [Step]),
}

impl<'c> Frame<'c> {
    fn new(steps: &'c [Step], rounds: Rounds<'c>) -> Frame<'c> {
        let next = match rounds {
            Rounds::Once => 0,
            Rounds::Times(_) | Rounds::Until { .. } => steps.len(),
        };
        Frame {
            steps,
            next,
            rounds,
        }
    }
}

impl<'c> Run<'c, '_> {
    /// Does some steps once.
    pub(super) fn steps(&mut self, steps: &'c [Step]) -> Result<(), Stop> {
        let outer = self.frames.len();
        self.begin_steps(steps);
        self.go_on(outer)
    }

    /// Begins to do some steps once.
    pub(super) fn begin_steps(&mut self, steps: &'c [Step]) {
        self.frames.push(Frame::new(steps, Rounds::Once));
    }

    /// Goes on until only so many steps are under way. Where more is to be read than there is, it can be called again
    /// once there is more.
    pub(super) fn go_on(&mut self, outer: usize) -> Result<(), Stop> {
        while self.frames.len() > outer
            && let Some(frame) = self.frames.last()
        {
            let Some(step) = frame.steps.get(frame.next) else {
                self.round(*frame)?;
                continue;
            };
            let inner = match step {
                Step::Pattern(pattern) => {
                    self.read_step(pattern)?;
                    None
                }
                Step::Start => {
                    self.start()?;
                    None
                }
                Step::Play(play) => {
                    self.play(play)?;
                    None
                }
                Step::Times(count, steps) => {
                    let count = self.machine.step_value(count)?;
                    Some(Frame::new(steps, Rounds::Times(count)))
                }
                Step::Until(words, steps) => {
                    let before = None;
                    Some(Frame::new(steps, Rounds::Until { words, before }))
                }
            };
            if let Some(frame) = self.frames.last_mut() {
                frame.next += 1;
            }
            if let Some(inner) = inner {
                self.frames.push(inner);
            }
        }
        Ok(())
    }

    /// Begins another round of steps, or ends them.
    fn round(&mut self, frame: Frame<'c>) -> Result<(), Stop> {
        let again = match frame.rounds {
            Rounds::Once => None,
            Rounds::Times(left) if left <= 0 => None,
            Rounds::Times(left) => {
                let skipped = self.skip_rounds(frame.steps, left)?;
                Some(Rounds::Times(left - skipped - 1))
            }
            Rounds::Until { words, before } => self.until(frame.steps, words, before)?,
        };
        match (again, self.frames.last_mut()) {
            (Some(rounds), Some(frame)) => {
                frame.rounds = rounds;
                frame.next = 0;
            }
            _ => {
                self.frames.pop();
            }
        }
        Ok(())
    }

    /// Whether another round begins, or the words come that end them.
    fn until(
        &mut self,
        steps: &'c [Step],
        words: &'c Pattern,
        before: Option<u64>,
    ) -> Result<Option<Rounds<'c>>, Stop> {
        // Where nothing was read, the next round would be the same, for ever.
        let is_idle = before == Some(self.reader.taken());
        if !is_idle {
            self.skip_rounds(steps, i64::MAX)?;
            if self.comes(words, true)? {
                return Ok(None);
            }
        }
        if is_idle || self.peek(0)?.is_none() {
            // They cannot come any more.
            self.read_step(words)?;
            return Ok(None);
        }
        let before = Some(self.reader.taken());
        Ok(Some(Rounds::Until { words, before }))
    }

    /// What a run waits for that has stopped because more is to be read.
    pub(super) fn waits_for(&self) -> Due<'c> {
        let Some(frame) = self.frames.last() else {
            return Due::Nothing;
        };
        match (frame.steps.get(frame.next), frame.rounds) {
            (Some(step), _) => Due::Step(step),
            (None, Rounds::Until { words, .. }) => Due::Round(words, frame.steps),
            (None, _) => Due::Nothing,
        }
    }
}
