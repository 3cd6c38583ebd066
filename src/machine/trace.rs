//! What an event does, as data: found out beforehand and beside the run, which goes on as if nothing had been asked.

mod rows;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use super::{FUEL_OF_EVENT, Machine, memory::at};
use crate::{
    code::{
        NONE, Shape, Typed, TypedEntries, Written,
        explain::{Explained, ExplainedChange, ExplainedTable},
    },
    fault::Stop,
    source::{Sources, Span},
    stream::{Change, Entries, Event, Fact, How, Part, Parts, Row, RowPlace, Said, Value},
};

/// What tracing needs besides the machine.
pub(crate) struct Tracer<'c> {
    pub(crate) explained: &'c Explained,
    sources: &'c Sources,
    /// The rows whose places were looked up.
    rows: BTreeMap<Span, Arc<RowPlace>>,
    /// Those of them that have not been passed on yet.
    pub(crate) new_rows: Vec<Arc<RowPlace>>,
    /// Whether rows that do not fire tell the facts that they ask for, too, and states that do not change the rows by
    /// which they stay as they are.
    thorough: bool,
    left_out: Parts,
    /// Facts that were asked for, with what they were asked of and their values.
    asked: VecDeque<(usize, Vec<i64>, Fact, i64)>,
    /// Those that were asked for of something, and for each fact whether it was asked for of nothing.
    known: BTreeSet<(usize, Vec<Value>)>,
    known_alone: Vec<bool>,
}

impl<'c> Tracer<'c> {
    pub(crate) fn new(
        explained: &'c Explained,
        sources: &'c Sources,
        thorough: bool,
    ) -> Tracer<'c> {
        Tracer {
            explained,
            sources,
            rows: BTreeMap::new(),
            new_rows: Vec::new(),
            thorough,
            left_out: Parts::default(),
            asked: VecDeque::new(),
            known: BTreeSet::new(),
            known_alone: vec![false; explained.facts.len()],
        }
    }

    /// The same, which leaves out some parts of events.
    pub(crate) fn without(mut self, parts: Parts) -> Tracer<'c> {
        self.left_out = parts;
        self
    }

    /// Whether a part of events is told.
    fn tells(&self, part: Part) -> bool {
        !self.left_out.contain(part)
    }

    /// A row at a place.
    pub(crate) fn row(&mut self, name: Option<&str>, span: Span) -> Row {
        let place = self.rows.get(&span).cloned().unwrap_or_else(|| {
            let number = self.rows.len();
            let place = Arc::new(RowPlace::new(number, name, span, self.sources));
            self.rows.insert(span, place.clone());
            self.new_rows.push(place.clone());
            place
        });
        Row {
            place,
            says: None,
            uses: Vec::new(),
            when: Vec::new(),
        }
    }
}

impl<'c> Machine<'c> {
    /// Does something that may fail, and changes nothing if it does.
    pub(super) fn attempt<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Option<T> {
        let (base, frame_top, said) = (self.base, self.frame_top, self.out.len());
        let result = body(self).ok();
        if result.is_none() {
            (self.base, self.frame_top) = (base, frame_top);
            self.out.truncate(said);
            // No more can be done once all work is spent.
            self.fuel = self.fuel.max(1);
        }
        result
    }

    /// Puts into `told` what the event in hand does in the state before it. What cannot be worked out is left out: the
    /// run stops there by itself, if it gets there.
    pub(crate) fn tell_event(&mut self, tracer: &mut Tracer<'c>, told: &mut Event) {
        let (top, fuel, logs) = (self.top, self.fuel, self.logs());
        self.fuel = FUEL_OF_EVENT;
        self.epoch += 1;
        self.trace_event(tracer, told);
        self.facts_asked(tracer, told);
        // What was worked out is forgotten, so that the run does it at its own cost.
        self.epoch += 1;
        self.cut(&logs);
        (self.top, self.fuel) = (top, fuel);
    }

