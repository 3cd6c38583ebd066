//! Turns code into faster code with the same meaning.
//!
//! A condition in a loop over a small set is evaluated for all members at once: those that fulfil it are a constant set
//! of bits, or one looked up by whatever else the condition depends on. A map of which an event changes a few entries
//! is only changed there.
//!
//! Code may be evaluated earlier than it was written, or where it was not evaluated at all. That is only done with code
//! that cannot fail, so that nobody sees the difference.

mod entries;
mod facts;
mod fold;
mod masks;
mod sets;
mod tabulate;

use std::cell::Cell;

use crate::code::{Best, Choice, Code, Compiled, Loop, NodeMut, Report, Row, Shape, Source};
use facts::Facts;
use masks::Member;

/// Optimises a game.
pub(crate) fn optimise(compiled: &mut Compiled) {
    // The second round inlines what the first made short.
    for _ in 0..2 {
        let facts = Facts::of(compiled);
        let optimiser = Optimiser::new(&facts);
        for fact in &mut compiled.facts {
            optimiser.code(&mut fact.code);
            fact.locals = fact.code.locals().max(fact.parameters);
        }
    }
    let facts = Facts::of(compiled);
    let optimiser = Optimiser::new(&facts);
    for state in &mut compiled.states {
        optimiser.code(&mut state.initial.code);
    }
    for event in &mut compiled.events {
        if let Some(guard) = &mut event.guard {
            optimiser.code(&mut guard.code);
        }
        for path in event
            .fields
            .iter_mut()
            .filter_map(|field| field.path.as_mut())
        {
            optimiser.source(&mut path.next);
        }
        for row in &mut event.impossible {
            sets::bindings(&mut row.row.bindings);
            optimiser.report(&mut row.row);
        }
        for objection in event.refuse.iter_mut().chain(&mut event.illegal) {
            optimiser.code(&mut objection.fires);
        }
        for equation in event.equations.iter_mut().flatten() {
            if let Some(begins) = &mut equation.begins {
                optimiser.code(&mut begins.when);
                optimiser.code(&mut begins.value.code);
            }
            optimiser.code(&mut equation.code);
            let parameters = match &equation.pointwise {
                Some(pointwise) => pointwise.parameters.len(),
                None => 0,
            };
            equation.locals = equation.code.locals().max(parameters);
            optimiser.only(equation);
        }
        for row in event.report.iter_mut().chain(&mut event.refused) {
            optimiser.report(row);
        }
        for choice in &mut event.follows {
            optimiser.choice(choice);
        }
    }
    for choice in compiled.policies.iter_mut().flatten() {
        optimiser.choice(choice);
    }
}

struct Optimiser<'f> {
    facts: &'f Facts,
    /// How many inlined facts the current code is nested in.
    within: Cell<usize>,
}

/// How deep facts are inlined within each other: each may call two, and these two more.
const INLINED: usize = 3;

impl<'f> Optimiser<'f> {
    fn new(facts: &'f Facts) -> Optimiser<'f> {
        Optimiser {
            facts,
            within: Cell::new(0),
        }
    }
}

impl Optimiser<'_> {
    fn node(&self, node: NodeMut<'_>) {
        match node {
            NodeMut::Code(code) => self.code(code),
            NodeMut::Source(source) => self.source(source),
            NodeMut::Loop(range) => self.range(range),
            NodeMut::Best(best) => self.best(best),
            NodeMut::Row(row) => self.row(row),
        }
    }

    fn code(&self, code: &mut Code) {
        sets::as_sets(code);
        code.pieces_mut(&mut |node| self.node(node));
        if let Code::Any(rows) = code {
            for row in rows {
                self.narrow_any(row);
            }
        }
        if let Code::Call(fact, arguments) = code
            && self.within.get() < INLINED
            && let Some(body) = self.facts.inlined(*fact, arguments)
        {
            *code = body;
            // Inlined code may be optimised further once its arguments are known.
            self.within.set(self.within.get() + 1);
            code.pieces_mut(&mut |node| self.node(node));
            self.within.set(self.within.get() - 1);
        }
        fold::fold(code, self.facts);
        while let Some(joined) = sets::joined(code) {
            *code = joined;
        }
    }

    fn source(&self, source: &mut Source) {
        source.pieces_mut(&mut |node| self.node(node));
        fold::source(source);
    }

    fn range(&self, range: &mut Loop) {
        range.pieces_mut(&mut |node| self.node(node));
        let mut conditions: Vec<Code> = range.condition.take().into_iter().collect();
        self.narrow(&mut range.bindings, &mut conditions);
        range.condition = conditions
            .into_iter()
            .reduce(|left, right| Code::And(Box::new((left, right))));
    }

    fn best(&self, best: &mut Best) {
        best.pieces_mut(&mut |node| self.node(node));
        let mut conditions: Vec<Code> = best.condition.take().into_iter().collect();
        self.narrow_source(best.local, &mut best.source, &mut conditions, &[]);
        best.condition = conditions
            .into_iter()
            .reduce(|left, right| Code::And(Box::new((left, right))));
        best.first = self.comes_first(best);
    }

    /// If the first value that fulfils the condition is the best, since values come in ascending order and the lowest
    /// is wanted: the states whose new values are read.
    fn comes_first(&self, best: &Best) -> Option<Box<[u32]>> {
        let is_value = |code: &Code| matches!(code, Code::Local(local) if *local == best.local);
        let lowest = match &*best.keys {
            [] => best.ordered,
            [(highest, key), ..] => !highest && is_value(key),
        };
        let ascending = matches!(
            best.source,
            Source::Span(_) | Source::Partial(_) | Source::Bits { .. } | Source::Words { .. }
        );
        // Skipping the other values must not hide errors that they would raise.
        let mut states = Vec::new();
        let mut keys = best
            .condition
            .iter()
            .chain(best.keys.iter().map(|(_, key)| key));
        let speculatable = keys.all(|code| {
            self.facts
                .is_speculatable_but(code, &mut |state| states.push(state))
        });
        states.sort_unstable();
        states.dedup();
        (lowest && ascending && speculatable && best.sorted.is_none()).then(|| states.into())
    }

