//! Values of the wrong tense: an old value where the new one seems to be intended.

mod over;

use std::collections::BTreeSet;

use super::{
    reads::{self, Read, Reads},
    rounds,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{
        Body, Equation, Event, Expr, ExprKind, FactId, How, Program, Reading, Row, StateId, Tense,
        is_same,
    },
    source::{SourceId, Sources, Span},
};

/// Warns of old values that seem to be meant as new ones.
pub(super) fn check(program: &Program, sources: &Sources) -> Vec<Diagnostic> {
    let mut check = TenseCheck::new(program, sources);
    let owned = program.facts_of_events();
    for (index, event) in program.events.iter().enumerate().skip(1) {
        let changed = event.equations.iter().map(|equation| equation.state);
        let changed: BTreeSet<StateId> = changed.collect();
        check.reports(event, &changed);
        check.over(event);
        let news = |fact: FactId| check.facts.get(fact.index()).map(|fact| &fact.news);
        let uses = rounds::stale_uses(program, event, &news);
        check.diagnostics.extend(uses);
        let reset = over::reset_outcome(program, event, &check.facts);
        check.diagnostics.extend(reset);
        check.follows(event, &changed);
        for fact in &owned[index] {
            let fact = &program.facts[fact.index()];
            if let Body::Table(table) = &fact.definition.body
                && matches!(table.how, How::First | How::Any | How::All)
            {
                check.conditions(&table.rows, &changed);
            }
        }
    }
    check.diagnostics
}

/// Warns of facts that a report or an outcome alone needs, and that read the old value of a state which only another
/// file lets the event change. `game` is the game's own file, and `knows` says whether the author of one file knew of
/// another.
pub(crate) fn check_joined(
    program: &Program,
    sources: &Sources,
    game: SourceId,
    knows: &dyn Fn(SourceId, SourceId) -> bool,
) -> Vec<Diagnostic> {
    let mut check = TenseCheck::new(program, sources);
    for event in &program.events {
        check.joined(event, game, knows);
    }
    check.diagnostics
}

/// The states that a fact reads, itself or through other facts.
#[derive(Debug, Clone, Default)]
struct Reached {
    /// The states that it reads as they are before an event.
    old: BTreeSet<StateId>,
    /// The states that it reads as they are after the event.
    news: BTreeSet<StateId>,
    /// Whether it says `new`.
    new: bool,
}

/// A call of a fact: its fact, its arguments, its tense.
type Call<'p> = (&'p Expr, FactId, &'p [Expr], Tense);

/// The calls of facts in a row of a report.
fn calls(row: &Row) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    for expression in reads::of_rows(std::slice::from_ref(row), false) {
        expression.walk(&mut |part| match &part.kind {
            ExprKind::Fact {
                fact,
                tense,
                arguments,
            } => calls.push((part, *fact, &**arguments, *tense)),
            ExprKind::Tabulated(fact, tense) => calls.push((part, *fact, [].as_slice(), *tense)),
            _ => {}
        });
    }
    calls
}

struct TenseCheck<'p> {
    program: &'p Program,
    sources: &'p Sources,
    facts: Vec<Reached>,
    diagnostics: Vec<Diagnostic>,
}

