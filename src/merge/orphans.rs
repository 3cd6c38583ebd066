//! What a game has no use for once a variant has changed it.

use super::{
    Merged, bodies,
    events::without_round,
    history::{Edit, Step},
    targets,
    targets::{EQUATION, Location, Target},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
    syntax::ast::{Clause, Header, Item},
};

impl Merged {
    /// Removes facts, states and types that nothing depends on, according to `found`, and that come from the game or from
    /// an earlier variant. Says whether there were any.
    ///
    /// A game alone must not hold what it does not use; that its variant leaves something unused is nobody's slip.
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
            if let Some(place) = self.type_at(span) {
                let Item::Alias(alias) = self.file.items.remove(place) else {
                    continue;
                };
                self.history.steps.push(Step {
                    path: alias.name.text,
                    edit: Edit::Dropped,
                    span: last.span,
                    before: alias.name.span,
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
                    self.remove_equations(&target.path);
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

    /// The place of the type alias whose name stands at `span`.
    fn type_at(&self, span: Span) -> Option<usize> {
        let mut items = self.file.items.iter();
        items.position(|item| matches!(item, Item::Alias(alias) if alias.name.span == span))
    }

    /// The fact or state whose name stands at `span`; of the copies that several events have of a fact, one.
    fn declared_at(&self, span: Span) -> Option<Target> {
        let items = &self.file.items;
        targets::all(items).into_iter().find(|target| match target.location {
            Location::Item(item) => match &items[item] {
                Item::Fact(fact) => fact.name.span == span,
                Item::State(state) => state.name.span == span,
                Item::Just(just) => just.name.span == span,
                Item::Round(round) => round.name.span == span,
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

    /// Takes away what every event says of a state that is there no more.
    fn remove_equations(&mut self, state: &str) {
        let ending = format!(".new.{state}");
        let is_equation =
            |target: &Target| target.what == EQUATION && target.path.ends_with(&ending);
        while let Some(target) = targets::all(&self.file.items).into_iter().find(is_equation) {
            let location = bodies::own(&mut self.file.items, &target.location);
            bodies::remove(&mut self.file.items, &location);
        }
    }
}
