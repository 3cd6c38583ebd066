//! A column of a `by` table, divided into the classes of values that its cells distinguish.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Checker;
use crate::{
    program::{ByTable, Matches},
    resolve::Entity,
    syntax::ast,
    types::{Interval, Type},
};

/// The values of a column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) ty: Type,
    pub(super) classes: Vec<Class>,
    /// The classes of scalars, by their first values.
    begins: BTreeMap<i64, usize>,
    /// The classes of texts.
    texts: BTreeMap<String, usize>,
}

/// Some classes of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Classes {
    /// All of them.
    All,
    /// These, in order, but not all.
    Some(Vec<usize>),
}

impl Classes {
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Classes::Some(classes) if classes.is_empty())
    }

    /// Whether `self` includes all of the others.
    pub(super) fn covers(&self, others: &Classes) -> bool {
        match (self, others) {
            (Classes::All, _) => true,
            (Classes::Some(_), Classes::All) => false,
            (Classes::Some(classes), Classes::Some(others)) => others
                .iter()
                .all(|class| classes.binary_search(class).is_ok()),
        }
    }

    /// Whether `self` includes some of the others; neither may be empty.
    pub(super) fn meets(&self, others: &Classes) -> bool {
        match (self, others) {
            (Classes::All, _) | (_, Classes::All) => true,
            (Classes::Some(classes), Classes::Some(others)) => {
                let (few, many) = if classes.len() <= others.len() {
                    (classes, others)
                } else {
                    (others, classes)
                };
                few.iter().any(|class| many.binary_search(class).is_ok())
            }
        }
    }

    /// How many are listed.
    pub(super) fn named(&self) -> usize {
        match self {
            Classes::All => 1,
            Classes::Some(classes) => classes.len(),
        }
    }

    /// The indices of the classes.
    pub(super) fn listed(&self, column: &Column) -> Vec<usize> {
        match self {
            Classes::All => (0..column.classes.len()).collect(),
            Classes::Some(classes) => classes.clone(),
        }
    }
}

/// Values that no cell of the column distinguishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Class {
    /// The values from the first to the last.
    Scalars(i64, i64),
    /// A text in a cell.
    Text(String),
    /// All texts that are in no cell.
    OtherText,
    /// none
    None,
}

impl Column {
    /// The column of these cells. `whole` is the range of the type's scalars, if it has scalars.
    fn new<'m>(
        ty: &Type,
        whole: Option<(i64, i64)>,
        cells: impl Iterator<Item = &'m Matches> + Clone,
    ) -> Column {
        let mut classes = Vec::new();
        if let Some((first, last)) = whole {
            // The first value of each class.
            let mut begins = BTreeSet::from([first]);
            for cell in cells.clone() {
                let Matches::Scalars { ranges, .. } = cell else {
                    continue;
                };
                for (lo, hi) in ranges {
                    begins.insert(*lo);
                    begins.extend(hi.checked_add(1));
                }
            }
            let begins: Vec<i64> = begins
                .into_iter()
                .filter(|at| (first..=last).contains(at))
                .collect();
            for (index, begin) in begins.iter().enumerate() {
                let end = begins.get(index + 1).map_or(last, |next| next - 1);
                classes.push(Class::Scalars(*begin, end));
            }
            if first == i64::MIN {
                // Of unbounded numbers, examples below all others come last.
                classes.rotate_left(1);
            }
        } else {
            let mut named = BTreeSet::new();
            for cell in cells {
                if let Matches::Texts { texts, .. } = cell {
                    named.extend(texts.iter().cloned());
                }
            }
            classes.extend(named.into_iter().map(Class::Text));
            classes.push(Class::OtherText);
        }
        if ty.is_optional() {
            classes.push(Class::None);
        }
        let (mut begins, mut texts) = (BTreeMap::new(), BTreeMap::new());
        for (index, class) in classes.iter().enumerate() {
            match class {
                Class::Scalars(first, _) => {
                    begins.insert(*first, index);
                }
                Class::Text(text) => {
                    texts.insert(text.clone(), index);
                }
                Class::OtherText | Class::None => {}
            }
        }
        Column {
            ty: ty.clone(),
            classes,
            begins,
            texts,
        }
    }

    /// The classes that a cell matches.
    pub(super) fn matched(&self, cell: &Matches) -> Classes {
        let mut named: Vec<usize> = Vec::new();
        let (negated, none) = match cell {
            Matches::Any if self.classes.is_empty() => return Classes::Some(Vec::new()),
            Matches::Any => return Classes::All,
            Matches::Scalars {
                negated,
                ranges,
                none,
            } => {
                // Ranges begin and end at bounds of classes.
                for (first, last) in ranges.iter().filter(|(first, last)| first <= last) {
                    named.extend(self.begins.range(first..=last).map(|(_, class)| *class));
                }
                (*negated, *none)
            }
            Matches::Texts {
                negated,
                texts,
                none,
            } => {
                named.extend(texts.iter().filter_map(|text| self.texts.get(text)));
                (*negated, *none)
            }
        };
        if none && self.classes.last() == Some(&Class::None) {
            named.push(self.classes.len() - 1);
        }
        named.sort_unstable();
        named.dedup();
        if negated {
            named = (0..self.classes.len())
                .filter(|class| named.binary_search(class).is_err())
                .collect();
        }
        self.all_or_some(named)
    }

    fn all_or_some(&self, classes: Vec<usize>) -> Classes {
        if classes.len() == self.classes.len() && !classes.is_empty() {
            Classes::All
        } else {
            Classes::Some(classes)
        }
    }
}