    fn trace_event(&mut self, tracer: &mut Tracer<'c>, told: &mut Event) {
        let explained: &'c Explained = tracer.explained;
        let event = &explained.events[self.event];
        for (field, ((name, ..), typed)) in event.fields.iter().zip(&event.data).enumerate() {
            let value = self.field(field);
            if let Some(value) = self.attempt(|machine| machine.typed(value, typed)) {
                told.fields.0.push((name.clone(), value));
            }
        }
        let mut said = Vec::new();
        self.lines_told(&event.impossible, tracer, &mut said);
        if let Some(said) = said.pop() {
            told.impossible = Some(said);
            return;
        }
        for fact in &event.illegal {
            if self.told_if_it_holds(*fact, tracer) {
                told.illegal.push(explained.facts[*fact].name.clone());
            }
        }
        for fact in &event.refuse {
            if self.told_if_it_holds(*fact, tracer) {
                told.refused = Some(explained.facts[*fact].name.clone());
                if tracer.tells(Part::Said) {
                    self.lines_told(&event.refused, tracer, &mut told.said);
                }
                return;
            }
        }
        if let Some(over) = event.over
            && tracer.tells(Part::Facts)
        {
            self.told_if_it_holds(over, tracer);
        }
        if tracer.tells(Part::Said) {
            self.lines_told(&event.report, tracer, &mut told.said);
        }
        // A start changes nothing: it makes the first state.
        if self.event == 0 || !tracer.tells(Part::Changes) {
            return;
        }
        let compiled = self.compiled;
        for state in &compiled.events[self.event].changes {
            let change = event.changes.iter().find(|change| change.state == *state);
            self.state_change(*state as usize, change, tracer, &mut told.changes);
        }
    }

    /// Whether a fact holds that is asked for in every event of its kind; if it does, it is told.
    fn told_if_it_holds(&mut self, fact: usize, tracer: &mut Tracer<'c>) -> bool {
        let explained: &'c Explained = tracer.explained;
        let value = self.attempt(|machine| machine.evaluate(&explained.facts[fact].value));
        let value = value.unwrap_or(NONE);
        let holds = value != 0 && value != NONE;
        if (holds || tracer.thorough) && tracer.tells(Part::Facts) {
            self.ask(fact, Vec::new(), value, tracer);
        }
        holds
    }

    /// What some rows say, in order.
    fn lines_told(
        &mut self,
        table: &'c ExplainedTable,
        tracer: &mut Tracer<'c>,
        said: &mut Vec<Said>,
    ) {
        let (attempts, _) = self.told_journal(table, &[]);
        for attempt in &attempts {
            let Some(text) = attempt.value else {
                self.ask_anyway(attempt, tracer);
                continue;
            };
            said.push(Said {
                text: self.rendered_value(text, &Written::Text),
                inline: table.rows[attempt.row].inline,
                row: self.row_that_fires(table, attempt, true, tracer),
            });
        }
    }

    /// What becomes of a state in the event in hand.
    fn state_change(
        &mut self,
        index: usize,
        change: Option<&'c ExplainedChange>,
        tracer: &mut Tracer<'c>,
        changes: &mut Vec<Change>,
    ) {
        let compiled = self.compiled;
        let explained: &'c Explained = tracer.explained;
        let (state, typed) = (&compiled.states[index], &explained.states[index]);
        let old = self.read(state.offset, 0, state.slot);
        if self.new[index].epoch != self.epoch {
            // Where that fails, the exact function says what is wrong.
            self.change_lowered(index);
        }
        let Some(new) = self.attempt(|machine| machine.new_value(index)) else {
            return;
        };
        let is_map = matches!(typed.whole, Typed::Entries(_));
        // Why something does not change may be of interest, too.
        if self.same(old, new, &state.shape) && (is_map || !tracer.thorough) {
            return;
        }
        if let Typed::Entries(entries) = &typed.whole {
            return self.entry_changes(index, (old, new), entries, change, tracer, changes);
        }
        let rows = self.rows_of_change(change, new, &[], tracer);
        let told = self.attempt(|machine| {
            Ok(Change {
                state: typed.name.clone(),
                at: Vec::new(),
                how: machine.how((old, new), &state.shape, &typed.whole, tracer)?,
                rows,
            })
        });
        changes.extend(told);
    }

