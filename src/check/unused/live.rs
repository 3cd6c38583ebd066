//! Facts, states and givens that nothing depends on.

use std::collections::{BTreeMap, BTreeSet};

use super::super::reads::{self, Reads};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    program::{Expr, Fact, FactId, Program, Reading, StateId, question_of},
    source::Span,
    types::GivenId,
};

/// Something that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    /// A fact, by its place in the file: the copies that several events have of it are one.
    Fact(Span),
    /// A state.
    State(StateId),
    /// A given.
    Given(GivenId),
}

/// The facts at each place of the file: several events may have copies of one.
type Copies<'p> = BTreeMap<Span, Vec<(FactId, &'p Fact)>>;

/// Reports what nothing that is said, refused or ended depends on.
pub(super) fn check(program: &Program, bounds: &BTreeSet<GivenId>) -> Vec<Diagnostic> {
    let things = things(program);
    let mut live: BTreeSet<Thing> = bounds.iter().map(|given| Thing::Given(*given)).collect();
    live.extend(roots(program));
    let live = closure(&things, live, BTreeSet::new());
    let dead: Vec<Thing> = things
        .keys()
        .copied()
        .filter(|thing| !live.contains(thing))
        .collect();
    let mut explained: BTreeSet<Thing> = BTreeSet::new();
    let mut reported = Vec::new();
    // What only something unused reads is unused because of that: one message says both.
    let read_by_dead: BTreeSet<Thing> = dead
        .iter()
        .flat_map(|thing| things[thing].iter().filter(move |read| *read != thing))
        .copied()
        .collect();
    let mut copies: Copies<'_> = BTreeMap::new();
    for (index, fact) in program.facts.iter().enumerate() {
        let copies = copies.entry(fact.span).or_default();
        copies.push((FactId::new(index), fact));
    }
    let tops = dead.iter().filter(|thing| !read_by_dead.contains(thing));
    for thing in tops.chain(&dead) {
        if explained.contains(thing) {
            continue;
        }
        explained = closure(&things, BTreeSet::from([*thing]), explained);
        reported.push(unused(program, *thing, &things, &copies));
    }
    reported.extend(unchanging(program, &live));
    reported
}

/// Everything that can be read, with what it reads itself.
fn things(program: &Program) -> BTreeMap<Thing, BTreeSet<Thing>> {
    let mut things: BTreeMap<Thing, BTreeSet<Thing>> = BTreeMap::new();
    for fact in &program.facts {
        let reads = read_things(program, reads::of_definition(&fact.definition, true));
        things
            .entry(Thing::Fact(fact.span))
            .or_default()
            .extend(reads);
    }
    for (index, state) in program.states.iter().enumerate() {
        let reads = read_things(program, reads::of_definition(&state.initial, true));
        things.insert(Thing::State(StateId::new(index)), reads);
    }
    for (index, given) in program.givens.iter().enumerate() {
        let expressions = given
            .default
            .as_ref()
            .map(|default| reads::of_definition(default, true));
        let reads = read_things(program, expressions.unwrap_or_default());
        things.insert(Thing::Given(GivenId::new(index)), reads);
    }
    for event in &program.events {
        for equation in &event.equations {
            let mut reads = read_things(program, reads::of_definition(&equation.definition, true));
            let begins = equation.begins;
            reads.extend(begins.and_then(|fact| fact_thing(program, fact)));
            things
                .entry(Thing::State(equation.state))
                .or_default()
                .extend(reads);
        }
    }
    things
}

fn read_things(program: &Program, expressions: Vec<&Expr>) -> BTreeSet<Thing> {
    Reads::of(expressions)
        .list
        .iter()
        .filter_map(|read| match read.what {
            Reading::State(state, _) => Some(Thing::State(state)),
            Reading::Fact(fact, _) => fact_thing(program, fact),
            Reading::Given(given) => Some(Thing::Given(given)),
        })
        .collect()
}

fn fact_thing(program: &Program, fact: FactId) -> Option<Thing> {
    let fact = program.facts.get(fact.index())?;
    Some(Thing::Fact(fact.span))
}

/// What is read where something comes of it.
fn roots(program: &Program) -> BTreeSet<Thing> {
    let mut expressions: Vec<&Expr> = Vec::new();
    // What a transcript asks is told to whoever asks.
    let asked = program.facts.iter();
    let asked = asked.filter(|fact| question_of(&fact.name).is_some());
    let mut roots: BTreeSet<Thing> = asked.map(|fact| Thing::Fact(fact.span)).collect();
    for event in &program.events {
        let acting = event.refuse.iter().chain(&event.over).chain(&event.restart);
        let acting = acting.chain(&event.outcome);
        roots.extend(acting.filter_map(|fact| fact_thing(program, *fact)));
        for rows in [
            &event.impossible.rows,
            &event.report.rows,
            &event.refused.rows,
        ] {
            expressions.extend(reads::of_rows(rows, true));
        }
        expressions.extend(event.by.asked().map(|asked| &asked.value));
        let rows = event.report.rows.iter().chain(&event.refused.rows);
        let sights = event.sights.iter().chain(rows.map(|row| &row.sight));
        expressions.extend(sights.flatten().filter_map(|sight| sight.seats.as_ref()));
        if let Some(guard) = &event.guard {
            expressions.push(&guard.condition);
            expressions.extend(reads::of_sentence(guard.says.as_ref()));
        }
        expressions.extend(reads::of_choices(&event.follows));
    }
    roots.extend(program.outcome.and_then(|fact| fact_thing(program, fact)));
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
    roots.extend(read_things(program, expressions));
    roots
}

/// The things, and all that they read, and so on, besides what was reached already.
fn closure(
    things: &BTreeMap<Thing, BTreeSet<Thing>>,
    from: BTreeSet<Thing>,
    mut reached: BTreeSet<Thing>,
) -> BTreeSet<Thing> {
    let mut open: Vec<Thing> = from.iter().copied().collect();
    reached.extend(from);
    while let Some(thing) = open.pop() {
        for read in things.get(&thing).into_iter().flatten() {
            if reached.insert(*read) {
                open.push(*read);
            }
        }
    }
    reached
}

fn unused(
    program: &Program,
    thing: Thing,
    things: &BTreeMap<Thing, BTreeSet<Thing>>,
    copies: &Copies<'_>,
) -> Diagnostic {
    match thing {
        Thing::Fact(span) => {
            let copies = copies.get(&span).map(Vec::as_slice);
            unused_fact(program, span, copies.unwrap_or_default())
        }
        Thing::State(id) => {
            let state = &program.states[id.index()];
            let diagnostic = Diagnostic::warning(
                Code::Unused,
                state.span,
                format!("nothing depends on the state `{}`", state.name),
            );
            let only_itself = things[&thing].contains(&thing);
            let diagnostic = if only_itself {
                diagnostic.note(format!("only `new {}` itself reads it", state.name))
            } else {
                diagnostic
            };
            diagnostic
                .help("leave it out with all that changes it, or use it in a condition or a report")
        }
        Thing::Given(id) => {
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

/// States that are read and that no event changes.
fn unchanging(program: &Program, live: &BTreeSet<Thing>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let equations = program.events.iter().flat_map(|event| &event.equations);
    let changed: BTreeSet<StateId> = equations.map(|equation| equation.state).collect();
    for (index, state) in program.states.iter().enumerate() {
        let id = StateId::new(index);
        if changed.contains(&id) || !live.contains(&Thing::State(id)) {
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
