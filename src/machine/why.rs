//! Why an event did what it did: the rows that fired, and what they mention.

use super::{Machine, memory::at};
use crate::{
    code::{
        Domain, NONE, Told,
        explain::{Combined, Entries, Explained, ExplainedChange},
    },
    fault::Stop,
    source::Span,
};

/// A row that fired, with the values that made it.
#[derive(Debug, Clone)]
pub(crate) struct Cause {
    /// Its label; nothing where a definition has no rows.
    pub(crate) label: Option<String>,
    pub(crate) span: Span,
    /// Its conditions, as they were written.
    pub(crate) written: Vec<String>,
    /// What it mentions, with the values.
    pub(crate) values: Vec<(String, String)>,
    /// Its sentence.
    pub(crate) says: Option<String>,
    /// The facts that it mentions, each with what made it so.
    pub(crate) facts: Vec<FactCause>,
}

/// A fact with its value, and what made it so.
#[derive(Debug, Clone)]
pub(crate) struct FactCause {
    pub(crate) name: String,
    /// Its value, if that can be written in a line.
    pub(crate) value: Option<String>,
    pub(crate) causes: Vec<Cause>,
}

/// Something that an event did.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// It said a line.
    Said { text: String, cause: Cause },
    /// It changed a state, or an entry of it.
    Changed {
        name: String,
        old: String,
        new: String,
        causes: Vec<Cause>,
    },
    /// It is impossible.
    Impossible { text: String, cause: Cause },
    /// It was refused.
    Refused { fact: FactCause },
}

/// An event explained.
#[derive(Debug, Clone, Default)]
pub(crate) struct Explanation {
    /// The sentences of the `illegal` and `refuse` rows that fired.
    pub(crate) sentences: Vec<String>,
    pub(crate) effects: Vec<Effect>,
}

impl Explanation {
    /// Whether the event is impossible.
    pub(crate) fn is_impossible(&self) -> bool {
        matches!(self.effects.first(), Some(Effect::Impossible { .. }))
    }
}

