//! Grids: regions, lines, and what lies beside what.

mod around;
mod searches;

use super::{
    Machine,
    memory::{at, handle},
    range::Visit,
};
use crate::{
    code::{Grid, NONE, Slot, Source},
    fault::Stop,
};

pub(super) use searches::{Search, Searches};

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

impl<'c> Machine<'c> {
    /// Visits the points of a source that speaks of a grid.
    pub(super) fn each_point(
        &mut self,
        source: &'c Source,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        let compiled = self.compiled;
        match source {
            Source::Beside { grid, point } => {
                let point = at(self.evaluate(point)?);
                for beside in compiled.grids[*grid as usize].beside[point].points() {
                    self.works()?;
                    if !visit(self, i64::from(*beside))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Source::Around { grid, points } => self.around(*grid as usize, points, visit),
            Source::Region {
                grid,
                point,
                map,
                slot,
            } => {
                let point = self.evaluate(point)?;
                let map = self.evaluate(map)?;
                self.flood(*grid as usize, point, map, *slot, Flood::Inside, visit)
            }
            Source::Shore {
                grid,
                point,
                map,
                slot,
            } => {
                let point = self.evaluate(point)?;
                let map = self.evaluate(map)?;
                self.flood(*grid as usize, point, map, *slot, Flood::Shore, visit)
            }
            Source::Line { grid, ends } => {
                let from = self.evaluate(&ends.0)?;
                let to = self.evaluate(&ends.1)?;
                let grid = *grid as usize;
                let way = self.grid_way(grid, from, to);
                if way == NONE {
                    return Ok(true);
                }
                let mut point = self.grid_step(grid, from, way, 1);
                while point != to && point != NONE {
                    self.works()?;
                    if !visit(self, point)? {
                        return Ok(false);
                    }
                    point = self.grid_step(grid, point, way, 1);
                }
                Ok(true)
            }
            Source::Ray { grid, start } => {
                let from = self.evaluate(&start.0)?;
                let way = self.evaluate(&start.1)?;
                let mut point = self.grid_step(*grid as usize, from, way, 1);
                while point != NONE {
                    self.works()?;
                    if !visit(self, point)? {
                        return Ok(false);
                    }
                    point = self.grid_step(*grid as usize, point, way, 1);
                }
                Ok(true)
            }
            other => self.each(other, visit),
        }
    }

    /// Visits the points of the region of a point, or those beside it, each once and as soon as it is found.
    fn flood(
        &mut self,
        grid: usize,
        point: i64,
        map: i64,
        slot: Slot,
        flood: Flood,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        let neighbours = &self.compiled.grids[grid].beside;
        let entry = self.read(at(map), at(point), slot);
        // A visit may search as well: it gets a scratch of its own.
        let mut scratch = std::mem::take(&mut self.grid);
        scratch.begin(neighbours.len());
        let start = u32::try_from(point).unwrap_or(0);
        scratch.sees(start);
        scratch.open.push(start);
        let mut goes_on = flood == Flood::Shore || visit(self, point)?;
        'search: while goes_on {
            let Some(from) = scratch.open.pop() else {
                break;
            };
            self.works()?;
            for beside in neighbours[from as usize].points() {
                if !scratch.sees(*beside) {
                    continue;
                }
                let same = self.read(at(map), *beside as usize, slot) == entry;
                if same {
                    scratch.open.push(*beside);
                }
                if same == (flood == Flood::Inside) && !visit(self, i64::from(*beside))? {
                    goes_on = false;
                    break 'search;
                }
            }
        }
        self.grid = scratch;
        Ok(goes_on)
    }

    /// Visits the points beside a set of points and not in it.
    fn around(
        &mut self,
        grid: usize,
        points: &'c Source,
        visit: Visit<'_, 'c>,
    ) -> Result<bool, Stop> {
        let neighbours = &self.compiled.grids[grid].beside;
        let mut inside = vec![false; neighbours.len()];
        self.each(points, &mut |_, point| {
            inside[at(point)] = true;
            Ok(true)
        })?;
        for (point, beside) in neighbours.iter().enumerate() {
            let mut points = beside.points().iter();
            let touches = !inside[point] && points.any(|other| inside[*other as usize]);
            if touches && !visit(self, handle(point))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The point so many steps away in a way; none off the grid.
    pub(super) fn grid_step(&self, grid: usize, point: i64, way: i64, count: i64) -> i64 {
        let grid = &self.compiled.grids[grid];
        let Some((down, right)) = grid.ways.get(at(way)) else {
            return NONE;
        };
        let moved =
            |place: i64, by: i64| by.checked_mul(count).and_then(|by| place.checked_add(by));
        let row = moved(point / grid.columns, *down);
        let column = moved(point % grid.columns, *right);
        let end = row.zip(column);
        end.and_then(|(row, column)| grid.point_at(row, column))
            .unwrap_or(NONE)
    }

    /// The way from one point to another; none unless they lie on one of the eight lines.
    pub(super) fn grid_way(&self, grid: usize, from: i64, to: i64) -> i64 {
        let grid = &self.compiled.grids[grid];
        let down = to / grid.columns - from / grid.columns;
        let right = to % grid.columns - from % grid.columns;
        grid.way_of(down, right).map_or(NONE, handle)
    }
}

impl Grid {
    /// The point in a row and a column, both counted from 0; nothing where that is off the grid.
    pub(crate) fn point_at(&self, row: i64, column: i64) -> Option<i64> {
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
    Shore,
}
