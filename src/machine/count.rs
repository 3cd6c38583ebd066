//! Counts what is asked and what fires, where somebody wants to know.

use std::sync::atomic::Ordering;

use super::Machine;
use crate::{code::Code, fault::Stop};

impl<'c> Machine<'c> {
    /// The value of an expression, which is counted.
    #[inline(never)]
    pub(super) fn count_asked(&mut self, count: u32, code: &'c Code) -> Result<i64, Stop> {
        self.count_taken(Some(count));
        self.evaluate(code)
    }

    /// Counts a row that names an event, when it is taken.
    #[inline]
    pub(crate) fn count_taken(&self, count: Option<u32>) {
        if let Some(count) = count
            && let Some(count) = self.compiled.counts.get(count as usize)
        {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}
