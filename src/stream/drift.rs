//! How the states of two games come apart, and by which rows.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Change, Entries, How, Row, Value,
    cause::{Cause, Pair},
};

/// A state, and of what.
type Place = (String, Vec<Value>);

/// The places of the state that are different, each with what made it so.
#[derive(Debug, Default)]
pub(super) struct Drift {
    /// The states that both games have.
    common: BTreeSet<String>,
    places: BTreeMap<Place, Apart>,
    /// How many came apart so far.
    count: usize,
}

/// A place that is different.
#[derive(Debug)]
struct Apart {
    cause: Cause,
    /// How many came apart before it.
    order: usize,
    /// The values of both sides, where they are known.
    values: Option<(Value, Value)>,
}

/// What becomes of a place.
pub(super) enum Step {
    /// It is different now.
    Apart(Place, Box<Cause>, Option<(Value, Value)>),
    /// It was different before, and has these values now.
    Still(Place, Value, Value),
}

impl Drift {
    /// What first made the states different, if they still are.
    pub(super) fn first(&self) -> Option<Cause> {
        let first = self.places.values().min_by_key(|apart| apart.order);
        first.map(|apart| apart.cause.clone())
    }

    /// What made a place different, if it is; all of a state where no place in it is named.
    pub(super) fn of(&self, state: &str, at: &[Value]) -> Option<Cause> {
        let places = self.places.iter().filter(|((name, place), _)| {
            name == state && (at.is_empty() || place.is_empty() || place == at)
        });
        let first = places.min_by_key(|(_, apart)| apart.order);
        first.map(|(_, apart)| apart.cause.clone())
    }

    /// What an event that both games had does to each place.
    pub(super) fn steps(&self, pair: Pair<'_>) -> Vec<Step> {
        let (one, other) = (places(&pair.one.changes), places(&pair.other.changes));
        let all: BTreeSet<&Place> = one.keys().chain(other.keys()).collect();
        let all = all
            .into_iter()
            .filter(|(state, _)| self.common.contains(state));
        let steps = all.filter_map(|place| {
            let (left, right) = (one.get(place).copied(), other.get(place).copied());
            match self.places.get(place) {
                Some(apart) => {
                    let (before_left, before_right) = apart.values.clone()?;
                    let value = |change: Option<&Change>, before| match change.map(|one| &one.how) {
                        Some(How::Became { to, .. }) => Some(to.clone()),
                        Some(How::Members { .. }) => None,
                        None => Some(before),
                    };
                    let values = (value(left, before_left)?, value(right, before_right)?);
                    Some(Step::Still(place.clone(), values.0, values.1))
                }
                None if left.map(|one| &one.how) == right.map(|one| &one.how) => None,
                None => {
                    let rows = |change: Option<&'_ Change>| {
                        change.map(|change| change.rows.clone()).unwrap_or_default()
                    };
                    let (rows_left, rows_right) = (rows(left), rows(right));
                    let (rows_left, rows_right): (Vec<&Row>, Vec<&Row>) =
                        (rows_left.iter().collect(), rows_right.iter().collect());
                    let cause = pair.rows(&place.0, &rows_left, &rows_right, &mut BTreeSet::new());
                    Some(Step::Apart(
                        place.clone(),
                        Box::new(cause),
                        values(left, right),
                    ))
                }
            }
        });
        steps.collect()
    }

    /// Notes what became of the places; and all state, where the event began a game.
    pub(super) fn apply(&mut self, steps: Vec<Step>, state: Option<(&Entries, &Entries)>) {
        for step in steps {
            match step {
                Step::Apart(place, cause, values) => self.insert(place, *cause, values),
                Step::Still(place, left, right) if left == right => {
                    self.places.remove(&place);
                }
                Step::Still(place, left, right) => {
                    if let Some(apart) = self.places.get_mut(&place) {
                        apart.values = Some((left, right));
                    }
                }
            }
        }
        let Some((Entries(one), Entries(other))) = state else {
            return;
        };
        self.places.clear();
        self.common.clear();
        for (name, left) in one {
            let Some((_, right)) = other.iter().find(|(other, _)| other == name) else {
                continue;
            };
            self.common.insert(name.clone());
            if left != right {
                let values = Some((left.clone(), right.clone()));
                self.insert((name.clone(), Vec::new()), Cause::start(name), values);
            }
        }
    }

    fn insert(&mut self, place: Place, cause: Cause, values: Option<(Value, Value)>) {
        let order = self.count;
        self.count += 1;
        let apart = Apart {
            cause,
            order,
            values,
        };
        self.places.insert(place, apart);
    }
}

fn places(changes: &[Change]) -> BTreeMap<Place, &Change> {
    let changes = changes.iter();
    changes
        .map(|change| ((change.state.clone(), change.at.clone()), change))
        .collect()
}

/// The values after changes of what was the same before.
fn values(left: Option<&Change>, right: Option<&Change>) -> Option<(Value, Value)> {
    match (left.map(|one| &one.how), right.map(|one| &one.how)) {
        (Some(How::Became { to: left, .. }), Some(How::Became { to: right, .. })) => {
            Some((left.clone(), right.clone()))
        }
        (Some(How::Became { from, to }), None) => Some((to.clone(), from.clone())),
        (None, Some(How::Became { from, to })) => Some((from.clone(), to.clone())),
        _ => None,
    }
}
