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
mod print;
mod verify;

pub(crate) use build::Builder;
pub(crate) use callee::{Callee, callees};
pub(crate) use verify::verify;

use crate::code::{Check, Code, Hole, Item, Shape, Slot, Source, Written};

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
    Code(Box<Code>),
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

/// What is remembered of the current epoch: a list of values, each with the epoch in which it was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cache {
    /// Facts without parameters, and the members of bags that are fields.
    Facts,
    /// New values of states.
    New,
    /// Facts with parameters.
    Table,
}

/// A word of the machine's own that instructions read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// Whether the function that was called last failed.
    Failed,
    /// The fuel that is left for this event, and for this game.
    Fuel,
    GameFuel,
    /// Counts the states of a game: what is remembered from an earlier one is stale.
    Epoch,
    /// Where the next block of memory goes, in words; and how many words of memory there are.
    Top,
    MemoryWords,
    /// The event that is being decided.
    Event,
    /// How many events the game has had, and which game it is.
    Events,
    GameNumber,
    /// How many bytes of the report there are, and for how many there is room.
    OutputLength,
    OutputRoom,
    /// The words of the transcript: how many there are, which comes next, the first of the event read last, and the row
    /// of the `play` that read it.
    WordCount,
    WordNext,
    WordFirst,
    WordRow,
    /// The value that the runtime read in a word.
    WordValue,
    /// How much piles, hashed sets and texts take, and from when on that is collected.
    PilesUsed,
    PilesThreshold,
    HashedUsed,
    HashedThreshold,
    TextsCount,
    TextsKept,
}

/// An operation on one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Neg,
    Abs,
    Not,
    /// How many bits are set.
    Popcount,
    /// How many bits below the lowest, or above the highest that is set, are not.
    TrailingZeros,
    LeadingZeros,
}

/// An operation on two words. Sums, differences and products wrap; shifts take the lowest six bits of the count; who
/// divides has made sure that the divisor is not 0 and the quotient fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    /// Division and rest, towards zero.
    Div,
    Rem,
    /// The same of words without sign.
    UnsignedDiv,
    UnsignedRem,
    UnsignedMin,
    Max,
    And,
    Or,
    Xor,
    /// The bits of the first that the second has not.
    AndNot,
    Shl,
    Shr,
    /// As `Shr`, keeping the sign.
    Sar,
}

/// Arithmetic that says whether the result is beyond 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Add,
    Sub,
    Mul,
}

/// How two words are compared; "below" and "above" are without sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Below,
    Above,
    AboveOrEqual,
}

impl Condition {
    /// Whether it holds of two words.
    pub(crate) fn holds(self, left: i64, right: i64) -> bool {
        let (raw_left, raw_right) = (left.cast_unsigned(), right.cast_unsigned());
        match self {
            Condition::Equal => left == right,
            Condition::NotEqual => left != right,
            Condition::Less => left < right,
            Condition::LessOrEqual => left <= right,
            Condition::Greater => left > right,
            Condition::GreaterOrEqual => left >= right,
            Condition::Below => raw_left < raw_right,
            Condition::Above => raw_left > raw_right,
            Condition::AboveOrEqual => raw_left >= raw_right,
        }
    }
}

/// An instruction. `to` is the register that it writes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Inst {
    Copy {
        to: Value,
        from: Value,
    },
    Unary {
        op: Unary,
        to: Value,
        from: Value,
    },
    Binary {
        op: Binary,
        to: Value,
        left: Value,
        right: Value,
    },
    /// `overflow` becomes 1 where the result is beyond 64 bits, and else 0.
    Checked {
        op: Checked,
        to: Value,
        overflow: Value,
        left: Value,
        right: Value,
    },
    /// 1 where the condition holds, and else 0.
    Compare {
        how: Condition,
        to: Value,
        left: Value,
        right: Value,
    },
    /// `then` where the condition is not 0, and else `otherwise`.
    Select {
        to: Value,
        condition: Value,
        then: Value,
        otherwise: Value,
    },
    Get {
        to: Value,
        field: Field,
    },
    Set {
        field: Field,
        from: Value,
    },
    Load {
        to: Value,
        at: Address,
        width: Width,
    },
    Store {
        from: Value,
        at: Address,
        width: Width,
    },
    /// Copies words of memory. The places are the same or apart.
    CopyWords {
        to: Address,
        from: Address,
        words: u32,
    },
    ZeroWords {
        at: Address,
        words: u32,
    },
    /// A word of a pile: which log its words lie in, and its place there.
    LoadPile {
        to: Value,
        log: Value,
        place: Value,
    },
    /// What a cache has at an index, and whether it is of this epoch.
    Recall {
        is_now: Value,
        to: Value,
        cache: Cache,
        index: Value,
    },
    Remember {
        cache: Cache,
        index: Value,
        from: Value,
    },
    Forget {
        cache: Cache,
        index: Value,
    },
    /// The value of a short word of the transcript in the dictionary of a form; `found` is 0 where it has none.
    Lookup {
        found: Value,
        to: Value,
        form: u32,
        key: Value,
    },
    /// Calls a function of the module. Where it fails, [`Field::Failed`] is 1 afterwards.
    Call {
        to: Value,
        function: FunctionId,
        arguments: Box<[Value]>,
    },
    /// Calls the runtime. Where that fails, [`Field::Failed`] is 1 afterwards.
    Runtime {
        to: Value,
        callee: Callee,
        arguments: Box<[Value]>,
    },
}

