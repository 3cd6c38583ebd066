//! Reads a transcript word by word, as far as needed.

mod lines;
mod place;

use std::{borrow::Cow, io::Read};

use crate::fault::{TextTrouble, Unreadable};
use crate::word::{Word, is_blank, scan};
pub(super) use lines::Mark;
pub(super) use place::Stretch;

/// The size of a read, in bytes.
const CHUNK: usize = 1 << 16;

/// At least this much of what was read is kept, in bytes.
const KEPT: usize = 1 << 12;

/// The longest line (by lines) or word, in bytes.
const LONGEST: usize = 1 << 20;

/// The prefix of a line with a question, which is no part of the game.
pub(crate) const QUESTION: &str = "#?";

/// A line in the buffer, or a part of one.
#[derive(Debug, Clone, Copy)]
struct Piece {
    line: usize,
    start: usize,
    end: usize,
    /// How many characters of the line precede it.
    skipped: usize,
}

/// What can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    /// A word.
    Word,
    /// The end of the transcript or, by lines, of the line.
    End,
    /// Nothing until more input is fed.
    Starved,
}

/// Reads a transcript.
pub(super) struct Reader<'io> {
    /// `None` if the caller feeds the input.
    input: Option<&'io mut dyn Read>,
    by_lines: bool,
    /// The last chunk of input: it ends at `chunk_end` and has been consumed up to `chunk_at`.
    chunk: Vec<u8>,
    chunk_at: usize,
    chunk_end: usize,
    ended: bool,
    /// The text of the available words, and of those read last.
    buffer: Vec<u8>,
    pieces: Vec<Piece>,
    words: Vec<Word>,
    next: usize,
    /// The number of the next line.
    line: usize,
    /// How many characters of that line have been read.
    skipped: usize,
    /// The start of an incomplete piece.
    open: Option<usize>,
    taken: u64,
    /// The words read last: the index of the first, and their number.
    last: (usize, usize),
    /// The size at which the buffer is cleared of what is not needed any more.
    full: usize,
    /// A byte that is not UTF-8, and its line, while words before it are still unread.
    broken: Option<(usize, usize)>,
}

