//! The changes that a variant makes.

use super::{ByRow, Definition, Expr, Member, Name, Product, Row, Sight, Type};
use crate::source::Span;

/// A change that a variant makes.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// What it does.
    pub kind: ChangeKind,
    /// The whole item.
    pub span: Span,
}

/// What a change does.
#[derive(Debug, Clone)]
pub(crate) enum ChangeKind {
    /// `set size = 9`, `set worth of One = 2`
    Set {
        /// The option or attribute.
        name: Name,
        /// The member whose attribute changes.
        of: Option<Name>,
        /// The new constant.
        value: Expr,
    },
    /// `remove tick.restart`
    Remove {
        /// What goes.
        path: Path,
    },
    /// `replace tick.early = …`
    ReplaceDefinition {
        /// What is replaced.
        path: Path,
        /// By what.
        definition: Definition,
    },
    /// `replace type Couple = …`
    ReplaceType {
        /// The type.
        name: Name,
        /// What it stands for now.
        ty: Type,
    },
    /// `replace type Pair(first: Size, second: Size)`
    ReplaceProduct(Product),
    /// `replace level: Side?`
    Retype {
        /// What has the type.
        path: Path,
        /// Its type now.
        ty: Type,
        /// The round with which it begins again now; none where this is not said.
        per: Option<Name>,
        /// Who sees it now; none where this is not said.
        sight: Option<Sight>,
        /// Whether it is said to be an axis that wraps.
        wraps: bool,
    },
    /// `replace write Tile as "{shade of it}"`
    ReplaceWrite {
        /// The type.
        name: Name,
        /// How its values are written now.
        form: Expr,
    },
    /// `replace limit 1000`
    ReplaceLimit {
        /// How many events a game may have now.
        events: i64,
    },
    /// `replace tick.refused.late: "…" when …`; of `replace level: 0..9` only what the path leads to tells that it is
    /// a type.
    ReplaceRow {
        /// The row that is replaced; the new row bears its label.
        path: Path,
        /// By what.
        row: AddedRow,
    },
    /// `add to tick.report before blank | area: …`
    Add {
        /// Where.
        path: Path,
        /// Before or after which row.
        place: Option<Place>,
        /// What.
        rows: Vec<AddedRow>,
    },
    /// `except tick.wrong.late when …`
    Except {
        /// Which row.
        path: Path,
        /// Whether it was written with `unless`.
        negated: bool,
        /// When it does not fire.
        condition: Expr,
    },
}

/// `before blank`
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Whether it was `before`.
    pub before: bool,
    /// The row.
    pub label: Name,
}

/// A row of any of the three sorts.
#[derive(Debug, Clone)]
pub(crate) enum AddedRow {
    /// `| label: value when …`
    Row(Row),
    /// `| label: cell => value`
    By(ByRow),
    /// `| Two "2" 2`
    Member(Member),
}

/// `tick.refused.late`
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// The names between the dots.
    pub parts: Vec<Name>,
    /// The whole path.
    pub span: Span,
}
