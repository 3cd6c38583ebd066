//! A transcript's words, read one by one, with the place of each.

use std::fmt;
use std::io::{self, BufRead, Write};

/// Why a referee stopped.
#[derive(Debug)]
pub enum Error {
    /// The transcript says what cannot be.
    Transcript {
        /// The line of the word in question, from 1.
        line: u64,
        /// Its column in characters, from 1.
        column: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The transcript could not be read, or the report not be written.
    Machine(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Transcript {
                line,
                column,
                reason,
            } => write!(formatter, "{line}:{column}: {reason}"),
            Error::Machine(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Machine(error)
    }
}

/// Reads words between blanks. Only the word at hand is kept, so that neither a long transcript nor one long
/// line takes memory.
pub struct Words<R> {
    input: R,
    word: Vec<u8>,
    /// Where reading goes on.
    line: u64,
    column: u64,
    /// Where the last word stands, or would have to stand.
    word_line: u64,
    word_column: u64,
    /// The end of the last word.
    end: (u64, u64),
}

impl<R: BufRead> Words<R> {
    /// Starts to read.
    pub fn new(input: R) -> Self {
        Words {
            input,
            word: Vec::new(),
            line: 1,
            column: 1,
            word_line: 1,
            word_column: 1,
            end: (1, 1),
        }
    }

    /// Goes on to the next line that says anything, from the end of one; no at the end of the transcript.
    pub fn line(&mut self) -> Result<bool, Error> {
        loop {
            let buffer = self.input.fill_buf()?;
            let length = buffer.len();
            let mut skipped = 0;
            for byte in buffer.iter().take_while(|byte| byte.is_ascii_whitespace()) {
                skipped += 1;
                if *byte == b'\n' {
                    self.line += 1;
                    self.column = 1;
                } else {
                    self.column += 1;
                }
            }
            self.input.consume(skipped);
            if length == 0 || skipped < length {
                (self.word_line, self.word_column) = if length > 0 {
                    (self.line, self.column)
                } else {
                    self.end
                };
                return Ok(length > 0);
            }
        }
    }

    /// The next word of this line; none at the line's end.
    pub fn word(&mut self) -> Result<Option<&[u8]>, Error> {
        self.word.clear();
        loop {
            let buffer = self.input.fill_buf()?;
            let mut blanks = 0;
            if self.word.is_empty() {
                blanks = buffer.iter().take_while(|byte| is_blank(**byte)).count();
                self.column += blanks as u64;
                self.word_line = self.line;
                self.word_column = self.column;
            }
            // A word may go on in the next buffer, or begin there.
            let rest = buffer.get(blanks..).unwrap_or_default();
            let length = word_length(rest);
            let ended = length < rest.len() || buffer.is_empty();
            let word = rest.get(..length).unwrap_or_default();
            self.column += characters(word);
            self.word.extend_from_slice(word);
            self.input.consume(blanks + length);
            if ended {
                break;
            }
        }
        if self.word.is_empty() {
            (self.word_line, self.word_column) = self.end;
        } else {
            self.end = (self.line, self.column);
        }
        Ok((!self.word.is_empty()).then_some(self.word.as_slice()))
    }

    /// The next word, wherever it stands; none at the end of the transcript.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        self.line()?;
        self.word()
    }

    /// The next word as an integer, if it is one.
    pub fn integer(&mut self, expected: &str) -> Result<i64, Error> {
        match self.next()?.map(parse_integer) {
            Some(Some(integer)) => Ok(integer),
            Some(None) => Err(self.error(format!("expected {expected}, which is an integer"))),
            None => Err(self.error(format!("expected {expected}, but the transcript ends"))),
        }
    }

    /// The next word of this line as an integer, if it is one.
    pub fn line_integer(&mut self, expected: &str) -> Result<i64, Error> {
        match self.word()?.map(parse_integer) {
            Some(Some(integer)) => Ok(integer),
            Some(None) => Err(self.error(format!("expected {expected}, which is an integer"))),
            None => Err(self.error(format!("expected {expected}, but the line ends"))),
        }
    }

    /// The next word as the number of games that follow.
    pub fn number_of(&mut self, games: &str) -> Result<u64, Error> {
        let number = self.integer(&format!("the number of {games}"))?;
        u64::try_from(number).map_err(|_| self.error(format!("there cannot be {number} {games}")))
    }

    /// The next word, which must be there.
    pub fn text(&mut self, expected: &str) -> Result<String, Error> {
        match self.next()? {
            Some(word) => Ok(String::from_utf8_lossy(word).into_owned()),
            None => Err(self.error(format!("expected {expected}, but the transcript ends"))),
        }
    }

    /// The names of two players.
    pub fn names(&mut self) -> Result<[String; 2], Error> {
        Ok([self.text("a name")?, self.text("a name")?])
    }

    /// Nothing more on this line.
    pub fn end_line(&mut self) -> Result<(), Error> {
        match self.word()? {
            Some(_) => Err(self.error("expected the end of the line")),
            None => Ok(()),
        }
    }

    /// Nothing more at all.
    pub fn end(&mut self) -> Result<(), Error> {
        if self.line()? {
            return Err(self.error("expected the end of the transcript"));
        }
        Ok(())
    }

    /// What is wrong with the last word read, or with its absence.
    pub fn error(&self, reason: impl Into<String>) -> Error {
        Error::Transcript {
            line: self.word_line,
            column: self.word_column,
            reason: reason.into(),
        }
    }

    /// Whether the last word is this one.
    pub fn is(&self, word: &[u8]) -> bool {
        self.word == word
    }

    /// The line of the last word.
    pub fn line_number(&self) -> u64 {
        self.word_line
    }
}

/// Writes a number in decimals, without the detour over a format: reports are mostly numbers.
pub fn write_number(output: &mut impl Write, mut number: u64) -> io::Result<()> {
    let mut digits = [b'0'; 20];
    let mut start = digits.len() - 1;
    while number > 9 {
        digits[start] += u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
        start -= 1;
    }
    digits[start] += u8::try_from(number).unwrap_or_default();
    output.write_all(digits.get(start..).unwrap_or_default())
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n'
}

fn word_length(bytes: &[u8]) -> usize {
    let ends = bytes.iter().position(u8::is_ascii_whitespace);
    ends.unwrap_or(bytes.len())
}

/// Continuation bytes of UTF-8 begin no character.
fn characters(bytes: &[u8]) -> u64 {
    if bytes.is_ascii() {
        return bytes.len() as u64;
    }
    bytes
        .iter()
        .map(|byte| u64::from(byte & 0xC0 != 0x80))
        .sum()
}

/// Digits, after a minus or not; by hand, since the library would take a plus too.
fn parse_integer(word: &[u8]) -> Option<i64> {
    let (sign, digits) = match word {
        [b'-', digits @ ..] => (-1, digits),
        digits => (1, digits),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_i64, |integer, digit| {
        let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
        integer
            .checked_mul(10)?
            .checked_add(sign * i64::from(digit))
    })
}
