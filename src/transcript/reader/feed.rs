//! A transcript that comes in whole lines, and can be taken back to where it was.

use super::{Reader, Ready};
use crate::word::Word;

/// Where a reader stands that has read all lines it was fed.
#[derive(Debug, Clone)]
pub(in crate::transcript) struct Mark {
    /// The line from which on the text is needed to return here.
    pub(in crate::transcript) line: usize,
    /// How many of the words from there on were read.
    read: usize,
    /// The words that were read last: the first of them, from there on, and how many.
    last: (usize, usize),
    taken: u64,
}

impl Reader<'_> {
    /// Gives whole lines to be read, each with its end.
    pub(in crate::transcript) fn feed(&mut self, lines: &[u8]) {
        self.chunk.truncate(self.chunk_end);
        self.chunk.drain(..self.chunk_at);
        self.chunk_at = 0;
        self.chunk.extend_from_slice(lines);
        self.chunk_end = self.chunk.len();
    }

    /// Says that no more comes.
    pub(in crate::transcript) fn end_input(&mut self) {
        self.ended = true;
    }

    /// Where it stands.
    pub(in crate::transcript) fn place_to_return(&self) -> Mark {
        let last = Some(self.last.0).filter(|_| self.last.1 > 0);
        let word = self.words.get(last.unwrap_or(self.next));
        let line = word.map_or(self.line, Word::line);
        let first = self.words.partition_point(|word| word.line() < line);
        Mark {
            line,
            read: self.next - first,
            last: last.map_or((0, 0), |last| (last - first, self.last.1)),
            taken: self.taken,
        }
    }

    /// Returns to a mark. `lines` are those from the mark's line to where it was made.
    pub(in crate::transcript) fn return_to(&mut self, mark: &Mark, lines: &[u8]) {
        self.go_on_at(mark.line);
        self.feed(lines);
        // It was all read before, and nothing was wrong.
        while matches!(self.piece(), Ok(Ready::Word)) {}
        self.next = mark.read;
        self.last = mark.last;
        self.taken = mark.taken;
    }
}
