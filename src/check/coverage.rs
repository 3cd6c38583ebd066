//! Coverage of tables: whether they have a row for every case, and whether every row can be reached.
//!
//! A `by` table is a matrix of cells. Each column is divided into the fewest classes of values that its cells
//! distinguish; whether the rows leave out a combination of classes is then the problem of pattern matching (Maranget,
//! Warnings for pattern matching), solved for all combinations and for those of each row.

mod column;
mod search;

use super::Checker;
use crate::{
    diagnostic::{Code, Diagnostic, listed},
    program::{ByRow, ByTable, How, Row},
    source::Span,
    syntax::ast,
};
use column::{Classes, Column};
use search::{Gap, Rows, STEPS, find_gap};

/// The classes of each column that a row matches.
type Cells = Vec<Classes>;

impl Checker<'_> {
    /// Reports gaps of a `by` table, cells that match nothing and rows that are never reached.
    pub(super) fn coverage(&mut self, table: &ByTable, written: &ast::ByTable, name: &str) {
        let wide = self.wide_columns(table, written);
        let exact: Vec<Column> = (0..table.keys.len())
            .map(|index| self.column(table, written, index))
            .collect();
        self.gap(table, written, name, &exact);
        self.never_taken(table, written, &wide);
    }

    fn gap(&mut self, table: &ByTable, written: &ast::ByTable, name: &str, columns: &[Column]) {
        let rows = table.rows.iter().filter(|row| row.conditions.is_empty());
        let Some(rows) = matrix(rows, columns) else {
            return;
        };
        let rows: Vec<&Cells> = rows.iter().collect();
        let all: Cells = columns.iter().map(|_| Classes::All).collect();
        let Gap::Yes(witness) = find_gap(&rows, columns, &all, &mut { STEPS }) else {
            return;
        };
        let mut missing = Vec::new();
        let mut cells = Vec::new();
        for ((column, class), key) in columns.iter().zip(&witness).zip(&written.keys) {
            match class {
                Some(class) => {
                    let (description, cell) = self.class(column, *class);
                    missing.push(format!("{} {description}", self.text(key.span)));
                    cells.push(cell);
                }
                None => cells.push("any".into()),
            }
        }
        let any = vec!["any"; columns.len()].join(", ");
        let message = if missing.is_empty() {
            format!("every row of `{name}` may be skipped")
        } else {
            format!("`{name}` has no row for {}", listed(&missing, "and"))
        };
        let help = if cells.iter().all(|cell| cell == "any") {
            format!("end with `| {any} => …`")
        } else {
            format!(
                "add `| {} => …`, or end with `| {any} => …`",
                cells.join(", ")
            )
        };
        let mut diagnostic = Diagnostic::error(
            Code::TableGap,
            written
                .span
                .head()
                .to(written.keys.last().map_or(written.span, |key| key.span)),
            message,
        )
        .help(help);
        if table.rows.iter().any(|row| !row.conditions.is_empty()) {
            diagnostic = diagnostic
                .note("a row with `when` or `unless` may be skipped, so it closes no gap");
        }
        self.report(diagnostic);
    }

    fn never_taken(&mut self, table: &ByTable, written: &ast::ByTable, columns: &[Column]) {
        let Some(matched) = matrix(table.rows.iter(), columns) else {
            return;
        };
        let mut steps = STEPS;
        let mut above = Rows::new(columns.len());
        for ((cells, row), checked) in matched.iter().zip(&written.rows).zip(&table.rows) {
            let empty = cells.iter().position(Classes::is_empty);
            if let Some(empty) = empty {
                if let (Some(cell), Some(key)) = (row.cells.get(empty), table.keys.get(empty)) {
                    self.matches_nothing(cell, key);
                }
                continue;
            }
            let Some(near) = above.near(cells, &mut steps) else {
                return;
            };
            let rows: Vec<&Cells> = near.iter().map(|(cells, _)| *cells).collect();
            if let Gap::No = find_gap(&rows, columns, cells, &mut steps) {
                // A single row above that matches all of it makes the best message.
                let by = near.iter().find(|(other, _)| covers(other, cells));
                self.unreachable(row.span, by.map(|(_, span)| *span));
            }
            if checked.conditions.is_empty() {
                above.push(cells, checked.span);
            }
        }
    }

    fn unreachable(&mut self, row: Span, by: Option<Span>) {
        let diagnostic = Diagnostic::error(
            Code::UnreachableRow,
            row,
            "this row is never reached: the rows above it match everything that it does",
        );
        self.report(match by {
            Some(by) => diagnostic
                .label(by, "this row comes first")
                .help("put it above that row, or leave it out"),
            None => diagnostic.help("put it above one of them, or leave it out"),
        });
    }

    fn matches_nothing(&mut self, cell: &ast::Cell, key: &crate::program::Expr) {
        let message = format!(
            "`{}` matches nothing: `{}` is {}",
            self.text(cell.span),
            self.text(key.span),
            self.described(&key.ty)
        );
        self.report(
            Diagnostic::error(Code::UnreachableRow, cell.span, message)
                .help("write a value that it can have, or leave out the row"),
        );
    }

    /// Reports rows of `first of` below one that always fires.
    pub(super) fn rows_below_last(&mut self, how: How, rows: &[Row]) {
        if how != How::First {
            return;
        }
        let always = |row: &&Row| {
            row.conditions.is_empty()
                && row.bindings.is_empty()
                && !row.maybe
                && !row.value.ty.is_optional()
                && row.value.ty != crate::types::Type::Wrong
        };
        let Some(last) = rows.iter().position(|row| always(&row)) else {
            return;
        };
        let always = rows.get(last).map_or(Span::default(), |row| row.span);
        if let Some(row) = rows.get(last + 1) {
            self.report(
                Diagnostic::error(
                    Code::UnreachableRow,
                    row.span,
                    format!(
                        "row `{}` is never reached: the row above always fires",
                        row.label
                    ),
                )
                .label(always, "this row has no `when` and no `unless`")
                .help("put it above that row, or say when that row fires"),
            );
        }
    }
}

/// The classes that the cells of each row match; none if there are too many.
fn matrix<'r>(rows: impl Iterator<Item = &'r ByRow>, columns: &[Column]) -> Option<Vec<Cells>> {
    let mut left = STEPS;
    let mut matrix = Vec::new();
    for row in rows {
        let pairs = row.cells.iter().zip(columns);
        let cells: Cells = pairs.map(|(cell, column)| column.matched(cell)).collect();
        left = left.checked_sub(cells.iter().map(Classes::named).sum())?;
        matrix.push(cells);
    }
    Some(matrix)
}

/// Whether one row alone matches everything that another does.
fn covers(row: &Cells, other: &Cells) -> bool {
    row.iter().zip(other).all(|(row, other)| row.covers(other))
}
