//! What is counted: the last events of a transcript, of which the first only warm up.

use std::io::{self, Read};

use crate::measured::{Part, Race};

/// A transcript, and which part of it is counted. It is the same every time.
pub(crate) struct Work {
    text: Vec<u8>,
    /// Where what is counted begins.
    from: usize,
    /// How many events that are.
    pub(crate) events: u64,
}

impl Work {
    pub(crate) fn of(race: &Race) -> io::Result<Work> {
        match race.counted {
            Part::Games { all, last } => {
                let (before, events_before) = race.transcript.open_games(all - last)?;
                let (text, events) = race.transcript.open_games(all)?;
                Ok(Work {
                    text,
                    from: before.len(),
                    events: events - events_before,
                })
            }
            Part::Lines { games, all, last } => {
                let (mut text, _) = race.transcript.open_games(games)?;
                let line_end = |number: usize| {
                    let bytes = text.iter().enumerate();
                    let mut ends = bytes.filter(|(_, byte)| **byte == b'\n');
                    ends.nth(number - 1).map(|(place, _)| place + 1)
                };
                let (Some(from), Some(to)) = (line_end(all - last), line_end(all)) else {
                    return Err(io::Error::other("the games have too few lines"));
                };
                text.truncate(to);
                let events = last as u64;
                Ok(Work { text, from, events })
            }
        }
    }

    /// The transcript to be read; `mark` is called where what is counted begins, and where it ends.
    pub(crate) fn read(&self, mark: fn()) -> impl Read + use<'_> {
        let (warm, counted) = self.text.split_at(self.from);
        let counted = counted.chain(Mark(Some(mark)));
        warm.chain(Mark(Some(mark))).chain(counted)
    }
}

/// Nothing to read; when it is asked for first, all that was read before has been worked on.
pub(crate) struct Mark(pub(crate) Option<fn()>);

impl Read for Mark {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        if let Some(mark) = self.0.take() {
            mark();
        }
        Ok(0)
    }
}
