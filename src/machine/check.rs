//! Values checked against types: those that rules make, and, where assertions are compiled in, all that machine code relies
//! on.

use super::{Machine, memory::at};
use crate::{
    code::{Bounds, Check, NONE, Natively, SiteId},
    fault::{self, Stop, Trouble},
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

    /// What of a value lies outside its type, and the type, both written.
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
    /// A value, which is what its type says; but for programs that never become machine code: of these, some were changed
    /// after they were checked.
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
