//! Inlining: facts that are faster to evaluate than to call or to look up in a cache.

use super::{availability::Available, body::Body, unrolling::takes_no_loop};
use crate::code::{Code, Node, Source};
use crate::mir::Value;

/// A fact with at most this many pieces is always inlined.
const SMALL: usize = 8;

/// An uncached fact with at most this many pieces is inlined.
const SHORT: usize = 32;

/// Whether a fact's code is short and does not loop.
fn is_short(code: &Code) -> bool {
    !code.is_larger_than(SHORT) && !code.any(&|piece| !takes_no_loop(piece))
}

/// Whether calls of a fact are always inlined.
pub(super) fn is_inlined(code: &Code) -> bool {
    let is_simple = |code: &Code| code.is_simple() || matches!(code, Code::The(..));
    !code.is_larger_than(SMALL) && !code.any(&|piece| !is_simple(piece))
}

/// A cached fact is inlined if it is called in at most this many places.
const PLACES: usize = 4;

/// Such a fact may have this many pieces, counting those of a loop once for each iteration.
const TABULATED: u64 = 256;

impl<'c> Body<'_, 'c> {
    /// Whether a fact with a cache table is evaluated in place on a miss instead of called: it has few callers and few
    /// pieces.
    pub(super) fn is_evaluated_in_place(&self, fact: u32) -> bool {
        let definition = &self.unit.compiled.facts[fact as usize];
        !self.unit.is_exact
            && definition.table.is_some()
            && self.unit.is_called_at_most(fact, PLACES)
            && self.may_grow()
            && !self.making.contains(&Available::Fact(fact))
            && !definition.code.is_larger_than(SHORT)
            && self.pieces_evaluated(&Node::Code(&definition.code)) <= TABULATED
    }

    /// An upper bound of the pieces evaluated, as if all loops were nested.
    fn pieces_evaluated(&self, node: &Node<'_>) -> u64 {
        let (mut pieces, mut rounds) = (0, 1);
        self.add_evaluated(node, &mut pieces, &mut rounds);
        rounds.saturating_mul(pieces)
    }

    fn add_evaluated(&self, node: &Node<'_>, pieces: &mut u64, rounds: &mut u64) {
        *pieces += 1;
        let more = match node {
            Node::Source(Source::Span(ends)) => self
                .short_span(ends)
                .map_or(u64::MAX, |(lo, hi)| hi.abs_diff(lo) + 1),
            Node::Source(Source::Mapped(..))
            | Node::Code(_)
            | Node::Loop(_)
            | Node::Best(_)
            | Node::Row(_) => 1,
            Node::Source(_) => u64::MAX,
        };
        *rounds = rounds.saturating_mul(more);
        node.pieces(&mut |node| self.add_evaluated(&node, pieces, rounds));
    }

    /// The value of a fact with parameters, inlined, if it is small.
    pub(super) fn inlined_fact(&mut self, fact: u32, arguments: &'c [Code]) -> Option<Value> {
        if self.unit.is_exact || !self.may_grow() {
            return None;
        }
        let definition = &self.unit.compiled.facts[fact as usize];
        if !is_inlined(&definition.code) {
            let is_remembered = definition.table.is_some();
            if is_remembered
                || self.making.contains(&Available::Fact(fact))
                || !is_short(&definition.code)
            {
                return None;
            }
            self.charge_once();
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.code(argument));
        }
        self.making.push(Available::Fact(fact));
        let value = self.in_frame(|body| {
            for (local, value) in (0u32..).zip(values) {
                body.set_local(local, value);
            }
            body.code(&definition.code)
        });
        self.making.pop();
        Some(value)
    }
}
