//! What machine code would do, where there is none: the evaluator does it all.

#![expect(clippy::unused_self, reason = "with machine code these do something")]

use super::{
    Machine,
    step::{Choices, Chosen, Decided},
};

impl Machine<'_> {
    pub(super) fn decided_natively(&mut self) -> Option<Decided> {
        None
    }

    pub(super) fn guarded_natively(&mut self, _event: usize) -> Option<bool> {
        None
    }

    pub(super) fn chosen_natively(&mut self, _choices: Choices) -> Chosen {
        Chosen::Unknown
    }

    pub(super) fn begun_natively(&mut self, _state: usize) -> bool {
        false
    }

    pub(super) fn committed_natively(&mut self, _chosen: bool) -> bool {
        false
    }
}
