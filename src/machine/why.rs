//! Why an event did what it did: the rows that fired, and what they mention.

mod asked;
mod changes;
mod decisions;
mod names;
mod nearest;
mod told;

use super::{
    Machine,
    journal::{Attempt, Note},
};
use crate::{
    code::{
        NONE, Written,
        explain::{Combined, Explained, ExplainedTable, Mentioned},
    },
    fault::Stop,
};

pub(crate) use asked::Asked;
pub(crate) use decisions::Decision;
pub(crate) use names::{Named, names, said_so};
pub(crate) use told::{Cause, Effect, Explanation, FactCause, Failed, Unfired};

/// How many lines of one row are explained.
const MOST_LINES: usize = 64;

/// What is mentioned, with the values.
type Values = Vec<(String, String)>;

/// What is being explained, and how deep.
struct Depth<'e> {
    explained: &'e Explained,
    left: usize,
    /// The facts that were explained already, with their arguments.
    told: Vec<(usize, Vec<i64>)>,
}

impl<'e> Depth<'e> {
    fn new(explained: &'e Explained, left: usize) -> Depth<'e> {
        Depth {
            explained,
            left,
            told: Vec::new(),
        }
    }
}

/// Something that was mentioned.
#[derive(Debug)]
struct Traced {
    name: String,
    value: Option<String>,
    /// The fact, if it is one, with its arguments.
    fact: Option<(usize, Vec<i64>)>,
}

/// Adds the values of a further time that the same was mentioned.
fn merge(before: &mut [Traced], further: Vec<Traced>) {
    for more in further {
        let known = before.iter_mut().find(|known| known.name == more.name);
        if let Some(known) = known
            && let (Some(value), Some(another)) = (&mut known.value, more.value)
            && !value.split(", ").any(|one| one == another)
        {
            value.push_str(", ");
            value.push_str(&another);
        }
    }
}

impl<'c> Machine<'c> {
    /// Explains the event in hand, in the state before it; `depth` is how many facts are looked into, one in the other.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn explanation(
        &mut self,
        explained: &'c Explained,
        depth: usize,
    ) -> Result<Explanation, Stop> {
        let event = &explained.events[self.event];
        let mut explanation = Explanation::default();
        let mut depth = Depth::new(explained, depth);
        if let Some((text, cause)) = self.lines(&event.impossible, &mut depth)?.pop() {
            explanation.effects.push(Effect::Impossible { text, cause });
            return Ok(explanation);
        }
        for fact in event.refuse.iter().chain(&event.illegal) {
            if self.holds(explained, *fact)? {
                let causes = self.causes_of(*fact, &[], &mut Depth::new(explained, 0))?;
                let name = &explained.facts[*fact].name;
                let says = causes.iter().filter_map(|cause| cause.says.as_ref());
                explanation
                    .sentences
                    .extend(says.map(|says| format!("{name}: {says}")));
            }
        }
        for fact in &event.refuse {
            if self.holds(explained, *fact)? {
                depth.told.push((*fact, Vec::new()));
                let fact = self.fact_cause(*fact, &[], None, &mut depth)?;
                explanation.effects.push(Effect::Refused { fact });
                self.all_said(&event.refused, &mut depth, &mut explanation)?;
                return Ok(explanation);
            }
        }
        self.all_said(&event.report, &mut depth, &mut explanation)?;
        for change in &event.changes {
            self.changed(change, &mut depth, &mut explanation)?;
        }
        Ok(explanation)
    }

    /// Whether a fact without parameters holds: it is neither no nor none.
    fn holds(&mut self, explained: &'c Explained, fact: usize) -> Result<bool, Stop> {
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
        explanation: &mut Explanation,
    ) -> Result<(), Stop> {
        for (text, cause) in self.lines(table, depth)? {
            explanation.effects.push(Effect::Said { text, cause });
        }
        Ok(())
    }

