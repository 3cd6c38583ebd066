//! The history of changes: conflicts between variants, and changes that miss what another variant adds.

use std::collections::BTreeSet;

use super::{
    Merging, failures,
    layers::Layers,
    names::{Names, Use},
    targets::{self, EQUATION},
};
use crate::{
    diagnostic::Diagnostic,
    source::Span,
    syntax::ast::{self, ChangeKind, Clause, Decider, Definition, Item},
};

/// The effect of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Set the constant of an option or attribute.
    Set,
    /// Added a row or member.
    Added,
    /// Replaced a definition or a row.
    Replaced,
    /// Replaced only the type.
    Retyped,
    /// Removed a definition, a row or a member.
    Removed,
    /// Added an exception to a row.
    Excepted,
    /// Made a definition unneeded, so that it was dropped.
    Dropped,
}

/// One change to one target.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// The path of the target: `put.refused.late`.
    pub(super) path: String,
    pub(super) edit: Edit,
    /// The place of the change.
    pub(super) span: Span,
    /// The place of the target before it.
    pub(super) before: Span,
    /// The variant that made it.
    pub(super) layer: usize,
}

/// All changes, in the order in which they were made.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(super) steps: Vec<Step>,
    /// Pairs of steps that conflict.
    pairs: Vec<(usize, usize)>,
}

/// The clauses of all sections of an event.
fn clauses_of<'i>(items: &'i [Item], event: &str) -> impl Iterator<Item = &'i Clause> {
    let sections = items.iter().filter_map(move |item| match item {
        Item::Section(section) if section.events.iter().any(|name| name.text == event) => {
            Some(&section.clauses)
        }
        _ => None,
    });
    sections.flatten()
}

