//! What explanations say.

use crate::{source::Span, stream::Value};

/// A row that fired, with the values that made it.
#[derive(Debug, Clone)]
pub(crate) struct Cause {
    /// Its label; nothing where a definition has no rows.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    /// Its value and its conditions, as they were written.
    pub(crate) written: Vec<String>,
    /// What it mentions, with the values.
    pub(crate) values: Vec<Known>,
    /// Its value as it was written; nothing where it is a constant.
    pub(crate) gives: Option<String>,
    /// Its sentence.
    pub(crate) says: Option<String>,
    /// The facts that it mentions, each with what made it so.
    pub(crate) facts: Vec<FactCause>,
    /// What it looks for in states that are collections.
    pub(crate) looked_for: Vec<Member>,
    /// The earlier lines after which that stood; 0 is the start.
    pub(crate) stood: Vec<usize>,
}

/// What may be a member of a state, as data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) state: usize,
    pub(crate) value: Value,
}

/// A fact with its value, and what made it so.
#[derive(Debug, Clone)]
pub(crate) struct FactCause {
    pub(crate) name: String,
    /// Its value, if that can be written in a line.
    pub(crate) value: Option<String>,
    pub(crate) causes: Vec<Cause>,
    /// The rows that fired, too, and gave way to another: their labels and values.
    pub(crate) outdone: Vec<(String, String)>,
}

/// Something that is mentioned, with its value.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) value: String,
    /// For state that changed since the game began, the line on which it did last.
    pub(crate) since: Option<usize>,
}

/// A row that did not fire, or was passed over.
#[derive(Debug, Clone)]
pub(crate) struct Unfired {
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    pub(crate) failed: Failed,
    /// What it failed at, as it was written.
    pub(crate) written: String,
    /// What that mentions, with the values.
    pub(crate) values: Vec<Known>,
    pub(crate) facts: Vec<FactCause>,
}

/// What a row failed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failed {
    /// There was nothing for its variable to go through.
    Empty,
    /// A condition.
    Condition,
    /// Its value is no, none, or what it was before.
    Value,
    /// Nothing of it: a row before it came first.
    Earlier(String),
    /// A field of the event that it names would have no value.
    Field(String),
    /// The event that it names may not happen now.
    Guard(usize),
}

/// Something that an event did.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// It said a line.
    Said { text: String, cause: Cause },
    /// It changed a state, or an entry of it.
    Changed {
        /// The state.
        state: String,
        /// The entry of it, for a map.
        entry: Option<String>,
        /// What it was and what it is, where that can be written in a line.
        written: Option<(String, String)>,
        /// What a collection has now and had not, and the other way round.
        members: Option<(Vec<String>, Vec<String>)>,
        causes: Vec<Cause>,
    },
    /// It is impossible.
    Impossible { text: String, cause: Cause },
    /// It was refused.
    Refused { fact: FactCause },
}

/// An event explained.
#[derive(Debug, Clone, Default)]
pub(crate) struct Explanation {
    /// The sentences of the `illegal` and `refuse` rows that fired, each with where its row stands.
    pub(crate) sentences: Vec<(Span, String)>,
    pub(crate) effects: Vec<Effect>,
}

impl Cause {
    /// Shows this and all below it.
    fn each(&mut self, visit: &mut dyn FnMut(&mut Cause)) {
        visit(self);
        for fact in &mut self.facts {
            fact.causes.iter_mut().for_each(|cause| cause.each(visit));
        }
    }
}

impl Explanation {
    /// Shows all rows that fired.
    pub(crate) fn each_cause(&mut self, visit: &mut dyn FnMut(&mut Cause)) {
        for effect in &mut self.effects {
            match effect {
                Effect::Said { cause, .. } | Effect::Impossible { cause, .. } => cause.each(visit),
                Effect::Changed { causes, .. } => {
                    for cause in causes {
                        cause.each(visit);
                    }
                }
                Effect::Refused { fact } => {
                    fact.causes.iter_mut().for_each(|cause| cause.each(visit));
                }
            }
        }
    }

    /// Whether the event is impossible.
    pub(crate) fn is_impossible(&self) -> bool {
        matches!(self.effects.first(), Some(Effect::Impossible { .. }))
    }

    /// Whether the event was refused.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.effects.first(), Some(Effect::Refused { .. }))
    }
}
