//! Why a row never fired.

use super::RowCounts;
use crate::compile::Counted;

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
