//! Which change came after which, which two cannot both be meant, and which miss what another variant adds.

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
    syntax::ast::{self, ChangeKind, Clause, Decider, Item, Role},
};

/// What a change did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Gave an option or a member's attribute another constant.
    Set,
    /// Put a row or member in.
    Added,
    /// Put a definition or a row in place of another.
    Replaced,
    /// Put a type in place of another, and left what has it.
    Retyped,
    /// Did away with a definition, a row or a member.
    Removed,
    /// Said when a row does not fire.
    Excepted,
    /// Left nothing that needs it.
    Dropped,
}

/// One change to one thing.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// The path of what was changed: `put.refused.late`.
    pub(super) path: String,
    /// What was done.
    pub(super) edit: Edit,
    /// Where that stands.
    pub(super) span: Span,
    /// Where that stood which was changed.
    pub(super) before: Span,
    /// The variant that did it.
    pub(super) layer: usize,
}

/// All changes, in the order in which they were made.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    pub(super) steps: Vec<Step>,
    /// Pairs of steps that cannot both be meant.
    pairs: Vec<(usize, usize)>,
}

/// Whether `inner` is `outer` or lies in it.
pub(super) fn lies_in(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl History {
    /// Notes a step.
    pub(super) fn record(&mut self, step: Step, layers: &Layers) {
        let own = self.steps.len();
        for (index, earlier) in self.steps.iter().enumerate() {
            if clash(earlier, &step) && !layers.knows(step.layer, earlier.layer) {
                self.pairs.push((index, own));
            }
        }
        self.steps.push(step);
    }

    /// Whether a change of `path` by `layer` says what is to be where two that it knows of clash.
    pub(super) fn settles(&self, path: &str, layer: usize, layers: &Layers) -> bool {
        self.pairs.iter().any(|(first, second)| {
            [first, second].into_iter().all(|step| {
                let step = &self.steps[*step];
                layers.knows(layer, step.layer) && lies_in(&step.path, path)
            })
        })
    }

    /// Whether another variant than `layer` gave `path` its present form.
    pub(super) fn said_by_another(&self, path: &str, layer: usize) -> bool {
        let last = self.steps.iter().rfind(|step| step.path == path);
        last.is_some_and(|step| step.layer != layer && step.edit != Edit::Excepted)
    }

    /// Whether another variant than `layer` removed just this.
    pub(super) fn removed_by_another(&self, path: &str, layer: usize) -> bool {
        let removed = |step: &Step| step.path == path && step.edit == Edit::Removed;
        let mut steps = self.steps.iter();
        steps.any(|step| removed(step) && step.layer != layer)
    }

    /// The step after which `path` leads nowhere any more.
    pub(super) fn lost(&self, path: &str) -> Option<&Step> {
        let mut steps = self.steps.iter();
        steps.rfind(|step| match step.edit {
            Edit::Removed => lies_in(path, &step.path),
            Edit::Replaced => path != step.path && lies_in(path, &step.path),
            Edit::Set | Edit::Retyped | Edit::Added | Edit::Excepted | Edit::Dropped => false,
        })
    }

    /// The pairs of changes that clash, unless a variant that knows of both says what is to be.
    pub(super) fn clashes(&self, layers: &Layers) -> Vec<Diagnostic> {
        let mut clashes = Vec::new();
        for (first, second) in &self.pairs {
            let (earlier, later) = (&self.steps[*first], &self.steps[*second]);
            let settled = self.steps.iter().skip(second + 1).any(|step| {
                let settles = |other: &Step| {
                    layers.knows(step.layer, other.layer) && lies_in(&other.path, &step.path)
                };
                step.edit != Edit::Excepted && settles(earlier) && settles(later)
            });
            if !settled {
                clashes.push(failures::clash(earlier, later, layers));
            }
        }
        clashes
    }

    /// A warning for each row that a variant adds to a definition all of whose other rows another one replaces: what that
    /// does to each row, it does not do to one that it does not know of.
    pub(super) fn unforeseen(&self, items: &[Item], layers: &Layers) -> Vec<Diagnostic> {
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
            let by = |layer: usize, path: &str, edit: Edit| {
                let mut steps = self.steps.iter();
                steps.find(|step| step.layer == layer && step.path == path && step.edit == edit)
            };
            let others = layers.order.iter().copied();
            for other in others.filter(|other| are_unaware(layers, added.layer, *other)) {
                let paths = target.labels().map(|label| format!("{owner}.{label}"));
                let known = paths.filter(|path| by(added.layer, path, Edit::Added).is_none());
                let replaced: Option<Vec<&Step>> =
                    known.map(|path| by(other, &path, Edit::Replaced)).collect();
                // One that is replaced may be meant by itself.
                if let Some([first, _, ..]) = replaced.as_deref() {
                    warnings.push(failures::unforeseen(first, added, owner, layers));
                }
            }
        }
        warnings
    }
}

