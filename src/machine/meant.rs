//! Words of a transcript to the values that they stand for in a hole of a pattern.

use super::Machine;
use crate::{
    code::{Hole, NONE, Reading, Segment, Shape, Target, length_of},
    fault::Stop,
    word::{decimal, number},
};

/// How long the written form of a member may be that stands in a joined collection.
pub(crate) const LONGEST_FORM: usize = 32;

/// How long a word of several parts may be.
pub(crate) const LONGEST_SPLIT: usize = 512;

impl<'c> Machine<'c> {
    /// The value that a word stands for in a hole, if it stands for any.
    pub(crate) fn value_of_word(
        &mut self,
        hole: &'c Hole,
        word: &[u8],
    ) -> Result<Option<i64>, Stop> {
        if let Some(absent) = &hole.absent
            && absent.as_bytes() == word
        {
            return self.none_of(hole).map(Some);
        }
        if let Reading::Joined(inner) = &hole.reading {
            return self.joined(hole, inner, word);
        }
        let value = self.value_read(&hole.reading, word);
        if let (Some(value), Some(check)) = (value, &hole.check)
            && self.outside(value, check)?.is_some()
        {
            return Ok(None);
        }
        Ok(value)
    }

    /// What stands for none in a hole: an empty collection where it reads one.
    pub(crate) fn none_of(&mut self, hole: &Hole) -> Result<i64, Stop> {
        match hole.shape {
            Shape::Scalar => Ok(NONE),
            _ => self.collection(&hole.shape, &[]),
        }
    }

    /// The value that a word stands for, before it is checked.
    #[inline]
    pub(crate) fn value_read(&mut self, reading: &Reading, word: &[u8]) -> Option<i64> {
        match reading {
            Reading::Number { lo, hi } => number(word).filter(|value| (lo..=hi).contains(&value)),
            Reading::Decimal { places, lo, hi } => {
                decimal(word, usize::from(*places)).filter(|value| (lo..=hi).contains(&value))
            }
            Reading::YesNo => match word {
                b"yes" => Some(1),
                b"no" => Some(0),
                _ => None,
            },
            Reading::Word => Some(self.texts.id(word)),
            Reading::Form(form) => self.meant(*form, word),
            Reading::Attribute(texts) => texts
                .iter()
                .find(|(text, _)| text.as_bytes() == word)
                .map(|(_, value)| *value),
            Reading::Joined(_) => None,
        }
    }

    /// A collection in one word.
    fn joined(
        &mut self,
        hole: &'c Hole,
        inner: &Reading,
        word: &[u8],
    ) -> Result<Option<i64>, Stop> {
        let Some(values) = self.divide(inner, hole.separator(), word) else {
            return Ok(None);
        };
        if let Some(check) = &hole.check {
            for value in &values {
                if self.outside(*value, check)?.is_some() {
                    return Ok(None);
                }
            }
        }
        self.collection(&hole.shape, &values).map(Some)
    }

    /// Splits a word into members with a text between them. Of several ways the one with the shortest members first is
    /// taken.
    pub(crate) fn divide(
        &mut self,
        inner: &Reading,
        separator: &str,
        word: &[u8],
    ) -> Option<Vec<i64>> {
        let separator = separator.as_bytes();
        // For each place, the length of a member that starts there and can be followed to the end.
        let mut ways: Vec<Option<(usize, i64)>> = vec![None; word.len() + 1];
        for start in (0..word.len()).rev() {
            for length in 1..=LONGEST_FORM.min(word.len() - start) {
                let end = start + length;
                let next = end + separator.len();
                let goes_on = word[end..].starts_with(separator)
                    && ways.get(next).is_some_and(Option::is_some);
                if end < word.len() && !goes_on {
                    continue;
                }
                if let Some(value) = self.value_read(inner, &word[start..end]) {
                    ways[start] = Some((length, value));
                    break;
                }
            }
        }
        let mut values = Vec::new();
        let mut at = 0;
        while at < word.len() {
            let (length, value) = ways[at]?;
            values.push(value);
            at += length;
            if at < word.len() {
                at += separator.len();
            }
        }
        Some(values)
    }

    /// Splits a word of several parts that touch; adds what each hole reads, the last one first. Says whether the word
    /// is made so.
    pub(crate) fn split(
        &mut self,
        segments: &'c [Segment],
        word: &[u8],
        read: &mut Vec<(&'c Hole, i64)>,
    ) -> Result<bool, Stop> {
        let Some((first, rest)) = segments.split_first() else {
            return Ok(word.is_empty());
        };
        let hole = match first {
            Segment::Literal(text) => {
                return match word.strip_prefix(text.as_bytes()) {
                    Some(word) => self.split(rest, word, read),
                    None => Ok(false),
                };
            }
            Segment::Hole(hole) => &**hole,
        };
        let is_optional = hole.absent.as_deref() == Some("");
        let lengths = match length_of(rest) {
            // Only so much can be left for what comes after it.
            Some(after) => match word.len().checked_sub(after) {
                Some(length) => length..=length,
                None => return Ok(false),
            },
            None => usize::from(!is_optional)..=word.len(),
        };
        for length in lengths {
            let (part, left) = word.split_at(length);
            if std::str::from_utf8(part).is_err() {
                continue;
            }
            if part.is_empty() {
                if is_optional && self.split(rest, left, read)? {
                    read.push((hole, self.none_of(hole)?));
                    return Ok(true);
                }
                continue;
            }
            let Some(value) = self.value_of_word(hole, part)? else {
                continue;
            };
            if self.split(rest, left, read)? {
                read.push((hole, value));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts a value where a hole goes; says which entry that is, of a given that is read entry by entry.
    pub(crate) fn put(&mut self, hole: &'c Hole, value: i64) -> Result<Option<usize>, Stop> {
        match &hole.target {
            Target::Field(field) => self.set_field(*field, value),
            Target::Number(local) => self.set_local(*local, value),
            Target::Given(given, key) => {
                let entry = match key {
                    None => None,
                    Some(key) => {
                        let key = self.evaluate(key)?;
                        let domain = self.compiled.givens[*given].entry;
                        domain.map(|(domain, _)| domain.index(key))
                    }
                };
                self.give(*given, entry, value);
                return Ok(entry);
            }
        }
        Ok(None)
    }
}
