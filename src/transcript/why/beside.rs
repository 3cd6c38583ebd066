//! What could have stood on a line instead.

use crate::{
    code::{Play, explain::Explained},
    fault::Stop,
    machine::Machine,
    transcript::{Run, moves::All},
};

/// How many events that are written much like a line are told.
const MOST_MEANT: usize = 3;

/// An event that differs from another in one field.
#[derive(Debug, Clone)]
pub(crate) struct Beside {
    pub(crate) field: String,
    /// The field's value, if it can be written.
    pub(crate) value: Option<String>,
    /// How the event is written.
    pub(crate) words: String,
}

impl<'c> Run<'c, '_> {
    /// The events beside the one in hand that may happen and are as wanted: for each field the nearest, if there is one
    /// and it can be written.
    pub(super) fn beside(
        &mut self,
        explained: &'c Explained,
        play: &'c Play,
        wanted: &mut dyn FnMut(&mut Machine<'c>) -> Result<bool, Stop>,
    ) -> Result<Vec<Beside>, Stop> {
        let event = self.machine.event;
        let fields = &explained.events[event].fields;
        let numbers: Vec<bool> = fields.iter().map(|(.., number)| *number).collect();
        let mut found = Vec::new();
        for change in self.machine.nearest(&numbers, wanted)? {
            let back = self.machine.exchange(change);
            let (name, text, _) = &fields[change.field];
            let value = match text {
                Some(text) => Some(self.machine.rendered(text)?),
                None => None,
            };
            if let Some(words) = self.written(play, event)? {
                found.push(Beside {
                    field: name.clone(),
                    value,
                    words,
                });
            }
            self.machine.exchange(back);
        }
        Ok(found)
    }

    /// What may come where a line cannot be read, and is written much like it: like the line, or like the words of it that
    /// do not fit.
    pub(super) fn meant(&mut self, line: &str, words: &str) -> Vec<String> {
        let Some(play) = self.reached.filter(|_| self.in_game) else {
            return Vec::new();
        };
        let mut all = All::default();
        let mut found = Vec::new();
        for event in self.events_of(play, &[], &mut all) {
            // What cannot be worked out is not proposed.
            if self.next_of(play, event, false, &mut found).is_err() {
                return Vec::new();
            }
        }
        let mut near: Vec<(usize, String)> = Vec::new();
        for found in found {
            for wrong in [line.trim(), words.trim()] {
                let distance = strsim::damerau_levenshtein(wrong, &found.written);
                if distance <= (wrong.chars().count() / 2).max(1) {
                    near.push((distance, found.written.clone()));
                }
            }
        }
        near.sort();
        near.dedup();
        let nearest = near.first().map_or(0, |(distance, _)| *distance);
        near.into_iter()
            .take_while(|(distance, _)| *distance == nearest)
            .take(MOST_MEANT)
            .map(|(_, written)| written)
            .collect()
    }
}
