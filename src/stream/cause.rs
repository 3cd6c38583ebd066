//! Which rows made the reports of two games on the same transcript differ.

use std::collections::BTreeSet;

use super::{Ask, Change, Event, Fact, Outcome, Row, Said, Value, drift::Drift};

/// The rows that made a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What the rows belong to: a fact, a state, `report`.
    owner: String,
    /// The row of the one game, if one fired there.
    one: Option<Row>,
    /// That of the other.
    other: Option<Row>,
    /// Whether no row did it: it is so from the start.
    start: bool,
}

/// What happens at the same place under the two games, and where their states have come apart before.
#[derive(Clone, Copy)]
pub(super) struct Pair<'e> {
    pub(super) one: &'e Event,
    pub(super) other: &'e Event,
    pub(super) drift: &'e Drift,
}

impl Cause {
    /// What first makes the events of one game different from those of another on the same transcript, as
    /// [`Watched::thorough`](crate::game::Watched::thorough) tells them, if rows do; and on which of its lines.
    pub fn first(
        one: impl Iterator<Item = Box<Event>>,
        other: impl Iterator<Item = Box<Event>>,
    ) -> Option<(Cause, usize)> {
        Cause::all(one, other, 0).into_iter().next()
    }

    /// As [`Cause::first`], and what else makes the next `further` events different, each row once, as long as both
    /// games go through the same events.
    pub fn all(
        one: impl Iterator<Item = Box<Event>>,
        other: impl Iterator<Item = Box<Event>>,
        further: usize,
    ) -> Vec<(Cause, usize)> {
        let mut drift = Drift::default();
        let mut found: Vec<(Cause, usize)> = Vec::new();
        let (mut line, mut further) = (0, further);
        // Where one has no more events, what stopped it is all there is to say.
        for (one, other) in one.zip(other) {
            let pair = Pair {
                one: &one,
                other: &other,
                drift: &drift,
            };
            if let Some(cause) = pair.cause()
                && !found.iter().any(|(known, _)| known.name() == cause.name())
            {
                found.push((cause, one.line));
            }
            if !pair.is_same_event() || !found.is_empty() && further == 0 {
                break;
            }
            if !found.is_empty() {
                further -= 1;
            }
            line = one.line;
            let steps = drift.steps(pair);
            drift.apply(steps, one.state.as_ref().zip(other.state.as_ref()));
        }
        if found.is_empty() {
            found.extend(drift.first().map(|cause| (cause, line)));
        }
        found
    }

    /// Rows of an owner: those that fired on one side only; or the first, where the same fired.
    pub(super) fn new(owner: &str, one: &[&Row], other: &[&Row]) -> Cause {
        let only = |rows: &[&Row], others: &[&Row]| {
            let mut rows = rows.iter();
            let row = rows.find(|row| {
                others
                    .iter()
                    .all(|other| other.place.name != row.place.name)
            });
            row.map(|row| (*row).clone())
        };
        let first = |rows: &[&Row]| rows.first().map(|row| (*row).clone());
        let (left, right) = (only(one, other), only(other, one));
        let (left, right) = if left.is_none() && right.is_none() {
            (first(one), first(other))
        } else {
            (left, right)
        };
        Cause {
            owner: owner.to_string(),
            one: left,
            other: right,
            start: false,
        }
    }

    /// A state begins with another value.
    pub(super) fn start(state: &str) -> Cause {
        Cause {
            start: true,
            ..Cause::new(state, &[], &[])
        }
    }

    /// The name under which it is counted: `owner.row`.
    #[must_use]
    pub fn name(&self) -> String {
        let name = |row: &Row| self.named(row);
        match (&self.one, &self.other) {
            (Some(one), Some(other)) if one.place.name == other.place.name => name(one),
            (Some(one), Some(other)) => {
                let (one, other) = (name(one), name(other));
                format!("{} and {}", (&one).min(&other), (&one).max(&other))
            }
            (Some(row), None) | (None, Some(row)) => name(row),
            (None, None) if self.start => format!("{} at the start", self.owner),
            (None, None) => self.owner.clone(),
        }
    }

    /// The row of each side with its place, as it is shown.
    #[must_use]
    pub fn sides(&self) -> (String, String) {
        let side = |row: &Option<Row>| match row {
            Some(row) => format!(
                "{}  {}:{}",
                self.named(row),
                row.place.file,
                row.place.start.line
            ),
            None if self.start => self.name(),
            None => format!("(no row of {})", self.owner),
        };
        (side(&self.one), side(&self.other))
    }

    /// The row of each side, with the name that it has beside its owner's.
    #[must_use]
    pub fn rows(&self) -> [Option<(String, &Row)>; 2] {
        [&self.one, &self.other].map(|row| row.as_ref().map(|row| (self.named(row), row)))
    }