/// Whether `inner` is `outer` or within it.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl History {
    /// Adds a step, and its conflicts with earlier ones.
    pub(super) fn record(&mut self, step: Step, layers: &Layers) {
        let new = self.steps.len();
        for (index, earlier) in self.steps.iter().enumerate() {
            if clash(earlier, &step) && !layers.knows(step.layer, earlier.layer) {
                self.pairs.push((index, new));
            }
        }
        self.steps.push(step);
    }

    /// Whether a change of `path` by `layer` resolves a conflict between two variants that it knows.
    pub(super) fn resolves(&self, path: &str, layer: usize, layers: &Layers) -> bool {
        self.pairs.iter().any(|(first, second)| {
            [first, second].into_iter().all(|step| {
                let step = &self.steps[*step];
                layers.knows(layer, step.layer) && is_within(&step.path, path)
            })
        })
    }

    /// Whether another variant than `layer` was the last to define `path`.
    pub(super) fn defined_by_another(&self, path: &str, layer: usize) -> bool {
        let last = self.steps.iter().rfind(|step| step.path == path);
        last.is_some_and(|step| step.layer != layer && step.edit != Edit::Excepted)
    }

    /// Whether another variant than `layer` removed exactly this.
    pub(super) fn removed_by_another(&self, path: &str, layer: usize) -> bool {
        let removed = |step: &Step| step.path == path && step.edit == Edit::Removed;
        let mut steps = self.steps.iter();
        steps.any(|step| removed(step) && step.layer != layer)
    }

    /// The step that removed `path`, or that removed or replaced something that contains it.
    pub(super) fn removal_of(&self, path: &str) -> Option<&Step> {
        let mut steps = self.steps.iter();
        steps.rfind(|step| match step.edit {
            Edit::Removed => is_within(path, &step.path),
            Edit::Replaced => path != step.path && is_within(path, &step.path),
            Edit::Set | Edit::Retyped | Edit::Added | Edit::Excepted | Edit::Dropped => false,
        })
    }

    /// The errors for all conflicts, except those that a variant knowing both sides resolves.
    pub(super) fn clashes(&self, layers: &Layers) -> Vec<Diagnostic> {
        let mut clashes = Vec::new();
        for (first, second) in &self.pairs {
            let (earlier, later) = (&self.steps[*first], &self.steps[*second]);
            let settled = self.steps.iter().skip(second + 1).any(|step| {
                let resolves = |other: &Step| {
                    layers.knows(step.layer, other.layer) && is_within(&other.path, &step.path)
                };
                step.edit != Edit::Excepted && resolves(earlier) && resolves(later)
            });
            if !settled {
                clashes.push(failures::clash(earlier, later, layers));
            }
        }
        clashes
    }

    /// The errors for variants that remove the last `refuse` fact of an event of the `game`, but not what is reported
    /// then.
    pub(super) fn unrefused(&self, game: &[Item], items: &[Item]) -> Vec<Diagnostic> {
        let is_refusal = |clause: &Clause| matches!(clause, Clause::Fact(fact) if fact.role == ast::Role::Refuse);
        let mut found = Vec::new();
        for step in self.steps.iter().filter(|step| step.edit == Edit::Removed) {
            let Some((event, name)) = step.path.split_once('.') else {
                continue;
            };
            let is_removed = |clause: &Clause| {
                is_refusal(clause) && matches!(clause, Clause::Fact(fact) if fact.name.text == name)
            };
            if !clauses_of(game, event).any(is_removed) || clauses_of(items, event).any(is_refusal)
            {
                continue;
            }
            let reported = clauses_of(items, event).find_map(|clause| match clause {
                Clause::Report(report) if report.refused => Some(report),
                _ => None,
            });
            found.extend(reported.map(|report| failures::unrefused(event, name, step, report)));
        }
        found
    }

    /// Warnings about rows that one variant adds to a definition of which another variant replaces all other rows: it
    /// would probably replace the new row, too, if its author knew it.
    pub(super) fn unforeseen_rows(&self, items: &[Item], layers: &Layers) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        if layers.order.len() < 2 {
            return warnings;
        }
        let mut targets = targets::all(items);
        targets.retain(|target| matches!(target.what, "a fact" | EQUATION));
        for added in self.steps.iter().filter(|step| step.edit == Edit::Added) {
            let Some((owner, _)) = added.path.rsplit_once('.') else {
                continue;
            };
            let Some(target) = targets.iter().find(|target| target.path == owner) else {
                continue;
            };
            let step_of = |layer: usize, path: &str, edit: Edit| {
                let mut steps = self.steps.iter();
                steps.find(|step| step.layer == layer && step.path == path && step.edit == edit)
            };
            let others = layers.order.iter().copied();
            for other in others.filter(|other| are_unaware(layers, added.layer, *other)) {
                let paths = target.labels().map(|label| format!("{owner}.{label}"));
                let known = paths.filter(|path| step_of(added.layer, path, Edit::Added).is_none());
                let replaced: Option<Vec<&Step>> = known
                    .map(|path| step_of(other, &path, Edit::Replaced))
                    .collect();
                // Replacing the only row may be about that row alone.
                if let Some([first, _, ..]) = replaced.as_deref() {
                    warnings.push(failures::unforeseen_row(first, added, owner, layers));
                }
            }
        }
        warnings
    }
}

/// The result of a change: an error if it could not be made. If the target was not found, that was reported before.
pub(super) type ChangeResult = Result<(), Box<Diagnostic>>;

impl Merging<'_> {
    /// Records that the current variant made a change.
    pub(super) fn record(&mut self, path: String, edit: Edit, span: Span, before: Span) {
        let step = Step {
            path,
            edit,
            span,
            before,
            layer: self.layer,
        };
        self.history.record(step, self.layers);
    }

    /// The result of a change that changes nothing: an error, unless it resolves a conflict or agrees with another
    /// variant.
    pub(super) fn unchanged(&mut self, path: &str, span: Span, before: Span) -> ChangeResult {
        if self.history.resolves(path, self.layer, self.layers) {
            self.record(path.to_string(), Edit::Replaced, span, before);
            return Ok(());
        }
        if self.history.defined_by_another(path, self.layer) {
            return Ok(());
        }
        Err(Box::new(failures::no_effect(span, before)))
    }
}

