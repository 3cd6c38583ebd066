//! The position of a run in the steps of its transcript, kept as data: so it can stop where input is missing, and
//! resume there.

use super::Run;
use crate::{
    code::{Pattern, Step},
    fault::Stop,
};

/// A list of steps in progress, called from the frame before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'c> {
    steps: &'c [Step],
    /// The index of the next step; after the last one, a round is complete.
    next: usize,
    rounds: Rounds<'c>,
}

/// When to stop repeating the steps.
#[derive(Debug, Clone, Copy)]
enum Rounds<'c> {
    Once,
    /// After this many more rounds.
    Times(i64),
    /// When certain words come.
    Until {
        words: &'c Pattern,
        /// The number of words that were read before this round; `None` before the first.
        before: Option<u64>,
    },
}

/// What a run waits for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Due<'c> {
    /// Nothing: all steps are complete.
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
    /// Runs some steps once.
    pub(super) fn steps(&mut self, steps: &'c [Step]) -> Result<(), Stop> {
        let outer = self.frames.len();
        self.begin_steps(steps);
        self.go_on(outer)
    }

    /// Starts to run some steps once.
    pub(super) fn begin_steps(&mut self, steps: &'c [Step]) {
        self.frames.push(Frame::new(steps, Rounds::Once));
    }

    /// Runs until only `outer` frames are left. If input is missing, it can be called again when there is more.
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

    /// Starts another round of steps, or ends them.
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

    /// Whether another round starts. If the words that end the loop come, they are read.
    fn until(
        &mut self,
        steps: &'c [Step],
        words: &'c Pattern,
        before: Option<u64>,
    ) -> Result<Option<Rounds<'c>>, Stop> {
        // A round that read nothing would repeat for ever.
        let is_idle = before == Some(self.reader.taken());
        if !is_idle {
            self.skip_rounds(steps, i64::MAX)?;
            if self.comes(words, true)? {
                return Ok(None);
            }
        }
        if is_idle || self.peek(0)?.is_none() {
            // The words cannot come any more: this reports that.
            self.read_step(words)?;
            return Ok(None);
        }
        let before = Some(self.reader.taken());
        Ok(Some(Rounds::Until { words, before }))
    }

    /// What a run that stopped for lack of input waits for.
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
