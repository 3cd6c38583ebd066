//! Orphans: definitions that a variant makes unused. And mistakes that a variant causes in the rest of the game.

use std::collections::BTreeMap;

use super::{
    Merged, bodies,
    events::without_round,
    history::{Edit, Step},
    targets,
    targets::{Location, Target},
};
use crate::{
    diagnostic::{Code, Diagnostic, Severity},
    source::{Sources, Span},
    syntax::ast::{Clause, Header, Item, Name},
};

/// How many uses of a changed definition a message shows.
const PLACES: usize = 4;

/// Whether a mistake outside the variant of a step is caused by that step.
fn is_due_to(one: &Diagnostic, step: &Step, sources: &Sources) -> bool {
    let name = step.path.rsplit('.').next().unwrap_or_default();
    if one.severity != Severity::Error || one.span.source == step.span.source {
        return false;
    }
    match step.edit {
        Edit::Removed => {
            let unknown = matches!(
                one.code,
                Code::UnknownName | Code::UnknownType | Code::UnknownEvent
            );
            unknown && sources.text(one.span) == name
        }
        Edit::Retyped => {
            let not_name = |next: char| !next.is_alphanumeric() && next != '_';
            let text = sources
                .get(one.span.source)
                .map_or("", |source| &source.text);
            let (before, after) = text.split_at(one.span.range().start.min(text.len()));
            let before = before.rsplit('\n').next().unwrap_or_default();
            let after = after.split('\n').next().unwrap_or_default();
            let words = [before, after].into_iter();
            words
                .flat_map(|part| part.split(not_name))
                .any(|word| word == name)
        }
        _ => false,
    }
}

impl Merged {
    /// Removes facts, states, types and options that are unused according to `found`, and that come from the game or
    /// from an earlier variant. Returns whether there were any.
    ///
    /// An unused definition in a game is a mistake, but not if only a variant makes it unused.
    pub(crate) fn drop_orphans(&mut self, found: &[Diagnostic]) -> bool {
        let Some(Header::Variant { name: last, .. }) = self.variants.last().cloned() else {
            return false;
        };
        let mut dropped = false;
        let unused = found
            .iter()
            .filter(|diagnostic| diagnostic.code == Code::Unused)
            .map(|diagnostic| diagnostic.span)
            .filter(|span| span.source != last.span.source);
        for span in unused {
            if let Some((place, name)) = self.type_at(span) {
                self.file.items.remove(place);
                let is_form =
                    |item: &Item| matches!(item, Item::Write(write) if write.ty.text == name.text);
                self.file.items.retain(|item| !is_form(item));
                self.history.steps.push(Step {
                    path: name.text,
                    edit: Edit::Dropped,
                    span: last.span,
                    before: name.span,
                    layer: usize::MAX,
                });
                dropped = true;
            }
            while let Some(target) = self.declared_at(span) {
                if target.what == "a round" {
                    without_round(&mut self.file.items, &target.path);
                } else {
                    let location = bodies::own(&mut self.file.items, &target.location);
                    bodies::remove(&mut self.file.items, &location);
                }
                if target.what == "a state" {
                    bodies::remove_equations(&mut self.file.items, &target.path);
                }
                self.history.steps.push(Step {
                    path: target.path,
                    edit: Edit::Dropped,
                    span: last.span,
                    before: target.span,
                    layer: usize::MAX,
                });
                dropped = true;
            }
        }
        dropped
    }

    /// Moves mistakes that a variant causes, by removing something that the game still uses or by giving it another
    /// type, to the change that causes them.
    pub(crate) fn blamed(&self, found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
        let mut left: Vec<Diagnostic> = Vec::new();
        let mut blamed: BTreeMap<Span, usize> = BTreeMap::new();
        for one in found {
            let one = self.explain_dropped(one, sources);
            let one = self.declared_by_both(one, sources);
            let one = self.read_in_step(one);
            let mut steps = self.history.steps.iter().rev();
            let Some(step) = steps.find(|step| is_due_to(&one, step, sources)) else {
                left.push(one);
                continue;
            };
            let label = if step.edit == Edit::Retyped {
                one.message.clone()
            } else {
                "it is used here".to_owned()
            };
            if let Some(index) = blamed.get(&step.span) {
                if left[*index].labels.len() < PLACES {
                    let error = left.remove(*index).label(one.span, label);
                    left.insert(*index, error);
                }
                continue;
            }
            blamed.insert(step.span, left.len());
            // Removing a state also removed its equations.
            let alike = self.history.steps.iter();
            let alike = alike.filter(|other| other.span == step.span && other.edit == step.edit);
            let path = alike.map(|step| &step.path).min_by_key(|path| path.len());
            let path = path.unwrap_or(&step.path);
            let error = if step.edit == Edit::Retyped {
                let message = format!("what uses `{path}` does not fit its new type");
                Diagnostic::error(one.code, step.span, message)
                    .help(format!("`replace` too what uses `{path}`"))
            } else {
                let message = format!("`{path}` is removed here, and the game still uses it");
                Diagnostic::error(one.code, step.span, message)
                    .help(format!("`remove` or `replace` too what uses `{path}`"))
            };
            let mut error = error.label(one.span, label);
            error.notes = one.notes;
            left.push(error);
        }
        left
    }

