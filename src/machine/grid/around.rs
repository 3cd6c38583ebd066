//! What lies beside a set of points and not in it, point by point.

use super::{super::Machine, searches::Search};
use crate::{
    code::{Beside, NONE},
    machine::memory::handle,
};

/// A search of the points beside some others.
#[derive(Debug)]
pub(in crate::machine) struct Around {
    grid: usize,
    /// Which points are gone around.
    inside: Vec<bool>,
    /// The point that is looked at next.
    next: usize,
}

impl Around {
    /// The next point that lies beside one of those inside, and is none of them; none at the end.
    pub(super) fn next(&mut self, neighbours: &[Beside]) -> i64 {
        while let Some(beside) = neighbours.get(self.next) {
            let point = self.next;
            self.next += 1;
            let mut points = beside.points().iter();
            if !self.inside[point] && points.any(|other| self.inside[*other as usize]) {
                return handle(point);
            }
        }
        NONE
    }

    /// The grid that is searched.
    pub(super) fn grid(&self) -> usize {
        self.grid
    }
}

impl Machine<'_> {
    /// Begins to search what lies beside points, none of which is known yet; says which search that is.
    pub(in crate::machine) fn begin_around(&mut self, grid: usize) -> usize {
        let points = self.compiled.grids[grid].beside.len();
        self.searches.begin(Search::Around(Around {
            grid,
            inside: vec![false; points],
            next: 0,
        }))
    }

    /// Adds a point to those that a search goes around.
    pub(in crate::machine) fn add_point(&mut self, search: usize, point: usize) {
        if let Some(Search::Around(around)) = self.searches.get_mut(search) {
            around.inside[point] = true;
        }
    }
}
