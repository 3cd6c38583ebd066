//! The search for what the rows of a `by` table leave open.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Cells,
    column::{Classes, Column},
};
use crate::source::Span;

/// How many steps a table may take; one that needs more is accepted as it is.
const STEPS: usize = 100_000;

/// The search for a combination that no row matches.
pub(super) struct Search<'r> {
    rows: Vec<&'r Cells>,
    columns: &'r [Column],
    steps: usize,
}

impl<'r> Search<'r> {
    pub(super) fn new(rows: Vec<&'r Cells>, columns: &'r [Column]) -> Self {
        Search {
            rows,
            columns,
            steps: 0,
        }
    }

    /// A combination out of `wanted` that no row matches: a class for each column, or nothing where any will do.
    pub(super) fn open(&mut self, wanted: &Cells) -> Option<Vec<Option<usize>>> {
        let rows: Vec<usize> = (0..self.rows.len()).collect();
        let mut witness = vec![None; wanted.len()];
        self.column(wanted, 0, &rows, &mut witness)
            .then_some(witness)
    }

    fn column(
        &mut self,
        wanted: &Cells,
        index: usize,
        rows: &[usize],
        witness: &mut [Option<usize>],
    ) -> bool {
        self.steps += 1 + rows.len();
        if rows.is_empty() {
            return true;
        }
        let Some(classes) = wanted.get(index) else {
            return false;
        };
        if self.steps > STEPS {
            return false;
        }
        let candidates = classes.listed(&self.columns[index]);
        // The rows that match some classes only, by class, and those that match all.
        let mut some: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut all = Vec::new();
        for row in rows {
            match &self.rows[*row][index] {
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
            self.steps += left.len();
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

    /// Whether the rows do not tell the classes of a column apart.
    fn alike(&self, rows: &[usize], index: usize, classes: &Classes) -> bool {
        rows.iter()
            .all(|row| self.rows[*row][index].covers(classes))
    }
}

/// Rows of a table, to be found by what they match.
pub(super) struct Rows<'r> {
    rows: Vec<(&'r Cells, Span)>,
    columns: Vec<ByClass>,
}

/// Rows by what they match in one column.
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

    /// The rows that match something of `wanted`, in their order. Only those of the column that leaves fewest are
    /// looked at.
    pub(super) fn near(&self, wanted: &Cells) -> Vec<(&'r Cells, Span)> {
        let meets = |(cells, _): &(&Cells, Span)| {
            let mut pairs = cells.iter().zip(wanted);
            pairs.all(|(cell, wanted)| cell.meets(wanted))
        };
        let columns = self.columns.iter().zip(wanted);
        let narrowed = columns.filter_map(|(column, classes)| match classes {
            Classes::All => None,
            Classes::Some(classes) => Some((column, classes)),
        });
        match narrowed.min_by_key(|(column, classes)| column.most(classes)) {
            Some((column, classes)) => {
                let mut near = column.matching(classes);
                near.sort_unstable();
                near.dedup();
                let near = near.into_iter().map(|row| self.rows[row]);
                near.filter(meets).collect()
            }
            None => self.rows.clone(),
        }
    }
}

impl ByClass {
    /// The rows that match some of these classes: one that matches several comes several times.
    fn matching(&self, classes: &[usize]) -> Vec<usize> {
        let some = classes.iter().filter_map(|class| self.some.get(class));
        some.chain([&self.all]).flatten().copied().collect()
    }

    /// How many these are.
    fn most(&self, classes: &[usize]) -> usize {
        let some = classes.iter().filter_map(|class| self.some.get(class));
        some.chain([&self.all]).map(Vec::len).sum()
    }
}
