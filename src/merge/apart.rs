//! Rows of `by` tables that may stand anywhere: where no value matches two rows, their order decides nothing.

use std::collections::BTreeSet;

use super::{
    Merging,
    bodies::{self, List},
    targets::Location,
};
use crate::syntax::ast::{AddedRow, ByRow, Cell, CellKind, Expr, ExprKind, Item, Operator};

/// A value that a cell names, as far as that can be told before the types are known.
#[derive(Debug, Clone, Copy)]
enum Value<'a> {
    Member(&'a str),
    Numbers(i64, i64),
    YesNo(bool),
    None,
}

impl Value<'_> {
    /// Whether no value is both.
    fn is_apart(self, other: Value<'_>) -> bool {
        match (self, other) {
            (Value::Member(one), Value::Member(other)) => one != other,
            (Value::Numbers(from, to), Value::Numbers(least, most)) => to < least || most < from,
            (Value::YesNo(one), Value::YesNo(other)) => one != other,
            (Value::None, Value::None) => false,
            (Value::None, _) | (_, Value::None) => true,
            _ => false,
        }
    }
}

impl Merging<'_> {
    /// Whether no value matches both a row that is added to a `by` table and one that it has.
    pub(super) fn stand_apart(&mut self, location: &Location, added: &[AddedRow]) -> bool {
        let own = &self.layers.list[self.layer].items;
        let collective = self.items.iter().chain(own).filter_map(collective);
        let collective: BTreeSet<String> = collective.cloned().collect();
        let Some(List::By(rows)) = bodies::list(&mut self.items, location) else {
            return false;
        };
        added.iter().all(|row| match row {
            AddedRow::By(row) => rows.iter().all(|other| are_apart(row, other, &collective)),
            AddedRow::Row(_) | AddedRow::Member(_) => false,
        })
    }
}

/// A name that a cell may have and that is no member of a kind: it stands for another value, or for several.
fn collective(item: &Item) -> Option<&String> {
    match item {
        Item::Option(option) => Some(&option.name.text),
        Item::Kind(kind) => Some(&kind.name.text),
        Item::Product(product) => Some(&product.name.text),
        Item::Grid(grid) => Some(&grid.name.text),
        Item::Alias(alias) => Some(&alias.name.text),
        _ => None,
    }
}

fn are_apart(row: &ByRow, other: &ByRow, collective: &BTreeSet<String>) -> bool {
    let mut columns = row.cells.iter().zip(&other.cells);
    columns.any(|(one, other)| {
        let (Some(one), Some(other)) = (values(one, collective), values(other, collective)) else {
            return false;
        };
        let mut pairs = one
            .iter()
            .flat_map(|one| other.iter().map(move |two| (one, two)));
        pairs.all(|(one, other)| one.is_apart(*other))
    })
}

/// The values that a cell names; nothing where that cannot be told here.
fn values<'a>(cell: &'a Cell, collective: &BTreeSet<String>) -> Option<Vec<Value<'a>>> {
    match &cell.kind {
        CellKind::Match {
            negated: false,
            value,
        } => match &value.ungrouped().kind {
            ExprKind::Set(members) => members.iter().map(|one| of(one, collective)).collect(),
            _ => Some(vec![of(value, collective)?]),
        },
        CellKind::Match { negated: true, .. } | CellKind::Any => None,
    }
}

fn of<'a>(value: &'a Expr, collective: &BTreeSet<String>) -> Option<Value<'a>> {
    match &value.ungrouped().kind {
        ExprKind::Name(name) if !collective.contains(&name.text) => Some(Value::Member(&name.text)),
        ExprKind::Number(number) => Some(Value::Numbers(*number, *number)),
        ExprKind::Binary {
            operator: Operator::Range,
            left,
            right,
            ..
        } => match (of(left, collective)?, of(right, collective)?) {
            (Value::Numbers(from, _), Value::Numbers(to, _)) => Some(Value::Numbers(from, to)),
            _ => None,
        },
        ExprKind::YesNo(yes) => Some(Value::YesNo(*yes)),
        ExprKind::None => Some(Value::None),
        _ => None,
    }
}
