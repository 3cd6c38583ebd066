//! Grids: regions, lines, and what lies beside what.

mod searches;

use crate::code::Grid;

pub(super) use searches::Searches;

/// What a search over a grid remembers; kept between searches so that none allocates.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// For each point, the number of the search that saw it last.
    seen: Vec<u32>,
    search: u32,
    /// Points whose neighbours are still to be looked at.
    open: Vec<u32>,
}

impl Scratch {
    /// Begins a search over `points` points.
    fn begin(&mut self, points: usize) {
        if self.seen.len() < points {
            self.seen.resize(points, 0);
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.seen.fill(0);
            self.search = 1;
        }
        self.open.clear();
    }

    /// Whether a point is seen for the first time.
    fn sees(&mut self, point: u32) -> bool {
        let seen = &mut self.seen[point as usize];
        let first = *seen != self.search;
        *seen = self.search;
        first
    }
}

impl Grid {
    /// Whether one of its axes wraps.
    pub(crate) fn wraps(&self) -> bool {
        self.wraps.0 || self.wraps.1
    }

    /// The point in a row and a column, both counted from 0; nothing where that is off the grid.
    pub(crate) fn point_at(&self, row: i64, column: i64) -> Option<i64> {
        let within = |place: i64, count: i64, wraps: bool| {
            if wraps {
                place.rem_euclid(count)
            } else {
                place
            }
        };
        let row = within(row, self.rows, self.wraps.0);
        let column = within(column, self.columns, self.wraps.1);
        let is_point = (0..self.rows).contains(&row) && (0..self.columns).contains(&column);
        is_point.then(|| row * self.columns + column)
    }

    /// The way that goes so many rows and columns on; nothing unless that is on one of the eight lines.
    pub(crate) fn way_of(&self, down: i64, right: i64) -> Option<usize> {
        let in_line = down == 0 || right == 0 || down.abs() == right.abs();
        if (down, right) == (0, 0) || !in_line {
            return None;
        }
        let wanted = (down.signum(), right.signum());
        self.ways.iter().position(|way| *way == wanted)
    }
}

/// What a flood visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flood {
    Inside,
    Boundary,
}
