//! Tables and their rows.

use super::{Expr, Name, Sight, Text};
use crate::source::Span;

/// The right side of a definition.
#[derive(Debug, Clone)]
pub(crate) enum Definition {
    /// `= level > 9`
    Expression(Expr),
    /// `= any of | late: …`
    Table(Table),
    /// `= by mode | Opening => 1`
    By(ByTable),
}

/// `first of | late: …`
#[derive(Debug, Clone)]
pub(crate) struct Table {
    /// How the rows that fire are combined.
    pub how: How,
    /// The rows in file order.
    pub rows: Vec<Row>,
    /// From the combining word to the last row.
    pub span: Span,
}

/// The word that a table begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// `any of`
    Any,
    /// `all of`
    All,
    /// `first of`
    First,
    /// `highest of`
    Highest,
    /// `lowest of`
    Lowest,
    /// `sum of`
    Sum,
    /// `union of`
    Union,
    /// The rows of a `new` clause without a word: those that fire must agree.
    One,
}

/// `by mode, late | Opening, any => 1`
#[derive(Debug, Clone)]
pub(crate) struct ByTable {
    /// The values that the columns are matched with.
    pub keys: Vec<Expr>,
    /// The rows in file order.
    pub rows: Vec<ByRow>,
    /// From `by` to the last row.
    pub span: Span,
}

/// `| opening: Opening, any => 1 when … unless … says "…"`
#[derive(Debug, Clone)]
pub(crate) struct ByRow {
    /// Its label, if written.
    pub label: Option<Name>,
    /// One cell for each key.
    pub cells: Vec<Cell>,
    /// The value of the row.
    pub value: Expr,
    pub conditions: Conditions,
    /// The whole row.
    pub span: Span,
}

/// One cell of a `by` row.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// What it matches.
    pub kind: CellKind,
    /// Its place in the source.
    pub span: Span,
}

/// What a cell matches.
#[derive(Debug, Clone)]
pub(crate) enum CellKind {
    /// `any`
    Any,
    /// `Opening`, `1..3`, `not none`
    Match {
        /// Whether it began with `not`.
        negated: bool,
        /// A value, or a collection of values.
        value: Expr,
    },
}

/// `| label: inline maybe value => event for x in s when c unless d says "…"`
#[derive(Debug, Clone)]
pub(crate) struct Row {
    /// Its name.
    pub label: Name,
    /// `inline`: the report goes on in the same line after the text.
    pub inline: bool,
    /// `maybe`: if the value is none, the next row is tried.
    pub maybe: bool,
    pub value: Expr,
    /// `=> roll(10)`: the event that a transcript's words stand for.
    pub event: Option<Expr>,
    /// `for x in s, y in t`
    pub bindings: Vec<Binding>,
    /// Who reads a row of a report, if it has `seen by` or `hidden`.
    pub sight: Option<Sight>,
    pub conditions: Conditions,
    /// The whole row.
    pub span: Span,
}

/// `when c unless d says "…"`
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    /// The condition after `when`.
    pub when: Option<Expr>,
    /// The condition after `unless`.
    pub unless: Option<Expr>,
    /// The text after `says`.
    pub says: Option<Text>,
    /// The place in a book that the row follows.
    pub cites: Option<Text>,
}

/// `x in s`
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    /// The variable.
    pub name: Name,
    /// What it ranges over.
    pub collection: Expr,
}
