//! Jumps to one of many places, and round.

use super::{availability::Available, body::Body, ranges::Visit};
use crate::mir::{Block, Condition, End, Value};

/// How many rows are told apart by comparison.
const FEW_ROWS: usize = 4;

impl<'b, 'c> Body<'b, 'c> {
    /// Visits the indexes from one to before another. They are not counted as work.
    pub(super) fn each_index(&mut self, from: Value, to: Value, visit: Visit<'_, 'b, 'c>) {
        let index = self.variable(from);
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(index);
        let below = self.compare(Condition::Below, at, to);
        self.branch(below, inside, done);
        self.begin(inside);
        if let (Some((first, _)), Some((_, end))) = (self.range(from), self.range(to)) {
            let known = Available::Within(at, first, end - 1);
            self.availability.learn(known, at);
        }
        visit(self, at);
        let following = self.add_imm(at, 1);
        self.set(index, following);
        self.go_to(head);
        self.begin(done);
    }

    /// As [`Body::jump_by`], for the number of a row: few rows are compared one after the other.
    pub(super) fn jump_by_row(&mut self, row: Value, blocks: &[Block], otherwise: Block) {
        if blocks.len() > FEW_ROWS {
            self.jump_by(row, blocks, otherwise);
            return;
        }
        for (number, block) in (0i64..).zip(blocks) {
            let is_it = self.equals(row, number);
            let next = self.block();
            self.branch(is_it, *block, next);
            self.begin(next);
        }
        self.go_to(otherwise);
    }

    /// Goes to the block at a place of a table, or to `otherwise` beyond it.
    pub(super) fn jump_by(&mut self, index: Value, blocks: &[Block], otherwise: Block) {
        for block in blocks.iter().chain([&otherwise]) {
            self.availability.goes_to(*block);
        }
        self.builder
            .end(End::Switch(index, blocks.into(), otherwise));
    }
}
