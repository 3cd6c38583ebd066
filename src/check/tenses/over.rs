//! Games that end one event late, because `over` reads the old value of what the event changes, and outcomes that see what
//! the last event resets.

use std::collections::BTreeSet;

use super::{Reached, TenseCheck};
use crate::{
    builtins::Builtin,
    check::{
        reads::{self, Read, Reads},
        rounds,
    },
    diagnostic::{Code, Diagnostic},
    program::{
        Arithmetic, Body, Definition, Equation, Event, Expr, ExprKind, FactId, How, Program,
        Reading, StateId, Tense, is_same,
    },
    source::Span,
    types::Type,
};

impl TenseCheck<'_> {
    /// Warns of `fact over = score of t >= 25` where the event adds to the score.
    pub(super) fn over(&mut self, event: &Event) {
        let Some(over) = event.over else { return };
        let program = self.program;
        let definition = &program.facts[over.index()].definition;
        let mut seen = BTreeSet::from([over]);
        for expressions in alternatives(definition) {
            self.alternative(event, expressions, &mut seen);
        }
    }

    /// Warns of one of the conditions of which any ends the game.
    fn alternative(&mut self, event: &Event, expressions: Vec<&Expr>, seen: &mut BTreeSet<FactId>) {
        let program = self.program;
        // If it says `new` anywhere, its other reads of old values are intended, except directly in it.
        let says_new = |read: &Read| match read.what {
            Reading::State(_, tense) => tense == Tense::New,
            Reading::Fact(_, Tense::New) => true,
            Reading::Fact(fact, _) => self.facts.get(fact.index()).is_some_and(|fact| fact.new),
            Reading::Given(_) => false,
        };
        let reads = Reads::of(expressions.iter().copied()).list;
        let says_new = reads.iter().any(says_new);
        // Each group of expressions with its distance from `over` and, once a fact of the whole game was called, the
        // place of that call: a tense is written there.
        let mut open = vec![(expressions, 0, None)];
        while let Some((expressions, depth, called_at)) = open.pop() {
            for read in Reads::of(expressions.iter().copied()).list {
                if let Reading::Fact(called, Tense::Now) = read.what
                    && !self.says_old(read.span)
                    && seen.insert(called)
                {
                    let is_of_game = program.facts[called.index()].owner.is_none();
                    let at = called_at.or_else(|| is_of_game.then_some(read.span));
                    let definition = &program.facts[called.index()].definition;
                    open.push((reads::of_definition(definition, false), depth + 1, at));
                }
            }
            if says_new && depth > 0 {
                continue;
            }
            // In facts farther from `over`, a number before the event often says which stage of the game this is.
            let is_near = depth < 2;
            for expression in expressions {
                if depth == 0 && !says_new {
                    self.compared_with_constant(event, expression);
                }
                expression.walk(&mut |part| {
                    if is_near {
                        self.searched(event, part, called_at);
                    }
                    let sides = match &part.kind {
                        ExprKind::Order { left, right, .. } => [left, right],
                        ExprKind::Is(left, right) if is_near && !says_new => [left, right],
                        _ => return,
                    };
                    for side in sides {
                        self.compared(event, side, called_at);
                    }
                });
            }
        }
    }

    /// Warns if `over` only compares a state with a constant, and a field of the event sets the state: `over = lead is
    /// B`.
    fn compared_with_constant(&mut self, event: &Event, condition: &Expr) {
        let ExprKind::Is(one, other) = &condition.kind else {
            return;
        };
        let constant = |side: &Expr| matches!(side.kind, ExprKind::Constant(_));
        let side = match (constant(one), constant(other)) {
            (true, false) => other,
            (false, true) => one,
            _ => return,
        };
        let Some((state, span)) = read_entry(side) else {
            return;
        };
        let mut equations = event.equations.iter();
        let Some(equation) = equations.find(|equation| equation.state == state) else {
            return;
        };
        let mut is_from_field = false;
        for value in reads::of_definition(&equation.definition, false) {
            value.walk(&mut |part| is_from_field |= matches!(part.kind, ExprKind::EventField(_)));
        }
        if is_from_field && equation.begins.is_none() && !self.says_old(span) {
            self.warn_late(equation, side.span);
        }
    }

    /// Warns if one side of a comparison is a number that the event adds to: alone, in a sum, or as the value of a fact
    /// that is called here. `called_at` is the call in the event that led here, if there is one.
    fn compared(&mut self, event: &Event, side: &Expr, called_at: Option<Span>) {
        let program = self.program;
        match &side.kind {
            ExprKind::Arithmetic {
                operator: Arithmetic::Add | Arithmetic::Subtract,
                left,
                right,
            } => {
                // A sum with a field or a constant is the new value, computed by hand.
                if is_of_state(left) && is_of_state(right) {
                    self.compared(event, left, called_at);
                    self.compared(event, right, called_at);
                }
                return;
            }
            ExprKind::Fact {
                fact,
                tense: Tense::Now,
                ..
            } if called_at.is_none() && !self.says_old(side.span) => {
                let fact = &program.facts[fact.index()];
                if fact.owner.is_none()
                    && let Some(value) = entry_of(&fact.definition)
                {
                    self.compared(event, value, Some(side.span));
                }
                return;
            }
            _ => {}
        }
        let Some((state, _)) = read_entry(side).filter(|(_, span)| !self.says_old(*span)) else {
            return;
        };
        let mut equations = event.equations.iter();
        let Some(equation) = equations.find(|equation| equation.state == state) else {
            return;
        };
        // The first value of a state that the event resets may depend on `over`, so `new` could be a cycle.
        if equation.begins.is_some() {
            return;
        }
        let mut adds = false;
        for expression in reads::of_definition(&equation.definition, false) {
            expression.walk(&mut |part| {
                if let ExprKind::Arithmetic {
                    operator: Arithmetic::Add | Arithmetic::Subtract,
                    left,
                    right,
                } = &part.kind
                {
                    let sides = [left, right].into_iter();
                    let mut states = sides.filter_map(|side| read_entry(side));
                    adds |= states.any(|(read, _)| read == state);
                }
            });
        }
        if adds && !self.says_old(side.span) {
            self.warn_late(equation, called_at.unwrap_or(side.span));
        }
    }

    /// Warns if the event changes a collection that is counted or searched: `over = size of hand is 0`.
    fn searched(&mut self, event: &Event, part: &Expr, called_at: Option<Span>) {
        let is_size = matches!(part.kind, ExprKind::Builtin(Builtin::Size, _));
        let mut open = match &part.kind {
            ExprKind::Builtin(Builtin::Size, arguments) => arguments.iter().collect(),
            ExprKind::Is(collection, empty) if is_empty(empty) => vec![&**collection],
            ExprKind::Quantified {
                bindings,
                condition,
                ..
            } => {
                let collections = bindings.iter().map(|(_, collection)| collection);
                collections.chain([&**condition]).collect::<Vec<_>>()
            }
            _ => return,
        };
        while let Some(expression) = open.pop() {
            let read = match &expression.kind {
                // These compute the new collection.
                ExprKind::With(..)
                | ExprKind::Without(..)
                | ExprKind::Then(..)
                | ExprKind::But { .. } => continue,
                ExprKind::Fact {
                    fact,
                    tense: Tense::Now,
                    ..
                } if is_size => {
                    self.sized_fact(event, *fact, called_at.unwrap_or(expression.span));
                    None
                }
                _ => read_entry(expression),
            };
            let Some((state, span)) = read else {
                match &expression.kind {
                    // Its key only selects the entry.
                    ExprKind::Entry { map, .. } => open.push(map),
                    _ => expression.children(&mut |child| open.push(child)),
                }
                continue;
            };
            let mut equations = event.equations.iter();
            let equation = equations.find(|equation| equation.state == state);
            if let Some(equation) = equation
                && equation.begins.is_none()
                && !self.says_old(span)
            {
                self.warn_late(equation, called_at.unwrap_or(expression.span));
            }
        }
    }

    /// Warns if the size of a fact of the whole game is used, and the fact depends on what the event changes.
    fn sized_fact(&mut self, event: &Event, fact: FactId, span: Span) {
        if self.says_old(span) {
            return;
        }
        let mut equations = event.equations.iter();
        let changed = equations.find(|equation| {
            equation.begins.is_none()
                && self
                    .stale(fact, &BTreeSet::from([equation.state]))
                    .is_some()
        });
        if let Some(equation) = changed {
            self.warn_late(equation, span);
        }
    }

    /// Adds the warning that `over` reads the old value of what the event changes.
    fn warn_late(&mut self, equation: &Equation, span: Span) {
        let state = equation.state;
        let name = &self.program.states[state.index()].name;
        let message = format!(
            "`over` asks what `{name}` was before this event, which changes it: if that is not meant, the game ends one event late"
        );
        let mut known = self.diagnostics.iter();
        if known.any(|known| known.span == span) {
            return;
        }
        self.warn_which_tense(span, message, " if that is meant");
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics
                .push(last.label(equation.span, "it changes here"));
        }
    }
}

