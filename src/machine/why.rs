//! Why an event did what it did: the rows that fired, and what they mention.

mod asked;
mod changes;
mod facts;
mod names;
mod nearest;
mod since;

use super::{
    Machine,
    journal::{Attempt, Note},
};
use crate::{
    code::{
        NONE, Typed, Written,
        explain::{Explained, ExplainedTable, Mentioned, Visible},
    },
    explanation::{Cause, Effect, Event, Fact, Member, Value},
    fault::Stop,
    stream,
};

pub(crate) use names::{Subject, is_said, names, row_beginning, row_saying};
pub(crate) use since::Moment;
pub(super) use since::Since;

/// Of the lines said by one row, at most this many are explained by what the row mentions.
const MOST_LINES: usize = 64;

/// A row's explanation names the same fact with at most this many different arguments.
const MOST_TIMES: usize = 8;

/// The state of one explanation.
struct Depth<'e> {
    explained: &'e Explained,
    left: usize,
    /// The facts explained already, with their arguments.
    visited: Vec<(usize, Vec<i64>)>,
    /// Whether to explain why no row of a fact gave a value.
    why_none: bool,
}

impl<'e> Depth<'e> {
    fn new(explained: &'e Explained, left: usize) -> Depth<'e> {
        Depth {
            explained,
            left,
            visited: Vec::new(),
            why_none: false,
        }
    }
}

/// Something that a row mentions, with its value.
#[derive(Debug)]
struct Traced {
    name: String,
    /// Its source text.
    written: String,
    value: Option<String>,
    since: Option<Moment>,
    /// The fact, if it is one, and its arguments.
    fact: Option<(usize, Vec<i64>)>,
    /// The member that the row looks for in a state.
    member: Option<Member>,
    /// What stands for a value in its name, and that value.
    literals: Vec<(String, String)>,
}

/// Merges the values of another firing of the same row into those of the first.
fn merge(before: &mut [Traced], further: Vec<Traced>) {
    for more in further {
        let known = before.iter_mut().find(|known| known.name == more.name);
        let Some(known) = known else { continue };
        // Two changes at different times have no common `since`.
        if known.since != more.since {
            known.since = None;
        }
        if let (Some(value), Some(another)) = (&mut known.value, more.value)
            && !value.split(", ").any(|one| one == another)
        {
            value.push_str(", ");
            value.push_str(&another);
        }
    }
}

impl<'c> Machine<'c> {
    /// Fills `explanation` with the effects of the current event and their causes. Facts are explained up to `depth`
    /// levels below each cause.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn explain_event(
        &mut self,
        explained: &'c Explained,
        depth: usize,
        explanation: &mut Event,
    ) -> Result<(), Stop> {
        let event = &explained.events[self.event];
        let mut depth = Depth::new(explained, depth);
        for (text, _, cause) in self.said_lines(&event.impossible, true, &mut depth)? {
            explanation.effects.push(Effect::Impossible { text, cause });
        }
        if explanation.is_impossible() {
            return Ok(());
        }
        for fact in event.refuse.iter().chain(&event.illegal) {
            if self.holds(explained, *fact)? {
                let causes = self.causes_of(*fact, &[], &mut Depth::new(explained, 0))?;
                let name = &explained.facts[*fact].name;
                explanation
                    .sentences
                    .extend(causes.iter().filter_map(|cause| {
                        let says = cause.says.as_ref()?;
                        let cites = cause.cites.as_ref();
                        let cites = cites.map_or(String::new(), |place| format!(" ({place})"));
                        Some(format!("{name}: {says}{cites}"))
                    }));
            }
        }
        for fact in &event.refuse {
            if self.holds(explained, *fact)? {
                depth.visited.push((*fact, Vec::new()));
                let fact = self.fact_cause(*fact, &[], None, &mut depth)?;
                explanation.effects.push(Effect::Refused { fact });
                return self.said_effects(&event.refused, &mut depth, &mut explanation.effects);
            }
        }
        for fact in &event.illegal {
            if self.holds(explained, *fact)? {
                let mut depth = Depth::new(explained, 0);
                let fact = self.fact_cause(*fact, &[], None, &mut depth)?;
                explanation.illegal.push(fact);
            }
        }
        self.said_effects(&event.report, &mut depth, &mut explanation.effects)?;
        if let Some(restart) = event.restart
            && self.holds(explained, restart)?
            && !event
                .over
                .is_some_and(|over| self.holds(explained, over).unwrap_or(false))
        {
            depth.visited.push((restart, Vec::new()));
            let fact = self.fact_cause(restart, &[], None, &mut depth)?;
            explanation.effects.push(Effect::Restarted { fact });
            return Ok(());
        }
        for change in &event.changes {
            self.changed(change, &mut depth, &mut explanation.effects)?;
        }
        if let Some(over) = event.over
            && self.holds(explained, over)?
        {
            depth.visited.push((over, Vec::new()));
            let fact = self.fact_cause(over, &[], None, &mut depth)?;
            explanation.effects.push(Effect::Over { fact });
        }
        Ok(())
    }