impl<'p> TenseCheck<'p> {
    fn new(program: &'p Program, sources: &'p Sources) -> TenseCheck<'p> {
        let mut check = TenseCheck {
            program,
            sources,
            facts: Vec::new(),
            diagnostics: Vec::new(),
        };
        check.facts = check.reach();
        check
    }

    fn reach(&self) -> Vec<Reached> {
        let facts = self.program.facts.iter();
        let reads: Vec<Reads> = facts
            .map(|fact| Reads::of(reads::of_definition(&fact.definition, false)))
            .collect();
        let mut known: Vec<Option<Reached>> = vec![None; reads.len()];
        for root in 0..reads.len() {
            let mut open = vec![root];
            while let Some(fact) = open.pop() {
                if known[fact].is_some() {
                    continue;
                }
                // A fact may call itself; other cycles have been rejected.
                let callee = |read: &Read| match read.what {
                    Reading::Fact(called, Tense::Now) if called.index() != fact => {
                        Some(called.index())
                    }
                    _ => None,
                };
                let list = &reads[fact].list;
                let unknown: Vec<usize> = list
                    .iter()
                    .filter_map(callee)
                    .filter(|called| known[*called].is_none())
                    .collect();
                if !unknown.is_empty() {
                    open.push(fact);
                    open.extend(unknown);
                    continue;
                }
                let mut reached = Reached::default();
                for read in list {
                    match read.what {
                        Reading::State(state, Tense::Now) => {
                            reached.old.insert(state);
                        }
                        Reading::State(state, Tense::New) => {
                            reached.news.insert(state);
                            reached.new = true;
                        }
                        Reading::Fact(_, Tense::New) => reached.new = true,
                        _ => {}
                    }
                    if let Some(other) = callee(read).and_then(|called| known[called].as_ref()) {
                        reached.old.extend(&other.old);
                        reached.news.extend(&other.news);
                        reached.new |= other.new;
                    }
                }
                known[fact] = Some(reached);
            }
        }
        known.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Whether the rules say `old` here: then the old value is intended.
    fn says_old(&self, span: Span) -> bool {
        let before = self.sources.get(span.source);
        let before = before.and_then(|source| source.text.get(..span.start as usize));
        self.text_of(span).starts_with("old ")
            || before.is_some_and(|before| before.trim_end().ends_with("old"))
    }

    /// The text of an expression, without a `not`, which stands before the tense, and without parentheses around it.
    fn text_of(&self, span: Span) -> &str {
        let text = self.sources.text(span).trim_start_matches("not ");
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        inner.map_or(text, str::trim)
    }

    /// A state that the event changes and a fact of the whole game reads as it was before.
    fn stale(&self, fact: FactId, changed: &BTreeSet<StateId>) -> Option<StateId> {
        let reached = self.facts.get(fact.index())?;
        let of_event = self.program.facts.get(fact.index())?.owner.is_some();
        let mut stale = reached.old.intersection(changed).copied();
        stale.next().filter(|_| !of_event && !reached.new)
    }

    /// Warns of `report | now: "{level}"` where the fact `level` depends on what the event changes.
    fn reports(&mut self, event: &Event, changed: &BTreeSet<StateId>) {
        for row in &event.report.rows {
            let calls = calls(row);
            for (call, fact, arguments, tense) in &calls {
                let Some(state) = self.stale(*fact, changed).filter(|_| *tense == Tense::Now)
                else {
                    continue;
                };
                // Beside `new f(x)` it is clear that `f(x)` is the old value.
                let beside_new = |(_, other, others, tense): &Call| {
                    let all_same = |(one, other)| is_same(one, other);
                    *tense == Tense::New
                        && other == fact
                        && arguments.iter().zip(*others).all(all_same)
                };
                if self.says_old(call.span) || calls.iter().any(beside_new) {
                    continue;
                }
                let name = &self.program.facts[fact.index()].name;
                let state = &self.program.states[state.index()].name;
                let message = format!(
                    "`{name}` needs `{state}`, which changes in this event; in a report say which value you mean"
                );
                self.warn_which_tense(call.span, message, "");
            }
        }
    }

    /// Warns of `fact sum = score of A + score of B` that only a report needs, where another file lets the event change
    /// the score.
    fn joined(
        &mut self,
        event: &Event,
        game: SourceId,
        knows: &dyn Fn(SourceId, SourceId) -> bool,
    ) {
        let shown = self.own_facts(reads::of_rows(&event.report.rows, false), event.outcome);
        let mut deciding = reads::of_rows(&event.impossible.rows, false);
        deciding.extend(reads::of_choices(&event.follows));
        for equation in &event.equations {
            deciding.extend(reads::of_definition(&equation.definition, false));
        }
        for (_, row) in &event.begin {
            deciding.extend(reads::of_rows(std::slice::from_ref(row), false));
        }
        let rules = event.refuse.iter().chain(&event.illegal);
        let rules = rules.chain(&event.over).chain(&event.restart).copied();
        let deciding = self.own_facts(deciding, rules);
        for fact in shown.difference(&deciding) {
            let definition = &self.program.facts[fact.index()].definition;
            for read in Reads::of(reads::of_definition(definition, false)).list {
                let late = |equation: &&Equation| {
                    let is_other = read.span.source != equation.span.source;
                    let state = equation.state;
                    let reads_old = match read.what {
                        Reading::State(read, Tense::Now) => read == state,
                        Reading::Fact(fact, Tense::Now) => {
                            self.stale(fact, &BTreeSet::from([state])).is_some()
                        }
                        _ => false,
                    };
                    let reached = &self.facts[fact.index()];
                    let is_meant = reached.news.contains(&state) || self.says_old(read.span);
                    let (reader, changer) = (read.span.source, equation.span.source);
                    is_other && reads_old && !is_meant && !knows(reader, changer)
                };
                let Some(equation) = event.equations.iter().find(late) else {
                    continue;
                };
                if read.span.source == game {
                    let warning = self.old_in_game(event, *fact, &read, equation);
                    self.diagnostics.push(warning);
                    continue;
                }
                let state = &self.program.states[equation.state.index()].name;
                let message = format!(
                    "this is `{state}` from before `{0}`: another variant lets `{0}` change it",
                    event.name
                );
                self.warn_which_tense(read.span, message, " if that is meant");
                if let Some(last) = self.diagnostics.pop() {
                    self.diagnostics
                        .push(last.label(equation.span, "it changes here"));
                }
            }
        }
    }

    /// Warns of a state that a variant lets an event change, where a fact of the game reads the old value.
    fn old_in_game(
        &self,
        event: &Event,
        fact: FactId,
        read: &Read,
        equation: &Equation,
    ) -> Diagnostic {
        let (name, state) = (
            &event.name,
            &self.program.states[equation.state.index()].name,
        );
        let fact = &self.program.facts[fact.index()];
        let (called, text) = (&fact.name, self.text_of(read.span));
        // Its name, its parameters and its type.
        let source = self.sources.get(fact.span.source);
        let rest = source.and_then(|source| source.text.get(fact.span.range().start..));
        let head = rest.and_then(|rest| rest.split('=').next());
        let head = head.map_or(&**called, str::trim);
        let message =
            format!("`{name}` changes `{state}` here, but `{called}` uses the one from before");
        let how = if event.span.source == equation.span.source {
            format!("say in `on {name}` what `{called}` is for it, `fact {head} = …`")
        } else {
            format!("say what `{called}` is, `replace {name}.{called} = …`")
        };
        Diagnostic::warning(Code::WhichTense, equation.span, message)
            .label(read.span, "this is from before the event")
            .help(format!(
                "{how}: with `new {text}` for the value after it, or `old {text}` if that is meant"
            ))
    }

    /// The event's own facts that these expressions and facts need.
    fn own_facts<'e>(
        &self,
        expressions: impl IntoIterator<Item = &'e Expr>,
        facts: impl IntoIterator<Item = FactId>,
    ) -> BTreeSet<FactId> {
        let program = self.program;
        let called = |reads: Reads| {
            let facts = reads.list.into_iter().filter_map(|read| match read.what {
                Reading::Fact(fact, Tense::Now) => Some(fact),
                _ => None,
            });
            facts.collect::<Vec<_>>()
        };
        let mut open = called(Reads::of(expressions));
        open.extend(facts);
        let mut own = BTreeSet::new();
        while let Some(fact) = open.pop() {
            if program.facts[fact.index()].owner.is_some() && own.insert(fact) {
                let definition = &program.facts[fact.index()].definition;
                open.extend(called(Reads::of(reads::of_definition(definition, false))));
            }
        }
        own
    }

    /// Warns of `follows | walk: walk when fourth` where the event's own fact `fourth` depends on what the event
    /// changes.
    fn follows(&mut self, event: &Event, changed: &BTreeSet<StateId>) {
        for read in Reads::of(reads::of_choices(&event.follows)).list {
            let Reading::Fact(fact, Tense::Now) = read.what else {
                continue;
            };
            let program = self.program;
            let mut late = self.facts[fact.index()].old.intersection(changed);
            let fact = &program.facts[fact.index()];
            let (Some(state), true) = (late.next(), fact.owner.is_some()) else {
                continue;
            };
            let (name, state) = (&fact.name, &program.states[state.index()].name);
            let message =
                format!("`follows` comes after the event, so `{name}` uses the new `{state}` here");
            // `previous` means before the event that was read, which may be another one.
            let mut others = program.events.iter().flat_map(|event| &event.follows);
            let follows =
                others.any(|choice| program.events[choice.event.index()].span == event.span);
            let help = if follows {
                format!(
                    "keep what decides in a state of its own, and ask for that; for the value after the event, move `{name}` out of `on`"
                )
            } else {
                format!(
                    "write the condition of `{name}` here, with `previous {state}` for the value before the event; for the value after it, move `{name}` out of `on`"
                )
            };
            self.diagnostics.push(
                Diagnostic::warning(Code::WhichTense, read.span, message)
                    .label(fact.span, "this is evaluated again")
                    .help(help),
            );
        }
    }

    /// Warns of a condition on the old state in a table whose other conditions are on the new one.
    fn conditions(&mut self, rows: &[Row], changed: &BTreeSet<StateId>) {
        let mut news = 0;
        let mut olds = Vec::new();
        for condition in rows.iter().flat_map(|row| &row.conditions) {
            let (mut new, mut old) = (false, None);
            for read in Reads::of([condition]).list {
                match read.what {
                    Reading::State(_, Tense::New) | Reading::Fact(_, Tense::New) => new = true,
                    Reading::State(state, Tense::Now) if changed.contains(&state) => {
                        old = Some(read);
                    }
                    Reading::Fact(fact, Tense::Now) if self.stale(fact, changed).is_some() => {
                        old = Some(read);
                    }
                    _ => {}
                }
            }
            match old {
                _ if new => news += 1,
                Some(read) if !self.says_old(read.span) => olds.push(read),
                _ => {}
            }
        }
        let [read] = olds.as_slice() else { return };
        if news < 2 {
            return;
        }
        let name = match read.what {
            Reading::State(state, _) => &self.program.states[state.index()].name,
            Reading::Fact(fact, _) => &self.program.facts[fact.index()].name,
            Reading::Given(_) => return,
        };
        let message = format!(
            "this uses `{name}` from before the event, but the other conditions of this table use what is `new`"
        );
        self.warn_which_tense(read.span, message, " if that is meant");
    }

    /// Adds a warning that asks which value is intended.
    fn warn_which_tense(&mut self, span: Span, message: String, otherwise: &str) {
        let text = self.text_of(span);
        let before = self.sources.text(span).find(text).unwrap_or_default();
        let start = span.range().start + before;
        let span = Span::new(span.source, start..start + text.len());
        self.diagnostics.push(
            Diagnostic::warning(Code::WhichTense, span, message)
                .help(format!("write `new {text}`, or `old {text}`{otherwise}"))
                .edit(span.head(), "new ", false)
                .edit(span.head(), "old ", false),
        );
    }
}
