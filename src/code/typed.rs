//! How values become data for other programs.

use super::{Code, Domain, Shape, Slot, Written};

/// How a value of a type becomes data.
#[derive(Debug)]
pub(crate) enum Typed {
    YesNo,
    Number,
    /// As it is written.
    Text(Written),
    /// A collection.
    List {
        shape: Shape,
        element: Box<Typed>,
    },
    /// A map.
    Entries(Box<TypedEntries>),
    /// A record: for each part its name, where it lies, and how it is kept.
    Record(Vec<(String, usize, Slot, Typed)>),
}

/// How the entries of a map become data.
#[derive(Debug)]
pub(crate) struct TypedEntries {
    pub(crate) domain: Domain,
    pub(crate) slot: Slot,
    /// Where only some keys are values.
    pub(crate) partial: Option<usize>,
    /// The last key that is one, where that is given.
    pub(crate) last: Option<Code>,
    /// How a whole key is written.
    pub(crate) key: Written,
    /// The values that together make a key.
    pub(crate) parameters: Vec<(Domain, Typed)>,
    pub(crate) entry: Typed,
}

/// How a state becomes data.
#[derive(Debug)]
pub(crate) struct TypedState {
    pub(crate) name: String,
    pub(crate) whole: Typed,
}
