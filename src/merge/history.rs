//! Which change came after which, and which two cannot both be meant.

use super::{failures, layers::Layers};
use crate::{diagnostic::Diagnostic, source::Span};

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
