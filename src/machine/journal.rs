//! The journal: which rows of a table were tried while it ran, and how far each got.
//!
//! Code lowered with notes ([`crate::code::Noted`]) writes it. The tables of explanations and of runs as data
//! ([`crate::code::explain`]) note rows with their values. For coverage, the code of the run itself notes how often it
//! passes each place.

use std::sync::atomic::Ordering;

use super::Machine;
use crate::{
    code::{
        NONE, Shape,
        explain::{Combined, ExplainedTable},
    },
    fault::{Fault, Stop},
    lower::Table,
};

/// How many values one table may note.
const MOST_NOTES: usize = 1 << 20;

/// The journal of the table that is running.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// The table's arguments.
    arguments: Vec<i64>,
    attempts: Vec<Attempt>,
    /// The arguments of the next value to be noted.
    note_arguments: Vec<i64>,
    /// The number of values noted.
    count: usize,
}

/// One try of a row, for some values of its variables.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    /// Its index in the table.
    pub(super) row: usize,
    /// How many of its conditions held before one did not.
    pub(super) held: usize,
    /// Its value, if all conditions held.
    pub(super) value: Option<i64>,
    /// The locals of its frame, if all conditions held.
    pub(super) locals: Vec<i64>,
    /// What its conditions and its value mention, in evaluation order.
    pub(super) notes: Vec<Note>,
}

/// A value that a row mentions.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// The index of the mention.
    pub(super) mention: usize,
    /// The condition that mentions it; one past the last condition for the row's value.
    pub(super) condition: usize,
    pub(super) arguments: Box<[i64]>,
    pub(super) value: i64,
}

impl Attempt {
    pub(super) fn has_fired(&self) -> bool {
        self.value.is_some()
    }

    /// What its conditions mention.
    pub(super) fn in_conditions(&self) -> impl Iterator<Item = &Note> {
        self.notes
            .iter()
            .filter(|note| !self.has_fired() || note.condition < self.held)
    }

    /// What its value mentions.
    pub(super) fn in_value(&self) -> impl Iterator<Item = &Note> {
        self.notes
            .iter()
            .filter(|note| self.has_fired() && note.condition == self.held)
    }
}

impl Journal {
    /// An argument of the table.
    pub(super) fn argument(&self, place: usize) -> i64 {
        self.arguments.get(place).copied().unwrap_or(0)
    }

    /// Clears the journal, to run the table again.
    pub(super) fn clear(&mut self) {
        self.attempts.clear();
        self.note_arguments.clear();
        self.count = 0;
    }

    /// Begins an attempt of a row.
    pub(super) fn begin(&mut self, row: usize) -> Result<(), Stop> {
        self.settle();
        self.note_arguments.clear();
        if self.attempts.len() == MOST_NOTES {
            return Err(Box::new(Fault::Memory));
        }
        self.attempts.push(Attempt {
            row,
            ..Attempt::default()
        });
        Ok(())
    }

    /// Among the failed attempts of a row, keeps only the first of those that got farthest.
    fn settle(&mut self) {
        let Some((last, before)) = self.attempts.split_last_mut() else {
            return;
        };
        if last.has_fired() {
            return;
        }
        let same = |attempt: &&mut Attempt| attempt.row == last.row;
        let mut before = before.iter_mut().rev().take_while(same);
        if let Some(known) = before.find(|attempt| !attempt.has_fired()) {
            if known.held < last.held {
                std::mem::swap(known, last);
            }
            self.attempts.pop();
        }
    }

    /// Notes whether a condition holds.
    pub(super) fn condition(&mut self, holds: bool) {
        if let (Some(attempt), true) = (self.attempts.last_mut(), holds) {
            attempt.held += 1;
        }
    }

