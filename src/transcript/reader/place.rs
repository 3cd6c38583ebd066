//! The places of words, for messages.

use super::{LONGEST, Piece, Reader};
use crate::fault::{Place, TextTrouble, Unreadable};

/// A range of a line, or of the available part of one.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::transcript) struct Stretch {
    line: usize,
    /// How many characters of the line precede the available part.
    pub(in crate::transcript) skipped: usize,
    start: usize,
    end: usize,
}

impl Stretch {
    /// The bytes of the range.
    pub(in crate::transcript) fn of(self, piece: &[u8]) -> &[u8] {
        piece.get(self.start..self.end).unwrap_or_default()
    }

    /// The column of its start, from 1.
    pub(in crate::transcript) fn column(self, piece: &[u8]) -> usize {
        let before = piece.get(..self.start).unwrap_or_default();
        self.skipped + String::from_utf8_lossy(before).chars().count() + 1
    }

    /// Its place in a line, or in the available part of one.
    pub(in crate::transcript) fn place(self, piece: &[u8]) -> Place {
        // Characters that are no longer available are replaced by blanks, which keeps columns right.
        let before = self.skipped.min(LONGEST);
        let mut text = " ".repeat(before);
        text.push_str(&String::from_utf8_lossy(piece));
        text.truncate(text.trim_end().len().max(before + self.start));
        Place {
            line: self.line,
            skipped: self.skipped - before,
            start: before + self.start,
            end: (before + self.end).min(text.len()),
            text,
        }
    }
}

impl Reader<'_> {
    /// The place of the `index`-th word from here.
    pub(in crate::transcript) fn place(&self, index: usize) -> Place {
        self.place_of(self.next + index, 1)
    }

    /// The number of words read last.
    pub(in crate::transcript) fn last_count(&self) -> usize {
        self.last.1
    }

    /// The `index`-th of the words read last.
    pub(in crate::transcript) fn last_word(&self, index: usize) -> &[u8] {
        match self.words.get(self.last.0 + index) {
            Some(word) => &self.buffer[word.range()],
            None => &[],
        }
    }

    /// The place of `count` of the words read last, from the `index`-th on.
    pub(in crate::transcript) fn last_place(&self, index: usize, count: usize) -> Place {
        self.place_of(self.last.0 + index, count)
    }

    /// The place of `count` words, as far as they are on one line; the end if there are none.
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
            // The following words may have been read already.
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
        let (stretch, piece) = self.in_piece(line, start, end);
        stretch.place(piece)
    }

    /// The `index`-th of the words read last, in its line or the available part.
    pub(in crate::transcript) fn last_stretch(&self, index: usize) -> (Stretch, &[u8]) {
        match self.words.get(self.last.0 + index) {
            Some(word) => self.in_piece(word.line(), word.start(), word.end()),
            None => (Stretch::default(), &[]),
        }
    }

    /// A range of the buffer, in its line or the available part.
    fn in_piece(&self, line: usize, start: usize, end: usize) -> (Stretch, &[u8]) {
        // The pieces of a line, in order.
        let pieces = &self.pieces[self.first_piece(line)..];
        let pieces = pieces.iter().take_while(|piece| piece.line == line);
        let (first, last) = (pieces.clone().next(), pieces.last());
        let (piece_start, skipped) = first.map_or((start, 0), |piece| (piece.start, piece.skipped));
        // Where lines do not matter, how much was read of the rest of this one is a matter of chance.
        let piece_end = match last {
            Some(piece) if self.by_lines => piece.end,
            _ => end,
        };
        let (start, end) = (start - piece_start, end.min(piece_end) - piece_start);
        let stretch = Stretch {
            line,
            skipped,
            start,
            end: end.max(start),
        };
        (stretch, &self.buffer[piece_start..piece_end])
    }

    /// The first piece of a line, or of one after it.
    pub(super) fn first_piece(&self, line: usize) -> usize {
        let begins = self.pieces.first().map_or(line, |piece| piece.line);
        // As a rule each line is one piece.
        let usual = line.saturating_sub(begins);
        let is_line = |place: usize| {
            self.pieces
                .get(place)
                .is_some_and(|piece| piece.line == line)
        };
        if is_line(usual) && !usual.checked_sub(1).is_some_and(is_line) {
            return usual;
        }
        self.pieces.partition_point(|piece| piece.line < line)
    }

    pub(super) fn trouble(
        &mut self,
        line: usize,
        start: usize,
        end: usize,
        trouble: TextTrouble,
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