/// Whether two changes conflict if neither author knows of the other.
fn clash(earlier: &Step, later: &Step) -> bool {
    if earlier.edit == Edit::Retyped || later.edit == Edit::Retyped {
        // Changing a type and changing the value are independent.
        let is_removed = |outer: &Step, inner: &Step| {
            outer.edit == Edit::Removed && is_within(&inner.path, &outer.path)
        };
        let both = earlier.edit == later.edit && earlier.path == later.path;
        return both || is_removed(earlier, later) || is_removed(later, earlier);
    }
    if earlier.edit == Edit::Added && later.edit == Edit::Added {
        // Rows with the same name.
        return earlier.path == later.path && earlier.layer != later.layer;
    }
    if earlier.edit == Edit::Added || later.edit == Edit::Added {
        // What is added to a definition is lost if that is replaced.
        let within = |outer: &Step, inner: &Step| {
            matches!(outer.edit, Edit::Replaced | Edit::Removed)
                && outer.path != inner.path
                && is_within(&inner.path, &outer.path)
        };
        return within(earlier, later) || within(later, earlier);
    }
    if earlier.edit == Edit::Excepted && later.edit == Edit::Excepted {
        return false;
    }
    is_within(&earlier.path, &later.path) || is_within(&later.path, &earlier.path)
}

/// Warnings about events that one variant adds and that a rule of another variant ignores, although the rule is about
/// an event of the game with the same decider: neither author knew of the other.
pub(super) fn ignored_events(items: &[Item], layers: &Layers) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let initial = names_in_initial_values(items);
    for (adder, event) in added(layers) {
        let Some(decider) = decider(items, &event.text) else {
            continue;
        };
        let is_unaware = |other: usize| are_unaware(layers, adder, other);
        let own = spans_in_rules_of(items, &event.text);
        let like = like(layers, adder, &event.text);
        for other in layers
            .order
            .iter()
            .copied()
            .filter(|other| is_unaware(*other))
        {
            let rules = layers.list[other].items.iter();
            let rules = rules.filter_map(|item| rule_about_others(item, &initial));
            let alike = items.iter().filter_map(|item| match item {
                Item::Event(one) if one.name.text != event.text => Some(&one.name.text),
                _ => None,
            });
            // For an event that copies another, only a rule about that one may be intended for both.
            let alike = alike.filter(|name| like.is_none_or(|like| like.text == **name));
            let alike = alike.filter(|name| self::decider(items, name).as_ref() == Some(&decider));
            let alike: Vec<_> = alike
                .map(|name| (name, spans_in_rules_of(items, name)))
                .collect();
            let passed = rules.filter(|(span, _)| !any_within(&own, *span));
            let passed = passed.into_iter().find_map(|(span, removed_from)| {
                let bears = |name: &str, spans| {
                    any_within(spans, span) || like.is_none() && removed_from == Some(name)
                };
                let (name, _) = alike.iter().find(|(name, spans)| bears(name, spans))?;
                Some((span, name))
            });
            if let Some((span, name)) = passed {
                let joined = layers.joined(adder.min(other), adder.max(other));
                let names = [adder, other].map(|layer| layers.list[layer].name.text.as_str());
                warnings.push(failures::ignored_event(span, event, name, names, joined));
            }
        }
    }
    warnings
}

/// Whether neither of two variants knows of the other, and no applied variant knows of both.
fn are_unaware(layers: &Layers, one: usize, other: usize) -> bool {
    let know = layers.knows(one, other) || layers.knows(other, one);
    let knows_both = |third: &usize| layers.knows(*third, one) && layers.knows(*third, other);
    one != other && !know && !layers.order.iter().any(knows_both)
}

/// The names in the initial values of states: the facts and options behind them are about the start of a game, and not
/// about an event.
fn names_in_initial_values(items: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        if let Item::State(state) = item {
            let mut initial = state.initial.clone();
            initial.names(&mut |name, _| {
                names.insert(name.text.clone());
            });
        }
    }
    names
}

/// The events that variants add, each with its variant.
fn added(layers: &Layers) -> impl Iterator<Item = (usize, &ast::Name)> {
    layers.order.iter().flat_map(|layer| {
        let items = layers.list[*layer].items.iter();
        items.filter_map(move |item| match item {
            Item::Event(event) => Some((*layer, &event.name)),
            _ => None,
        })
    })
}

