//! What runs: code over slots, small integers and blocks of words, made from a checked program.
//!
//! Every value is one `i64`. A yes/no, number, member or product is itself; none is [`NONE`]; a small set is its
//! bits; a text is its id; a larger set, bag, map or record is where its block of words begins in the machine's
//! memory; a pile or hashed set is a handle. Which of these a value is, is known when the code is made.

mod events;
mod shape;

pub(crate) use events::{
    Choice, Chooser, Equation, Event, Field, Given, Guard, Hole, Impossible, Initial, Item, Mark,
    Pattern, Play, PlayRow, Pointwise, Reading, Report, Row, Segment, Spoken, State, Step, Stop,
    Target, Transcript,
};
pub(crate) use shape::{Check, Domain, HashedShape, Shape, Slot};

use crate::source::Span;

/// The value that is none: no number that a rule can reach, since arithmetic refuses it.
pub(crate) const NONE: i64 = i64::MIN;

/// A whole game, ready to run.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// The words that givens and state take, before anything that an event makes.
    pub(crate) fixed_words: usize,
    pub(crate) givens: Vec<Given>,
    pub(crate) states: Vec<State>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) events: Vec<Event>,
    pub(crate) policies: Vec<Vec<Choice>>,
    pub(crate) transcripts: Vec<Transcript>,
    pub(crate) grids: Vec<Grid>,
    pub(crate) forms: Vec<Form>,
    /// Types of which only some indexes are values.
    pub(crate) partial: Vec<Partial>,
    /// The texts that are known beforehand; a text's id is its place.
    pub(crate) texts: Vec<String>,
    /// The places that faults point to.
    pub(crate) sites: Vec<Site>,
    /// Where handles of piles stand in fixed memory: the first word and how many.
    pub(crate) pile_roots: Vec<(usize, usize)>,
    /// Where ids of texts stand in fixed memory.
    pub(crate) text_roots: Vec<(usize, usize)>,
    /// Where handles of hashed sets stand in fixed memory.
    pub(crate) hashed_roots: Vec<(usize, usize)>,
    pub(crate) hashed: Vec<HashedShape>,
    /// Whether a state holds texts, so that texts made during a game must be kept until its end.
    pub(crate) keeps_texts: bool,
    /// Whether texts stand in a given where `text_roots` does not find them, as in a pile: then all are kept.
    pub(crate) keeps_given_texts: bool,
    pub(crate) limit: u64,
    /// How many values the tables of facts remember.
    pub(crate) table_words: usize,
}

/// A place in a rule file that a fault speaks of.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) span: Span,
    /// What stands there.
    pub(crate) text: String,
}

/// A product of which not every index is a value, because its size is given or a condition leaves some out.
#[derive(Debug)]
pub(crate) struct Partial {
    pub(crate) count: usize,
    /// Whether an index is a value.
    pub(crate) is_value: Code,
    /// Whether that depends on what is given.
    pub(crate) given: bool,
    /// The local that holds the index.
    pub(crate) index: u32,
    pub(crate) locals: usize,
}

/// A fact of one event (or of none), in one tense.
#[derive(Debug)]
pub(crate) struct Fact {
    pub(crate) code: Code,
    pub(crate) locals: usize,
    /// For a fact with parameters whose values are remembered: where its table begins, and the parameters' domains.
    pub(crate) table: Option<FactTable>,
}

/// A table of a fact's values during one step.
#[derive(Debug)]
pub(crate) struct FactTable {
    pub(crate) start: usize,
    pub(crate) domains: Vec<Domain>,
}

/// A grid's geometry.
#[derive(Debug)]
pub(crate) struct Grid {
    pub(crate) rows: i64,
    pub(crate) columns: i64,
    /// The points beside each point, ascending.
    pub(crate) neighbours: Vec<Vec<u32>>,
    /// How a step in each of the eight ways changes row and column.
    pub(crate) ways: [(i64, i64); 8],
}

/// How a type is written.
#[derive(Debug)]
pub(crate) struct Form {
    /// The values it has, by index.
    pub(crate) domain: Option<Domain>,
    /// The form; the value is the first local.
    pub(crate) text: Text,
    pub(crate) locals: usize,
    /// Whether the form depends on what is given, so that it is known at each start only.
    pub(crate) given: bool,
    /// The product or kind whose values are left out, if some indexes are none.
    pub(crate) partial: Option<usize>,
    /// The last value, where that is given.
    pub(crate) last: Option<Code>,
    /// The forms, where they are known beforehand.
    pub(crate) known: Vec<String>,
    /// What the type is called.
    pub(crate) name: String,
}

