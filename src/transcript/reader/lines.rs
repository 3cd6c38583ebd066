//! Reads many whole lines at once; and lines that are fed, which the reader can return to.

use wide::i8x16;

use super::{Piece, QUESTION, Reader, Ready};
use crate::word::{Word, key_in, scan};

/// The number of bytes that are classified at once.
const BLOCK: usize = 64;

/// The classes of a block's bytes, a bit for each byte.
struct Marks {
    /// Bytes between words.
    blanks: u64,
    /// Ends of lines, which are blanks, too.
    ends: u64,
}

impl Marks {
    #[inline]
    fn of(block: &[u8; BLOCK]) -> Marks {
        let each = |byte: u8| i8x16::splat(byte.cast_signed());
        let mut marks = Marks { blanks: 0, ends: 0 };
        for (place, bytes) in block.chunks_exact(16).enumerate() {
            let bytes: i8x16 = bytemuck::pod_read_unaligned(bytes);
            // Tab, line feed, vertical tab, form feed and carriage return are consecutive.
            let beside = bytes.simd_lt(each(b'\t')) | bytes.simd_gt(each(b'\r'));
            let blanks = !beside | bytes.simd_eq(each(b' '));
            let ends = bytes.simd_eq(each(b'\n'));
            marks.blanks |= u64::from(blanks.to_bitmask()) << (16 * place);
            marks.ends |= u64::from(ends.to_bitmask()) << (16 * place);
        }
        marks
    }
}

impl Reader<'_> {
    /// Reads all whole lines in the buffer at once. Returns whether it could: anything unusual is left to the slow
    /// path.
    pub(super) fn lines(&mut self) -> bool {
        // The first line may start with a byte order mark.
        if self.line == 1 || self.skipped > 0 || self.broken.is_some() {
            return false;
        }
        let rest = &self.chunk[self.chunk_at..self.chunk_end];
        let Some(last) = memchr::memrchr(b'\n', rest) else {
            return false;
        };
        let lines = &rest[..=last];
        let asks = memchr::memmem::find(lines, QUESTION.as_bytes()).is_some();
        if asks || std::str::from_utf8(lines).is_err() {
            return false;
        }
        let offset = self.buffer.len();
        self.buffer.extend_from_slice(lines);
        self.chunk_at += lines.len();
        let first = self.words.len();
        self.mark(offset);
        if self.by_lines {
            Word::count_left(&mut self.words[first..]);
        }
        true
    }

    /// Finds the words and lines of the buffer from an offset on.
    fn mark(&mut self, offset: usize) {
        let text = &self.buffer[offset..];
        let mut begins = offset;
        // The text is preceded by the end of a line.
        let mut after_blank = 1;
        let mut padded = [b' '; BLOCK];
        for (at, block) in (0..).step_by(BLOCK).zip(text.chunks(BLOCK)) {
            let block = block.try_into().unwrap_or_else(|_| {
                padded[..block.len()].copy_from_slice(block);
                &padded
            });
            let Marks { blanks, mut ends } = Marks::of(block);
            let mut starts = !blanks & (blanks << 1 | after_blank);
            after_blank = blanks >> (BLOCK - 1);
            loop {
                // The words before the end of the line, or all if it does not end in this block.
                let before = ends.wrapping_sub(1) & !ends;
                let mut here = starts & before;
                starts &= !before;
                while here != 0 {
                    let place = here.trailing_zeros() as usize;
                    here &= here - 1;
                    let start = at + place;
                    // If the word continues in the next block, no blank is found.
                    let length = (blanks >> place).trailing_zeros() as usize;
                    let (end, key) = match text.get(start..).and_then(<[u8]>::first_chunk) {
                        Some(bytes) if length < BLOCK => (start + length, key_in(*bytes, length)),
                        _ => scan(text, start),
                    };
                    let word = Word::new(key, self.line, offset + start, offset + end);
                    self.words.push(word);
                }
                if ends == 0 {
                    break;
                }
                let end = offset + at + ends.trailing_zeros() as usize;
                ends &= ends - 1;
                self.pieces.push(Piece {
                    line: self.line,
                    start: begins,
                    end,
                    skipped: 0,
                });
                self.line += 1;
                begins = end + 1;
            }
        }
    }
}

/// The state of a reader that has read all lines it was fed.
#[derive(Debug, Clone)]
pub(in crate::transcript) struct Mark {
    /// The line from which on the text is needed to return here.
    pub(in crate::transcript) line: usize,
    /// How many words from there on have been read.
    read: usize,
    /// The words read last: the index of the first from there on, and their number.
    last: (usize, usize),
    taken: u64,
}

impl Reader<'_> {
    /// Feeds whole lines, each with its end.
    pub(in crate::transcript) fn feed(&mut self, lines: &[u8]) {
        self.chunk.truncate(self.chunk_end);
        self.chunk.drain(..self.chunk_at);
        self.chunk_at = 0;
        self.chunk.extend_from_slice(lines);
        self.chunk_end = self.chunk.len();
    }

    /// Ends the input.
    pub(in crate::transcript) fn end_input(&mut self) {
        self.ended = true;
    }

    /// Reverts [`Reader::end_input`].
    pub(in crate::transcript) fn reopen_input(&mut self) {
        self.ended = false;
    }

    /// The current state.
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

    /// Returns to a mark. `lines` are those from the mark's line to where the mark was made.
    pub(in crate::transcript) fn return_to(&mut self, mark: &Mark, lines: &[u8]) {
        self.go_on_at(mark.line);
        self.feed(lines);
        // These lines were read before without a fault.
        while matches!(self.piece(), Ok(Ready::Word)) {}
        self.next = mark.read;
        self.last = mark.last;
        self.taken = mark.taken;
    }
}
