//! Expressions that run.

use super::{Best, Bounds, Check, Domain, Loop, Row, Shape, SiteId, Slot, Source, Text, Written};

/// An expression that runs. The tag is a byte of its own, so that telling the kinds apart is one jump.
#[derive(Debug, Clone)]
#[repr(u8)]
pub(crate) enum Code {
    /// A value known beforehand; also a block in fixed memory.
    Constant(i64),
    Local(u32),
    /// A word of fixed memory.
    Load(u32),
    /// The new value of a state.
    New(u32),
    /// A fact without parameters.
    Fact(u32),
    /// A fact with parameters.
    Call(u32, Box<[Code]>),
    /// A map of a fact's values.
    Tabulate(Box<Tabulate>),
    /// A constant for each member, by its place.
    Lookup(Box<[i64]>, Box<Code>),
    /// A part of an index.
    Part(Box<Part>),
    /// An index made of parts.
    Index(Box<[Component]>),
    /// As [`Code::Index`], where not every index is a value.
    CheckedIndex(Box<[Component]>, usize, SiteId),
    /// A part of a record.
    RecordPart {
        offset: usize,
        slot: Slot,
        operand: Box<Code>,
    },
    /// A record made of parts.
    Record {
        parts: Box<[(usize, Slot, Code)]>,
        words: usize,
    },
    /// An entry of a map.
    Entry(Box<Entry>),
    Add(Box<(Code, Code)>, SiteId),
    Subtract(Box<(Code, Code)>, SiteId),
    Multiply(Box<(Code, Code)>, SiteId),
    DivideEven(Box<(Code, Code)>, SiteId),
    Divide(Box<(Code, Code)>, SiteId),
    Modulo(Box<(Code, Code)>, SiteId),
    Negate(Box<Code>, SiteId),
    Less(Box<(Code, Code)>),
    LessOrEqual(Box<(Code, Code)>),
    Equal(Box<(Code, Code)>),
    EqualConstant(Box<Code>, i64),
    /// Equality of what is not one word.
    Same(Box<(Code, Code)>, Box<Shape>),
    Not(Box<Code>),
    And(Box<(Code, Code)>),
    Or(Box<(Code, Code)>),
    Else(Box<(Code, Code)>),
    The(Box<Code>, SiteId),
    Lift {
        local: u32,
        operand: Box<Code>,
        body: Box<Code>,
    },
    /// A value checked against a type.
    Checked(Box<Code>, Box<Check>, SiteId),
    /// Whether a value is between two others.
    Between(Box<(Code, Code, Code)>),
    /// Whether a set of bits has a value.
    HasBit {
        item: Box<Code>,
        set: Box<Code>,
        base: i64,
    },
    /// Whether a collection has a value.
    Has {
        item: Box<Code>,
        set: Box<Code>,
        shape: Box<Shape>,
    },
    /// Whether an index is a value of a partial type.
    IsValue(Box<Code>, usize),
    /// Whether something ranged over is equal to a value.
    Among {
        item: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// Whether all of one collection are in another.
    Within {
        left: Box<Source>,
        right: Box<Code>,
        shape: Box<Shape>,
    },
    /// Whether one bag has no more of anything than another.
    CountsWithin {
        bags: Box<(Code, Code)>,
        left: Box<Shape>,
        right: Box<Shape>,
    },
    /// A collection of what is ranged over.
    Gather {
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// A collection of single values.
    Collect {
        items: Box<[Code]>,
        shape: Box<Shape>,
    },
    /// A set of bits with or without others.
    BitsWith(Box<(Code, Code)>),
    BitsWithout(Box<(Code, Code)>),
    /// The set of bits that has one member, which lies in the domain; empty for none.
    Bit {
        item: Box<Code>,
        base: i64,
    },
    /// The members of a bag of counts as bits: bit 0 is the first count.
    Members {
        bag: Box<Code>,
        count: usize,
    },
    /// What two sets of bits share.
    BitsBoth(Box<(Code, Code)>),
    /// A set of bits for each value from `base` on; empty for any other.
    Masked {
        masks: Box<[i64]>,
        base: i64,
        operand: Box<Code>,
    },
    /// The members for which a decision table says yes.
    MaskedRows(Box<MaskedRows>),
    /// The member of a set of bits that comes first in an order known beforehand.
    BitsRanked {
        /// For each bit, the place of its member in the order, from 0.
        ranks: Box<[u8]>,
        base: i64,
        set: Box<Code>,
    },
    /// A collection with what is ranged over.
    With {
        set: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// A collection without what is ranged over.
    Without {
        set: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// A pile under another.
    Then {
        piles: Box<(Code, Code)>,
        stride: usize,
    },
    /// A map with another entry.
    But(Box<But>),
    /// A map with another entry at many keys.
    ButMany(Box<ButMany>),
    /// A map with its entries kept in another way.
    Remap(Box<Remap>),
    /// Whether anything ranged over fulfils the loop's condition.
    Some(Box<Loop>),
    /// Whether nothing does.
    No(Box<Loop>),
    /// The value of what is best.
    Best(Box<Best>),
    /// The highest or lowest of what is ranged over.
    Extreme {
        highest: bool,
        source: Box<Source>,
    },
    BitsHighest {
        set: Box<Code>,
        base: i64,
    },
    BitsLowest {
        set: Box<Code>,
        base: i64,
    },
    Sum(Box<Source>, SiteId),
    /// How many are ranged over.
    Count(Box<Source>),
    BitsSize(Box<Code>),
    PileSize(Box<Code>),
    HashedSize(Box<Code>),
    /// How often a value is among what is ranged over.
    CountOf {
        item: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// How often a value is in a bag of counts.
    CountIn(Box<CountIn>),
    /// How often a value is in a hashed bag or set.
    CountHashed {
        item: Box<Code>,
        set: Box<Code>,
        shape: Box<Shape>,
    },
    /// One of a pile, from 1; none beside it.
    Item {
        pile: Box<Code>,
        index: Box<Code>,
        slot: Slot,
    },
    /// The first so many of a pile.
    TopMany(Box<(Code, Code)>),
    /// All but the first so many of a pile.
    Below(Box<(Code, Code)>),
    Reversed {
        pile: Box<Code>,
        stride: usize,
    },
    /// The distance of two numbers.
    Apart(Box<(Code, Code)>, SiteId),
    /// A member so many places on.
    After(Box<After>),
    GridStep {
        grid: u32,
        operands: Box<(Code, Code, Code)>,
    },
    GridWay {
        grid: u32,
        operands: Box<(Code, Code)>,
    },
    GameNumber,
    /// An expression of a row that is explained.
    Noted(Box<Noted>),
    /// A text made of parts.
    Text(Box<Text>),
    /// A decision table as a dense array of row numbers.
    Dense(Box<Dense>),
    /// One of several expressions, by a table of their numbers.
    Switch(Box<Switch>),
    /// One expression if all conditions hold, and else another.
    If(Box<If>),
    /// A decision table row by row.
    Decide(Box<Decide>),
    /// Rows, combined.
    Any(Box<[Row]>),
    All(Box<[Row]>),
    First(Box<[Row]>),
    Highest(Box<[Row]>),
    Lowest(Box<[Row]>),
    SumRows(Box<[Row]>, SiteId),
    /// The union of sets of bits.
    UnionBits(Box<[Row]>),
    /// The union of other sets.
    Union(Box<[UnionRow]>, Box<Shape>),
    /// Rows of which those that fire must agree; the old value where none fires.
    Agree {
        rows: Box<[Row]>,
        shape: Box<Shape>,
        otherwise: Box<Code>,
        /// How a message writes what they disagree about, if it can.
        shown: Option<Box<Disputed>>,
    },
}

/// How a message writes the values of rows that disagree, and the entry of a state that they are for: the locals from 0 on.
#[derive(Debug, Clone)]
pub(crate) struct Disputed {
    pub(crate) value: Written,
    pub(crate) entry: Box<[Written]>,
}

/// An expression of a row whose run the journal follows: what it mentions is noted, or only that the run passes it.
#[derive(Debug, Clone)]
pub(crate) enum Noted {
    /// A place that the run passes before the expression is asked: how often is all that is noted.
    Passed { place: u32, code: Code },
    /// Something that is mentioned: its value is noted, with the values that it is asked of.
    Value {
        mention: u32,
        of: Box<[Code]>,
        code: Code,
    },
    /// `and` or `or`; where one operand alone decides, only what that mentions is noted.
    Joined {
        /// The value that decides: 0 for `and`, 1 for `or`.
        decides: i64,
        left: Code,
        right: Code,
    },
    /// What is noted before an expression that notes nothing.
    Before { noted: Box<[Code]>, code: Code },
    /// `some` or `no`: the variables that fulfil the condition are noted, and what the condition mentions then; if there
    /// are none, what is gone through.
    Found {
        range: Loop,
        /// Whether it holds if there are such variables.
        holds: bool,
        /// The variables, each with its mention.
        variables: Box<[(u32, u32)]>,
        condition: Code,
        ranges: Box<[Code]>,
    },
}

/// A part of an index.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) operand: Code,
    pub(crate) divisor: i64,
    pub(crate) domain: Domain,
}

/// An entry of a map.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) map: Code,
    pub(crate) key: Code,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    /// What the entry can be, where that is known.
    pub(crate) bounds: Option<Bounds>,
}

/// How often a value is in a bag of counts.
#[derive(Debug, Clone)]
pub(crate) struct CountIn {
    pub(crate) item: Code,
    pub(crate) bag: Code,
    pub(crate) domain: Domain,
}

/// A map with its entries kept in another way.
#[derive(Debug, Clone)]
pub(crate) struct Remap {
    pub(crate) map: Code,
    pub(crate) domain: Domain,
    pub(crate) from: Slot,
    pub(crate) to: Slot,
    pub(crate) words: usize,
}

/// The members for which a decision table says yes. The keys that do not depend on the member make an index; for each
/// index and row there is the set of the members that are decided by this row.
#[derive(Debug, Clone)]
pub(crate) struct MaskedRows {
    pub(crate) keys: Box<[Component]>,
    /// For each index, the members that are decided by each row.
    pub(crate) masks: Box<[i64]>,
    /// For each row, the members for which its value is yes.
    pub(crate) values: Box<[Code]>,
}

/// A decision table as a dense array of row numbers.
#[derive(Debug, Clone)]
pub(crate) struct Dense {
    pub(crate) keys: Box<[Component]>,
    pub(crate) rows: Box<[u16]>,
    pub(crate) values: Box<[Code]>,
    pub(crate) site: SiteId,
}

/// One of several expressions.
#[derive(Debug, Clone)]
pub(crate) struct Switch {
    pub(crate) operand: Code,
    /// For each value of the operand from 0 on, which expression it is.
    pub(crate) rows: Box<[u16]>,
    pub(crate) values: Box<[Code]>,
    pub(crate) site: SiteId,
}

/// One of two expressions.
#[derive(Debug, Clone)]
pub(crate) struct If {
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
    pub(crate) otherwise: Code,
}

/// A decision table row by row.
#[derive(Debug, Clone)]
pub(crate) struct Decide {
    pub(crate) keys: Box<[Code]>,
    /// The locals that hold the keys.
    pub(crate) locals: Box<[u32]>,
    pub(crate) rows: Box<[DecideRow]>,
    pub(crate) site: SiteId,
}

/// A map of a fact's values.
#[derive(Debug, Clone)]
pub(crate) struct Tabulate {
    pub(crate) fact: u32,
    pub(crate) domain: Domain,
    pub(crate) partial: Option<usize>,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A map with another entry.
#[derive(Debug, Clone)]
pub(crate) struct But {
    pub(crate) map: Code,
    pub(crate) value: Code,
    pub(crate) at: Code,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A map with another entry at many keys.
#[derive(Debug, Clone)]
pub(crate) struct ButMany {
    pub(crate) map: Code,
    pub(crate) value: Code,
    pub(crate) at: Source,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A member so many places on.
#[derive(Debug, Clone)]
pub(crate) struct After {
    pub(crate) operand: Code,
    pub(crate) steps: Code,
    pub(crate) count: Code,
    pub(crate) ring: bool,
    pub(crate) before: bool,
}

/// A row whose value is ranged over.
#[derive(Debug, Clone)]
pub(crate) struct UnionRow {
    pub(crate) row: Row,
    /// What is ranged over, where the row's value need not be made first.
    pub(crate) source: Option<Source>,
    pub(crate) shape: Shape,
}

/// One key or part, with the place of its values in an index.
#[derive(Debug, Clone)]
pub(crate) struct Component {
    pub(crate) code: Code,
    pub(crate) domain: Domain,
    pub(crate) stride: i64,
}

/// A row of [`Code::Decide`].
#[derive(Debug, Clone)]
pub(crate) struct DecideRow {
    pub(crate) cells: Box<[Matches]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
}

/// A cell.
#[derive(Debug, Clone)]
pub(crate) enum Matches {
    Any,
    /// Whether the value is in one of the ranges is `wanted`.
    Ranges {
        wanted: bool,
        ranges: Box<[(i64, i64)]>,
    },
}
