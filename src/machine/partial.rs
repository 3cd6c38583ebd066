//! Partial types: those of which not every index is a value.

use super::{Machine, memory::at};
use crate::{code::Compiled, fault::Stop, lower::Key};

/// Which indexes are values.
#[derive(Debug, Clone)]
pub(super) struct Partials {
    /// For each index of each partial type, one type after the other, whether it is a value: 1 or 0.
    pub(super) values: Vec<u8>,
    /// For each partial type, whether that was found out.
    found: Vec<bool>,
}

impl Partials {
    pub(super) fn new(compiled: &Compiled) -> Partials {
        let count = compiled.partial.iter().map(|partial| partial.count).sum();
        Partials {
            values: vec![0; count],
            found: vec![false; compiled.partial.len()],
        }
    }
}

impl<'c> Machine<'c> {
    /// A machine that knows the values of all types that do not depend on what is given: a transcript may say how many
    /// there are before a game starts.
    pub(crate) fn ready(compiled: &'c Compiled) -> Machine<'c> {
        let mut machine = Machine::new(compiled);
        // What is wrong with a condition is said when a game starts.
        machine.find_values(false).ok();
        machine
    }

    /// Works out which indexes of partial types are values: of all, or of those only that do not depend on what is given.
    pub(super) fn find_values(&mut self, given: bool) -> Result<(), Stop> {
        for (place, partial) in self.compiled.partial.iter().enumerate() {
            let is_due = if partial.given {
                given
            } else {
                !self.partial.found[place]
            };
            if !is_due {
                continue;
            }
            if self.valued_lowered(place) {
                self.partial.found[place] = true;
                continue;
            }
            self.exactly(|machine| machine.call_key(Key::Values(place), &[]))?;
            self.partial.found[place] = true;
        }
        Ok(())
    }

    /// Whether an index is a value of a partial type.
    pub(super) fn is_value(&self, partial: usize, index: i64) -> bool {
        let partial = &self.compiled.partial[partial];
        let index = at(index);
        index < partial.count && self.partial.values[partial.start + index] != 0
    }
}
