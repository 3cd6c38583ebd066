//! Why something did not happen that is asked for by its name.

use super::{Cause, Depth, Failed, Machine, Named, Unfired, changes::parts_of};
use crate::{
    code::{
        NONE, Told,
        explain::{Combined, Explained, ExplainedChange},
    },
    fault::Stop,
};

/// How many keys of a map are looked at.
const MOST_KEYS: usize = 1 << 12;

/// Why something happened, or did not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// Whether it did.
    pub(crate) happened: bool,
    /// Its value, where it has one that can be written in a line.
    pub(crate) value: Option<String>,
    /// The rows that made it so.
    pub(crate) causes: Vec<Cause>,
    /// The rows that could have made it so.
    pub(crate) unfired: Vec<Unfired>,
}

impl<'c> Machine<'c> {
    /// Why something happens in the event in hand, or why not.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn asked(
        &mut self,
        explained: &'c Explained,
        named: Named,
        depth: usize,
    ) -> Result<Asked, Stop> {
        let happened = self.happens(explained, named)?;
        let mut depth = Depth::new(explained, depth);
        let depth = &mut depth;
        let event = &explained.events[self.event];
        let mut asked = Asked {
            happened,
            value: None,
            causes: Vec::new(),
            unfired: Vec::new(),
        };
        let row = match named {
            Named::Fact(fact, None) => {
                let definition = &explained.facts[fact];
                if let Some(text) = &definition.text {
                    asked.value = Some(self.rendered(text)?);
                }
                if happened {
                    asked.causes = self.causes_of(fact, &[], depth)?;
                } else {
                    asked.unfired = self.all_unfired(&definition.rows, definition.how, depth)?;
                }
                return Ok(asked);
            }
            Named::Change(place, None) => {
                let change = &event.changes[place];
                if happened {
                    let mut explanation = super::Explanation::default();
                    self.changed(change, depth, &mut explanation)?;
                    for effect in explanation.effects {
                        if let super::Effect::Changed { causes, .. } = effect {
                            asked.causes.extend(causes);
                        }
                    }
                } else {
                    let keys = keys_of(change);
                    for row in &change.rows {
                        asked.unfired.push(self.unfired(row, &keys, None, depth)?);
                    }
                }
                return Ok(asked);
            }
            Named::Fact(fact, Some(row)) => {
                let definition = &explained.facts[fact];
                if !happened {
                    let before = self.before(&definition.rows, row, definition.how)?;
                    let row = &definition.rows[row];
                    asked
                        .unfired
                        .push(self.unfired(row, &[Vec::new()], before, depth)?);
                    return Ok(asked);
                }
                &definition.rows[row]
            }
            Named::Change(place, Some(row)) => {
                let change = &event.changes[place];
                let row = &change.rows[row];
                for key in keys_of(change) {
                    let cause = self.cause(row, &key, depth, &mut |_| Ok(true))?;
                    asked.causes.extend(cause);
                }
                if !happened {
                    asked
                        .unfired
                        .push(self.unfired(row, &keys_of(change), None, depth)?);
                }
                return Ok(asked);
            }
            Named::Said(row) => &event.report[row],
            Named::Impossible(row) => &event.impossible[row],
            Named::Refused(row) => &event.refused[row],
        };
        if happened {
            asked
                .causes
                .extend(self.cause(row, &[], depth, &mut |_| Ok(true))?);
        } else {
            asked
                .unfired
                .push(self.unfired(row, &[Vec::new()], None, depth)?);
        }
        Ok(asked)
    }

    /// Whether something happens in the event in hand.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn happens(&mut self, explained: &'c Explained, named: Named) -> Result<bool, Stop> {
        let event = &explained.events[self.event];
        match named {
            Named::Fact(fact, None) => {
                let holds = self.holds(explained, fact)?;
                let definition = &explained.facts[fact];
                let value = self.evaluate(&definition.value)?;
                Ok(holds && !self.is_empty(value, &definition.shape)?)
            }
            Named::Fact(fact, Some(row)) => {
                let definition = &explained.facts[fact];
                let value = self.evaluate(&definition.value)?;
                let how = definition.how;
                if self.before(&definition.rows, row, how)?.is_some() {
                    return Ok(false);
                }
                let row = &definition.rows[row];
                self.fires(row, &[], &mut |machine| machine.gave(row, how, value))
            }
            Named::Change(place, None) => {
                let change = &event.changes[place];
                let old = self.evaluate(&change.old)?;
                let new = self.new_value(change.state as usize)?;
                Ok(!self.same(old, new, &change.shape))
            }
            Named::Change(place, Some(row)) => {
                let change = &event.changes[place];
                for key in keys_of(change) {
                    if self.fires(&change.rows[row], &key, &mut |_| Ok(true))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Named::Said(row) => self.fires(&event.report[row], &[], &mut |_| Ok(true)),
            Named::Impossible(row) => self.fires(&event.impossible[row], &[], &mut |_| Ok(true)),
            Named::Refused(row) => self.fires(&event.refused[row], &[], &mut |_| Ok(true)),
        }
    }

    pub(super) fn is_empty(
        &mut self,
        value: i64,
        shape: &crate::code::Shape,
    ) -> Result<bool, Stop> {
        use crate::code::Shape;
        if let Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } = shape {
            return Ok(false);
        }
        self.each_member(value, shape, &mut |_, _| Ok(false))
    }

    fn fires(
        &mut self,
        row: &'c Told,
        arguments: &[i64],
        wanted: &mut dyn FnMut(&mut Self) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let mut fires = false;
        self.with_arguments(row.locals, arguments, |machine| {
            machine.run(&row.bindings, &row.conditions, &mut |machine| {
                fires = wanted(machine)?;
                Ok(!fires)
            })
        })?;
        Ok(fires)
    }

    /// Where the first row counts: the label of one before this row that fires.
    fn before(
        &mut self,
        rows: &'c [Told],
        row: usize,
        how: Combined,
    ) -> Result<Option<String>, Stop> {
        if how != Combined::First {
            return Ok(None);
        }
        for earlier in &rows[..row] {
            if self.fires(earlier, &[], &mut |machine| {
                Ok(machine.evaluate(&earlier.value)? != NONE)
            })? {
                return Ok(Some(earlier.label.clone().unwrap_or_default()));
            }
        }
        Ok(None)
    }

    fn all_unfired(
        &mut self,
        rows: &'c [Told],
        how: Combined,
        depth: &mut Depth<'c>,
    ) -> Result<Vec<Unfired>, Stop> {
        let mut all = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let before = self.before(rows, place, how)?;
            all.push(self.unfired(row, &[Vec::new()], before, depth)?);
        }
        Ok(all)
    }

    /// What a row fails at, for one of some lists of arguments: where it gets farthest.
    fn unfired(
        &mut self,
        row: &'c Told,
        keys: &[Vec<i64>],
        before: Option<String>,
        depth: &mut Depth<'c>,
    ) -> Result<Unfired, Stop> {
        let mut farthest = None;
        for key in keys {
            self.with_arguments(row.locals, key, |machine| {
                machine.run(&row.bindings, &[], &mut |machine| {
                    let mut reached = 0;
                    for condition in &row.conditions {
                        if machine.evaluate(condition)? == 0 {
                            break;
                        }
                        reached += 1;
                    }
                    if farthest
                        .as_ref()
                        .is_none_or(|(farthest, _)| reached > *farthest)
                    {
                        let mut traced = Vec::new();
                        let phrase = row.phrases.get(reached).or(row.gives.as_ref());
                        if let Some(phrase) = phrase {
                            machine.trace(&phrase.mentioned, &mut traced)?;
                        }
                        farthest = Some((reached, traced));
                    }
                    Ok(true)
                })
            })?;
        }
        let Some((reached, traced)) = farthest else {
            return self.empty(row, depth);
        };
        let (values, facts) = self.told_of(traced, depth)?;
        let (failed, phrase) = match (row.phrases.get(reached), before) {
            (Some(phrase), _) => (Failed::Condition, Some(phrase)),
            (None, Some(label)) => (Failed::Earlier(label), None),
            (None, None) => (Failed::Value, row.gives.as_ref()),
        };
        Ok(Unfired {
            label: row.label.clone(),
            span: row.span,
            failed,
            written: phrase.map_or(String::new(), |phrase| phrase.written.clone()),
            values,
            facts,
        })
    }

    /// That there is nothing for a row's variables to go through.
    pub(super) fn empty(&mut self, row: &'c Told, depth: &mut Depth<'c>) -> Result<Unfired, Stop> {
        let mut traced = Vec::new();
        let range = row.ranges.first();
        if let Some(range) = range {
            self.framed(row.locals, |machine| {
                machine.trace(&range.mentioned, &mut traced)
            })?;
        }
        let (values, facts) = self.told_of(traced, depth)?;
        Ok(Unfired {
            label: row.label.clone(),
            span: row.span,
            failed: Failed::Empty,
            written: range.map_or(String::new(), |range| range.written.clone()),
            values,
            facts,
        })
    }
}

/// The keys for which the rows of a change are asked, as their arguments.
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