impl<'io> Reader<'io> {
    pub(super) fn new(input: Option<&'io mut dyn Read>, by_lines: bool) -> Reader<'io> {
        Reader {
            input,
            by_lines,
            chunk: Vec::new(),
            chunk_at: 0,
            chunk_end: 0,
            ended: false,
            buffer: Vec::new(),
            pieces: Vec::new(),
            words: Vec::new(),
            next: 0,
            line: 1,
            skipped: 0,
            open: None,
            taken: 0,
            last: (0, 0),
            full: KEPT,
            broken: None,
        }
    }

    /// The line of the next word. [`Reader::ready`] must have found one.
    pub(super) fn next_line(&self) -> usize {
        self.words.get(self.next).map_or(0, Word::line)
    }

    /// The line of the next word, if it is the first on its line. [`Reader::ready`] must have found one.
    pub(super) fn begins_line(&self) -> Option<usize> {
        let word = self.words.get(self.next)?;
        let before = self
            .next
            .checked_sub(1)
            .and_then(|last| self.words.get(last));
        let piece = self.pieces.get(self.first_piece(word.line()))?;
        let first = before.is_none_or(|before| before.line() != word.line());
        (first && piece.skipped == 0).then_some(word.line())
    }

    /// Continues at the start of a line, where the input continues, too.
    pub(super) fn go_on_at(&mut self, line: usize) {
        self.forget();
        self.chunk_at = 0;
        self.chunk_end = 0;
        self.ended = false;
        self.open = None;
        self.broken = None;
        self.line = line;
        self.skipped = 0;
    }

    /// The line of the words read last.
    pub(super) fn last_line(&self) -> usize {
        self.words.get(self.last.0).map_or(0, Word::line)
    }

    /// The number of words read so far.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Reads more input. Returns whether it could.
    pub(super) fn refill(&mut self) -> std::io::Result<bool> {
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        if self.chunk.len() < CHUNK {
            self.chunk.resize(CHUNK, 0);
        }
        self.chunk_at = 0;
        self.chunk_end = 0;
        loop {
            match input.read(&mut self.chunk) {
                Ok(count) => {
                    self.chunk_end = count;
                    self.ended = count == 0;
                    return Ok(true);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the `index`-th word from here is in the buffer.
    #[inline]
    pub(super) fn has(&self, index: usize) -> bool {
        if self.by_lines {
            return index < self.left();
        }
        self.next + index < self.words.len()
    }

    /// Whether there is an `index`-th word from here.
    pub(super) fn ready(&mut self, index: usize) -> Result<Ready, Box<Unreadable>> {
        loop {
            if self.has(index) {
                return Ok(Ready::Word);
            }
            if self.by_lines && self.next < self.words.len() {
                return Ok(Ready::End);
            }
            if self.by_lines && index > 0 {
                return Ok(Ready::End);
            }
            if let Some((line, bad)) = self.broken {
                return Err(self.trouble(line, bad, bad + 1, TextTrouble::NotText));
            }
            match self.piece()? {
                Ready::Word => {}
                other => return Ok(other),
            }
        }
    }

    /// Reads a line or, if the transcript is not by lines, a part of one that ends at a blank.
    fn piece(&mut self) -> Result<Ready, Box<Unreadable>> {
        loop {
            if self.chunk_at == self.chunk_end {
                if !self.ended {
                    return Ok(Ready::Starved);
                }
                let Some(start) = self.open.take() else {
                    return Ok(Ready::End);
                };
                self.close(start, false)?;
                return Ok(Ready::Word);
            }
            let start = if let Some(start) = self.open {
                start
            } else {
                let start = self.begin();
                if self.lines() {
                    return Ok(Ready::Word);
                }
                start
            };
            self.open = Some(start);
            let rest = &self.chunk[self.chunk_at..self.chunk_end];
            if let Some(newline) = memchr::memchr(b'\n', rest) {
                self.buffer.extend_from_slice(&rest[..newline]);
                self.chunk_at += newline + 1;
                self.open = None;
                self.close(start, true)?;
                return Ok(Ready::Word);
            }
            let cut = if self.by_lines || self.may_be_question(start) {
                None
            } else {
                rest.iter().rposition(|byte| is_blank(*byte))
            };
            if let Some(cut) = cut {
                self.buffer.extend_from_slice(&rest[..=cut]);
                self.chunk_at += cut + 1;
                self.open = None;
                self.close(start, false)?;
                return Ok(Ready::Word);
            }
            self.buffer.extend_from_slice(rest);
            self.chunk_at = self.chunk_end;
            if self.buffer.len() - start > LONGEST {
                return Err(self.trouble(self.line, start, start, TextTrouble::TooLong));
            }
        }
    }

    /// Whether a question may start here, judging by what is in the buffer. Questions are read as whole lines.
    fn may_be_question(&self, start: usize) -> bool {
        let come = self.chunk[self.chunk_at..self.chunk_end].iter();
        let mut line = self.buffer[start..].iter().chain(come);
        let mut mark = QUESTION.as_bytes().iter();
        self.skipped == 0 && mark.all(|byte| line.next().is_none_or(|found| found == byte))
    }

    /// The start of a new piece. If the buffer is full, text that is not needed is dropped, except the line of the last
    /// word: messages may show it.
    fn begin(&mut self) -> usize {
        if self.next == self.words.len() && self.buffer.len() >= self.full {
            let line = self.words.last().map_or(self.line, Word::line);
            let kept = self.first_piece(line);
            let from = self.pieces.get(kept).map_or(0, |piece| piece.start);
            let gone = self.words.partition_point(|word| word.start() < from);
            self.buffer.drain(..from);
            self.pieces.drain(..kept);
            self.words.drain(..gone);
            for piece in &mut self.pieces {
                piece.start -= from;
                piece.end -= from;
            }
            for word in &mut self.words {
                word.move_back(from);
            }
            self.next = self.words.len();
            self.last = match self.last {
                (first, count) if first >= gone => (first - gone, count),
                _ => (0, 0),
            };
            // A line without an end is kept up to this length.
            if self.buffer.len() >= LONGEST {
                self.forget();
            }
            self.full = KEPT.max(2 * self.buffer.len());
        }
        self.buffer.len()
    }

    /// Drops everything that has been read.
    fn forget(&mut self) {
        self.buffer.clear();
        self.pieces.clear();
        self.words.clear();
        self.next = 0;
        self.last = (0, 0);
    }

    /// Turns what was read since `start` into words, unless it is a question.
    fn close(&mut self, start: usize, whole_line: bool) -> Result<(), Box<Unreadable>> {
        if self.line == 1 && self.skipped == 0 && self.buffer[start..].starts_with(b"\xEF\xBB\xBF")
        {
            // A byte order mark is no text.
            self.buffer.drain(start..start + 3);
        }
        let end = self.buffer.len();
        if self.skipped == 0 && self.buffer[start..].starts_with(QUESTION.as_bytes()) {
            self.line += usize::from(whole_line);
            return Ok(());
        }
        self.split(start, end, whole_line)
    }

    /// Splits `start..end` of the buffer into words.
    fn split(&mut self, start: usize, end: usize, whole_line: bool) -> Result<(), Box<Unreadable>> {
        self.pieces.push(Piece {
            line: self.line,
            start,
            end,
            skipped: self.skipped,
        });
        let mut text = &self.buffer[start..end];
        if !text.is_ascii()
            && let Err(error) = std::str::from_utf8(text)
        {
            let (good, bad) = text.split_at(error.valid_up_to());
            if self.by_lines || good.iter().all(|byte| is_blank(*byte)) {
                let bad = end - bad.len();
                return Err(self.trouble(self.line, bad, bad + 1, TextTrouble::NotText));
            }
            // The words before it are read first, so the result does not depend on the size of reads.
            let whole = good.iter().rposition(|byte| is_blank(*byte));
            text = good.split_at(whole.map_or(0, |blank| blank + 1)).0;
            self.broken = Some((self.line, start + error.valid_up_to()));
        }
        if end - start > LONGEST {
            return Err(self.trouble(self.line, start, start, TextTrouble::TooLong));
        }
        let first = self.words.len();
        let mut at = 0;
        loop {
            while text.get(at).is_some_and(|byte| is_blank(*byte)) {
                at += 1;
            }
            if at == text.len() {
                break;
            }
            let (end, key) = scan(text, at);
            self.words
                .push(Word::new(key, self.line, start + at, start + end));
            at = end;
        }
        if self.by_lines {
            Word::count_left(&mut self.words[first..]);
        }
        if whole_line {
            self.line += 1;
            self.skipped = 0;
        } else {
            self.skipped += String::from_utf8_lossy(text).chars().count();
        }
        Ok(())
    }

    /// The `index`-th word from here. [`Reader::ready`] must have found it.
    #[inline]
    pub(super) fn word(&self, index: usize) -> &[u8] {
        match self.words.get(self.next + index) {
            Some(word) => &self.buffer[word.range()],
            None => &[],
        }
    }

    /// The number of available words; by lines, of those on this line.
    #[inline]
    pub(super) fn left(&self) -> usize {
        match self.words.get(self.next) {
            Some(word) if self.by_lines => word.left(),
            _ => self.words.len() - self.next,
        }
    }

    /// Several words from the `index`-th on, which have been read, as one text; by lines, with the blanks between them.
    pub(super) fn text(&self, index: usize, count: usize) -> Cow<'_, [u8]> {
        let first = self.next + index;
        let words = self.words.get(first..first + count).unwrap_or_default();
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return Cow::default();
        };
        if self.by_lines {
            return Cow::Borrowed(&self.buffer[first.start()..last.end()]);
        }
        let words = words.iter().map(|word| &self.buffer[word.range()]);
        Cow::Owned(words.collect::<Vec<&[u8]>>().join(&b' '))
    }

    /// Consumes words.
    #[inline]
    pub(super) fn take(&mut self, count: usize) {
        self.last = (self.next, count);
        self.next += count;
        self.taken += count as u64;
    }

    /// The available words, the index of the next one, and their text.
    pub(super) fn in_hand(&self) -> (&[Word], usize, &[u8]) {
        (&self.words, self.next, &self.buffer)
    }

    /// Consumes all words before an index; those from `first` on become the last ones.
    pub(super) fn take_to(&mut self, first: usize, next: usize) {
        if next > self.next {
            self.taken += (next - self.next) as u64;
            self.last = (first, next - first);
            self.next = next;
        }
    }

    /// The `index`-th word from here, for messages.
    pub(super) fn found(&self, index: usize) -> String {
        shown(self.word(index))
    }
}

/// How much of a word messages repeat, in characters.
const REPEATED: usize = 40;

/// A word for messages: shortened, and without control characters.
pub(super) fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let mut shown = String::new();
    for (place, character) in text.chars().enumerate() {
        if place == REPEATED {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}
