//! When each entry of the state changed last, and by which event.

use std::rc::Rc;

use super::Machine;
use crate::{
    code::{NONE, Shape},
    explanation::LastChange,
    machine::memory::at,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) line: usize,
    /// Its source text, where a line can hold several events.
    pub(crate) words: Option<Rc<str>>,
}

impl Moment {
    pub(super) fn parts(self) -> (usize, Option<String>) {
        (self.line, self.words.map(|words| words.to_string()))
    }
}

/// The last change of each entry, for each state whose entries are words or collections of words.
#[derive(Debug)]
pub(in crate::machine) struct Since {
    /// The event being explained. It is not reported as the last change.
    explained: Option<Moment>,
    entries: Vec<Vec<Entry>>,
}

#[derive(Debug, Clone)]
struct Entry {
    held: Held,
    /// The event that changed it last, and the step of its line; none since the start of the game.
    changed: Option<(Moment, usize)>,
}

/// The value of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Held {
    Word(i64),
    /// What a collection consists of.
    Words(Box<[u64]>),
}

impl Machine<'_> {
    /// Starts tracking changes, at the start of a game.
    pub(crate) fn watch_changes(&mut self) {
        let states = self.held_by_states().into_iter();
        let entry = |held| Entry {
            held,
            changed: None,
        };
        let entries = states.map(|state| state.into_iter().map(entry).collect());
        self.since = Some(Box::new(Since {
            explained: None,
            entries: entries.collect(),
        }));
    }

    /// Records what an event has changed that belongs to a step of its line.
    pub(crate) fn note_changes(&mut self, moment: &Moment, step: usize) {
        let states = self.held_by_states();
        let Some(since) = &mut self.since else {
            return;
        };
        for (entries, state) in since.entries.iter_mut().zip(states) {
            for (entry, held) in entries.iter_mut().zip(state) {
                if entry.held != held {
                    *entry = Entry {
                        held,
                        changed: Some((moment.clone(), step)),
                    };
                }
            }
        }
    }

    /// From here on, the event explained last counts as an earlier one.
    pub(crate) fn finish_explanation(&mut self) {
        self.epoch += 1;
        self.set_explained_event(None);
    }

    /// Sets the event being explained.
    pub(crate) fn set_explained_event(&mut self, moment: Option<Moment>) {
        if let Some(since) = &mut self.since {
            since.explained = moment;
        }
    }

    /// The earlier event that changed a state, or an entry of it, last. None if nothing changed it since the start.
    pub(super) fn since(&self, state: usize, key: Option<i64>) -> Option<Moment> {
        self.changed_last(state, key).map(|(moment, _)| moment)
    }

    /// The same with the change itself.
    pub(super) fn changed_last(
        &self,
        state: usize,
        key: Option<i64>,
    ) -> Option<(Moment, LastChange)> {
        let place = match (&self.compiled.states[state].shape, key) {
            (Shape::Map { domain, .. }, Some(key)) => domain.index(key),
            (Shape::Map { .. }, None) => return None,
            _ => 0,
        };
        let since = self.since.as_ref()?;
        let (moment, step) = since.entries.get(state)?.get(place)?.changed.as_ref()?;
        let change = LastChange {
            step: *step,
            state,
            place,
        };
        (Some(moment) != since.explained.as_ref()).then(|| (moment.clone(), change))
    }

    /// The entries of each state; none for states of records, of sets of texts, and the like.
    fn held_by_states(&self) -> Vec<Vec<Held>> {
        let states = self.compiled.states.iter();
        let held = states.map(|state| {
            let value = self.read(state.offset, 0, state.slot);
            match &state.shape {
                Shape::Map { domain, .. } if value == NONE => {
                    Some(vec![Held::Word(NONE); domain.count])
                }
                Shape::Map {
                    domain,
                    slot,
                    entry,
                    ..
                } => (0..domain.count)
                    .map(|place| self.held(self.read(at(value), place, *slot), entry))
                    .collect(),
                shape => self.held(value, shape).map(|held| vec![held]),
            }
        });
        held.map(Option::unwrap_or_default).collect()
    }

    fn held(&self, value: i64, shape: &Shape) -> Option<Held> {
        if shape.is_word() || value == NONE {
            return Some(Held::Word(value));
        }
        let block = |words: usize| self.memory.get(at(value)..at(value) + words);
        let words = match shape {
            Shape::Words { words, .. } => block(*words)?,
            Shape::Counts { domain } => block(domain.count)?,
            Shape::Pile { slot, element } if element.is_word() => {
                self.words_of_pile(value, slot.stride())
            }
            _ => return None,
        };
        Some(Held::Words(words.into()))
    }
}
