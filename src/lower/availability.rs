//! Availability: the facts, new values and loaded words that were evaluated on every path to the present place, and what
//! is known of the ranges of values there.

use crate::mir::{Block, Value};
use std::collections::BTreeMap;

/// Something that is available, or known to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Available {
    Fact(u32),
    New(u32),
    /// A word of fixed memory, whose place is given.
    Loaded(u32),
    /// The members of a bag that is a field, whose place is given.
    Members(u32),
    /// That so many words lie in memory from a handle on.
    Words(Value, usize),
    /// That a value is one of the numbers from one to another.
    Within(Value, i64, i64),
    /// A fact with parameters, or an index that is a value of a partial type, by the number of the call.
    Called(usize),
}

/// What is asked of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Called {
    Fact(u32),
    /// The index that they make, which is a value of a partial type.
    Index(usize),
}

/// What a fact is asked of, as far as that is told apart without working it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Argument {
    Constant(i64),
    /// A local, by its value.
    Local(Value),
    Load(u32),
    Fact(u32),
}

/// What is known at a place: this, and what was known at the place before.
#[derive(Debug)]
struct Node {
    known: Available,
    value: Value,
    before: Option<usize>,
    depth: usize,
}

/// What is known at each place of a function. Places form a tree, so that what is known where several ways meet is
/// what was known where they parted.
#[derive(Debug, Default)]
pub(super) struct Availability {
    nodes: Vec<Node>,
    now: Option<usize>,
    /// Whether nothing goes to what is written now.
    is_dead: bool,
    /// For each block, what is known on all ways to it that have been written.
    at_blocks: BTreeMap<Block, Option<usize>>,
    /// The calls that have been written, each once, with its number.
    calls: BTreeMap<(Called, Vec<Argument>), usize>,
}

impl Availability {
    /// The value of something that is known here.
    pub(super) fn find(&self, wanted: Available) -> Option<Value> {
        let mut place = self.now;
        while let Some(node) = place.map(|place| &self.nodes[place]) {
            if node.known == wanted {
                return Some(node.value);
            }
            place = node.before;
        }
        None
    }

    /// Whether so many words are known to lie in memory from a handle on.
    pub(super) fn has_words(&self, wanted: Value, words: usize) -> bool {
        let mut place = self.now;
        while let Some(node) = place.map(|place| &self.nodes[place]) {
            if matches!(node.known, Available::Words(handle, most) if handle == wanted && words <= most)
            {
                return true;
            }
            place = node.before;
        }
        false
    }

    /// The least and the greatest number that a value is known to be.
    pub(super) fn range_of(&self, wanted: Value) -> Option<(i64, i64)> {
        let mut range: Option<(i64, i64)> = None;
        let mut place = self.now;
        while let Some(node) = place.map(|place| &self.nodes[place]) {
            if let Available::Within(value, least, greatest) = node.known
                && value == wanted
            {
                let (lower, upper) = range.unwrap_or((least, greatest));
                range = Some((least.max(lower), greatest.min(upper)));
            }
            place = node.before;
        }
        range
    }

    /// Says that something is known from here on.
    pub(super) fn learn(&mut self, known: Available, value: Value) {
        let depth = self.depth(self.now) + 1;
        self.nodes.push(Node {
            known,
            value,
            before: self.now,
            depth,
        });
        self.now = Some(self.nodes.len() - 1);
    }

    /// A call, which has the same value wherever it is known.
    pub(super) fn call(&mut self, called: Called, arguments: Vec<Argument>) -> Available {
        let next = self.calls.len();
        let call = (called, arguments);
        Available::Called(*self.calls.entry(call).or_insert(next))
    }

    /// Says that nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.now = None;
    }

    /// Says that control goes from here to a block.
    pub(super) fn goes_to(&mut self, block: Block) {
        if self.is_dead {
            return;
        }
        let met = match self.at_blocks.get(&block) {
            Some(other) => self.common(*other, self.now),
            None => self.now,
        };
        self.at_blocks.insert(block, met);
    }

    /// Says that what is written next belongs to a block.
    pub(super) fn begins(&mut self, block: Block) {
        let known = self.at_blocks.get(&block).copied();
        self.is_dead = known.is_none();
        self.now = known.flatten();
    }

    fn depth(&self, place: Option<usize>) -> usize {
        place.map_or(0, |place| self.nodes[place].depth)
    }

    /// Where two ways parted.
    fn common(&self, left: Option<usize>, right: Option<usize>) -> Option<usize> {
        let (mut left, mut right) = (left, right);
        while left != right {
            if self.depth(left) >= self.depth(right) {
                left = left.and_then(|place| self.nodes[place].before);
            } else {
                right = right.and_then(|place| self.nodes[place].before);
            }
        }
        left
    }
}
