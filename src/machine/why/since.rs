//! When each entry of the state changed last, and by which event.

use std::rc::Rc;

use super::Machine;
use crate::{code::Shape, explanation::LastChange, machine::memory::at};

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

/// The last change of each entry, for each state whose entries are single words.
#[derive(Debug)]
pub(in crate::machine) struct Since {
    /// The event being explained. It is not reported as the last change.
    explained: Option<Moment>,
    entries: Vec<Vec<Entry>>,
}

#[derive(Debug, Clone)]
struct Entry {
    word: i64,
    /// The event that changed it last, and the step of its line; none since the start of the game.
    changed: Option<(Moment, usize)>,
}

impl Machine<'_> {
    /// Starts tracking changes, at the start of a game.
    pub(crate) fn watch_changes(&mut self) {
        let words = self.words_of_states().into_iter();
        let entry = |word| Entry {
            word,
            changed: None,
        };
        let entries = words.map(|words| words.into_iter().map(entry).collect());
        self.since = Some(Box::new(Since {
            explained: None,
            entries: entries.collect(),
        }));
    }

    /// Records what an event has changed that belongs to a step of its line.
    pub(crate) fn note_changes(&mut self, moment: &Moment, step: usize) {
        let words = self.words_of_states();
        let Some(since) = &mut self.since else {
            return;
        };
        for (entries, words) in since.entries.iter_mut().zip(words) {
            for (entry, word) in entries.iter_mut().zip(words) {
                if entry.word != word {
                    *entry = Entry {
                        word,
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

    /// The words of each state; empty for states whose values take more than words.
    fn words_of_states(&self) -> Vec<Vec<i64>> {
        let states = self.compiled.states.iter();
        let words = states.map(|state| match &state.shape {
            shape if shape.is_word() => vec![self.read(state.offset, 0, state.slot)],
            Shape::Map {
                domain,
                slot,
                entry,
                ..
            } if entry.is_word() => {
                let block = at(self.read(state.offset, 0, state.slot));
                let places = 0..domain.count;
                places.map(|place| self.read(block, place, *slot)).collect()
            }
            _ => Vec::new(),
        });
        words.collect()
    }
}
