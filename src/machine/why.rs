//! Why an event did what it did: the rows that fired, and what they mention.

mod asked;
mod changes;
mod decisions;
mod names;
mod nearest;
mod told;
mod trace;

use super::Machine;
use crate::{
    code::{
        NONE, Told,
        explain::{Combined, Explained},
    },
    fault::Stop,
};

pub(crate) use asked::Asked;
pub(crate) use decisions::Decision;
pub(crate) use names::{Named, names, said_so};
pub(crate) use told::{Cause, Effect, Explanation, FactCause, Failed, Unfired};

use trace::Traced;

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
        for row in &event.impossible {
            if let Some((text, cause)) = self.told(row, &mut depth)?.into_iter().next() {
                explanation.effects.push(Effect::Impossible { text, cause });
                return Ok(explanation);
            }
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
                self.all_told(&event.refused, &mut depth, &mut explanation)?;
                return Ok(explanation);
            }
        }
        self.all_told(&event.report, &mut depth, &mut explanation)?;
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

    fn all_told(
        &mut self,
        rows: &'c [Told],
        depth: &mut Depth<'c>,
        explanation: &mut Explanation,
    ) -> Result<(), Stop> {
        for row in rows {
            for (text, cause) in self.told(row, depth)? {
                explanation.effects.push(Effect::Said { text, cause });
            }
        }
        Ok(())
    }

    /// What a row says and why, each time that it fires.
    fn told(&mut self, row: &'c Told, depth: &mut Depth<'c>) -> Result<Vec<(String, Cause)>, Stop> {
        let mut all = Vec::new();
        loop {
            let (mut text, mut place) = (String::new(), 0);
            let cause = self.cause(row, &[], depth, &mut |machine| {
                place += 1;
                if let Some(said) = &row.text {
                    text = machine.rendered(said)?;
                }
                Ok(place > all.len())
            })?;
            match cause {
                Some(cause) => all.push((text, cause)),
                None => return Ok(all),
            }
            if row.bindings.is_empty() || all.len() == MOST_LINES {
                return Ok(all);
            }
        }
    }

    /// Why a row fired for some arguments, if it did; `wanted` says whether that is the one that is asked for.
    fn cause(
        &mut self,
        row: &'c Told,
        arguments: &[i64],
        depth: &mut Depth<'c>,
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<Option<Cause>, Stop> {
        self.cause_of(row, arguments, false, depth, wanted)
    }

    /// As [`Machine::cause`]; where `all` says so, with the values of all times that it fired.
    fn cause_of(
        &mut self,
        row: &'c Told,
        arguments: &[i64],
        all: bool,
        depth: &mut Depth<'c>,
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<Option<Cause>, Stop> {
        let mut found: Option<(Vec<Traced>, Vec<Traced>, Option<String>)> = None;
        self.with_arguments(row.locals, arguments, |machine| {
            machine.run(&row.bindings, &row.conditions, &mut |machine| {
                if !wanted(machine)? {
                    return Ok(true);
                }
                let (mut traced, mut within) = (Vec::new(), Vec::new());
                if let Some(gives) = &row.gives {
                    let traced = match row.text {
                        None => &mut traced,
                        Some(_) => &mut within,
                    };
                    machine.trace(&gives.mentioned, traced)?;
                }
                for phrase in &row.phrases {
                    machine.trace(&phrase.mentioned, &mut traced)?;
                }
                let says = match &row.says {
                    Some(says) => Some(machine.rendered(says)?),
                    None => None,
                };
                match &mut found {
                    Some((before, ..)) => trace::merge(before, traced),
                    None => found = Some((traced, within, says)),
                }
                Ok(all)
            })?;
            Ok(())
        })?;
        let Some((traced, within, says)) = found else {
            return Ok(None);
        };
        let (values, mut facts) = self.told_of(traced, depth)?;
        // What stands within the words of a line is seen there: what made it so is told, and no more.
        let left = depth.left;
        depth.left = left.min(1);
        facts.extend(self.told_of(within, depth)?.1);
        depth.left = left;
        Ok(Some(Cause {
            label: row.label.clone(),
            span: row.span,
            written: row.written.clone(),
            values,
            says,
            facts,
        }))
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
        self.causes(&definition.rows, (definition.how, value), arguments, depth)
    }

    /// The rows that gave a value.
    fn causes(
        &mut self,
        rows: &'c [Told],
        (how, value): (Combined, i64),
        arguments: &[i64],
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let mut causes = Vec::new();
        for row in rows {
            let all = how == Combined::Sum;
            let found = self.cause_of(row, arguments, all, depth, &mut |machine| {
                machine.gave(row, how, value)
            })?;
            if let Some(cause) = found {
                causes.push(cause);
                if !matches!(how, Combined::Every | Combined::Sum) {
                    break;
                }
            }
        }
        Ok(causes)
    }

    /// Whether a row that fires gave a value.
    pub(super) fn gave(&mut self, row: &'c Told, how: Combined, value: i64) -> Result<bool, Stop> {
        let own = self.evaluate(&row.value)?;
        Ok(match how {
            Combined::Any => own == 1,
            Combined::All => own == 0,
            // A row whose value is none may pass on to the next.
            Combined::First => own != NONE || value == NONE,
            Combined::Sum => match &row.part {
                Some(part) => own != NONE && !self.is_empty(own, part)?,
                None => own != NONE && own != 0,
            },
            Combined::Every => true,
            Combined::Same => own == value,
        })
    }
}
