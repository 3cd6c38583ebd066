//! Facts, states and givens that nothing depends on.

use std::collections::{BTreeMap, BTreeSet};

use super::super::reads::{self, Reads};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    program::{Expr, Fact, FactId, Program, Reading, StateId, question_of},
    source::Span,
    types::GivenId,
};

/// Something that the rules define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    /// A fact, by its place in the file. Several events may have copies of it.
    Fact(Span),
    /// A state.
    State(StateId),
    /// A given.
    Given(GivenId),
}

/// The facts declared at each place of the file; several if events have copies of one.
type Copies<'p> = BTreeMap<Span, Vec<(FactId, &'p Fact)>>;

/// Warns of everything on which no report, condition or end of the game depends.
pub(super) fn check(program: &Program, bounds: &BTreeSet<GivenId>) -> Vec<Diagnostic> {
    let graph = graph(program);
    let mut live: BTreeSet<Node> = bounds.iter().map(|given| Node::Given(*given)).collect();
    live.extend(roots(program));
    let live = closure(&graph, live, BTreeSet::new());
    let dead: Vec<Node> = graph
        .keys()
        .copied()
        .filter(|node| !live.contains(node))
        .collect();
    let mut explained: BTreeSet<Node> = BTreeSet::new();
    let mut reported = Vec::new();
    // What only unused definitions read is unused as well, but has no warning of its own.
    let read_by_dead: BTreeSet<Node> = dead
        .iter()
        .flat_map(|node| graph[node].iter().filter(move |read| *read != node))
        .copied()
        .collect();
    let mut copies: Copies<'_> = BTreeMap::new();
    for (index, fact) in program.facts.iter().enumerate() {
        let copies = copies.entry(fact.span).or_default();
        copies.push((FactId::new(index), fact));
    }
    let tops = dead.iter().filter(|node| !read_by_dead.contains(node));
    for node in tops.chain(&dead) {
        if explained.contains(node) {
            continue;
        }
        explained = closure(&graph, BTreeSet::from([*node]), explained);
        reported.push(unused(program, *node, &graph, &copies));
    }
    reported.extend(unchanging(program, &live));
    reported
}

/// Everything that can be read, with what it reads.
fn graph(program: &Program) -> BTreeMap<Node, BTreeSet<Node>> {
    let mut graph: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    for fact in &program.facts {
        let reads = nodes_read(program, reads::of_definition(&fact.definition, true));
        graph
            .entry(Node::Fact(fact.span))
            .or_default()
            .extend(reads);
    }
    for (index, state) in program.states.iter().enumerate() {
        let reads = nodes_read(program, reads::of_definition(&state.initial, true));
        graph.insert(Node::State(StateId::new(index)), reads);
    }
    for (index, given) in program.givens.iter().enumerate() {
        let expressions = given
            .default
            .as_ref()
            .map(|default| reads::of_definition(default, true));
        let reads = nodes_read(program, expressions.unwrap_or_default());
        graph.insert(Node::Given(GivenId::new(index)), reads);
    }
    for event in &program.events {
        for equation in &event.equations {
            let mut reads = nodes_read(program, reads::of_definition(&equation.definition, true));
            let begins = equation.begins;
            reads.extend(begins.and_then(|fact| fact_node(program, fact)));
            graph
                .entry(Node::State(equation.state))
                .or_default()
                .extend(reads);
        }
    }
    graph
}

fn nodes_read(program: &Program, expressions: Vec<&Expr>) -> BTreeSet<Node> {
    Reads::of(expressions)
        .list
        .iter()
        .filter_map(|read| match read.what {
            Reading::State(state, _) => Some(Node::State(state)),
            Reading::Fact(fact, _) => fact_node(program, fact),
            Reading::Given(given) => Some(Node::Given(given)),
        })
        .collect()
}

fn fact_node(program: &Program, fact: FactId) -> Option<Node> {
    let fact = program.facts.get(fact.index())?;
    Some(Node::Fact(fact.span))
}

