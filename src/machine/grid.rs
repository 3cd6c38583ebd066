//! Grids: regions, lines, and what lies beside what; and searches that lowered functions go through step by step: of
//! these, and of the entries of a set or bag in ascending order.

use super::{
    Machine,
    memory::{at, handle, read},
};
use crate::{
    code::{Beside, Grid, NONE, Slot, Source},
    fault::{Fault, Stop},
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

/// A search for machine code, which goes on when it is asked for what comes next.
#[derive(Debug)]
pub(super) enum Search {
    Region(Region),
    Around(Around),
    Entries(Entries),
}

/// A search of a region, or of what lies beside it.
#[derive(Debug)]
pub(super) struct Region {
    grid: usize,
    scratch: Scratch,
    flood: Flood,
    /// The map whose entries make the region.
    map: i64,
    slot: Slot,
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

    /// Whether any of the points beside the region of a point has an entry, as it is kept in a byte.
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
        let has = |there: u8| i64::from(there) == wanted;
        if has(entry) {
            return Ok(false);
        }
        // Most searches end here: with what lies beside the point itself, of which nothing has to be remembered.
        let start = u32::try_from(point).unwrap_or(0);
        let mut is_alone = true;
        for beside in neighbours[point].padded() {
            let there = map[*beside as usize];
            if has(there) {
                return Ok(true);
            }
            is_alone &= there != entry || *beside == start;
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
                let there = map[*beside as usize];
                if has(there) {
                    return Ok(true);
                }
                if there == entry && scratch.sees(*beside) {
                    scratch.open.push(*beside);
                }
            }
        }
        Ok(false)
    }

    /// The next point of the search that was begun last; none at its end.
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

    /// Ends the search that was begun last.
    pub(super) fn end_search(&mut self) {
        self.searches.end();
    }
}

/// Searches under way, the last one begun last, and what was used for those that are done.
#[derive(Debug, Default)]
pub(super) struct Searches {
    under_way: Vec<Search>,
    unused: Vec<Scratch>,
}

impl Searches {
    fn scratch(&mut self) -> Scratch {
        self.unused.pop().unwrap_or_default()
    }

    /// Begins a search; says which that is.
    pub(super) fn begin(&mut self, search: Search) -> usize {
        self.under_way.push(search);
        self.under_way.len() - 1
    }

    /// The search that was begun last.
    pub(super) fn last_mut(&mut self) -> Option<&mut Search> {
        self.under_way.last_mut()
    }

    pub(super) fn get_mut(&mut self, search: usize) -> Option<&mut Search> {
        self.under_way.get_mut(search)
    }

    /// Ends the search that was begun last; says whether there was one.
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

/// A search of the points beside some others.
#[derive(Debug)]
pub(super) struct Around {
    grid: usize,
    /// Which points are gone around.
    inside: Vec<bool>,
    /// The point that is looked at next.
    next: usize,
}

impl Around {
    /// The next point that lies beside one of those inside, and is none of them; none at the end.
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

    /// The grid that is searched.
    fn grid(&self) -> usize {
        self.grid
    }
}

impl Machine<'_> {
    /// Begins to search what lies beside points, none of which is known yet; says which search that is.
    pub(super) fn begin_around(&mut self, grid: usize) -> usize {
        let points = self.compiled.grids[grid].beside.len();
        self.searches.begin(Search::Around(Around {
            grid,
            inside: vec![false; points],
            next: 0,
        }))
    }

    /// Adds a point to those that a search goes around.
    pub(super) fn add_point(&mut self, search: usize, point: usize) {
        if let Some(Search::Around(around)) = self.searches.get_mut(search) {
            around.inside[point] = true;
        }
    }
}

/// Entries that are gone through.
#[derive(Debug)]
pub(super) struct Entries {
    set: i64,
    hashed: usize,
    /// The entries that are still to come, the next one last.
    rest: Vec<usize>,
}

impl Machine<'_> {
    /// Begins to go through the entries of a set or bag in ascending order.
    pub(super) fn begin_entries(&mut self, set: i64, hashed: usize) {
        let mut rest = self.in_order(set, hashed);
        rest.reverse();
        self.searches
            .begin(Search::Entries(Entries { set, hashed, rest }));
    }

    /// The next entry of the set or bag that was begun last; none at its end.
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
