//! The policy that chooses by lot among all that may happen.

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::Run;
use crate::fault::{Fault, Stop};

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

impl Run<'_, '_> {
    /// Takes an event in hand that is drawn from all that may happen now.
    ///
    /// # Errors
    /// Nothing may happen, or there is no end of what may.
    pub(super) fn draw(&mut self) -> Result<(), Stop> {
        let compiled = self.compiled;
        let mut may: Vec<(usize, Vec<i64>)> = Vec::new();
        for (event, definition) in compiled.events.iter().enumerate().skip(1) {
            if definition.only_follows || !self.machine.may_happen(event)? {
                continue;
            }
            if let Some(field) = definition.fields.iter().find(|field| !field.values.end()) {
                return Err(Box::new(Fault::Policy {
                    text: format!(
                        "`random` cannot choose `{}`: there is no end of values for `{}` ({})",
                        definition.name, field.name, field.ty
                    ),
                    choice: None,
                    row: None,
                }));
            }
            self.machine
                .each_event(event, false, &mut |machine, event| {
                    may.push((event, machine.fields_in_hand()));
                    Ok(())
                })?;
        }
        if may.is_empty() {
            return Err(Box::new(Fault::Policy {
                text: "nothing may happen for `random` to choose".into(),
                choice: None,
                row: None,
            }));
        }
        let drawn = self.lot.below(may.len() as u64);
        let (event, fields) = may.swap_remove(usize::try_from(drawn).unwrap_or(0));
        self.machine.take_event(event, &fields);
        self.machine.forget_fields();
        Ok(())
    }
}
