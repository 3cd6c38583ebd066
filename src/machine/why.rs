//! Why an event did what it did: the rows that fired, and what they mention.

mod asked;
mod changes;
mod decisions;
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
        NONE, Written,
        explain::{Explained, ExplainedFact, ExplainedTable, Mentioned, Visible},
        typed::Typed,
    },
    explanation::{Cause, Effect, Event, Fact, Member, Value},
    fault::Stop,
    stream,
};

pub(crate) use names::{Named, names, said_so};
pub(crate) use since::Moment;
pub(super) use since::Since;

/// How many lines of one row are explained.
const MOST_LINES: usize = 64;

/// How many times the same fact of something else is told of a row.
const MOST_TIMES: usize = 8;

/// What is being explained, and how deep.
struct Depth<'e> {
    explained: &'e Explained,
    left: usize,
    /// The facts that were explained already, with their arguments.
    told: Vec<(usize, Vec<i64>)>,
    /// Whether it is of interest why no row of a fact gave a value.
    why_none: bool,
}

impl<'e> Depth<'e> {
    fn new(explained: &'e Explained, left: usize) -> Depth<'e> {
        Depth {
            explained,
            left,
            told: Vec::new(),
            why_none: false,
        }
    }
}

/// Something that was mentioned.
#[derive(Debug)]
struct Traced {
    name: String,
    /// As it stands in the rules.
    written: String,
    value: Option<String>,
    since: Option<Moment>,
    /// The fact, if it is one, with its arguments.
    fact: Option<(usize, Vec<i64>)>,
    /// What is looked for in a state.
    member: Option<Member>,
}

/// Adds the values of a further time that the same was mentioned.
fn merge(before: &mut [Traced], further: Vec<Traced>) {
    for more in further {
        let known = before.iter_mut().find(|known| known.name == more.name);
        let Some(known) = known else { continue };
        // Since when it is so is known of one thing, not of several.
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
    /// Puts into `told` what the event in hand does in the state before it, and why; `depth` is how many facts are looked
    /// into, one in the other.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn explain_event(
        &mut self,
        explained: &'c Explained,
        depth: usize,
        told: &mut Event,
    ) -> Result<(), Stop> {
        let event = &explained.events[self.event];
        let mut depth = Depth::new(explained, depth);
        for (text, _, cause) in self.lines(&event.impossible, true, &mut depth)? {
            told.effects.push(Effect::Impossible { text, cause });
        }
        if told.is_impossible() {
            return Ok(());
        }
        for fact in event.refuse.iter().chain(&event.illegal) {
            if self.holds(explained, *fact)? {
                let causes = self.causes_of(*fact, &[], &mut Depth::new(explained, 0))?;
                let name = &explained.facts[*fact].name;
                told.sentences.extend(causes.iter().filter_map(|cause| {
                    let says = cause.says.as_ref()?;
                    let cites = cause.cites.as_ref();
                    let cites = cites.map_or(String::new(), |place| format!(" ({place})"));
                    Some(format!("{name}: {says}{cites}"))
                }));
            }
        }
        for fact in &event.refuse {
            if self.holds(explained, *fact)? {
                depth.told.push((*fact, Vec::new()));
                let fact = self.fact_cause(*fact, &[], None, &mut depth)?;
                told.effects.push(Effect::Refused { fact });
                return self.all_said(&event.refused, &mut depth, &mut told.effects);
            }
        }
        self.all_said(&event.report, &mut depth, &mut told.effects)?;
        if let Some(restart) = event.restart
            && self.holds(explained, restart)?
            && !event
                .over
                .is_some_and(|over| self.holds(explained, over).unwrap_or(false))
        {
            depth.told.push((restart, Vec::new()));
            let fact = self.fact_cause(restart, &[], None, &mut depth)?;
            told.effects.push(Effect::Restarted { fact });
            return Ok(());
        }
        for change in &event.changes {
            self.changed(change, &mut depth, &mut told.effects)?;
        }
        if let Some(over) = event.over
            && self.holds(explained, over)?
        {
            depth.told.push((over, Vec::new()));
            let fact = self.fact_cause(over, &[], None, &mut depth)?;
            told.effects.push(Effect::Over { fact });
        }
        Ok(())
    }

    /// What states would have become by the event in hand, if it is refused: their names, and the values as far as they can
    /// be written in a line.
    ///
    /// # Errors
    /// What is wrong with a row.
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

    /// What a fact without parameters mentions, with the values; nothing where there is no such fact, or it fails.
    pub(crate) fn mentioned_by(&mut self, explained: &'c Explained, fact: &str) -> Vec<Value> {
        let mut facts = explained.facts.iter();
        let causes = facts.position(|one| one.name == fact).and_then(|fact| {
            self.causes_of(fact, &[], &mut Depth::new(explained, 0))
                .ok()
        });
        let causes = causes.into_iter().flatten();
        causes.flat_map(|cause| cause.values).collect()
    }

    /// Whether a fact without parameters holds: it is neither no nor none.
    pub(super) fn holds(&mut self, explained: &'c Explained, fact: usize) -> Result<bool, Stop> {
        let fact = &explained.facts[fact];
        let value = self.evaluate(&fact.value)?;
        Ok(value != NONE && !(fact.yes_no && value == 0))
    }

    /// Whether no fact calls the event in hand illegal.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn is_legal(&mut self, explained: &'c Explained) -> Result<bool, Stop> {
        for fact in &explained.events[self.event].illegal {
            if self.holds(explained, *fact)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn all_said(
        &mut self,
        table: &'c ExplainedTable,
        depth: &mut Depth<'c>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Stop> {
        for (text, inline, cause) in self.lines(table, false, depth)? {
            effects.push(Effect::Said {
                text,
                inline,
                cause,
            });
        }
        Ok(())
    }

    /// What rows say, whether the line goes on, and why, each time that one fires; with `all`, also those after the first that does, as far as they
    /// can be worked out.
    fn lines(
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
        let mut all = Vec::new();
        let (mut row, mut count) = (0, 0);
        for attempt in &attempts {
            let Some(text) = attempt.value else {
                continue;
            };
            count = if attempt.row == row { count + 1 } else { 1 };
            row = attempt.row;
            if count <= MOST_LINES {
                let text = self.rendered_value(text, &Written::Text);
                let inline = table.rows[row].inline;
                all.push((text, inline, self.cause(table, &[attempt], depth)?));
            }
        }
        Ok(all)
    }

    /// Why a row fired, one or several times.
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
            // Of what stands in the words of a line only facts say more than is seen.
            let seen = row.text.is_some();
            for note in attempt.used() {
                let what = explained.mentions[note.mention].what;
                if !seen {
                    self.trace(explained, note, &mut own)?;
                } else if matches!(what, Mentioned::Fact(_)) {
                    self.trace(explained, note, &mut within)?;
                }
            }
            for note in attempt.asked() {
                self.trace(explained, note, &mut own)?;
            }
            if place == 0 {
                traced = own;
            } else {
                merge(&mut traced, own);
            }
        }
        // No formula speaks of what stands in words: it is called by what it is asked of.
        for one in &mut within {
            if let Some((fact, of)) = &one.fact
                && !of.is_empty()
                && let Some(name) = self.asked_of(&explained.facts[*fact], of)?
            {
                // The state in which it is asked stays.
                let tense = ["new ", "old "].into_iter();
                let mut tense = tense.filter(|tense| one.name.starts_with(tense));
                one.name = format!("{}{name}", tense.next().unwrap_or_default());
            }
        }
        let says = match (&row.says, attempts.first()) {
            (Some(says), Some(attempt)) => Some(self.with_arguments(
                table.locals,
                &attempt.locals,
                |machine| machine.rendered(says),
            )?),
            _ => None,
        };
        let looked_for = traced.iter().filter_map(|one| one.member.clone());
        let looked_for = looked_for.collect();
        let (values, mut facts) = self.told_of(traced, depth)?;
        facts.extend(self.told_of(within, depth)?.1);
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
            looked_for,
            stood: Vec::new(),
            seen,
        })
    }

    /// How often a value is in a state.
    pub(crate) fn times_in(&mut self, explained: &'c Explained, member: &Member) -> usize {
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

    /// Adds what was noted, each name once.
    fn trace(
        &mut self,
        explained: &'c Explained,
        note: &Note,
        traced: &mut Vec<Traced>,
    ) -> Result<(), Stop> {
        let mention = &explained.mentions[note.mention];
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
            });
            return Ok(());
        }
        let fact = match mention.what {
            Mentioned::Fact(fact) => Some((fact, note.of.to_vec())),
            _ => None,
        };
        let is_told = mention.text.is_some() || fact.is_some();
        let mut known = traced.iter().filter(|known| known.name == mention.name);
        let is_known = known.any(|known| known.fact == fact || fact.is_none());
        let count = traced
            .iter()
            .filter(|known| known.written == mention.name)
            .count();
        if mention.name.is_empty() || !is_told || is_known || count == MOST_TIMES {
            return Ok(());
        }
        // The same fact of something else is called by what it is asked of.
        let name = match &fact {
            Some((fact, of)) if count > 0 => self.asked_of(&explained.facts[*fact], of)?,
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
            && let Some(name) = self.asked_of(&explained.facts[*fact], of)?
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
            Mentioned::State { state, new: false } => self.since(state, note.of.first().copied()),
            _ => None,
        };
        traced.push(Traced {
            name,
            written: mention.name.clone(),
            value,
            since,
            fact,
            member: None,
        });
        Ok(())
    }

    /// A fact with what it is asked of, if that can be written.
    fn asked_of(&mut self, fact: &'c ExplainedFact, of: &[i64]) -> Result<Option<String>, Stop> {
        let mut written = Vec::new();
        for (text, value) in fact.asked_of.iter().zip(of) {
            let Some(text) = text else {
                return Ok(None);
            };
            written.push(self.with_arguments(1, &[*value], |machine| machine.rendered(text))?);
        }
        Ok(Some(format!("{}({})", fact.name, written.join(", "))))
    }

    /// Runs `body` in a frame whose first locals are these.
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

    /// The values of what was mentioned, and the facts among it, each with what made it so.
    fn told_of(
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
            } = one;
            if let Some((fact, arguments)) = fact
                && depth.left > 0
                && !depth.told.contains(&(fact, arguments.clone()))
            {
                depth.told.push((fact, arguments.clone()));
                depth.left -= 1;
                let mut cause = self.fact_cause(fact, &arguments, value.clone(), depth)?;
                depth.left += 1;
                cause.name.clone_from(&name);
                if !arguments.is_empty() {
                    let called = self.asked_of(&depth.explained.facts[fact], &arguments)?;
                    let tense = name.strip_prefix("new ").map_or("", |_| "new ");
                    cause.called = called.map(|called| format!("{tense}{called}"));
                }
                facts.push(cause);
            }
            values.extend(value.map(|value| {
                let (line, words) = since.map(Moment::parts).unzip();
                Value {
                    name,
                    value,
                    since: line,
                    since_words: words.flatten(),
                }
            }));
        }
        Ok((values, facts))
    }
}
