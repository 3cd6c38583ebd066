//! What a function is made of: instructions, ends of blocks, and what they name.

use super::{Address, Block, Callee, FunctionId, Value, Width};

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
    /// The fuel that is left for this event.
    Fuel,
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
    /// Where the line of the report began that is being written.
    LineStart,
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
    TextsUsed,
    TextsThreshold,
}

impl Field {
    /// Whether functions set it.
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
    /// Takes one from the fuel; the register becomes 1 where none is left then, and else 0.
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
    /// Copies words of memory. The places are the same or apart.
    CopyWords {
        /// Where they go, and where they are.
        places: Box<(Address, Address)>,
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
    /// The register that it reads.
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
