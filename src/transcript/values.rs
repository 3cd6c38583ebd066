//! Words to values, and where the values go.

use super::{
    Run,
    expected::Miss,
    reasons::{why, why_not_joined},
};
use crate::{
    code::{Hole, Reading, Shape, Target},
    fault::Stop,
    machine::Machine,
};

/// The value that a word stands for in a hole, or why it stands for none, if `explains` asks for that.
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
        Reading::Joined(inner) => match machine.divide(inner, word) {
            Some(values) => values,
            None => return Ok(Err(why_not_joined(machine, hole, inner, word))),
        },
        reading => match machine.value_read(reading, word) {
            Some(value) => vec![value],
            None => return Ok(Err(why(machine, reading, &hole.ty, word))),
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
        let value = self.machine.none_of(hole)?;
        self.put(hole, value)
    }

    /// Puts a value where a hole goes.
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
