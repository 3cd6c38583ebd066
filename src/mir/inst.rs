//! Instructions, ends of blocks, and what they refer to.

use super::{Address, Block, Callee, FunctionId, Value, Width};

/// A cache of values, each with the epoch in which it was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cache {
    /// Facts without parameters, and the members of bags in fields.
    Facts,
    New,
    Table,
}

/// A field of the machine that instructions read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// Whether the last function called failed.
    Failed,
    /// The remaining fuel of this event.
    Fuel,
    /// Counts states of the game: cached values of earlier epochs are stale.
    Epoch,
    /// Where the next block is allocated, and the size of memory, both in words.
    Top,
    MemoryWords,
    /// The current event.
    Event,
    /// The number of events of the game, and the number of the game.
    Events,
    GameNumber,
    /// The length of the report, and of the room for it, in bytes.
    OutputLength,
    OutputRoom,
    /// Where the current line of the report begins.
    LineStart,
    /// The words of the transcript: how many there are, which is next, the first word of the last event read, and the
    /// row of `play` that it matched.
    WordCount,
    WordNext,
    WordFirst,
    WordRow,
    /// The value that the runtime read from a word.
    WordValue,
    /// The cost of piles, hashed sets and texts, and the thresholds for collecting them.
    PilesUsed,
    PilesThreshold,
    HashedUsed,
    HashedThreshold,
    TextsUsed,
    TextsThreshold,
}

impl Field {
    /// Whether functions may set it.
    pub(crate) fn is_set(self) -> bool {
        match self {
            Field::Failed
            | Field::Fuel
            | Field::Epoch
            | Field::Top
            | Field::Event
            | Field::Events
            | Field::GameNumber
            | Field::OutputLength
            | Field::LineStart
            | Field::WordNext
            | Field::WordFirst
            | Field::WordRow
            | Field::WordValue => true,
            Field::MemoryWords
            | Field::OutputRoom
            | Field::WordCount
            | Field::PilesUsed
            | Field::PilesThreshold
            | Field::HashedUsed
            | Field::HashedThreshold
            | Field::TextsUsed
            | Field::TextsThreshold => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Neg,
    Abs,
    Not,
    /// The number of bits that are set.
    Popcount,
    /// The number of zero bits below the lowest, or above the highest, that is set.
    TrailingZeros,
    LeadingZeros,
}

/// An operation on two words. Sums, differences and products wrap; shifts take the lowest six bits of the count. Before
/// a division, the divisor must be known not to be 0 and the quotient to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    /// Quotient and remainder, towards zero.
    Div,
    Rem,
    /// The same for unsigned words.
    UnsignedDiv,
    UnsignedRem,
    UnsignedMin,
    Max,
    And,
    Or,
    Xor,
    /// The bits of the first that are not in the second.
    AndNot,
    Shl,
    Shr,
    /// The arithmetic right shift.
    Sar,
}

/// Arithmetic that detects overflow of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    Add,
    Sub,
    Mul,
}

/// A comparison of two words; "below" and "above" are unsigned.
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
    /// `overflow` becomes 1 if the result overflows 64 bits, else 0.
    Checked {
        op: Checked,
        to: Value,
        overflow: Value,
        left: Value,
        right: Value,
    },
    /// 1 if the condition holds, else 0.
    Compare {
        how: Condition,
        to: Value,
        left: Value,
        right: Value,
    },
    /// `then` if the condition is not 0, else `otherwise`.
    Select {
        to: Value,
        condition: Value,
        then: Value,
        otherwise: Value,
    },
    /// Uses one unit of fuel; the register becomes 1 if none is left then, else 0.
    Charge {
        is_used_up: Value,
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
    /// Copies words of memory. The blocks are equal or do not overlap.
    CopyWords {
        /// The destination, and the source.
        places: Box<(Address, Address)>,
        words: u32,
    },
    ZeroWords {
        at: Address,
        words: u32,
    },
    /// A word of a pile, by its log and its index in the log.
    LoadPile {
        to: Value,
        log: Value,
        place: Value,
    },
    /// The entry of a cache, and whether it is of this epoch.
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
    /// The value of a short word of the transcript in the dictionary of a form; `found` is 0 if it has none.
    Lookup {
        found: Value,
        to: Value,
        form: u32,
        key: Value,
    },
    /// Calls a function of the module. If it fails, [`Field::Failed`] is 1 afterwards.
    Call {
        to: Value,
        function: FunctionId,
        arguments: Box<[Value]>,
    },
    /// Calls the runtime. If that fails, [`Field::Failed`] is 1 afterwards.
    Runtime {
        to: Value,
        callee: Callee,
        arguments: Box<[Value]>,
    },
}

/// The end of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum End {
    Jump(Block),
    /// Goes to the first block if the register is not 0, else to the second.
    Branch(Value, Block, Block),
    /// Goes to the block with this index, or to the last one beyond them.
    Switch(Value, Box<[Block]>, Block),
    Return(Value),
    /// The function fails: [`Field::Failed`] becomes 1, and its result does not matter.
    #[default]
    Fail,
}

impl End {
    pub(crate) fn read(&self) -> Option<Value> {
        match self {
            End::Branch(value, ..) | End::Switch(value, ..) | End::Return(value) => Some(*value),
            End::Jump(_) | End::Fail => None,
        }
    }

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

    /// Replaces the blocks and registers that it names.
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
    pub(super) fn is_pure(&self) -> bool {
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
            Inst::Charge { .. }
            | Inst::Set { .. }
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
            for part in [&mut at.base, &mut at.index] {
                if *part != Value::NONE {
                    visit(part, false);
                }
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
            Inst::Charge { is_used_up: to } | Inst::Get { to, .. } => visit(to, true),
            Inst::Set { from, .. } => visit(from, false),
            Inst::Load { to, at, .. } => {
                address(at, visit);
                visit(to, true);
            }
            Inst::Store { from, at, .. } => {
                visit(from, false);
                address(at, visit);
            }
            Inst::CopyWords { places, .. } => {
                address(&mut places.1, visit);
                address(&mut places.0, visit);
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
