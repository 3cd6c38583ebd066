//! What facts and new values may ask for.

use std::collections::BTreeMap;

use super::availability::Available;
use crate::code::{Code, Compiled};

/// For each fact, and each new value of a state in an event, what it asks for itself.
#[derive(Debug)]
pub(super) struct Dependencies {
    facts: Vec<Vec<Available>>,
    new: BTreeMap<(usize, u32), Vec<Available>>,
}

impl Dependencies {
    pub(super) fn of(compiled: &Compiled) -> Dependencies {
        let mut new = BTreeMap::new();
        for (event, definition) in compiled.events.iter().enumerate() {
            for (state, equation) in (0u32..).zip(&definition.equations) {
                if let Some(equation) = equation {
                    let asked = equation.codes().flat_map(asked_by).collect();
                    new.insert((event, state), asked);
                }
            }
        }
        let facts = compiled.facts.iter();
        Dependencies {
            facts: facts.map(|fact| asked_by(&fact.code)).collect(),
            new,
        }
    }

    /// What something asks for in an event.
    pub(super) fn by(&self, event: Option<usize>, known: Available) -> &[Available] {
        let asked = match (known, event) {
            (Available::Fact(fact), _) => self.facts.get(fact as usize),
            (Available::New(state), Some(event)) => self.new.get(&(event, state)),
            _ => None,
        };
        asked.map_or(&[], Vec::as_slice)
    }

    /// For each fact, whether it asks for new values, itself or by another fact.
    pub(super) fn facts_asking_new(&self) -> Vec<bool> {
        let mut askers = vec![Vec::new(); self.facts.len()];
        let mut open = Vec::new();
        for (fact, asked) in self.facts.iter().enumerate() {
            for known in asked {
                match known {
                    Available::Fact(asked) => askers[*asked as usize].push(fact),
                    Available::New(_) => open.push(fact),
                    _ => {}
                }
            }
        }
        let mut asks_new = vec![false; self.facts.len()];
        while let Some(fact) = open.pop() {
            if !std::mem::replace(&mut asks_new[fact], true) {
                open.extend(&askers[fact]);
            }
        }
        asks_new
    }
}

/// What an expression asks for.
fn asked_by(code: &Code) -> Vec<Available> {
    let mut asked = Vec::new();
    code.each(&mut |piece| match piece {
        Code::Fact(fact) | Code::Call(fact, _) => asked.push(Available::Fact(*fact)),
        Code::Tabulate(tabulate) => asked.push(Available::Fact(tabulate.fact)),
        Code::New(state) => asked.push(Available::New(*state)),
        _ => {}
    });
    asked
}