    fn named(&self, row: &Row) -> String {
        row_name(&self.owner, row.place.name.as_deref())
    }
}

impl Pair<'_> {
    /// Whether both are the same event of the same words.
    pub(super) fn is_same_event(&self) -> bool {
        let (one, other) = (self.one, self.other);
        (one.line, one.by, &one.event, &one.fields)
            == (other.line, other.by, &other.event, &other.fields)
    }

    /// What makes the two events say different things, or go on differently.
    pub(super) fn cause(&self) -> Option<Cause> {
        let (one, other) = (self.one, self.other);
        if !self.is_same_event() {
            let rows = |event: &'_ Event| event.row.clone().into_iter().collect::<Vec<Row>>();
            let (left, right) = (rows(one), rows(other));
            let (left, right) = (
                left.iter().collect::<Vec<_>>(),
                right.iter().collect::<Vec<_>>(),
            );
            let chosen = self.rows("choice", &left, &right, &mut BTreeSet::new());
            let is_chosen = chosen.one.is_some() || chosen.other.is_some();
            return self.drift.first().or(is_chosen.then_some(chosen));
        }
        let mut seen = BTreeSet::new();
        if one.impossible.as_ref().map(text) != other.impossible.as_ref().map(text) {
            let row = |event: &'_ Event| event.impossible.as_ref().map(|said| said.row.clone());
            let (left, right) = (row(one), row(other));
            let (left, right): (Vec<&Row>, Vec<&Row>) =
                (left.iter().collect(), right.iter().collect());
            return Some(self.rows("impossible", &left, &right, &mut seen));
        }
        if one.refused != other.refused {
            let names = one.refused.iter().chain(&other.refused);
            let mut causes = names.filter_map(|name| self.fact(name, &[], &mut seen));
            return causes.next();
        }
        if let Some((left, right)) = said_differently(&one.said, &other.said) {
            return Some(self.rows("report", &left, &right, &mut seen));
        }
        let ends = |event: &Event| event.outcome == Outcome::Over;
        if ends(one) != ends(other) {
            return self.fact("over", &[], &mut seen);
        }
        None
    }

    /// What made some rows fire differently: the deepest difference below them, or they themselves.
    pub(super) fn rows(
        &self,
        owner: &str,
        one: &[&Row],
        other: &[&Row],
        seen: &mut BTreeSet<Ask>,
    ) -> Cause {
        let all = || one.iter().chain(other);
        // What a value is made from says more than when it is due.
        let asks = all()
            .flat_map(|row| &row.uses)
            .chain(all().flat_map(|row| &row.when));
        for ask in asks {
            if seen.insert(ask.clone())
                && let Some(cause) = self.below(ask, seen)
            {
                return cause;
            }
        }
        let one_sided = self.one_sided(one, other);
        one_sided
            .or_else(|| self.rewritten(owner, one, other))
            .unwrap_or_else(|| Cause::new(owner, one, other))
    }

    /// If an entry of a state changes on one side only: a row of that state which fired on both sides, for whatever
    /// entry, and which each game has in another file.
    fn rewritten(&self, state: &str, one: &[&Row], other: &[&Row]) -> Option<Cause> {
        if one.is_empty() == other.is_empty() {
            return None;
        }
        let rows = |event: &'_ Event| {
            let changes = event.changes.iter().filter(|change| change.state == state);
            let rows = changes.flat_map(|change| change.rows.iter().cloned());
            rows.collect::<Vec<Row>>()
        };
        let (left, right) = (rows(self.one), rows(self.other));
        left.iter().find_map(|one| {
            let is_other = |other: &&Row| {
                other.place.name == one.place.name && other.place.file != one.place.file
            };
            let other = right.iter().find(is_other)?;
            Some(Cause::new(state, &[one], &[other]))
        })
    }

    /// If the same row fired on both sides: the first fact that it asks for on one side only, because the other game has no
    /// such fact. (If it was not asked for because another part of the row decided, that part is the cause.)
    fn one_sided(&self, one: &[&Row], other: &[&Row]) -> Option<Cause> {
        let ([left], [right]) = (one, other) else {
            return None;
        };
        let place = |row: &Row| (row.place.file.clone(), row.place.start.line);
        if place(left) != place(right) {
            return None;
        }
        let asks = |row: &Row| {
            row.uses
                .iter()
                .chain(&row.when)
                .cloned()
                .collect::<Vec<_>>()
        };
        let (left, right) = (asks(left), asks(right));
        let only = |event: &'_ Event, asks: &[Ask], others: &[Ask]| {
            let mut asks = asks.iter().filter(|ask| !others.contains(ask));
            asks.find_map(|ask| {
                let Ask::Fact { fact, of } = ask else {
                    return None;
                };
                let told = find(event, fact, of)?;
                // A game without the fact decides as if it did not hold.
                let holds = told.value != Value::YesNo(false);
                (holds && !told.rows.is_empty()).then_some(told)
            })
        };
        if let Some(Fact { fact, rows, .. }) = only(self.one, &left, &right) {
            return Some(Cause::new(&fact, &rows.iter().collect::<Vec<_>>(), &[]));
        }
        let Fact { fact, rows, .. } = only(self.other, &right, &left)?;
        Some(Cause::new(&fact, &[], &rows.iter().collect::<Vec<_>>()))
    }

    /// What made something different that a row asks for, if it is.
    fn below(&self, ask: &Ask, seen: &mut BTreeSet<Ask>) -> Option<Cause> {
        match ask {
            Ask::Fact { fact, of } => self.fact(fact, of, seen),
            Ask::State { state, at, new } => {
                let before = self.drift.of(state, at);
                if before.is_some() || !new {
                    return before;
                }
                let changes = |event: &'_ Event| {
                    let changes = event.changes.iter();
                    let meant = changes.filter(|change| {
                        change.state == *state && (at.is_empty() || change.at == *at)
                    });
                    meant.cloned().collect::<Vec<_>>()
                };
                let (one, other) = (changes(self.one), changes(self.other));
                let mut left = one.iter().filter(|change| !has(&other, change)).peekable();
                let mut right = other.iter().filter(|change| !has(&one, change)).peekable();
                if left.peek().is_none() && right.peek().is_none() {
                    return None;
                }
                let left: Vec<&Row> = left.flat_map(|change| &change.rows).collect();
                let right: Vec<&Row> = right.flat_map(|change| &change.rows).collect();
                Some(self.rows(state, &left, &right, seen))
            }
        }
    }

    /// What made a fact different, if it is.
    fn fact(&self, name: &str, of: &[Value], seen: &mut BTreeSet<Ask>) -> Option<Cause> {
        let (one, other) = (find(self.one, name, of)?, find(self.other, name, of)?);
        if one.value == other.value {
            return None;
        }
        let (left, right): (Vec<&Row>, Vec<&Row>) =
            (one.rows.iter().collect(), other.rows.iter().collect());
        Some(self.rows(name, &left, &right, seen))
    }
}

