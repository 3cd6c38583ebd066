//! Counts how deeply a text nests before it is parsed, since the parser recurses and the size of the stack depends on
//! the machine.
//!
//! It never counts more levels than lowering does, which decides about texts that are only slightly too deep.

use super::{MAXIMUM_DEPTH, precedence::is_of_operator};

/// The start of the first level that is too deep, if the text nests too deeply to be parsed.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let mut nesting = Nesting::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or(&[]);
        let mut length = 1;
        if matches!(nesting.frames.last(), Some(frame) if frame.opened_by == *byte) {
            nesting.close();
        } else if nesting.in_text() {
            match byte {
                b'\\' => length = 2,
                b'{' => nesting.open(at, *byte, 0),
                b'\n' => nesting.close(),
                _ => {}
            }
        } else if byte.is_ascii_alphanumeric() || *byte == b'_' {
            let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            length = rest.iter().take_while(|byte| is_letter(byte)).count();
            nesting.word(at, rest.get(..length).unwrap_or(&[]));
        } else if rest.starts_with(b"--") && rest.get(2).is_none_or(u8::is_ascii_whitespace) {
            length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        } else if rest.starts_with(b"->") {
            nesting.link(at);
            length = 2;
        } else {
            nesting.mark(at, *byte);
        }
        if nesting.levels > 2 * MAXIMUM_DEPTH {
            return Some(nesting.limit_at);
        }
        at += length;
    }
    None
}

/// An open bracket or quote, with the counts outside it.
struct Frame {
    opened_by: u8,
    levels: usize,
    links: usize,
    pending: usize,
    bodies: usize,
}

/// The nesting at some place. The levels are those of the brackets and texts around it, and the three counts of each.
#[derive(Default)]
struct Nesting {
    frames: Vec<Frame>,
    levels: usize,
    /// Where the first level that is too deep began.
    limit_at: usize,
    /// How many times in a row `of`, `after` or `->` has followed an operand.
    links: usize,
    /// How many quantifiers are waiting for their `where`, `has` or `by`.
    pending: usize,
    /// In how many conditions of quantifiers the place is.
    bodies: usize,
    /// Whether the last word ended an operand.
    after_operand: bool,
}

impl Nesting {
    fn in_text(&self) -> bool {
        let last = self.frames.last();
        last.is_some_and(|frame| matches!(frame.opened_by, b'"' | b'\''))
    }

    fn deeper(&mut self, at: usize, levels: usize) {
        if self.levels == MAXIMUM_DEPTH && levels > 0 {
            self.limit_at = at;
        }
        self.levels += levels;
    }

    fn open(&mut self, at: usize, byte: u8, levels: usize) {
        self.frames.push(Frame {
            opened_by: match byte {
                b'(' => b')',
                b'[' => b']',
                b'{' => b'}',
                quote => quote,
            },
            levels: self.levels,
            links: std::mem::take(&mut self.links),
            pending: std::mem::take(&mut self.pending),
            bodies: std::mem::take(&mut self.bodies),
        });
        self.deeper(at, levels);
        self.after_operand = false;
    }

    fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            (self.levels, self.links) = (frame.levels, frame.links);
            (self.pending, self.bodies) = (frame.pending, frame.bodies);
        }
        self.after_operand = true;
    }

    /// `of`, `after`, `->`: what follows is nested in it.
    fn link(&mut self, at: usize) {
        self.links += 1;
        self.deeper(at, 1);
        self.after_operand = false;
    }

    /// The chain ends: no `of` follows the operand.
    fn end_links(&mut self) {
        self.levels -= std::mem::take(&mut self.links);
    }

    /// Something that ends every expression.
    fn end_expression(&mut self) {
        self.end_links();
        self.levels -= std::mem::take(&mut self.pending) + std::mem::take(&mut self.bodies);
    }

    fn word(&mut self, at: usize, word: &[u8]) {
        if word == b"of" {
            return self.link(at);
        }
        if self.after_operand {
            self.end_links();
        }
        match word {
            b"after" | b"before" => return self.link(at),
            b"some" | b"every" | b"best" | b"no" if !self.after_operand => {
                self.pending += 1;
                self.deeper(at, 1);
            }
            b"where" | b"has" | b"by" if self.pending > 0 => {
                self.pending -= 1;
                self.bodies += 1;
            }
            b"when" | b"unless" | b"says" | b"cites" | b"for" | b"until" => self.end_expression(),
            b"the" | b"new" | b"old" | b"previous" | b"where" | b"has" | b"but" | b"at" => {}
            word if is_of_operator(word) => {}
            _ => {
                self.after_operand = true;
                return;
            }
        }
        self.after_operand = false;
    }

    fn mark(&mut self, at: usize, byte: u8) {
        match byte {
            b' ' | b'\t'..=b'\r' | b'?' => return,
            // The braces of a section, a transcript or an example contain no expression.
            b'{' if self.frames.is_empty() && self.after_operand => return self.open(at, byte, 0),
            b'(' | b'[' | b'{' | b'"' | b'\'' => return self.open(at, byte, 1),
            b'|' | b'=' | b':' => self.end_expression(),
            b',' if self.pending == 0 => self.end_expression(),
            b'.' | b',' => {}
            _ if self.after_operand => self.end_links(),
            _ => {}
        }
        self.after_operand = false;
    }
}