/// Whether a change was made; where what it is about was not found, that has been said and it was not.
pub(super) type Made = Result<(), Box<Diagnostic>>;

impl Merging<'_> {
    /// Notes that the present variant did something.
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

    /// What comes of a change that leaves everything as it is: it may say what is to be where two clash, or agree with
    /// another variant.
    pub(super) fn unchanged(&mut self, path: &str, span: Span, before: Span) -> Made {
        if self.history.settles(path, self.layer, self.layers) {
            self.record(path.to_string(), Edit::Replaced, span, before);
            return Ok(());
        }
        if self.history.said_by_another(path, self.layer) {
            return Ok(());
        }
        Err(Box::new(failures::idle(span, before)))
    }
}

/// Whether two changes cannot both be meant by authors who do not know of each other.
fn clash(earlier: &Step, later: &Step) -> bool {
    if earlier.edit == Edit::Retyped || later.edit == Edit::Retyped {
        // A type and what has it are two things.
        let gone = |outer: &Step, inner: &Step| {
            outer.edit == Edit::Removed && lies_in(&inner.path, &outer.path)
        };
        let both = earlier.edit == later.edit && earlier.path == later.path;
        return both || gone(earlier, later) || gone(later, earlier);
    }
    if earlier.edit == Edit::Added && later.edit == Edit::Added {
        // Two rows of one name.
        return earlier.path == later.path && earlier.layer != later.layer;
    }
    if earlier.edit == Edit::Added || later.edit == Edit::Added {
        // What is put into a definition is lost with it.
        let within = |outer: &Step, inner: &Step| {
            matches!(outer.edit, Edit::Replaced | Edit::Removed)
                && outer.path != inner.path
                && lies_in(&inner.path, &outer.path)
        };
        return within(earlier, later) || within(later, earlier);
    }
    if earlier.edit == Edit::Excepted && later.edit == Edit::Excepted {
        return false;
    }
    lies_in(&earlier.path, &later.path) || lies_in(&later.path, &earlier.path)
}

/// A warning for each event that a variant adds and that a rule of another one passes by, though it holds for an event
/// of the game that the same player decides: neither author knew of the other.
pub(super) fn passed_by(items: &[Item], layers: &Layers) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let starts = starts(items);
    for (adder, event) in added(layers) {
        let Some(decider) = decider(items, &event.text) else {
            continue;
        };
        let is_unaware = |other: usize| are_unaware(layers, adder, other);
        let own = bearing(items, &event.text);
        let like = like(layers, adder, &event.text);
        for other in layers
            .order
            .iter()
            .copied()
            .filter(|other| is_unaware(*other))
        {
            let rules = layers.list[other].items.iter();
            let rules = rules.filter_map(|item| rule(item, &starts));
            let alike = items.iter().filter_map(|item| match item {
                Item::Event(one) if one.name.text != event.text => Some(&one.name.text),
                _ => None,
            });
            // Of one that holds as another does, only a rule about that other may be meant.
            let alike = alike.filter(|name| like.is_none_or(|like| like.text == **name));
            let alike = alike.filter(|name| self::decider(items, name).as_ref() == Some(&decider));
            let alike: Vec<_> = alike.map(|name| (name, bearing(items, name))).collect();
            let passed = rules.filter(|span| !touches(&own, *span)).find_map(|span| {
                let (name, _) = alike.iter().find(|(_, bears)| touches(bears, span))?;
                Some((span, name))
            });
            if let Some((span, name)) = passed {
                let joined = layers.joined(adder.min(other), adder.max(other));
                let names = [adder, other].map(|layer| layers.list[layer].name.text.as_str());
                warnings.push(failures::passed_by(span, event, name, names, joined));
            }
        }
    }
    warnings
}