/// What an event tells of a fact.
fn find(event: &Event, name: &str, of: &[Value]) -> Option<Fact> {
    let mut facts = event.facts.iter();
    let told = facts.find(|fact| fact.fact == name && fact.of == of);
    told.cloned()
}

/// Whether there is a change to the same.
fn has(changes: &[Change], wanted: &Change) -> bool {
    let mut changes = changes.iter();
    changes.any(|change| {
        (&change.state, &change.at, &change.how) == (&wanted.state, &wanted.at, &wanted.how)
    })
}

fn text(said: &Said) -> &str {
    &said.text
}

/// The rows that first say something different: of each side the one that says it, unless only the other side has that
/// row.
fn said_differently<'e>(
    one: &'e [Said],
    other: &'e [Said],
) -> Option<(Vec<&'e Row>, Vec<&'e Row>)> {
    let index = (0..one.len().max(other.len())).find(|index| {
        let line = |said: &[Said]| {
            said.get(*index)
                .map(|said| (said.text.clone(), said.inline))
        };
        line(one) != line(other)
    })?;
    let (left, right) = (one.get(index), other.get(index));
    let says = |said: &[Said], row: &Row| {
        said.iter()
            .any(|said| said.row.place.name == row.place.name)
    };
    let own = |said: Option<&'e Said>| said.map(|said| &said.row);
    let (left, right) = (own(left), own(right));
    let same = match (left, right) {
        (Some(left), Some(right)) => left.place.name == right.place.name,
        _ => false,
    };
    if same {
        return Some((left.into_iter().collect(), right.into_iter().collect()));
    }
    let alone = |row: Option<&'e Row>, others: &[Said]| {
        let row = row.filter(|row| !says(others, row));
        row.into_iter().collect::<Vec<&Row>>()
    };
    let (alone_left, alone_right) = (alone(left, other), alone(right, one));
    if alone_left.is_empty() && alone_right.is_empty() {
        // The same rows say other things, or in another order.
        return Some((left.into_iter().collect(), right.into_iter().collect()));
    }
    Some((alone_left, alone_right))
}

/// The name of a row of a fact, of a state, of a report: `owner.row`, or the owner where it has no rows with names.
#[must_use]
pub fn row_name(owner: &str, row: Option<&str>) -> String {
    let owner = owner
        .strip_prefix("new ")
        .or_else(|| owner.strip_prefix("previous "))
        .unwrap_or(owner);
    match row {
        Some(row) => format!("{owner}.{row}"),
        None => owner.to_string(),
    }
}
