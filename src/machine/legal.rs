//! The possible events of a state: each field ranges over its values.
//!
//! A row against an event is evaluated as soon as the fields that it depends on have values, so that a search skips
//! everything that is impossible whatever the other fields are. A row that cannot be evaluated then, because an earlier
//! row would have prevented that, is evaluated again when all fields have values, in the order of the file.

use std::collections::BTreeSet;

use super::Machine;
use crate::{
    code::{Against, Field, NONE, Objection, Values},
    fault::{Fault, Stop},
};

/// A reason against an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An `impossible` row fires: its index, and its text.
    Impossible(usize, String),
    /// A `refuse` fact holds: its name, and its text if it has one.
    Refused(String, Option<String>),
    /// The event is possible, but an `illegal` fact holds: its name, and its text if it has one.
    Illegal(String, Option<String>),
}

impl Reason {
    /// Its text, or else that the event would be refused.
    fn says(self) -> String {
        match self {
            Reason::Impossible(_, says)
            | Reason::Refused(_, Some(says))
            | Reason::Illegal(_, Some(says)) => says,
            Reason::Refused(fact, None) | Reason::Illegal(fact, None) => {
                format!("it would be refused ({fact})")
            }
        }
    }

    /// Its size in words, without the enum itself.
    pub(crate) fn words(&self) -> usize {
        let says = match self {
            Reason::Impossible(_, says)
            | Reason::Refused(_, Some(says))
            | Reason::Illegal(_, Some(says)) => says.len(),
            Reason::Refused(_, None) | Reason::Illegal(_, None) => 0,
        };
        // The text is copied for the caller.
        says / 4
    }
}

/// A state of the game to return to.
#[derive(Debug)]
pub(crate) struct Snapshot {
    events: u64,
    restarted: bool,
}

/// At most this many events are tried to find out whether any is possible.
const MANY: usize = 1 << 12;

/// At most this many of them give a reason why not.
const FEW: usize = 64;

/// Called with an event that was found; its fields are set.
pub(super) type Visit<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>, usize) -> Result<(), Stop>;

impl<'c> Machine<'c> {
    /// Visits the possible events of one kind, or with `all` every one, with each field ranging over its values.
    ///
    /// # Errors
    /// A row that cannot be evaluated, or the error of a visit.
    pub(crate) fn each_event(
        &mut self,
        event: usize,
        all: bool,
        visit: Visit<'_, 'c>,
    ) -> Result<(), Stop> {
        self.event = event;
        self.forget_fields();
        self.mark_search();
        self.search(all, event, 0, false, visit)
    }

    /// The number of possible events of one kind. With `keep`, appends the fields of each to [`Machine::found`].
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn find_events(&mut self, event: usize, keep: bool) -> Result<u64, Stop> {
        self.event = event;
        self.forget_fields();
        if let Some(count) = self.search_lowered(event, keep) {
            return Ok(count);
        }
        let kept = self.found.len();
        self.exactly(|machine| {
            machine.found.truncate(kept);
            let mut count = 0;
            machine.each_event(event, false, &mut |machine, _| {
                count += 1;
                if keep {
                    let fields = machine.current_fields();
                    machine.found.extend_from_slice(&fields);
                }
                machine.fits(machine.found.len())
            })?;
            Ok(count)
        })
    }

    /// Checks that `words` words of results may be kept.
    ///
    /// # Errors
    /// That is more than an event may allocate.
    pub(crate) fn fits(&self, words: usize) -> Result<(), Stop> {
        if words > self.compiled.limits.words_of_event() {
            return Err(Box::new(Fault::Memory));
        }
        Ok(())
    }

    pub(super) fn search(
        &mut self,
        all: bool,
        event: usize,
        level: usize,
        mut unsure: bool,
        visit: Visit<'_, 'c>,
    ) -> Result<(), Stop> {
        let compiled = self.compiled;
        if !all && self.any_stands(event, level, &mut unsure)? {
            return Ok(());
        }
        let Some(field) = compiled.events[event].fields.get(level) else {
            if unsure && self.reason(event)?.is_some() {
                return Ok(());
            }
            return visit(self, event);
        };
        if let Some(path) = &field.path {
            return self.search_paths(all, (event, level), field, path, unsure, visit);
        }
        let count = field.values.count().unwrap_or(0);
        for index in 0..count {
            if self.set_to(level, field, index)? {
                self.collect_if_due();
                self.search(all, event, level + 1, unsure, visit)?;
            }
        }
        Ok(())
    }