    fn entry_changes(
        &mut self,
        index: usize,
        (old, new): (i64, i64),
        entries: &'c TypedEntries,
        change: Option<&'c ExplainedChange>,
        tracer: &mut Tracer<'c>,
        changes: &mut Vec<Change>,
    ) {
        let compiled = self.compiled;
        let Shape::Map { entry: shape, .. } = &compiled.states[index].shape else {
            return;
        };
        let name = &tracer.explained.states[index].name;
        let by_entry = change
            .and_then(|change| change.entries.as_ref())
            .is_some_and(|entries| entries.parameters.is_some());
        for place in 0..entries.domain.count {
            let before = self.read(at(old), place, entries.slot);
            let after = self.read(at(new), place, entries.slot);
            if self.same(before, after, shape) {
                continue;
            }
            let rows = if by_entry {
                let key = key_values(entries, place);
                self.rows_of_change(change, after, &key, tracer)
            } else {
                self.rows_of_change(change, new, &[], tracer)
            };
            let told = self.attempt(|machine| {
                Ok(Change {
                    state: name.clone(),
                    at: machine.key_parts(entries, place)?,
                    how: machine.how((before, after), shape, &entries.entry, tracer)?,
                    rows,
                })
            });
            changes.extend(told);
        }
    }

    /// How a value became another.
    fn how(
        &mut self,
        (old, new): (i64, i64),
        shape: &Shape,
        typed: &'c Typed,
        tracer: &Tracer<'c>,
    ) -> Result<How, Stop> {
        if !tracer.tells(Part::Values) {
            let (from, to) = (Value::None, Value::None);
            return Ok(How::Became { from, to });
        }
        if let (Shape::Hashed { hashed }, Typed::List { element, .. }) = (shape, typed)
            && old != NONE
            && new != NONE
        {
            let mut more_than = |set, other| -> Result<Vec<Value>, Stop> {
                let members = self.more_than(set, other, *hashed)?;
                let mut members = self.typed_members(&members, element)?;
                members.sort();
                Ok(members)
            };
            return Ok(How::Members {
                added: more_than(new, old)?,
                removed: more_than(old, new)?,
            });
        }
        let (from, to) = (self.typed(old, typed)?, self.typed(new, typed)?);
        Ok(How::Became { from, to })
    }

    fn rows_of_change(
        &mut self,
        change: Option<&'c ExplainedChange>,
        value: i64,
        arguments: &[i64],
        tracer: &mut Tracer<'c>,
    ) -> Vec<Row> {
        let Some(change) = change else {
            return Vec::new();
        };
        let explained: &'c Explained = tracer.explained;
        match self.attempt(|machine| machine.begins_again(explained, change)) {
            Some(Some(fact)) => {
                let table = &explained.facts[fact].table;
                self.rows_that_fired(table, 1, &[], tracer)
            }
            _ => self.rows_that_fired(&change.table, value, arguments, tracer),
        }
    }

    /// Whether the last event began the game again.
    pub(crate) fn began_again(&self) -> bool {
        self.restarted
    }

    /// All state, as data, if that is told.
    pub(crate) fn state_now(&mut self, tracer: &Tracer<'c>) -> Option<Entries> {
        if !tracer.tells(Part::State) {
            return None;
        }
        let (top, fuel) = (self.top, self.fuel);
        self.fuel = FUEL_OF_EVENT;
        let state = self.state_data(&tracer.explained.states);
        (self.top, self.fuel) = (top, fuel);
        Some(state)
    }
}

/// The values that make the key with an index.
fn key_values(entries: &TypedEntries, index: usize) -> Vec<i64> {
    let mut rest = index;
    let mut values = Vec::new();
    for (domain, _) in entries.parameters.iter().rev() {
        let count = domain.count.max(1);
        values.push(domain.value(rest % count));
        rest /= count;
    }
    values.reverse();
    values
}
