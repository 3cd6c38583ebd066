use super::{Best, Bounds, Check, Domain, Loop, Row, Shape, SiteId, Slot, Source, Text, Written};

/// An expression. The tag is a byte of its own, so that a match is one jump.
#[derive(Debug, Clone)]
#[repr(u8)]
pub(crate) enum Code {
    /// A constant, or a block in fixed memory.
    Constant(i64),
    Local(u32),
    /// A word of fixed memory.
    Load(u32),
    /// The new value of a state.
    New(u32),
    /// A fact without parameters.
    Fact(u32),
    /// A call of a fact with parameters.
    Call(u32, Box<[Code]>),
    /// A map of a fact's values.
    Tabulate(Box<Tabulate>),
    /// A constant for each member, by its index.
    Lookup(Box<[i64]>, Box<Code>),
    /// A part of an index.
    Part(Box<Part>),
    /// An index made of parts.
    Index(Box<[Component]>),
    /// As [`Code::Index`], for a partial type (its number) whose value is checked.
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
    /// Equality of values that take more than one word.
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
    /// Whether a value lies between two others.
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
    /// Whether a source contains a value.
    Among {
        item: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// Whether one collection is a subset of another.
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
    /// A collection of the values of a source.
    Gather {
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// A collection of single values.
    Collect {
        items: Box<[Code]>,
        shape: Box<Shape>,
    },
    /// The union of two sets of bits.
    BitsWith(Box<(Code, Code)>),
    BitsWithout(Box<(Code, Code)>),
    /// The set of bits with one member, which lies in the domain; empty for none.
    Bit {
        item: Box<Code>,
        base: i64,
    },
    /// The members of a bag of counts as bits: bit 0 is the first count.
    Members {
        bag: Box<Code>,
        count: usize,
    },
    /// The intersection of two sets of bits.
    BitsBoth(Box<(Code, Code)>),
    /// A set of bits for each value from `base` on; empty for any other value.
    Masked {
        masks: Box<[i64]>,
        base: i64,
        operand: Box<Code>,
    },
    /// The set of members for which a decision table gives yes.
    MaskedRows(Box<MaskedRows>),
    /// The member of a set of bits that comes first in a constant order.
    BitsRanked {
        /// For each bit, the rank of its member, from 0.
        ranks: Box<[u8]>,
        base: i64,
        set: Box<Code>,
    },
    /// A collection with the values of a source added.
    With {
        set: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// A collection with the values of a source removed.
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
    /// A map with one entry replaced.
    But(Box<But>),
    /// A map with the entries of many keys replaced.
    ButMany(Box<ButMany>),
    /// A map with its entries converted to another slot.
    Remap(Box<Remap>),
    /// Whether any value of a source fulfils the loop's condition.
    Some(Box<Loop>),
    /// Whether none does.
    No(Box<Loop>),
    /// The value of the best.
    Best(Box<Best>),
    /// The highest or lowest value of a source.
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
    /// The number of values of a source.
    Count(Box<Source>),
    BitsSize(Box<Code>),
    PileSize(Box<Code>),
    HashedSize(Box<Code>),
    /// How often a source contains a value.
    CountOf {
        item: Box<Code>,
        source: Box<Source>,
        shape: Box<Shape>,
    },
    /// How often a bag of counts contains a value.
    CountIn(Box<CountIn>),
    /// How often a hashed bag or set contains a value.
    CountHashed {
        item: Box<Code>,
        set: Box<Code>,
        shape: Box<Shape>,
    },
    /// An element of a pile, from 1; none outside it.
    Item {
        pile: Box<Code>,
        index: Box<Code>,
        slot: Slot,
    },
    /// The first elements of a pile.
    TopMany(Box<(Code, Code)>),
    /// A pile without its first elements.
    Below(Box<(Code, Code)>),
    Reversed {
        pile: Box<Code>,
        stride: usize,
    },
    /// The absolute difference of two numbers.
    Apart(Box<(Code, Code)>, SiteId),
    /// The member that comes a number of places after another.
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
    /// An expression that writes the journal.
    Noted(Box<Noted>),
    /// A text made of parts.
    Text(Box<Text>),
    /// A decision table as a dense array of row numbers.
    Dense(Box<Dense>),
    /// One of several expressions, selected by a table.
    Switch(Box<Switch>),
    If(Box<If>),
    /// A decision table evaluated row by row.
    Decide(Box<Decide>),
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
    /// Rows that must agree if they fire; the old value if none does.
    Agree {
        rows: Box<[Row]>,
        shape: Box<Shape>,
        otherwise: Box<Code>,
        /// How a message writes the values they disagree about, if it can.
        shown: Option<Box<Disputed>>,
    },
}

/// How a message writes the values of rows that disagree, and the entry of a state that they are for. These are the
/// locals from 0 on.
#[derive(Debug, Clone)]
pub(crate) struct Disputed {
    pub(crate) value: Written,
    pub(crate) entry: Box<[Written]>,
}

/// An expression of a row that the journal records: its mentions, or only that the run passes it.
#[derive(Debug, Clone)]
pub(crate) enum Noted {
    /// Counts that the run passes a place before it evaluates the expression.
    Passed { place: u32, code: Code },
    /// A mention: notes its value and its arguments.
    Value {
        mention: u32,
        of: Box<[Code]>,
        code: Code,
    },
    /// `and` or `or`. If one operand alone decides, only its mentions are noted.
    Joined {
        /// The value that decides: 0 for `and`, 1 for `or`.
        decides: i64,
        left: Code,
        right: Code,
    },
    /// Notes other expressions before one that notes nothing itself.
    Before { noted: Box<[Code]>, code: Code },
    /// `some` or `no`: notes the variables that fulfil the condition, and what the condition mentions then; if none do,
    /// what the loop ranges over.
    Found {
        range: Loop,
        /// The result if such variables exist.
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
    /// The bounds of the entry, where known.
    pub(crate) bounds: Option<Bounds>,
}

/// How often a bag of counts contains a value.
#[derive(Debug, Clone)]
pub(crate) struct CountIn {
    pub(crate) item: Code,
    pub(crate) bag: Code,
    pub(crate) domain: Domain,
}

/// A map with its entries converted to another slot.
#[derive(Debug, Clone)]
pub(crate) struct Remap {
    pub(crate) map: Code,
    pub(crate) domain: Domain,
    pub(crate) from: Slot,
    pub(crate) to: Slot,
    pub(crate) words: usize,
}

/// The set of members for which a decision table gives yes. The keys that do not depend on the member make up an index;
/// for each index and row there is the set of members that this row decides.
#[derive(Debug, Clone)]
pub(crate) struct MaskedRows {
    pub(crate) keys: Box<[Component]>,
    /// For each index, the members that each row decides.
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
    /// For each value of the operand from 0 on, the index of the expression.
    pub(crate) rows: Box<[u16]>,
    pub(crate) values: Box<[Code]>,
    pub(crate) site: SiteId,
}

/// One expression if all conditions hold, else another.
#[derive(Debug, Clone)]
pub(crate) struct If {
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
    pub(crate) otherwise: Code,
}

/// A decision table evaluated row by row.
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

/// A map with one entry replaced.
#[derive(Debug, Clone)]
pub(crate) struct But {
    pub(crate) map: Code,
    pub(crate) value: Code,
    pub(crate) at: Code,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A map with the entries of many keys replaced.
#[derive(Debug, Clone)]
pub(crate) struct ButMany {
    pub(crate) map: Code,
    pub(crate) value: Code,
    pub(crate) at: Source,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// The member that comes a number of places after another.
#[derive(Debug, Clone)]
pub(crate) struct After {
    pub(crate) operand: Code,
    pub(crate) steps: Code,
    pub(crate) count: Code,
    pub(crate) ring: bool,
    pub(crate) before: bool,
}

/// A row whose value is a collection to be united with others.
#[derive(Debug, Clone)]
pub(crate) struct UnionRow {
    pub(crate) row: Row,
    /// The values as a source, if the collection need not be built first.
    pub(crate) source: Option<Source>,
    pub(crate) shape: Shape,
}

/// A key or part, with its domain and its stride in an index.
#[derive(Debug, Clone)]
pub(crate) struct Component {
    pub(crate) code: Code,
    pub(crate) domain: Domain,
    pub(crate) stride: i64,
}

#[derive(Debug, Clone)]
pub(crate) struct DecideRow {
    pub(crate) cells: Box<[Matches]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
}

/// A cell of a decision table.
#[derive(Debug, Clone)]
pub(crate) enum Matches {
    Any,
    /// Whether the value is in one of the ranges is `wanted`.
    Ranges {
        wanted: bool,
        ranges: Box<[(i64, i64)]>,
    },
}
