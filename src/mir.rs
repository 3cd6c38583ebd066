//! The middle representation: what runs.
//!
//! A [`Module`] is a game as functions over 64-bit registers. The lowering of the checked program makes it; the
//! interpreter and the native back end run it, an arm for each instruction. It knows no construct of the language and
//! nothing of how values lie in memory but spaces, offsets and widths.
//!
//! A function is a list of basic blocks. A register is written by one instruction (a *value*) or by several (a
//! *variable*); the [verifier](verify) checks that each is written on every way to where it is read. Constants are
//! registers too, set once when a function is entered.

mod build;
mod callee;
mod dead_code;
mod inst;
mod print;
#[cfg(all(test, feature = "native"))]
pub(crate) mod random;
#[cfg(test)]
mod tests;
mod verify;

pub(crate) use build::Builder;
pub(crate) use callee::{Callee, callees};
pub(crate) use inst::{Binary, Cache, Checked, Condition, End, Field, Inst, Unary};
pub(crate) use verify::verify;

use crate::code::{Check, Hole, Item, Shape, Slot, Source, Written};

/// A register of a function, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub(crate) u32);

/// A register that several instructions write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variable(pub(crate) Value);

/// A basic block, by its place in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block(pub(crate) u32);

/// A function, by its place in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FunctionId(pub(crate) u32);

/// A constant table, by its place in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TableId(pub(crate) u32);

/// A game, ready to run.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) functions: Vec<Function>,
    pub(crate) tables: Vec<Table>,
    /// What runtime calls are given besides registers: shapes, slots, holes of patterns, texts. A register holds the
    /// place of one here.
    pub(crate) objects: Vec<Object>,
}

impl Module {
    /// A module without anything in it.
    pub(crate) const EMPTY: Module = Module {
        functions: Vec::new(),
        tables: Vec::new(),
        objects: Vec::new(),
    };
}

/// A function. Its result is one word.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// How many of the registers are parameters: the first ones.
    pub(crate) parameters: usize,
    /// The values of the registers that follow the parameters.
    pub(crate) constants: Vec<i64>,
    /// How many registers there are in all.
    pub(crate) registers: usize,
    /// The first one is entered first.
    pub(crate) blocks: Vec<BlockBody>,
}

impl Function {
    /// How many instructions it has, the ends of its blocks among them.
    #[cfg(feature = "native")]
    pub(crate) fn instructions(&self) -> usize {
        let blocks = self.blocks.iter();
        blocks.map(|block| block.insts.len() + 1).sum()
    }

    /// The number that a register holds, if it is a constant.
    pub(crate) fn constant(&self, value: Value) -> Option<i64> {
        let place = (value.0 as usize).checked_sub(self.parameters)?;
        self.constants.get(place).copied()
    }
}

/// The instructions of a block and how it ends.
#[derive(Debug, Default)]
pub(crate) struct BlockBody {
    pub(crate) insts: Vec<Inst>,
    pub(crate) end: End,
    /// Whether control seldom comes here.
    pub(crate) is_cold: bool,
}

/// A table of constants.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    Words(Box<[i64]>),
    Shorts(Box<[i16]>),
    /// Numbers of rows.
    Rows(Box<[u16]>),
    Bytes(Box<[u8]>),
}

impl Table {
    /// The table as bytes, in the order of this machine.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Table::Words(words) => bytemuck::cast_slice(words),
            Table::Shorts(shorts) => bytemuck::cast_slice(shorts),
            Table::Rows(rows) => bytemuck::cast_slice(rows),
            Table::Bytes(bytes) => bytes,
        }
    }
}

/// What a runtime call is given besides registers.
#[derive(Debug)]
pub(crate) enum Object {
    Slot(Slot),
    Shape(Shape),
    Check(Box<Check>),
    Hole(Box<Hole>),
    Item(Box<Item>),
    Source(Box<Source>),
    Written(Written),
    Text(String),
}

/// Where words and bytes lie that instructions read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Givens, state and the fields of the event, then the blocks that the event makes.
    Memory,
    /// The fields of the event that was chosen next.
    Chosen,
    /// For each index of each partial type, whether it is a value: a byte.
    Values,
    /// The report, as far as it is not written out.
    Output,
    /// The words of the transcript, each a record of [`WORD_RECORD`] words.
    Words,
    /// The bytes of the transcript.
    Text,
    /// A constant table of the module.
    Table(TableId),
}

/// How many words the record of a word of the transcript has.
pub(crate) const WORD_RECORD: i64 = 4;

/// A place in a space: `base` words, `index` bytes and `offset` bytes from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) space: Space,
    pub(crate) base: Option<Value>,
    pub(crate) index: Option<Value>,
    pub(crate) offset: i32,
}

impl Address {
    /// The beginning of a space.
    pub(crate) fn new(space: Space) -> Address {
        Address {
            space,
            base: None,
            index: None,
            offset: 0,
        }
    }

    /// The same place, so many words on.
    pub(crate) fn words(self, words: usize) -> Address {
        self.plus(i32::try_from(words * 8).unwrap_or(i32::MAX))
    }

    /// The same place, so many bytes on.
    pub(crate) fn plus(self, bytes: i32) -> Address {
        let offset = self.offset.saturating_add(bytes);
        Address { offset, ..self }
    }

    pub(crate) fn based(self, base: Value) -> Address {
        let base = Some(base);
        Address { base, ..self }
    }

    pub(crate) fn indexed(self, index: Value) -> Address {
        let index = Some(index);
        Address { index, ..self }
    }
}

/// How many bytes are read or written, and what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// A number from 0 to 255.
    Byte,
    /// Two bytes: a number from 0 to 65,535.
    Row,
    /// Two bytes: a number that may be below 0.
    Short,
    /// Four bytes: a number of at least 0.
    Half,
    Word,
}

impl Width {
    /// How many bytes it is.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Width::Byte => 1,
            Width::Row | Width::Short => 2,
            Width::Half => 4,
            Width::Word => 8,
        }
    }
}