    /// What is declared twice because two variants were joined, said as such.
    fn declared_by_both(&self, mut one: Diagnostic, sources: &Sources) -> Diagnostic {
        let [first] = one.labels.as_slice() else {
            return one;
        };
        let (first, second) = (first.span, one.span);
        let pair = (first.source, second.source);
        if one.code != Code::DuplicateName || self.knows(pair.1, pair.0) {
            return one;
        }
        let variant = |span: Span| {
            let names = self.variants.iter().filter_map(|header| match header {
                Header::Variant { name, .. } => Some(name),
                Header::Game { .. } => None,
            });
            let mut names = names.filter(|name| name.span.source == span.source);
            names.next().map(|name| name.text.as_str())
        };
        let joined = self.strangers.get(&pair);
        let (Some(joined), Some(by), Some(also)) = (joined, variant(first), variant(second)) else {
            return one;
        };
        let name = sources.text(second);
        one.message = format!("`{by}` and `{also}` both declare `{name}`");
        one.help.clear();
        one.label(*joined, "they are joined here").help(format!(
            "apply one of them; if both are meant, write `with {by}` in the header of `{also}`, and change there what `{by}` declares"
        ))
    }

    /// A given that is not read before a game starts: a variant adds a step that reads it.
    fn read_in_step(&self, mut one: Diagnostic) -> Diagnostic {
        if one.code != Code::GivenNotRead || self.variants.is_empty() {
            return one;
        }
        let transcripts = self.file.items.iter().filter_map(|item| match item {
            Item::Transcript(transcript) => Some(transcript),
            _ => None,
        });
        let around = transcripts.filter(|transcript| transcript.span.contains(one.span));
        let name = around.map(|transcript| &transcript.name).next();
        let name = name.and_then(Option::as_ref);
        let name = name.map_or("transcript", |name| name.text.as_str());
        let steps = targets::all(&self.file.items);
        let is_taken = |label: &str| {
            let mut same = steps.iter().filter(|target| target.path == name);
            same.any(|target| !target.rows_called(label).is_empty())
        };
        for help in &mut one.help {
            let Some(pattern) = help.split('`').find(|part| part.starts_with('"')) else {
                continue;
            };
            let given = pattern.trim_start_matches(['"', '{']);
            let end = given.find(|next: char| !next.is_alphanumeric() && next != '_');
            let given = given.get(..end.unwrap_or(given.len())).unwrap_or("given");
            let more = format!("more_{given}");
            let label = if is_taken(given) { &more } else { given };
            *help = format!(
                "read it in a step that you add: `add to {name} before start | {label}: {pattern}`"
            );
        }
        one
    }

    /// Adds a note to a mistake about setting an option that the variants made unneeded.
    fn explain_dropped(&self, one: Diagnostic, sources: &Sources) -> Diagnostic {
        let mut steps = self.history.steps.iter();
        let name = sources.text(one.span);
        let is_dropped = |step: &Step| step.edit == Edit::Dropped && step.path == name;
        if one.code == Code::UnknownOption && steps.any(is_dropped) {
            return one.help(format!(
                "nothing needs `{name}` now that the variant is applied: do not set it"
            ));
        }
        one
    }

    /// The index of the type or kind whose name is at `span`, and its name.
    fn type_at(&self, span: Span) -> Option<(usize, Name)> {
        let items = self.file.items.iter().enumerate();
        let mut types = items.filter_map(|(place, item)| match item {
            Item::Alias(alias) => Some((place, &alias.name)),
            Item::Product(product) => Some((place, &product.name)),
            Item::Kind(kind) => Some((place, &kind.name)),
            _ => None,
        });
        let (place, name) = types.find(|(_, name)| name.span == span)?;
        Some((place, name.clone()))
    }

    /// The fact, state, round or option whose name is at `span`; one of the copies that several events have of a fact.
    fn declared_at(&self, span: Span) -> Option<Target> {
        let items = &self.file.items;
        targets::all(items).into_iter().find(|target| match target.location {
            Location::Item(item) => match &items[item] {
                Item::Fact(fact) => fact.name.span == span,
                Item::State(state) => state.name.span == span,
                Item::Just(just) => just.name.span == span,
                Item::Round(round) => round.name.span == span,
                Item::Option(option) => option.name.span == span,
                _ => false,
            },
            Location::Clause { item, clause, .. } => match &items[item] {
                Item::Section(section) => {
                    matches!(&section.clauses[clause], Clause::Fact(fact) if fact.name.span == span)
                }
                _ => false,
            },
            Location::Guard(_) | Location::By(_) | Location::Weight(_) | Location::Round(_) | Location::Part { .. } | Location::Play { .. } | Location::Steps { .. } => false,
        })
    }
}
