//! The words and marks of a text that may not be a rule file: for finding where its items begin, and for
//! seeing what somebody wrote in place of what the grammar expects.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Letters, digits and `_`, a letter first.
    Word,
    /// Digits, and whatever letters are stuck to them.
    Number,
    /// A text in quotes.
    Text,
    /// A text that does not end on its line.
    OpenText,
    /// Punctuation, of this language or another.
    Mark,
    /// A character that has no place outside texts.
    Stray,
}

/// A word or mark with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// What it is.
    pub(super) sort: Sort,
    /// Its first byte.
    pub(super) start: usize,
    /// The byte after its last.
    pub(super) end: usize,
    /// Whether it is the first on its line.
    pub(super) first: bool,
}

/// Marks of more than one character, the longer before their beginnings.
const MARKS: &[&str] = &[
    "...", "===", "!==", "=>", "->", "<=", ">=", "==", "!=", "<>", "&&", "||", "..", "--", "//",
    "/*", "*/", "++", "+=", "-=", "*=", "/=", ":=", "::", "**", "=<", "~=",
];

/// Marks of one character.
const SINGLE_MARKS: &str = "()[]{},:.|=?+-*/<>;#!&%^~@$`\\";

/// Takes `text` apart. Blanks and comments are left out.
pub(super) fn scan(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        text,
        at: 0,
        first: true,
        line_end: 0,
        no_holes_before: 0,
    };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.token() {
        tokens.push(token);
    }
    tokens
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    first: bool,
    /// Where the line ends that the scanner is on.
    line_end: usize,
    /// Up to here no text is looked for whose holes are closed: the line has none.
    no_holes_before: usize,
}

impl<'t> Scanner<'t> {
    fn token(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let next = rest.chars().next()?;
        let (sort, length) = match next {
            '"' | '\'' => self.quoted(next),
            '_' => (Sort::Word, word_length(rest)),
            _ if next.is_alphabetic() => (Sort::Word, word_length(rest)),
            _ if next.is_ascii_digit() => (Sort::Number, word_length(rest)),
            _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => (Sort::Mark, mark.len()),
                None if SINGLE_MARKS.contains(next) => (Sort::Mark, 1),
                None => (Sort::Stray, next.len_utf8()),
            },
        };
        self.at += length;
        let first = std::mem::replace(&mut self.first, false);
        Some(Token {
            sort,
            start,
            end: self.at,
            first,
        })
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        let mut after_blank = self.at == 0;
        loop {
            let rest = self.rest();
            let Some(next) = rest.chars().next() else {
                return;
            };
            if matches!(next, ' ' | '\t'..='\r' | '\u{feff}') {
                self.first |= next == '\n';
                self.at += next.len_utf8();
                after_blank = true;
            } else if after_blank && opens_comment(rest) {
                self.at += line_length(rest);
            } else {
                return;
            }
        }
    }

    /// A text, which begins here.
    fn quoted(&mut self, quote: char) -> (Sort, usize) {
        if self.at >= self.line_end {
            self.line_end = self.at + line_length(self.rest());
        }
        let line = self.text.get(self.at..self.line_end).unwrap_or("");
        let line = line.trim_end();
        if self.at >= self.no_holes_before {
            if let Some(length) = text_with_holes(line) {
                return (Sort::Text, length);
            }
            self.no_holes_before = self.at + line.len();
        }
        match plain_text(line, quote) {
            Some(length) => (Sort::Text, length),
            None => (Sort::OpenText, line.len()),
        }
    }
}

/// Whether a comment begins at the start of `rest`.
fn opens_comment(rest: &str) -> bool {
    rest.strip_prefix("--").is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|next| matches!(next, ' ' | '\t'..='\r'))
    })
}

/// How long the first line of `rest` is.
fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// How long the word at the start of `rest` is.
fn word_length(rest: &str) -> usize {
    rest.find(|next: char| !next.is_alphanumeric() && next != '_')
        .unwrap_or(rest.len())
}

/// How long the text at the start of `line` is if all its holes, and the texts in them, are closed.
fn text_with_holes(line: &str) -> Option<usize> {
    let mut open: Vec<u8> = Vec::new();
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        let in_hole = open.last().is_none_or(|last| *last == b'{');
        if std::mem::take(&mut escaped) {
            continue;
        }
        match byte {
            b'\\' => escaped = !in_hole,
            b'"' | b'\'' if open.last() == Some(&byte) => {
                open.pop();
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            b'"' | b'\'' if in_hole => open.push(byte),
            b'{' => open.push(byte),
            b'}' if in_hole => {
                open.pop();
            }
            _ => {}
        }
    }
    None
}

/// Whether all holes of a text, which is given with its quotes, are closed.
pub(super) fn holes_are_closed(text: &str) -> bool {
    text_with_holes(text) == Some(text.len())
}

/// What stands in the innermost hole of `text` that byte `offset` lies in, if all its holes are closed.
pub(super) fn hole_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        let last = open.last().map(|(byte, _)| *byte);
        let in_text = matches!(last, Some(b'"' | b'\''));
        if std::mem::take(&mut escaped) {
            continue;
        }
        match byte {
            b'\\' => escaped = in_text,
            b'"' | b'\'' if last == Some(byte) => {
                open.pop();
            }
            b'"' | b'\'' if !in_text => open.push((byte, at)),
            b'{' => open.push((byte, at)),
            b'}' if !in_text => {
                let (_, start) = open.pop()?;
                let is_hole = open.last().is_some_and(|(byte, _)| *byte != b'{');
                if is_hole && (start + 1..=at).contains(&offset) {
                    return Some(start + 1..at);
                }
            }
            _ => {}
        }
    }
    None
}

/// How long the text at the start of `line` is, its holes not looked at.
fn plain_text(line: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, next) in line.char_indices().skip(1) {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match next {
            '\\' => escaped = true,
            _ if next == quote => return Some(at + next.len_utf8()),
            _ => {}
        }
    }
    None
}
