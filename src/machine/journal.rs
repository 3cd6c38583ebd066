//! The journal: what became of each row of a table while it ran.
//!
//! Code that is lowered with notes ([`crate::code::Noted`]) writes it. The tables of explanations and of runs as data
//! ([`crate::code::explain`]) note the rows with their values. Where rows are only counted, the code of the run itself
//! notes how often it passes each place.

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

/// What is being noted.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// What the table is asked of.
    arguments: Vec<i64>,
    attempts: Vec<Attempt>,
    /// What the next value that is noted is asked of.
    of: Vec<i64>,
    /// How many values were noted.
    count: usize,
}

/// A row, for some values of its variables.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    /// Its place in the table.
    pub(super) row: usize,
    /// How many of its conditions held, one after the other.
    pub(super) held: usize,
    /// Its value, if all of them held.
    pub(super) value: Option<i64>,
    /// The locals of its frame, if all of them held.
    pub(super) locals: Vec<i64>,
    /// What its conditions and its value mention, in the order in which that was asked.
    pub(super) notes: Vec<Note>,
}

/// A value that a row mentions.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// What it is, by its place among what rows mention.
    pub(super) mention: usize,
    /// The condition that mentions it; the place after the last one stands for the value.
    pub(super) condition: usize,
    pub(super) of: Box<[i64]>,
    pub(super) value: i64,
}

impl Attempt {
    pub(super) fn has_fired(&self) -> bool {
        self.value.is_some()
    }

    /// What its conditions mention.
    pub(super) fn asked(&self) -> impl Iterator<Item = &Note> {
        self.notes
            .iter()
            .filter(|note| !self.has_fired() || note.condition < self.held)
    }

    /// What its value mentions.
    pub(super) fn used(&self) -> impl Iterator<Item = &Note> {
        self.notes
            .iter()
            .filter(|note| self.has_fired() && note.condition == self.held)
    }
}

impl Journal {
    /// What the table is asked of, by its place.
    pub(super) fn argument(&self, place: usize) -> i64 {
        self.arguments.get(place).copied().unwrap_or(0)
    }

    /// Forgets all that was noted, to begin the table again.
    pub(super) fn clear(&mut self) {
        self.attempts.clear();
        self.of.clear();
        self.count = 0;
    }

    /// Begins a row, for further values of its variables.
    pub(super) fn begin(&mut self, row: usize) -> Result<(), Stop> {
        self.settle();
        self.of.clear();
        if self.attempts.len() == MOST_NOTES {
            return Err(Box::new(Fault::Memory));
        }
        self.attempts.push(Attempt {
            row,
            ..Attempt::default()
        });
        Ok(())
    }

    /// Of the times that a row does not fire, the first is kept of those that get farthest.
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

    /// Notes that a row fires.
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

    /// How many values the present row has noted.
    pub(super) fn mark(&self) -> usize {
        self.attempts
            .last()
            .map_or(0, |attempt| attempt.notes.len())
    }

    /// Takes back what the present row noted from one mark to another.
    pub(super) fn take_back(&mut self, from: usize, to: usize) {
        if let Some(attempt) = self.attempts.last_mut()
            && from <= to
            && to <= attempt.notes.len()
        {
            attempt.notes.drain(from..to);
        }
    }

    /// Says what the next value is asked of.
    pub(super) fn of(&mut self, value: i64) {
        self.of.push(value);
    }

    /// Notes a value at a mark, before what was noted since; it is asked of the last so many values.
    pub(super) fn note(
        &mut self,
        mark: usize,
        mention: usize,
        of: usize,
        value: i64,
    ) -> Result<(), Stop> {
        let of = self.of.split_off(self.of.len().saturating_sub(of));
        self.count += 1;
        if self.count > MOST_NOTES {
            return Err(Box::new(Fault::Memory));
        }
        if let Some(attempt) = self.attempts.last_mut() {
            let note = Note {
                mention,
                condition: attempt.held,
                of: of.into(),
                value,
            };
            attempt.notes.insert(mark.min(attempt.notes.len()), note);
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Notes that the run passes a place, if that is to be noted.
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
    /// Runs a table for some arguments, and gives what became of its rows; with `all`, also of those that come after what
    /// decides. What is wrong with a row ends it.
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

    /// Whether a row that fired gave a value to its table.
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

    /// The rows that gave a value to a table, in order.
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

    /// Whether a collection is empty; nothing else is.
    pub(super) fn is_empty(&mut self, value: i64, shape: &Shape) -> Result<bool, Stop> {
        if let Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } = shape {
            return Ok(false);
        }
        self.each_member(value, shape, &mut |_, _| Ok(false))
    }
}
