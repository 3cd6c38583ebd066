//! Loops over few numbers that are known.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC};

use super::{
    body::{Body, field},
    ranges::Visit,
};
use crate::code::Code;

/// How many numbers are so few that they are counted together.
const SHORT: u64 = 64;

impl<'b, 'c> Body<'b, 'c> {
    /// The first and the last of the numbers from one to another, where they are known, and few.
    pub(super) fn few(&self, ends: &(Code, Code)) -> Option<(i64, i64)> {
        let compiled = self.unit.compiled;
        let (lo, hi) = (compiled.constant(&ends.0)?, compiled.constant(&ends.1)?);
        (lo <= hi && hi.abs_diff(lo) < SHORT).then_some((lo, hi))
    }

    /// Visits the numbers from one to another. They are counted as work at the end, or where they are left.
    pub(super) fn each_of_short(&mut self, lo: i64, hi: i64, visit: Visit<'_, 'b, 'c>) {
        let first = self.constant(lo);
        let number = self.variable(first);
        let (head, done) = (self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let value = self.get(number);
        self.ranged(value, (lo, hi));
        self.loops.push((number, lo));
        visit(self, value);
        self.loops.pop();
        let following = self.plus(value, 1);
        self.set(number, following);
        let last = self.equals(value, hi);
        self.branch(last, done, head);
        self.begin(done);
        let all = self.constant(hi.abs_diff(lo).cast_signed() + 1);
        self.works_much(all);
    }

    /// Counts what was visited of the loops that are left, all but so many.
    pub(super) fn count_loops(&mut self, but: usize) {
        for place in but..self.loops.len() {
            let (number, lo) = self.loops[place];
            let number = self.get(number);
            let visited = self.builder.ins().iadd_imm(number, 1 - lo);
            self.works_much(visited);
        }
    }

    /// Counts so many pieces of work. Never less than nothing is left.
    fn works_much(&mut self, count: Value) {
        let work = self.field(field!(work));
        let less = self.builder.ins().isub(work, count);
        let nothing = self.constant(0);
        let left = self.builder.ins().smax(less, nothing);
        self.store_field(left, field!(work));
        let used_up = self.compare(IntCC::Equal, left, nothing);
        self.fail_if(used_up);
    }
}