/// What is being explained, and how deep.
struct Depth<'e> {
    explained: &'e Explained,
    left: usize,
    /// The facts that were explained already.
    told: Vec<usize>,
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
        let mut depth = Depth {
            explained,
            left: depth,
            told: Vec::new(),
        };
        for row in &event.impossible {
            if let Some((text, cause)) = self.told(row, &mut depth)? {
                explanation.effects.push(Effect::Impossible { text, cause });
                return Ok(explanation);
            }
        }
        for fact in event.refuse.iter().chain(&event.illegal) {
            let value = self.evaluate(&explained.facts[*fact].value)?;
            if value != 0 && value != NONE {
                let causes = self.causes_of(
                    *fact,
                    &mut Depth {
                        explained,
                        left: 0,
                        told: Vec::new(),
                    },
                )?;
                let name = &explained.facts[*fact].name;
                let says = causes.iter().filter_map(|cause| cause.says.as_ref());
                explanation
                    .sentences
                    .extend(says.map(|says| format!("{name}: {says}")));
            }
        }
        for fact in &event.refuse {
            let value = self.evaluate(&explained.facts[*fact].value)?;
            if value != 0 && value != NONE {
                let fact = self.fact_cause(*fact, &mut depth)?;
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

    fn all_told(
        &mut self,
        rows: &'c [Told],
        depth: &mut Depth<'c>,
        explanation: &mut Explanation,
    ) -> Result<(), Stop> {
        for row in rows {
            if let Some((text, cause)) = self.told(row, depth)? {
                explanation.effects.push(Effect::Said { text, cause });
            }
        }
        Ok(())
    }

    /// What a row says and why, if it fires; of several times the first.
    fn told(
        &mut self,
        row: &'c Told,
        depth: &mut Depth<'c>,
    ) -> Result<Option<(String, Cause)>, Stop> {
        let mut text = String::new();
        let cause = self.cause(row, depth, &mut |machine| {
            if let Some(said) = &row.text {
                text = machine.rendered(said)?;
            }
            Ok(true)
        })?;
        Ok(cause.map(|cause| (text, cause)))
    }

    /// Why a row fired, if it did; `wanted` says whether that is the one that is asked for.
    fn cause(
        &mut self,
        row: &'c Told,
        depth: &mut Depth<'c>,
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<Option<Cause>, Stop> {
        let mut found = None;
        self.framed(row.locals, |machine| {
            machine.run(&row.bindings, &row.conditions, &mut |machine| {
                if !wanted(machine)? {
                    return Ok(true);
                }
                let mut values = Vec::new();
                for mention in &row.mentions {
                    values.push((mention.name.clone(), machine.rendered(&mention.text)?));
                }
                let says = match &row.says {
                    Some(says) => Some(machine.rendered(says)?),
                    None => None,
                };
                found = Some((values, says));
                Ok(false)
            })?;
            Ok(())
        })?;
        let Some((values, says)) = found else {
            return Ok(None);
        };
        let mut facts = Vec::new();
        if depth.left > 0 {
            depth.left -= 1;
            for fact in row.mentions.iter().filter_map(|mention| mention.fact) {
                if !depth.told.contains(&fact) {
                    depth.told.push(fact);
                    facts.push(self.fact_cause(fact, depth)?);
                }
            }
            depth.left += 1;
        }
        Ok(Some(Cause {
            label: row.label.clone(),
            span: row.span,
            written: row.written.clone(),
            values,
            says,
            facts,
        }))
    }

    fn fact_cause(&mut self, fact: usize, depth: &mut Depth<'c>) -> Result<FactCause, Stop> {
        let explained: &'c Explained = depth.explained;
        let definition = &explained.facts[fact];
        let value = match &definition.text {
            Some(text) => Some(self.rendered(text)?),
            None => None,
        };
        Ok(FactCause {
            name: definition.name.clone(),
            value,
            causes: self.causes_of(fact, depth)?,
        })
    }

    fn causes_of(&mut self, fact: usize, depth: &mut Depth<'c>) -> Result<Vec<Cause>, Stop> {
        let explained: &'c Explained = depth.explained;
        let definition = &explained.facts[fact];
        let value = self.evaluate(&definition.value)?;
        self.causes(&definition.rows, definition.how, value, depth)
    }

    /// The rows that gave a value.
    fn causes(
        &mut self,
        rows: &'c [Told],
        how: Combined,
        value: i64,
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let mut causes = Vec::new();
        for row in rows {
            let found = self.cause(row, depth, &mut |machine| {
                let own = machine.evaluate(&row.value)?;
                Ok(match how {
                    Combined::Any => own == 1,
                    Combined::All => own == 0,
                    // A row whose value is none may pass on to the next.
                    Combined::First => own != NONE || value == NONE,
                    Combined::Every => true,
                    Combined::Same => own == value,
                })
            })?;
            if let Some(cause) = found {
                causes.push(cause);
                if how != Combined::Every {
                    break;
                }
            }
        }
        Ok(causes)
    }

    fn changed(
        &mut self,
        change: &'c ExplainedChange,
        depth: &mut Depth<'c>,
        explanation: &mut Explanation,
    ) -> Result<(), Stop> {
        let old = self.evaluate(&change.old)?;
        let new = self.new_value(change.state as usize)?;
        if self.same(old, new, &change.shape) {
            return Ok(());
        }
        if let Some(entries) = &change.entries {
            return self.changed_entries(change, entries, (old, new), depth, explanation);
        }
        let (old, new_text) = match &change.texts {
            Some((old, new)) => (self.rendered(old)?, self.rendered(new)?),
            None => (String::new(), String::new()),
        };
        let causes = self.causes(&change.rows, change.how, new, depth)?;
        explanation.effects.push(Effect::Changed {
            name: change.name.clone(),
            old,
            new: new_text,
            causes,
        });
        Ok(())
    }

    fn changed_entries(
        &mut self,
        change: &'c ExplainedChange,
        entries: &'c Entries,
        values: (i64, i64),
        depth: &mut Depth<'c>,
        explanation: &mut Explanation,
    ) -> Result<(), Stop> {
        let mut explained_whole = false;
        for index in 0..entries.domain.count {
            let old = self.read(at(values.0), index, entries.slot);
            let new = self.read(at(values.1), index, entries.slot);
            if self.same(old, new, &entries.entry) {
                continue;
            }
            let key = entries.domain.value(index);
            let causes = if let Some(parameters) = &entries.parameters {
                self.keyed_causes(change, (parameters, index, key), depth)?
            } else if explained_whole {
                Vec::new()
            } else {
                explained_whole = true;
                self.causes(&change.rows, change.how, values.1, depth)?
            };
            let flat = entries.entry.is_word();
            let written = |machine: &mut Self, value: i64| {
                if flat {
                    machine.rendered_value(value, &entries.value)
                } else {
                    String::new()
                }
            };
            let (old, new) = (written(self, old), written(self, new));
            let key = self.rendered_value(key, &entries.key);
            explanation.effects.push(Effect::Changed {
                name: format!("{} of {key}", change.name),
                old,
                new,
                causes,
            });
        }
        Ok(())
    }

    /// The rows that gave the entry of a key: of parameters, with an index, and as a value.
    fn keyed_causes(
        &mut self,
        change: &'c ExplainedChange,
        key: (&[Domain], usize, i64),
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Cause>, Stop> {
        let mut causes = Vec::new();
        for row in &change.rows {
            let found = self.keyed_cause(row, key, depth)?;
            causes.extend(found);
        }
        Ok(causes)
    }

    fn keyed_cause(
        &mut self,
        row: &'c Told,
        (parameters, index, value): (&[Domain], usize, i64),
        depth: &mut Depth<'c>,
    ) -> Result<Option<Cause>, Stop> {
        // The frame that `cause` makes begins where this one does: the key is put there first.
        let (base, frame_top) = (self.base, self.frame_top);
        self.base = frame_top;
        self.reserve(parameters.len());
        self.bind_key(parameters, index, value);
        self.base = base;
        self.frame_top = frame_top;
        self.cause(row, depth, &mut |_| Ok(true))
    }
}
