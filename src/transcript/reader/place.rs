//! Where words stand, for messages.

use super::{LONGEST, Piece, Reader, Trouble, Unreadable};

/// A stretch of one line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The line's number, from 1; 0 where nothing was read.
    pub(crate) line: usize,
    /// The line, or the part of it around the place.
    pub(crate) text: String,
    /// How many characters of the line come before `text`.
    pub(crate) skipped: usize,
    /// The bytes of `text` that are meant.
    pub(crate) start: usize,
    /// The byte after the last of them.
    pub(crate) end: usize,
}

impl Reader<'_> {
    /// Where the `index`-th word from here stands.
    pub(in crate::transcript) fn place(&self, index: usize) -> Place {
        self.place_of(self.next + index, 1)
    }

    /// How many words were read last.
    pub(in crate::transcript) fn last_count(&self) -> usize {
        self.last.1
    }

    /// The `index`-th of the words that were read last.
    pub(in crate::transcript) fn last_word(&self, index: usize) -> &[u8] {
        match self.words.get(self.last.0 + index) {
            Some(word) => &self.buffer[word.range()],
            None => &[],
        }
    }

    /// Where `count` of the words that were read last stand, from the `index`-th on.
    pub(in crate::transcript) fn last_place(&self, index: usize, count: usize) -> Place {
        self.place_of(self.last.0 + index, count)
    }

    /// Where `count` words stand, as far as they are on one line; the end where there are none.
    fn place_of(&self, first: usize, count: usize) -> Place {
        match self.words.get(first) {
            Some(word) if count > 0 => {
                let last = self
                    .words
                    .iter()
                    .skip(first)
                    .take(count)
                    .take_while(|other| other.line() == word.line())
                    .last()
                    .unwrap_or(word);
                self.stretch(word.line(), word.start(), last.end())
            }
            _ => self.end(),
        }
    }

    /// The place after the last word that was read.
    pub(in crate::transcript) fn end(&self) -> Place {
        let words = match self.words.get(self.next) {
            // What follows may have been read already.
            Some(word) if self.by_lines => &self.words[..self.next + word.left()],
            _ => &self.words,
        };
        match words.last() {
            Some(last) => self.stretch(last.line(), last.end(), last.end()),
            None => match self.pieces.last() {
                Some(piece) => self.stretch(piece.line, piece.end, piece.end),
                None => Place {
                    line: self.line,
                    ..Place::default()
                },
            },
        }
    }

    fn stretch(&self, line: usize, start: usize, end: usize) -> Place {
        // The pieces of a line, which stand in order.
        let pieces = &self.pieces[self.pieces.partition_point(|piece| piece.line < line)..];
        let pieces = &pieces[..pieces.partition_point(|piece| piece.line == line)];
        let first = pieces.first();
        let (piece_start, skipped) = first.map_or((start, 0), |piece| (piece.start, piece.skipped));
        // Where lines do not matter, how much was read of the rest of this one is a matter of chance.
        let piece_end = match pieces.last() {
            Some(piece) if self.by_lines => piece.end,
            _ => end,
        };
        // What was forgotten of the line is shown as blanks, so that columns are right.
        let before = skipped.min(LONGEST);
        let mut text = " ".repeat(before);
        text.push_str(&String::from_utf8_lossy(
            &self.buffer[piece_start..piece_end],
        ));
        let (inner, outer) = (start - piece_start, end.min(piece_end) - piece_start);
        text.truncate(text.trim_end().len().max(before + inner));
        Place {
            line,
            skipped: skipped - before,
            start: before + inner,
            end: (before + outer.max(inner)).min(text.len()),
            text,
        }
    }

    pub(super) fn trouble(
        &mut self,
        line: usize,
        start: usize,
        end: usize,
        trouble: Trouble,
    ) -> Box<Unreadable> {
        if self.pieces.last().is_none_or(|piece| piece.end < end) {
            self.pieces.push(Piece {
                line,
                start,
                end: self.buffer.len(),
                skipped: self.skipped,
            });
        }
        let place = self.stretch(line, start, end);
        Box::new(Unreadable {
            found: String::new(),
            trouble,
            expected: Vec::new(),
            place,
        })
    }
}
