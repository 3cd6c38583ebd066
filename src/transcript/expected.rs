//! What could have stood where a transcript cannot be read.

use std::fmt::Write as _;

use super::{Run, moves::All, reader::shown};
use crate::{
    code::{Hole, Item, Pattern, Segment},
    fault::{Expectation, Fault, Stop, TextTrouble, Unreadable},
};

/// How many words of a line its headline repeats.
const FIRST_WORDS: usize = 8;

/// How many events that are written much like a line are told.
const MOST_MEANT: usize = 3;

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

impl Miss {
    /// Of what may not happen now.
    pub(super) fn untried(reason: String) -> Miss {
        Miss {
            matched: 0,
            reason,
            untried: true,
        }
    }
}

impl<'c> Run<'c, '_> {
    /// What may come where a line cannot be read, and is written much like it: like the line, or like the words of it that
    /// do not fit.
    pub(super) fn meant(&mut self, line: &str, words: &str) -> Vec<String> {
        let Some(play) = self.reached.filter(|_| self.in_game) else {
            return Vec::new();
        };
        let mut all = All::default();
        let mut found = Vec::new();
        for event in self.events_of(play, &[], &mut all) {
            // What cannot be worked out is not proposed.
            if self.next_of(play, event, false, &mut found).is_err() {
                return Vec::new();
            }
        }
        let mut near: Vec<(usize, String)> = Vec::new();
        for found in found {
            for wrong in [line.trim(), words.trim()] {
                let distance = strsim::damerau_levenshtein(wrong, &found.written);
                if distance <= (wrong.chars().count() / 2).max(1) {
                    near.push((distance, found.written.clone()));
                }
            }
        }
        near.sort();
        near.dedup();
        let nearest = near.first().map_or(0, |(distance, _)| *distance);
        near.into_iter()
            .take_while(|(distance, _)| *distance == nearest)
            .take(MOST_MEANT)
            .map(|(_, written)| written)
            .collect()
    }

    /// The fault that none of some patterns matches; it points to where the one that got farthest fails.
    pub(super) fn unreadable(
        &mut self,
        misses: Vec<(&'c Pattern, Option<usize>, Miss)>,
    ) -> Result<Stop, Stop> {
        let farthest = misses
            .iter()
            .filter(|(_, _, miss)| !miss.untried)
            .map(|(_, _, miss)| miss.matched)
            .max()
            .unwrap_or(0);
        let there = self.peek(farthest)?.is_some();
        // By lines, a line that ends too early is not the transcript's end.
        let trouble = if there {
            TextTrouble::Word
        } else if farthest == 0 || !self.transcript.by_lines {
            TextTrouble::Ends {
                in_game: self.in_game,
            }
        } else {
            TextTrouble::LineEnds
        };
        let (place, found) = if there {
            (self.reader.place(farthest), self.reader.found(farthest))
        } else {
            (self.reader.end(), String::new())
        };
        let expected = self.expected(misses);
        Ok(Box::new(Fault::Transcript(Box::new(Unreadable {
            found,
            trouble,
            expected,
            place,
        }))))
    }

    /// The fault that the words which were read last stand for an event that may not happen now; of the patterns that do
    /// not match those are told that might.
    pub(super) fn untimely(
        &mut self,
        (event, reason): (usize, &str),
        mut misses: Vec<(&'c Pattern, Option<usize>, Miss)>,
    ) -> Stop {
        let count = self.reader.last_count();
        // The line itself is shown below the message: its first words will do.
        let mut words: Vec<String> = (0..count.min(FIRST_WORDS))
            .map(|index| shown(self.reader.last_word(index)))
            .collect();
        if count > FIRST_WORDS {
            words.push("…".into());
        }
        misses.retain(|(_, _, miss)| !miss.untried);
        Box::new(Fault::Transcript(Box::new(Unreadable {
            found: format!("`{}` cannot come now: {reason}", words.join(" ")),
            trouble: TextTrouble::Untimely { event },
            expected: self.expected(misses),
            place: self.reader.last_place(0, count),
        })))
    }

    fn expected(&mut self, misses: Vec<(&'c Pattern, Option<usize>, Miss)>) -> Vec<Expectation> {
        let mut expected = Vec::new();
        for (pattern, event, miss) in misses {
            expected.push(Expectation {
                written: self.shown(pattern),
                name: event.map(|event| self.compiled.events[event].name.clone()),
                reason: miss.reason,
                untried: miss.untried,
            });
        }
        expected
    }

    /// A pattern as it is written in a transcript, each hole in angle brackets.
    pub(super) fn shown(&mut self, pattern: &'c Pattern) -> String {
        let mut words = Vec::new();
        for item in &pattern.items {
            words.push(match item {
                Item::Word(segments) => segments
                    .iter()
                    .map(|segment| match segment {
                        Segment::Literal(text) => text.clone(),
                        Segment::Hole(hole) => shown_list(hole, ""),
                    })
                    .collect(),
                Item::Many { hole, count: None } => shown_list(hole, " ..."),
                Item::Many {
                    hole,
                    count: Some(count),
                } => match self.machine.step_value(count) {
                    Ok(count) if count > 0 => shown_list(hole, &format!(": {count} words")),
                    // How many is not known yet where the number comes in the same line.
                    _ => shown_list(hole, " ..."),
                },
            });
        }
        words.join(" ")
    }
}

/// A hole, and what stands between the members that it reads.
fn shown_list(hole: &Hole, more: &str) -> String {
    let Some(between) = &hole.between else {
        return shown_hole(hole, more);
    };
    let mut how = format!("{more} by '{}'", between.by.written());
    if between.last != between.by {
        let _ = write!(how, " last '{}'", between.last.written());
    }
    shown_hole(hole, &how)
}

fn shown_hole(hole: &Hole, more: &str) -> String {
    let name = &hole.name;
    match hole.absent.as_deref() {
        None => format!("<{name}{more}>"),
        Some("") => format!("[<{name}{more}>]"),
        Some(absent) => format!("<{name}{more} or {absent}>"),
    }
}
