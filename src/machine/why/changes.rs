//! Which rule chose an event, what the event changes, and the rows that change it.

use super::{Attempt, Depth, Machine};
use crate::{
    code::{
        Compiled, Domain, NONE, Shape, Written,
        explain::{ChosenEvent, Entries, Explained, ExplainedChange, ExplainedChoices, Visible},
    },
    explanation::{Answer, Cause, Decision, Effect, Failed, Unfired},
    fault::Stop,
    machine::memory::at,
};

/// What a collection gained, and what it lost.
type Members = (Vec<String>, Vec<String>);

impl ExplainedChange {
    /// The change of an entry, or of a whole state without one; with the old and new value, if they fit in a line.
    fn effect(
        &self,
        (place, entry): (usize, Option<String>),
        written: Option<(String, String)>,
        members: Option<Members>,
        causes: Vec<Cause>,
        again: bool,
    ) -> Effect {
        let (old, new) = written.unzip();
        let collection = members.is_some();
        let (gains, loses) = members.unwrap_or_default();
        let state = self.name.clone();
        Effect::Changed {
            name: match &entry {
                Some(entry) => format!("{state} of {entry}"),
                None => state.clone(),
            },
            state,
            entry,
            old,
            new,
            gains,
            loses,
            collection,
            again,
            place,
            causes,
        }
    }
}

impl<'c> Machine<'c> {
    pub(super) fn changed(
        &mut self,
        change: &'c ExplainedChange,
        depth: &mut Depth<'c>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Stop> {
        let (old, new) = (
            self.evaluate(&change.old)?,
            self.new_value(change.state as usize)?,
        );
        if self.same(old, new, &change.shape) {
            return Ok(());
        }
        if let Some(entries) = &change.entries {
            return self.changed_entries(change, entries, (old, new), depth, effects);
        }
        let written = match &change.texts {
            Some((old, new)) => Some((self.rendered(old)?, self.rendered(new)?)),
            None => self.sizes(&change.shape, (old, new))?,
        };
        let members = self.gained(change.member.as_ref(), &change.shape, (old, new))?;
        let causes = self.causes_of_change(change, new, &[], depth)?;
        let again = self.begins_again(depth.explained, change)?.is_some();
        effects.push(change.effect((0, None), written, members, causes, again));
        Ok(())
    }

    /// The fact that resets a state in the current event, whatever its rows say.
    pub(in crate::machine) fn begins_again(
        &mut self,
        explained: &'c Explained,
        change: &'c ExplainedChange,
    ) -> Result<Option<usize>, Stop> {
        match change.begins {
            Some(fact) if self.holds(explained, fact)? => Ok(Some(fact)),
            _ => Ok(None),
        }
    }

    /// The rows that gave a state its value, or those that reset it.
    fn causes_of_change(
        &mut self,
        change: &'c ExplainedChange,
        value: i64,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        match self.begins_again(depth.explained, change)? {
            Some(fact) => self.causes_of(fact, &[], depth),
            None => self.causes(&change.table, value, arguments, depth),
        }
    }

    /// The sizes of two collections whose members cannot be written.
    fn sizes(&mut self, shape: &Shape, pair: (i64, i64)) -> Result<Option<(String, String)>, Stop> {
        if let Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } = shape {
            return Ok(None);
        }
        let mut sizes = Vec::new();
        for value in [pair.0, pair.1] {
            let mut size = 0;
            if value != NONE {
                self.each_member(value, shape, &mut |_, _| {
                    size += 1;
                    Ok(true)
                })?;
            }
            sizes.push(format!("{size} in all"));
        }
        Ok(sizes.pop().zip(sizes.pop()).map(|(new, old)| (old, new)))
    }

    /// What a collection gains and loses, in its order.
    fn gained(
        &mut self,
        written: Option<&'c Written>,
        shape: &Shape,
        (old, new): (i64, i64),
    ) -> Result<Option<Members>, Stop> {
        let (Some(written), true) = (written, old != NONE && new != NONE) else {
            return Ok(None);
        };
        let mut lists = Vec::new();
        for value in [old, new] {
            let mut list = Vec::new();
            self.each_member(value, shape, &mut |machine, member| {
                list.push(machine.rendered_value(member, written));
                Ok(true)
            })?;
            lists.push(list);
        }
        let lost = without(&lists[0], &lists[1]);
        let gained = without(&lists[1], &lists[0]);
        Ok(Some((gained, lost)))
    }

    fn changed_entries(
        &mut self,
        change: &'c ExplainedChange,
        entries: &'c Entries,
        values: (i64, i64),
        depth: &mut Depth<'c>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Stop> {
        let mut explained_whole = false;
        let again = self.begins_again(depth.explained, change)?.is_some();
        for index in 0..entries.domain.count {
            let old = self.read(at(values.0), index, entries.slot);
            let new = self.read(at(values.1), index, entries.slot);
            if self.same(old, new, &entries.entry) {
                continue;
            }
            let key = entries.domain.value(index);
            let causes = if let Some(parameters) = &entries.parameters {
                let arguments = parts_of(parameters, index, key);
                self.causes_of_change(change, new, &arguments, depth)?
            } else if explained_whole {
                Vec::new()
            } else {
                explained_whole = true;
                self.causes_of_change(change, values.1, &[], depth)?
            };
            let members = self.gained(entries.member.as_ref(), &entries.entry, (old, new))?;
            let flat = entries.entry.is_word() && members.is_none();
            let written = flat.then(|| {
                let old = self.rendered_value(old, &entries.value);
                (old, self.rendered_value(new, &entries.value))
            });
            let key = self.rendered_value(key, &entries.key);
            effects.push(change.effect((index, Some(key)), written, members, causes, again));
        }
        Ok(())
    }
}

/// Splits a key into the parameters of the rows that define its entry.
pub(super) fn parts_of(parameters: &[Domain], index: usize, key: i64) -> Vec<i64> {
    if let [_] = parameters {
        return vec![key];
    }
    let mut rest = index;
    let mut parts: Vec<i64> = parameters
        .iter()
        .rev()
        .map(|domain| {
            let value = domain.value(rest % domain.count);
            rest /= domain.count;
            value
        })
        .collect();
    parts.reverse();
    parts
}

/// The members of `list` without those of `other`, counting repetitions.
fn without(list: &[String], other: &[String]) -> Vec<String> {
    let mut other: Vec<&String> = other.iter().collect();
    let mut left = Vec::new();
    for member in list {
        match other.iter().position(|one| *one == member) {
            Some(place) => {
                other.swap_remove(place);
            }
            None => left.push(member.clone()),
        }
    }
    left
}

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
