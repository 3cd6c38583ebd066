//! Runs an example: starts its game, runs its event and evaluates what it expects.

use super::{Prepared, tree};
use crate::{
    fault::{Fault, Stop},
    machine::{Answer, Choices, Executable, Machine},
    syntax::ast::ExpectationKind,
    types::Type,
};

/// What makes an event impossible.
enum By {
    /// A row of the guard of the event.
    Guard,
    /// The row of `impossible` with this label.
    Row(String),
}

/// A run of an example.
pub(super) struct ExampleRun<'c> {
    pub(super) machine: Machine<'c>,
    compiled: &'c Executable,
    /// The policy that chooses the event.
    policy: Option<usize>,
    /// For each expectation: what must make the event impossible; `None` if a fact decides.
    expected: Vec<Option<By>>,
    given: Vec<(Type, Vec<String>, bool)>,
}

impl<'c> ExampleRun<'c> {
    pub(super) fn new(prepared: &Prepared, compiled: &'c Executable) -> ExampleRun<'c> {
        let program = &prepared.program;
        let policies = &mut program.policies.iter();
        let expected = prepared.example.expected.iter();
        ExampleRun {
            machine: Machine::new(compiled),
            compiled,
            policy: policies.position(|policy| policy.name == tree::POLICY),
            expected: expected
                .map(|expectation| match &expectation.kind {
                    ExpectationKind::Impossible { event: Some(_), .. } => Some(By::Guard),
                    ExpectationKind::Impossible { row, .. } => Some(By::Row(row.text.clone())),
                    _ => None,
                })
                .collect(),
            given: program
                .givens
                .iter()
                .map(|given| {
                    let names = match given.key.as_ref().map(Type::required) {
                        Some(Type::Member(part)) => program.types.kind(part.kind).members.clone(),
                        _ => vec![given.name.clone()],
                    };
                    let is_known = given.default.is_some() || given.drawn;
                    (given.entry.clone(), names, is_known)
                })
                .collect(),
        }
    }

    /// The answer for each expectation.
    ///
    /// # Errors
    /// What stopped the example.
    pub(super) fn answers(&mut self) -> Result<Vec<Answer>, Stop> {
        if let Err(stop) = self.begin() {
            return self.after_impossible(stop, 0);
        }
        let count = self.expected.len();
        if self.policy.is_none() {
            let answers = (0..count).map(|number| self.machine.answer(number));
            return Ok(answers.collect());
        }
        if let Err(stop) = self.choose() {
            return self.after_guard(stop);
        }
        self.machine.ask_in_event(0..count);
        let event = self.machine.event;
        if let Err(stop) = self.machine.step() {
            return self.after_impossible(stop, event);
        }
        let answers = (0..count).map(|number| match &self.expected[number] {
            Some(_) => Answer::Known(false),
            None => self.machine.take_answer(number),
        });
        Ok(answers.collect())
    }

    /// The answers if a row made the event or the start impossible. Other expectations have no answer then.
    ///
    /// # Errors
    /// What stopped the example, if it does not expect an impossible event.
    fn after_impossible(&self, stop: Stop, expected: usize) -> Result<Vec<Answer>, Stop> {
        let said = match &*stop {
            Fault::Impossible { event, row, .. }
                if *event == expected && self.expected.iter().any(Option::is_some) =>
            {
                &self.compiled.events[*event].impossible[*row].row.label
            }
            _ => return Err(stop),
        };
        let answers = self.expected.iter().map(|row| match row {
            Some(By::Row(row)) => Answer::Known(row == said),
            Some(By::Guard) => Answer::Known(false),
            None => Answer::Nothing,
        });
        Ok(answers.collect())
    }

    /// The answers if the event cannot be chosen.
    ///
    /// # Errors
    /// What stopped the example, if it does not expect that the guard forbids the event.
    fn after_guard(&self, stop: Stop) -> Result<Vec<Answer>, Stop> {
        let mut expected = self.expected.iter().flatten();
        let is_expected = expected.any(|by| matches!(by, By::Guard));
        if !is_expected || !matches!(*stop, Fault::Policy { .. }) {
            return Err(stop);
        }
        let answers = self.expected.iter().map(|expected| match expected {
            Some(by) => Answer::Known(matches!(by, By::Guard)),
            None => Answer::Nothing,
        });
        Ok(answers.collect())
    }

    /// Starts the game. Givens of type word without a value get the names of their keys.
    pub(super) fn begin(&mut self) -> Result<(), Stop> {
        self.machine.set_bottom(0);
        let mut read = Vec::new();
        for (place, (entry, names, has_default)) in self.given.iter().enumerate() {
            let count = self.compiled.givens[place]
                .entry
                .map_or(1, |(domain, _)| domain.count);
            read.push(vec![false; count]);
            if *has_default || *entry != Type::Word {
                continue;
            }
            let is_map = self.compiled.givens[place].entry.is_some();
            for index in 0..count {
                let name = names.get(index).map_or("", String::as_str);
                let id = self.machine.texts.id(name.as_bytes());
                self.machine.give(place, is_map.then_some(index), id);
            }
        }
        self.machine.start(&read)?;
        self.machine.forget();
        Ok(())
    }

    /// Makes the example's event the current one.
    pub(super) fn choose(&mut self) -> Result<(), Stop> {
        let none = || {
            Box::new(Fault::Policy {
                text: String::new(),
                choice: None,
                row: None,
            })
        };
        let policy = self.policy.ok_or_else(none)?;
        if self.machine.choose(Choices::Policy(policy))?.is_none() {
            return Err(none());
        }
        self.machine.take_chosen();
        Ok(())
    }
}
