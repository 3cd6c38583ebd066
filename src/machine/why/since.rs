//! Since when state is as it is: the line that changed each entry last.

use super::Machine;
use crate::{code::Shape, machine::memory::at};

/// Which lines changed what, for each state whose entries are single words.
#[derive(Debug)]
pub(in crate::machine) struct Since {
    /// The line that is explained, of which nothing needs to be said.
    asked: usize,
    entries: Vec<Vec<Entry>>,
}

/// An entry of a state.
#[derive(Debug, Clone, Copy)]
struct Entry {
    word: i64,
    /// The line that changed it last; nothing since the game began.
    line: Option<usize>,
}

impl Machine<'_> {
    /// Begins to watch the state, as it is after a game's start.
    pub(crate) fn watch_lines(&mut self, asked: usize) {
        let words = self.words_of_states().into_iter();
        let entry = |word| Entry { word, line: None };
        let entries = words.map(|words| words.into_iter().map(entry).collect());
        self.since = Some(Box::new(Since {
            asked,
            entries: entries.collect(),
        }));
    }

    /// Notes what was changed on a line.
    pub(crate) fn note_line(&mut self, line: usize) {
        let words = self.words_of_states();
        let Some(since) = &mut self.since else {
            return;
        };
        for (entries, words) in since.entries.iter_mut().zip(words) {
            for (entry, word) in entries.iter_mut().zip(words) {
                if entry.word != word {
                    *entry = Entry {
                        word,
                        line: Some(line),
                    };
                }
            }
        }
    }

    /// Has the line that is explained told as others are: it is past.
    pub(crate) fn tell_last_line(&mut self) {
        self.epoch += 1;
        if let Some(since) = &mut self.since {
            since.asked = 0;
        }
    }

    /// The earlier line that changed a state last, or an entry of it, if it was changed since the game began.
    pub(super) fn since(&self, state: usize, key: Option<i64>) -> Option<usize> {
        let place = match (&self.compiled.states[state].shape, key) {
            (Shape::Map { domain, .. }, Some(key)) => domain.index(key),
            (Shape::Map { .. }, None) => return None,
            _ => 0,
        };
        let since = self.since.as_ref()?;
        let line = since.entries.get(state)?.get(place)?.line;
        line.filter(|line| *line != since.asked)
    }

    /// The words of each state; none where these do not say all.
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
