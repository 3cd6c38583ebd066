//! What machine code relies on: values are what their types say. Where assertions are compiled in, the machine makes sure
//! of it, but for programs that never become machine code: of these, some were changed after they were checked.

use super::Machine;
use crate::code::{Bounds, Natively};

impl Machine<'_> {
    /// A value, which is what its type says.
    #[inline]
    pub(super) fn as_typed(&self, bounds: Option<Bounds>, value: i64) -> i64 {
        debug_assert!(
            self.compiled.natively == Natively::Never
                || bounds.is_none_or(|bounds| bounds.allows(value)),
            "{value} is not within {bounds:?}"
        );
        value
    }

    /// Makes sure that the fields of the event in hand are what their types say.
    #[inline]
    pub(super) fn assert_fields(&self) {
        if cfg!(debug_assertions) {
            let compiled = self.compiled;
            let fields = compiled.events[self.event].fields.iter();
            for (place, field) in (compiled.fields..).zip(fields) {
                self.as_typed(field.bounds, self.load(place));
            }
        }
    }

    /// Makes sure that givens and state are what their types say.
    #[inline]
    pub(super) fn assert_state(&self) {
        if cfg!(debug_assertions) {
            let (givens, states) = (&self.compiled.givens, &self.compiled.states);
            for (offset, bounds) in givens
                .iter()
                .map(|given| (given.offset, given.bounds))
                .chain(states.iter().map(|state| (state.offset, state.bounds)))
            {
                self.as_typed(bounds, self.load(offset));
            }
        }
    }
}
