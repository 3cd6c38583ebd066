//! Which rule of decision chose an event, and which were passed over.

use super::{Cause, Depth, Failed, Machine, Traced, Unfired};
use crate::{
    code::{
        NONE,
        explain::{Explained, ExplainedChoice},
    },
    fault::Stop,
};

/// A rule that chose an event, and those before it that did not.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) chosen: Cause,
    pub(crate) passed: Vec<Unfired>,
}

impl<'c> Machine<'c> {
    /// The first of some rules that chooses, and why the ones before it do not; nothing if none does.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn decision(
        &mut self,
        explained: &'c Explained,
        rules: &'c [ExplainedChoice],
        depth: usize,
    ) -> Result<Option<Decision>, Stop> {
        let mut passed = Vec::new();
        let mut depth = Depth::new(explained, depth);
        for rule in rules {
            match self.rule(rule, &mut depth)? {
                Ok(chosen) => return Ok(Some(Decision { chosen, passed })),
                Err(unfired) => passed.push(unfired),
            }
        }
        Ok(None)
    }

    /// Why a rule chooses, or what it fails at: of several values of its variables, where it gets farthest.
    fn rule(
        &mut self,
        rule: &'c ExplainedChoice,
        depth: &mut Depth<'c>,
    ) -> Result<Result<Cause, Unfired>, Stop> {
        let row = &rule.told;
        let mut farthest: Option<(usize, Option<Failed>, String, Vec<Traced>)> = None;
        let mut picks = false;
        self.framed(row.locals, |machine| {
            machine.run(&row.bindings, &[], &mut |machine| {
                let (reached, failed) = machine.rule_fails(rule)?;
                picks = failed.is_none();
                let is_farther = farthest
                    .as_ref()
                    .is_none_or(|(farthest, ..)| reached > *farthest);
                if picks || is_farther {
                    let mut traced = Vec::new();
                    let phrases: Vec<_> = match &failed {
                        None => {
                            let fields = rule.fields.iter().map(|(_, _, phrase, _)| phrase);
                            row.phrases.iter().chain(fields).collect()
                        }
                        Some(Failed::Guard(_)) => {
                            rule.guard.iter().map(|(_, _, phrase)| phrase).collect()
                        }
                        Some(_) => {
                            let fields = rule.fields.iter().map(|(_, _, phrase, _)| phrase);
                            row.phrases
                                .iter()
                                .chain(fields)
                                .skip(reached)
                                .take(1)
                                .collect()
                        }
                    };
                    let written = phrases.first().map(|phrase| phrase.written.clone());
                    if matches!(failed, Some(Failed::Guard(_))) {
                        // A guard speaks of no variable of the row.
                        let (locals, phrases) = (rule.guard_locals(), phrases);
                        machine.framed(locals, |machine| {
                            for phrase in phrases {
                                machine.trace(&phrase.mentioned, &mut traced)?;
                            }
                            Ok(())
                        })?;
                    } else {
                        for phrase in phrases {
                            machine.trace(&phrase.mentioned, &mut traced)?;
                        }
                    }
                    farthest = Some((reached, failed, written.unwrap_or_default(), traced));
                }
                Ok(!picks)
            })?;
            Ok(())
        })?;
        let Some((_, failed, written, traced)) = farthest else {
            return Ok(Err(self.empty(row, depth)?));
        };
        let (values, facts) = self.told_of(traced, depth)?;
        Ok(match failed {
            None => Ok(Cause {
                label: row.label.clone(),
                span: row.span,
                written: row.written.clone(),
                values,
                says: None,
                facts,
            }),
            Some(failed) => Err(Unfired {
                label: row.label.clone(),
                span: row.span,
                failed,
                written,
                values,
                facts,
            }),
        })
    }

    /// How many conditions and fields of a rule are as they should be, and what it fails at.
    fn rule_fails(&mut self, rule: &'c ExplainedChoice) -> Result<(usize, Option<Failed>), Stop> {
        let mut reached = 0;
        for condition in &rule.told.conditions {
            if self.evaluate(condition)? == 0 {
                return Ok((reached, Some(Failed::Condition)));
            }
            reached += 1;
        }
        for (name, value, _, optional) in &rule.fields {
            if !optional && self.evaluate(value)? == NONE {
                return Ok((reached, Some(Failed::Field(name.clone()))));
            }
            reached += 1;
        }
        if let Some((guard, locals, _)) = &rule.guard
            && self.framed(*locals, |machine| machine.evaluate(guard))? != 1
        {
            return Ok((reached, Some(Failed::Guard(rule.event))));
        }
        Ok((reached, None))
    }
}

impl ExplainedChoice {
    fn guard_locals(&self) -> usize {
        self.guard.as_ref().map_or(0, |(_, locals, _)| *locals)
    }
}