    /// The states as a refused event would have left them: names, and values that fit in a line.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn would_become(
        &mut self,
        explained: &'c Explained,
    ) -> Result<Vec<(String, String)>, Stop> {
        let event = &explained.events[self.event];
        let mut would = Vec::new();
        for fact in &event.refuse {
            if !self.holds(explained, *fact)? {
                continue;
            }
            for change in &event.changes {
                if let Some((_, new)) = &change.texts {
                    would.push((change.name.clone(), self.rendered(new)?));
                }
            }
            break;
        }
        Ok(would)
    }

    /// What the rows of a fact without parameters mention, with the values. Empty if there is no such fact, or it
    /// fails.
    pub(crate) fn mentioned_by(&mut self, explained: &'c Explained, fact: &str) -> Vec<Value> {
        let mut facts = explained.facts.iter();
        let causes = facts.position(|one| one.name == fact).and_then(|fact| {
            self.causes_of(fact, &[], &mut Depth::new(explained, 0))
                .ok()
        });
        let causes = causes.into_iter().flatten();
        causes.flat_map(|cause| cause.values).collect()
    }

    /// Whether a fact without parameters holds: its value is neither no nor none.
    pub(super) fn holds(&mut self, explained: &'c Explained, fact: usize) -> Result<bool, Stop> {
        let fact = &explained.facts[fact];
        let value = self.evaluate(&fact.value)?;
        Ok(value != NONE && !(fact.yes_no && value == 0))
    }

    fn said_effects(
        &mut self,
        table: &'c ExplainedTable,
        depth: &mut Depth<'c>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Stop> {
        for (text, inline, cause) in self.said_lines(table, false, depth)? {
            effects.push(Effect::Said {
                text,
                inline,
                cause,
            });
        }
        Ok(())
    }

    /// For each firing of a row: its text, whether the line goes on, and its cause. With `all`, also the later ones.
    fn said_lines(
        &mut self,
        table: &'c ExplainedTable,
        all: bool,
        depth: &mut Depth<'c>,
    ) -> Result<Vec<(String, bool, Cause)>, Stop> {
        let (mut attempts, result) = self.journal_of(table, &[], false);
        result?;
        if all && attempts.iter().any(Attempt::has_fired) {
            attempts = self.journal_of(table, &[], true).0;
        }
        let mut lines: Vec<(String, bool, Cause)> = Vec::new();
        let (mut row, mut count) = (0, 0);
        for attempt in &attempts {
            let Some(text) = attempt.value else {
                continue;
            };
            count = if attempt.row == row { count + 1 } else { 1 };
            row = attempt.row;
            let text = self.rendered_value(text, &Written::Text);
            let cause = match lines.last() {
                _ if all && count > MOST_LINES => continue,
                Some((.., last)) if count > MOST_LINES => last.clone().without_values(),
                _ => self.cause(table, &[attempt], depth)?,
            };
            lines.push((text, table.rows[row].inline, cause));
        }
        Ok(lines)
    }

    /// The cause that a row is, from one or several of its firings.
    fn cause(
        &mut self,
        table: &'c ExplainedTable,
        attempts: &[&Attempt],
        depth: &mut Depth<'c>,
    ) -> Result<Cause, Stop> {
        let explained = depth.explained;
        let row = &table.rows[attempts.first().map_or(0, |attempt| attempt.row)];
        let seen = attempts
            .iter()
            .map(|attempt| self.visible(&row.seen.fired, table.locals, &attempt.locals))
            .min()
            .unwrap_or(Visible::All);
        let (mut traced, mut within) = (Vec::new(), Vec::new());
        for (place, attempt) in attempts.iter().enumerate() {
            let mut own = Vec::new();
            // A row that says a line shows most values in it; only the facts among them need an explanation.
            let seen = row.text.is_some();
            for note in attempt.in_value() {
                let what = explained.mentions[note.mention].what;
                if !seen {
                    self.trace(explained, note, &mut own)?;
                } else if matches!(what, Mentioned::Fact(_)) {
                    self.trace(explained, note, &mut within)?;
                }
            }
            for note in attempt.in_conditions() {
                self.trace(explained, note, &mut own)?;
            }
            if place == 0 {
                traced = own;
            } else {
                merge(&mut traced, own);
            }
        }
        // A fact within a text is named with its arguments, since no condition shows them.
        for one in &mut within {
            if let Some((fact, of)) = &one.fact
                && !of.is_empty()
                && let Some(name) = self.call_text(&explained.facts[*fact], of)?
            {
                // Keep the word for the state it is evaluated in.
                let tense = ["new ", "old "].into_iter();
                let mut tense = tense.filter(|tense| one.name.starts_with(tense));
                one.name = format!("{}{name}", tense.next().unwrap_or_default());
            }
        }
        let says = self.says_of(table, attempts)?;
        let looked_for = traced.iter().filter_map(|one| one.member.clone());
        let looked_for = looked_for.collect();
        let compared = match attempts.first() {
            Some(first) => self.comparisons(explained, first)?,
            None => Vec::new(),
        };
        let (values, mut facts) = self.values_and_facts(traced, depth)?;
        facts.extend(self.values_and_facts(within, depth)?.1);
        Ok(Cause {
            row: row.label.clone(),
            file: row.file.clone(),
            at: row.at,
            cites: row.cites.clone(),
            written: row.written.clone(),
            values,
            gives: row.gives.clone(),
            says,
            facts,
            is_cell: row.is_cell,
            added: Vec::new(),
            compared,
            looked_for,
            earlier: Vec::new(),
            seen,
        })
    }

    /// How often a value is in a state.
    pub(crate) fn occurrences(&mut self, explained: &'c Explained, member: &Member) -> usize {
        let compiled = self.compiled;
        let state = &compiled.states[member.state];
        let value = self.read(state.offset, 0, state.slot);
        let typed = &explained.states[member.state].whole;
        match self.attempt(|machine| machine.typed(value, typed)) {
            Some(stream::Value::List(list)) => {
                list.iter().filter(|one| **one == member.value).count()
            }
            _ => 0,
        }
    }

    /// Adds what a note mentions, each name once.
    fn trace(
        &mut self,
        explained: &'c Explained,
        note: &Note,
        traced: &mut Vec<Traced>,
    ) -> Result<(), Stop> {
        let mention = &explained.mentions[note.mention];
        if mention.compared.is_some() {
            return Ok(());
        }
        if let Some(state) = mention.looked_for
            && let Typed::List { element, .. } = &explained.states[state].whole
            && let Some(value) = self.attempt(|machine| machine.typed(note.value, element))
        {
            traced.push(Traced {
                name: String::new(),
                written: String::new(),
                value: None,
                since: None,
                fact: None,
                member: Some(Member { state, value }),
                literals: Vec::new(),
            });
            return Ok(());
        }
        let fact = match mention.what {
            Mentioned::Fact(fact) => Some((fact, note.arguments.to_vec())),
            _ => None,
        };
        let is_writable = mention.text.is_some() || fact.is_some();
        let mut known = traced.iter().filter(|known| known.name == mention.name);
        let is_known = known.any(|known| known.fact == fact || fact.is_none());
        let count = traced
            .iter()
            .filter(|known| known.written == mention.name)
            .count();
        if mention.name.is_empty() || !is_writable || is_known || count == MOST_TIMES {
            return Ok(());
        }
        // The second mention of a fact with other arguments is named as a call, and so is the first.
        let name = match &fact {
            Some((fact, of)) if count > 0 => self.call_text(&explained.facts[*fact], of)?,
            _ => None,
        };
        if count > 0 && name.is_none() {
            return Ok(());
        }
        if let (1, Some(first)) = (
            count,
            traced
                .iter_mut()
                .find(|known| known.written == mention.name),
        ) && let Some((fact, of)) = &first.fact
            && let Some(name) = self.call_text(&explained.facts[*fact], of)?
        {
            first.name = name;
        }
        let name = name.unwrap_or_else(|| mention.name.clone());
        let value = match &mention.text {
            Some(text) => {
                Some(self.with_arguments(1, &[note.value], |machine| machine.rendered(text))?)
            }
            None => None,
        };
        let since = match mention.what {
            Mentioned::State { state, new: false } => {
                self.since(state, note.arguments.first().copied())
            }
            _ => None,
        };
        let literals = self.literals(mention, note)?;
        traced.push(Traced {
            name,
            written: mention.name.clone(),
            value,
            since,
            fact,
            member: None,
            literals,
        });
        Ok(())
    }

    /// Runs `body` in a frame whose first locals are `arguments`.
    fn with_arguments<T>(
        &mut self,
        locals: usize,
        arguments: &[i64],
        body: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.framed(locals.max(arguments.len()), |machine| {
            for (local, value) in (0..).zip(arguments) {
                machine.set_local(local, *value);
            }
            body(machine)
        })
    }

    /// Splits mentions into values, and facts with their causes.
    fn values_and_facts(
        &mut self,
        traced: Vec<Traced>,
        depth: &mut Depth<'c>,
    ) -> Result<(Vec<Value>, Vec<Fact>), Stop> {
        let (mut values, mut facts) = (Vec::new(), Vec::new());
        for one in traced {
            let Traced {
                name,
                written: _,
                value,
                since,
                fact,
                member: _,
                literals,
            } = one;
            let is_named = fact.is_some() || since.is_some();
            let called = match &fact {
                Some((fact, of)) => self.call_text(&depth.explained.facts[*fact], of)?,
                None => None,
            };
            let tense = name.strip_prefix("new ").map_or("", |_| "new ");
            let called = called.map(|called| format!("{tense}{called}"));
            if let Some((fact, arguments)) = fact
                && depth.left > 0
                && !depth.visited.contains(&(fact, arguments.clone()))
            {
                depth.visited.push((fact, arguments.clone()));
                depth.left -= 1;
                let mut cause = self.fact_cause(fact, &arguments, value.clone(), depth)?;
                depth.left += 1;
                cause.name.clone_from(&name);
                cause.called.clone_from(&called);
                facts.push(cause);
            }
            values.extend(value.map(|value| {
                let (line, words) = since.map(Moment::parts).unzip();
                Value {
                    variable: !is_named && name.chars().nth(1).is_none(),
                    called,
                    name,
                    value,
                    since: line,
                    since_words: words.flatten(),
                    literals,
                }
            }));
        }
        Ok((values, facts))
    }
}
