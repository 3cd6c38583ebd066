//! `use`: types and options taken from other games.

use std::collections::BTreeSet;

use crate::{
    diagnostic::{Code, Diagnostic, alternatives, nearest},
    library::{Library, Missing},
    source::Sources,
    syntax::{
        self,
        ast::{self, Item},
    },
};

/// Replaces each `use` by the items that it names. Mistakes go to `diagnostics`.
pub(super) fn expand(
    items: Vec<Item>,
    library: &Library,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Item> {
    let mut whole = Vec::new();
    for item in items {
        match item {
            Item::Use(used) => match used_items(&used, library, sources) {
                Ok(items) => whole.extend(items),
                Err(wrong) => diagnostics.extend(wrong),
            },
            other => whole.push(other),
        }
    }
    whole
}

/// The items that a `use` names, with their written forms.
fn used_items(
    used: &ast::Use,
    library: &Library,
    sources: &mut Sources,
) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let text = library
        .find(&used.from.text)
        .map_err(|missing| vec![no_game(&used.from, &missing)])?;
    let id = sources.add(text.name, text.text);
    let other = syntax::parse(sources, id)?;
    let wanted: BTreeSet<&str> = used.names.iter().map(|name| name.text.as_str()).collect();
    let mut diagnostics = Vec::new();
    for name in &used.names {
        if !other
            .items
            .iter()
            .any(|item| shared(item) == Some(&name.text))
        {
            let near: Vec<&str> = other
                .items
                .iter()
                .filter_map(|item| shared(item).map(String::as_str))
                .collect();
            diagnostics.push(
                Diagnostic::error(
                    Code::UnknownName,
                    name.span,
                    format!(
                        "`{}` has no type and no option called `{}`",
                        used.from.text, name.text
                    ),
                )
                .did_you_mean(&name.text, near),
            );
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    Ok(other
        .items
        .into_iter()
        .filter(|item| match item {
            Item::Write(write) => wanted.contains(write.ty.text.as_str()),
            item => shared(item).is_some_and(|name| wanted.contains(name.as_str())),
        })
        .collect())
}

/// The name of an item that another game can use.
fn shared(item: &Item) -> Option<&String> {
    match item {
        Item::Option(item) => Some(&item.name.text),
        Item::Kind(item) => Some(&item.name.text),
        Item::Product(item) => Some(&item.name.text),
        Item::Grid(item) => Some(&item.name.text),
        Item::Alias(item) => Some(&item.name.text),
        Item::Use(_)
        | Item::Write(_)
        | Item::Given(_)
        | Item::State(_)
        | Item::Just(_)
        | Item::Round(_)
        | Item::Event(_)
        | Item::Section(_)
        | Item::Fact(_)
        | Item::Policy(_)
        | Item::Transcript(_)
        | Item::Limit(_)
        | Item::Example(_)
        | Item::Change(_) => None,
    }
}

/// The error for a game that cannot be loaded.
pub(super) fn no_game(name: &ast::Name, missing: &Missing) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::UnknownGame, name.span, missing.to_string());
    match missing {
        Missing::Unknown { names, .. } => {
            let names = || names.iter().map(String::as_str);
            match nearest(&name.text, names()) {
                Some(_) => diagnostic.did_you_mean(&name.text, names()),
                None => diagnostic.help(format!("there is {}", alternatives(names()))),
            }
        }
        Missing::Unreadable { .. } | Missing::NotText { .. } => diagnostic,
    }
}
