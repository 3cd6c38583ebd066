//! What is ranged over, and loops.

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
    /// Whether the order of the type settles ties, as it does but for texts: of these the first is taken.
    pub(crate) ordered: bool,
    /// Where the first value that fulfils the condition is the best: the states whose new values must be known by then,
    /// so that the others need not be asked.
    pub(crate) first: Option<Box<[u32]>>,
    /// Where all are meant, the best first: the pile that they make.
    pub(crate) sorted: Option<Shape>,
}

/// What a loop ranges over; it is not made into a collection first.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// Numbers or places from one to another.
    Span(Box<(Code, Code)>),
    /// What is ranged over if a condition holds, which is asked when the first value comes; else nothing.
    When(Box<(Code, Source)>),
    /// All values of a type of which only some indexes are values.
    Partial(usize),
    /// A set of bits.
    Bits {
        set: Code,
        base: i64,
        /// How many members it may have.
        count: usize,
    },
    /// A set of words.
    Words {
        set: Code,
        base: i64,
        words: usize,
    },
    /// A bag, once per piece.
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
    /// Single values; none is left out.
    Items(Box<[Code]>),
    /// The values of a loop; none is left out.
    Mapped(Box<Loop>, Code),
    /// The points beside a point.
    Beside {
        grid: u32,
        point: Code,
    },
    /// The points beside a set of points and not in it.
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
    /// The points beside a region, as they are found.
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
    /// The points from a point in a way.
    Ray {
        grid: u32,
        start: Box<(Code, Code)>,
    },
}
