//! Says what was expected where a transcript cannot be read.

use std::fmt::Write as _;

use super::{Run, moves::FoundMoves, reader::shown};
use crate::{
    code::{Hole, Item, Pattern, Segment},
    fault::{Expectation, Fault, Stop, TextTrouble, Unreadable},
};

/// The number of words of a line that the message repeats.
const FIRST_WORDS: usize = 8;

/// The number of suggestions for an unreadable line.
const MOST_SUGGESTIONS: usize = 3;

/// Why a pattern does not match.
#[derive(Debug)]
pub(super) struct Mismatch {
    /// How many words matched.
    pub(super) matched: usize,
    /// Why the next word does not match.
    pub(super) reason: String,
    /// Whether it was not tried, because the event is not possible now.
    pub(super) untried: bool,
}

impl Mismatch {
    /// The mismatch of an event that is not possible now.
    pub(super) fn untried(reason: String) -> Mismatch {
        Mismatch {
            matched: 0,
            reason,
            untried: true,
        }
    }
}

impl<'c> Run<'c, '_> {
    /// Possible lines that are spelt much like an unreadable line, or like the part of it that does not fit.
    pub(super) fn suggestions(&mut self, line: &str, words: &str) -> Vec<String> {
        let Some(play) = self.reached.filter(|_| self.in_game) else {
            return Vec::new();
        };
        let mut all = FoundMoves::default();
        let mut found = Vec::new();
        for event in self.events_of(play, &[], &mut all) {
            // If the moves cannot be computed, there are no suggestions.
            if self.find_moves_of(play, event, false, &mut found).is_err() {
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
            .take(MOST_SUGGESTIONS)
            .map(|(_, written)| written)
            .collect()
    }

    /// The fault that no pattern matches. It points to where the best one fails.
    pub(super) fn unreadable(
        &mut self,
        mismatches: Vec<(&'c Pattern, Option<usize>, Mismatch)>,
    ) -> Result<Stop, Stop> {
        let farthest = mismatches
            .iter()
            .filter(|(_, _, mismatch)| !mismatch.untried)
            .map(|(_, _, mismatch)| mismatch.matched)
            .max()
            .unwrap_or(0);
        let there = self.peek(farthest)?.is_some();
        // By lines, a line that ends too early does not end the transcript.
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
        let expected = self.expected(mismatches);
        Ok(Box::new(Fault::Transcript(Box::new(Unreadable {
            found,
            trouble,
            expected,
            place,
        }))))
    }

    /// The fault that the words read last are an event that is not possible now. Of the other patterns, those are
    /// listed that are possible.
    pub(super) fn untimely(
        &mut self,
        (event, reason): (usize, &str),
        mut mismatches: Vec<(&'c Pattern, Option<usize>, Mismatch)>,
    ) -> Stop {
        let count = self.reader.last_count();
        // The whole line is shown below the message, so its first words will do here.
        let mut words: Vec<String> = (0..count.min(FIRST_WORDS))
            .map(|index| shown(self.reader.last_word(index)))
            .collect();
        if count > FIRST_WORDS {
            words.push("…".into());
        }
        mismatches.retain(|(_, _, mismatch)| !mismatch.untried);
        Box::new(Fault::Transcript(Box::new(Unreadable {
            found: format!("`{}` cannot come now: {reason}", words.join(" ")),
            trouble: TextTrouble::Untimely { event },
            expected: self.expected(mismatches),
            place: self.reader.last_place(0, count),
        })))
    }

    fn expected(
        &mut self,
        mismatches: Vec<(&'c Pattern, Option<usize>, Mismatch)>,
    ) -> Vec<Expectation> {
        let mut expected = Vec::new();
        for (pattern, event, mismatch) in mismatches {
            expected.push(Expectation {
                written: self.shown(pattern),
                name: event.map(|event| self.compiled.events[event].name.clone()),
                reason: mismatch.reason,
                untried: mismatch.untried,
            });
        }
        expected
    }

    /// A pattern with each hole in angle brackets.
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
                    // If the number of members comes in the same line, it is not known yet.
                    _ => shown_list(hole, " ..."),
                },
            });
        }
        words.join(" ")
    }
}

/// A hole for a collection, with the separators between its members.
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
