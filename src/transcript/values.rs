//! Turns words into values, and stores these.

use std::ops::Range;

use super::{
    Run,
    expected::Mismatch,
    reader::shown,
    reasons::{why, why_not_joined},
};
use crate::{
    code::{Hole, Reading, Shape, Target},
    fault::Stop,
    machine::Machine,
    word::Separator,
};

/// The value of a word in a hole, or why it has none, if `explains` is set.
pub(super) fn value<'c>(
    machine: &mut Machine<'c>,
    hole: &'c Hole,
    word: &[u8],
    explains: bool,
) -> Result<Result<i64, String>, Stop> {
    if let Some(value) = machine.value_of_word(hole, word)? {
        return Ok(Ok(value));
    }
    if !explains {
        return Ok(Err(String::new()));
    }
    let values = match &hole.reading {
        Reading::Joined(inner) => match machine.divide(inner, hole.separator(), word) {
            Some(values) => values,
            None => return Ok(Err(why_not_joined(machine, hole, inner, word))),
        },
        reading => match machine.value_read(reading, word) {
            Some(value) => vec![value],
            None => {
                return Ok(Err(why(
                    machine,
                    reading,
                    (&hole.ty, hole.check.as_ref()),
                    word,
                )));
            }
        },
    };
    if let Some(check) = &hole.check {
        for value in values {
            if let Some((written, ty)) = machine.outside(value, check)? {
                return Ok(Err(format!("`{written}` is not one of {ty}")));
            }
        }
    }
    Ok(Err(String::new()))
}

fn mismatch(matched: usize, reason: String) -> Mismatch {
    Mismatch {
        matched,
        reason,
        untried: false,
    }
}

fn too_few(hole: &Hole, words: Range<usize>, at: usize) -> Mismatch {
    let (count, here) = (words.len(), at - words.start);
    mismatch(
        at,
        format!(
            "`{}` has {count} words, and only {here} are here",
            hole.name
        ),
    )
}

/// The member in a word of a list, without separators; or why there is none.
fn own<'w>(
    word: &'w [u8],
    before: Option<&Separator>,
    next: Option<&Separator>,
) -> Result<&'w [u8], String> {
    let begin = before.map_or("", Separator::after);
    let end = next.map_or("", Separator::before);
    let Some(rest) = word.strip_prefix(begin.as_bytes()) else {
        return Err(format!("`{begin}` is expected before `{}`", shown(word)));
    };
    let Some(member) = rest.strip_suffix(end.as_bytes()) else {
        return Err(format!("`{end}` is expected after `{}`", shown(word)));
    };
    Ok(member)
}

impl<'c> Run<'c, '_> {
    /// Reads several words into a hole.
    pub(super) fn many(
        &mut self,
        hole: &'c Hole,
        from: usize,
        count: usize,
    ) -> Result<Result<(), Mismatch>, Stop> {
        if matches!(hole.shape, Shape::Scalar) {
            for at in from..from.saturating_add(count) {
                if self.peek(at)?.is_none() {
                    return Ok(Err(too_few(hole, from..from.saturating_add(count), at)));
                }
            }
            let text = self.reader.text(from, count);
            let id = self.machine.texts.id(&text);
            self.put(hole, id)?;
            return Ok(Ok(()));
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let read = self.members(hole, from..from.saturating_add(count), &mut values);
        self.values = values;
        if let Err(mismatch) = read? {
            return Ok(Err(mismatch));
        }
        let collection = self.machine.collection(&hole.shape, &self.values)?;
        self.put(hole, collection)?;
        Ok(Ok(()))
    }

    /// Reads the members of a list.
    fn members(
        &mut self,
        hole: &'c Hole,
        words: Range<usize>,
        values: &mut Vec<i64>,
    ) -> Result<Result<(), Mismatch>, Stop> {
        let mut at = words.start;
        let mut before: Option<&Separator> = None;
        while at < words.end {
            if self.peek(at)?.is_none() {
                return Ok(Err(too_few(hole, words, at)));
            }
            let left = words.end - at - 1;
            let next = hole.between.as_ref().filter(|_| left > 0).map(|between| {
                let is_last = left == between.last.words().len() + 1;
                if is_last { &between.last } else { &between.by }
            });
            let word = match own(self.reader.word(at), before, next) {
                Ok(word) => word,
                Err(reason) => return Ok(Err(mismatch(at, reason))),
            };
            match value(&mut self.machine, hole, word, self.explains)? {
                Ok(value) => values.push(value),
                Err(reason) => return Ok(Err(mismatch(at, reason))),
            }
            at += 1;
            for due in next.map_or(&[][..], Separator::words) {
                if at >= words.end || self.reader.word(at) != due.as_bytes() {
                    return Ok(Err(mismatch(at, format!("`{due}` is expected"))));
                }
                at += 1;
            }
            if next.is_some() && at == words.end {
                let reason = format!("`{}` ({}) is missing", hole.name, hole.ty);
                return Ok(Err(mismatch(at, reason)));
            }
            before = next;
        }
        Ok(Ok(()))
    }

    /// Stores none for a hole.
    pub(super) fn put_none(&mut self, hole: &'c Hole) -> Result<(), Stop> {
        let value = self.machine.none_of(hole)?;
        self.put(hole, value)
    }

    /// Stores a value for a hole.
    pub(super) fn put(&mut self, hole: &'c Hole, value: i64) -> Result<(), Stop> {
        let entry = self.machine.put(hole, value)?;
        if let Target::Given(given, _) = &hole.target
            && let Some(read) = self.given[*given].get_mut(entry.unwrap_or(0))
        {
            *read = true;
        }
        Ok(())
    }
}
