//! The policy that chooses by lot among all that may happen.

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::Run;
use crate::{
    fault::{Fault, Stop},
    machine::Decides,
};

/// The lot: from the same seed it draws the same, on every machine.
#[derive(Debug, Clone)]
pub(super) struct Lot(Pcg64Mcg);

impl Lot {
    pub(super) fn new(seed: u64) -> Lot {
        Lot(Pcg64Mcg::seed_from_u64(seed))
    }

    /// One of the numbers below `count`, each as likely as the others.
    fn below(&mut self, count: u64) -> u64 {
        // The numbers above the last multiple of `count` would make some likelier.
        let end = u64::MAX - u64::MAX % count;
        loop {
            let number = self.0.next_u64();
            if number < end {
                return number % count;
            }
        }
    }
}

/// How many words an event that may be drawn takes besides its fields.
const WORDS: usize = 8;

impl Run<'_, '_> {
    /// Takes an event in hand that is drawn from all that may happen now, or all that one decides. What chance decides
    /// counts as often as its weight says, all else once.
    ///
    /// # Errors
    /// Nothing may happen, or there is no end of what may.
    pub(super) fn draw(&mut self, by: Option<&Decides>) -> Result<(), Stop> {
        let compiled = self.compiled;
        // Each with where its fields lie among what was found, and its weight.
        let mut may: Vec<(usize, usize, u64)> = Vec::new();
        self.machine.found.clear();
        let mut total = Some(0u64);
        for (event, definition) in compiled.events.iter().enumerate().skip(1) {
            if definition.only_follows || !self.machine.may_happen(event)? {
                continue;
            }
            let by_field = self.machine.is_decided_by_field(event);
            if let Some(by) = by
                && !by_field
                && self.machine.decides(event)? != *by
            {
                continue;
            }
            if let Some(field) = definition.fields.iter().find(|field| !field.values.end()) {
                return Err(Box::new(Fault::Policy {
                    text: format!(
                        "`random` cannot choose `{}`: `{}` ({}) can have too many values to list",
                        definition.name, field.name, field.ty
                    ),
                    choice: None,
                    row: None,
                }));
            }
            self.machine
                .each_event(event, false, &mut |machine, event| {
                    if let Some(by) = by
                        && by_field
                        && machine.decides(event)? != *by
                    {
                        return Ok(());
                    }
                    let fields = machine.fields_in_hand();
                    let weight = machine.weight(event)?.unwrap_or(1);
                    total = total.and_then(|total| total.checked_add(weight));
                    may.push((event, machine.found.len(), weight));
                    machine.found.extend(fields);
                    machine.fits(may.len() * (definition.fields.len() + WORDS))
                })?;
        }
        let wrong = match (may.is_empty(), total) {
            (true, _) => Some("nothing may happen for `random` to choose"),
            (_, Some(0)) => {
                Some("all that may happen has weight 0, so `random` can choose nothing")
            }
            (_, None) => Some("the weights of all that may happen are too large together"),
            _ => None,
        };
        if let Some(text) = wrong {
            return Err(Box::new(Fault::Policy {
                text: text.into(),
                choice: None,
                row: None,
            }));
        }
        let mut drawn = self.lot.below(total.unwrap_or(1));
        let is_it = |(_, _, weight): &(usize, usize, u64)| {
            let here = drawn < *weight;
            drawn = drawn.saturating_sub(*weight);
            here
        };
        let place = may.iter().position(is_it).unwrap_or(0);
        let (event, at, _) = may[place];
        let fields = compiled.events[event].fields.len();
        self.machine.take_found(event, at..at + fields);
        self.machine.found.clear();
        self.machine.forget_fields();
        Ok(())
    }
}
