//! Many whole lines at once.

use super::{Piece, QUESTION, Reader};
use crate::word::{Word, is_blank, scan};

impl Reader<'_> {
    /// Takes all whole lines in hand; says whether it could. Where anything about them is unusual, they are taken one
    /// by one.
    pub(super) fn lines(&mut self) -> bool {
        // The first line may begin with a mark of the encoding.
        if self.line == 1 || self.skipped > 0 || self.broken.is_some() {
            return false;
        }
        let rest = &self.chunk[self.chunk_at..];
        let Some(last) = memchr::memrchr(b'\n', rest) else {
            return false;
        };
        let lines = &rest[..=last];
        if std::str::from_utf8(lines).is_err() {
            return false;
        }
        let offset = self.buffer.len();
        self.buffer.extend_from_slice(lines);
        self.chunk_at += lines.len();
        let text = &self.buffer[offset..];
        let mut at = 0;
        while at < text.len() {
            if text[at] == QUESTION.as_bytes()[0] && text[at..].starts_with(QUESTION.as_bytes()) {
                let length = memchr::memchr(b'\n', &text[at..]);
                at += length.map_or(text.len(), |length| length + 1);
                self.line += 1;
                continue;
            }
            let (start, first) = (at, self.words.len());
            while text[at] != b'\n' {
                if is_blank(text[at]) {
                    at += 1;
                    continue;
                }
                let (end, key) = scan(text, at);
                self.words
                    .push(Word::new(key, self.line, offset + at, offset + end));
                at = end;
            }
            if self.by_lines {
                Word::count_left(&mut self.words[first..]);
            }
            self.pieces.push(Piece {
                line: self.line,
                start: offset + start,
                end: offset + at,
                skipped: 0,
            });
            self.line += 1;
            at += 1;
        }
        true
    }
}