    /// Visits an event with one of its fields ranging over its values. The first field skips values that rows about it
    /// alone rule out.
    ///
    /// # Errors
    /// The type of the field cannot be evaluated, or the error of a visit.
    pub(super) fn each_value_of(
        &mut self,
        event: usize,
        field: usize,
        visit: Visit<'_, 'c>,
    ) -> Result<(), Stop> {
        self.event = event;
        self.forget_fields();
        let definition = &self.compiled.events[event].fields[field];
        for index in 0..definition.values.count().unwrap_or(0) {
            if !self.set_to(field, definition, index)? {
                continue;
            }
            if field == 0 && self.any_stands(event, 1, &mut false)? {
                continue;
            }
            visit(self, event)?;
        }
        Ok(())
    }

    /// Sets a field to one of its values by index; returns whether it is a value.
    fn set_to(&mut self, level: usize, field: &'c Field, index: usize) -> Result<bool, Stop> {
        let value = field.values.value(index);
        if field
            .partial
            .is_some_and(|partial| value != NONE && !self.is_value(partial, value))
        {
            return Ok(false);
        }
        if let Some(check) = &field.check
            && self.outside(value, check)?.is_some()
        {
            return Ok(false);
        }
        self.charge_one()?;
        self.set_field(level, value);
        self.forget_fields();
        Ok(true)
    }

