//! What may happen: the events of a position, each field going through its values.
//!
//! A row that stands against an event is asked as soon as the fields that it depends on have values, so that what is
//! impossible whatever the other fields are is not gone through. A row that cannot be worked out then, because a row
//! before it would have kept it from being asked, is asked again when all fields have values, in the order of the file.

use std::collections::BTreeSet;

use super::Machine;
use crate::{
    code::{Against, Field, NONE, Objection, Values},
    fault::{Fault, Stop},
};

/// What speaks against an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An `impossible` row fires: its place, and what it says.
    Impossible(usize, String),
    /// A `refuse` fact holds: its name, and what it says if it says something.
    Refused(String, Option<String>),
    /// It may, but an `illegal` fact holds: its name, and what it says if it says something.
    Illegal(String, Option<String>),
}

impl Reason {
    /// What it says; if it says nothing, that the event would be refused.
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

    /// How many words it takes beside itself.
    pub(crate) fn words(&self) -> usize {
        let says = match self {
            Reason::Impossible(_, says)
            | Reason::Refused(_, Some(says))
            | Reason::Illegal(_, Some(says)) => says.len(),
            Reason::Refused(_, None) | Reason::Illegal(_, None) => 0,
        };
        // It is copied for who is told.
        says / 4
    }
}

/// The state of a game, to be returned to.
#[derive(Debug)]
pub(crate) struct Snapshot {
    events: u64,
    restarted: bool,
}

/// How many events of a sort are tried to find out whether any may happen.
const MANY: usize = 1 << 12;

/// How many of them each give a reason why not.
const FEW: usize = 64;

/// What is done with an event that was found; its fields have their values.
pub(super) type Visit<'v, 'c> = &'v mut dyn FnMut(&mut Machine<'c>, usize) -> Result<(), Stop>;

impl<'c> Machine<'c> {
    /// Visits what an event can be with each of its fields going through its values: what may happen, or everything
    /// where `all` says so.
    ///
    /// # Errors
    /// What is wrong with a row, or what the visit says.
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

    /// How many events of a sort may happen; if `keep` says so, the fields of each are put at the end of
    /// [`Machine::found`].
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn find_events(&mut self, event: usize, keep: bool) -> Result<u64, Stop> {
        self.event = event;
        self.forget_fields();
        if let Some(count) = self.searched_lowered(event, keep) {
            return Ok(count);
        }
        let kept = self.found.len();
        self.exactly(|machine| {
            machine.found.truncate(kept);
            let mut count = 0;
            machine.each_event(event, false, &mut |machine, _| {
                count += 1;
                if keep {
                    let fields = machine.fields_in_hand();
                    machine.found.extend_from_slice(&fields);
                }
                machine.fits(machine.found.len())
            })?;
            Ok(count)
        })
    }

    /// Whether so many words may be kept of what was found.
    ///
    /// # Errors
    /// That this is more than an event may make.
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

    /// Visits an event with one of its fields going through its values. The first field leaves out the values that rows
    /// about it alone stand against.
    ///
    /// # Errors
    /// What is wrong with the type of the field, or what the visit says.
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

    /// Gives a field one of its values, by its place among them; says whether it is one.
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

    /// Whether a row stands against an event that can be asked when so many of its fields have values, and not before;
    /// `unsure` where one cannot be worked out.
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

    /// Forgets what was remembered of other values of the fields.
    pub(crate) fn forget_fields(&mut self) {
        let compiled = self.compiled;
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

    /// Whether something stands against the event in hand.
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

    /// Why the event in hand may not happen, by the first row that stands against it.
    ///
    /// # Errors
    /// What is wrong with a row.
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

    /// Why the event in hand is illegal, if it is. It may happen all the same.
    ///
    /// # Errors
    /// What is wrong with a row.
    pub(crate) fn broken(&mut self, event: usize) -> Result<Option<Reason>, Stop> {
        let broken = self.objection(&self.compiled.events[event].illegal)?;
        Ok(broken.map(|(fact, says)| Reason::Illegal(fact, says)))
    }

    /// Why no event of a sort may happen now, whatever its fields are. Nothing if one may, if there are too many to try, or
    /// if it cannot be worked out.
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
        // Whoever does not decide an event may not know of each whether it may happen.
        let is_veiled = definition.offered.is_some();
        let most = if is_veiled { FEW } else { MANY };
        // For coverage, only rows of events that really came may be counted.
        if count > most || !compiled.passed.is_empty() {
            return None;
        }
        let mut may_happen = false;
        if !is_veiled {
            self.forget();
            self.attempt(|machine| {
                machine.each_event(event, false, &mut |_, _| {
                    may_happen = true;
                    Ok(())
                })
            })?;
        }
        let (mut impossible, mut refused) = (BTreeSet::new(), BTreeSet::new());
        if !may_happen && count <= FEW {
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
        // What is refused is nearer to what may happen than what is impossible.
        let reasons = if refused.is_empty() {
            impossible
        } else {
            refused
        };
        let only = reasons.first().filter(|_| reasons.len() == 1);
        Some(only.map_or("no choice of its values is allowed".into(), Clone::clone))
    }

    /// The first of some facts that holds, and what it says if it says something.
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

    /// The fields of the event in hand.
    pub(crate) fn fields_in_hand(&self) -> Vec<i64> {
        let count = self.compiled.events[self.event].fields.len();
        (0..count).map(|field| self.field(field)).collect()
    }

    /// Takes an event in hand.
    pub(crate) fn take_event(&mut self, event: usize, fields: &[i64]) {
        self.event = event;
        for (place, value) in fields.iter().enumerate() {
            self.set_field(place, *value);
        }
    }

    /// Takes an event in hand that was found and kept.
    pub(crate) fn take_found(&mut self, event: usize, kept: std::ops::Range<usize>) {
        self.event = event;
        for (place, at) in kept.enumerate() {
            self.set_field(place, self.found[at]);
        }
    }

    /// Keeps the state of the game; [`Machine::restore`] returns to it. The snapshot that was taken last is given
    /// back first.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let fixed = self.compiled.fixed_words;
        self.images.push(self.memory[..fixed].to_vec());
        Snapshot {
            events: self.events,
            restarted: self.restarted,
        }
    }

    /// Returns to the state of the game that the last snapshot kept, and forgets that.
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
    /// How many values there are; nothing where that is not known, or there is no end of them.
    pub(crate) fn count(&self) -> Option<usize> {
        match self {
            Values::Of(domain) => Some(domain.count),
            Values::Sets(members) => Some(1 << members),
            Values::Paths | Values::Endless => None,
        }
    }

    /// Whether they can be gone through.
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
