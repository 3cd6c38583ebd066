//! Cycles, and chains of dependencies that are too deep to evaluate.

use std::collections::BTreeMap;

use super::{
    Graph, Node, Read,
    reach::{Reach, reads_new},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{EventId, FactId, GREATEST_DEPTH, Tense, round_of_begin},
    source::Span,
    types::Type,
};

/// How many nodes of a cycle are shown.
const SHOWN: usize = 8;

/// Reports cycles and chains that are too deep: first among the facts alone, then in each event with its changes. Also
/// returns the greatest depth.
pub(super) fn check(graph: &Graph<'_>) -> (Vec<Diagnostic>, usize) {
    let mut facts = Search::new(graph, None, &[]);
    for index in 0..graph.facts.len() {
        facts.from(Node::Fact(FactId::new(index), Tense::Now));
    }
    let mut deepest = facts.deepest();
    let mut diagnostics = facts.diagnostics;
    if !diagnostics.is_empty() {
        return (diagnostics, deepest);
    }
    let new = Reach::new(graph, reads_new, |_| true);
    let known: Vec<Known> = (0..graph.facts.len())
        .map(|index| Known {
            depth: facts
                .done
                .get(&Node::Fact(FactId::new(index), Tense::Now))
                .map_or(0, |done| done.unwrap_or(0)),
            reads_new: new.hop(FactId::new(index)).is_some(),
        })
        .collect();
    let owned = graph.program.facts_of_events();
    for (index, event) in graph.program.events.iter().enumerate() {
        let id = EventId::new(index);
        let mut search = Search::new(graph, Some(id), &known);
        for fact in &owned[index] {
            search.from(Node::Fact(*fact, Tense::Now));
        }
        for equation in &event.equations {
            search.from(Node::New(equation.state));
        }
        if id == EventId::START {
            for state in 0..graph.program.states.len() {
                search.from(Node::Initial(crate::program::StateId::new(state)));
            }
            for given in 0..graph.program.givens.len() {
                search.from(Node::Given(crate::types::GivenId::new(given)));
            }
        }
        deepest = deepest.max(search.deepest());
        for diagnostic in search.diagnostics {
            if !diagnostics
                .iter()
                .any(|other| other.span == diagnostic.span && other.code == diagnostic.code)
            {
                diagnostics.push(diagnostic);
            }
        }
    }
    (diagnostics, deepest)
}

/// The result for a fact of the search among facts alone.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// The depth of its evaluation.
    depth: usize,
    /// Whether it reads `new`, itself or through others, so that it may be part of a cycle in an event.
    reads_new: bool,
}

/// A node on the current path.
struct Step {
    node: Node,
    /// The nodes it depends on, each with the read.
    edges: Vec<(Node, Read)>,
    next: usize,
    /// The greatest depth found so far.
    depth: usize,
    /// How deep in its expressions it calls itself.
    own_level: usize,
    /// Whether a dependency is too deep already.
    reported: bool,
}

/// A depth-first search with an explicit stack: a chain may be as long as the file.
struct Search<'g, 'p> {
    graph: &'g Graph<'p>,
    event: Option<EventId>,
    known: &'g [Known],
    /// The depth of each finished node; none while it is on the path.
    done: BTreeMap<Node, Option<usize>>,
    path: Vec<Step>,
    cyclic: Vec<Node>,
    diagnostics: Vec<Diagnostic>,
}

