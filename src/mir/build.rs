//! Builds a function, instruction by instruction.

use std::collections::BTreeMap;

use super::{
    Address, Binary, Block, BlockBody, Cache, Callee, Checked, Condition, End, Field, Function,
    FunctionId, Inst, Unary, Value, Variable, Width, cleanup,
};

/// A builder of a function.
///
/// Instructions go to the block that was begun last. Each value is a register of its own; a constant is a register that
/// no instruction writes.
#[derive(Debug)]
pub(crate) struct Builder {
    name: String,
    parameters: usize,
    registers: u32,
    blocks: Vec<BlockBody>,
    now: Block,
    /// The first register that was made in the current block.
    first: u32,
    /// Whether the current block has ended.
    has_ended: bool,
    /// The number of instructions, including the ends of blocks.
    instructions: usize,
    constants: BTreeMap<Value, i64>,
    /// The values of variables that were set or read in the current block.
    current: BTreeMap<Variable, Value>,
    /// The variables that are 0 at the start.
    zeroed: Vec<Variable>,
}

impl Builder {
    /// A function with a number of parameters, whose first block is begun.
    pub(crate) fn new(name: String, parameters: usize) -> Builder {
        Builder {
            name,
            parameters,
            registers: u32::try_from(parameters).unwrap_or(u32::MAX),
            blocks: vec![BlockBody::default()],
            now: Block(0),
            first: 0,
            has_ended: false,
            instructions: 0,
            constants: BTreeMap::new(),
            current: BTreeMap::new(),
            zeroed: Vec::new(),
        }
    }

    pub(crate) fn parameters(&self) -> Vec<Value> {
        (0u32..).take(self.parameters).map(Value).collect()
    }

    /// The number of instructions so far.
    pub(crate) fn instructions(&self) -> usize {
        self.instructions
    }

    fn register(&mut self) -> Value {
        let value = Value(self.registers);
        self.registers += 1;
        value
    }

    fn push(&mut self, inst: Inst) {
        debug_assert!(!self.has_ended, "nothing follows the end of a block");
        self.instructions += 1;
        self.blocks[self.now.0 as usize].insts.push(inst);
    }

    fn made(&mut self, inst: impl FnOnce(Value) -> Inst) -> Value {
        let to = self.register();
        self.push(inst(to));
        to
    }

    // Blocks.

