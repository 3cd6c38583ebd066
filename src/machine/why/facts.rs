//! Why a fact or a state has its value: the rows that gave it, those they overrode, and those that failed.

use super::{Depth, MOST_LINES, Moment};
use crate::{
    code::{
        Code, NONE,
        explain::{
            Combined, Explained, ExplainedFact, ExplainedTable, Mention, Mentioned, Visibility,
            Visible,
        },
    },
    explanation::{Answer, Cause, Comparison, Fact, Failed, Term, Unfired, Value, or_nothing},
    fault::Stop,
    machine::{
        Machine,
        journal::{Attempt, Note},
    },
};

/// The most sentences that are shown of a row that fires several times.
const MOST_SAID: usize = 4;

/// The most members whose compared values are kept.
const MOST_COMPARED: usize = 16;

/// At most this many overridden rows are listed, and as many that failed at a condition.
const MOST_OUTDONE: usize = 8;

struct Reasons {
    /// The rows that gave it.
    causes: Vec<Cause>,
    /// The rows that fired, too, but were overridden.
    outdone: Vec<Value>,
    /// The rows that would have given it but for a condition.
    passed: Vec<Unfired>,
}

impl<'c> Machine<'c> {
    /// A fact as a call, with its arguments; nothing if it has none, or they cannot be written.
    pub(super) fn call_text(
        &mut self,
        fact: &'c ExplainedFact,
        of: &[i64],
    ) -> Result<Option<String>, Stop> {
        if of.is_empty() {
            return Ok(None);
        }
        let mut written = Vec::new();
        for (text, value) in fact.argument_texts.iter().zip(of) {
            let Some(text) = text else {
                return Ok(None);
            };
            let argument = self.with_arguments(1, &[*value], |machine| machine.rendered(text))?;
            written.push(or_nothing(&argument).to_string());
        }
        Ok(Some(format!("{}({})", fact.name, written.join(", "))))
    }

    pub(super) fn fact_cause(
        &mut self,
        fact: usize,
        arguments: &[i64],
        value: Option<String>,
        depth: &mut Depth<'c>,
    ) -> Result<Fact, Stop> {
        let explained: &'c Explained = depth.explained;
        let definition = &explained.facts[fact];
        let value = match (&definition.text, value) {
            (_, Some(value)) => Some(value),
            (Some(text), None) => Some(self.rendered(text)?),
            (None, None) => None,
        };
        let Reasons {
            causes,
            outdone,
            passed,
        } = self.reasons(fact, arguments, depth)?;
        let seen = self.is_fact_for_viewer(definition, arguments);
        Ok(Fact {
            name: definition.name.clone(),
            called: None,
            value,
            causes,
            outdone,
            passed,
            seen,
        })
    }

    pub(super) fn causes_of(
        &mut self,
        fact: usize,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        Ok(self.reasons(fact, arguments, depth)?.causes)
    }

    /// The first row that fires, if its value makes a yes-or-no fact no.
    pub(super) fn row_that_denies(
        &mut self,
        fact: &'c ExplainedFact,
        of: &[i64],
    ) -> Result<Option<usize>, Stop> {
        let table = &fact.table;
        if !fact.yes_no || table.how != Combined::First || table.rows.len() < 2 {
            return Ok(None);
        }
        let (attempts, gave) = self.attempts_that_gave(&fact.table, 0, of)?;
        let denies = gave.first().map(|place| &attempts[*place]);
        Ok(denies
            .filter(|attempt| attempt.has_fired())
            .map(|attempt| attempt.row))
    }

