//! A game with the functions that all its runs share: when they are made, and by which run.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::{Machine, engine::Engine, forms::know_forms};
use crate::{
    code::{Compiled, Natively},
    lower::{OnDemand, Purpose},
};

/// A compiled game that can be run.
#[derive(Debug, Default)]
pub(crate) struct Executable {
    compiled: Compiled,
    /// Its exact functions, which report what is wrong.
    pub(super) exact: OnDemand,
    /// Its machine code, once made.
    native: SharedEngine,
    /// Its machine code for searches for possible events.
    searching: SharedEngine,
}

impl Executable {
    /// A game with the written forms that do not depend on givens; with `by_facts`, also those that facts define.
    pub(crate) fn new(compiled: Compiled, by_facts: bool) -> Executable {
        let mut executable = Executable {
            compiled,
            ..Executable::default()
        };
        know_forms(&mut executable, by_facts);
        executable
    }
}

impl Deref for Executable {
    type Target = Compiled;

    fn deref(&self) -> &Compiled {
        &self.compiled
    }
}

impl DerefMut for Executable {
    fn deref_mut(&mut self) -> &mut Compiled {
        &mut self.compiled
    }
}

/// A game becomes machine code after this many events, which take about as long as making it. Events that take more
/// work than usual count for more.
const EVENTS_BEFORE: u64 = 4096;

/// An event counts once more for each this much work.
const USUAL_WORK: u64 = 128;

/// A search counts as one event for each this much work.
const FUEL_OF_EVENT: u64 = 1 << 10;

/// A game's machine code, shared by all its runs. The first run that needs it makes it; the others continue without it
/// meanwhile.
#[derive(Default)]
struct SharedEngine {
    /// The number of events run by exact functions, in all runs.
    events_done: AtomicU64,
    /// Whether a run is making it, or has.
    begun: AtomicBool,
    /// Nothing inside if the game cannot be lowered.
    made: OnceLock<Option<Engine>>,
}

impl std::fmt::Debug for SharedEngine {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SharedEngine").finish_non_exhaustive()
    }
}

impl Machine<'_> {
    /// Counts work from here on as that of a search.
    pub(crate) fn begin_searching(&mut self) {
        self.purpose = Purpose::Search;
        self.engine = None;
        self.recent = 0;
    }

    /// The work since the last call, as a number of events.
    pub(super) fn events_searched(&mut self) -> u64 {
        std::mem::take(&mut self.recent) / FUEL_OF_EVENT
    }

    /// The work of the last event, as a number of events.
    pub(super) fn events_done(&mut self) -> u64 {
        1 + std::mem::take(&mut self.recent) / USUAL_WORK
    }

    /// Lowers the game if that pays after `events` more events, or takes the code that another run made.
    pub(super) fn find_engine(&mut self, events: u64) -> Option<()> {
        let compiled = self.compiled;
        if !compiled.limits.has_fast() {
            return None;
        }
        let shared = match self.purpose {
            Purpose::Run => &compiled.native,
            Purpose::Search => &compiled.searching,
            Purpose::Exact => return None,
        };
        if shared.made.get().is_none() {
            let wait = match compiled.natively {
                Natively::Never => return None,
                Natively::AtOnce | Natively::Interpreted => false,
                Natively::Later => {
                    let done = shared.events_done.fetch_add(events, Ordering::Relaxed);
                    done < EVENTS_BEFORE || shared.begun.swap(true, Ordering::Relaxed)
                }
            };
            if wait {
                return None;
            }
        }
        let is_native = compiled.natively != Natively::Interpreted;
        let made = shared
            .made
            .get_or_init(|| Engine::of(compiled, self.purpose, is_native));
        self.engine = Some(made.as_ref()?);
        Some(())
    }
}
