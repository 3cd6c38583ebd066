//! Finds the variants to apply, and their order.

use std::collections::{BTreeMap, BTreeSet};

use super::{failures, uses};
use crate::{
    diagnostic::Diagnostic,
    library::{Library, Missing, RuleText},
    source::{Sources, Span},
    syntax::{
        self,
        ast::{self, Header, Item},
    },
};

/// The variants that are applied to a game.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// All variants, in the order in which they were found.
    pub(super) list: Vec<Layer>,
    /// Their indices in the list, in the order in which they are applied.
    pub(super) order: Vec<usize>,
}

/// A variant that is applied.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: ast::Name,
    of: ast::Name,
    with: Vec<ast::Name>,
    without: Vec<ast::Name>,
    title: Option<ast::Text>,
    cites: Option<ast::Text>,
    /// Where it was first requested: in the header of another, or by the caller.
    pub(super) requested_at: Span,
    /// The variant whose header requested it.
    pub(super) requested_by: Option<usize>,
    /// All variants applied before it because its header requests them, itself or through others.
    pub(super) known: BTreeSet<usize>,
    pub(super) items: Vec<Item>,
}

impl Layer {
    pub(super) fn header(&self) -> Header {
        Header::Variant {
            name: self.name.clone(),
            of: self.of.clone(),
            with: self.with.clone(),
            without: self.without.clone(),
            title: self.title.clone(),
            cites: self.cites.clone(),
        }
    }
}

impl Layers {
    /// Whether the author of `later` knew of `earlier`.
    pub(super) fn knows(&self, later: usize, earlier: usize) -> bool {
        self.list[later].known.contains(&earlier)
    }

    /// The place that first requires both `later` and `earlier`.
    pub(super) fn joined(&self, earlier: usize, later: usize) -> Span {
        let requesters = |mut layer: usize| {
            let mut requesters = vec![layer];
            while let Some(requester) = self.list[layer].requested_by {
                requesters.push(requester);
                layer = requester;
            }
            requesters
        };
        let earlier = requesters(earlier);
        let own = requesters(later);
        let joined = own.into_iter().take_while(|layer| !earlier.contains(layer));
        let last = joined.last().unwrap_or(later);
        self.list[last].requested_at
    }
}

/// The game that `file` is or changes, and the variants to apply: those that `file` requests, then `chosen`.
///
/// # Errors
/// Files that are missing or invalid, and variants that cannot be applied.
pub(super) fn find(
    file: ast::RuleFile,
    chosen: &[ast::Name],
    library: &Library,
    sources: &mut Sources,
) -> Result<(ast::RuleFile, Layers), Vec<Diagnostic>> {
    let of = match &file.header {
        Header::Game { name, .. } => name.clone(),
        Header::Variant { of, .. } => of.clone(),
    };
    let mut search = Search {
        game: of.text.clone(),
        library,
        sources,
        layers: Layers::default(),
        open: Vec::new(),
        by_name: BTreeMap::new(),
        diagnostics: Vec::new(),
    };
    let mut listed = Vec::new();
    let base = match &file.header {
        Header::Game { .. } => file,
        Header::Variant { name, .. } => {
            let base = search.base(&of)?;
            let requested = name.clone();
            if let Some(layer) = search.layer(file, &requested, None) {
                listed.push((layer, requested.span));
            }
            base
        }
    };
    search.list(chosen, None, &mut listed);
    search.exclude();
    if search.diagnostics.is_empty() {
        Ok((base, search.layers))
    } else {
        Err(search.diagnostics)
    }
}

/// The search for variants.
struct Search<'f> {
    game: String,
    library: &'f Library,
    sources: &'f mut Sources,
    layers: Layers,
    /// The variants whose headers are being read, the outermost first.
    open: Vec<usize>,
    /// The indices of the variants, by name.
    by_name: BTreeMap<String, usize>,
    diagnostics: Vec<Diagnostic>,
}

