//! Checks tables that are matched by column.

use std::collections::BTreeMap;

use super::{Checker, Scope};
use crate::{
    diagnostic::{Code, Diagnostic, Severity},
    program::{ByRow, ByTable, Expr, Matches},
    source::Span,
    syntax::ast,
    types::{Constant, Type},
};

impl Checker<'_> {
    pub(super) fn by_table(
        &mut self,
        scope: &mut Scope,
        written: &ast::ByTable,
        declared: Option<&Type>,
        name: &str,
    ) -> (ByTable, Type) {
        let before = self.diagnostics.len();
        let keys: Vec<Expr> = written
            .keys
            .iter()
            .map(|key| self.expression(scope, key, None))
            .collect();
        for key in &keys {
            self.is_key(key);
        }
        let mut rows: Vec<ByRow> = Vec::new();
        let mut known: BTreeMap<String, Span> = BTreeMap::new();
        let mut joined = Type::Nothing;
        for row in &written.rows {
            let checked = self.by_row(scope, row, &keys, declared);
            if let Some(label) = &row.label
                && let Some(first) = known.get(&label.text)
            {
                self.same_label(label, *first);
            }
            known.entry(checked.label.clone()).or_insert(row.span);
            if let Some(ty) = crate::types::join(&joined, &checked.value.ty) {
                joined = ty;
            } else if declared.is_none() {
                // Without a declared type, each row is compared with the first.
                let message = format!(
                    "this row is {}, but the rows above are {}",
                    self.described(&checked.value.ty),
                    self.display(&joined)
                );
                self.report(Diagnostic::error(
                    Code::WrongType,
                    checked.value.span,
                    message,
                ));
            }
            rows.push(checked);
        }
        let ty = declared.cloned().unwrap_or(joined);
        for row in &mut rows {
            let value = std::mem::replace(&mut row.value, Self::wrong(row.span));
            row.value = self.fitted(value, &ty);
        }
        let table = ByTable { keys, rows };
        // An error in a cell would also cause a gap.
        let errors = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        if !self.diagnostics.iter().skip(before).any(errors) {
            self.coverage(&table, written, name);
        }
        (table, ty)
    }

    /// Requires a key of a `by` table to have a suitable type.
    pub(super) fn is_key(&mut self, key: &Expr) {
        match key.ty.required() {
            Type::Set(_) | Type::Bag(_) | Type::Pile(_) | Type::Map(..) => {}
            Type::Product(id) if self.resolved.types.product(*id).record => {}
            _ => return,
        }
        let text = self.text(key.span);
        let message = format!(
            "`{text}` is {}, but a `by` table looks up single values",
            self.described(&key.ty)
        );
        self.report(
            Diagnostic::error(Code::WrongType, key.span, message).help(format!(
                "look up something about it: `by {text} is empty`, `by size of {text}`"
            )),
        );
    }

    pub(super) fn by_row(
        &mut self,
        scope: &mut Scope,
        row: &ast::ByRow,
        keys: &[Expr],
        declared: Option<&Type>,
    ) -> ByRow {
        if row.cells.len() != keys.len() {
            let message = format!(
                "this row has {}, but the table has {}",
                crate::diagnostic::numbered(row.cells.len(), "cell"),
                crate::diagnostic::numbered(keys.len(), "column")
            );
            self.report(
                Diagnostic::error(Code::CellCount, row.span, message)
                    .help("write one cell for each column; `any` where it does not matter"),
            );
        }
        let cells: Vec<Matches> = row
            .cells
            .iter()
            .zip(keys)
            .map(|(cell, key)| self.cell(cell, &key.ty))
            .collect();
        let conditions = self.conditions_of(scope, &row.conditions);
        let value = self.expression(scope, &row.value, declared);
        let says = self.says(scope, row.conditions.says.as_ref());
        let label = match (&row.label, row.cells.first()) {
            (Some(label), _) => label.text.clone(),
            (None, Some(cell)) => self.text(cell.span),
            (None, None) => String::new(),
        };
        ByRow {
            label,
            cells,
            value,
            conditions,
            says,
            span: row.span,
        }
    }
}

/// Whether a cell matches a value.
pub(super) fn fits(cell: &Matches, key: &Constant) -> bool {
    match (cell, key) {
        (Matches::Any, _) => true,
        (
            Matches::Scalars { negated, none, .. } | Matches::Texts { negated, none, .. },
            Constant::None,
        ) => none != negated,
        (
            Matches::Scalars {
                negated, ranges, ..
            },
            Constant::Scalar(key),
        ) => {
            ranges
                .iter()
                .any(|(first, last)| first <= key && key <= last)
                != *negated
        }
        (Matches::Texts { negated, texts, .. }, Constant::Text(key)) => {
            texts.contains(key) != *negated
        }
        _ => false,
    }
}