/// Where a fault happened: an index into [`Compiled::sites`].
pub(crate) type SiteId = u32;

/// An expression that runs. The tag is a byte of its own, so that telling the kinds apart is one jump.
#[derive(Debug)]
#[repr(u8)]
pub(crate) enum Code {
    /// A value known beforehand; also a block in fixed memory.
    Constant(i64),
    Local(u32),
    EventField(u32),
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
    Part {
        divisor: i64,
        domain: Domain,
        operand: Box<Code>,
    },
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
    Entry {
        map: Box<Code>,
        key: Box<Code>,
        domain: Domain,
        slot: Slot,
    },
    Add(Box<(Code, Code)>, SiteId),
    Subtract(Box<(Code, Code)>, SiteId),
    Multiply(Box<(Code, Code)>, SiteId),
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
    Remap {
        map: Box<Code>,
        domain: Domain,
        from: Slot,
        to: Slot,
        words: usize,
    },
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
    CountIn {
        item: Box<Code>,
        bag: Box<Code>,
        domain: Domain,
    },
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
    /// A text made of parts.
    Text(Box<Text>),
    /// A decision table as a dense array of row numbers.
    Dense {
        keys: Box<[Component]>,
        rows: Box<[u16]>,
        values: Box<[Code]>,
        site: SiteId,
    },
    /// A decision table row by row.
    Decide {
        keys: Box<[Code]>,
        /// The locals that hold the keys.
        locals: Box<[u32]>,
        rows: Box<[DecideRow]>,
        site: SiteId,
    },
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
    },
}

/// A map of a fact's values.
#[derive(Debug)]
pub(crate) struct Tabulate {
    pub(crate) fact: u32,
    pub(crate) domain: Domain,
    pub(crate) partial: Option<usize>,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A map with another entry.
#[derive(Debug)]
pub(crate) struct But {
    pub(crate) map: Code,
    pub(crate) value: Code,
    pub(crate) at: Code,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A map with another entry at many keys.
#[derive(Debug)]
pub(crate) struct ButMany {
    pub(crate) map: Code,
    pub(crate) value: Code,
    pub(crate) at: Source,
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    pub(crate) words: usize,
}

/// A member so many places on.
#[derive(Debug)]
pub(crate) struct After {
    pub(crate) operand: Code,
    pub(crate) steps: Code,
    pub(crate) count: Code,
    pub(crate) ring: bool,
    pub(crate) before: bool,
}

/// A row whose value is ranged over.
#[derive(Debug)]
pub(crate) struct UnionRow {
    pub(crate) row: Row,
    /// What is ranged over, where the row's value need not be made first.
    pub(crate) source: Option<Source>,
    pub(crate) shape: Shape,
}

/// One key or part, with the place of its values in an index.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) code: Code,
    pub(crate) domain: Domain,
    pub(crate) stride: i64,
}

/// A row of [`Code::Decide`].
#[derive(Debug)]
pub(crate) struct DecideRow {
    pub(crate) cells: Box<[Matches]>,
    pub(crate) conditions: Box<[Code]>,
    pub(crate) value: Code,
}

/// A cell.
#[derive(Debug)]
pub(crate) enum Matches {
    Any,
    /// Whether the value is in one of the ranges is `wanted`.
    Ranges {
        wanted: bool,
        ranges: Box<[(i64, i64)]>,
    },
}

/// A loop over some variables, with a condition.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) bindings: Box<[(u32, Source)]>,
    pub(crate) condition: Option<Code>,
}

/// `best x in s where c by highest k`
#[derive(Debug)]
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
}

/// What a loop ranges over; it is not made into a collection first.
#[derive(Debug)]
pub(crate) enum Source {
    /// Numbers or places from one to another.
    Span(Box<(Code, Code)>),
    /// All values of a type of which only some indexes are values.
    Partial(usize),
    /// A set of bits.
    Bits {
        set: Code,
        base: i64,
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
    Shore {
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

/// A text that is written or made.
#[derive(Debug)]
pub(crate) enum Text {
    Literal(String),
    Value(Box<Code>, Written),
    Parts(Box<[Text]>),
    /// What is ranged over, with a text between.
    List {
        source: Box<Source>,
        written: Written,
        blanks: bool,
    },
}

/// How a value is written.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Number,
    YesNo,
    Text,
    /// By a form of the compiled game.
    Form(usize),
    /// As itself, or `none`.
    OrNone(Box<Written>),
}
