//! What could have stood where a transcript cannot be read.

use super::{Place, Run};
use crate::fault::{Fault, Stop};

/// A transcript that cannot be read on.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The word that stands there.
    pub(crate) found: String,
    /// Whether the transcript ends there.
    pub(crate) ended: bool,
    /// Whether everything that was due has been read.
    pub(crate) left_over: bool,
    /// What is wrong with the text itself.
    pub(crate) trouble: Option<Trouble>,
    /// What could have stood there.
    pub(crate) expected: Vec<Expectation>,
    /// Where.
    pub(crate) place: Place,
}

/// What is wrong with a transcript's text, whatever it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// A line or word that has no end.
    TooLong,
    /// Bytes that are no text.
    NotText,
}

/// Something that could have stood there, and why what stands there is not that.
#[derive(Debug)]
pub(crate) struct Expectation {
    /// The pattern as it was written.
    pub(crate) written: String,
    /// The event it stands for.
    pub(crate) name: Option<String>,
    /// Why it does not fit.
    pub(crate) reason: String,
}

/// Why a pattern does not match.
#[derive(Debug)]
pub(super) struct Miss {
    /// How many words did.
    pub(super) matched: usize,
    /// Why the next one does not.
    pub(super) reason: String,
    /// Whether it could not even be tried: the event may not happen now.
    pub(super) untried: bool,
}

impl Run<'_, '_> {
    /// The fault that none of some patterns matches; it points to where the one that got farthest fails.
    pub(super) fn unreadable(&mut self, misses: &[Miss], expected: Vec<Expectation>) -> Stop {
        let farthest = misses
            .iter()
            .filter(|miss| !miss.untried)
            .map(|miss| miss.matched)
            .max()
            .unwrap_or(0);
        let there = matches!(self.peek(farthest), Ok(Some(())));
        let place = if there {
            self.reader.place(farthest, 1)
        } else {
            self.reader.end()
        };
        // By lines, a line that ends too early is not the transcript's end.
        let ended = !there && (farthest == 0 || !self.transcript.by_lines);
        Box::new(Fault::Transcript(Box::new(Unreadable {
            found: if there {
                self.reader.found(farthest)
            } else {
                String::new()
            },
            ended,
            left_over: false,
            trouble: None,
            expected,
            place,
        })))
    }
}
