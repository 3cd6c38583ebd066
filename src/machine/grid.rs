//! Grids: regions, lines and neighbours; and searches that lowered functions step through: those, and the entries of a
//! set or bag in ascending order.

use super::{
    Machine,
    memory::{at, handle, read},
};
use crate::{
    code::{Beside, Grid, NONE, Slot, Source},
    fault::{Fault, Stop},
};

/// The memory of a search over a grid; kept between searches so that none allocates.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// For each point, the number of the last search that saw it.
    seen: Vec<u32>,
    search: u32,
    /// Points whose neighbours are yet to be visited.
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

    /// Marks a point as seen; returns whether it was not before.
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

    /// The point in a row and a column, both counted from 0; nothing if that is off the grid.
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

    /// The square of the distance between two points, in steps from a point to the next.
    pub(crate) fn distance(&self, one: i64, other: i64) -> u64 {
        let along = |one: i64, other: i64, count: i64, wraps: bool| {
            let steps = one.abs_diff(other);
            let around = count.unsigned_abs().saturating_sub(steps);
            if wraps { steps.min(around) } else { steps }
        };
        let columns = self.columns.max(1);
        let down = along(one / columns, other / columns, self.rows, self.wraps.0);
        let right = along(one % columns, other % columns, columns, self.wraps.1);
        down.pow(2) + right.pow(2)
    }

    /// The direction of a step by `down` rows and `right` columns; nothing unless it is on one of the eight lines.
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

/// A search for machine code, which advances one step per call.
#[derive(Debug)]
pub(super) enum Search {
    Region(Region),
    Around(Around),
    Entries(Entries),
}

/// A search of a region, or of its boundary.
#[derive(Debug)]
pub(super) struct Region {
    grid: usize,
    scratch: Scratch,
    flood: Flood,
    /// The map whose equal entries make the region.
    map: i64,
    slot: Slot,
    /// The entry of the region's points.
    entry: i64,
    /// The point whose neighbours are being visited, and the index of the next one.
    from: u32,
    beside: usize,
}

impl Machine<'_> {
    /// Begins a search for the points of a source; returns the first.
    pub(super) fn begin_search(
        &mut self,
        source: &Source,
        point: i64,
        map: i64,
    ) -> Result<i64, Stop> {
        let (grid, slot, flood) = match source {
            Source::Region { grid, slot, .. } => (*grid as usize, *slot, Flood::Inside),
            Source::Boundary { grid, slot, .. } => (*grid as usize, *slot, Flood::Boundary),
            _ => return Ok(NONE),
        };
        self.charge_one()?;
        let entry = self.read(at(map), at(point), slot);
        let mut scratch = self.searches.scratch();
        let from = u32::try_from(point).unwrap_or(0);
        scratch.begin(self.compiled.grids[grid].beside.len());
        scratch.sees(from);
        self.searches.begin(Search::Region(Region {
            grid,
            scratch,
            flood,
            map,
            slot,
            entry,
            from,
            beside: 0,
        }));
        if flood == Flood::Inside {
            return Ok(point);
        }
        self.next_point()
    }

    /// Whether any point on the boundary of a point's region has an entry, given as the byte it is kept in.
    pub(super) fn boundary_has(
        &mut self,
        source: &Source,
        point: usize,
        map: usize,
        wanted: i64,
    ) -> Result<bool, Stop> {
        let Source::Boundary { grid, .. } = source else {
            return Ok(false);
        };
        let neighbours = &self.compiled.grids[*grid as usize].beside;
        let words = neighbours.len().div_ceil(size_of::<u64>());
        let map: &[u8] = bytemuck::cast_slice(&self.memory[map..map + words]);
        let entry = map[point];
        let has = |entry_byte: u8| i64::from(entry_byte) == wanted;
        if has(entry) {
            return Ok(false);
        }
        // Most searches end here, with the neighbours of the point itself, and need no memory.
        let start = u32::try_from(point).unwrap_or(0);
        let mut is_alone = true;
        for beside in neighbours[point].padded() {
            let entry_byte = map[*beside as usize];
            if has(entry_byte) {
                return Ok(true);
            }
            is_alone &= entry_byte != entry || *beside == start;
        }
        if is_alone {
            return Ok(false);
        }
        let scratch = &mut self.grid;
        scratch.begin(neighbours.len());
        scratch.sees(start);
        scratch.open.push(start);
        while let Some(from) = scratch.open.pop() {
            self.fuel = self.fuel.wrapping_sub(1);
            if self.fuel.cast_signed() <= 0 {
                return Err(Box::new(Fault::Work));
            }
            for beside in neighbours[from as usize].padded() {
                let entry_byte = map[*beside as usize];
                if has(entry_byte) {
                    return Ok(true);
                }
                if entry_byte == entry && scratch.sees(*beside) {
                    scratch.open.push(*beside);
                }
            }
        }
        Ok(false)
    }

    /// The next point of the innermost search; none at its end.
    pub(super) fn next_point(&mut self) -> Result<i64, Stop> {
        let Machine {
            compiled,
            memory,
            searches,
            fuel,
            ..
        } = self;
        let search = match searches.last_mut() {
            Some(Search::Region(search)) => search,
            Some(Search::Around(around)) => {
                let neighbours = &compiled.grids[around.grid()].beside;
                return Ok(around.next(neighbours));
            }
            Some(Search::Entries(_)) | None => return Ok(NONE),
        };
        let neighbours = &compiled.grids[search.grid].beside;
        let map = at(search.map);
        loop {
            for beside in &neighbours[search.from as usize].points()[search.beside..] {
                search.beside += 1;
                if !search.scratch.sees(*beside) {
                    continue;
                }
                let entry = read(memory, map, *beside as usize, search.slot);
                let same = entry == search.entry;
                if same {
                    search.scratch.open.push(*beside);
                }
                if same == (search.flood == Flood::Inside) {
                    return Ok(i64::from(*beside));
                }
            }
            let Some(from) = search.scratch.open.pop() else {
                return Ok(NONE);
            };
            *fuel = fuel.wrapping_sub(1);
            if fuel.cast_signed() <= 0 {
                return Err(Box::new(Fault::Work));
            }
            search.from = from;
            search.beside = 0;
        }
    }

    /// Ends the innermost search.
    pub(super) fn end_search(&mut self) {
        self.searches.end();
    }
}

