//! What facts read through other facts, and where they must not.

use super::{Graph, Reads, reads};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Expr, FactId, Reading, Tense},
    source::Span,
};

/// How many steps of a path are shown.
const SHOWN: usize = 6;

/// For each fact that reaches certain reads, the first step of a shortest path to one.
pub(super) struct Reach(Vec<Option<Hop>>);

#[derive(Debug, Clone, Copy)]
pub(super) struct Hop {
    read: super::Read,
    next: Option<FactId>,
}

impl Reach {
    /// Finds the facts with a read that `is_wanted`, themselves or through facts that they call in a tense that
    /// `follows` accepts.
    pub(super) fn new(
        graph: &Graph<'_>,
        is_wanted: impl Fn(Reading) -> bool,
        follows: impl Fn(Tense) -> bool,
    ) -> Self {
        let mut hops: Vec<Option<Hop>> = vec![None; graph.facts.len()];
        let mut callers: Vec<Vec<(FactId, super::Read)>> = vec![Vec::new(); graph.facts.len()];
        let mut open = Vec::new();
        for (index, reads) in graph.facts.iter().enumerate() {
            let id = FactId::new(index);
            for read in &reads.list {
                if is_wanted(read.what) {
                    if hops[index].is_none() {
                        hops[index] = Some(Hop {
                            read: *read,
                            next: None,
                        });
                        open.push(id);
                    }
                } else if let Reading::Fact(callee, tense) = read.what
                    && follows(tense)
                    && let Some(callers) = callers.get_mut(callee.index())
                {
                    callers.push((id, *read));
                }
            }
        }
        // Breadth first, so that paths are shortest.
        let mut at = 0;
        while let Some(fact) = open.get(at).copied() {
            at += 1;
            for (caller, read) in &callers[fact.index()] {
                if hops[caller.index()].is_none() {
                    hops[caller.index()] = Some(Hop {
                        read: *read,
                        next: Some(fact),
                    });
                    open.push(*caller);
                }
            }
        }
        Reach(hops)
    }

    pub(super) fn hop(&self, fact: FactId) -> Option<Hop> {
        self.0.get(fact.index()).copied().flatten()
    }

    /// Adds labels for the path from a fact to the read that it reaches.
    fn path(&self, graph: &Graph<'_>, fact: FactId, diagnostic: Diagnostic) -> Diagnostic {
        let mut diagnostic = diagnostic;
        let mut at = Some(fact);
        for _ in 0..SHOWN {
            let Some((fact, hop)) = at.and_then(|fact| Some((fact, self.hop(fact)?))) else {
                break;
            };
            diagnostic = diagnostic.label(
                hop.read.span,
                format!(
                    "`{}` needs `{}`",
                    graph.fact_name(fact),
                    graph.written(hop.read.what)
                ),
            );
            at = hop.next;
        }
        diagnostic
    }

    /// The read at the end of a fact's path.
    fn end(&self, fact: FactId) -> Option<Reading> {
        let mut hop = self.hop(fact)?;
        while let Some(next) = hop.next {
            hop = self.hop(next)?;
        }
        Some(hop.read.what)
    }
}

/// Whether this reads the state after the event.
pub(super) fn reads_new(reading: Reading) -> bool {
    matches!(
        reading,
        Reading::State(_, Tense::New) | Reading::Fact(_, Tense::New)
    )
}

/// Reports `new` where no event is happening, and reads of state where there is none.
pub(super) fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let new = Reach::new(graph, reads_new, |tense| tense == Tense::Now);
    let state = Reach::new(
        graph,
        |reading| matches!(reading, Reading::State(..)),
        |_| true,
    );
    let given = Reach::new(
        graph,
        |reading| matches!(reading, Reading::Given(_)),
        |_| true,
    );
    let mut diagnostics = Vec::new();
    let all = graph
        .facts
        .iter()
        .chain(graph.equations.values())
        .flat_map(|reads| &reads.list);
    for read in all {
        new_of_new(graph, &new, read, &mut diagnostics);
    }
    for event in &graph.program.events {
        let rows = [
            &event.impossible.rows,
            &event.report.rows,
            &event.refused.rows,
        ];
        for rows in rows {
            for read in Reads::of(reads::of_rows(rows, true)).list {
                new_of_new(graph, &new, &read, &mut diagnostics);
            }
        }
    }
    for (place, expressions) in before_events(graph) {
        for read in Reads::of(expressions).list {
            new_of_new(graph, &new, &read, &mut diagnostics);
            diagnostics.extend(new_before(graph, &new, &read, place));
        }
    }
    if let Some(outcome) = graph.program.outcome {
        let definition = &graph.program.facts[outcome.index()].definition;
        for read in Reads::of(reads::of_definition(definition, true)).list {
            if reads_new(read.what) {
                diagnostics.push(new_at_end(read.span));
            }
            diagnostics.extend(new_before(graph, &new, &read, "`outcome`"));
        }
    }
    for (place, expressions) in without_state(graph) {
        let known = [("state", &state), ("given", &given)];
        let hidden = if place == Without::Givens { 2 } else { 1 };
        for read in Reads::of(expressions).list {
            diagnostics.extend(
                known
                    .iter()
                    .take(hidden)
                    .find_map(|(what, reach)| unknown_read(graph, reach, what, &read, place)),
            );
        }
    }
    diagnostics
}

