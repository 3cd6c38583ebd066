//! Grids: regions, lines, and what lies beside what.

use super::{
    Machine,
    memory::{at, handle},
    range::Visit,
};
use crate::{
    code::{NONE, Slot, Source},
    fault::Stop,
};

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
                for beside in &compiled.grids[*grid as usize].neighbours[point] {
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
        let neighbours = &self.compiled.grids[grid].neighbours;
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
            for beside in &neighbours[from as usize] {
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
        let neighbours = &self.compiled.grids[grid].neighbours;
        let mut inside = vec![false; neighbours.len()];
        self.each(points, &mut |_, point| {
            inside[at(point)] = true;
            Ok(true)
        })?;
        for (point, beside) in neighbours.iter().enumerate() {
            let touches = !inside[point] && beside.iter().any(|other| inside[*other as usize]);
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
        match (row, column) {
            (Some(row), Some(column))
                if (0..grid.rows).contains(&row) && (0..grid.columns).contains(&column) =>
            {
                row * grid.columns + column
            }
            _ => NONE,
        }
    }

    /// The way from one point to another; none unless they lie on one of the eight lines.
    pub(super) fn grid_way(&self, grid: usize, from: i64, to: i64) -> i64 {
        let grid = &self.compiled.grids[grid];
        let down = to / grid.columns - from / grid.columns;
        let right = to % grid.columns - from % grid.columns;
        if (down == 0 && right == 0) || (down != 0 && right != 0 && down.abs() != right.abs()) {
            return NONE;
        }
        let wanted = (down.signum(), right.signum());
        grid.ways
            .iter()
            .position(|way| *way == wanted)
            .map_or(NONE, handle)
    }
}

/// A search that goes on when it is asked for the next point.
#[derive(Debug)]
pub(super) struct Search {
    grid: usize,
    scratch: Scratch,
    /// Nothing for the points beside a point.
    flood: Option<(i64, Slot, Flood)>,
    /// The entry that the region has.
    entry: i64,
    /// The point whose neighbours are looked at, and which is next.
    from: u32,
    beside: usize,
}

impl Machine<'_> {
    /// Begins a search for the points of a source; says the first.
    pub(super) fn begin_search(
        &mut self,
        source: &Source,
        point: i64,
        map: i64,
    ) -> Result<i64, Stop> {
        let (grid, flood) = match source {
            Source::Region { grid, slot, .. } => (*grid, Some((map, *slot, Flood::Inside))),
            Source::Shore { grid, slot, .. } => (*grid, Some((map, *slot, Flood::Shore))),
            Source::Beside { grid, .. } => (*grid, None),
            _ => return Ok(NONE),
        };
        let mut scratch = self.searches.spare();
        let grid = grid as usize;
        let from = u32::try_from(point).unwrap_or(0);
        let mut entry = NONE;
        if let Some((map, slot, _)) = flood {
            scratch.begin(self.compiled.grids[grid].neighbours.len());
            scratch.sees(from);
            entry = self.read(at(map), at(point), slot);
            self.works()?;
        }
        self.searches.under_way.push(Search {
            grid,
            scratch,
            flood,
            entry,
            from,
            beside: 0,
        });
        if let Some((_, _, Flood::Inside)) = flood {
            return Ok(point);
        }
        self.next_point()
    }

    /// The next point of the search that was begun last; none at its end.
    pub(super) fn next_point(&mut self) -> Result<i64, Stop> {
        let Some(mut search) = self.searches.under_way.pop() else {
            return Ok(NONE);
        };
        let found = self.search_on(&mut search);
        self.searches.under_way.push(search);
        found
    }

    fn search_on(&mut self, search: &mut Search) -> Result<i64, Stop> {
        let neighbours = &self.compiled.grids[search.grid].neighbours;
        loop {
            for beside in &neighbours[search.from as usize][search.beside..] {
                search.beside += 1;
                let Some((map, slot, flood)) = search.flood else {
                    self.works()?;
                    return Ok(i64::from(*beside));
                };
                if !search.scratch.sees(*beside) {
                    continue;
                }
                let same = self.read(at(map), *beside as usize, slot) == search.entry;
                if same {
                    search.scratch.open.push(*beside);
                }
                if same == (flood == Flood::Inside) {
                    return Ok(i64::from(*beside));
                }
            }
            let Some(from) = search.scratch.open.pop() else {
                return Ok(NONE);
            };
            self.works()?;
            search.from = from;
            search.beside = 0;
        }
    }

    /// Ends the search that was begun last.
    pub(super) fn end_search(&mut self) {
        if let Some(search) = self.searches.under_way.pop() {
            self.searches.spare.push(search.scratch);
        }
    }
}

/// Searches under way, the last one begun last, and what was used for those that are done.
#[derive(Debug, Default)]
pub(super) struct Searches {
    under_way: Vec<Search>,
    spare: Vec<Scratch>,
}

impl Searches {
    fn spare(&mut self) -> Scratch {
        self.spare.pop().unwrap_or_default()
    }

    /// Ends all searches.
    pub(super) fn clear(&mut self) {
        while let Some(search) = self.under_way.pop() {
            self.spare.push(search.scratch);
        }
    }
}

/// What a flood visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flood {
    Inside,
    Shore,
}