    /// Notes that the row fires.
    pub(super) fn fired(&mut self, value: i64) {
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.value = Some(value);
        }
    }

    /// Notes the next local of a row that fires.
    pub(super) fn local(&mut self, value: i64) {
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.locals.push(value);
        }
    }

    /// The number of notes of the current attempt.
    pub(super) fn mark(&self) -> usize {
        self.attempts
            .last()
            .map_or(0, |attempt| attempt.notes.len())
    }

    /// Removes the notes of the current attempt between two marks.
    pub(super) fn remove_notes(&mut self, from: usize, to: usize) {
        if let Some(attempt) = self.attempts.last_mut()
            && from <= to
            && to <= attempt.notes.len()
        {
            attempt.notes.drain(from..to);
        }
    }

    /// Adds an argument of the next value.
    pub(super) fn note_argument(&mut self, value: i64) {
        self.note_arguments.push(value);
    }

    /// Inserts a value at a mark, before what was noted since. The last `arguments` values of
    /// [`Journal::note_argument`] are its arguments.
    pub(super) fn note(
        &mut self,
        mark: usize,
        mention: usize,
        arguments: usize,
        value: i64,
    ) -> Result<(), Stop> {
        let first = self.note_arguments.len().saturating_sub(arguments);
        let arguments = self.note_arguments.split_off(first);
        self.count += 1;
        if self.count > MOST_NOTES {
            return Err(Box::new(Fault::Memory));
        }
        if let Some(attempt) = self.attempts.last_mut() {
            let note = Note {
                mention,
                condition: attempt.held,
                arguments: arguments.into(),
                value,
            };
            attempt.notes.insert(mark.min(attempt.notes.len()), note);
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Counts that the run passes a place, if places are counted.
    #[inline]
    pub(crate) fn passed(&self, place: Option<u32>) {
        if let Some(place) = place
            && let Some(count) = self.compiled.passed.get(place as usize)
        {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<'c> Machine<'c> {
    /// Runs a table with arguments, and returns the attempts of its rows; with `all`, also those after the row that
    /// decides. The attempts end at a row that fails, whose error is the result.
    pub(super) fn journal_of(
        &mut self,
        table: &'c ExplainedTable,
        arguments: &[i64],
        all: bool,
    ) -> (Vec<Attempt>, Result<i64, Stop>) {
        let journal = Journal {
            arguments: arguments.to_vec(),
            ..Journal::default()
        };
        let outer = std::mem::replace(&mut self.journal, journal);
        let result = self.call_table(Table {
            code: &table.code,
            parameters: arguments.len(),
            all,
        });
        let mut journal = std::mem::replace(&mut self.journal, outer);
        journal.settle();
        (journal.attempts, result)
    }

    /// Whether an attempt that fired gave the table its value.
    pub(super) fn gave(
        &mut self,
        table: &'c ExplainedTable,
        attempt: &Attempt,
        value: i64,
    ) -> Result<bool, Stop> {
        let Some(own) = attempt.value else {
            return Ok(false);
        };
        Ok(match table.how {
            Combined::Any => own == 1,
            Combined::All => own == 0,
            // A row whose value is none may pass on to the next.
            Combined::First => own != NONE || value == NONE,
            Combined::Sum => match &table.rows[attempt.row].part {
                Some(part) => own != NONE && !self.is_empty(own, part)?,
                None => own != NONE && own != 0,
            },
            Combined::Every => true,
            Combined::Same => own == value,
        })
    }

    /// The indices of the attempts that gave a table its value, in order.
    pub(super) fn gave_value(
        &mut self,
        table: &'c ExplainedTable,
        attempts: &[Attempt],
        value: i64,
    ) -> Result<Vec<usize>, Stop> {
        let mut found = Vec::new();
        for (place, attempt) in attempts.iter().enumerate() {
            if self.gave(table, attempt, value)? {
                found.push(place);
                if !matches!(table.how, Combined::Every | Combined::Sum) {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Whether a value is an empty collection.
    pub(super) fn is_empty(&mut self, value: i64, shape: &Shape) -> Result<bool, Stop> {
        if let Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } = shape {
            return Ok(false);
        }
        self.each_member(value, shape, &mut |_, _| Ok(false))
    }
}