impl Checker<'_> {
    /// The column for finding gaps: if the key is an option, its whole type counts and not only its current value.
    pub(super) fn column(&self, table: &ByTable, written: &ast::ByTable, index: usize) -> Column {
        let mut ty = table.keys[index].ty.clone();
        if let Some(ast::ExprKind::Name(name)) = written.keys.get(index).map(|key| &key.kind)
            && let Some((Entity::Option(option), _)) = self.resolved.names.get(&name.text)
        {
            ty = self.resolved.options[*option].ty.clone();
        }
        let whole = self.whole_of(ty.required());
        Column::new(&ty, whole, cells(table, index))
    }

    /// The columns for finding unreachable rows. Bounds that depend on options are ignored: a row may be needed with
    /// other values of the options.
    pub(super) fn wide_columns(&self, table: &ByTable, written: &ast::ByTable) -> Vec<Column> {
        let bounded_by_options = self
            .resolved
            .options
            .iter()
            .any(|option| option.ty.is_number());
        (0..table.keys.len())
            .map(|index| {
                let exact = self.column(table, written, index);
                let sized = match exact.ty.required() {
                    Type::Range(interval) => bounded_by_options || interval.is_dynamic(),
                    Type::Member(part) => {
                        bounded_by_options && self.resolved.types.kind(part.kind).numbered
                    }
                    _ => false,
                };
                if sized {
                    Column::new(&exact.ty, Some((i64::MIN, i64::MAX)), cells(table, index))
                } else {
                    exact
                }
            })
            .collect()
    }

    /// The first and last scalar of a type.
    fn whole_of(&self, ty: &Type) -> Option<(i64, i64)> {
        match ty {
            Type::YesNo => Some((0, 1)),
            Type::Range(Interval { lo, hi, .. }) => Some((*lo, *hi)),
            Type::Member(part) => Some((part.first.into(), part.last.into())),
            Type::Product(_) => {
                let count = i64::try_from(self.resolved.types.capacity(ty)?).ok()?;
                Some((0, count.checked_sub(1)?))
            }
            Type::Word | Type::Text => None,
            _ => Some((i64::MIN, i64::MAX)),
        }
    }

    /// Describes a class of a column: a text about the key, and the cell to write for it.
    pub(super) fn class(&self, column: &Column, class: usize) -> (String, String) {
        let alone = |word: String| (format!("= {word}"), word);
        match column.classes.get(class) {
            Some(Class::Scalars(lo, hi)) => {
                let ty = column.ty.required();
                if matches!(ty, Type::YesNo) {
                    return alone(if *lo == 0 { "no" } else { "yes" }.into());
                }
                if ty.is_number() {
                    let text = |value: i64| self.resolved.types.value_name(ty, value);
                    return match (*lo, *hi) {
                        (i64::MIN, i64::MAX) => ("of any value".into(), "any".into()),
                        (i64::MIN, hi) => (format!("<= {}", text(hi)), "any".into()),
                        (lo, i64::MAX) => (format!(">= {}", text(lo)), "any".into()),
                        (lo, hi) if lo == hi => alone(text(lo)),
                        (lo, hi) => alone(format!("{}..{}", text(lo), text(hi))),
                    };
                }
                let first = self.resolved.types.value_name(ty, *lo);
                if lo == hi || matches!(ty, Type::Product(_)) {
                    return alone(first);
                }
                alone(format!(
                    "{first}..{}",
                    self.resolved.types.value_name(ty, *hi)
                ))
            }
            Some(Class::Text(text)) => alone(format!("\"{text}\"")),
            Some(Class::OtherText) => ("= some other text".into(), "any".into()),
            Some(Class::None) | None => alone("none".into()),
        }
    }
}

/// The cells of a column.
fn cells(table: &ByTable, index: usize) -> impl Iterator<Item = &Matches> + Clone {
    table
        .rows
        .iter()
        .filter_map(move |row| row.cells.get(index))
}