    pub(crate) fn block(&mut self) -> Block {
        let block = Block(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX));
        self.blocks.push(BlockBody::default());
        block
    }

    /// Marks a block that control rarely comes to.
    pub(crate) fn set_cold(&mut self, block: Block) {
        self.blocks[block.0 as usize].is_cold = true;
    }

    /// Begins a block: the next instructions belong to it.
    pub(crate) fn begin(&mut self, block: Block) {
        debug_assert!(self.has_ended, "a block ends before another begins");
        self.now = block;
        self.first = self.registers;
        self.has_ended = false;
        self.current.clear();
    }

    /// Ends the current block.
    pub(crate) fn end(&mut self, end: End) {
        debug_assert!(!self.has_ended, "a block ends once");
        self.instructions += 1;
        self.blocks[self.now.0 as usize].end = end;
        self.has_ended = true;
    }

    // Values.

    pub(crate) fn constant(&mut self, value: i64) -> Value {
        let register = self.register();
        self.constants.insert(register, value);
        register
    }

    /// Whether a value was defined in the current block.
    pub(crate) fn is_of_block(&self, Value(register): Value) -> bool {
        register >= self.first
    }

    /// The constant that a value is, if it is one.
    pub(crate) fn constant_of(&self, value: Value) -> Option<i64> {
        self.constants.get(&value).copied()
    }

    /// A variable without a value.
    pub(crate) fn variable(&mut self) -> Variable {
        Variable(self.register())
    }

    /// A variable that is 0 until it is set.
    pub(crate) fn zeroed_variable(&mut self) -> Variable {
        let variable = self.variable();
        self.zeroed.push(variable);
        variable
    }

    pub(crate) fn set_variable(&mut self, variable: Variable, from: Value) {
        let to = variable.0;
        self.push(Inst::Copy { to, from });
        self.current.insert(variable, from);
    }

    /// The current value of a variable.
    pub(crate) fn get_variable(&mut self, variable: Variable) -> Value {
        if let Some(value) = self.current.get(&variable) {
            return *value;
        }
        let from = variable.0;
        let value = self.made(|to| Inst::Copy { to, from });
        self.current.insert(variable, value);
        value
    }

    pub(crate) fn unary(&mut self, op: Unary, from: Value) -> Value {
        self.made(|to| Inst::Unary { op, to, from })
    }

    pub(crate) fn binary(&mut self, op: Binary, left: Value, right: Value) -> Value {
        self.made(|to| Inst::Binary {
            op,
            to,
            left,
            right,
        })
    }

    /// An operation on a value and a constant.
    pub(crate) fn binary_by(&mut self, op: Binary, left: Value, right: i64) -> Value {
        let right = self.constant(right);
        self.binary(op, left, right)
    }

    /// The result, and whether it overflows 64 bits.
    pub(crate) fn checked(&mut self, op: Checked, left: Value, right: Value) -> (Value, Value) {
        let overflow = self.register();
        let value = self.made(|to| Inst::Checked {
            op,
            to,
            overflow,
            left,
            right,
        });
        (value, overflow)
    }

    pub(crate) fn compare(&mut self, how: Condition, left: Value, right: Value) -> Value {
        self.made(|to| Inst::Compare {
            how,
            to,
            left,
            right,
        })
    }

    pub(crate) fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        self.made(|to| Inst::Select {
            to,
            condition,
            then,
            otherwise,
        })
    }

    // Memory.

    /// Uses one unit of fuel; the value is 1 if none is left.
    pub(crate) fn charge(&mut self) -> Value {
        self.made(|is_used_up| Inst::Charge { is_used_up })
    }

    pub(crate) fn get(&mut self, field: Field) -> Value {
        self.made(|to| Inst::Get { to, field })
    }

    pub(crate) fn set(&mut self, field: Field, from: Value) {
        self.push(Inst::Set { field, from });
    }

    pub(crate) fn load(&mut self, at: Address, width: Width) -> Value {
        self.made(|to| Inst::Load { to, at, width })
    }

    pub(crate) fn store(&mut self, from: Value, at: Address, width: Width) {
        self.push(Inst::Store { from, at, width });
    }

    pub(crate) fn copy_words(&mut self, from: Address, to: Address, words: usize) {
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        let places = Box::new((to, from));
        self.push(Inst::CopyWords { places, words });
    }

    pub(crate) fn zero_words(&mut self, at: Address, words: usize) {
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        self.push(Inst::ZeroWords { at, words });
    }

    pub(crate) fn load_pile(&mut self, log: Value, place: Value) -> Value {
        self.made(|to| Inst::LoadPile { to, log, place })
    }

    /// Whether the entry of a cache is of this epoch, and its value.
    pub(crate) fn recall(&mut self, cache: Cache, index: Value) -> (Value, Value) {
        let is_now = self.register();
        let value = self.made(|to| Inst::Recall {
            is_now,
            to,
            cache,
            index,
        });
        (is_now, value)
    }

    pub(crate) fn remember(&mut self, cache: Cache, index: Value, from: Value) {
        self.push(Inst::Remember { cache, index, from });
    }

    pub(crate) fn forget(&mut self, cache: Cache, index: Value) {
        self.push(Inst::Forget { cache, index });
    }

    /// Whether a short word is in the dictionary of a form, and its value.
    pub(crate) fn lookup(&mut self, form: usize, key: Value) -> (Value, Value) {
        let found = self.register();
        let form = u32::try_from(form).unwrap_or(u32::MAX);
        let value = self.made(|to| Inst::Lookup {
            found,
            to,
            form,
            key,
        });
        (found, value)
    }

    // Calls.

    pub(crate) fn call(&mut self, function: FunctionId, arguments: &[Value]) -> Value {
        let arguments = arguments.into();
        self.made(|to| Inst::Call {
            to,
            function,
            arguments,
        })
    }

    pub(crate) fn runtime(&mut self, callee: Callee, arguments: &[Value]) -> Value {
        let arguments = arguments.into();
        self.made(|to| Inst::Runtime {
            to,
            callee,
            arguments,
        })
    }

    /// Finishes the function: equal constants share a register, and unreachable blocks are removed.
    pub(crate) fn finish(mut self) -> Function {
        let zero = self.constant(0);
        let zeroed = self.zeroed.iter();
        let zeroed = zeroed.map(|variable| Inst::Copy {
            to: variable.0,
            from: zero,
        });
        self.blocks[0].insts.splice(..0, zeroed);
        cleanup::join_blocks(&mut self.blocks);
        let mut blocks = reachable(std::mem::take(&mut self.blocks));
        cleanup::propagate_copies(&mut blocks);
        cleanup::remove_dead_code(&mut blocks, self.registers as usize);
        let mut renamed = vec![None; self.registers as usize];
        for (parameter, place) in self.parameters().into_iter().zip(&mut renamed) {
            *place = Some(parameter);
        }
        let mut numbers: BTreeMap<i64, usize> = BTreeMap::new();
        let mut constants = Vec::new();
        each_register(&mut blocks, &mut |value| {
            if let Some(number) = self.constants.get(value) {
                numbers.entry(*number).or_insert_with(|| {
                    constants.push(*number);
                    constants.len() - 1
                });
            }
        });
        let mut registers = self.parameters + constants.len();
        each_register(&mut blocks, &mut |value| {
            let known = &mut renamed[value.0 as usize];
            let new = *known.get_or_insert_with(|| {
                let place = if let Some(number) = self.constants.get(value) {
                    self.parameters + numbers[number]
                } else {
                    registers += 1;
                    registers - 1
                };
                Value(u32::try_from(place).unwrap_or(u32::MAX))
            });
            *value = new;
        });
        Function {
            name: self.name,
            parameters: self.parameters,
            constants,
            registers,
            blocks,
        }
    }
}

/// Visits every register that blocks name.
fn each_register(blocks: &mut [BlockBody], visit: &mut dyn FnMut(&mut Value)) {
    for block in blocks {
        for inst in &mut block.insts {
            inst.registers(&mut |value, _| visit(value));
        }
        block.end.rename(visit, &mut |_| {});
    }
}

/// The reachable blocks, in their order.
fn reachable(mut blocks: Vec<BlockBody>) -> Vec<BlockBody> {
    let mut is_reached = vec![false; blocks.len()];
    let mut open = vec![Block(0)];
    while let Some(block) = open.pop() {
        let place = block.0 as usize;
        if !std::mem::replace(&mut is_reached[place], true) {
            blocks[place].end.targets(&mut |target| open.push(target));
        }
    }
    let mut places = vec![Block(0); blocks.len()];
    let mut next = 0;
    for (place, is_reached) in places.iter_mut().zip(&is_reached) {
        if *is_reached {
            *place = Block(next);
            next += 1;
        }
    }
    let mut reached = is_reached.iter();
    blocks.retain(|_| reached.next().is_some_and(|is_reached| *is_reached));
    for block in &mut blocks {
        let rename = &mut |target: &mut Block| *target = places[target.0 as usize];
        block.end.rename(&mut |_| {}, rename);
    }
    blocks
}
