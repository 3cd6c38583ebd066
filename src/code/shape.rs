//! The representation of values, and how they become data for other programs.

use super::{Code, Written};

/// The values of a finite type as indices from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Domain {
    /// The value with index 0.
    pub(crate) base: i64,
    /// The number of values, including none.
    pub(crate) count: usize,
    /// Whether none is the last of them.
    pub(crate) optional: bool,
}

impl Domain {
    /// The index of a value; [`Domain::count`] or more if it is outside.
    #[inline]
    pub(crate) fn index(self, value: i64) -> usize {
        if value == super::NONE {
            return if self.optional {
                self.count - 1
            } else {
                usize::MAX
            };
        }
        usize::try_from(value.wrapping_sub(self.base)).unwrap_or(usize::MAX)
    }

    /// The value with an index.
    pub(crate) fn value(self, index: usize) -> i64 {
        if self.optional && index + 1 == self.count {
            super::NONE
        } else {
            self.base + i64::try_from(index).unwrap_or(i64::MAX)
        }
    }
}

/// The bounds of a one-word value, from its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) least: i64,
    pub(crate) greatest: i64,
    /// Whether it can also be none.
    pub(crate) optional: bool,
}

impl Bounds {
    /// Whether a value is within the bounds.
    pub(crate) fn allows(self, value: i64) -> bool {
        match value {
            super::NONE => self.optional,
            value => (self.least..=self.greatest).contains(&value),
        }
    }

    /// Any number.
    pub(crate) const NUMBER: Bounds = Bounds {
        least: super::NONE + 1,
        greatest: i64::MAX,
        optional: false,
    };

    /// The values of a domain; nothing if it is empty.
    pub(crate) fn of(domain: Domain) -> Option<Bounds> {
        let count = domain.count - usize::from(domain.optional);
        let last = i64::try_from(count.checked_sub(1)?).ok()?;
        Some(Bounds {
            least: domain.base,
            greatest: domain.base.checked_add(last)?,
            optional: domain.optional,
        })
    }
}

/// How a value is stored in a map, record or state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A byte, eight to a word: the value minus `base`; 255 is none.
    Byte { base: i64 },
    /// A word.
    Word,
    /// A block of words.
    Block { words: usize },
    /// A word that says whether there is a value, and a block.
    OptionalBlock { words: usize },
}

impl Slot {
    /// The size of `count` slots, in words.
    pub(crate) fn words(self, count: usize) -> usize {
        match self {
            Slot::Byte { .. } => count.div_ceil(8),
            Slot::Word => count,
            Slot::Block { words } => count * words,
            Slot::OptionalBlock { words } => count * (words + 1),
        }
    }

    /// The size of an element of a pile, in words.
    pub(crate) fn stride(self) -> usize {
        match self {
            Slot::Byte { .. } | Slot::Word => 1,
            Slot::Block { words } => words,
            Slot::OptionalBlock { words } => words + 1,
        }
    }
}

/// The kind of a value's representation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A yes/no, number, member, product or text.
    Scalar,
    /// A set of at most 63 values: bit 0 is `base`.
    Bits { domain: Domain },
    /// A larger set: a block.
    Words { domain: Domain, words: usize },
    /// A bag of a finite type: a block of counts.
    Counts { domain: Domain },
    /// A map: a block.
    Map {
        domain: Domain,
        slot: Slot,
        entry: Box<Shape>,
        words: usize,
    },
    /// A record: a block.
    Record {
        parts: Vec<(usize, Slot, Shape)>,
        words: usize,
    },
    /// A pile: a handle.
    Pile { slot: Slot, element: Box<Shape> },
    /// A set or bag over an infinite type: a handle.
    Hashed { hashed: usize },
}

/// A set or bag over an infinite type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HashedShape {
    pub(crate) bag: bool,
    pub(crate) slot: Slot,
    pub(crate) element: Shape,
    /// Whether the elements are texts.
    pub(crate) text: bool,
    /// Whether equal elements always have equal words.
    pub(crate) flat: bool,
}

impl Shape {
    /// The size of the value's block in words; nothing if the value is one word.
    #[inline]
    pub(crate) fn block(&self) -> Option<usize> {
        match self {
            Shape::Scalar | Shape::Bits { .. } | Shape::Pile { .. } | Shape::Hashed { .. } => None,
            Shape::Words { words, .. } | Shape::Map { words, .. } | Shape::Record { words, .. } => {
                Some(*words)
            }
            Shape::Counts { domain } => Some(domain.count),
        }
    }

    /// Whether a value is a single word, and not a handle.
    pub(crate) fn is_word(&self) -> bool {
        matches!(self, Shape::Scalar | Shape::Bits { .. })
    }

    /// Whether two values are equal if and only if their words are.
    pub(crate) fn is_flat(&self) -> bool {
        match self {
            Shape::Scalar | Shape::Bits { .. } | Shape::Words { .. } | Shape::Counts { .. } => true,
            Shape::Map { entry, .. } => entry.is_flat(),
            Shape::Record { parts, .. } => parts.iter().all(|(_, _, part)| part.is_flat()),
            Shape::Pile { .. } | Shape::Hashed { .. } => false,
        }
    }
}

/// A check of a value against its type.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    /// It lies between two values.
    Range {
        lo: super::Code,
        hi: super::Code,
        /// Whether it may be none.
        optional: bool,
        /// The name of the type.
        ty: String,
        /// The written form of the value.
        written: super::Written,
    },
    /// All its bits are among these.
    Bits { allowed: i64, ty: String },
    /// Each of its members passes.
    Each {
        shape: Shape,
        check: Box<Check>,
        optional: bool,
    },
    /// Each of its entries passes.
    Entries {
        domain: Domain,
        slot: Slot,
        check: Box<Check>,
        optional: bool,
    },
}

/// How a value becomes data, by its type.
#[derive(Debug)]
pub(crate) enum Typed {
    YesNo,
    Number,
    /// As its written form.
    Text(Written),
    /// A collection.
    List {
        shape: Shape,
        element: Box<Typed>,
    },
    /// A map.
    Entries(Box<TypedEntries>),
    /// A record: for each part its name, its offset, its slot and how it becomes data.
    Record(Vec<(String, usize, Slot, Typed)>),
}

/// How the entries of a map become data.
#[derive(Debug)]
pub(crate) struct TypedEntries {
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    /// The partial type of the key, if only some keys are values.
    pub(crate) partial: Option<usize>,
    /// The last key, if the size of its type is given.
    pub(crate) last: Option<Code>,
    /// The written form of a key.
    pub(crate) key: Written,
    /// The domains of the parameters that make up a key.
    pub(crate) parameters: Vec<(Domain, Typed)>,
    pub(crate) entry: Typed,
}

/// How a state becomes data.
#[derive(Debug)]
pub(crate) struct TypedState {
    pub(crate) name: String,
    pub(crate) whole: Typed,
}
