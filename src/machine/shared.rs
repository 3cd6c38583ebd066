//! Machine code that all runs of a game share: when it is made, and by whom.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{Machine, engine::Engine};
use crate::{code::Natively, lower::Purpose};

/// How many events are done before a game is made machine code: as long as that takes. Events that take more work than
/// usual count for more.
const EVENTS_BEFORE: u64 = 4096;

/// How much work an event takes that counts for two.
const USUAL_WORK: u64 = 128;

/// How much work a search may take to be counted as an event.
const FUEL_OF_EVENT: u64 = 1 << 10;

/// A game's machine code, which all runs of it share. Whichever has reason to first makes it, and the others go on
/// without meanwhile.
#[derive(Default)]
pub(crate) struct SharedEngine {
    /// How many events were done by exact functions, in all runs.
    events_done: AtomicU64,
    /// Whether somebody makes it, or has.
    begun: AtomicBool,
    /// Nothing where the game cannot be lowered.
    made: OnceLock<Option<Engine>>,
}

impl std::fmt::Debug for SharedEngine {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SharedEngine").finish_non_exhaustive()
    }
}

impl Machine<'_> {
    /// From here on the game is searched for what may happen.
    pub(crate) fn begin_searching(&mut self) {
        self.purpose = Purpose::Search;
        self.engine = None;
        self.recent = 0;
    }

    /// As much work as was done since this was asked last, in events.
    pub(super) fn events_searched(&mut self) -> u64 {
        std::mem::take(&mut self.recent) / FUEL_OF_EVENT
    }

    /// As much work as was done in the event before this, in events.
    pub(super) fn events_done(&mut self) -> u64 {
        1 + std::mem::take(&mut self.recent) / USUAL_WORK
    }

    /// Lowers the game, once that pays after as much as so many events, or takes what another run has made.
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