    fn reasons(
        &mut self,
        fact: usize,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Reasons, Stop> {
        let explained: &'c Explained = depth.explained;
        let definition = &explained.facts[fact];
        let value = self.with_arguments(definition.parameters, arguments, |machine| {
            machine.evaluate(&definition.value)
        })?;
        let (attempts, gave) = self.attempts_that_gave(&definition.table, value, arguments)?;
        let mut outdone = Vec::new();
        if let (Combined::Same, Some(each)) = (definition.table.how, &definition.table.each) {
            let others = attempts.iter().enumerate();
            let others = others.filter(|(place, other)| other.has_fired() && !gave.contains(place));
            // A row whose value is none did not contribute.
            let others = others.filter(|(_, other)| other.value != Some(NONE));
            for (_, other) in others.take(MOST_OUTDONE) {
                let value = [other.value.unwrap_or(NONE)];
                let value = self.with_arguments(1, &value, |machine| machine.rendered(each))?;
                let label = definition.table.rows[other.row].label.clone();
                outdone.push(Value::new(label.unwrap_or_default(), value));
            }
        }
        let causes = self.causes_among(&definition.table, &attempts, &gave, depth)?;
        let passed = self.passed_over(&definition.table, arguments, &attempts, &gave, depth)?;
        Ok(Reasons {
            causes,
            outdone,
            passed,
        })
    }

    /// The rows that come before the one that gave the value and failed only at a condition beyond their table's
    /// columns.
    fn passed_over(
        &mut self,
        table: &'c ExplainedTable,
        arguments: &[i64],
        attempts: &[Attempt],
        gave: &[usize],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Unfired>, Stop> {
        let before = gave.first().copied().unwrap_or(attempts.len());
        let mut all = Vec::new();
        for attempt in attempts.iter().take(before) {
            let row = &table.rows[attempt.row];
            let is_by_column = row.columns > 0 && attempt.held >= row.columns;
            // If no row gave a value, explain each.
            let is_none = gave.is_empty() && table.how == Combined::First;
            let is_asked = is_by_column || depth.why_none && is_none;
            if is_asked && attempt.held < row.conditions.len() && all.len() < MOST_OUTDONE {
                let mut failed = self.failed(table, attempt, Failed::Condition, depth)?;
                failed.seen = self.visible(&row.seen.unfired, table.locals, arguments);
                all.push(failed);
            }
        }
        Ok(all)
    }

    /// The causes among the rows of a table: those that gave `value`.
    pub(super) fn causes(
        &mut self,
        table: &'c ExplainedTable,
        value: i64,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let (attempts, gave) = self.attempts_that_gave(table, value, arguments)?;
        self.causes_among(table, &attempts, &gave, depth)
    }

    /// Every attempt of a table's rows, and the indices of those that gave it its value. Where each alone decides,
    /// these are all that do.
    pub(super) fn attempts_that_gave(
        &mut self,
        table: &'c ExplainedTable,
        value: i64,
        arguments: &[i64],
    ) -> Result<(Vec<Attempt>, Vec<usize>), Stop> {
        let (attempts, result) = self.journal_of(table, arguments, false);
        result?;
        let alone = match table.how {
            Combined::Any => value == 1,
            Combined::All => value == 0,
            _ => false,
        };
        if !alone {
            let gave = self.gave_value(table, &attempts, value)?;
            return Ok((attempts, gave));
        }
        // Rows after the one that decides may fail.
        let attempts = self.journal_of(table, arguments, true).0;
        let gave = (0..attempts.len()).filter(|place| attempts[*place].value == Some(value));
        let gave = gave.collect();
        Ok((attempts, gave))
    }

    pub(super) fn causes_among(
        &mut self,
        table: &'c ExplainedTable,
        attempts: &[Attempt],
        gave: &[usize],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let mut causes = Vec::new();
        for places in by_row(attempts, gave) {
            let times: Vec<&Attempt> = places.iter().map(|place| &attempts[*place]).collect();
            match table.how {
                Combined::Sum => {
                    let mut cause = self.cause(table, &times, depth)?;
                    if let Some(each) = &table.each {
                        for time in &times {
                            let value = [time.value.unwrap_or(NONE)];
                            let value =
                                self.with_arguments(1, &value, |machine| machine.rendered(each))?;
                            let members = self.members_of_row(table, time)?;
                            cause.added.push(Term { value, members });
                        }
                    }
                    causes.push(cause);
                }
                // Each sentence is a reason of its own.
                Combined::Any | Combined::All if table.rows[times[0].row].says.is_some() => {
                    for time in times.iter().take(MOST_LINES) {
                        causes.push(self.cause(table, &[time], depth)?);
                    }
                }
                _ => causes.push(self.cause(table, &times[..1], depth)?),
            }
        }
        Ok(causes)
    }

    /// The keys and arguments in the name of a mention whose source text says little, with their values.
    pub(super) fn literals(
        &mut self,
        mention: &'c Mention,
        note: &Note,
    ) -> Result<Vec<(String, String)>, Stop> {
        let mut literals = Vec::new();
        for (literal, value) in mention.literals.iter().zip(&note.arguments) {
            if let Some((literal, text)) = literal {
                let text = self.with_arguments(1, &[*value], |machine| machine.rendered(text))?;
                literals.push((literal.clone(), text));
            }
        }
        Ok(literals)
    }

    /// What a row says of its firings, each sentence once.
    pub(super) fn says_of(
        &mut self,
        table: &'c ExplainedTable,
        attempts: &[&Attempt],
    ) -> Result<Option<String>, Stop> {
        let row = attempts.first().map(|attempt| &table.rows[attempt.row]);
        let Some(says) = row.and_then(|row| row.says.as_ref()) else {
            return Ok(None);
        };
        let mut said: Vec<String> = Vec::new();
        for attempt in attempts.iter().take(MOST_LINES) {
            let one = self.with_arguments(table.locals, &attempt.locals, |machine| {
                machine.rendered(says)
            })?;
            if !said.contains(&one) {
                said.push(one);
            }
        }
        let left = said.len().saturating_sub(MOST_SAID);
        said.truncate(MOST_SAID);
        let said = said.join(", ");
        Ok(Some(match left {
            0 => said,
            left => format!("{said} and {left} more"),
        }))
    }

    /// The values of a row's variables when it fired; nothing if it has none, or they cannot be written.
    fn members_of_row(
        &mut self,
        table: &'c ExplainedTable,
        attempt: &Attempt,
    ) -> Result<Option<String>, Stop> {
        let variables = &table.rows[attempt.row].variables;
        let mut members = Vec::new();
        for text in variables {
            let Some(text) = text else { return Ok(None) };
            members.push(
                self.with_arguments(table.locals, &attempt.locals, |machine| {
                    machine.rendered(text)
                })?,
            );
        }
        Ok((!members.is_empty()).then(|| members.join(", ")))
    }

    /// What the value of a row that fired compares, or computes for each member of a collection.
    pub(super) fn comparisons(
        &mut self,
        explained: &'c Explained,
        attempt: &Attempt,
    ) -> Result<Vec<Comparison>, Stop> {
        let mut found: Vec<(usize, Comparison)> = Vec::new();
        for note in attempt.in_value() {
            let mention = &explained.mentions[note.mention];
            let (Some(compared), Some(text)) = (&mention.compared, &mention.text) else {
                continue;
            };
            let known = found.iter().position(|(known, _)| *known == note.mention);
            let place = known.unwrap_or(found.len());
            if known.is_none() {
                let comparison = Comparison {
                    key: mention.name.clone(),
                    highest: compared.highest,
                    of: Vec::new(),
                    left: 0,
                };
                found.push((note.mention, comparison));
            }
            if found[place].1.of.len() == MOST_COMPARED {
                found[place].1.left += 1;
                continue;
            }
            let member = self.with_arguments(1, &note.arguments, |machine| {
                machine.rendered(&compared.member)
            })?;
            let value = self.with_arguments(1, &[note.value], |machine| machine.rendered(text))?;
            found[place].1.of.push((member, value));
        }
        Ok(found
            .into_iter()
            .map(|(_, comparison)| comparison)
            .collect())
    }

    /// How much the viewer sees of what a row depends on, in a frame whose first locals are `first`.
    pub(super) fn visible(
        &mut self,
        seen: &'c Visibility,
        locals: usize,
        first: &[i64],
    ) -> Visible {
        if !self.holds_for_viewer(seen.sizes.as_ref(), locals, first) {
            Visible::None
        } else if self.holds_for_viewer(seen.all.as_ref(), locals, first) {
            Visible::All
        } else {
            Visible::Sizes
        }
    }

    /// Whether a visibility condition evaluates to yes, in a frame whose first locals are `first`.
    fn holds_for_viewer(&mut self, seen: Option<&'c Code>, locals: usize, first: &[i64]) -> bool {
        seen.is_some_and(|seen| {
            let seen = self.attempt(|machine| {
                machine.with_arguments(locals, first, |machine| machine.evaluate(seen))
            });
            seen == Some(1)
        })
    }

    /// Whether the viewer is known to see all that a call of a fact depends on.
    pub(super) fn is_fact_for_viewer(&mut self, fact: &'c ExplainedFact, of: &[i64]) -> bool {
        let seen = fact.seen.as_ref();
        seen.is_some_and(|(seen, locals)| self.holds_for_viewer(Some(seen), *locals, of))
    }

    /// Whether a fact refuses the current event.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(super) fn is_refused(&mut self, explained: &'c Explained) -> Result<bool, Stop> {
        for fact in &explained.events[self.event].refuse {
            if self.holds(explained, *fact)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether no fact calls the current event illegal.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn is_legal(&mut self, explained: &'c Explained) -> Result<bool, Stop> {
        for fact in &explained.events[self.event].illegal {
            if self.holds(explained, *fact)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// If a question is nothing but a fact, that fact and its arguments; else the question's own fact. If it is nothing
    /// but a state, also sets `since`.
    pub(super) fn named_fact(
        &mut self,
        explained: &'c Explained,
        fact: usize,
        asked: &mut Answer,
    ) -> (usize, Vec<i64>) {
        let own = (fact, Vec::new());
        let mut questions = explained.questions.iter();
        if !questions.any(|(.., question)| *question == fact) {
            return own;
        }
        let table = &explained.facts[fact].table;
        let (attempts, _) = self.journal_of(table, &[], false);
        let gives = table.rows.first().and_then(|row| row.gives.as_deref());
        let Some(note) = attempts.first().and_then(|attempt| attempt.notes.first()) else {
            return own;
        };
        let mention = &explained.mentions[note.mention];
        if Some(mention.name.as_str()) != gives {
            return own;
        }
        match mention.what {
            Mentioned::Fact(fact) => (fact, note.arguments.to_vec()),
            Mentioned::State { state, new: false } => {
                let changed = self.changed_last(state, note.arguments.first().copied());
                let (since, changed) = changed.unzip();
                asked.changed = changed;
                let (line, words) = since.map(Moment::parts).unzip();
                (asked.since, asked.since_words) = (line, words.flatten());
                own
            }
            Mentioned::State { .. } | Mentioned::Other => own,
        }
    }
}

/// Groups indices of attempts by row.
fn by_row<'g>(attempts: &[Attempt], places: &'g [usize]) -> impl Iterator<Item = &'g [usize]> {
    places.chunk_by(|one, other| attempts[*one].row == attempts[*other].row)
}
