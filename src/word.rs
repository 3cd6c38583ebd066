//! The words of a transcript, and comparing them fast.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// The greatest length in bytes of a word that fits into its key.
pub(crate) const SHORT: usize = 7;

/// The bit offset of the length in a key.
pub(crate) const LENGTH: u32 = 56;

/// The key of words that are too long for one.
pub(crate) const LONG: u64 = 8 << LENGTH;

/// The text between the members of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Between {
    pub(crate) by: Separator,
    /// The text before the last member.
    pub(crate) last: Separator,
}

/// A text between two members, split at its blanks: a suffix of the member before it, separate words, and a prefix of
/// the member after it. A text without blanks is one piece, and joins its members to one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Separator(Vec<String>);

impl Separator {
    pub(crate) fn of(text: &str) -> Separator {
        let Some((before, rest)) = text.split_once(char::is_whitespace) else {
            return Separator(vec![text.into()]);
        };
        let (own, after) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
        let pieces = [before].into_iter().chain(own.split_whitespace());
        Separator(pieces.chain([after]).map(String::from).collect())
    }

    /// The text that joins members to one word, if this does.
    pub(crate) fn joins(&self) -> Option<&str> {
        match self.0.as_slice() {
            [text] => Some(text),
            _ => None,
        }
    }

    /// The suffix of the member before it.
    pub(crate) fn before(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// The prefix of the member after it.
    pub(crate) fn after(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    /// The separate words between two members.
    pub(crate) fn words(&self) -> &[String] {
        match self.0.as_slice() {
            [_, words @ .., _] => words,
            _ => &[],
        }
    }

    /// The text itself.
    pub(crate) fn written(&self) -> String {
        self.0.join(" ")
    }
}

/// A word in a buffer. Lowered functions read its fields directly.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(crate) struct Word {
    /// The word as a number: see [`key`].
    pub(crate) key: u64,
    /// The number of its line.
    line: u64,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// How many words its line has from this one on; only set in transcripts by lines.
    pub(crate) left: u64,
}

impl Word {
    #[inline]
    pub(crate) fn new(key: u64, line: usize, start: usize, end: usize) -> Word {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a buffer holds less than 4 GiB: see `LONGEST` of the reader"
        )]
        let place = |place: usize| place as u32;
        Word {
            key,
            line: line as u64,
            start: place(start),
            end: place(end),
            left: 0,
        }
    }

    pub(crate) fn line(&self) -> usize {
        usize::try_from(self.line).unwrap_or(usize::MAX)
    }

    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    pub(crate) fn left(&self) -> usize {
        usize::try_from(self.left).unwrap_or(0)
    }

    /// The range of its bytes in the buffer.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start()..self.end()
    }

    /// Adjusts the offsets after so many bytes before it were dropped from the buffer.
    pub(crate) fn move_back(&mut self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.start -= bytes;
        self.end -= bytes;
    }

    /// Sets `left` in all words.
    pub(crate) fn count_left(words: &mut [Word]) {
        let (mut line, mut left) = (0, 0);
        for word in words.iter_mut().rev() {
            left = if word.line == line { left + 1 } else { 1 };
            line = word.line;
            word.left = left;
        }
    }
}

/// A word as a number: its bytes, the first the lowest, with the length above them. Words that are too long have
/// [`LONG`].
#[inline]
pub(crate) fn key(word: &[u8]) -> u64 {
    if word.len() > SHORT {
        return LONG;
    }
    let bytes = word.iter().rev();
    let bytes = bytes.fold(0, |key, byte| (key << 8) | u64::from(*byte));
    bytes | ((word.len() as u64) << LENGTH)
}

/// The key of the word that is the first `length` of eight bytes.
#[inline]
pub(crate) fn key_in(bytes: [u8; 8], length: usize) -> u64 {
    if length > SHORT {
        return LONG;
    }
    let word = u64::from_le_bytes(bytes) & ((1 << (8 * length)) - 1);
    word | ((length as u64) << LENGTH)
}

/// Eight bytes, each with the same value.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The end of the word that starts at `from`, and its key.
#[inline]
pub(crate) fn scan(text: &[u8], from: usize) -> (usize, u64) {
    if let Some(bytes) = text.get(from..).and_then(<[u8]>::first_chunk) {
        // The index of the lowest byte that is at most a blank, of eight at once (Warren, Hacker's Delight, 6-1).
        let bytes = u64::from_le_bytes(*bytes);
        let low = bytes.wrapping_sub(eight(b' ' + 1)) & !bytes & eight(0x80);
        let count = low.trailing_zeros() >> 3;
        if low != 0 && is_blank((bytes >> (count * 8)).to_le_bytes()[0]) {
            let word = bytes & ((1 << (count * 8)) - 1);
            return (from + count as usize, word | (u64::from(count) << LENGTH));
        }
    }
    let word = text.get(from..).unwrap_or_default();
    let length = word.iter().position(|byte| is_blank(*byte));
    let length = length.unwrap_or(word.len());
    (from + length, key(word.get(..length).unwrap_or_default()))
}

/// Parses a whole number.
#[inline]
pub(crate) fn number(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: i64 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value
            .checked_mul(10)?
            .checked_add(i64::from(digit - b'0'))?;
    }
    Some(if negative { -value } else { value })
}

/// Parses a number with exactly so many decimal places, in units of the last.
pub(crate) fn decimal(word: &[u8], places: usize) -> Option<i64> {
    let (whole, rest) = word.split_at(word.len().checked_sub(places + 1)?);
    let (point, rest) = rest.split_first()?;
    if *point != b'.' || whole.is_empty() || !rest.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let (negative, whole) = match whole {
        [b'-', whole @ ..] => (true, whole),
        whole => (false, whole),
    };
    if whole.first() == Some(&b'-') {
        return None;
    }
    let mut value = number(whole)?;
    for digit in rest {
        value = value
            .checked_mul(10)?
            .checked_add(i64::from(digit - b'0'))?;
    }
    Some(if negative { -value } else { value })
}

/// The bytes that separate words, each a bit: blank, tab, line feed, vertical tab, form feed and carriage return.
const BLANKS: u64 = 1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << 0x0b | 1 << 0x0c | 1 << b'\r';

/// Whether a byte separates words.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte <= b' ' && (BLANKS >> byte) & 1 == 1
}

/// The words of a transcript, and the buffer with their bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input<'i> {
    pub(crate) words: &'i [Word],
    pub(crate) text: &'i [u8],
}

impl Input<'_> {
    /// Empty input.
    pub(crate) const NONE: Input<'static> = Input {
        words: &[],
        text: &[],
    };

    /// The bytes of a word.
    pub(crate) fn word(&self, start: i64, end: i64) -> &[u8] {
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let word = range.and_then(|(start, end)| self.text.get(start..end));
        word.unwrap_or(&[])
    }
}
