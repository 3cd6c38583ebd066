//! A game that ends one event late: `over` asks for the old value of what the event changes.

use std::collections::BTreeSet;

use super::Traps;
use crate::{
    builtins::Builtin,
    check::{
        begins,
        reads::{self, Reads},
    },
    program::{
        Arithmetic, Definition, Equation, Event, Expr, ExprKind, FactId, Reading, StateId, Tense,
    },
    source::Span,
};

impl Traps<'_> {
    /// `fact over = score of t >= 25` where the event adds to the score.
    pub(super) fn over(&mut self, event: &Event) {
        let Some(over) = event.over else { return };
        let program = self.program;
        let Some(reached) = self.facts.get(over.index()) else {
            return;
        };
        // Beside what is new, farther from `over`, what is old is meant to be.
        let says_new = reached.new;
        // With each fact, where the event asks for it if it is one of the whole game: that place says which value is meant.
        let mut open = vec![(over, 0, None)];
        let mut seen = BTreeSet::from([over]);
        while let Some((fact, depth, asked_at)) = open.pop() {
            let definition = &program.facts[fact.index()].definition;
            let expressions = reads::of_definition(definition, false);
            for read in Reads::of(expressions.iter().copied()).list {
                if let Reading::Fact(asked, Tense::Now) = read.what
                    && !self.says_old(read.span)
                    && seen.insert(asked)
                {
                    let is_of_game = program.facts[asked.index()].owner.is_none();
                    let at = asked_at.or_else(|| is_of_game.then_some(read.span));
                    open.push((asked, depth + 1, at));
                }
            }
            if says_new && depth > 0 {
                continue;
            }
            // Farther from `over`, what a number is before an event says which stage of the game this is.
            let is_near = depth < 2;
            for expression in expressions {
                if depth == 0 && !says_new {
                    self.told_before(event, expression);
                }
                expression.walk(&mut |part| {
                    if is_near {
                        self.looked_over(event, part, asked_at);
                    }
                    let sides = match &part.kind {
                        ExprKind::Order { left, right, .. } => [left, right],
                        ExprKind::Is(left, right) if is_near && !says_new => [left, right],
                        _ => return,
                    };
                    for side in sides {
                        self.counted(event, side, asked_at);
                    }
                });
            }
        }
    }

    /// Warns if all that `over` asks is whether a state has one value, and the event says the new one: `over = lead is B`.
    fn told_before(&mut self, event: &Event, condition: &Expr) {
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
        let mut is_told = false;
        for value in reads::of_definition(&equation.definition, false) {
            value.walk(&mut |part| is_told |= matches!(part.kind, ExprKind::EventField(_)));
        }
        if is_told && equation.begins.is_none() && !self.says_old(span) {
            self.late(equation, side.span);
        }
    }

    /// Warns if a number that is compared is what the event adds to, alone, in a sum, or as the value of a fact that is
    /// asked for there. `asked_at` is where the event asks for it, if that is elsewhere.
    fn counted(&mut self, event: &Event, side: &Expr, asked_at: Option<Span>) {
        let program = self.program;
        match &side.kind {
            ExprKind::Arithmetic {
                operator: Arithmetic::Add | Arithmetic::Subtract,
                left,
                right,
            } => {
                // With what the event says, or a number, this is what the value will be.
                if is_of_state(left) && is_of_state(right) {
                    self.counted(event, left, asked_at);
                    self.counted(event, right, asked_at);
                }
                return;
            }
            ExprKind::Fact {
                fact,
                tense: Tense::Now,
                ..
            } if asked_at.is_none() && !self.says_old(side.span) => {
                let asked = &program.facts[fact.index()];
                if asked.owner.is_none()
                    && let Some(value) = entry_of(&asked.definition)
                {
                    self.counted(event, value, Some(side.span));
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
        // Where the event begins the state anew, its new value is the first one, and asking for it may go in a circle.
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
            self.late(equation, asked_at.unwrap_or(side.span));
        }
    }

    /// Warns if what is counted or gone through is what the event changes: `over = size of hand is 0`.
    fn looked_over(&mut self, event: &Event, part: &Expr, asked_at: Option<Span>) {
        let is_size = matches!(part.kind, ExprKind::Builtin(Builtin::Size, _));
        let mut looked = match &part.kind {
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
        while let Some(expression) = looked.pop() {
            let read = match &expression.kind {
                // What it will be is worked out there.
                ExprKind::With(..)
                | ExprKind::Without(..)
                | ExprKind::Then(..)
                | ExprKind::But { .. } => continue,
                ExprKind::Fact {
                    fact,
                    tense: Tense::Now,
                    ..
                } if is_size => {
                    self.measured(event, *fact, asked_at.unwrap_or(expression.span));
                    None
                }
                _ => read_entry(expression),
            };
            let Some((state, span)) = read else {
                match &expression.kind {
                    // Its key says which entry is meant.
                    ExprKind::Entry { map, .. } => looked.push(map),
                    _ => expression.children(&mut |child| looked.push(child)),
                }
                continue;
            };
            let mut equations = event.equations.iter();
            let equation = equations.find(|equation| equation.state == state);
            if let Some(equation) = equation
                && equation.begins.is_none()
                && !self.says_old(span)
            {
                self.late(equation, asked_at.unwrap_or(expression.span));
            }
        }
    }

    /// Warns if a collection whose size is asked for is a fact of the whole game about what the event changes.
    fn measured(&mut self, event: &Event, fact: FactId, span: Span) {
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
            self.late(equation, span);
        }
    }

    /// Warns that `over` asks for the old value of what the event changes.
    fn late(&mut self, equation: &Equation, span: Span) {
        let state = equation.state;
        let name = &self.program.states[state.index()].name;
        let message = format!(
            "`over` asks what `{name}` was before this event, which changes it: if that is not meant, the game ends one event late"
        );
        let mut known = self.diagnostics.iter();
        if known.any(|known| known.span == span) {
            return;
        }
        self.which(span, message, " if that is meant");
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics
                .push(last.label(equation.span, "it changes here"));
        }
    }
}

/// The value of a definition that is nothing but a state, or an entry of one.
fn entry_of(definition: &Definition) -> Option<&Expr> {
    let values = reads::of_definition(definition, false);
    let [value] = values.as_slice() else {
        return None;
    };
    read_entry(value).is_some().then_some(*value)
}

/// Whether what an expression says comes from states alone: not from the event, and it is no number.
fn is_of_state(expression: &Expr) -> bool {
    let (mut reads, mut told) = (false, false);
    expression.walk(&mut |part| match part.kind {
        ExprKind::State(..) | ExprKind::Fact { .. } => reads = true,
        ExprKind::EventField(_) => told = true,
        _ => {}
    });
    // As the key of an entry, the event only says which is meant.
    reads
        && (!told
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

/// The state that an expression is, or an entry of it, as it is before the event.
fn read_entry(expression: &Expr) -> Option<(StateId, Span)> {
    let map = begins::map_of(expression);
    match map.kind {
        ExprKind::State(state, Tense::Now) => Some((state, map.span)),
        _ => None,
    }
}
