//! Words to values, and where the values go.

use super::{
    Run,
    expected::Miss,
    reasons::{why, why_not_joined},
};
use crate::{
    code::{Hole, NONE, Reading, Shape, Target},
    fault::Stop,
    machine::Machine,
    word::number,
};

/// The value that a word stands for in a hole, or why it stands for none, if `explains` asks for that.
pub(super) fn value<'c>(
    machine: &mut Machine<'c>,
    hole: &'c Hole,
    word: &[u8],
    explains: bool,
) -> Result<Result<i64, String>, Stop> {
    if let Some(absent) = &hole.absent
        && absent.as_bytes() == word
    {
        return none_of(machine, hole).map(Ok);
    }
    if let Reading::Joined(inner) = &hole.reading {
        return joined(machine, hole, inner, word, explains);
    }
    let value = match read(machine, &hole.reading, word) {
        Some(value) => value,
        None if explains => return Ok(Err(why(machine, &hole.reading, &hole.ty, word))),
        None => return Ok(Err(String::new())),
    };
    if let Some(check) = &hole.check
        && let Some((written, ty)) = machine.outside(value, check)?
    {
        return Ok(Err(format!("`{written}` is not one of {ty}")));
    }
    Ok(Ok(value))
}

/// What stands for none in a hole: an empty collection where it reads one.
fn none_of(machine: &mut Machine<'_>, hole: &Hole) -> Result<i64, Stop> {
    match hole.shape {
        Shape::Scalar => Ok(NONE),
        _ => machine.collection(&hole.shape, &[]),
    }
}

/// The value that a word stands for, before it is checked.
#[inline]
pub(super) fn read(machine: &mut Machine<'_>, reading: &Reading, word: &[u8]) -> Option<i64> {
    match reading {
        Reading::Number { lo, hi } => number(word).filter(|value| (lo..=hi).contains(&value)),
        Reading::YesNo => match word {
            b"yes" => Some(1),
            b"no" => Some(0),
            _ => None,
        },
        Reading::Word => Some(machine.texts.id(word)),
        Reading::Form(form) => machine.meant(*form, word),
        Reading::Attribute(texts) => texts
            .iter()
            .find(|(text, _)| text.as_bytes() == word)
            .map(|(_, value)| *value),
        Reading::Joined(_) => None,
    }
}

/// A collection without blanks between its members.
fn joined<'c>(
    machine: &mut Machine<'c>,
    hole: &'c Hole,
    inner: &Reading,
    word: &[u8],
    explains: bool,
) -> Result<Result<i64, String>, Stop> {
    let mut values = Vec::new();
    if !divide(machine, inner, word, &mut values) {
        if !explains {
            return Ok(Err(String::new()));
        }
        return Ok(Err(why_not_joined(machine, hole, inner, word)));
    }
    if let Some(check) = &hole.check {
        for value in &values {
            if let Some((written, ty)) = machine.outside(*value, check)? {
                return Ok(Err(format!("`{written}` is not one of {ty}")));
            }
        }
    }
    machine.collection(&hole.shape, &values).map(Ok)
}

/// How long the written form of a member may be that stands in a joined collection.
pub(super) const LONGEST_FORM: usize = 32;

/// Splits a word into members. Of several ways the one with the shortest members first is taken.
fn divide(machine: &mut Machine<'_>, inner: &Reading, word: &[u8], values: &mut Vec<i64>) -> bool {
    // For each place, the length of a member that starts there and can be followed to the end.
    let mut ways: Vec<Option<(usize, i64)>> = vec![None; word.len() + 1];
    for start in (0..word.len()).rev() {
        for length in 1..=LONGEST_FORM.min(word.len() - start) {
            let end = start + length;
            if end < word.len() && ways[end].is_none() {
                continue;
            }
            if let Some(value) = read(machine, inner, &word[start..end]) {
                ways[start] = Some((length, value));
                break;
            }
        }
    }
    let mut at = 0;
    while at < word.len() {
        let Some((length, value)) = ways[at] else {
            return false;
        };
        values.push(value);
        at += length;
    }
    true
}

impl<'c> Run<'c, '_> {
    /// Reads several words into a hole.
    pub(super) fn many(
        &mut self,
        hole: &'c Hole,
        from: usize,
        count: usize,
    ) -> Result<Result<(), Miss>, Stop> {
        if matches!(hole.shape, Shape::Scalar) {
            let id = self.machine.texts.id(self.reader.rest(from));
            self.put(hole, id)?;
            return Ok(Ok(()));
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for at in from..from.saturating_add(count) {
            if self.peek(at)?.is_none() {
                self.values = values;
                return Ok(Err(Miss {
                    matched: at,
                    reason: format!(
                        "`{}` has {count} words, and here are {}",
                        hole.name,
                        at - from
                    ),
                    untried: false,
                }));
            }
            let word = self.reader.word(at);
            match value(&mut self.machine, hole, word, self.explains)? {
                Ok(value) => values.push(value),
                Err(reason) => {
                    self.values = values;
                    return Ok(Err(Miss {
                        matched: at,
                        reason,
                        untried: false,
                    }));
                }
            }
        }
        let collection = self.machine.collection(&hole.shape, &values)?;
        self.values = values;
        self.put(hole, collection)?;
        Ok(Ok(()))
    }

    /// Puts none where a hole goes.
    pub(super) fn put_none(&mut self, hole: &'c Hole) -> Result<(), Stop> {
        let value = none_of(&mut self.machine, hole)?;
        self.put(hole, value)
    }

    /// Puts a value where a hole goes.
    pub(super) fn put(&mut self, hole: &'c Hole, value: i64) -> Result<(), Stop> {
        match &hole.target {
            Target::Field(field) => self.machine.set_field(*field, value),
            Target::Number(local) => self.machine.set_local(*local, value),
            Target::Given(given, key) => {
                let entry = match key {
                    None => None,
                    Some(key) => {
                        let key = self.machine.evaluate(key)?;
                        let domain = self.compiled.givens[*given].entry;
                        domain.map(|(domain, _)| domain.index(key))
                    }
                };
                self.machine.give(*given, entry, value);
                if let Some(read) = self.given[*given].get_mut(entry.unwrap_or(0)) {
                    *read = true;
                }
            }
        }
        Ok(())
    }
}
