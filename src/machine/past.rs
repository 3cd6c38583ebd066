//! Saved states of a game to return to, even across the start of another game.

use std::sync::Arc;

use super::{
    Ending, Machine,
    check::Partials,
    dictionary::Dictionaries,
    forms::Forms,
    hashed,
    pile::{Extent, Pile},
};

/// A saved state of the machine, for [`Machine::return_to`]. Its memory is the image that was taken with it. The piles
/// and sets in the image live as long as it does.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    events: u64,
    restarted: bool,
    game_number: i64,
    fuel: u64,
    allowed: u64,
    game_fuel: u64,
    ending: Option<Ending>,
    numbers: Vec<i64>,
    setup: Arc<Setup>,
    logs: Logs,
}

/// The lengths of the logs of the state's sets and piles. Returning to the state cuts them to these lengths, so that
/// they grow from there again.
#[derive(Debug, Clone)]
pub(super) struct Logs {
    sets: Vec<(usize, usize)>,
    piles: Vec<Extent>,
}

/// What depends on a game's givens.
#[derive(Debug)]
pub(super) struct Setup {
    forms: Vec<Forms>,
    partial: Partials,
}

impl Machine<'_> {
    /// Lets callers return to states of earlier games as well.
    pub(crate) fn keep_all_games(&mut self) {
        self.keeps_games = true;
    }

    /// Saves the current state.
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

    /// The lengths of the logs of the state's sets and piles.
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

    /// Cuts logs to earlier lengths; nothing holds the rest.
    pub(super) fn cut(&mut self, logs: &Logs) {
        self.hashed.cut(&logs.sets);
        self.piles.cut(&logs.piles);
        self.last_found = hashed::LastFound::default();
    }

    /// Returns to the state saved last, and drops it.
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

    /// Whether a state that messages leave out differs from the image saved last.
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

    /// Drops all saved states.
    pub(crate) fn forget_past(&mut self) {
        self.images.clear();
    }

    /// Drops what was cached for a state that is left.
    fn forget_event(&mut self) {
        self.epoch += 1;
        self.top = self.compiled.fixed_words;
        self.base = 0;
        self.frame_top = self.bottom;
        self.last_found = hashed::LastFound::default();
        self.out.clear();
    }

    /// The size of all saved states, in words. A pass over them must wait until as much was allocated, so that events
    /// do not get slower the more states are saved.
    pub(super) fn kept_words(&self) -> usize {
        self.images.len() * self.compiled.fixed_words
    }
}
