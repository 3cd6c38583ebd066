//! One game out of several files: a game, the variants that change it, and what they take from others by `use`.
//!
//! The changes are made in the tree, so that everything after this stage sees a game as if it had been written out in
//! full. Each row keeps the place in the file that it came from.

mod apart;
mod bodies;
mod changes;
mod cites;
mod events;
mod failures;
mod forms;
mod hidden;
mod history;
mod layers;
pub(crate) mod likes;
mod locate;
mod names;
mod orphans;
mod targets;
mod types;
mod uses;
mod why;

pub(crate) use history::Edit;
use history::History;

use crate::{
    diagnostic::Diagnostic,
    library::Library,
    source::Sources,
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
    /// The items as they were before any variant was applied; nothing where none was.
    pub(crate) base: Option<Vec<Item>>,
    /// The headers of the variants, in the order in which they were applied.
    pub(crate) variants: Vec<Header>,
    /// What is probably not meant where variants are joined.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Which change came after which.
    history: History,
}

/// Makes one game of the rule file `file` and the variants `chosen`, which are named in one of the sources. A file
/// that is a variant itself is applied to its game, before the others.
///
/// # Errors
/// Games, variants, names and targets that are not there, changes that clash, and what is wrong with the other files.
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
    let items = uses::taken(base.items, library, sources, &mut diagnostics);
    let before = (!layers.order.is_empty()).then(|| {
        let mut items = items.clone();
        // What is wrong with it is told of what the variants leave.
        likes::write_out(&mut items, &mut Vec::new());
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
    let unguarded = likes::unguarded(&merging.items);
    merging.warnings.extend(unguarded);
    likes::write_out(&mut merging.items, &mut merging.diagnostics);
    merging.diagnostics.extend(merging.history.clashes(&layers));
    if !merging.diagnostics.is_empty() {
        return Err(merging.diagnostics);
    }
    let mut warnings = merging.warnings;
    warnings.extend(history::passed_by(&merging.items, &layers));
    warnings.extend(merging.history.unforeseen(&merging.items, &layers));
    keep_examples(&mut merging.items, &base.header, &layers);
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
    })
}

/// Leaves only the examples of the one file that describes this very game: its own, or those of a variant that asks for
/// all others that are applied. The examples of the others may be of what is changed here.
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

/// How much the changes of a variant may look through: the places and rows of the game, once for each change.
const LOOKED_THROUGH: usize = 20_000_000;

/// How many changes a variant may make in any case.
const FEW_CHANGES: usize = 100;

/// A game while variants are applied to it.
struct Merging<'l> {
    items: Vec<Item>,
    layers: &'l Layers,
    /// The variant that is being applied.
    layer: usize,
    history: History,
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Merging<'_> {
    /// Applies a variant: first its changes, then what it adds, so that no change is about the variant's own items.
    fn apply(&mut self, layer: usize, library: &Library, sources: &mut Sources) {
        self.layer = layer;
        let items = self.layers.list[layer].items.clone();
        let mut added = Vec::new();
        // Each change looks through all that can be changed.
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
        let added = uses::taken(added, library, sources, &mut self.diagnostics);
        self.items.extend(added);
    }

    /// Everything in the game that a path can lead to.
    fn targets(&self) -> Vec<Target> {
        targets::all(&self.items)
    }
}
