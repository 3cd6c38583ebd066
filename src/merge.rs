//! Merges several files into one game: a game, the variants that change it, and the types and options that they `use`
//! from other games.
//!
//! The changes are made in the syntax tree, so later stages see a game as if it had been written in one file. Each row
//! keeps its place in the file that it comes from.

mod bodies;
mod changes;
mod cites;
pub(crate) mod copies;
mod disjoint;
mod events;
mod failures;
mod forms;
mod hidden;
mod history;
mod layers;
mod locate;
mod names;
mod orphans;
mod targets;
mod types;
mod uses;
mod why;

use std::collections::BTreeMap;

pub(crate) use history::Edit;
use history::History;

use crate::{
    diagnostic::Diagnostic,
    library::Library,
    source::{SourceId, Sources, Span},
    syntax::ast::{self, Header, Item},
};
use layers::Layers;
pub(crate) use names::each_value;
use targets::Target;

/// A game with its variants applied.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    /// The game's tree; its header is the game's own.
    pub(crate) file: ast::RuleFile,
    /// The items before any variant was applied; none without variants.
    pub(crate) base: Option<Vec<Item>>,
    /// The headers of the variants, in the order in which they were applied.
    pub(crate) variants: Vec<Header>,
    /// Warnings about combinations of variants.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The changes, in order.
    history: History,
    /// Pairs of a file and a variant that its author did not know of, with the place where they are joined.
    strangers: BTreeMap<(SourceId, SourceId), Span>,
}

impl Merged {
    /// The game's own file.
    pub(crate) fn game_file(&self) -> SourceId {
        let (Header::Game { name, .. } | Header::Variant { name, .. }) = &self.file.header;
        name.span.source
    }

    /// Whether the author of one file knew of another.
    pub(crate) fn knows(&self, file: SourceId, other: SourceId) -> bool {
        !self.strangers.contains_key(&(file, other))
    }
}

/// Merges the rule file `file` and the variants called `chosen`, whose names are in one of the sources. If `file` is a
/// variant, it is applied to its game before the others.
///
/// # Errors
/// Games, variants, names and targets that do not exist, changes that contradict each other, and mistakes in the other
/// files.
pub(crate) fn merge(
    file: ast::RuleFile,
    chosen: &[ast::Name],
    library: &Library,
    sources: &mut Sources,
) -> Result<Merged, Vec<Diagnostic>> {
    let (base, layers) = layers::find(file, chosen, library, sources)?;
    let mut diagnostics = Vec::new();
    for item in &base.items {
        if let Item::Change(change) = item {
            diagnostics.push(failures::change_in_game(change));
        }
    }
    let items = uses::expand(base.items, library, sources, &mut diagnostics);
    let before = (!layers.order.is_empty()).then(|| {
        let mut items = items.clone();
        // Its mistakes are reported for the final game.
        copies::expand(&mut items, &mut Vec::new());
        items
    });
    let mut merging = Merging {
        items,
        layers: &layers,
        layer: 0,
        history: History::default(),
        diagnostics,
        warnings: Vec::new(),
    };
    for index in &layers.order {
        merging.apply(*index, library, sources);
    }
    let hiding = hidden::built_ins(&mut merging.items, &layers);
    merging.diagnostics.extend(hiding);
    hidden::rename(&mut merging.items, &layers);
    let unguarded = copies::unguarded(&merging.items);
    merging.warnings.extend(unguarded);
    copies::expand(&mut merging.items, &mut merging.diagnostics);
    merging.diagnostics.extend(merging.history.clashes(&layers));
    let game = before.as_deref().unwrap_or_default();
    let unrefused = merging.history.unrefused(game, &merging.items);
    merging.diagnostics.extend(unrefused);
    if !merging.diagnostics.is_empty() {
        return Err(merging.diagnostics);
    }
    let mut warnings = merging.warnings;
    warnings.extend(history::ignored_events(&merging.items, &layers));
    warnings.extend(merging.history.unforeseen_rows(&merging.items, &layers));
    keep_examples(&mut merging.items, &base.header, &layers);
    let (Header::Game { name, .. } | Header::Variant { name, .. }) = &base.header;
    let source = name.span.source;
    let variants = layers
        .order
        .iter()
        .map(|index| layers.list[*index].header());
    Ok(Merged {
        file: ast::RuleFile {
            header: base.header,
            items: merging.items,
        },
        base: before,
        variants: variants.collect(),
        warnings,
        history: merging.history,
        strangers: strangers(&layers, source),
    })
}

/// The pairs of a file, the game's or a variant's, and a variant that its author did not know of, with the place where
/// they are joined.
fn strangers(layers: &Layers, game: SourceId) -> BTreeMap<(SourceId, SourceId), Span> {
    let source = |layer: usize| layers.list[layer].name.span.source;
    let mut strangers = BTreeMap::new();
    for other in layers.order.iter().copied() {
        strangers.insert((game, source(other)), layers.list[other].requested_at);
        for file in layers.order.iter().copied() {
            let both = |third: &usize| layers.knows(*third, other) && layers.knows(*third, file);
            if file != other && !layers.knows(file, other) && !layers.order.iter().any(both) {
                let joined = layers.joined(file.min(other), file.max(other));
                strangers.insert((source(file), source(other)), joined);
            }
        }
    }
    strangers
}

/// Keeps only the examples of the file that describes this very game: the game itself, or a variant that requests all
/// others that are applied. Changes may invalidate the examples of other files.
fn keep_examples(items: &mut Vec<Item>, header: &Header, layers: &Layers) {
    let described = match (layers.order.split_last(), header) {
        (None, Header::Game { name, .. } | Header::Variant { name, .. }) => Some(name.span.source),
        (Some((last, others)), _) => {
            let knows_all = others.iter().all(|other| layers.knows(*last, *other));
            knows_all.then(|| layers.list[*last].name.span.source)
        }
    };
    items.retain(|item| match item {
        Item::Example(example) => Some(example.span.source) == described,
        _ => true,
    });
}

/// How many targets all changes of a variant together may search: each searches all places and rows of the game.
const LOOKED_THROUGH: usize = 20_000_000;

/// How many changes a variant may make in any game.
const FEW_CHANGES: usize = 100;

/// A game to which variants are being applied.
struct Merging<'l> {
    items: Vec<Item>,
    layers: &'l Layers,
    /// The index of the variant that is being applied.
    layer: usize,
    history: History,
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Merging<'_> {
    /// Applies a variant: first its changes, then its own items, so that no change affects those.
    fn apply(&mut self, layer: usize, library: &Library, sources: &mut Sources) {
        self.layer = layer;
        let items = self.layers.list[layer].items.clone();
        let mut added = Vec::new();
        // Each change searches all targets.
        let size: usize = self.targets().iter().map(Target::size).sum();
        let most = (LOOKED_THROUGH / size.max(1)).max(FEW_CHANGES);
        let mut changes = 0;
        for item in items {
            match item {
                Item::Change(change) => {
                    changes += 1;
                    if changes > most {
                        let failure = failures::too_many_changes(change.span, most);
                        self.diagnostics.push(failure);
                        return;
                    }
                    self.change(change);
                }
                item => added.push(item),
            }
        }
        let added = uses::expand(added, library, sources, &mut self.diagnostics);
        self.items.extend(added);
    }

    /// Everything in the game that can be changed.
    fn targets(&self) -> Vec<Target> {
        targets::all(&self.items)
    }
}
