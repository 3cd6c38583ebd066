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
mod cleanup;
mod inst;
mod print;
#[cfg(all(any(test, fuzzing), feature = "native"))]
pub(crate) mod random;
#[cfg(test)]
mod tests;
mod verify;

pub(crate) use build::Builder;
pub(crate) use callee::{
    Callee, RAISE_NO_ROW, RAISE_NONE, RAISE_OVERFLOW, RAISE_WORK, RAISE_ZERO, callees,
};
pub(crate) use inst::{Binary, Cache, Checked, Condition, End, Field, Inst, Unary};
pub(crate) use verify::{verify, verify_function};

use std::sync::OnceLock;

use crate::code::{Check, Hole, Item, Shape, Slot, Source, Written};

/// A register of a function, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub(crate) u32);

impl Value {
    /// No register.
    const NONE: Value = Value(u32::MAX);
}

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

/// A game, ready to run. It grows while it is used: functions may be declared that are defined when they are first called.
#[derive(Debug, Default)]
pub(crate) struct Module {
    functions: boxcar::Vec<OnceLock<Function>>,
    tables: boxcar::Vec<Table>,
    /// What runtime calls are given besides registers: shapes, slots, holes of patterns, texts. A register holds the
    /// place of one here.
    objects: boxcar::Vec<Object>,
}

impl Module {
    /// A function that is still to be defined.
    pub(crate) fn declare(&self) -> FunctionId {
        FunctionId(place(self.functions.push(OnceLock::new())))
    }

    /// Defines a function, unless it is defined.
    pub(crate) fn define(&self, function: FunctionId, definition: Function) -> Option<&Function> {
        let declared = self.functions.get(function.0 as usize)?;
        Some(declared.get_or_init(|| definition.fitted()))
    }

    /// A function, if it is defined.
    #[inline]
    pub(crate) fn function(&self, function: FunctionId) -> Option<&Function> {
        self.functions.get(function.0 as usize)?.get()
    }

    /// All functions that are defined.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Function> {
        let functions = self.functions.iter();
        functions.filter_map(|(_, function)| function.get())
    }

    /// Whether a function is declared.
    pub(crate) fn is_declared(&self, function: FunctionId) -> bool {
        (function.0 as usize) < self.functions.count()
    }

    /// Adds a table.
    pub(crate) fn add_table(&self, table: Table) -> TableId {
        TableId(place(self.tables.push(table)))
    }

    /// A table, if there is one.
    #[inline]
    pub(crate) fn table(&self, table: TableId) -> Option<&Table> {
        self.tables.get(table.0 as usize)
    }

    /// All tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().map(|(_, table)| table)
    }

    /// Adds an object; gives its place.
    pub(crate) fn add_object(&self, object: Object) -> usize {
        self.objects.push(object)
    }

    /// The object at a place.
    #[inline]
    pub(crate) fn object(&self, place: usize) -> Option<&Object> {
        self.objects.get(place)
    }
}

fn place(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
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
    /// The same function without spare capacity: an explanation makes many small functions.
    fn fitted(mut self) -> Self {
        for block in &mut self.blocks {
            block.insts.shrink_to_fit();
        }
        self.blocks.shrink_to_fit();
        self.constants.shrink_to_fit();
        self
    }

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
    /// [`Value::NONE`] where there is none; likewise the index. Instructions are as small as that makes them.
    base: Value,
    index: Value,
    pub(crate) offset: i32,
}

impl Address {
    /// The beginning of a space.
    pub(crate) fn new(space: Space) -> Address {
        Address {
            space,
            base: Value::NONE,
            index: Value::NONE,
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
        Address { base, ..self }
    }

    pub(crate) fn indexed(self, index: Value) -> Address {
        Address { index, ..self }
    }

    /// How many words it is from the beginning, where a register says so.
    #[inline]
    pub(crate) fn base(&self) -> Option<Value> {
        (self.base != Value::NONE).then_some(self.base)
    }

    /// How many bytes, where a register says so.
    #[inline]
    pub(crate) fn index(&self) -> Option<Value> {
        (self.index != Value::NONE).then_some(self.index)
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