/// Everything that is read where it has an effect.
fn roots(program: &Program) -> BTreeSet<Node> {
    let mut expressions: Vec<&Expr> = Vec::new();
    // The answer to a question about a run goes to whoever asked it.
    let questions = program.facts.iter();
    let questions = questions.filter(|fact| question_of(&fact.name).is_some());
    let mut roots: BTreeSet<Node> = questions.map(|fact| Node::Fact(fact.span)).collect();
    for event in &program.events {
        let acting = event.refuse.iter().chain(&event.over).chain(&event.restart);
        let acting = acting.chain(&event.outcome);
        roots.extend(acting.filter_map(|fact| fact_node(program, *fact)));
        for rows in [
            &event.impossible.rows,
            &event.report.rows,
            &event.refused.rows,
        ] {
            expressions.extend(reads::of_rows(rows, true));
        }
        expressions.extend(event.by.expr().map(|by| &by.value));
        let rows = event.report.rows.iter().chain(&event.refused.rows);
        let sights = event.sights.iter().chain(rows.map(|row| &row.sight));
        expressions.extend(sights.flatten().filter_map(|sight| sight.seats.as_ref()));
        if let Some(guard) = &event.guard {
            expressions.push(&guard.condition);
            expressions.extend(reads::of_sentence(guard.says.as_ref()));
        }
        expressions.extend(reads::of_choices(&event.follows));
    }
    roots.extend(program.outcome.and_then(|fact| fact_node(program, fact)));
    let states = program.states.iter().map(|state| &state.sight);
    let sights = states.chain(program.givens.iter().map(|given| &given.sight));
    expressions.extend(sights.flatten().filter_map(|sight| sight.seats.as_ref()));
    for policy in &program.policies {
        expressions.extend(reads::of_choices(&policy.rows));
    }
    for transcript in &program.transcripts {
        expressions.extend(reads::of_steps(&transcript.steps));
    }
    expressions.extend(program.writes.iter().map(|write| &write.form));
    expressions.extend(program.draws.iter().map(|draw| &draw.sign));
    expressions.extend(program.conditions.iter().map(|(_, condition, _)| condition));
    roots.extend(nodes_read(program, expressions));
    roots
}

/// Everything reachable from `from`, added to `reached`.
fn closure(
    graph: &BTreeMap<Node, BTreeSet<Node>>,
    from: BTreeSet<Node>,
    mut reached: BTreeSet<Node>,
) -> BTreeSet<Node> {
    let mut open: Vec<Node> = from.iter().copied().collect();
    reached.extend(from);
    while let Some(node) = open.pop() {
        for read in graph.get(&node).into_iter().flatten() {
            if reached.insert(*read) {
                open.push(*read);
            }
        }
    }
    reached
}

fn unused(
    program: &Program,
    node: Node,
    graph: &BTreeMap<Node, BTreeSet<Node>>,
    copies: &Copies<'_>,
) -> Diagnostic {
    match node {
        Node::Fact(span) => {
            let copies = copies.get(&span).map(Vec::as_slice);
            unused_fact(program, span, copies.unwrap_or_default())
        }
        Node::State(id) => {
            let state = &program.states[id.index()];
            let diagnostic = Diagnostic::warning(
                Code::Unused,
                state.span,
                format!("nothing depends on the state `{}`", state.name),
            );
            let only_itself = graph[&node].contains(&node);
            let diagnostic = if only_itself {
                diagnostic.note(format!("only `new {}` itself reads it", state.name))
            } else {
                diagnostic
            };
            diagnostic
                .help("leave it out with all that changes it, or use it in a condition or a report")
        }
        Node::Given(id) => {
            let given = &program.givens[id.index()];
            Diagnostic::warning(
                Code::Unused,
                given.span,
                format!("nothing depends on the given `{}`", given.name),
            )
            .help("leave it out; a word of the transcript that does not matter can be read as a number of its own or as plain text")
        }
    }
}

fn unused_fact(program: &Program, span: Span, copies: &[(FactId, &Fact)]) -> Diagnostic {
    let name = copies.first().map_or("?", |(_, fact)| &fact.name);
    let is_illegal = |id: &FactId| {
        program
            .events
            .iter()
            .any(|event| event.illegal.contains(id))
    };
    let illegal = copies.iter().any(|(id, _)| is_illegal(id));
    if illegal {
        return Diagnostic::error(
            Code::IllegalWithoutEffect,
            span,
            format!("`{name}` is illegal, and nothing follows from that"),
        )
        .help(format!(
            "say what does, in an equation or a report: `… when {name}`; or write `refuse` if such an event does not count"
        ));
    }
    let diagnostic = Diagnostic::warning(
        Code::Unused,
        span,
        format!("nothing depends on the fact `{name}`"),
    );
    let owned = copies.iter().any(|(_, fact)| fact.owner.is_some());
    if owned && nearest(name, ["over", "restart"]).is_some() {
        return diagnostic.did_you_mean(name, ["over", "restart"]);
    }
    diagnostic.help("leave it out, or use it in a condition, an equation or a report")
}

/// Warns of states that are read, but that no event changes.
fn unchanging(program: &Program, live: &BTreeSet<Node>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let equations = program.events.iter().flat_map(|event| &event.equations);
    let changed: BTreeSet<StateId> = equations.map(|equation| equation.state).collect();
    for (index, state) in program.states.iter().enumerate() {
        let id = StateId::new(index);
        if changed.contains(&id) || !live.contains(&Node::State(id)) {
            continue;
        }
        let instead = if state.just {
            "nothing says when it is yes: write `new … = …` in a section, or leave it out"
        } else {
            "write `new … = …` in a section; or make it an `option` or a `fact`"
        };
        diagnostics.push(
            Diagnostic::warning(
                Code::NeverChanges,
                state.span,
                format!("no event changes the state `{}`", state.name),
            )
            .help(instead),
        );
    }
    diagnostics
}
