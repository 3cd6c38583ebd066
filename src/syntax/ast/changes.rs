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
        /// What is removed.
        path: Path,
    },
    /// `replace tick.early = …`
    ReplaceDefinition {
        /// What is replaced.
        path: Path,
        /// The replacement.
        definition: Definition,
    },
    /// `replace type Couple = …`
    ReplaceType {
        /// The type.
        name: Name,
        /// Its new definition.
        ty: Type,
    },
    /// `replace type Pair(first: Size, second: Size)`
    ReplaceProduct(Product),
    /// `replace level: Side?`
    Retype {
        /// What has the type.
        path: Path,
        /// The new type.
        ty: Type,
        /// The new round, if one is given.
        per: Option<Name>,
        /// Who sees it now, if that is given.
        sight: Option<Sight>,
        /// Whether it has `wraps`.
        wraps: bool,
    },
    /// `replace write Tile as "{shade of it}"`
    ReplaceWrite {
        /// The type.
        name: Name,
        /// The new form of its values.
        form: Expr,
    },
    /// `replace limit 1000`
    ReplaceLimit {
        /// The new number of events that a game may have.
        events: i64,
    },
    /// `replace tick.refused.late: "…" when …`. In `replace level: 0..9`, only the target of the path shows that this
    /// is a type.
    ReplaceRow {
        /// The row that is replaced; the new row keeps its label.
        path: Path,
        /// The replacement.
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
        /// The row.
        path: Path,
        /// Whether it has `unless` instead of `when`.
        negated: bool,
        /// The condition under which it does not fire.
        condition: Expr,
    },
}

/// `before blank`
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Whether it is `before`.
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
