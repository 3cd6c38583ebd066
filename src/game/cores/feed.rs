//! Reads a transcript in large pieces, which several threads share.

use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, ErrorKind, Read},
    sync::Arc,
};

/// The number of pieces that are kept after they are no longer needed.
const KEPT: usize = 2;

/// A piece: whole lines, except that the last line of the transcript may lack its end.
#[derive(Clone)]
pub(super) struct Text {
    pub(super) bytes: Arc<Vec<u8>>,
    /// Its first line.
    pub(super) first: usize,
    pub(super) lines: usize,
    /// Whether it is the last piece.
    pub(super) is_last: bool,
}

/// The pieces of a transcript, from the first that is still needed.
pub(super) struct Feed<'i> {
    input: &'i mut dyn Read,
    /// The size of a read, in bytes.
    size: usize,
    pieces: VecDeque<Text>,
    /// The piece and the byte in it to read next.
    at: (usize, usize),
    /// The start of a line whose end has not been read yet.
    begun: Vec<u8>,
    next_line: usize,
    ended: bool,
    failed: Option<io::Error>,
    /// Whether a piece ends within a line, because lines are too long for this method.
    is_loose: bool,
}

impl<'i> Feed<'i> {
    pub(super) fn new(input: &'i mut dyn Read, size: usize) -> Feed<'i> {
        Feed {
            input,
            size,
            pieces: VecDeque::new(),
            at: (0, 0),
            begun: Vec::new(),
            next_line: 1,
            ended: false,
            failed: None,
            is_loose: false,
        }
    }

    /// Marks everything before a line as no longer needed.
    pub(super) fn needs_from(&mut self, line: usize) {
        while self.at.0 > 0
            && self
                .pieces
                .front()
                .is_some_and(|piece| piece.first + piece.lines <= line)
        {
            self.pieces.pop_front();
            self.at.0 -= 1;
        }
    }

    /// Continues at the start of a line, if that is available. Returns whether it is.
    pub(super) fn go_to(&mut self, line: usize) -> bool {
        for (place, piece) in self.pieces.iter().enumerate() {
            if let Some(lines @ 0..) = line.checked_sub(piece.first)
                && lines < piece.lines
            {
                let start = match lines.checked_sub(1) {
                    None => 0,
                    Some(before) => memchr::memchr_iter(b'\n', &piece.bytes)
                        .nth(before)
                        .map_or(0, |end| end + 1),
                };
                self.at = (place, start);
                return true;
            }
        }
        false
    }

    /// The piece that contains a line, and the next one, if there is one.
    pub(super) fn part(&mut self, line: usize) -> Option<(Text, Option<Text>)> {
        if self.is_loose {
            return None;
        }
        loop {
            let holds = |piece: &Text| line < piece.first + piece.lines;
            if let Some(place) = self.pieces.iter().position(holds) {
                let found = self.pieces.get(place)?;
                let next = self.pieces.get(place + 1);
                if found.is_last || next.is_some() {
                    return Some((found.clone(), next.cloned()));
                }
            }
            if !self.load() || self.is_loose {
                return None;
            }
        }
    }

    /// Reads one more piece, if there is one.
    fn load(&mut self) -> bool {
        let mut bytes = std::mem::take(&mut self.begun);
        while !self.ended && bytes.len() < self.size {
            let room = (self.size - bytes.len()) as u64;
            let mut input = (&mut *self.input).take(room);
            match input.read_to_end(&mut bytes) {
                Ok(0) => self.ended = true,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.failed = Some(error);
                }
            }
        }
        if !self.ended {
            match memchr::memrchr(b'\n', &bytes) {
                Some(end) => self.begun = bytes.split_off(end + 1),
                None => self.is_loose = true,
            }
        }
        let is_last = self.ended && self.failed.is_none();
        if bytes.is_empty() {
            if let Some(last) = self.pieces.back_mut() {
                last.is_last = is_last;
            }
            return false;
        }
        let ends = memchr::memchr_iter(b'\n', &bytes).count();
        let lines = ends + usize::from(bytes.last() != Some(&b'\n'));
        self.pieces.push_back(Text {
            bytes: Arc::new(bytes),
            first: self.next_line,
            lines,
            is_last,
        });
        self.next_line += lines;
        true
    }
}

/// Reads the transcript from start to end, except when it is moved to another line.
pub(super) struct Whole<'f, 'i>(pub(super) &'f RefCell<Feed<'i>>);

impl Read for Whole<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut feed = self.0.borrow_mut();
        loop {
            let (place, start) = feed.at;
            let Some(piece) = feed.pieces.get(place) else {
                if feed.load() {
                    continue;
                }
                return feed.failed.take().map_or(Ok(0), Err);
            };
            let mut rest = piece.bytes.get(start..).unwrap_or_default();
            let count = rest.read(into)?;
            if count > 0 || into.is_empty() {
                feed.at.1 += count;
                return Ok(count);
            }
            feed.at = (place + 1, 0);
            if feed.at.0 > KEPT {
                feed.pieces.pop_front();
                feed.at.0 -= 1;
            }
        }
    }
}