impl<'g, 'p> Search<'g, 'p> {
    fn new(graph: &'g Graph<'p>, event: Option<EventId>, known: &'g [Known]) -> Self {
        Search {
            graph,
            event,
            known,
            done: BTreeMap::new(),
            path: Vec::new(),
            cyclic: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The greatest depth of all finished nodes.
    fn deepest(&self) -> usize {
        self.done.values().flatten().copied().max().unwrap_or(0)
    }

    fn from(&mut self, root: Node) {
        if !self.done.contains_key(&root) {
            self.enter(root);
        }
        while let Some(step) = self.path.last_mut() {
            let Some((node, read)) = step.edges.get(step.next).copied() else {
                self.leave();
                continue;
            };
            step.next += 1;
            if node == step.node && matches!(node, Node::Fact(..)) {
                // Recursion has been checked before.
                step.own_level = step.own_level.max(read.level);
                continue;
            }
            if let Some(depth) = self.known_depth(node) {
                self.deepen(depth, read);
                continue;
            }
            match self.done.get(&node) {
                Some(Some(depth)) => {
                    let depth = *depth;
                    self.deepen(depth, read);
                }
                Some(None) => self.cycle(node),
                None => self.enter(node),
            }
        }
    }

    /// The depth of a node that does not depend on the event.
    fn known_depth(&self, node: Node) -> Option<usize> {
        let Node::Fact(fact, tense) = node else {
            return None;
        };
        let known = self.known.get(fact.index())?;
        let settled = match tense {
            Tense::Now => !known.reads_new,
            Tense::New => false,
            Tense::Previous => true,
        };
        (settled && self.event != Some(EventId::START)).then_some(known.depth)
    }

    fn enter(&mut self, node: Node) {
        self.done.insert(node, None);
        let reads = self.graph.reads(node, self.event);
        let edges = reads
            .iter()
            .flat_map(|reads| &reads.list)
            .filter_map(|read| Some((self.graph.target(node, read, self.event)?, *read)))
            .collect();
        self.path.push(Step {
            node,
            edges,
            next: 0,
            depth: reads.map_or(0, |reads| reads.depth),
            own_level: 0,
            reported: false,
        });
    }

    fn deepen(&mut self, depth: usize, read: Read) {
        if let Some(step) = self.path.last_mut() {
            step.depth = step.depth.max(depth.saturating_add(read.level + 1));
            step.reported |= depth > GREATEST_DEPTH;
        }
    }

    fn leave(&mut self) {
        let Some(step) = self.path.pop() else { return };
        let mut depth = step.depth;
        if step.own_level > 0 {
            let limit = self.recursion_limit(step.node);
            depth = depth.saturating_add((step.own_level + 1).saturating_mul(limit));
        }
        if depth > GREATEST_DEPTH && !step.reported {
            self.too_deep(step.node, step.own_level > 0);
        }
        self.done.insert(step.node, Some(depth));
        let below = self.path.last().and_then(|above| {
            let at = above.next.checked_sub(1)?;
            above.edges.get(at).map(|(_, read)| *read)
        });
        if let Some(read) = below {
            self.deepen(depth, read);
        }
    }

    /// How many calls of itself a fact can nest.
    fn recursion_limit(&self, node: Node) -> usize {
        let Node::Fact(fact, _) = node else { return 0 };
        let first = self.graph.program.facts[fact.index()].parameters.first();
        match first {
            Some((_, Type::Range(range))) => range
                .count()
                .and_then(|count| usize::try_from(count).ok())
                .unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    fn too_deep(&mut self, node: Node, is_recursive: bool) {
        let name = self.graph.name(node);
        let diagnostic = Diagnostic::error(
            Code::ChainTooDeep,
            self.place(node),
            format!("`{name}` depends on a chain of more than {GREATEST_DEPTH} values"),
        );
        self.diagnostics.push(diagnostic.help(if is_recursive {
            "make it shorter: give its first parameter a smaller range"
        } else {
            "combine some of them in one expression, with `for` or `sum of`"
        }));
    }

    fn place(&self, node: Node) -> Span {
        let program = self.graph.program;
        match node {
            Node::Fact(fact, _) => program.facts[fact.index()].span,
            Node::New(state) => self
                .event
                .and_then(|event| program.events.get(event.index()))
                .and_then(|event| {
                    event
                        .equations
                        .iter()
                        .find(|equation| equation.state == state)
                })
                .map_or(Span::default(), |equation| equation.span.head()),
            Node::Initial(state) => program.states[state.index()].span,
            Node::Given(given) => program.givens[given.index()].span,
        }
    }

    /// Reports the cycle from `node` along the path back to it.
    fn cycle(&mut self, node: Node) {
        let start = self.path.iter().position(|step| step.node == node);
        let steps = self.path.get(start.unwrap_or(0)..).unwrap_or(&[]);
        if steps.iter().any(|step| self.cyclic.contains(&step.node)) {
            return;
        }
        let mut links: Vec<(Node, Node, Span)> = steps
            .iter()
            .filter_map(|step| {
                let (to, read) = step.edges.get(step.next.checked_sub(1)?)?;
                Some((step.node, *to, read.span))
            })
            .collect();
        // Start at the first place in the file, so that the message does not depend on the search.
        let first = (0..links.len())
            .min_by_key(|index| links[*index].2)
            .unwrap_or(0);
        links.rotate_left(first);
        self.cyclic.extend(links.iter().map(|(from, _, _)| *from));
        let Some((from, _, span)) = links.first().copied() else {
            return;
        };
        let name = |node| format!("`{}`", self.graph.name(node));
        let mut names: Vec<String> = links.iter().map(|(from, _, _)| name(*from)).collect();
        if names.len() > SHOWN {
            names.truncate(SHOWN);
            names.push("…".into());
        }
        names.push(name(from));
        let message = if links.len() == 1 {
            format!("{} depends on itself", name(from))
        } else {
            format!(
                "{}: none of them can be worked out first",
                names.join(" needs ")
            )
        };
        let mut diagnostic = Diagnostic::error(Code::Cycle, span, message);
        for (from, to, span) in links.iter().take(SHOWN) {
            let text = format!("{} needs {}", name(*from), name(*to));
            diagnostic = if *span == diagnostic.span {
                diagnostic.here(text)
            } else {
                diagnostic.label(*span, text)
            };
        }
        self.diagnostics.push(self.with_cure(diagnostic, &links));
    }

    fn with_cure(&self, diagnostic: Diagnostic, links: &[(Node, Node, Span)]) -> Diagnostic {
        let round = links.iter().find_map(|(from, _, _)| match from {
            Node::Fact(fact, _) => round_of_begin(self.graph.fact_name(*fact)),
            Node::New(_) | Node::Initial(_) | Node::Given(_) => None,
        });
        if let Some(round) = round {
            return diagnostic.note(format!(
                "where `{round}` begins, the new values of its states are their initial values"
            ))
            .help("get what the event leads to in another way: start from the old value, or write a fact for it");
        }
        let new = links.iter().find_map(|(from, _, _)| match from {
            Node::New(state) => Some(*state),
            Node::Fact(..) | Node::Initial(_) | Node::Given(_) => None,
        });
        if let Some(state) = new {
            let name = self.graph.state_name(state);
            let keyed = self.graph.program.states[state.index()].key.is_some();
            let old = if keyed {
                format!("{name} of …")
            } else {
                name.to_string()
            };
            let number = self.graph.program.states[state.index()].entry.is_number();
            return diagnostic.help(if number {
                let old = if keyed { format!("({old})") } else { old };
                format!("what `new {name}` depends on cannot use it: start from the old value, as in `{old} + 1`")
            } else {
                format!("what `new {name}` depends on cannot use it: start from the old value, `{old}`")
            });
        }
        if links
            .iter()
            .any(|(from, _, _)| !matches!(from, Node::Fact(..)))
        {
            return diagnostic.help("give one of them a value that does not need the others");
        }
        diagnostic.help("define one of them without the others; only a fact with a number that counts down, `f(n: 1..9)`, may use itself, with `n - 1`")
    }
}
