//! What tests reach of a game, as data.

use super::RowCounts;
use crate::{compile::Counted, diagnostic::numbered};

/// What tests reach of a game.
#[derive(Debug, Clone, Default)]
pub struct Cover {
    /// The files whose rows are looked at, each with its text.
    pub files: Vec<(String, String)>,
    /// Their rows, in the order of the files.
    pub rows: Vec<CoveredRow>,
    /// How many transcripts were run.
    pub trials: usize,
    /// How many examples of the rule file were run.
    pub examples: usize,
    /// The transcripts that stopped at an error: what follows it was not run.
    pub stopped: Vec<String>,
}

/// A row, and how often what happened to it.
#[derive(Debug, Clone)]
pub struct CoveredRow {
    /// What it belongs to: a definition, or a clause of a section.
    pub path: String,
    /// Its label; nothing where a definition is one expression.
    pub label: Option<String>,
    /// The file that it stands in, by its place among the files.
    pub file: usize,
    /// Its first line, from 1.
    pub line: usize,
    /// Its last line.
    pub last_line: usize,
    /// How often it was asked whether it fires.
    pub considered: u64,
    /// How often it fired.
    pub fired: u64,
    /// In how many transcripts and examples it fired.
    pub cases: u64,
    /// In how many transcripts something else would have been said if it never fired. Nothing for what has no label, and
    /// where it would have taken too much work to find out.
    pub changed: Option<u64>,
    /// Its conditions, in order.
    pub conditions: Vec<CoveredCondition>,
    /// Why it never fired.
    pub reason: Option<Reason>,
}

/// A condition of a row.
#[derive(Debug, Clone)]
pub struct CoveredCondition {
    /// As it was written, after `unless` with that.
    pub written: String,
    /// Its first line, from 1.
    pub line: usize,
    /// How often it held, and those before it.
    pub held: u64,
    /// How often it did not.
    pub failed: u64,
}

impl Cover {
    /// How many rows fired, and how many there are.
    #[must_use]
    pub fn fired(&self) -> (usize, usize) {
        let fired = self.rows.iter().filter(|row| row.fired > 0).count();
        (fired, self.rows.len())
    }

    /// How many per cent of the rows fired, rounded down: it is 100 only if all did.
    #[must_use]
    pub fn per_cent(&self) -> usize {
        let (fired, all) = self.fired();
        (fired * 100).checked_div(all).unwrap_or(100)
    }
}

impl CoveredRow {
    /// Its path with its label.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.label {
            Some(label) => format!("{}.{label}", self.path),
            None => self.path.clone(),
        }
    }

    /// Why it never fired, in words; nothing where it did.
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
    /// What it belongs to was never asked for, or never happened.
    NeverAsked,
    /// A row before it always came first.
    Preceded,
    /// There was never anything to go through.
    NothingToGoThrough,
    /// None of its cells' values came.
    NeverMatched,
    /// One of its conditions, by its place, never held.
    NeverHeld(usize),
    /// It names an event that was never written so, or could not happen then.
    NeverTaken,
}

/// Why the row at `place` never fired.
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