    /// Whether a row rules out the event that can be evaluated now that `level` fields have values, and not before;
    /// sets `unsure` if one fails.
    fn any_stands(&mut self, event: usize, level: usize, unsure: &mut bool) -> Result<bool, Stop> {
        for against in self.compiled.legality().against(event, level) {
            match self.stands(event, *against) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(stop) if matches!(*stop, Fault::Rules { .. }) => *unsure = true,
                Err(stop) => return Err(stop),
            }
        }
        Ok(false)
    }

    /// Drops what was cached for other values of the fields.
    pub(crate) fn forget_fields(&mut self) {
        let compiled = self.compiled;
        if compiled.forgetful {
            self.epoch += 1;
            return;
        }
        for fact in compiled.legality().unsteady(self.event) {
            self.facts[*fact].epoch = 0;
            if let Some(table) = &compiled.facts[*fact].table {
                let count: usize = table.domains.iter().map(|domain| domain.count).product();
                for memo in &mut self.table[table.start..table.start + count] {
                    memo.epoch = 0;
                }
            }
        }
        for memo in &mut self.new {
            memo.epoch = 0;
        }
    }

    /// Whether an objection to the current event holds.
    fn stands(&mut self, event: usize, against: Against) -> Result<bool, Stop> {
        let compiled = self.compiled;
        let (base, frame_top) = (self.base, self.frame_top);
        let result = match against {
            Against::Impossible(place) => {
                let event = &compiled.events[event];
                let row = &event.impossible[place].row;
                self.framed(event.impossible_locals, |machine| {
                    let mut fires = false;
                    machine.run(&row.bindings, &row.conditions, &mut |_| {
                        fires = true;
                        Ok(false)
                    })?;
                    Ok(fires)
                })
            }
            Against::Refuse(place) => self
                .evaluate(&compiled.events[event].refuse[place].fires)
                .map(|fires| fires == 1),
        };
        self.base = base;
        self.frame_top = frame_top;
        result
    }

    /// Why the current event is not possible, by the first row against it.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn reason(&mut self, event: usize) -> Result<Option<Reason>, Stop> {
        let (base, frame_top) = (self.base, self.frame_top);
        let impossible = self.impossible();
        self.base = base;
        self.frame_top = frame_top;
        if let Err(stop) = impossible {
            return match *stop {
                Fault::Impossible { row, text, .. } => Ok(Some(Reason::Impossible(row, text))),
                other => Err(Box::new(other)),
            };
        }
        let refused = self.objection(&self.compiled.events[event].refuse)?;
        Ok(refused.map(|(fact, says)| Reason::Refused(fact, says)))
    }

    /// Why the current event is illegal, if it is. It is possible all the same.
    ///
    /// # Errors
    /// A row that cannot be evaluated.
    pub(crate) fn broken(&mut self, event: usize) -> Result<Option<Reason>, Stop> {
        let broken = self.objection(&self.compiled.events[event].illegal)?;
        Ok(broken.map(|(fact, says)| Reason::Illegal(fact, says)))
    }

    /// The first line that the report of a refused event would say.
    fn refusal_reported(&mut self, event: usize) -> Result<Option<String>, Stop> {
        let compiled = self.compiled;
        let event = &compiled.events[event];
        let (base, frame_top) = (self.base, self.frame_top);
        let mut said = None;
        for row in &event.refused {
            let ran = self.framed(event.refused_locals, |machine| {
                machine.run(&row.bindings, &row.conditions, &mut |machine| {
                    let text = machine.rendered(&row.text)?;
                    let line = text.lines().find(|line| !line.trim().is_empty());
                    said = line.map(|line| line.trim().to_string());
                    Ok(said.is_none())
                })
            });
            self.base = base;
            self.frame_top = frame_top;
            ran?;
            if said.is_some() {
                break;
            }
        }
        Ok(said)
    }

    /// Why no event of a kind is possible now, whatever its fields. Nothing if one is, if there are too many to try, or
    /// if one cannot be evaluated.
    pub(crate) fn barred(&mut self, event: usize) -> Option<String> {
        let compiled = self.compiled;
        let definition = &compiled.events[event];
        let mut count: usize = 1;
        for field in &definition.fields {
            let Values::Of(domain) = &field.values else {
                return None;
            };
            count = count.saturating_mul(domain.count);
        }
        // A viewer who does not decide the event may not learn which events are possible.
        let is_veiled = definition.offered.is_some();
        let most = if is_veiled { FEW } else { MANY };
        // Coverage counts only events that really happened, so nothing may be tried.
        if count > most || !compiled.passed.is_empty() {
            return None;
        }
        if !is_veiled {
            self.forget();
            // The first that is possible ends the search.
            self.attempt(|machine| {
                machine.each_event(event, false, &mut |_, _| Err(Box::new(Fault::Reached)))
            })?;
        }
        let (mut impossible, mut refused) = (BTreeSet::new(), BTreeSet::new());
        let mut reported = BTreeSet::new();
        let mut may_happen = false;
        if count <= FEW {
            self.forget();
            self.attempt(|machine| {
                machine.each_event(event, true, &mut |machine, event| {
                    let reason = machine.reason(event)?;
                    match reason.filter(|_| machine.is_offered(event)) {
                        None => may_happen = true,
                        Some(reason @ Reason::Impossible(..)) => {
                            impossible.insert(reason.says());
                        }
                        Some(reason) => {
                            if let Reason::Refused(_, None) = reason {
                                reported.extend(machine.refusal_reported(event)?);
                            }
                            refused.insert(reason.says());
                        }
                    }
                    Ok(())
                })
            })?;
        }
        if may_happen {
            return None;
        }
        // A refused event is closer to a possible one than an impossible event is.
        let reasons = if refused.is_empty() {
            impossible
        } else {
            refused
        };
        let mut only = reasons.first().filter(|_| reasons.len() == 1);
        // What the report of the refusal says tells more than the name of the fact, unless it differs for each value.
        if only.is_some() && reported.len() == 1 {
            only = reported.first();
        }
        Some(only.map_or("no choice of its values is allowed".into(), Clone::clone))
    }

    /// The first of some facts that holds, and its text if it has one.
    fn objection(
        &mut self,
        facts: &'c [Objection],
    ) -> Result<Option<(String, Option<String>)>, Stop> {
        for Objection { name, fires, text } in facts {
            if self.evaluate(fires)? == 1 {
                let says = match text {
                    None => None,
                    Some(text) => {
                        let text = self.evaluate(text)?;
                        Some(String::from_utf8_lossy(self.texts.get(text)).into_owned())
                    }
                };
                return Ok(Some((name.clone(), says)));
            }
        }
        Ok(None)
    }

    /// The fields of the current event.
    pub(crate) fn current_fields(&self) -> Vec<i64> {
        let count = self.compiled.events[self.event].fields.len();
        (0..count).map(|field| self.field(field)).collect()
    }

    /// Makes an event the current one.
    pub(crate) fn take_event(&mut self, event: usize, fields: &[i64]) {
        self.event = event;
        for (place, value) in fields.iter().enumerate() {
            self.set_field(place, *value);
        }
    }

    /// Makes an event that a search kept the current one.
    pub(crate) fn take_found(&mut self, event: usize, kept: std::ops::Range<usize>) {
        self.event = event;
        for (place, at) in kept.enumerate() {
            self.set_field(place, self.found[at]);
        }
    }

    /// Saves the state of the game; [`Machine::restore`] returns to it. Snapshots are restored in reverse order.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let fixed = self.compiled.fixed_words;
        self.images.push(self.memory[..fixed].to_vec());
        Snapshot {
            events: self.events,
            restarted: self.restarted,
        }
    }

    /// Restores the state that the last snapshot saved, and drops it.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) {
        if let Some(image) = self.images.pop() {
            self.memory[..image.len()].copy_from_slice(&image);
        }
        self.events = snapshot.events;
        self.restarted = snapshot.restarted;
        self.forget();
    }
}

impl Values {
    /// How many values there are; nothing if that is unknown or unbounded.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Values::Of(domain) => Some(domain.count),
            Values::Sets(members) => Some(1 << members),
            Values::Paths | Values::Endless => None,
        }
    }

    /// Whether they can be enumerated.
    pub(crate) fn end(&self) -> bool {
        !matches!(self, Values::Endless)
    }

    fn value(&self, index: usize) -> i64 {
        match self {
            Values::Of(domain) => domain.value(index),
            _ => i64::try_from(index).unwrap_or(0),
        }
    }
}