/// Reports `new f` where `f` says `new` itself.
fn new_of_new(
    graph: &Graph<'_>,
    new: &Reach,
    read: &super::Read,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Reading::Fact(fact, tense @ (Tense::New | Tense::Previous)) = read.what else {
        return;
    };
    let Some(end) = new.end(fact) else {
        return;
    };
    let name = graph.fact_name(fact);
    let when = match tense {
        Tense::Previous => "before the last event",
        Tense::Now | Tense::New => "after the event",
    };
    let diagnostic = Diagnostic::error(
        Code::TenseHere,
        read.span,
        format!(
            "this uses `{name}` in the state {when}, where `{}` means nothing",
            graph.written(end)
        ),
    );
    diagnostics.push(new.path(graph, fact, diagnostic).help(format!(
        "write `{name}` alone, which means that of this event; or define it without `new`"
    )));
}

/// The places where no event is happening, with their expressions.
fn before_events<'p>(graph: &Graph<'p>) -> Vec<(&'static str, Vec<&'p Expr>)> {
    let program = graph.program;
    let mut places = Vec::new();
    for state in &program.states {
        places.push((
            "an initial value",
            reads::of_definition(&state.initial, true),
        ));
    }
    for given in &program.givens {
        if let Some(default) = &given.default {
            places.push(("the value of a given", reads::of_definition(default, true)));
        }
    }
    for event in &program.events {
        if let Some(by) = event.by.expr() {
            places.push(("`by`", vec![&by.value]));
        }
        if let Some(guard) = &event.guard {
            let mut expressions = reads::of_sentence(guard.says.as_ref());
            expressions.push(&guard.condition);
            places.push(("a guard", expressions));
        }
        let next = event.paths.iter().map(|path| &path.next);
        places.push(("`each in`", next.collect()));
        places.push(("`follows`", reads::of_choices(&event.follows)));
    }
    let states = program.states.iter().map(|state| &state.sight);
    let sights = states.chain(program.givens.iter().map(|given| &given.sight));
    let sights = sights.chain(program.events.iter().flat_map(|event| &event.sights));
    let seats = sights.flatten().filter_map(|sight| sight.seats.as_ref());
    places.push(("`seen by`", seats.collect()));
    for policy in &program.policies {
        places.push(("a policy", reads::of_choices(&policy.rows)));
    }
    for transcript in &program.transcripts {
        places.push(("a transcript", reads::of_steps(&transcript.steps)));
    }
    places
}

fn new_before(
    graph: &Graph<'_>,
    new: &Reach,
    read: &super::Read,
    place: &str,
) -> Option<Diagnostic> {
    let Reading::Fact(fact, Tense::Now) = read.what else {
        return None;
    };
    let end = graph.written(new.end(fact)?);
    let name = graph.fact_name(fact);
    let diagnostic = Diagnostic::error(
        Code::TenseHere,
        read.span,
        format!("`{name}` needs `{end}`, which means nothing in {place}"),
    );
    let why = if place == "`follows`" {
        "there the event is done, and `x` is the new value already"
    } else {
        "no event is happening there"
    };
    Some(
        new.path(graph, fact, diagnostic)
            .note(why)
            .help("write a fact without `new` for this place"),
    )
}

/// The error for `fact outcome(p: Side) = new level of p` at the top level.
fn new_at_end(span: Span) -> Diagnostic {
    let message = "`outcome` is worked out after the last event, where `new` means nothing";
    Diagnostic::error(Code::TenseHere, span, message).help(
        "leave out `new`: there `x` is the value after the event; or define `outcome` in the section of the event",
    )
}

/// A place outside any game, by what it must not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Without {
    /// A written form: no state.
    State,
    /// The default of a given: no state.
    Default,
    /// The condition of a type: neither state nor givens.
    Givens,
}

fn without_state<'p>(graph: &Graph<'p>) -> Vec<(Without, Vec<&'p Expr>)> {
    let program = graph.program;
    let mut places = Vec::new();
    for write in &program.writes {
        places.push((Without::State, vec![&write.form]));
    }
    for draw in &program.draws {
        places.push((Without::State, vec![&draw.sign]));
    }
    for given in &program.givens {
        if let Some(default) = &given.default {
            places.push((Without::Default, reads::of_definition(default, true)));
        }
    }
    for (_, condition, _) in &program.conditions {
        places.push((Without::Givens, vec![condition]));
    }
    places
}

fn unknown_read(
    graph: &Graph<'_>,
    reach: &Reach,
    what: &str,
    read: &super::Read,
    place: Without,
) -> Option<Diagnostic> {
    let place = match place {
        Without::State => "a written form",
        Without::Default => "the value of a given",
        Without::Givens => "the condition of a type",
    };
    match read.what {
        Reading::Fact(fact, _) => {
            let end = graph.written(reach.end(fact)?);
            let name = graph.fact_name(fact);
            let diagnostic = Diagnostic::error(
                Code::OutOfSight,
                read.span,
                format!("`{name}` needs the {what} `{end}`, which is not known in {place}"),
            );
            Some(
                reach
                    .path(graph, fact, diagnostic)
                    .help(format!("give `{name}` what it needs as a parameter")),
            )
        }
        // Direct reads in written forms and conditions have been reported before.
        Reading::State(..) if place == "the value of a given" && what == "state" => Some(
            Diagnostic::error(
                Code::OutOfSight,
                read.span,
                format!(
                    "{place} cannot use the state `{}`",
                    graph.written(read.what)
                ),
            )
            .note("givens are known before the game starts, states only from then on"),
        ),
        Reading::State(..) | Reading::Given(_) => None,
    }
}
