//! Converts words of a transcript to the values that they stand for in a hole of a pattern.

use super::Machine;
use crate::{
    code::{Hole, NONE, Reading, Segment, Shape, Target, length_of},
    fault::Stop,
    word::{decimal, number},
};

/// The longest written form of a member of a joined collection, in bytes.
pub(crate) const LONGEST_FORM: usize = 32;

/// The longest word that is split into several parts, in bytes.
pub(crate) const LONGEST_SPLIT: usize = 512;

impl<'c> Machine<'c> {
    /// The value of a word in a hole, if it has one.
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

    /// The value of a hole that is left out: none, or an empty collection.
    pub(crate) fn none_of(&mut self, hole: &Hole) -> Result<i64, Stop> {
        match hole.shape {
            Shape::Scalar => Ok(NONE),
            _ => self.collection(&hole.shape, &[]),
        }
    }

    /// The value of a word, before the hole's check.
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
            Reading::Form(form) => self.form_value(*form, word),
            Reading::Attribute(texts) => texts
                .iter()
                .find(|(text, _)| text.as_bytes() == word)
                .map(|(_, value)| *value),
            Reading::Joined(_) => None,
        }
    }

    /// Reads a collection from one word.
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

    /// Splits a word into members with a separator between them. If there are several ways, the shortest members win,
    /// from the left.
    pub(crate) fn divide(
        &mut self,
        inner: &Reading,
        separator: &str,
        word: &[u8],
    ) -> Option<Vec<i64>> {
        let separator = separator.as_bytes();
        // For each offset, the length and value of a member from which the rest of the word can be split.
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

    /// Splits a word made of several adjacent segments, and pushes what each hole reads, the last one first. Returns
    /// whether the word fits.
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
            // The segments after it have a fixed length.
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

    /// Stores a value in the target of a hole. For a given that is read entry by entry, returns the entry.
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
