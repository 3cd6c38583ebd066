//! Points of grids: neighbours, lines, regions.

use super::{body::Body, ranges::Visit, word};
use crate::code::{Code, Loop, NONE, Slot, Source};
use crate::mir::{Address, Callee, Condition, Object, Space, Value};

/// The test whether any neighbour of a region has an entry.
pub(super) struct BoundaryTest<'c> {
    source: &'c Source,
    point: &'c Code,
    map: &'c Code,
    /// The entry as the byte that stores it.
    wanted: u8,
}

impl<'c> BoundaryTest<'c> {
    /// Recognises a loop of this form.
    pub(super) fn of(range: &'c Loop) -> Option<BoundaryTest<'c>> {
        let [(local, source)] = &*range.bindings else {
            return None;
        };
        let (
            Source::Boundary {
                point, map, slot, ..
            },
            Some(Code::EqualConstant(operand, wanted)),
        ) = (source, &range.condition)
        else {
            return None;
        };
        let (Code::Entry(entry), Slot::Byte { base }) = (&**operand, slot) else {
            return None;
        };
        let same = match (&entry.map, map) {
            (Code::Local(left), Code::Local(right)) => left == right && *left != *local,
            (Code::Fact(left), Code::Fact(right)) => left == right,
            (Code::Constant(left), Code::Constant(right)) => left == right,
            _ => false,
        };
        let by_point = matches!(&entry.key, Code::Local(key) if key == local);
        let Slot::Byte { base: other } = entry.slot else {
            return None;
        };
        if !same || !by_point || other != *base || entry.domain.base != 0 || entry.domain.optional {
            return None;
        }
        let wanted = if *wanted == NONE {
            u8::MAX
        } else {
            let kept = u8::try_from(wanted.checked_sub(*base)?).ok()?;
            (kept < u8::MAX).then_some(kept)?
        };
        Some(BoundaryTest {
            source,
            point,
            map,
            wanted,
        })
    }
}

impl<'b, 'c> Body<'b, 'c> {
    /// Visits the points of a source that depends on a grid.
    pub(super) fn each_point(&mut self, source: &'c Source, visit: Visit<'_, 'b, 'c>) {
        match source {
            Source::Beside { grid, point } => {
                let point = self.code(point);
                self.each_beside(*grid as usize, point, visit);
            }
            Source::Region { point, map, .. } | Source::Boundary { point, map, .. } => {
                let point = self.code(point);
                let map = self.code(map);
                self.search(source, point, map, visit);
            }
            Source::Line { grid, ends } => {
                let (from, to) = self.both(ends);
                let way = self.way_between(*grid, from, to);
                let is_some = self.is_some(way);
                self.if_nonzero(is_some, &mut |body| {
                    body.steps(*grid, from, way, Some(to), visit);
                });
            }
            Source::Ray { grid, start } => {
                let (from, way) = self.both(start);
                let wraps = self.unit.compiled.grids[*grid as usize].wraps();
                // On a grid that wraps, it ends before it returns to the start.
                self.steps(*grid, from, way, wraps.then_some(from), visit);
            }
            _ => self.fail(),
        }
    }

    /// Whether any neighbour of a region has an entry.
    pub(super) fn boundary_has(&mut self, test: &BoundaryTest<'c>) -> Value {
        let point = self.code(test.point);
        let map = self.code(test.map);
        let source = self.object(test.source, || {
            Object::Source(Box::new(test.source.clone()))
        });
        let wanted = self.constant(i64::from(test.wanted));
        self.call(Callee::BoundaryHas, &[source, point, map, wanted])
    }

    /// Visits the neighbours of a point.
    fn each_beside(&mut self, grid: usize, point: Value, visit: Visit<'_, 'b, 'c>) {
        let beside = &self.unit.beside[grid];
        let (stride, words) = (beside.stride, beside.table.len());
        let table = beside.table.clone();
        let table = self.unit.keep_words(table);
        self.fail_unless_below(point, words / stride);
        let row = self.times(point, word(stride));
        let at = Address::new(Space::Table(table)).based(row);
        let count = self.load_at(at);
        let one = self.constant(1);
        self.each_number(one, count, &mut |body, index| {
            let at = body.words_on(at, index);
            let neighbour = body.load_at(at);
            body.ranged(neighbour, (0, word(words / stride) - 1));
            visit(body, neighbour);
        });
    }

    /// Visits the points from a point in one direction, up to another if there is one.
    fn steps(
        &mut self,
        grid: u32,
        from: Value,
        way: Value,
        to: Option<Value>,
        visit: Visit<'_, 'b, 'c>,
    ) {
        let row = self.row_of_way(grid, way);
        let first = self.next_in(grid, row, from);
        let point = self.variable(first);
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(point);
        let definition = &self.unit.compiled.grids[grid as usize];
        let points = usize::try_from(definition.rows * definition.columns).unwrap_or(0);
        self.point_or_none(at, points);
        let mut goes_on = self.is_some(at);
        if let Some(to) = to {
            let short = self.compare(Condition::NotEqual, at, to);
            goes_on = self.and(goes_on, short);
        }
        self.branch(goes_on, inside, done);
        self.begin(inside);
        self.charge();
        let at = self.assume_some(at);
        visit(self, at);
        let next = self.next_in(grid, row, at);
        self.set(point, next);
        self.go_to(head);
        self.begin(done);
    }

    /// Visits the results of a search of a grid as they are found.
    fn search(&mut self, source: &'c Source, point: Value, map: Value, visit: Visit<'_, 'b, 'c>) {
        let source = self.object(source, || Object::Source(Box::new(source.clone())));
        let first = self.call(Callee::BeginSearch, &[source, point, map]);
        let found = self.variable(first);
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(found);
        let is_some = self.is_some(at);
        self.branch(is_some, inside, done);
        self.begin(inside);
        self.searches += 1;
        visit(self, at);
        self.searches -= 1;
        let next = self.call(Callee::NextPoint, &[]);
        self.set(found, next);
        self.go_to(head);
        self.begin(done);
        self.call(Callee::EndSearch, &[]);
    }
}