/// The conditions of which any makes a definition hold, each with the expressions that it consists of.
fn alternatives(definition: &Definition) -> Vec<Vec<&Expr>> {
    match &definition.body {
        Body::Table(table) if table.how == How::Any => {
            let rows = table.rows.iter().map(std::slice::from_ref);
            rows.map(|row| reads::of_rows(row, false)).collect()
        }
        Body::Expression(value) => {
            let (mut open, mut all) = (vec![value], Vec::new());
            while let Some(one) = open.pop() {
                match &one.kind {
                    ExprKind::Or(left, right) => open.extend([&**right, left]),
                    _ => all.push(vec![one]),
                }
            }
            all
        }
        Body::Table(_) | Body::By(_) => vec![reads::of_definition(definition, false)],
    }
}

/// The value of a definition that is just a state, or an entry of one.
fn entry_of(definition: &Definition) -> Option<&Expr> {
    let values = reads::of_definition(definition, false);
    let [value] = values.as_slice() else {
        return None;
    };
    read_entry(value).is_some().then_some(*value)
}

/// Whether an expression depends on states, and not on the event or a constant alone.
fn is_of_state(expression: &Expr) -> bool {
    let (mut reads, mut has_field) = (false, false);
    expression.walk(&mut |part| match part.kind {
        ExprKind::State(..) | ExprKind::Fact { .. } => reads = true,
        ExprKind::EventField(_) => has_field = true,
        _ => {}
    });
    // In the key of an entry, a field only selects the entry.
    reads
        && (!has_field
            || read_entry(expression).is_some()
            || matches!(expression.kind, ExprKind::Fact { .. }))
}

