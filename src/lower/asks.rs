//! What facts and new values may ask for.

use std::collections::BTreeMap;

use super::known::Known;
use crate::code::{Code, Compiled};

/// For each fact, and each new value of a state in an event, what it asks for itself.
#[derive(Debug)]
pub(super) struct Asks {
    facts: Vec<Vec<Known>>,
    new: BTreeMap<(usize, u32), Vec<Known>>,
}

impl Asks {
    pub(super) fn of(compiled: &Compiled) -> Asks {
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
        Asks {
            facts: facts.map(|fact| asked_by(&fact.code)).collect(),
            new,
        }
    }

    /// What something asks for in an event.
    pub(super) fn by(&self, event: Option<usize>, known: Known) -> &[Known] {
        let asked = match (known, event) {
            (Known::Fact(fact), _) => self.facts.get(fact as usize),
            (Known::New(state), Some(event)) => self.new.get(&(event, state)),
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
                    Known::Fact(asked) => askers[*asked as usize].push(fact),
                    Known::New(_) => open.push(fact),
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
fn asked_by(code: &Code) -> Vec<Known> {
    let mut asked = Vec::new();
    code.each(&mut |piece| match piece {
        Code::Fact(fact) | Code::Call(fact, _) => asked.push(Known::Fact(*fact)),
        Code::Tabulate(tabulate) => asked.push(Known::Fact(tabulate.fact)),
        Code::New(state) => asked.push(Known::New(*state)),
        _ => {}
    });
    asked
}