/// A stack of active searches, and the scratch memory of finished ones.
#[derive(Debug, Default)]
pub(super) struct Searches {
    under_way: Vec<Search>,
    unused: Vec<Scratch>,
}

impl Searches {
    fn scratch(&mut self) -> Scratch {
        self.unused.pop().unwrap_or_default()
    }

    /// Pushes a search; returns its index.
    pub(super) fn begin(&mut self, search: Search) -> usize {
        self.under_way.push(search);
        self.under_way.len() - 1
    }

    /// The innermost search.
    pub(super) fn last_mut(&mut self) -> Option<&mut Search> {
        self.under_way.last_mut()
    }

    pub(super) fn get_mut(&mut self, search: usize) -> Option<&mut Search> {
        self.under_way.get_mut(search)
    }

    /// Pops the innermost search; returns whether there was one.
    fn end(&mut self) -> bool {
        let search = self.under_way.pop();
        let is_search = search.is_some();
        if let Some(Search::Region(search)) = search {
            self.unused.push(search.scratch);
        }
        is_search
    }

    /// Ends all searches.
    pub(super) fn clear(&mut self) {
        while self.end() {}
    }
}

/// A search of the neighbours of a set of points.
#[derive(Debug)]
pub(super) struct Around {
    grid: usize,
    /// For each point, whether it is in the set.
    inside: Vec<bool>,
    /// The point to visit next.
    next: usize,
}

impl Around {
    /// The next point outside the set that is a neighbour of one inside; none at the end.
    fn next(&mut self, neighbours: &[Beside]) -> i64 {
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

    /// The grid of the search.
    fn grid(&self) -> usize {
        self.grid
    }
}

impl Machine<'_> {
    /// Begins a search of the neighbours of points, none of which is known yet; returns its index.
    pub(super) fn begin_around(&mut self, grid: usize) -> usize {
        let points = self.compiled.grids[grid].beside.len();
        self.searches.begin(Search::Around(Around {
            grid,
            inside: vec![false; points],
            next: 0,
        }))
    }

    /// Adds a point to the set of a search.
    pub(super) fn add_point(&mut self, search: usize, point: usize) {
        if let Some(Search::Around(around)) = self.searches.get_mut(search) {
            around.inside[point] = true;
        }
    }
}

/// A cursor over the entries of a set or bag.
#[derive(Debug)]
pub(super) struct Entries {
    set: i64,
    hashed: usize,
    /// The remaining entries, the next one last.
    rest: Vec<usize>,
}

impl Machine<'_> {
    /// Begins to iterate over the entries of a set or bag in ascending order.
    pub(super) fn begin_entries(&mut self, set: i64, hashed: usize) {
        let mut rest = self.in_order(set, hashed);
        rest.reverse();
        self.searches
            .begin(Search::Entries(Entries { set, hashed, rest }));
    }

    /// The next entry of the innermost iteration; none at its end.
    pub(super) fn next_entry(&mut self) -> Result<i64, Stop> {
        let Some(Search::Entries(entries)) = self.searches.last_mut() else {
            return Ok(NONE);
        };
        let Some(entry) = entries.rest.pop() else {
            return Ok(NONE);
        };
        let (set, hashed) = (entries.set, entries.hashed);
        self.charge_one()?;
        self.entry_hashed(set, entry, hashed)
    }
}
