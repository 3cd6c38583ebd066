//! Checks values against types: those that rules make, which indices of partial types are values, and in debug builds
//! all that machine code relies on.

use super::{Executable, Machine, memory::at};
use crate::{
    code::{Bounds, Check, Compiled, NONE, Natively, SiteId},
    fault::{self, Stop, Trouble},
    lower::Key,
};

impl<'c> Machine<'c> {
    /// Checks a value that a rule makes.
    #[inline]
    pub(super) fn check(&mut self, value: i64, check: &'c Check, site: SiteId) -> Result<(), Stop> {
        match self.outside(value, check)? {
            None => Ok(()),
            Some((value, ty)) => Err(fault::rules(site, Trouble::Outside { value, ty })),
        }
    }

    /// The part of a value that lies outside its type, and the type, both written.
    #[inline]
    pub(crate) fn outside(
        &mut self,
        value: i64,
        check: &'c Check,
    ) -> Result<Option<(String, String)>, Stop> {
        if let Check::Range { lo, hi, .. } = check
            && self.evaluate(lo)? <= value
            && value <= self.evaluate(hi)?
        {
            return Ok(None);
        }
        self.found_outside(value, check)
    }

    #[inline(never)]
    fn found_outside(
        &mut self,
        value: i64,
        check: &'c Check,
    ) -> Result<Option<(String, String)>, Stop> {
        match check {
            Check::Range {
                lo,
                hi,
                optional,
                ty,
                written,
            } => {
                if value == NONE && *optional {
                    return Ok(None);
                }
                let (lo, hi) = (self.evaluate(lo)?, self.evaluate(hi)?);
                if lo <= value && value <= hi {
                    return Ok(None);
                }
                let value = self.rendered_value(value, written);
                Ok(Some((value, ty.clone())))
            }
            Check::Bits { allowed, ty } => {
                if value == NONE || value & !allowed == 0 {
                    Ok(None)
                } else {
                    Ok(Some(("a member".into(), ty.clone())))
                }
            }
            Check::Each {
                shape,
                check,
                optional,
            } => {
                if value == NONE && *optional {
                    return Ok(None);
                }
                let mut found = None;
                self.each_member(value, shape, &mut |machine, member| {
                    found = machine.outside(member, check)?;
                    Ok(found.is_none())
                })?;
                Ok(found)
            }
            Check::Entries {
                domain,
                slot,
                check,
                optional,
            } => {
                if value == NONE && *optional {
                    return Ok(None);
                }
                for index in 0..domain.count {
                    let entry = self.read(at(value), index, *slot);
                    let found = self.outside(entry, check)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                Ok(None)
            }
        }
    }
}

impl Machine<'_> {
    /// Asserts that a value is within the bounds of its type. Not for programs that never become machine code, since
    /// some of these were changed after they were checked.
    #[inline]
    pub(super) fn as_typed(&self, bounds: Option<Bounds>, value: i64) -> i64 {
        debug_assert!(
            self.compiled.natively == Natively::Never
                || bounds.is_none_or(|bounds| bounds.allows(value)),
            "{value} is not within {bounds:?}"
        );
        value
    }

    /// Asserts that the fields of the current event are within their types.
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

    /// Asserts that givens and state are within their types.
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

/// Which indices of partial types are values.
#[derive(Debug, Clone)]
pub(super) struct Partials {
    /// For each index of each partial type, one type after the other: 1 if it is a value, else 0.
    pub(super) values: Vec<u8>,
    /// For each partial type, whether its values are known.
    found: Vec<bool>,
}

impl Partials {
    pub(super) fn new(compiled: &Compiled) -> Partials {
        let count = compiled.partial.iter().map(|partial| partial.count).sum();
        Partials {
            values: vec![0; count],
            found: vec![false; compiled.partial.len()],
        }
    }
}

impl<'c> Machine<'c> {
    /// A machine that knows the values of all types that do not depend on givens: a transcript may read how many there
    /// are before a game starts.
    pub(crate) fn ready(compiled: &'c Executable) -> Machine<'c> {
        let mut machine = Machine::new(compiled);
        // A condition that fails is reported when a game starts.
        machine.find_values(false).ok();
        machine
    }

    /// Computes which indices of partial types are values; with `given`, of all types, otherwise only of those that do
    /// not depend on givens.
    pub(super) fn find_values(&mut self, given: bool) -> Result<(), Stop> {
        for (place, partial) in self.compiled.partial.iter().enumerate() {
            let is_due = if partial.given {
                given
            } else {
                !self.partial.found[place]
            };
            if !is_due {
                continue;
            }
            if self.find_values_lowered(place) {
                self.partial.found[place] = true;
                continue;
            }
            self.exactly(|machine| machine.call_key(Key::Values(place), &[]))?;
            self.partial.found[place] = true;
        }
        Ok(())
    }

    /// Whether an index is a value of a partial type.
    pub(super) fn is_value(&self, partial: usize, index: i64) -> bool {
        let partial = &self.compiled.partial[partial];
        let index = at(index);
        index < partial.count && self.partial.values[partial.start + index] != 0
    }
}
