//! Loops with a small constant trip count: unrolled if the body is short; their fuel is charged once.

use super::{body::Body, hoisting::uses_all, ranges::Visit};
use crate::mir::{Condition, Field, Value, Variable};
use crate::{
    code::{Code, Source},
    mir::RAISE_WORK,
};

/// Loops over at most this many numbers charge their fuel together.
const SHORT: u64 = 512;

/// An unrolled loop may have this many pieces in all copies of its body.
const WRITTEN_OUT: u64 = 160;

/// Whether an expression by itself does not loop here.
pub(super) fn takes_no_loop(code: &Code) -> bool {
    code.is_simple()
        || uses_all(code)
        || matches!(code, Code::New(_) | Code::Fact(_) | Code::Call(..))
}

impl<'b, 'c> Body<'b, 'c> {
    /// The bounds of a range, if they are constants and close together.
    pub(super) fn short_span(&self, ends: &(Code, Code)) -> Option<(i64, i64)> {
        if self.unit.is_exact {
            return None;
        }
        let compiled = self.unit.compiled;
        let (lo, hi) = (compiled.constant(&ends.0)?, compiled.constant(&ends.1)?);
        (lo <= hi && hi.abs_diff(lo) < SHORT).then_some((lo, hi))
    }

    /// Visits the numbers from one to another. Their fuel is charged at the end, or where the loop is left.
    pub(super) fn each_of_short(&mut self, lo: i64, hi: i64, visit: Visit<'_, 'b, 'c>) {
        let first = self.constant(lo);
        let number = self.begin_short(lo);
        let (head, done) = (self.block(), self.block());
        self.set(number, first);
        self.go_to(head);
        self.begin(head);
        let value = self.get(number);
        self.ranged(value, (lo, hi));
        visit(self, value);
        let following = self.plus(value, 1);
        self.set(number, following);
        let last = self.equals(value, hi);
        self.branch(last, done, head);
        self.begin(done);
        self.end_short(lo, hi);
    }

    /// Begins a short loop; returns the variable of its number.
    pub(super) fn begin_short(&mut self, lo: i64) -> Variable {
        let first = self.constant(lo);
        let number = self.variable(first);
        if self.loops.is_empty() {
            let nothing = self.constant(0);
            self.uncounted = Some(self.variable(nothing));
        }
        self.loops.push((number, lo));
        number
    }

    /// Ends a short loop that visited all its numbers.
    pub(super) fn end_short(&mut self, lo: i64, hi: i64) {
        self.loops.pop();
        let all = self.constant(hi.abs_diff(lo).cast_signed() + 1);
        self.charge_visits(all, self.loops.len());
        if self.loops.is_empty() {
            self.uncounted = None;
        }
    }

    /// Visits the numbers from one to another in an unrolled loop: the body takes fewer steps for a constant, and
    /// branches are predicted better.
    pub(super) fn each_unrolled(&mut self, lo: i64, hi: i64, visit: Visit<'_, 'b, 'c>) {
        let number = self.begin_short(lo);
        for value in lo..=hi {
            let value = self.constant(value);
            self.set(number, value);
            visit(self, value);
        }
        self.end_short(lo, hi);
    }

    /// The range of a source, if it is so small and the conditions so short that the loop should be unrolled.
    pub(super) fn unrolled(&self, source: &Source, conditions: &[&Code]) -> Option<(i64, i64)> {
        let Source::Span(ends) = source else {
            return None;
        };
        if !self.may_grow() {
            return None;
        }
        let (lo, hi) = self.short_span(ends)?;
        let mut pieces = 0;
        for condition in conditions {
            if condition.any(&|piece| !takes_no_loop(piece)) {
                return None;
            }
            condition.each(&mut |_| pieces += 1);
        }
        let all = (hi.abs_diff(lo) + 1).saturating_mul(pieces);
        (all <= WRITTEN_OUT).then_some((lo, hi))
    }

    /// For how many of a source's values a condition holds, as a sum without branches; nothing if the loop does not
    /// suit.
    pub(super) fn count_written_out(&mut self, source: &'c Source) -> Option<Value> {
        let Source::Mapped(range, Code::Local(value)) = source else {
            return None;
        };
        let ([(local, source)], Some(condition)) = (&*range.bindings, &range.condition) else {
            return None;
        };
        let (lo, hi) = self.unrolled(source, &[condition])?;
        if value != local {
            return None;
        }
        self.preload(condition);
        let mut count = self.constant(0);
        self.each_unrolled(lo, hi, &mut |body, value| {
            body.set_local(*local, value);
            let holds = body.code(condition);
            count = body.sum_of(count, holds);
        });
        Some(count)
    }

    /// Charges the visits of all active short loops but the outer `but`, which are being left.
    pub(super) fn count_loops(&mut self, but: usize) {
        let mut all = self.constant(0);
        for place in but..self.loops.len() {
            let (number, lo) = self.loops[place];
            let number = self.get(number);
            let visited = self.plus(number, 1 - lo);
            all = self.sum_of(all, visited);
        }
        if but < self.loops.len() {
            self.charge_visits(all, but);
        }
    }

    /// Charges one unit of fuel for something that does not loop by itself.
    pub(super) fn charge_once(&mut self) {
        match self.uncounted {
            Some(uncounted) => {
                let before = self.get(uncounted);
                let more = self.add_imm(before, 1);
                self.set(uncounted, more);
            }
            None => self.charge(),
        }
    }

    /// Charges visits; within short loops adds them to those to be charged at the end.
    fn charge_visits(&mut self, count: Value, loops_left: usize) {
        let Some(uncounted) = self.uncounted else {
            return;
        };
        let before = self.get(uncounted);
        let all = self.add(before, count);
        if loops_left > 0 {
            self.set(uncounted, all);
        } else {
            self.charge_many(all);
        }
    }

    /// Charges `count` units of fuel.
    fn charge_many(&mut self, count: Value) {
        let work = self.field(Field::Fuel);
        let less = self.sub(work, count);
        self.store_field(less, Field::Fuel);
        let nothing = self.constant(0);
        let used_up = self.compare(Condition::LessOrEqual, less, nothing);
        self.trouble_if(used_up, RAISE_WORK, 0);
    }
}