/// Whether neither of two variants knows of the other, and none that is applied knows of both.
fn are_unaware(layers: &Layers, one: usize, other: usize) -> bool {
    let met = layers.knows(one, other) || layers.knows(other, one);
    let judged = |third: &usize| layers.knows(*third, one) && layers.knows(*third, other);
    one != other && !met && !layers.order.iter().any(judged)
}

/// The names in the values that states have at first: what these stand for says how a game begins, and not what holds
/// for an event.
fn starts(items: &[Item]) -> BTreeSet<String> {
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

/// The event whose rules hold for one that a variant adds, but for what is said of it.
fn like<'l>(layers: &'l Layers, adder: usize, event: &str) -> Option<&'l ast::Name> {
    let mut items = layers.list[adder].items.iter();
    items.find_map(|item| match item {
        Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
            section.like.as_ref()
        }
        _ => None,
    })
}

/// The names in the expression that says which player decides an event; nothing where no player does.
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

/// Where a variant changes or adds a rule about something that is not its own.
fn rule(item: &Item, starts: &BTreeSet<String>) -> Option<Span> {
    match item {
        Item::Change(change) => match &change.kind {
            ChangeKind::ReplaceDefinition { path, .. }
            | ChangeKind::ReplaceRow { path, .. }
            | ChangeKind::Add { path, .. }
                if starts.contains(&path.parts[0].text) =>
            {
                None
            }
            _ => Some(change.span),
        },
        Item::Section(section) => Some(section.span),
        _ => None,
    }
}

/// Whether one of these names stands within a rule.
fn touches(names: &BTreeSet<Span>, rule: Span) -> bool {
    names.iter().any(|name| rule.holds(*name))
}

/// Where the names stand in all that decides whether an event may happen and what follows, but for what is reported: in
/// its sections, its guard, and the facts that these rest on.
fn bearing(items: &[Item], event: &str) -> BTreeSet<Span> {
    let mut spans = BTreeSet::new();
    let mut heard = BTreeSet::new();
    let mut hear = |part: &mut dyn Names, heard: &mut BTreeSet<String>| {
        part.names(&mut |name, how| {
            spans.insert(name.span);
            if how != Use::Bound {
                heard.insert(name.text.clone());
            }
        });
    };
    let mut facts = Vec::new();
    let mut equations = Vec::new();
    for item in items {
        match item {
            Item::Event(one) if one.name.text == event => {
                if let Some(guard) = &one.guard {
                    hear(&mut guard.condition.clone(), &mut heard);
                }
            }
            Item::Section(section) if section.events.iter().any(|one| one.text == event) => {
                for clause in &section.clauses {
                    match clause {
                        Clause::Fact(fact)
                            if fact.role == Role::Fact && fact.name.text != "over" =>
                        {
                            facts.push((&fact.name.text, clause.clone()));
                        }
                        Clause::New(new) => {
                            equations.push(new.name.span);
                            hear(&mut clause.clone(), &mut heard);
                        }
                        Clause::Report(_) => {}
                        _ => hear(&mut clause.clone(), &mut heard),
                    }
                }
            }
            Item::Fact(fact) => facts.push((&fact.name.text, Clause::Fact(fact.clone()))),
            _ => {}
        }
    }
    while let Some(next) = facts.iter().position(|(name, _)| heard.contains(*name)) {
        let (_, mut fact) = facts.swap_remove(next);
        hear(&mut fact, &mut heard);
    }
    spans.extend(equations);
    spans
}