    /// What rows say and why, each time that one fires.
    fn lines(
        &mut self,
        table: &'c ExplainedTable,
        depth: &mut Depth<'c>,
    ) -> Result<Vec<(String, Cause)>, Stop> {
        let (attempts, result) = self.journal_of(table, &[], false);
        result?;
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
                all.push((text, self.cause(table, &[attempt], depth)?));
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
        let says = match (&row.says, attempts.first()) {
            (Some(says), Some(attempt)) => Some(self.with_arguments(
                table.locals,
                &attempt.locals,
                |machine| machine.rendered(says),
            )?),
            _ => None,
        };
        let (values, mut facts) = self.told_of(traced, depth)?;
        // What stands within the words of a line is seen there: what made it so is told, and no more.
        let left = depth.left;
        depth.left = left.min(1);
        facts.extend(self.told_of(within, depth)?.1);
        depth.left = left;
        Ok(Cause {
            label: row.label.clone(),
            span: row.span,
            written: row.written.clone(),
            values,
            says,
            facts,
        })
    }

    /// Adds what was noted, each name once.
    fn trace(
        &mut self,
        explained: &'c Explained,
        note: &Note,
        traced: &mut Vec<Traced>,
    ) -> Result<(), Stop> {
        let mention = &explained.mentions[note.mention];
        let fact = match mention.what {
            Mentioned::Fact(fact) => Some((fact, note.of.to_vec())),
            _ => None,
        };
        let is_told = mention.text.is_some() || fact.is_some();
        if mention.name.is_empty()
            || !is_told
            || traced.iter().any(|known| known.name == mention.name)
        {
            return Ok(());
        }
        let value = match &mention.text {
            Some(text) => {
                Some(self.with_arguments(1, &[note.value], |machine| machine.rendered(text))?)
            }
            None => None,
        };
        traced.push(Traced {
            name: mention.name.clone(),
            value,
            fact,
        });
        Ok(())
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
    ) -> Result<(Values, Vec<FactCause>), Stop> {
        let (mut values, mut facts) = (Vec::new(), Vec::new());
        for Traced { name, value, fact } in traced {
            if let Some((fact, arguments)) = fact
                && depth.left > 0
                && !depth.told.contains(&(fact, arguments.clone()))
            {
                depth.told.push((fact, arguments.clone()));
                depth.left -= 1;
                let mut cause = self.fact_cause(fact, &arguments, value.clone(), depth)?;
                depth.left += 1;
                cause.name.clone_from(&name);
                facts.push(cause);
            }
            values.extend(value.map(|value| (name, value)));
        }
        Ok((values, facts))
    }

    fn fact_cause(
        &mut self,
        fact: usize,
        arguments: &[i64],
        value: Option<String>,
        depth: &mut Depth<'c>,
    ) -> Result<FactCause, Stop> {
        let explained: &'c Explained = depth.explained;
        let definition = &explained.facts[fact];
        let value = match (&definition.text, value) {
            (_, Some(value)) => Some(value),
            (Some(text), None) => Some(self.rendered(text)?),
            (None, None) => None,
        };
        Ok(FactCause {
            name: definition.name.clone(),
            value,
            causes: self.causes_of(fact, arguments, depth)?,
        })
    }

    fn causes_of(
        &mut self,
        fact: usize,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let explained: &'c Explained = depth.explained;
        let definition = &explained.facts[fact];
        let value = self.with_arguments(definition.parameters, arguments, |machine| {
            machine.evaluate(&definition.value)
        })?;
        self.causes(&definition.table, value, arguments, depth)
    }

    /// The rows that gave a value.
    fn causes(
        &mut self,
        table: &'c ExplainedTable,
        value: i64,
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let (attempts, result) = self.journal_of(table, arguments, false);
        result?;
        let gave = self.gave_value(table, &attempts, value)?;
        let mut causes = Vec::new();
        let same_row = |one: &usize, other: &usize| attempts[*one].row == attempts[*other].row;
        for places in gave.chunk_by(same_row) {
            let mut times: Vec<&Attempt> = places.iter().map(|place| &attempts[*place]).collect();
            if table.how != Combined::Sum {
                times.truncate(1);
            }
            causes.push(self.cause(table, &times, depth)?);
        }
        Ok(causes)
    }
}
