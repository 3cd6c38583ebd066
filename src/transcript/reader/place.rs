//! Where words stand, for messages.

use super::{Piece, Reader, Trouble, Unreadable};

/// How much of a line messages show before and after the place they speak of.
const WINDOW: usize = 60;

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
            Some(word) => &self.buffer[word.start..word.end],
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
                    .take_while(|other| other.line == word.line)
                    .last()
                    .unwrap_or(word);
                self.stretch(word.line, word.start, last.end)
            }
            _ => self.end(),
        }
    }

    /// The place after the last word that was read.
    pub(in crate::transcript) fn end(&self) -> Place {
        match self.words.last() {
            Some(last) => self.stretch(last.line, last.end, last.end),
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
        let piece = self
            .pieces
            .iter()
            .rev()
            .find(|piece| piece.line == line && piece.start <= start && start <= piece.end);
        let (piece_start, piece_end, skipped) = match piece {
            Some(piece) => (piece.start, piece.end, piece.skipped),
            None => (start, end, 0),
        };
        // A very long line is shown in part.
        let text = String::from_utf8_lossy(&self.buffer[piece_start..piece_end]).into_owned();
        let (mut from, mut to) = (0, text.len());
        let (inner, outer) = (start - piece_start, end.min(piece_end) - piece_start);
        if text.len() > 4 * WINDOW {
            from = boundary(&text, inner.saturating_sub(WINDOW));
            to = boundary(&text, (outer + WINDOW).min(text.len()));
        }
        let shown = text.get(from..to).unwrap_or("").trim_end().to_string();
        let before = text.get(..from).unwrap_or("").chars().count();
        Place {
            line,
            skipped: skipped + before,
            start: (inner - from).min(shown.len()),
            end: (outer.max(inner) - from).min(shown.len()),
            text: shown,
        }
    }

    pub(super) fn trouble(
        &mut self,
        start: usize,
        end: usize,
        trouble: Trouble,
    ) -> Box<Unreadable> {
        if self.pieces.last().is_none_or(|piece| piece.end < end) {
            self.pieces.push(Piece {
                line: self.line,
                start,
                end: self.buffer.len(),
                skipped: self.skipped,
            });
        }
        let place = self.stretch(self.line, start, end);
        Box::new(Unreadable {
            found: String::new(),
            trouble,
            expected: Vec::new(),
            place,
        })
    }
}

/// The nearest place at or before `offset` that does not cut a character.
fn boundary(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
