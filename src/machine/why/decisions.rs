//! Which decision rule chose an event, and why the ones before it did not.

use super::{Attempt, Depth, Machine};
use crate::{
    code::{
        Compiled,
        explain::{ChosenEvent, Explained, ExplainedChoices, Visible},
    },
    explanation::{Answer, Decision, Failed, Unfired},
    fault::Stop,
};

impl ChosenEvent {
    /// What it means that a condition of the row failed: one that was written, a field without a value, or the event's
    /// guard.
    fn failed(&self, condition: usize, compiled: &Compiled) -> Failed {
        let Some(field) = condition.checked_sub(self.conditions) else {
            return Failed::Condition;
        };
        match self.fields.get(field).cloned() {
            Some(field) => Failed::Field { field },
            None => Failed::Guard {
                event: compiled.events[self.event].name.clone(),
            },
        }
    }
}

impl<'c> Machine<'c> {
    /// The first decision rule that chooses an event, and why the ones before it did not. Nothing if none chooses.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn decision(
        &mut self,
        explained: &'c Explained,
        choices: &'c ExplainedChoices,
        depth: usize,
    ) -> Result<Option<Decision>, Stop> {
        let (mut attempts, result) = self.journal_of(&choices.table, &[], false);
        result?;
        let Some(place) = attempts.iter().position(Attempt::has_fired) else {
            return Ok(None);
        };
        let mut chosen = attempts.swap_remove(place);
        let row = chosen.row;
        let event = &choices.events[row];
        // The guard is no reason to choose.
        let asked = event.conditions + event.fields.len();
        chosen.notes.retain(|note| note.condition < asked);
        let mut depth = Depth::new(explained, depth);
        let mut passed = Vec::new();
        for earlier in 0..row {
            let event = &choices.events[earlier];
            let attempt = attempts.iter().find(|attempt| attempt.row == earlier);
            passed.push(match attempt {
                None => self.empty(&choices.table, earlier, &[], &mut depth)?,
                Some(attempt) => {
                    let failed = event.failed(attempt.held, self.compiled);
                    self.failed(&choices.table, attempt, failed, &mut depth)?
                }
            });
        }
        let chosen = self.cause(&choices.table, &[&chosen], &mut depth)?;
        Ok(Some(Decision { chosen, passed }))
    }

    /// Fills `asked` with why a decision rule chooses, or why not.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn explain_choice(
        &mut self,
        explained: &'c Explained,
        choices: &'c ExplainedChoices,
        row: usize,
        depth: usize,
        asked: &mut Answer,
    ) -> Result<(), Stop> {
        let table = &choices.table;
        let (attempts, result) = self.journal_of(table, &[], false);
        result?;
        let mut depth = Depth::new(explained, depth);
        let chosen = attempts.iter().find(|attempt| attempt.has_fired());
        let attempt = attempts.iter().find(|attempt| attempt.row == row);
        let unfired = match (chosen, attempt) {
            (Some(chosen), _) if chosen.row == row => {
                asked.happened = true;
                asked.causes = vec![self.cause(table, &[chosen], &mut depth)?];
                return Ok(());
            }
            (Some(chosen), _) if chosen.row < row => {
                let label = table.rows[chosen.row].label.clone().unwrap_or_default();
                let row = &table.rows[row];
                Unfired {
                    row: row.label.clone(),
                    file: row.file.clone(),
                    at: row.at,
                    failed: Failed::Earlier { row: label },
                    written: String::new(),
                    values: Vec::new(),
                    facts: Vec::new(),
                    seen: Visible::None,
                }
            }
            (_, None) => self.empty(table, row, &[], &mut depth)?,
            (_, Some(attempt)) => {
                let failed = choices.events[row].failed(attempt.held, self.compiled);
                self.failed(table, attempt, failed, &mut depth)?
            }
        };
        asked.unfired = vec![unfired];
        Ok(())
    }
}
