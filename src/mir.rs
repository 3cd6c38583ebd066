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
#[cfg(feature = "native")]
pub(crate) mod random;
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

/// A basic block, by its index in its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block(pub(crate) u32);

/// A function, by its index in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FunctionId(pub(crate) u32);

/// A constant table, by its index in its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TableId(pub(crate) u32);

/// A game, ready to run. It grows while it is used: a function may be declared first and defined on its first call.
#[derive(Debug, Default)]
pub(crate) struct Module {
    functions: boxcar::Vec<OnceLock<Function>>,
    tables: boxcar::Vec<Table>,
    /// The arguments of runtime calls that are no words: shapes, slots, holes of patterns, texts. A register holds the
    /// index of one.
    objects: boxcar::Vec<Object>,
}

impl Module {
    /// Declares a function, to be defined later.
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

    /// All defined functions.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Function> {
        let functions = self.functions.iter();
        functions.filter_map(|(_, function)| function.get())
    }

    pub(crate) fn is_declared(&self, function: FunctionId) -> bool {
        (function.0 as usize) < self.functions.count()
    }

    pub(crate) fn add_table(&self, table: Table) -> TableId {
        TableId(place(self.tables.push(table)))
    }

    #[inline]
    pub(crate) fn table(&self, table: TableId) -> Option<&Table> {
        self.tables.get(table.0 as usize)
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().map(|(_, table)| table)
    }

    /// Adds an object; returns its index.
    pub(crate) fn add_object(&self, object: Object) -> usize {
        self.objects.push(object)
    }

    /// The object with an index.
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
    /// The number of parameters, which are the first registers.
    pub(crate) parameters: usize,
    /// The values of the registers that follow the parameters.
    pub(crate) constants: Vec<i64>,
    /// The number of registers.
    pub(crate) registers: usize,
    /// The first one is the entry.
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

    /// The number of instructions, including the ends of blocks.
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

/// The instructions of a block and its end.
#[derive(Debug, Default)]
pub(crate) struct BlockBody {
    pub(crate) insts: Vec<Inst>,
    pub(crate) end: End,
    /// Whether control rarely comes here.
    pub(crate) is_cold: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    Words(Box<[i64]>),
    Shorts(Box<[i16]>),
    /// Row numbers.
    Rows(Box<[u16]>),
    Bytes(Box<[u8]>),
}

impl Table {
    /// The table as bytes, in this machine's byte order.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Table::Words(words) => bytemuck::cast_slice(words),
            Table::Shorts(shorts) => bytemuck::cast_slice(shorts),
            Table::Rows(rows) => bytemuck::cast_slice(rows),
            Table::Bytes(bytes) => bytes,
        }
    }
}

/// An argument of a runtime call that is no word.
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

/// A memory space that instructions read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Givens, state and the fields of the event, then the blocks that the event allocates.
    Memory,
    /// The fields of the event chosen next.
    Chosen,
    /// For each index of each partial type, whether it is a value: a byte.
    Values,
    /// The part of the report that is not yet written out.
    Output,
    /// The words of the transcript, each a record of [`WORD_RECORD`] words.
    Words,
    /// The bytes of the transcript.
    Text,
    /// A constant table of the module.
    Table(TableId),
}

/// The size of the record of a word of the transcript, in words.
pub(crate) const WORD_RECORD: i64 = 4;

/// An address in a space: `base` words + `index` bytes + `offset` bytes from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) space: Space,
    /// [`Value::NONE`] if there is none, as for the index. That keeps instructions small.
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

    /// The same address plus a number of words.
    pub(crate) fn words(self, words: usize) -> Address {
        self.plus(i32::try_from(words * 8).unwrap_or(i32::MAX))
    }

    /// The same address plus a number of bytes.
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

    /// The register of the base, if there is one.
    #[inline]
    pub(crate) fn base(&self) -> Option<Value> {
        (self.base != Value::NONE).then_some(self.base)
    }

    /// The register of the index, if there is one.
    #[inline]
    pub(crate) fn index(&self) -> Option<Value> {
        (self.index != Value::NONE).then_some(self.index)
    }
}

/// The size and signedness of a memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// An unsigned byte.
    Byte,
    /// Two bytes, unsigned.
    Row,
    /// Two bytes, signed.
    Short,
    /// Four bytes, unsigned.
    Half,
    Word,
}

impl Width {
    /// The size in bytes.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Width::Byte => 1,
            Width::Row | Width::Short => 2,
            Width::Half => 4,
            Width::Word => 8,
        }
    }
}