    fn row(&self, row: &mut Row) {
        row.pieces_mut(&mut |node| self.node(node));
        self.narrow_rows(&mut row.bindings, &mut row.conditions);
    }

    fn report(&self, row: &mut Report) {
        for (_, source) in &mut row.bindings {
            self.source(source);
        }
        for condition in &mut row.conditions {
            self.code(condition);
        }
        row.text.pieces_mut(&mut |node| self.node(node));
        self.narrow_rows(&mut row.bindings, &mut row.conditions);
    }

    fn choice(&self, choice: &mut Choice) {
        for (_, source) in &mut choice.bindings {
            self.source(source);
        }
        for code in choice.conditions.iter_mut().chain(&mut choice.fields) {
            self.code(code);
        }
        self.narrow_rows(&mut choice.bindings, &mut choice.conditions);
    }

    fn narrow_rows(&self, bindings: &mut [(u32, Source)], conditions: &mut Box<[Code]>) {
        if bindings.is_empty() {
            return;
        }
        let mut left = std::mem::take(conditions).into_vec();
        self.narrow(bindings, &mut left);
        *conditions = left.into();
    }

    /// A row of `any of` fires if its value is yes, so the value becomes one more condition.
    fn narrow_any(&self, row: &mut Row) {
        if row.bindings.is_empty() || matches!(row.value, Code::Constant(_)) {
            return;
        }
        let value = std::mem::replace(&mut row.value, Code::Constant(1));
        let mut conditions = std::mem::take(&mut row.conditions).into_vec();
        conditions.push(value);
        row.conditions = conditions.into();
        self.narrow_rows(&mut row.bindings, &mut row.conditions);
    }

    /// Hoists the first conditions out of a loop if they do not depend on its variables. With several variables, a
    /// condition is evaluated only where all of them have values: it may be evaluated before only if it cannot fail,
    /// nor the sources of the other variables.
    fn hoist(&self, bindings: &mut [(u32, Source)], conditions: &mut Vec<Code>) {
        let locals: Vec<u32> = bindings.iter().map(|(local, _)| *local).collect();
        let Some(((_, source), others)) = bindings.split_first_mut() else {
            return;
        };
        let others_speculatable = others
            .iter()
            .all(|(_, other)| self.facts.is_speculatable_source(other));
        let mut all = std::mem::take(conditions).into_iter().flat_map(conjuncts);
        for condition in all.by_ref() {
            let depends = locals.iter().any(|local| condition.reads_local(*local));
            let early = others.is_empty()
                || (others_speculatable && self.facts.is_speculatable(&condition));
            if depends || !early {
                conditions.push(condition);
                break;
            }
            let inner = std::mem::replace(source, Source::Items(Box::new([])));
            *source = Source::When(Box::new((condition, inner)));
        }
        conditions.extend(all);
    }

    /// Moves conditions into the sources of their variables. The sources of later variables must not be able to fail,
    /// since they might not be evaluated any more.
    fn narrow(&self, bindings: &mut [(u32, Source)], conditions: &mut Vec<Code>) {
        for place in 0..bindings.len() {
            let (before, after) = bindings.split_at_mut(place + 1);
            let Some((local, source)) = before.last_mut() else {
                continue;
            };
            if after
                .iter()
                .all(|(_, later)| self.facts.is_speculatable_source(later))
            {
                let later: Vec<u32> = after.iter().map(|(local, _)| *local).collect();
                self.narrow_source(*local, source, conditions, &later);
            }
        }
        self.hoist(bindings, conditions);
    }

    /// Moves conditions on one variable into its source, if that is a small set and they do not depend on later
    /// variables. None is moved over one that may fail, which might not be evaluated any more.
    fn narrow_source(
        &self,
        local: u32,
        source: &mut Source,
        conditions: &mut Vec<Code>,
        later: &[u32],
    ) {
        let Some(member) = Member::of(local, source) else {
            return;
        };
        let mut mask: Option<Code> = None;
        let mut all = std::mem::take(conditions).into_iter().flat_map(conjuncts);
        for condition in all.by_ref() {
            let early = !later.iter().any(|local| condition.reads_local(*local));
            if let Some(found) = self.mask(&condition, &member).filter(|_| early) {
                mask = Some(match mask {
                    Some(mask) => masks::both(mask, found),
                    None => found,
                });
                continue;
            }
            let speculatable = self.facts.is_speculatable(&condition);
            conditions.push(condition);
            if !speculatable {
                break;
            }
        }
        conditions.extend(all);
        if let Some(mask) = mask {
            member.narrow(source, mask);
            source.pieces_mut(&mut |node| self.node(node));
        }
    }
}

/// The conjuncts of a condition.
fn conjuncts(condition: Code) -> Vec<Code> {
    match condition {
        Code::And(pair) => {
            let (left, right) = *pair;
            let mut all = conjuncts(left);
            all.append(&mut conjuncts(right));
            all
        }
        other => vec![other],
    }
}

/// Whether a shape is a small set whose bit 0 is `base`.
fn is_bits(shape: &Shape, base: i64) -> bool {
    matches!(shape, Shape::Bits { domain } if domain.base == base)
}
