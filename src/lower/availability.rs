//! Availability: which facts, new values and loaded words were evaluated on every path to the current point, and which
//! value ranges are known there.

use crate::mir::{Block, Value};
use std::collections::BTreeMap;

/// Something that is available, or known to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Available {
    Fact(u32),
    New(u32),
    /// A word of fixed memory, by its offset.
    Loaded(u32),
    /// The members of a bag in a field, by the field's index.
    Members(u32),
    /// A handle is followed by this many words of memory.
    Words(Value, usize),
    /// A value is between two numbers.
    Within(Value, i64, i64),
    /// A call of a fact with parameters, or an index that is a value of a partial type, by the number of the call.
    Called(usize),
}

/// What is called with arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Called {
    Fact(u32),
    /// The index that they make up, which is a value of a partial type.
    Index(usize),
}

/// An argument, in a form that can be compared without evaluating it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Argument {
    Constant(i64),
    /// A local, by its value.
    Local(Value),
    Load(u32),
    Fact(u32),
}

/// A function with more nodes than this is large.
const LARGE: usize = 256;

/// A node of knowledge: one fact, in addition to those of its parent.
#[derive(Debug)]
struct Node {
    known: Available,
    value: Value,
    before: Option<usize>,
    depth: usize,
    /// An ancestor farther up, so that any ancestor is found in a logarithmic number of jumps: E. W. Myers, An
    /// applicative random-access stack, 1983.
    jump: Option<usize>,
}

/// What is known at each point of a function. Points form a tree, so that what is known where paths join is what was
/// known where they parted.
#[derive(Debug, Default)]
pub(super) struct Availability {
    nodes: Vec<Node>,
    /// In a large function, the nodes about each subject, in the order they were made, which is also their order on any
    /// path. In a small one, walking up the tree is faster.
    about: BTreeMap<Available, Vec<usize>>,
    now: Option<usize>,
    /// Whether the code emitted next is unreachable.
    is_dead: bool,
    /// For each block, what is known on all paths to it emitted so far.
    at_blocks: BTreeMap<Block, Option<usize>>,
    /// The calls emitted so far, each with its number.
    calls: BTreeMap<(Called, Vec<Argument>), usize>,
}

impl Available {
    /// What it is about: the same without numbers.
    fn subject(self) -> Available {
        match self {
            Available::Words(handle, _) => Available::Words(handle, 0),
            Available::Within(value, ..) => Available::Within(value, 0, 0),
            other => other,
        }
    }
}

impl Availability {
    /// The value of something that is available here.
    pub(super) fn find(&self, wanted: Available) -> Option<Value> {
        let mut found = None;
        self.search(wanted, |node| {
            let is_it = node.known == wanted;
            found = is_it.then_some(node.value);
            !is_it
        });
        found
    }

    /// Visits the nodes on the path here with the same subject, the last one first, until `goes_on` is no.
    fn search(&self, wanted: Available, mut goes_on: impl FnMut(&Node) -> bool) {
        let subject = wanted.subject();
        let about = self.about.get(&subject).map_or(&[][..], Vec::as_slice);
        if self.nodes.len() >= LARGE && self.depth(self.now) > about.len() {
            let here = |place: &&usize| self.is_on_the_way(**place);
            let mut nodes = about
                .iter()
                .rev()
                .filter(here)
                .map(|place| &self.nodes[*place]);
            nodes.all(goes_on);
            return;
        }
        let mut place = self.now;
        while let Some(node) = place.map(|place| &self.nodes[place]) {
            if node.known.subject() == subject && !goes_on(node) {
                return;
            }
            place = node.before;
        }
    }

    /// Whether a handle is known to be followed by this many words of memory.
    pub(super) fn has_words(&self, wanted: Value, words: usize) -> bool {
        let mut has = false;
        self.search(Available::Words(wanted, 0), |node| {
            has = matches!(node.known, Available::Words(_, most) if words <= most);
            !has
        });
        has
    }

    /// The range that a value is known to be in.
    pub(super) fn range_of(&self, wanted: Value) -> Option<(i64, i64)> {
        let mut range: Option<(i64, i64)> = None;
        self.search(Available::Within(wanted, 0, 0), |node| {
            if let Available::Within(_, least, greatest) = node.known {
                let (lower, upper) = range.unwrap_or((least, greatest));
                range = Some((least.max(lower), greatest.min(upper)));
            }
            true
        });
        range
    }

    /// Records that something is known from here on.
    pub(super) fn learn(&mut self, known: Available, value: Value) {
        let depth = self.depth(self.now) + 1;
        let (near, far) = (self.jump(self.now), self.jump(self.jump(self.now)));
        let is_even = self.depth(self.now) + self.depth(far) == 2 * self.depth(near);
        self.nodes.push(Node {
            known,
            value,
            before: self.now,
            depth,
            jump: if is_even { far } else { self.now },
        });
        let count = self.nodes.len();
        let anew = match count {
            LARGE => 0..count,
            count if count > LARGE => count - 1..count,
            _ => 0..0,
        };
        for place in anew {
            let subject = self.nodes[place].known.subject();
            self.about.entry(subject).or_default().push(place);
        }
        self.now = Some(self.nodes.len() - 1);
    }

    /// A call, which has the same value wherever it is available.
    pub(super) fn call(&mut self, called: Called, arguments: Vec<Argument>) -> Available {
        let next = self.calls.len();
        let call = (called, arguments);
        Available::Called(*self.calls.entry(call).or_insert(next))
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.now = None;
    }

    /// Records a jump from here to a block.
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

    /// Begins a block.
    pub(super) fn begins(&mut self, block: Block) {
        let known = self.at_blocks.get(&block).copied();
        self.is_dead = known.is_none();
        self.now = known.flatten();
    }

    fn depth(&self, place: Option<usize>) -> usize {
        place.map_or(0, |place| self.nodes[place].depth)
    }

    fn before(&self, place: Option<usize>) -> Option<usize> {
        place.and_then(|place| self.nodes[place].before)
    }

    fn jump(&self, place: Option<usize>) -> Option<usize> {
        place.and_then(|place| self.nodes[place].jump)
    }

    /// The ancestor of a node at some depth.
    fn at_depth(&self, mut place: Option<usize>, depth: usize) -> Option<usize> {
        while self.depth(place) > depth {
            let jump = self.jump(place);
            place = if self.depth(jump) >= depth {
                jump
            } else {
                self.before(place)
            };
        }
        place
    }

    /// Whether a node is on the path here.
    fn is_on_the_way(&self, place: usize) -> bool {
        self.at_depth(self.now, self.nodes[place].depth) == Some(place)
    }

    /// The lowest common ancestor of two nodes.
    fn common(&self, left: Option<usize>, right: Option<usize>) -> Option<usize> {
        let depth = self.depth(left).min(self.depth(right));
        let (mut left, mut right) = (self.at_depth(left, depth), self.at_depth(right, depth));
        // Nodes of equal depth have jumps of equal length.
        while left != right {
            let jumps = (self.jump(left), self.jump(right));
            (left, right) = if jumps.0 == jumps.1 {
                (self.before(left), self.before(right))
            } else {
                jumps
            };
        }
        left
    }
}
