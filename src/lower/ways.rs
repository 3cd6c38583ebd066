//! Steps on a grid.

use super::{body::Body, word};
use crate::code::{Bounds, Code, Grid, NONE};
use crate::mir::{Condition, Table, TableId, Value, Width};

/// Tables of steps in each of the eight directions.
#[derive(Debug)]
pub(super) struct Ways {
    /// For each direction, how a step changes row, column and point.
    changes: Box<[i64]>,
    /// For each direction, the next point after each; none off the grid.
    next: Box<[i64]>,
    /// For each point and direction, the point a number of steps away, from minus to plus the number of rows or
    /// columns; [`OFF`] off the grid. Only for small grids.
    steps: Option<Box<[i16]>>,
    /// For each difference of rows, and of columns, the direction that leads there; none if none of the eight does.
    between: Box<[i64]>,
}

/// The number of words per direction in [`Ways::changes`].
const CHANGE: i64 = 3;

/// The most entries of [`Ways::steps`]: it should stay in the fastest cache.
const MOST_STEPS: i64 = 1 << 14;

/// The entry of [`Ways::steps`] for no point.
const OFF: i64 = -1;

/// The number of entries in [`Ways::steps`] for one point and direction, and the index of the one for no step.
fn steps_in_way(grid: &Grid) -> (i64, i64) {
    let most = grid.rows.max(grid.columns);
    (2 * most + 1, most)
}

impl Ways {
    /// The table [`Ways::steps`], if it is not too large.
    fn steps_of(grid: &Grid) -> Option<Box<[i16]>> {
        let points = grid.rows * grid.columns;
        let (steps, middle) = steps_in_way(grid);
        let ways = word(grid.ways.len());
        // On a grid that wraps, the number of steps is unbounded.
        if grid.wraps() || points * ways * steps > MOST_STEPS {
            return None;
        }
        let all = (0..points).flat_map(|point| {
            grid.ways.into_iter().flat_map(move |(down, right)| {
                (0..steps).map(move |step| {
                    let row = point / grid.columns + down * (step - middle);
                    let column = point % grid.columns + right * (step - middle);
                    grid.point_at(row, column)
                })
            })
        });
        let off = i16::try_from(OFF).unwrap_or(-1);
        let all = all.map(|point| point.map_or(off, |point| i16::try_from(point).unwrap_or(off)));
        Some(all.collect())
    }

    pub(super) fn of(grid: &Grid) -> Ways {
        let ways = grid.ways.into_iter();
        let changes = ways.clone();
        let changes = changes.flat_map(|(down, right)| [down, right, down * grid.columns + right]);
        let next = ways.flat_map(|(down, right)| {
            (0..grid.rows * grid.columns).map(move |point| {
                let (row, column) = (point / grid.columns + down, point % grid.columns + right);
                grid.point_at(row, column).unwrap_or(NONE)
            })
        });
        let between = (1 - grid.rows..grid.rows)
            .flat_map(|down| (1 - grid.columns..grid.columns).map(move |right| (down, right)))
            .map(|(down, right)| grid.way_of(down, right).map_or(NONE, word));
        Ways {
            steps: Ways::steps_of(grid),
            between: between.collect(),
            changes: changes.collect(),
            next: next.collect(),
        }
    }
}

