//! The rows that fired, and what they ask for.

use super::Tracer;
use crate::{
    code::{
        NONE, Told,
        explain::{Combined, Explained, Read, ReadOf},
        typed::Typed,
    },
    fault::Stop,
    machine::Machine,
    stream::{Ask, Event, Fact, Row, Value},
};

/// Which of a definition's rows are meant.
#[derive(Clone, Copy)]
pub(super) struct Sought<'a> {
    pub(super) how: Combined,
    /// The value that they made.
    pub(super) value: i64,
    /// The first locals.
    pub(super) arguments: &'a [i64],
}

impl<'c> Machine<'c> {
    /// The rows that gave a value.
    pub(super) fn rows_that_fired(
        &mut self,
        rows: &'c [Told],
        sought: Sought<'_>,
        tracer: &mut Tracer<'c>,
    ) -> Vec<Row> {
        let mut fired = Vec::new();
        for row in rows {
            let before = fired.len();
            self.attempt(|machine| {
                machine.framed(row.locals, |machine| {
                    machine.arguments(sought.arguments);
                    machine.run(&row.bindings, &row.conditions, &mut |machine| {
                        let meant = machine.gave(row, sought.how, sought.value)?;
                        if meant {
                            fired.push(machine.row_that_fires(row, tracer));
                        }
                        Ok(!meant)
                    })
                })
            });
            if fired.len() == before {
                self.ask_anyway(row, sought.arguments, tracer);
            } else if !matches!(sought.how, Combined::Every | Combined::Sum) {
                break;
            }
        }
        fired
    }

    /// A row that fires, with what it asks.
    pub(super) fn row_that_fires(&mut self, told: &'c Told, tracer: &mut Tracer<'c>) -> Row {
        let mut row = tracer.row(told.label.as_deref(), told.span);
        row.says = told
            .says
            .as_ref()
            .and_then(|says| self.attempt(|machine| machine.rendered(says)));
        for (reads, asks) in [(&told.uses, &mut row.uses), (&told.asks, &mut row.when)] {
            for read in reads {
                let ask = self.read_now(read, tracer);
                asks.extend(ask.filter(|ask| !asks.contains(ask)));
            }
        }
        row
    }

    /// Where rows that do not fire are of interest: the facts that one asks for.
    pub(super) fn ask_anyway(
        &mut self,
        told: &'c Told,
        arguments: &[i64],
        tracer: &mut Tracer<'c>,
    ) {
        if !tracer.thorough {
            return;
        }
        self.attempt(|machine| {
            machine.framed(told.locals, |machine| {
                machine.arguments(arguments);
                for read in told.uses.iter().chain(&told.asks) {
                    if read.closed || told.bindings.is_empty() {
                        machine.read_now(read, tracer);
                    }
                }
                Ok(())
            })
        });
    }

    /// What is read, with what it is read of.
    fn read_now(&mut self, read: &'c Read, tracer: &mut Tracer<'c>) -> Option<Ask> {
        let explained: &'c Explained = tracer.explained;
        for (local, operand) in &read.lifted {
            let value = self.attempt(|machine| machine.evaluate(operand))?;
            if value == NONE {
                return None;
            }
            self.set_local(*local, value);
        }
        match &read.what {
            ReadOf::Fact {
                fact,
                arguments,
                value,
            } => {
                let (arguments, value) = self.attempt(|machine| {
                    let arguments = arguments.iter().map(|code| machine.evaluate(code));
                    Ok((
                        arguments.collect::<Result<Vec<i64>, Stop>>()?,
                        machine.evaluate(value)?,
                    ))
                })?;
                Some(Ask::Fact {
                    fact: explained.facts[*fact].called.clone(),
                    of: self.ask(*fact, arguments, value, tracer)?,
                })
            }
            ReadOf::State { state, key, new } => {
                let at = match (key, &explained.states[*state].whole) {
                    (Some(key), Typed::Entries(entries)) => self.attempt(|machine| {
                        let index = entries.domain.index(machine.evaluate(key)?);
                        machine.key_parts(entries, index.min(entries.domain.count))
                    })?,
                    _ => Vec::new(),
                };
                Some(Ask::State {
                    state: explained.states[*state].name.clone(),
                    at,
                    new: *new,
                })
            }
        }
    }

    /// Sets the first locals.
    fn arguments(&mut self, arguments: &[i64]) {
        for (place, argument) in (0..).zip(arguments) {
            self.set_local(place, *argument);
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
        let (of, typed) = self.attempt(|machine| {
            let mut of = Vec::new();
            for (argument, parameter) in arguments.iter().zip(&definition.of) {
                of.push(machine.typed(*argument, parameter)?);
            }
            Ok((of, machine.typed(value, &definition.typed)?))
        })?;
        if tracer.known.insert((fact, of.clone())) {
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
            let definition = &explained.facts[fact];
            let sought = Sought {
                how: definition.how,
                value,
                arguments: &arguments,
            };
            asked.rows = self.rows_that_fired(&definition.rows, sought, tracer);
            told.facts.push(asked);
        }
        tracer.known.clear();
    }
}
