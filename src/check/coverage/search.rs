//! Searches a `by` table for combinations that no row matches.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Cells,
    column::{Classes, Column},
};
use crate::source::Span;

/// How many steps all searches of a table may take; a search that needs more accepts the table.
pub(super) const STEPS: usize = 1_000_000;

/// How many steps one search may take.
const STEPS_OF_ONE: usize = 100_000;

/// The result of a search.
pub(super) enum Gap {
    /// Every combination is matched.
    No,
    /// A combination that no row matches: a class for each column, or none where any will do.
    Yes(Vec<Option<usize>>),
    /// The search took too many steps.
    Unknown,
}

/// The search for a combination that no row matches.
struct Search<'r> {
    rows: &'r [&'r Cells],
    columns: &'r [Column],
    /// How many steps are left.
    steps: usize,
}

/// Searches the combinations in `wanted` for one that no row matches. Subtracts the cost from `steps`.
pub(super) fn find_gap(
    rows: &[&Cells],
    columns: &[Column],
    wanted: &Cells,
    steps: &mut usize,
) -> Gap {
    let allowed = STEPS_OF_ONE.min(*steps);
    let mut search = Search {
        rows,
        columns,
        steps: allowed,
    };
    let places: Vec<usize> = (0..rows.len()).collect();
    let mut witness = vec![None; wanted.len()];
    let is_open = search.column(wanted, 0, &places, &mut witness);
    *steps -= allowed - search.steps;
    match (is_open, search.steps) {
        (true, _) => Gap::Yes(witness),
        (false, 0) => Gap::Unknown,
        (false, _) => Gap::No,
    }
}

impl Search<'_> {
    /// Uses some steps. Without enough steps, the search finds nothing.
    fn pay(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    fn column(
        &mut self,
        wanted: &Cells,
        index: usize,
        rows: &[usize],
        witness: &mut [Option<usize>],
    ) -> bool {
        if rows.is_empty() {
            return true;
        }
        let Some(classes) = wanted.get(index) else {
            return false;
        };
        let candidates = classes.listed(&self.columns[index]);
        if !self.pay(1 + candidates.len()) {
            return false;
        }
        // The rows that match only some classes, by class, and those that match all.
        let mut some: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut all = Vec::new();
        for row in rows {
            let cell = &self.rows[*row][index];
            if !self.pay(cell.named()) {
                return false;
            }
            match cell {
                Classes::All => all.push(*row),
                Classes::Some(classes) => {
                    for class in classes {
                        some.entry(*class).or_default().push(*row);
                    }
                }
            }
        }
        // Classes that the same rows match are one case.
        let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
        for class in &candidates {
            let mut left = some.remove(class).unwrap_or_default();
            left.extend(&all);
            if !self.pay(left.len()) {
                return false;
            }
            if seen.contains(&left) {
                continue;
            }
            if self.column(wanted, index + 1, &left, witness) {
                let alike = candidates.len() > 1
                    && left.len() == rows.len()
                    && self.alike(rows, index, classes);
                witness[index] = (!alike).then_some(*class);
                return true;
            }
            seen.insert(left);
        }
        false
    }

    /// Whether the rows do not distinguish the classes of a column.
    fn alike(&self, rows: &[usize], index: usize, classes: &Classes) -> bool {
        rows.iter()
            .all(|row| self.rows[*row][index].covers(classes))
    }
}

/// The rows of a table, indexed by what they match.
pub(super) struct Rows<'r> {
    rows: Vec<(&'r Cells, Span)>,
    columns: Vec<ByClass>,
}

/// The rows by the classes that they match in one column.
#[derive(Default)]
struct ByClass {
    some: BTreeMap<usize, Vec<usize>>,
    all: Vec<usize>,
}

impl<'r> Rows<'r> {
    pub(super) fn new(columns: usize) -> Self {
        Rows {
            rows: Vec::new(),
            columns: (0..columns).map(|_| ByClass::default()).collect(),
        }
    }

    pub(super) fn push(&mut self, cells: &'r Cells, span: Span) {
        let row = self.rows.len();
        self.rows.push((cells, span));
        for (column, classes) in self.columns.iter_mut().zip(cells) {
            match classes {
                Classes::All => column.all.push(row),
                Classes::Some(classes) => {
                    for class in classes {
                        column.some.entry(*class).or_default().push(row);
                    }
                }
            }
        }
    }

    /// The rows that match something in `wanted`, in order; none if finding them takes more than `steps`. Only the most
    /// selective column is considered.
    pub(super) fn near(&self, wanted: &Cells, steps: &mut usize) -> Option<Vec<(&'r Cells, Span)>> {
        let meets = |(cells, _): &(&Cells, Span)| {
            let mut pairs = cells.iter().zip(wanted);
            pairs.all(|(cell, wanted)| cell.meets(wanted))
        };
        let columns = self.columns.iter().zip(wanted);
        let narrowed = columns.filter_map(|(column, classes)| match classes {
            Classes::All => None,
            Classes::Some(classes) => Some((column, classes)),
        });
        let narrowed = narrowed.map(|(column, classes)| (column.most(classes), column, classes));
        let named = wanted.iter().map(Classes::named).sum::<usize>();
        let Some((most, column, classes)) = narrowed.min_by_key(|(most, ..)| *most) else {
            *steps = steps.checked_sub(self.rows.len())?;
            return Some(self.rows.clone());
        };
        // A row that matches several of the classes is counted several times.
        *steps = steps.checked_sub(named + most)?;
        let mut near = column.matching(classes);
        near.sort_unstable();
        near.dedup();
        *steps = steps.checked_sub(near.len() * named)?;
        let near = near.into_iter().map(|row| self.rows[row]);
        Some(near.filter(meets).collect())
    }
}

impl ByClass {
    /// The rows that match one of these classes, repeated for each class they match.
    fn matching(&self, classes: &[usize]) -> Vec<usize> {
        let some = classes.iter().filter_map(|class| self.some.get(class));
        some.chain([&self.all]).flatten().copied().collect()
    }

    /// How many rows [`Self::matching`] returns.
    fn most(&self, classes: &[usize]) -> usize {
        let some = classes.iter().filter_map(|class| self.some.get(class));
        some.chain([&self.all]).map(Vec::len).sum()
    }
}