impl<'c> Body<'_, 'c> {
    /// The point a number of steps away in a direction; none off the grid.
    pub(super) fn grid_step(
        &mut self,
        grid: u32,
        (point, way, count): &'c (Code, Code, Code),
    ) -> Value {
        let point = self.code(point);
        let way = self.code(way);
        if self.unit.compiled.constant(count) == Some(1) {
            let row = self.row_of_way(grid, way);
            return self.next_in(grid, row, point);
        }
        let count = self.code(count);
        self.stepped(grid, point, way, count)
    }

    /// The same, by arithmetic on a grid that does not wrap.
    fn stepped(&mut self, grid: u32, point: Value, way: Value, count: Value) -> Value {
        let definition = &self.unit.compiled.grids[grid as usize];
        let (rows, columns) = (definition.rows, definition.columns);
        self.fail_unless_below(way, definition.ways.len());
        if definition.wraps() {
            return self.stepped_over(grid, point, way, count);
        }
        let ways = &self.unit.ways[grid as usize];
        if let Some(steps) = ways.steps.clone() {
            let table = self.unit.table(Table::Shorts(steps));
            return self.stepped_by(definition, table, point, way, count);
        }
        let changes = ways.changes.clone();
        let changes = self.unit.keep_words(changes);
        let row = self.mul_imm(way, CHANGE);
        let [down, right, on] = [0, 1, 2].map(|place| {
            let place = self.add_imm(row, place);
            let change = self.of_table(changes, place);
            self.mul(change, count)
        });
        // More steps end off the grid anyway; fewer cannot overflow.
        let most = rows.max(columns);
        let steps = self.add_imm(count, most);
        let few = self.is_below(steps, usize::try_from(2 * most + 1).unwrap_or(0));
        let row = self.unsigned_div_imm(point, columns);
        let before = self.mul_imm(row, columns);
        let column = self.sub(point, before);
        let row = self.add(row, down);
        let column = self.add(column, right);
        let on_rows = self.is_below(row, usize::try_from(rows).unwrap_or(0));
        let on_columns = self.is_below(column, usize::try_from(columns).unwrap_or(0));
        let is_point = self.and(on_rows, on_columns);
        let is_point = self.and(is_point, few);
        let end = self.add(point, on);
        let none = self.none();
        self.select(is_point, end, none)
    }

    /// The same, on a grid that wraps.
    fn stepped_over(&mut self, grid: u32, point: Value, way: Value, count: Value) -> Value {
        let definition = &self.unit.compiled.grids[grid as usize];
        let (rows, columns, wraps) = (definition.rows, definition.columns, definition.wraps);
        let changes = self.unit.ways[grid as usize].changes.clone();
        let changes = self.unit.keep_words(changes);
        let way = self.mul_imm(way, CHANGE);
        let row = self.unsigned_div_imm(point, columns);
        let before = self.mul_imm(row, columns);
        let column = self.sub(point, before);
        let mut is_point = self.constant(1);
        let mut places = Vec::new();
        for (axis, start, length, wraps) in [(0, row, rows, wraps.0), (1, column, columns, wraps.1)]
        {
            let place = self.add_imm(way, axis);
            let change = self.of_table(changes, place);
            let steps = if wraps {
                // The remainder of whole turns, which may be negative.
                self.rem_imm(count, length)
            } else {
                // More steps end off the grid along this axis.
                let (least, most) = (self.constant(-length), self.constant(length));
                let steps = self.max(count, least);
                let is_less = self.compare(Condition::Less, steps, most);
                self.select(is_less, steps, most)
            };
            let far = self.mul(change, steps);
            let end = self.add(start, far);
            places.push(if wraps {
                let end = self.add_imm(end, length);
                self.unsigned_rem_imm(end, length)
            } else {
                let on = self.is_below(end, usize::try_from(length).unwrap_or(0));
                is_point = self.and(is_point, on);
                end
            });
        }
        let row = self.mul_imm(places[0], columns);
        let end = self.add(row, places[1]);
        let none = self.none();
        self.select(is_point, end, none)
    }

    /// The same, by [`Ways::steps`].
    fn stepped_by(
        &mut self,
        grid: &Grid,
        table: TableId,
        point: Value,
        way: Value,
        count: Value,
    ) -> Value {
        let points = usize::try_from(grid.rows * grid.columns).unwrap_or(0);
        self.fail_unless_below(point, points);
        let (steps, middle) = steps_in_way(grid);
        // More steps end off the grid anyway, as do as many as there are rows or columns.
        let mut step = self.plus(count, middle);
        if !self.is_known_below(step, usize::try_from(steps).unwrap_or(0)) {
            let last = self.constant(steps - 1);
            step = self.unsigned_min(step, last);
        }
        let row = self.times(point, word(grid.ways.len()));
        let row = self.sum_of(row, way);
        let row = self.times(row, steps);
        let place = self.sum_of(row, step);
        let end = self.of_narrow(table, place, Width::Short);
        let last = grid.rows * grid.columns - 1;
        self.ranged(end, (OFF, last));
        self.with_none(end, OFF, (0, last))
    }

    /// The direction from one point to another; none unless they lie on one of the eight lines.
    pub(super) fn way_between(&mut self, grid: u32, from: Value, to: Value) -> Value {
        let definition = &self.unit.compiled.grids[grid as usize];
        let (rows, columns) = (definition.rows, definition.columns);
        let [start, end] = [from, to].map(|point| {
            self.fail_unless_below(point, usize::try_from(rows * columns).unwrap_or(0));
            let row = self.unsigned_div_imm(point, columns);
            // In a table this wide, the difference of two indices encodes the differences of rows and of columns.
            let more = self.mul_imm(row, columns - 1);
            self.add(point, more)
        });
        let place = self.sub(end, start);
        let middle = (rows - 1) * (2 * columns - 1) + columns - 1;
        let place = self.add_imm(place, middle);
        let between = self.unit.ways[grid as usize].between.clone();
        let between = self.unit.keep_words(between);
        self.of_table(between, place)
    }

    /// The index in the table of next points where a direction begins.
    pub(super) fn row_of_way(&mut self, grid: u32, way: Value) -> Value {
        let definition = &self.unit.compiled.grids[grid as usize];
        let points = definition.rows * definition.columns;
        self.fail_unless_below(way, definition.ways.len());
        self.mul_imm(way, points)
    }

    /// The next point after another, in the part of the table for a direction.
    pub(super) fn next_in(&mut self, grid: u32, row: Value, point: Value) -> Value {
        let definition = &self.unit.compiled.grids[grid as usize];
        let points = usize::try_from(definition.rows * definition.columns).unwrap_or(0);
        self.fail_unless_below(point, points);
        let table = self.unit.ways[grid as usize].next.clone();
        let table = self.unit.keep_words(table);
        let place = self.add(row, point);
        let next = self.of_table(table, place);
        self.point_or_none(next, points)
    }

    /// Records that a value is one of `points` points, or none.
    pub(super) fn point_or_none(&mut self, value: Value, points: usize) -> Value {
        let bounds = Bounds {
            least: 0,
            greatest: word(points) - 1,
            optional: true,
        };
        self.bounded(value, bounds)
    }
}
