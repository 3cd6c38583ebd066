//! Finds the words that a fault is about, such as an `impossible` row or a form with two meanings.

use super::{Run, matching::end_of, values};
use crate::{
    code::{Hole, Item, Mark, Pattern, Reading, Segment, Spoken, Target},
    fault::{Fault, Place, Trouble},
};

impl<'c> Run<'c, '_> {
    /// The place of a fault: some of the last pattern's words, or all of them.
    pub(super) fn place_of(&mut self, fault: &Fault) -> Place {
        let pattern = self.last;
        let words = match (fault, pattern) {
            (Fault::Transcript(unreadable), _) => return unreadable.place.clone(),
            (
                Fault::Impossible {
                    event, row, member, ..
                },
                Some(pattern),
            ) => self.compiled.events[*event].impossible[*row]
                .mark
                .and_then(|mark| self.spoken_of(pattern, mark, *member)),
            (
                Fault::Rules {
                    trouble: Trouble::SameForm { form, .. },
                    ..
                },
                _,
            ) => {
                if let Some(place) = self.named.place(form.as_bytes()) {
                    return place;
                }
                None
            }
            _ => None,
        };
        let (index, count) = words.unwrap_or((0, self.reader.last_count()));
        self.reader.last_place(index, count)
    }

    /// Remembers the places of names that were read, in case two turn out to be the same.
    pub(super) fn remember_names(&mut self, pattern: &'c Pattern) {
        let gives_words = |hole: &Hole| {
            matches!(hole.target, Target::Given(..)) && matches!(hole.reading, Reading::Word)
        };
        let gives = pattern.items.iter().any(|item| match item {
            Item::Word(segments) => segments
                .iter()
                .any(|segment| matches!(segment, Segment::Hole(hole) if gives_words(hole))),
            Item::Many { hole, .. } => gives_words(hole),
        });
        let count = self.reader.last_count();
        if !gives || !self.named.has_room_for(count) {
            return;
        }
        for index in 0..count {
            let (stretch, piece) = self.reader.last_stretch(index);
            if !self.named.remember(stretch, piece) {
                return;
            }
        }
    }

    /// The words of the last pattern that a field or given was read from. In a collection: the word at position
    /// `member`, or the last one whose value is `member`.
    fn spoken_of(
        &mut self,
        pattern: &'c Pattern,
        mark: Mark,
        member: Option<i64>,
    ) -> Option<(usize, usize)> {
        let total = self.reader.last_count();
        let mut at = 0;
        let mut found = None;
        for (place, item) in pattern.items.iter().enumerate() {
            let (holes, count) = match item {
                Item::Word(segments) => {
                    let holes = segments.iter().filter_map(|segment| match segment {
                        Segment::Hole(hole) => Some(hole),
                        Segment::Literal(_) => None,
                    });
                    (holes.collect(), 1)
                }
                // A list takes the words that the rest of the pattern leaves, or goes up to the literal after it.
                Item::Many { hole, count } => {
                    let after = pattern.items.len() - place - 1;
                    let left = total.saturating_sub(at);
                    let end = end_of(pattern, place).filter(|_| count.is_none());
                    let count = match end {
                        Some(text) => (0..left)
                            .find(|word| self.reader.last_word(at + word) == text.as_bytes())
                            .unwrap_or(left),
                        None => left.saturating_sub(after),
                    };
                    (vec![hole], count)
                }
            };
            let count = count.min(total - at);
            if let Some(hole) = holes.into_iter().find(|hole| speaks(hole, mark.spoken)) {
                let words = (at, count);
                found = Some(match member {
                    Some(place) if mark.is_position => at_position(words, place),
                    Some(member) => self.member_of(hole, words, member),
                    None => words,
                });
            }
            at += count;
        }
        found.filter(|(_, count)| *count > 0)
    }

    /// The last of some words with the value `member`; all of them if none has it.
    fn member_of(
        &mut self,
        hole: &'c Hole,
        (start, count): (usize, usize),
        member: i64,
    ) -> (usize, usize) {
        for index in (start..start + count).rev() {
            let word = bare(hole, self.reader.last_word(index));
            let value = values::value(&mut self.machine, hole, word, false);
            if matches!(value, Ok(Ok(value)) if value == member) {
                return (index, 1);
            }
        }
        (start, count)
    }
}

/// The word at a position among some, from 1; all of them if there is none.
fn at_position((start, count): (usize, usize), place: i64) -> (usize, usize) {
    let before = usize::try_from(place - 1).ok();
    let before = before.filter(|before| *before < count);
    before.map_or((start, count), |before| (start + before, 1))
}

/// A word without its separator.
fn bare<'w>(hole: &Hole, mut word: &'w [u8]) -> &'w [u8] {
    if let Some(between) = &hole.between {
        for separator in [&between.by, &between.last] {
            word = word
                .strip_prefix(separator.after().as_bytes())
                .unwrap_or(word);
            word = word
                .strip_suffix(separator.before().as_bytes())
                .unwrap_or(word);
        }
    }
    word
}

/// Whether a hole reads a certain field or given.
fn speaks(hole: &Hole, spoken: Spoken) -> bool {
    match (&hole.target, spoken) {
        (Target::Field(field), Spoken::Field(other)) => *field == other,
        (Target::Given(given, _), Spoken::Given(other)) => *given == other,
        _ => false,
    }
}
