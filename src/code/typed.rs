//! How values become data for other programs.

use super::{Code, Domain, Shape, Slot, Written};

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
