//! Disjoint rows of `by` tables: if no value matches two rows, their order does not matter.

use std::collections::BTreeSet;

use super::{
    Merging,
    bodies::{self, List},
    targets::Location,
};
use crate::syntax::ast::{AddedRow, ByRow, Cell, CellKind, Expr, ExprKind, Item, Operator};

/// A value in a cell, as far as it is known without types.
#[derive(Debug, Clone, Copy)]
enum Value<'a> {
    Member(&'a str),
    Numbers(i64, i64),
    YesNo(bool),
    None,
}

impl Value<'_> {
    /// Whether the two differ for sure.
    fn is_disjoint(self, other: Value<'_>) -> bool {
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
    /// Whether the rows added to a `by` table match no value that its own rows match.
    pub(super) fn are_disjoint(&mut self, location: &Location, added: &[AddedRow]) -> bool {
        let own = &self.layers.list[self.layer].items;
        let other_names = self.items.iter().chain(own).filter_map(other_names);
        let other_names: BTreeSet<String> = other_names.cloned().collect();
        let Some(List::By(rows)) = bodies::list(&mut self.items, location) else {
            return false;
        };
        added.iter().all(|row| match row {
            AddedRow::By(row) => rows
                .iter()
                .all(|other| rows_are_disjoint(row, other, &other_names)),
            AddedRow::Row(_) | AddedRow::Member(_) => false,
        })
    }
}

/// The name of an item that a cell may name and that is not a member: it means another value, or several.
fn other_names(item: &Item) -> Option<&String> {
    match item {
        Item::Option(option) => Some(&option.name.text),
        Item::Kind(kind) => Some(&kind.name.text),
        Item::Product(product) => Some(&product.name.text),
        Item::Grid(grid) => Some(&grid.name.text),
        Item::Alias(alias) => Some(&alias.name.text),
        _ => None,
    }
}

fn rows_are_disjoint(row: &ByRow, other: &ByRow, other_names: &BTreeSet<String>) -> bool {
    let mut columns = row.cells.iter().zip(&other.cells);
    columns.any(|(one, other)| {
        let (Some(one), Some(other)) = (values(one, other_names), values(other, other_names))
        else {
            return false;
        };
        let mut pairs = one
            .iter()
            .flat_map(|one| other.iter().map(move |two| (one, two)));
        pairs.all(|(one, other)| one.is_disjoint(*other))
    })
}

/// The values in a cell; none if they are unknown here.
fn values<'a>(cell: &'a Cell, other_names: &BTreeSet<String>) -> Option<Vec<Value<'a>>> {
    match &cell.kind {
        CellKind::Match {
            negated: false,
            value,
        } => match &value.ungrouped().kind {
            ExprKind::Set(members) => members.iter().map(|one| of(one, other_names)).collect(),
            _ => Some(vec![of(value, other_names)?]),
        },
        CellKind::Match { negated: true, .. } | CellKind::Any => None,
    }
}

fn of<'a>(value: &'a Expr, other_names: &BTreeSet<String>) -> Option<Value<'a>> {
    match &value.ungrouped().kind {
        ExprKind::Name(name) if !other_names.contains(&name.text) => {
            Some(Value::Member(&name.text))
        }
        ExprKind::Number(number) => Some(Value::Numbers(*number, *number)),
        ExprKind::Binary {
            operator: Operator::Range,
            left,
            right,
            ..
        } => match (of(left, other_names)?, of(right, other_names)?) {
            (Value::Numbers(from, _), Value::Numbers(to, _)) => Some(Value::Numbers(from, to)),
            _ => None,
        },
        ExprKind::YesNo(yes) => Some(Value::YesNo(*yes)),
        ExprKind::None => Some(Value::None),
        _ => None,
    }
}
