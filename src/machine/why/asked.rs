//! Why something did or did not happen, given its name.

use super::{Attempt, Depth, Machine, Subject, changes::parts_of};
use crate::{
    code::{
        NONE,
        explain::{Combined, Explained, ExplainedChange, ExplainedFact, ExplainedTable, Visible},
    },
    explanation::{Answer, Cause, Effect, Failed, Sort, Unfired},
    fault::Stop,
};

/// At most this many keys of a map are tried.
const MOST_KEYS: usize = 1 << 12;

impl<'c> Machine<'c> {
    /// The value of a fact on one line, if it takes no arguments.
    fn written_out(&mut self, fact: &'c ExplainedFact) -> Result<Option<String>, Stop> {
        Ok(match &fact.text {
            Some(text) => Some(self.rendered(text)?),
            None if fact.parameters == 0 => {
                let value = self.evaluate(&fact.value)?;
                Some(self.typed(value, &fact.typed)?.to_string())
            }
            None => None,
        })
    }

    /// Fills `asked` with why its subject happens in the current event, or why not.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn explain_subject(
        &mut self,
        explained: &'c Explained,
        named: Subject,
        depth: usize,
        asked: &mut Answer,
    ) -> Result<(), Stop> {
        // Even a failed evaluation reveals something hidden.
        if let Subject::Fact(fact, None) = named {
            let definition = &explained.facts[fact];
            asked.seen = self.is_fact_for_viewer(definition, &[]);
            if definition.seen.is_some() && !asked.seen {
                return Ok(());
            }
        }
        // The text is compared below, in `firing_that_says`.
        let happened = self.happens(explained, named, None)?;
        asked.happened = happened;
        let mut depth = Depth::new(explained, depth);
        let depth = &mut depth;
        depth.why_none = true;
        let event = &explained.events[self.event];
        let (table, row) = match named {
            Subject::Fact(fact, None) => {
                let definition = &explained.facts[fact];
                asked.value = self.written_out(definition)?;
                self.explain_fact_value(fact, happened, depth, asked)?;
                return Ok(());
            }
            Subject::Change(place, None) => {
                let change = &event.changes[place];
                if happened {
                    let mut effects = Vec::new();
                    self.changed(change, depth, &mut effects)?;
                    for effect in effects {
                        if let Effect::Changed { causes, .. } = effect {
                            asked.causes.extend(causes);
                        }
                    }
                } else {
                    asked.unfired = self.all_unfired_of_change(change, depth)?;
                }
                return Ok(());
            }
            Subject::Change(place, Some(row)) => {
                let change = &event.changes[place];
                let keys = if happened {
                    keys_of(change)
                } else {
                    Vec::new()
                };
                for key in keys {
                    let (attempts, _) = self.journal_of(&change.table, &key, true);
                    if let Some(attempt) = fired_at(&attempts, row) {
                        asked
                            .causes
                            .push(self.cause(&change.table, &[attempt], depth)?);
                    }
                }
                if !happened {
                    let unfired = self.unfired_change(change, row, depth)?;
                    asked.unfired.push(unfired);
                }
                return Ok(());
            }
            Subject::Fact(fact, Some(row)) => {
                let fact = &explained.facts[fact];
                asked.seen = self.is_fact_for_viewer(fact, &[]);
                (&fact.table, row)
            }
            Subject::Said(row) => (&event.report, row),
            Subject::Impossible(row) => (&event.impossible, row),
            Subject::Refused(_) if !self.is_refused(explained)? => {
                for fact in &event.refuse {
                    let table = &explained.facts[*fact].table;
                    asked.unfired.extend(self.all_unfired(table, &[], depth)?);
                }
                return Ok(());
            }
            Subject::Refused(row) => (&event.refused, row),
        };
        let (attempts, _) = self.journal_of(table, &[], true);
        // A row may fire several times: take the firing that gave the fact its value, or said the requested text.
        let mut gave = None;
        if let Subject::Said(_) | Subject::Refused(_) = named {
            gave = self.firing_that_says(&attempts, row, asked);
        }
        if let Subject::Fact(fact, Some(_)) = named {
            let value = self.evaluate(&explained.facts[fact].value)?;
            for attempt in attempts.iter().filter(|attempt| attempt.row == row) {
                if gave.is_none() && self.gave(table, attempt, value)? {
                    gave = Some(attempt);
                }
            }
        }
        match gave.or_else(|| fired_at(&attempts, row)) {
            Some(attempt) if happened => asked.causes.push(self.cause(table, &[attempt], depth)?),
            _ => {
                let before = before(table, &attempts, row);
                let of_row = (&attempts[..], &[][..]);
                let mut unfired = self.unfired(table, of_row, row, before, depth)?;
                let seen = &table.rows[row].seen.unfired;
                unfired.seen = self.visible(seen, table.locals, &[]);
                asked.unfired.push(unfired);
            }
        }
        Ok(())
    }

    /// Explains the value of a fact. If the fact is a question that only names another fact, explains that one.
    fn explain_fact_value(
        &mut self,
        fact: usize,
        happened: bool,
        depth: &mut Depth<'c>,
        asked: &mut Answer,
    ) -> Result<(), Stop> {
        let explained = depth.explained;
        let (fact, of) = self.named_fact(explained, fact, asked);
        asked.seen &= self.is_fact_for_viewer(&explained.facts[fact], &of);
        if happened {
            asked.causes = self.causes_of(fact, &of, depth)?;
            let table = &explained.facts[fact].table;
            // If only the default row fired, the question is why the others did not.
            if let Some(floor) = floor(table, &asked.causes) {
                asked.unfired = self.all_unfired(table, &of, depth)?;
                asked.unfired.remove(floor);
            }
            // If an earlier row could have decided, the question is why it did not.
            if let Some(decisive) = decisive(table, &asked.causes) {
                asked.unfired = self.all_unfired(table, &of, depth)?;
                asked.unfired.truncate(decisive);
            }
        } else {
            let table = &explained.facts[fact].table;
            asked.unfired = self.all_unfired(table, &of, depth)?;
            // A row that denies ends the table; rows after it are not tried.
            if let Some(row) = self.row_that_denies(&explained.facts[fact], &of)? {
                asked.causes = self.causes_of(fact, &of, depth)?;
                asked.unfired.truncate(row);
                // A row that could only have said no is no way to a yes.
                let mut rows = table.rows.iter();
                (asked.unfired).retain(|_| rows.next().is_none_or(|row| !row.denies));
            }
        }
        Ok(())
    }

    /// Whether the subject happens in the current event. With a text, a row of `report` must say exactly that.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn happens(
        &mut self,
        explained: &'c Explained,
        named: Subject,
        text: Option<&str>,
    ) -> Result<bool, Stop> {
        let event = &explained.events[self.event];
        match named {
            Subject::Fact(fact, None) => {
                let holds = self.holds(explained, fact)?;
                let definition = &explained.facts[fact];
                let value = self.evaluate(&definition.value)?;
                Ok(holds && !self.is_empty(value, &definition.shape)?)
            }
            Subject::Fact(fact, Some(row)) => {
                let definition = &explained.facts[fact];
                let value = self.evaluate(&definition.value)?;
                let (attempts, _) = self.journal_of(&definition.table, &[], true);
                if definition.table.how == Combined::All {
                    return Ok(holds_each_time(&attempts, row));
                }
                if before(&definition.table, &attempts, row).is_some() {
                    return Ok(false);
                }
                for attempt in attempts.iter().filter(|attempt| attempt.row == row) {
                    // A row whose value is none did not contribute.
                    let is_none = attempt.value == Some(NONE);
                    if !is_none && self.gave(&definition.table, attempt, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Subject::Change(place, None) => {
                let change = &event.changes[place];
                let old = self.evaluate(&change.old)?;
                let new = self.new_value(change.state as usize)?;
                Ok(!self.same(old, new, &change.shape))
            }
            Subject::Change(place, Some(row)) => {
                let change = &event.changes[place];
                if self.begins_again(explained, change)?.is_some() {
                    return Ok(false);
                }
                for key in keys_of(change) {
                    let (attempts, _) = self.journal_of(&change.table, &key, true);
                    if fired_at(&attempts, row).is_some() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Subject::Said(row) => Ok(self.fires(&event.report, row, text)),
            Subject::Impossible(row) => Ok(self.fires(&event.impossible, row, None)),
            Subject::Refused(row) => {
                let is_refused = self.is_refused(explained)?;
                Ok(is_refused && self.fires(&event.refused, row, text))
            }
        }
    }

    /// The value of the expression in a question, if it can be evaluated.
    pub(crate) fn question_value(
        &mut self,
        explained: &'c Explained,
        fact: usize,
    ) -> Option<String> {
        self.epoch += 1;
        let written = self.attempt(|machine| machine.written_out(&explained.facts[fact]));
        written.flatten()
    }

    fn all_unfired(
        &mut self,
        table: &'c ExplainedTable,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Unfired>, Stop> {
        let (attempts, _) = self.journal_of(table, arguments, true);
        let mut rows: Vec<usize> = (0..table.rows.len()).collect();
        // Where all rows must hold, only those that do not are a reason.
        if table.how == Combined::All {
            rows.retain(|row| {
                let mut of_row = attempts.iter().filter(|attempt| attempt.row == *row);
                of_row.any(|attempt| attempt.value == Some(0))
            });
        }
        let rows = rows.into_iter();
        rows.map(|row| {
            let before = before(table, &attempts, row);
            let of_row = (&attempts[..], arguments);
            let mut unfired = self.unfired(table, of_row, row, before, depth)?;
            let seen = &table.rows[row].seen.unfired;
            unfired.seen = self.visible(seen, table.locals, arguments);
            Ok(unfired)
        })
        .collect()
    }

    /// Why each row of a change did not fire, and each row that would reset it.
    fn all_unfired_of_change(
        &mut self,
        change: &'c ExplainedChange,
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Unfired>, Stop> {
        let mut unfired = Vec::new();
        for row in 0..change.table.rows.len() {
            unfired.push(self.unfired_change(change, row, depth)?);
        }
        if let Some(fact) = change.begins {
            let table = &depth.explained.facts[fact].table;
            unfired.extend(self.all_unfired(table, &[], depth)?);
        }
        Ok(unfired)
    }

    /// Why a row of a change did not fire, for the key for which it got farthest.
    fn unfired_change(
        &mut self,
        change: &'c ExplainedChange,
        row: usize,
        depth: &mut Depth<'c>,
    ) -> Result<Unfired, Stop> {
        let mut all: Vec<Attempt> = Vec::new();
        let keys = keys_of(change);
        for key in &keys {
            all.extend(self.journal_of(&change.table, key, true).0);
        }
        // With several keys, the earlier row may belong to another key.
        let mut before = before(&change.table, &all, row).filter(|_| keys.len() == 1);
        if let Some(fact) = self.begins_again(depth.explained, change)? {
            let causes = self.causes_of(fact, &[], &mut Depth::new(depth.explained, 0))?;
            let first = causes.into_iter().find_map(|cause| cause.row);
            before = first.or(before);
        }
        self.unfired(&change.table, (&all, &[]), row, before, depth)
    }

    /// Why a row did not fire, at the attempt that got farthest.
    fn unfired(
        &mut self,
        table: &'c ExplainedTable,
        (attempts, arguments): (&[Attempt], &[i64]),
        row: usize,
        before: Option<String>,
        depth: &mut Depth<'c>,
    ) -> Result<Unfired, Stop> {
        let is_all = table.how == Combined::All;
        let tried = attempts.iter().filter(|attempt| attempt.row == row);
        let tried = tried.filter(|attempt| !is_all || attempt.value != Some(1));
        // On a tie, the first.
        let farthest = tried.reduce(|best, next| if next.held > best.held { next } else { best });
        let Some(farthest) = farthest else {
            return self.empty(table, row, arguments, depth);
        };
        let failed = match before {
            _ if farthest.held < table.rows[row].conditions.len() => Failed::Condition,
            Some(row) => Failed::Earlier { row },
            None => Failed::Value,
        };
        self.failed(table, farthest, failed, depth)
    }

    /// Where an attempt of a row failed, with the values there.
    pub(super) fn failed(
        &mut self,
        table: &'c ExplainedTable,
        attempt: &Attempt,
        failed: Failed,
        depth: &mut Depth<'c>,
    ) -> Result<Unfired, Stop> {
        let row = &table.rows[attempt.row];
        let mut traced = Vec::new();
        for note in &attempt.notes {
            if note.condition == attempt.held {
                self.trace(depth.explained, note, &mut traced)?;
            }
        }
        let (values, facts) = self.values_and_facts(traced, depth)?;
        let written = match (&failed, row.conditions.get(attempt.held)) {
            (_, Some(condition)) => condition.clone(),
            (Failed::Earlier { .. }, None) => String::new(),
            (_, None) => row.gives.clone().unwrap_or_default(),
        };
        Ok(Unfired {
            row: row.label.clone(),
            file: row.file.clone(),
            at: row.at,
            failed,
            written,
            values,
            facts,
            seen: Visible::None,
        })
    }

    /// A row that was never tried, because its variables range over nothing.
    pub(super) fn empty(
        &mut self,
        table: &'c ExplainedTable,
        row: usize,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Unfired, Stop> {
        let row = &table.rows[row];
        let mut traced = Vec::new();
        if let Some((_, range)) = &row.range {
            for attempt in self.journal_of(range, arguments, false).0 {
                for note in &attempt.notes {
                    self.trace(depth.explained, note, &mut traced)?;
                }
            }
        }
        let (values, facts) = self.values_and_facts(traced, depth)?;
        let written = row.range.as_ref().map(|(written, _)| written.clone());
        Ok(Unfired {
            row: row.label.clone(),
            file: row.file.clone(),
            at: row.at,
            failed: Failed::Empty,
            written: written.unwrap_or_default(),
            values,
            facts,
            seen: Visible::None,
        })
    }
}

impl Subject {
    pub(crate) fn sort(self) -> Sort {
        match self {
            Subject::Fact(_, None) => Sort::Fact,
            Subject::Fact(_, Some(_)) => Sort::FactRow,
            Subject::Change(_, None) => Sort::Change,
            Subject::Change(_, Some(_)) => Sort::ChangeRow,
            Subject::Said(_) | Subject::Refused(_) => Sort::Said,
            Subject::Impossible(_) => Sort::Impossible,
        }
    }
}

/// In a table where the first row wins: the label of an earlier row that fired.
fn before(table: &ExplainedTable, attempts: &[Attempt], row: usize) -> Option<String> {
    if table.how != Combined::First {
        return None;
    }
    let mut earlier = attempts.iter().filter(|attempt| attempt.row < row);
    let first = earlier.find(|attempt| attempt.value.is_some_and(|value| value != NONE))?;
    Some(table.rows[first.row].label.clone().unwrap_or_default())
}

/// The unconditional default row of a `highest` or `lowest` table, if it gave the value.
fn floor(table: &ExplainedTable, causes: &[Cause]) -> Option<usize> {
    let [cause] = causes else {
        return None;
    };
    let mut rows = table.rows.iter();
    let floor = rows.position(|row| {
        let is_always = row.conditions.is_empty() && row.range.is_none() && row.gives.is_none();
        is_always && (row.at, &row.label) == (cause.at, &cause.row)
    });
    floor.filter(|_| table.how == Combined::Same)
}

/// In a table where the first row wins: the row that gave the value. In a table by columns, its cells say why.
fn decisive(table: &ExplainedTable, causes: &[Cause]) -> Option<usize> {
    let [cause] = causes else {
        return None;
    };
    if cause.is_cell {
        return None;
    }
    let mut rows = table.rows.iter();
    let row = rows.position(|row| (row.at, &row.label) == (cause.at, &cause.row));
    row.filter(|_| table.how == Combined::First)
}

/// Whether a row fired, and its value was yes each time.
fn holds_each_time(attempts: &[Attempt], row: usize) -> bool {
    let of_row = attempts.iter().filter(|attempt| attempt.row == row);
    let mut values = of_row.filter_map(|attempt| attempt.value).peekable();
    values.peek().is_some() && values.all(|value| value == 1)
}

/// The first firing of a row.
pub(super) fn fired_at(attempts: &[Attempt], row: usize) -> Option<&Attempt> {
    let mut of_row = attempts.iter().filter(|attempt| attempt.row == row);
    of_row.find(|attempt| attempt.has_fired())
}

/// The keys to evaluate the rows of a change for, as arguments.
fn keys_of(change: &ExplainedChange) -> Vec<Vec<i64>> {
    let Some(entries) = &change.entries else {
        return vec![Vec::new()];
    };
    let Some(parameters) = &entries.parameters else {
        return vec![Vec::new()];
    };
    (0..entries.domain.count.min(MOST_KEYS))
        .map(|index| parts_of(parameters, index, entries.domain.value(index)))
        .collect()
}
