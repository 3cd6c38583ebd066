//! The best values of a source.

use super::{availability::Available, body::Body, word};
use crate::code::{Best, Bounds, Code, NONE, Shape, Source};
use crate::mir::{Cache, Callee, Condition, Value, Variable};

impl<'c> Body<'_, 'c> {
    /// The best value of a source; among equal keys the first in order.
    pub(super) fn best(&mut self, best: &'c Best) -> Value {
        if let Some(shape) = &best.sorted {
            return self.sorted(best, shape);
        }
        let none = self.none();
        let chosen = self.variable(none);
        if let Some(states) = &best.first {
            self.first_of(best, states, chosen);
            let found = self.get(chosen);
            if let Source::Span(ends) = &best.source
                && let Some((least, greatest)) = self.short_span(ends)
            {
                let bounds = Bounds {
                    least,
                    greatest,
                    optional: true,
                };
                self.bounded(found, bounds);
            }
            return found;
        }
        let held: Vec<_> = best.keys.iter().map(|_| self.variable(none)).collect();
        self.each(&best.source, &mut |body, value| {
            body.set_local(best.local, value);
            let worse = body.block();
            if let Some(condition) = &best.condition {
                body.unless_holds(condition, worse);
            }
            let best_yet = body.get(chosen);
            let first = body.equals(best_yet, NONE);
            let better = body.variable(first);
            for ((highest, key), held) in best.keys.iter().zip(&held) {
                let found = body.code(key);
                let known = body.get(better);
                let (compared, differs, taken, next) =
                    (body.block(), body.block(), body.block(), body.block());
                body.branch(known, taken, compared);
                body.begin(compared);
                let leading = body.get(*held);
                let same = body.compare(Condition::Equal, found, leading);
                body.branch(same, next, differs);
                body.begin(differs);
                let how = if *highest {
                    Condition::Greater
                } else {
                    Condition::Less
                };
                let wins = body.compare(how, found, leading);
                body.unless_zero(wins, worse);
                let yes = body.constant(1);
                body.set(better, yes);
                body.go_to(taken);
                body.begin(taken);
                body.set(*held, found);
                body.go_to(next);
                body.begin(next);
            }
            let mut wins = body.get(better);
            if best.ordered {
                let least = body.compare(Condition::Less, value, best_yet);
                wins = body.or(wins, least);
            }
            let kept = body.select(wins, value, best_yet);
            body.set(chosen, kept);
            body.go_to(worse);
            body.begin(worse);
        });
        self.get(chosen)
    }

    /// All values of a source, the best first; the sort is stable.
    fn sorted(&mut self, best: &'c Best, shape: &'c Shape) -> Value {
        let made = self.begin_empty(shape);
        let log = self.call(Callee::BeginPile, &[]);
        self.each(&best.source, &mut |body, value| {
            body.set_local(best.local, value);
            let next = body.block();
            if let Some(condition) = &best.condition {
                body.unless_holds(condition, next);
            }
            let keys: Vec<Value> = best.keys.iter().map(|(_, key)| body.code(key)).collect();
            body.insert(made, value);
            for ((highest, _), key) in best.keys.iter().zip(keys) {
                // The complement of a number reverses the order.
                let all = body.constant(-1);
                let key = if *highest {
                    body.and_not(all, key)
                } else {
                    key
                };
                body.call(Callee::PushWord, &[log, key]);
            }
            body.go_to(next);
            body.begin(next);
        });
        let pile = self.end(made);
        let one = self.constant(1);
        let keys = self.call(Callee::EndPile, &[log, one]);
        let stride = match shape {
            Shape::Pile { slot, .. } => slot.stride(),
            _ => 1,
        };
        let stride = self.constant(word(stride));
        let count = self.constant(word(best.keys.len()));
        self.call(Callee::Sorted, &[pile, stride, keys, count])
    }

    /// Keeps the first value that fulfils a condition. The others are evaluated too until all the states that they
    /// depend on are known.
    fn first_of(&mut self, best: &'c Best, states: &[u32], chosen: Variable) {
        if let Some(condition) = &best.condition {
            self.preload(condition);
        }
        let exit = self.exit();
        let mut visit = |body: &mut Self, value| {
            body.set_local(best.local, value);
            let next = body.block();
            if let Some(condition) = &best.condition {
                body.unless_holds(condition, next);
            }
            let best_yet = body.get(chosen);
            let none = body.is_none(best_yet);
            let kept = body.select(none, value, best_yet);
            body.set(chosen, kept);
            let mut known = body.constant(1);
            for state in states {
                if body.availability.find(Available::New(*state)).is_none() {
                    let index = body.constant(i64::from(*state));
                    let (is_now, _) = body.builder.recall(Cache::New, index);
                    known = body.and(known, is_now);
                }
            }
            body.if_nonzero(known, &mut |body| body.leave(exit));
            body.go_to(next);
            body.begin(next);
        };
        let conditions: Vec<&Code> = best.condition.iter().collect();
        match self.unrolled(&best.source, &conditions) {
            Some((lo, hi)) => self.each_unrolled(lo, hi, &mut visit),
            None => self.each(&best.source, &mut visit),
        }
        self.arrive(exit);
    }
}
