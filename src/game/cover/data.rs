//! What tests reach of a game, as data.

use super::RowCounts;
use crate::{compile::Counted, diagnostic::numbered};

/// What tests reach of a game.
#[derive(Debug, Clone, Default)]
pub struct Cover {
    /// The files whose rows are measured, each with its text.
    pub files: Vec<(String, String)>,
    /// Their rows, in the order of the files.
    pub rows: Vec<CoveredRow>,
    /// The number of transcripts that were run.
    pub trials: usize,
    /// The number of examples that were run.
    pub examples: usize,
    /// The transcripts that stopped at an error; the rest of them was not run.
    pub stopped: Vec<String>,
}

/// A row with its counts.
#[derive(Debug, Clone)]
pub struct CoveredRow {
    /// The path of its definition or clause.
    pub path: String,
    /// Its label; `None` if the definition is a single expression.
    pub label: Option<String>,
    /// The index of its file.
    pub file: usize,
    /// Its first line, from 1.
    pub line: usize,
    /// Its last line.
    pub last_line: usize,
    /// How often it was considered.
    pub considered: u64,
    /// How often it fired.
    pub fired: u64,
    /// The number of transcripts and examples in which it fired.
    pub cases: u64,
    /// The number of transcripts whose report would be different if the row never fired. `None` for a row without a
    /// label, and if this would have taken too much work.
    pub changed: Option<u64>,
    /// Its conditions, in order.
    pub conditions: Vec<CoveredCondition>,
    /// Why it never fired.
    pub reason: Option<Reason>,
}

/// A condition of a row.
#[derive(Debug, Clone)]
pub struct CoveredCondition {
    /// The condition as written, with `unless` if it has that.
    pub written: String,
    /// Its first line, from 1.
    pub line: usize,
    /// How often it held, together with those before it.
    pub held: u64,
    /// How often it did not.
    pub failed: u64,
}

impl Cover {
    /// The number of rows that fired, and of all rows.
    #[must_use]
    pub fn fired(&self) -> (usize, usize) {
        let fired = self.rows.iter().filter(|row| row.fired > 0).count();
        (fired, self.rows.len())
    }

    /// The percentage of the rows that fired, rounded down: 100 means all of them.
    #[must_use]
    pub fn per_cent(&self) -> usize {
        let (fired, all) = self.fired();
        (fired * 100).checked_div(all).unwrap_or(100)
    }
}

impl CoveredRow {
    /// Its path and label.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.label {
            Some(label) => format!("{}.{label}", self.path),
            None => self.path.clone(),
        }
    }

    /// Why it never fired, in words; empty if it did.
    #[must_use]
    pub fn reason_told(&self) -> String {
        match &self.reason {
            None => String::new(),
            Some(Reason::NeverAsked) => "nothing ever asked for it".to_string(),
            Some(Reason::Preceded) => "a row before it always came first".to_string(),
            Some(Reason::NothingToGoThrough) => "there was nothing to go through".to_string(),
            Some(Reason::NeverMatched) => format!(
                "what it matches never came, of {}",
                numbered(times(self.considered), "time")
            ),
            Some(Reason::NeverHeld(place)) => match self.conditions.get(*place) {
                Some(condition) => {
                    let asked = numbered(times(condition.failed), "time");
                    match condition.written.strip_prefix("unless ") {
                        Some(condition) => format!("`{condition}` always held, {asked} of {asked}"),
                        None => format!("`{}` never held, of {asked}", condition.written),
                    }
                }
                None => String::new(),
            },
            Some(Reason::NeverTaken) => {
                "no event was ever written like this when it could happen".to_string()
            }
        }
    }
}

fn times(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Why a row never fired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Its definition was never evaluated, or its event never happened.
    NeverAsked,
    /// An earlier row always fired instead.
    Preceded,
    /// What its variable ranges over was always empty.
    NothingToGoThrough,
    /// Its cells never matched.
    NeverMatched,
    /// The condition with this index never held.
    NeverHeld(usize),
    /// The event that it names was never possible then.
    NeverTaken,
}

/// Why the row at an index never fired.
pub(super) fn reason(counted: &Counted, place: usize, counts: &[RowCounts]) -> Reason {
    let (Some(row), Some(count)) = (counted.rows.get(place), counts.get(place)) else {
        return Reason::NeverAsked;
    };
    let is_asked = count.asked.unwrap_or(0) > 0 || counts.iter().any(|row| row.considered > 0);
    if !is_asked {
        return Reason::NeverAsked;
    }
    if count.considered == 0 {
        return if row.ranges && !counted.ordered {
            Reason::NothingToGoThrough
        } else if counted.ordered {
            Reason::Preceded
        } else {
            Reason::NeverAsked
        };
    }
    if count.matched == 0 {
        return Reason::NeverMatched;
    }
    match count.held.iter().position(|held| *held == 0) {
        Some(condition) => Reason::NeverHeld(condition),
        None => Reason::NeverTaken,
    }
}