/// Whether an expression is `empty`.
fn is_empty(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Collect(items) => items.is_empty(),
        ExprKind::Converted(inner) => is_empty(inner),
        _ => false,
    }
}

/// The state that an expression reads before the event, whole or one entry of it.
fn read_entry(expression: &Expr) -> Option<(StateId, Span)> {
    let map = rounds::map_of(expression);
    match map.kind {
        ExprKind::State(state, Tense::Now) => Some((state, map.span)),
        _ => None,
    }
}

/// Warns of an `outcome` that reads a state which the event that ends the game resets.
pub(super) fn reset_outcome(
    program: &Program,
    event: &Event,
    facts: &[Reached],
) -> Option<Diagnostic> {
    let outcome = event.outcome.or(program.outcome)?;
    let reached = facts.get(outcome.index())?;
    // What a fact of an event reads plainly is from before it.
    let read = match program.facts[outcome.index()].owner {
        Some(_) => &reached.news,
        None => &reached.old,
    };
    let holds = implied_by(program, event.over?);
    event.begin.iter().find_map(|(outer, begin)| {
        let mut conditions = begin.conditions.iter().flat_map(rounds::parts);
        let fires = conditions.all(|condition| holds.iter().any(|one| is_same(one, condition)));
        let is_reset = |state: &&StateId| {
            let mut round = program.states[state.index()].round;
            while let Some(at) = round.filter(|at| at != outer) {
                round = program.rounds[at].within;
            }
            round.is_some()
        };
        let state = read.iter().find(is_reset).filter(|_| fires && begin.bindings.is_empty())?;
        let (name, round) = (
            &program.states[state.index()].name,
            &program.rounds[*outer].name,
        );
        let message = format!(
            "`{name}` begins again with `{round}` in the last `{}`, so `outcome` sees what it begins with",
            event.name
        );
        let help = format!("write `begin | {}: {round} when … unless over`", begin.label);
        let span = program.facts[outcome.index()].span;
        Some(
            Diagnostic::warning(Code::WhichTense, span, message)
                .label(begin.span, "it begins again here")
                .help(help),
        )
    })
}

/// What holds whenever a fact without parameters does: its parts, split at `and`, and theirs.
fn implied_by(program: &Program, fact: FactId) -> Vec<Expr> {
    let mut seen = BTreeSet::new();
    let mut open = vec![fact];
    let mut all = Vec::new();
    while let Some(fact) = open.pop() {
        let it = &program.facts[fact.index()];
        if !seen.insert(fact) {
            continue;
        }
        let own = ExprKind::Fact {
            fact,
            tense: Tense::Now,
            arguments: Vec::new(),
        };
        all.push(Expr::new(own, Type::YesNo, it.span));
        let Body::Expression(value) = &it.definition.body else {
            continue;
        };
        for part in rounds::parts(value) {
            match &part.kind {
                ExprKind::Fact {
                    fact,
                    tense: Tense::Now,
                    arguments,
                } if arguments.is_empty() => open.push(*fact),
                _ => all.push(part.clone()),
            }
        }
    }
    all
}
