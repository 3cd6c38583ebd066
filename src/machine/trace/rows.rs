//! The rows that fired, and what they ask for.

use super::Tracer;
use crate::{
    code::{
        Typed,
        explain::{Explained, ExplainedTable, Mentioned},
    },
    machine::{
        Machine,
        journal::{Attempt, Note},
    },
    stream::{Ask, Event, Fact, Part, Row, Value},
};

impl<'c> Machine<'c> {
    /// What became of the rows of a table, as far as it can be evaluated.
    pub(super) fn told_journal(
        &mut self,
        table: &'c ExplainedTable,
        arguments: &[i64],
    ) -> (Vec<Attempt>, Option<i64>) {
        let (base, frame_top, said) = (self.base, self.frame_top, self.out.len());
        let (attempts, result) = self.journal_of(table, arguments, false);
        if result.is_err() {
            (self.base, self.frame_top) = (base, frame_top);
            self.out.truncate(said);
            self.fuel = self.fuel.max(1);
        }
        (attempts, result.ok())
    }

    /// The rows that gave a value, each once.
    pub(super) fn rows_that_fired(
        &mut self,
        table: &'c ExplainedTable,
        value: i64,
        arguments: &[i64],
        tracer: &mut Tracer<'c>,
    ) -> Vec<Row> {
        let (attempts, _) = self.told_journal(table, arguments);
        let gave = self.attempt(|machine| machine.gave_value(table, &attempts, value));
        let gave = gave.unwrap_or_default();
        let mut fired: Vec<Row> = Vec::new();
        let mut last = None;
        for (place, attempt) in attempts.iter().enumerate() {
            if !gave.contains(&place) {
                self.ask_anyway(attempt, tracer);
            } else if last.replace(attempt.row) != Some(attempt.row) {
                let says = tracer.tells(Part::Facts);
                fired.push(self.row_that_fires(table, attempt, says, tracer));
            }
        }
        fired
    }

    /// A row that fires, with its sentence where `says`, and what it asks.
    pub(super) fn row_that_fires(
        &mut self,
        table: &'c ExplainedTable,
        attempt: &Attempt,
        says: bool,
        tracer: &mut Tracer<'c>,
    ) -> Row {
        let told = &table.rows[attempt.row];
        let mut row = tracer.row(told.label.as_deref(), told.span);
        if let Some(says) = told.says.as_ref().filter(|_| says) {
            row.says = self.attempt(|machine| {
                machine.framed(table.locals, |machine| {
                    for (local, value) in (0..).zip(&attempt.locals) {
                        machine.set_local(local, *value);
                    }
                    machine.rendered(says)
                })
            });
        }
        for note in attempt.in_value() {
            let ask = self.asked_now(note, tracer);
            row.uses.extend(ask.filter(|ask| !row.uses.contains(ask)));
        }
        for note in attempt.in_conditions() {
            let ask = self.asked_now(note, tracer);
            row.when.extend(ask.filter(|ask| !row.when.contains(ask)));
        }
        row
    }

    /// Where rows that do not fire are of interest: the facts that one asks for.
    pub(super) fn ask_anyway(&mut self, attempt: &Attempt, tracer: &mut Tracer<'c>) {
        if tracer.thorough {
            for note in &attempt.notes {
                self.asked_now(note, tracer);
            }
        }
    }

    /// What is asked, if it is a fact or a state.
    fn asked_now(&mut self, note: &Note, tracer: &mut Tracer<'c>) -> Option<Ask> {
        let explained: &'c Explained = tracer.explained;
        match explained.mentions[note.mention].what {
            Mentioned::Other => None,
            Mentioned::Fact(fact) => Some(Ask::Fact {
                fact: explained.facts[fact].called.clone(),
                of: self.ask(fact, note.arguments.to_vec(), note.value, tracer)?,
            }),
            Mentioned::State { state, new } => {
                let at = match (note.arguments.first(), &explained.states[state].whole) {
                    (Some(key), Typed::Entries(entries)) => self.attempt(|machine| {
                        let index = entries.domain.index(*key);
                        machine.key_parts(entries, index.min(entries.domain.count))
                    })?,
                    _ => Vec::new(),
                };
                Some(Ask::State {
                    state: explained.states[state].name.clone(),
                    at,
                    new,
                })
            }
        }
    }

    /// Has a fact told; gives what it was asked of.
    pub(super) fn ask(
        &mut self,
        fact: usize,
        arguments: Vec<i64>,
        value: i64,
        tracer: &mut Tracer<'c>,
    ) -> Option<Vec<Value>> {
        let explained: &'c Explained = tracer.explained;
        let definition = &explained.facts[fact];
        if arguments.is_empty() && tracer.known_alone[fact] {
            return Some(Vec::new());
        }
        let of = self.attempt(|machine| {
            let mut of = Vec::new();
            for (argument, parameter) in arguments.iter().zip(&definition.parameter_data) {
                of.push(machine.typed(*argument, parameter)?);
            }
            Ok(of)
        })?;
        if !of.is_empty() && tracer.known.contains(&(fact, of.clone())) {
            return Some(of);
        }
        let typed = if tracer.tells(Part::Values) {
            self.attempt(|machine| machine.typed(value, &definition.typed))?
        } else {
            Value::None
        };
        let is_new = if of.is_empty() {
            !std::mem::replace(&mut tracer.known_alone[fact], true)
        } else {
            tracer.known.insert((fact, of.clone()))
        };
        if is_new {
            let told = Fact {
                fact: definition.called.clone(),
                of: of.clone(),
                value: typed,
                rows: Vec::new(),
            };
            tracer.asked.push_back((fact, arguments, told, value));
        }
        Some(of)
    }

    /// Tells the facts that were asked for, and those that they ask for.
    pub(super) fn facts_asked(&mut self, tracer: &mut Tracer<'c>, told: &mut Event) {
        let explained: &'c Explained = tracer.explained;
        while let Some((fact, arguments, mut asked, value)) = tracer.asked.pop_front() {
            let table = &explained.facts[fact].table;
            asked.rows = self.rows_that_fired(table, value, &arguments, tracer);
            told.facts.push(asked);
        }
        tracer.known.clear();
        tracer.known_alone.fill(false);
    }
}
