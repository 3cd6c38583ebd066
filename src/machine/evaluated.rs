//! What machine code would do, where there is none: the evaluator does it all.

#![expect(clippy::unused_self, reason = "with machine code these do something")]

use super::{
    Machine,
    step::{Choices, Chosen, Decided, Read, Return},
};
use crate::{
    code::{Pattern, Play},
    word::Word,
};

impl Machine<'_> {
    pub(super) fn happened_natively(&mut self, _chosen: bool) -> Option<(Decided, bool)> {
        None
    }

    pub(crate) fn play_natively(
        &mut self,
        _play: &Play,
        _words: &[Word],
        _next: usize,
        _text: &[u8],
    ) -> Option<(Return, Read)> {
        None
    }

    pub(crate) fn read_natively(
        &mut self,
        _pattern: &Pattern,
        _words: &[Word],
        _next: usize,
        _text: &[u8],
        _given: &mut [Vec<bool>],
    ) -> Option<usize> {
        None
    }

    pub(crate) fn begin_searching(&mut self) {}

    pub(super) fn searched_natively(&mut self, _event: usize, _keep: bool) -> Option<u64> {
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

    pub(super) fn valued_natively(&mut self, _partial: usize) -> bool {
        false
    }
}
