//! When a game becomes machine code, and who makes it.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::Native;
use crate::{code::Natively, machine::Machine};

/// How many events are done before a game is made machine code: as long as that takes. Events that take more work than
/// usual count for more.
const EVENTS_BEFORE: u64 = 4096;

/// How much work an event takes that counts for two.
const USUAL_WORK: u64 = 128;

/// A game's machine code, which all runs of it share. Whichever has reason to first makes it, and the others go on
/// without meanwhile.
#[derive(Default)]
pub(crate) struct SharedNative {
    /// How many events were done by the evaluator, in all runs.
    events_done: AtomicU64,
    /// Whether somebody makes it, or has.
    begun: AtomicBool,
    /// The code; nothing where there is none for this kind of machine.
    made: OnceLock<Option<Native>>,
}

impl std::fmt::Debug for SharedNative {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SharedNative").finish_non_exhaustive()
    }
}

impl Machine<'_> {
    /// Makes the game machine code, once that pays, or takes what another run has made.
    pub(super) fn become_native(&mut self) -> Option<()> {
        let compiled = self.compiled;
        let shared = &compiled.native;
        if shared.made.get().is_none() {
            let wait = match compiled.natively {
                Natively::Never => return None,
                Natively::AtOnce => false,
                Natively::Later => {
                    let more = 1 + self.spent / USUAL_WORK;
                    let done = shared.events_done.fetch_add(more, Ordering::Relaxed);
                    done < EVENTS_BEFORE || shared.begun.swap(true, Ordering::Relaxed)
                }
            };
            if wait {
                return None;
            }
        }
        self.native = shared.made.get_or_init(|| Native::of(compiled)).as_ref();
        self.native.map(|_| ())
    }
}
