//! What is counted: the last events of a transcript, of which the first only warm up.

use std::io::{self, Read};

use crate::{
    races::{Part, Race},
    reference::random::Random,
};

/// What stands after the last game, in forms that do not say how many there are.
const END: &[u8] = b"-1 -1\n";

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
                let (before, events_before) = games(race, all - last)?;
                let (text, events) = games(race, all)?;
                Ok(Work {
                    text,
                    from: before.len(),
                    events: events - events_before,
                })
            }
            Part::Lines {
                games: of,
                all,
                last,
            } => {
                let (mut text, _) = games(race, of)?;
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
        warm.chain(Mark(mark)).chain(counted).chain(Mark(mark))
    }
}

/// So many games without what stands after them, and how many events they have.
fn games(race: &Race, count: u64) -> io::Result<(Vec<u8>, u64)> {
    let mut text = Vec::new();
    let events = (race.generate)(count, &mut Random::new(1), &mut text)?;
    if let Some(games) = text.strip_suffix(END) {
        text.truncate(games.len());
    }
    Ok((text, events))
}

/// Nothing to read; when it is asked for, all that was read before has been worked on.
struct Mark(fn());

impl Read for Mark {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        (self.0)();
        Ok(0)
    }
}
