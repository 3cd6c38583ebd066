//! States of a game that somebody may return to, across the starts of games too.

use std::sync::Arc;

use super::{
    Ending, Machine,
    check::Partials,
    dictionary::Dictionaries,
    forms::Forms,
    hashed,
    pile::{Extent, Pile},
};

/// A state of the machine that is kept: [`Machine::return_to`] returns to it. Its memory is the image that was taken with
/// it, and what that holds of piles and sets is kept as long as it.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    events: u64,
    restarted: bool,
    game_number: i64,
    fuel: u64,
    allowed: u64,
    game_fuel: u64,
    ending: Option<Ending>,
    /// The transcript's own numbers.
    numbers: Vec<i64>,
    setup: Arc<Setup>,
    logs: Logs,
}

/// How long the logs are that the state's sets and piles are in. Whatever was added since is taken off again, so that
/// adding to them goes on where it was.
#[derive(Debug, Clone)]
pub(super) struct Logs {
    sets: Vec<(usize, usize)>,
    piles: Vec<Extent>,
}

/// What depends on what a game was given.
#[derive(Debug)]
pub(super) struct Setup {
    forms: Vec<Forms>,
    partial: Partials,
}

impl Machine<'_> {
    /// From here on states before the present game can be returned to as well.
    pub(crate) fn keep_all_games(&mut self) {
        self.keeps_games = true;
    }

    /// Keeps the present state.
    pub(crate) fn past(&mut self) -> Past {
        let fixed = self.compiled.fixed_words;
        self.images.push(self.memory[..fixed].to_vec());
        let setup = self.setup.get_or_insert_with(|| {
            Arc::new(Setup {
                forms: self.forms.clone(),
                partial: self.partial.clone(),
            })
        });
        let setup = Arc::clone(setup);
        Past {
            events: self.events,
            restarted: self.restarted,
            game_number: self.game_number,
            fuel: self.fuel,
            allowed: self.allowed,
            game_fuel: self.game_fuel,
            ending: self.ending.clone(),
            numbers: self.locals[..self.bottom].to_vec(),
            setup,
            logs: self.logs(),
        }
    }

    /// How long the logs are that the state's sets and piles are in.
    pub(super) fn logs(&self) -> Logs {
        let words = |roots: &'_ [(usize, usize)]| -> Vec<i64> {
            let places = roots
                .iter()
                .flat_map(|(start, count)| *start..start + count);
            let words = places.map(|place| self.memory[place].cast_signed());
            words.filter(|word| *word != 0).collect()
        };
        let sets = words(&self.compiled.hashed_roots).into_iter();
        let piles = words(&self.compiled.pile_roots).into_iter();
        Logs {
            sets: self.hashed.lengths(sets.map(hashed::log_of)),
            piles: self.piles.extents(piles.map(|pile| Pile::of(pile).log)),
        }
    }

    /// Takes off again what was added to logs, and is held by nothing.
    pub(super) fn cut(&mut self, logs: &Logs) {
        self.hashed.cut(&logs.sets);
        self.piles.cut(&logs.piles);
        self.last_found = hashed::LastFound::default();
    }

    /// Returns to the state that was kept last, and keeps it no longer.
    pub(crate) fn return_to(&mut self, past: &Past) {
        if let Some(image) = self.images.pop() {
            self.memory[..image.len()].copy_from_slice(&image);
        }
        self.cut(&past.logs);
        self.locals[..self.bottom].copy_from_slice(&past.numbers);
        let is_setup = |setup: &Arc<Setup>| Arc::ptr_eq(setup, &past.setup);
        if !self.setup.as_ref().is_some_and(is_setup) {
            self.forms.clone_from(&past.setup.forms);
            self.partial = past.setup.partial.clone();
            self.dictionaries = Dictionaries::new(self.compiled);
            self.setup = Some(Arc::clone(&past.setup));
        }
        self.events = past.events;
        self.restarted = past.restarted;
        self.ending.clone_from(&past.ending);
        self.game_number = past.game_number;
        (self.fuel, self.allowed, self.game_fuel) = (past.fuel, past.allowed, past.game_fuel);
        self.forget_event();
    }

    /// Whether a state that messages leave out differs from what it was in the image that was kept last.
    pub(crate) fn differs_unwritten(&self) -> bool {
        let Some(image) = self.images.last() else {
            return false;
        };
        let mut states = self.compiled.states.iter();
        states.any(|state| {
            let place = state.offset..state.offset + state.slot.stride();
            state.shown.is_none() && self.memory.get(place.clone()) != image.get(place)
        })
    }

    /// Keeps no state any longer.
    pub(crate) fn forget_past(&mut self) {
        self.images.clear();
    }

    /// Forgets what was worked out of a state that was left.
    fn forget_event(&mut self) {
        self.epoch += 1;
        self.top = self.compiled.fixed_words;
        self.base = 0;
        self.frame_top = self.bottom;
        self.last_found = hashed::LastFound::default();
        self.out.clear();
    }

    /// As much as the states that are kept take, in words. Whoever goes through all of them does so only after as much
    /// was made, so that an event does not take longer the more of them there are.
    pub(super) fn kept_words(&self) -> usize {
        self.images.len() * self.compiled.fixed_words
    }
}
