//! Definitions, tables and rows.

use super::super::ast::{self, Definition, How};
use super::{Printer, WIDTH};

impl Printer {
    /// What stands after `=`: an expression on the same line, or a table with its rows below.
    pub(super) fn definition(&mut self, definition: &Definition) {
        match definition {
            Definition::Expression(expr) => self.expr(expr),
            Definition::Table(table) => {
                let words = match table.how {
                    How::Any => "any of",
                    How::All => "all of",
                    How::First => "first of",
                    How::Highest => "highest of",
                    How::Lowest => "lowest of",
                    How::Sum => "sum of",
                    How::Union => "union of",
                    How::One => "",
                };
                self.put(words);
                self.rows(&table.rows);
            }
            Definition::By(table) => {
                self.put("by ");
                self.list(&table.keys, ", ", Self::expr);
                for row in &table.rows {
                    self.line(1);
                    self.by_row(row);
                }
            }
        }
    }

    /// Rows, each on a line of its own.
    pub(super) fn rows(&mut self, rows: &[ast::Row]) {
        for row in rows {
            self.line(1);
            self.row(row);
        }
    }

    /// `| label: value …`
    pub(super) fn row(&mut self, row: &ast::Row) {
        self.put("| ");
        self.name(&row.label);
        self.put(": ");
        self.row_body(row);
    }

    /// A row from its value on.
    pub(super) fn row_body(&mut self, row: &ast::Row) {
        if row.inline {
            self.put("inline ");
        }
        if row.maybe {
            self.put("maybe ");
        }
        self.expr(&row.value);
        self.optional(" => ", row.event.as_ref(), Self::expr);
        self.for_each(&row.bindings);
        self.conditions(&row.conditions);
    }

    /// `| label: cell, cell => value …`
    pub(super) fn by_row(&mut self, row: &ast::ByRow) {
        self.put("| ");
        if let Some(label) = &row.label {
            self.name(label);
            self.put(": ");
        }
        self.by_row_body(row);
    }

    /// A `by` row from its cells on.
    pub(super) fn by_row_body(&mut self, row: &ast::ByRow) {
        self.list(&row.cells, ", ", |printer, cell| match &cell.kind {
            ast::CellKind::Any => printer.put("any"),
            ast::CellKind::Match { negated, value } => {
                if *negated {
                    printer.put("not ");
                }
                printer.value(value);
            }
        });
        self.put(" => ");
        self.expr(&row.value);
        self.conditions(&row.conditions);
    }

    fn conditions(&mut self, conditions: &ast::Conditions) {
        self.optional(" when ", conditions.when.as_ref(), Self::expr);
        self.optional(" unless ", conditions.unless.as_ref(), Self::expr);
        self.optional(" says ", conditions.says.as_ref(), Self::quoted);
    }

    /// Members, on one line if there is room.
    pub(super) fn members(&mut self, members: &[ast::Member]) {
        let mut short = Printer::default();
        for member in members {
            short.put(" ");
            short.member(member);
        }
        if self.text.len() + short.text.len() <= WIDTH {
            self.put(&short.text);
            return;
        }
        for member in members {
            self.line(1);
            self.member(member);
        }
    }

    /// `| Name value value`
    pub(super) fn member(&mut self, member: &ast::Member) {
        self.put("| ");
        self.name(&member.name);
        for value in &member.values {
            self.put(" ");
            self.expr(value);
        }
    }
}