/// The event whose rules an event of a variant copies.
fn like<'l>(layers: &'l Layers, adder: usize, event: &str) -> Option<&'l ast::Name> {
    let mut items = layers.list[adder].items.iter();
    items.find_map(|item| match item {
        Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
            section.like.as_ref()
        }
        _ => None,
    })
}

/// The names in the expression for the seat that decides an event; none if no seat does.
fn decider(items: &[Item], name: &str) -> Option<Vec<String>> {
    let mut seat = items.iter().find_map(|item| match item {
        Item::Event(event) if event.name.text == name => match &event.by.as_ref()?.decider {
            Decider::Seat(seat) => Some(seat.clone()),
            Decider::Chance(_) | Decider::Referee => None,
        },
        _ => None,
    })?;
    let mut names = Vec::new();
    seat.names(&mut |name, _| names.push(name.text.clone()));
    Some(names)
}

/// The place where a variant changes or adds a rule about something that is not its own; and the name that the path of
/// a removal begins with, for nothing of that is left in the game.
fn rule_about_others<'i>(
    item: &'i Item,
    initial: &BTreeSet<String>,
) -> Option<(Span, Option<&'i str>)> {
    match item {
        Item::Change(change) => match &change.kind {
            ChangeKind::Remove { path } => Some((change.span, Some(path.parts[0].text.as_str()))),
            ChangeKind::ReplaceDefinition { path, .. }
            | ChangeKind::ReplaceRow { path, .. }
            | ChangeKind::Add { path, .. }
                if initial.contains(&path.parts[0].text) =>
            {
                None
            }
            _ => Some((change.span, None)),
        },
        Item::Section(section) => Some((section.span, None)),
        _ => None,
    }
}

/// Whether one of these spans is within a rule.
fn any_within(spans: &BTreeSet<Span>, rule: Span) -> bool {
    spans.iter().any(|span| rule.contains(*span))
}

/// The spans of the values, rows and names in everything that decides whether an event may happen and what follows: in
/// its sections, its guard, and the facts that these use.
fn spans_in_rules_of(items: &[Item], event: &str) -> BTreeSet<Span> {
    let mut spans = BTreeSet::new();
    let mut used = BTreeSet::new();
    let mut add = |part: &mut dyn Names, used: &mut BTreeSet<String>| {
        part.names(&mut |name, how| {
            spans.insert(name.span);
            if how != Use::Bound {
                used.insert(name.text.clone());
            }
        });
    };
    let mut facts = Vec::new();
    let mut written = Vec::new();
    for item in items {
        match item {
            Item::Event(one) if one.name.text == event => {
                if let Some(guard) = &one.guard {
                    add(&mut guard.condition.clone(), &mut used);
                }
            }
            Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
                for clause in &section.clauses {
                    written.extend(written_in(clause));
                    add(&mut clause.clone(), &mut used);
                }
            }
            Item::Fact(fact) => facts.push((&fact.name.text, Clause::Fact(fact.clone()))),
            _ => {}
        }
    }
    while let Some(next) = facts.iter().position(|(name, _)| used.contains(*name)) {
        let (_, mut fact) = facts.swap_remove(next);
        written.extend(written_in(&fact));
        add(&mut fact, &mut used);
    }
    spans.extend(written);
    spans
}

/// The spans of the values and rows of a clause, and of the state that it changes.
fn written_in(clause: &Clause) -> Vec<Span> {
    let rows = |rows: &[ast::Row]| rows.iter().map(|row| row.span).collect::<Vec<_>>();
    let defined = |definition: &Definition| match definition {
        Definition::Expression(value) => vec![value.span],
        Definition::Table(table) => rows(&table.rows),
        Definition::By(table) => table.rows.iter().map(|row| row.span).collect(),
    };
    match clause {
        Clause::Fact(fact) => defined(&fact.definition),
        Clause::New(new) => [vec![new.name.span], defined(&new.definition)].concat(),
        Clause::Impossible(list) | Clause::Begin(list) | Clause::Follows(list) => rows(&list.rows),
        Clause::Report(report) => rows(&report.rows),
    }
}