impl Search<'_> {
    fn parse(&mut self, text: RuleText) -> Result<ast::RuleFile, Vec<Diagnostic>> {
        let id = self.sources.add(text.name, text.text);
        syntax::parse(self.sources, id)
    }

    /// The game that a variant changes.
    fn base(&mut self, of: &ast::Name) -> Result<ast::RuleFile, Vec<Diagnostic>> {
        let text = match self.library.find(&of.text) {
            Ok(text) => text,
            Err(missing) => {
                let game = match &missing {
                    Missing::Unknown { games, .. } => games.first(),
                    Missing::Unreadable { .. } | Missing::NotText { .. } => None,
                };
                return Err(vec![match game {
                    Some(game) => failures::base_is_variant(of, game),
                    None => uses::no_game(of, &missing),
                }]);
            }
        };
        let base = self.parse(text)?;
        match &base.header {
            Header::Game { .. } => Ok(base),
            Header::Variant { of: game, .. } => {
                Err(vec![failures::base_is_variant(of, &game.text)])
            }
        }
    }

    /// Adds the variants called `names` to `listed`, which holds those that the same header named before. None may be
    /// named twice.
    fn list(
        &mut self,
        names: &[ast::Name],
        requested_by: Option<usize>,
        listed: &mut Vec<(usize, Span)>,
    ) {
        for name in names {
            let Some(layer) = self.variant(name, requested_by) else {
                continue;
            };
            match listed.iter().find(|(other, _)| *other == layer) {
                Some((_, first)) => {
                    let variant = &self.layers.list[layer].name.text;
                    let failure = failures::applied_twice(name, variant, *first);
                    self.diagnostics.push(failure);
                }
                None => listed.push((layer, name.span)),
            }
        }
    }

    /// Reports variants that exclude each other, and names in `without` that do not exist.
    fn exclude(&mut self) {
        for layer in &self.layers.list {
            for name in &layer.without {
                if let Some(other) = self.by_name.get(&name.text) {
                    let failure = failures::excluded(layer, name, &self.layers.list[*other]);
                    self.diagnostics.push(failure);
                } else if let Err(missing) = self.library.find_variant(&self.game, &name.text) {
                    let failure = failures::unknown_variant(name, &self.game, &missing, true);
                    self.diagnostics.push(failure);
                }
            }
        }
    }

    /// The index of the variant called `name`, which is loaded if it has not been.
    fn variant(&mut self, name: &ast::Name, requested_by: Option<usize>) -> Option<usize> {
        let found = match self.by_name.get(&name.text) {
            Some(found) => *found,
            None => match self.library.find_variant(&self.game, &name.text) {
                Ok(text) => {
                    let parsed = self.parse(text);
                    let file = parsed
                        .map_err(|wrong| self.diagnostics.extend(wrong))
                        .ok()?;
                    self.layer(file, name, requested_by)?
                }
                Err(missing) => {
                    let in_header = requested_by.is_some();
                    let failure = failures::unknown_variant(name, &self.game, &missing, in_header);
                    self.diagnostics.push(failure);
                    return None;
                }
            },
        };
        if self.open.contains(&found) {
            let way = self.open.iter().skip_while(|open| **open != found);
            let way = way.map(|open| &self.layers.list[*open]).collect::<Vec<_>>();
            self.diagnostics.push(failures::cyclic(name, &way));
            return None;
        }
        Some(found)
    }

    /// Adds the variant in `file`, requested by the name `requested`, after those that it requests itself.
    fn layer(
        &mut self,
        file: ast::RuleFile,
        requested: &ast::Name,
        requested_by: Option<usize>,
    ) -> Option<usize> {
        let Header::Variant {
            name,
            of,
            with,
            without,
            title,
            cites,
        } = file.header
        else {
            self.diagnostics.push(failures::not_a_variant(requested));
            return None;
        };
        if of.text != self.game {
            let failure = failures::other_base(&name, &of, &self.game, requested);
            self.diagnostics.push(failure);
            return None;
        }
        if let Some(found) = self.by_name.get(&name.text) {
            return Some(*found);
        }
        let index = self.layers.list.len();
        self.by_name.insert(name.text.clone(), index);
        self.layers.list.push(Layer {
            name,
            of,
            with: with.clone(),
            without,
            title,
            cites,
            requested_at: requested.span,
            requested_by,
            known: BTreeSet::new(),
            items: file.items,
        });
        self.open.push(index);
        let mut listed = Vec::new();
        self.list(&with, Some(index), &mut listed);
        self.open.pop();
        let mut known = BTreeSet::new();
        for (layer, _) in listed {
            known.insert(layer);
            known.extend(self.layers.list[layer].known.iter().copied());
        }
        self.layers.list[index].known = known;
        self.layers.order.push(index);
        Some(index)
    }
}