/// How a block ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum End {
    Jump(Block),
    /// Goes to the first block where the register is not 0, and else to the second.
    Branch(Value, Block, Block),
    /// Goes to the block with this place, or to the last one beyond them.
    Switch(Value, Box<[Block]>, Block),
    Return(Value),
    /// The function fails: [`Field::Failed`] becomes 1, and what it returns does not matter.
    #[default]
    Fail,
}

impl End {
    /// Visits the blocks that it may go to.
    pub(crate) fn targets(&self, visit: &mut dyn FnMut(Block)) {
        match self {
            End::Jump(block) => visit(*block),
            End::Branch(_, then, otherwise) => {
                visit(*then);
                visit(*otherwise);
            }
            End::Switch(_, blocks, otherwise) => {
                for block in blocks {
                    visit(*block);
                }
                visit(*otherwise);
            }
            End::Return(_) | End::Fail => {}
        }
    }

    /// Changes the blocks and registers that it names.
    pub(crate) fn rename(
        &mut self,
        value: &mut dyn FnMut(&mut Value),
        block: &mut dyn FnMut(&mut Block),
    ) {
        match self {
            End::Jump(target) => block(target),
            End::Branch(condition, then, otherwise) => {
                value(condition);
                block(then);
                block(otherwise);
            }
            End::Switch(index, blocks, otherwise) => {
                value(index);
                blocks.iter_mut().for_each(&mut *block);
                block(otherwise);
            }
            End::Return(result) => value(result),
            End::Fail => {}
        }
    }
}

impl Inst {
    /// Whether it does nothing but write its registers.
    fn is_pure(&self) -> bool {
        match self {
            Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Checked { .. }
            | Inst::Compare { .. }
            | Inst::Select { .. }
            | Inst::Get { .. }
            | Inst::Load { .. }
            | Inst::LoadPile { .. }
            | Inst::Recall { .. }
            | Inst::Lookup { .. } => true,
            Inst::Set { .. }
            | Inst::Store { .. }
            | Inst::CopyWords { .. }
            | Inst::ZeroWords { .. }
            | Inst::Remember { .. }
            | Inst::Forget { .. }
            | Inst::Call { .. }
            | Inst::Runtime { .. } => false,
        }
    }

    /// Visits the registers that it reads (`false`), then those that it writes (`true`).
    pub(crate) fn registers(&mut self, visit: &mut dyn FnMut(&mut Value, bool)) {
        let address = |at: &mut Address, visit: &mut dyn FnMut(&mut Value, bool)| {
            for part in [&mut at.base, &mut at.index].into_iter().flatten() {
                visit(part, false);
            }
        };
        match self {
            Inst::Copy { to, from } | Inst::Unary { to, from, .. } => {
                visit(from, false);
                visit(to, true);
            }
            Inst::Binary {
                to, left, right, ..
            }
            | Inst::Compare {
                to, left, right, ..
            } => {
                visit(left, false);
                visit(right, false);
                visit(to, true);
            }
            Inst::Checked {
                to,
                overflow,
                left,
                right,
                ..
            } => {
                visit(left, false);
                visit(right, false);
                visit(to, true);
                visit(overflow, true);
            }
            Inst::Select {
                to,
                condition,
                then,
                otherwise,
            } => {
                for read in [condition, then, otherwise] {
                    visit(read, false);
                }
                visit(to, true);
            }
            Inst::Get { to, .. } => visit(to, true),
            Inst::Set { from, .. } => visit(from, false),
            Inst::Load { to, at, .. } => {
                address(at, visit);
                visit(to, true);
            }
            Inst::Store { from, at, .. } => {
                visit(from, false);
                address(at, visit);
            }
            Inst::CopyWords { to, from, .. } => {
                address(from, visit);
                address(to, visit);
            }
            Inst::ZeroWords { at, .. } => address(at, visit),
            Inst::LoadPile { to, log, place } => {
                visit(log, false);
                visit(place, false);
                visit(to, true);
            }
            Inst::Recall {
                is_now, to, index, ..
            } => {
                visit(index, false);
                visit(is_now, true);
                visit(to, true);
            }
            Inst::Remember { index, from, .. } => {
                visit(index, false);
                visit(from, false);
            }
            Inst::Forget { index, .. } => visit(index, false),
            Inst::Lookup { found, to, key, .. } => {
                visit(key, false);
                visit(found, true);
                visit(to, true);
            }
            Inst::Call { to, arguments, .. } | Inst::Runtime { to, arguments, .. } => {
                for argument in arguments {
                    visit(argument, false);
                }
                visit(to, true);
            }
        }
    }
}
