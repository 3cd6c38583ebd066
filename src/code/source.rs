//! Sources of values, and loops over them.

use super::{Code, Shape, Slot};

/// A loop over some variables, with a condition.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) condition: Option<Code>,
}

/// `best x in s where c by highest k`, `sorted x in s where c by highest k`
#[derive(Debug, Clone)]
pub(crate) struct Best {
    pub(crate) local: u32,
    pub(crate) source: Source,
    pub(crate) condition: Option<Code>,
    /// Each key, and whether the highest is best.
    pub(crate) keys: Box<[(bool, Code)]>,
    /// Locals that hold the best keys so far.
    pub(crate) held: Box<[u32]>,
    /// Whether the order of the type breaks ties. For texts, the first wins instead.
    pub(crate) ordered: bool,
    /// If the first value that fulfils the condition is the best: the states whose new values must be known by then, so
    /// that the others need not be evaluated.
    pub(crate) first: Option<Box<[u32]>>,
    /// For `sorted`: the shape of the pile.
    pub(crate) sorted: Option<Shape>,
}

/// The values that a loop ranges over, without building a collection.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// Numbers or indices from one to another.
    Span(Box<(Code, Code)>),
    /// A source if a condition holds, which is evaluated when the first value comes; else nothing.
    When(Box<(Code, Source)>),
    /// All values of a partial type.
    Partial(usize),
    /// A set of bits.
    Bits {
        set: Code,
        base: i64,
        /// The most members that it may have.
        count: usize,
    },
    /// A set of words.
    Words {
        set: Code,
        base: i64,
        words: usize,
    },
    /// A bag, with repetitions.
    Counts {
        bag: Code,
        base: i64,
        count: usize,
    },
    Pile {
        pile: Code,
        slot: Slot,
    },
    Hashed {
        set: Code,
        hashed: usize,
    },
    /// Single values; those that are none are skipped.
    Items(Box<[Code]>),
    /// The values of a loop; those that are none are skipped.
    Mapped(Box<Loop>, Code),
    /// The neighbours of a point.
    Beside {
        grid: u32,
        point: Code,
    },
    /// The neighbours of a set of points that are not in it.
    Around {
        grid: u32,
        points: Box<Source>,
    },
    /// The points of a region.
    Region {
        grid: u32,
        point: Code,
        map: Code,
        slot: Slot,
    },
    /// The neighbours of a region, in the order they are found.
    Boundary {
        grid: u32,
        point: Code,
        map: Code,
        slot: Slot,
    },
    /// The points between two points on one line.
    Line {
        grid: u32,
        ends: Box<(Code, Code)>,
    },
    /// The points from a point in one direction.
    Ray {
        grid: u32,
        start: Box<(Code, Code)>,
    },
}
