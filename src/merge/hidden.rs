//! Name clashes between a variant and the rest of the game. A variable of the game may have a name that a variant adds:
//! within its scope, the name means the variable. Since names must be unique in a game, the variable is renamed here.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    failures,
    layers::Layers,
    names::{Names, Use},
};
use crate::{
    builtins,
    diagnostic::Diagnostic,
    source::Span,
    syntax::ast::{self, AddedRow, ChangeKind, Item, Kind, Members},
};

/// Reports additions of a variant with the name of a built-in that another file uses, whose meaning would change.
pub(super) fn built_ins(items: &mut [Item], layers: &Layers) -> Vec<Diagnostic> {
    let declared = declared(layers);
    let mut hidden: BTreeMap<&str, Span> = BTreeMap::new();
    for item in items {
        item.names(&mut |name, how| {
            if let Some((text, span)) = declared.get_key_value(&name.text)
                && span.source != name.span.source
                && how == Use::Applied
                && builtins::is_applied(text)
            {
                hidden.entry(text).or_insert(name.span);
            }
        });
    }
    let hidden = hidden.into_iter();
    hidden
        .map(|(name, used)| failures::hides_builtin(name, declared[name], used))
        .collect()
}

/// Renames the variables of `items` that have the name of a variant's addition, except in that variant's file.
pub(super) fn rename(items: &mut [Item], layers: &Layers) {
    let declared = declared(layers);
    for item in items {
        let (mut bound, mut used) = (BTreeSet::new(), BTreeSet::new());
        item.names(&mut |name, how| {
            used.insert(name.text.clone());
            let elsewhere = |span: &Span| span.source != name.span.source;
            if how == Use::Bound && declared.get(&name.text).is_some_and(elsewhere) {
                bound.insert(name.text.clone());
            }
        });
        for name in bound {
            let source = declared.get(&name).map(|span| span.source);
            let mut free = name.clone();
            while declared.contains_key(&free) || used.contains(&free) {
                free.push_str("_2");
            }
            item.names(&mut |one, how| {
                if how != Use::Applied && one.text == name && Some(one.span.source) != source {
                    one.text.clone_from(&free);
                }
            });
        }
    }
}

/// The top-level names that the variants add, with their spans.
fn declared(layers: &Layers) -> BTreeMap<String, Span> {
    let mut declared = BTreeMap::new();
    for index in &layers.order {
        declare(&layers.list[*index].items, &mut declared);
    }
    declared
}

/// Adds the top-level names of some items.
fn declare(added: &[Item], names: &mut BTreeMap<String, Span>) {
    let mut note = |name: &ast::Name| {
        names.insert(name.text.clone(), name.span);
    };
    for item in added {
        let name = match item {
            Item::Fact(one) => &one.name,
            Item::State(one) => &one.name,
            Item::Just(one) => &one.name,
            Item::Round(one) => &one.name,
            Item::Given(one) => &one.name,
            Item::Option(one) => &one.name,
            Item::Product(one) => &one.name,
            Item::Alias(one) => &one.name,
            Item::Grid(one) => &one.name,
            Item::Kind(Kind { name, members, .. }) => {
                if let Members::Listed(members) = members {
                    for member in members {
                        note(&member.name);
                    }
                }
                name
            }
            Item::Change(change) => {
                if let ChangeKind::Add { rows, .. } = &change.kind {
                    for row in rows {
                        if let AddedRow::Member(member) = row {
                            note(&member.name);
                        }
                    }
                }
                continue;
            }
            Item::Use(_)
            | Item::Write(_)
            | Item::Event(_)
            | Item::Section(_)
            | Item::Policy(_)
            | Item::Transcript(_)
            | Item::Limit(_)
            | Item::Example(_) => continue,
        };
        note(name);
    }
}
