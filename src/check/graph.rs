//! The graph of dependencies: no cycles, no excessive depth, and no `new` before an event has happened.

mod cycles;
mod reach;
mod recursion;

use std::collections::BTreeMap;

use super::reads::{self, Read, Reads};
use crate::{
    diagnostic::{Diagnostic, Severity},
    program::{EventId, FactId, Program, Reading, StateId, Tense},
    types::GivenId,
};

/// Reports cycles and misplaced `new`. Also returns how deeply evaluations nest.
pub(super) fn check(program: &Program) -> (Vec<Diagnostic>, usize) {
    let graph = Graph::new(program);
    let mut depth = 0;
    let mut diagnostics = recursion::check(&graph);
    diagnostics.extend(reach::check(&graph));
    if diagnostics
        .iter()
        .all(|diagnostic| diagnostic.severity != Severity::Error)
    {
        let (found, deepest) = cycles::check(&graph);
        diagnostics.extend(found);
        depth = deepest;
    }
    (diagnostics, depth)
}

/// Something whose value depends on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    /// A fact, in the state that it is evaluated in.
    Fact(FactId, Tense),
    /// The new value that an event gives a state.
    New(StateId),
    /// The initial value of a state.
    Initial(StateId),
    /// The default of a given.
    Given(GivenId),
}

/// What each definition of a game reads.
struct Graph<'p> {
    program: &'p Program,
    facts: Vec<Reads>,
    initial: Vec<Reads>,
    defaults: Vec<Reads>,
    equations: BTreeMap<(EventId, StateId), Reads>,
}

impl<'p> Graph<'p> {
    fn new(program: &'p Program) -> Self {
        let read = |definition| Reads::of(reads::of_definition(definition, false));
        Graph {
            program,
            facts: program
                .facts
                .iter()
                .map(|fact| read(&fact.definition))
                .collect(),
            initial: program
                .states
                .iter()
                .map(|state| read(&state.initial))
                .collect(),
            defaults: program
                .givens
                .iter()
                .map(|given| given.default.as_ref().map(read).unwrap_or_default())
                .collect(),
            equations: program
                .events
                .iter()
                .enumerate()
                .flat_map(|(index, event)| {
                    event.equations.iter().map(move |equation| {
                        let key = (EventId::new(index), equation.state);
                        (key, read(&equation.definition).and_again(program, equation))
                    })
                })
                .collect(),
        }
    }

    /// What a node reads in an event.
    fn reads(&self, node: Node, event: Option<EventId>) -> Option<&Reads> {
        match node {
            Node::Fact(fact, _) => self.facts.get(fact.index()),
            Node::New(state) => self.equations.get(&(event?, state)),
            Node::Initial(state) => self.initial.get(state.index()),
            Node::Given(given) => self.defaults.get(given.index()),
        }
    }

    /// The node that must be evaluated for a read in `node`; none if its value is already known.
    fn target(&self, node: Node, read: &Read, event: Option<EventId>) -> Option<Node> {
        let tense_of_node = match node {
            Node::Fact(_, tense) => tense,
            Node::New(_) | Node::Initial(_) | Node::Given(_) => Tense::Now,
        };
        match read.what {
            Reading::Fact(fact, tense) => Some(Node::Fact(fact, compose(tense_of_node, tense))),
            Reading::State(state, tense) => {
                let event = event?;
                if event == EventId::START {
                    return Some(Node::Initial(state));
                }
                let changes = self.equations.contains_key(&(event, state));
                (compose(tense_of_node, tense) == Tense::New && changes).then_some(Node::New(state))
            }
            Reading::Given(given) => {
                let without = self.program.givens.get(given.index())?.default.is_some();
                (event == Some(EventId::START) && without).then_some(Node::Given(given))
            }
        }
    }

    fn name(&self, node: Node) -> String {
        match node {
            Node::Fact(fact, Tense::Now) => self.fact_name(fact).to_string(),
            Node::Fact(fact, Tense::New) => format!("new {}", self.fact_name(fact)),
            Node::Fact(fact, Tense::Previous) => format!("previous {}", self.fact_name(fact)),
            Node::New(state) => format!("new {}", self.state_name(state)),
            Node::Initial(state) => self.state_name(state).to_string(),
            Node::Given(given) => self.given_name(given).to_string(),
        }
    }

    fn fact_name(&self, fact: FactId) -> &str {
        let fact = self.program.facts.get(fact.index());
        fact.map_or("?", |fact| &fact.name)
    }

    fn state_name(&self, state: StateId) -> &str {
        let state = self.program.states.get(state.index());
        state.map_or("?", |state| &state.name)
    }

    fn given_name(&self, given: GivenId) -> &str {
        let given = self.program.givens.get(given.index());
        given.map_or("?", |given| &given.name)
    }

    /// A read as the rules would write it.
    fn written(&self, reading: Reading) -> String {
        let tensed = |tense, name: &str| match tense {
            Tense::Now => name.to_string(),
            Tense::New => format!("new {name}"),
            Tense::Previous => format!("previous {name}"),
        };
        match reading {
            Reading::State(state, tense) => tensed(tense, self.state_name(state)),
            Reading::Fact(fact, tense) => tensed(tense, self.fact_name(fact)),
            Reading::Given(given) => self.given_name(given).to_string(),
        }
    }
}

/// The state in which `tense` is read, within an expression that is evaluated in the state `outer`.
fn compose(outer: Tense, tense: Tense) -> Tense {
    match (outer, tense) {
        (Tense::Now, tense) => tense,
        (Tense::New, Tense::Now | Tense::New) => Tense::New,
        (Tense::New | Tense::Previous, Tense::Previous) | (Tense::Previous, _) => Tense::Previous,
    }
}
