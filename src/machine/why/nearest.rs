//! Events that differ from the current one in a single field, nearest first.

use std::collections::VecDeque;

use super::Machine;
use crate::{
    code::{Field, NONE, Path, Shape, Values, explain::Metric},
    fault::{Fault, Stop},
    machine::{
        ALL_COUNTS, LONGEST_PATH,
        legal::Reason,
        memory::{at, handle},
    },
};

/// At most this many events are tried.
const MOST_EVENTS: usize = 1 << 11;

/// How much fuel a search for other events may use. An explanation does without what takes more to find.
const FUEL_OF_SEARCH: u64 = 1 << 20;

/// The fuel that there was before a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FuelBefore {
    fuel: u64,
    allowed: u64,
    game_fuel: u64,
    light_work: u64,
}

/// A field with another value, and its distance from the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    pub(crate) distance: u64,
    pub(crate) field: usize,
    pub(crate) value: i64,
}

impl<'c> Machine<'c> {
    /// For each field of the current event, the nearest value with which the event is possible (or, with `refused`, may
    /// be refused) and `wanted` holds. Sorted by distance. Also gives whether all other values were tried. There is a
    /// metric for each field. The current event is the same afterwards.
    ///
    /// # Errors
    /// What `wanted` or a search fails with; events whose rows fail are skipped.
    fn search_nearest(
        &mut self,
        metrics: &[Metric],
        refused: bool,
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<(Vec<Change>, bool), Stop> {
        let compiled = self.compiled;
        let event = self.event;
        let mut found = Vec::new();
        let mut tries_all = true;
        let mut left = MOST_EVENTS;
        for (place, field) in compiled.events[event].fields.iter().enumerate() {
            let old = self.field(place);
            let metric = metrics.get(place).copied().unwrap_or(Metric::Discrete);
            tries_all &= match (&field.values, &field.shape) {
                (Values::Endless, Shape::Counts { domain }) => domain.count <= left,
                (Values::Endless, shape) => matches!(shape, Shape::Bits { .. }),
                _ => true,
            };
            let mut changes = match &field.path {
                Some(path) => {
                    let (changes, all) = self.paths_beside(field, path, old, left)?;
                    tries_all &= all;
                    changes
                }
                None => self.values_beside(field, old, metric, left)?,
            };
            // A point that is far away counts no more than a near one when fields are compared.
            if let Metric::Grid(grid) = metric
                && old != NONE
            {
                let grid = &compiled.grids[grid as usize];
                changes.sort_by_cached_key(|(distance, point)| {
                    let apart = (*point != NONE).then(|| grid.distance(old, *point));
                    (*distance, apart, *point)
                });
            } else {
                changes.sort_unstable();
            }
            let top = self.top;
            for (distance, value) in changes {
                if left == 0 {
                    tries_all = false;
                    break;
                }
                left -= 1;
                if self.would((place, value), refused, wanted)? {
                    found.push(Change {
                        distance,
                        field: place,
                        value,
                    });
                    break;
                }
                self.top = top;
            }
            self.epoch += 1;
            self.set_field(place, old);
        }
        found.sort_unstable();
        Ok((found, tries_all))
    }

    /// As [`Machine::search_nearest`], with little fuel: finds nothing if that is not enough.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn nearest(
        &mut self,
        metrics: &[Metric],
        refused: bool,
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<(Vec<Change>, bool), Stop> {
        let fields = self.current_fields();
        let (base, frame_top, said) = (self.base, self.frame_top, self.out.len());
        let before = self.limit_fuel();
        let found = self.search_nearest(metrics, refused, wanted);
        self.restore_fuel(before);
        match found {
            Err(stop) if matches!(*stop, Fault::Work) => {
                (self.base, self.frame_top) = (base, frame_top);
                self.out.truncate(said);
                self.take_event(self.event, &fields);
                Ok((Vec::new(), false))
            }
            found => found,
        }
    }

    /// Leaves only the fuel of a search, also after [`Machine::forget`], and counts all work, however light.
    /// [`Machine::restore_fuel`] takes what this returns.
    pub(crate) fn limit_fuel(&mut self) -> FuelBefore {
        let before = FuelBefore {
            fuel: self.fuel,
            allowed: self.allowed,
            game_fuel: self.game_fuel,
            light_work: self.light_work,
        };
        self.fuel = before.fuel.min(FUEL_OF_SEARCH);
        self.allowed = self.fuel;
        self.game_fuel = before.game_fuel.min(FUEL_OF_SEARCH);
        self.light_work = ALL_COUNTS;
        before
    }

    /// Ends what [`Machine::limit_fuel`] began.
    pub(crate) fn restore_fuel(&mut self, before: FuelBefore) {
        self.fuel = before.fuel;
        self.allowed = before.allowed;
        self.game_fuel = before.game_fuel;
        self.light_work = before.light_work;
    }

    /// Gives a field of the current event another value, and returns the change that undoes it.
    pub(crate) fn exchange(&mut self, change: Change) -> Change {
        let old = self.field(change.field);
        self.epoch += 1;
        self.set_field(change.field, change.value);
        Change {
            value: old,
            ..change
        }
    }

    /// The members of the paths among the fields of the current event, which a search would overwrite.
    pub(crate) fn paths_in_hand(&mut self) -> Result<Vec<(usize, Vec<i64>)>, Stop> {
        let compiled = self.compiled;
        let mut paths = Vec::new();
        for (place, field) in compiled.events[self.event].fields.iter().enumerate() {
            if field.path.is_some() {
                let path = self.field(place);
                paths.push((place, self.members(path, &field.shape)?));
            }
        }
        Ok(paths)
    }

    /// Gives the current event these paths again.
    pub(crate) fn take_paths(&mut self, paths: &[(usize, Vec<i64>)]) -> Result<(), Stop> {
        for (place, members) in paths {
            // The empty path is 0.
            let mut path = 0;
            for member in members {
                path = self.then_word(path, *member)?;
            }
            self.set_field(*place, path);
        }
        Ok(())
    }

    /// Whether the event is possible (or, with `refused`, may be refused) with another value of a field, and is
    /// `wanted`.
    fn would(
        &mut self,
        (place, value): (usize, i64),
        refused: bool,
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let event = self.event;
        self.epoch += 1;
        self.set_field(place, value);
        let (base, frame_top, said) = (self.base, self.frame_top, self.out.len());
        let would = match self.reason(event) {
            Ok(None) => wanted(self),
            Ok(Some(Reason::Refused(..))) if refused => wanted(self),
            Ok(Some(_)) => Ok(false),
            Err(stop) => Err(stop),
        };
        (self.base, self.frame_top) = (base, frame_top);
        self.out.truncate(said);
        match would {
            Err(stop) if matches!(*stop, Fault::Rules { .. }) => Ok(false),
            would => would,
        }
    }

    /// At most `most` other paths of a field, each with its distance: the number of members after the prefix that it
    /// shares with `old`, or that of `old` if larger. Searches paths with a long common prefix first. Also gives
    /// whether these are all.
    fn paths_beside(
        &mut self,
        field: &'c Field,
        path: &'c Path,
        old: i64,
        most: usize,
    ) -> Result<(Vec<(u64, i64)>, bool), Stop> {
        let members = self.members(old, &field.shape)?;
        // The empty path is 0.
        let mut same = vec![0];
        for member in &members {
            let before = same.last().copied().unwrap_or(0);
            same.push(self.then_word(before, *member)?);
        }
        let mut found = Vec::new();
        for (common, start) in same.into_iter().enumerate().rev() {
            let left = members.len() - common;
            let mut open = VecDeque::from([(start, 0)]);
            while let Some((at, more)) = open.pop_front() {
                if more > 0 || left > 0 {
                    found.push((u64::try_from(left.max(more)).unwrap_or(u64::MAX), at));
                }
                let next = match self.next_of_path(path, at) {
                    Err(stop) if matches!(*stop, Fault::Rules { .. }) => return Ok((found, false)),
                    next => next?,
                };
                for member in next {
                    if more == 0 && members.get(common) == Some(&member) {
                        continue;
                    }
                    if found.len() + open.len() >= most || common + more >= LONGEST_PATH {
                        return Ok((found, false));
                    }
                    let longer = self.then_word(at, member)?;
                    let outside = match &field.check {
                        Some(check) => self.outside(longer, check)?.is_some(),
                        None => false,
                    };
                    if !outside {
                        open.push_back((longer, more + 1));
                    }
                }
            }
        }
        Ok((found, true))
    }

    /// At most `most` other values of a field, each with its distance.
    fn values_beside(
        &mut self,
        field: &'c Field,
        old: i64,
        metric: Metric,
        most: usize,
    ) -> Result<Vec<(u64, i64)>, Stop> {
        let mut values = Vec::new();
        match (&field.values, &field.shape) {
            (Values::Of(domain), _) => {
                for index in 0..domain.count {
                    let value = domain.value(index);
                    let is_number = matches!(metric, Metric::Numbers);
                    let distance = if is_number && value != NONE && old != NONE {
                        value.abs_diff(old)
                    } else {
                        // None is farther away than any other value.
                        1 + u64::from(value == NONE)
                    };
                    values.push((distance, value));
                }
            }
            (Values::Sets(members), _) => {
                for set in 0..(1i64 << members) {
                    values.push((u64::from((set ^ old).count_ones()), set));
                }
            }
            (Values::Endless, Shape::Bits { domain }) if old != NONE => {
                let all = 0..domain.count;
                values.extend(all.clone().map(|bit| (1, old ^ (1 << bit))));
                for set in all.clone().filter(|bit| old >> bit & 1 == 1) {
                    let others = all.clone().filter(|bit| old >> bit & 1 == 0);
                    values.extend(others.map(|other| (2, old ^ (1 << set) ^ (1 << other))));
                }
            }
            (Values::Endless, Shape::Counts { domain }) if old != NONE => {
                // Prefer removing a piece to adding one, and adding one to replacing one.
                let all = 0..domain.count.min(most);
                let present = all.clone().filter(|index| self.load(at(old) + index) > 0);
                let present: Vec<usize> = present.collect();
                let fewer = present.iter().map(|index| (1, Some(*index), None));
                let more = all.clone().map(|index| (1, None, Some(index)));
                let others = present.iter().flat_map(|present| {
                    let others = all.clone().filter(move |other| other != present);
                    others.map(move |other| (2, Some(*present), Some(other)))
                });
                let changes = fewer.chain(more).chain(others);
                let changes: Vec<_> = changes.take(most.saturating_add(1)).collect();
                for (distance, from, to) in changes {
                    let block = self.copy(at(old), domain.count)?;
                    for (index, more) in [(from, -1), (to, 1)] {
                        if let Some(index) = index {
                            let count = self.load(block + index);
                            self.store(block + index, count + more);
                        }
                    }
                    values.push((distance, handle(block)));
                }
            }
            _ => {}
        }
        values.retain(|(_, value)| *value != old);
        let mut possible = Vec::new();
        for (distance, value) in values {
            let is_value = value == NONE
                || field
                    .partial
                    .is_none_or(|partial| self.is_value(partial, value));
            let passes = match &field.check {
                Some(check) => self.outside(value, check)?.is_none(),
                None => true,
            };
            if is_value && passes {
                possible.push((distance, value));
            }
        }
        Ok(possible)
    }
}
