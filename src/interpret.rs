//! The interpreter: an arm for each instruction. What it says is what a module means; native code says the same.

use crate::{
    machine::{Input, Machine},
    mir::{
        Address, Binary, Block, Checked, End, Field, Function, FunctionId, Inst, Module, Unary,
        Value, Width,
    },
};

/// Calls a function; where it fails, [`Field::Failed`] is 1 afterwards.
pub(crate) fn run(
    module: &Module,
    function: FunctionId,
    arguments: &[i64],
    machine: &mut Machine<'_>,
    input: Input<'_>,
) -> i64 {
    let mut interpreter = Interpreter {
        module,
        machine,
        input,
        registers: Vec::new(),
        base: 0,
    };
    interpreter.call(function, arguments)
}

/// A call that waits for another to return.
struct Frame<'m> {
    function: &'m Function,
    block: usize,
    next: usize,
    base: usize,
    /// Where the result goes.
    to: Value,
}

struct Interpreter<'m, 'r, 'c, 'i> {
    module: &'m Module,
    machine: &'r mut Machine<'c>,
    input: Input<'i>,
    /// The registers of all frames, one after the other.
    registers: Vec<i64>,
    base: usize,
}

impl<'m> Interpreter<'m, '_, '_, '_> {
    #[inline]
    fn get(&self, value: Value) -> i64 {
        self.registers[self.base + value.0 as usize]
    }

    #[inline]
    fn set(&mut self, to: Value, value: i64) {
        self.registers[self.base + to.0 as usize] = value;
    }

    /// Where an address is in its space, in bytes.
    #[inline]
    fn place(&self, at: &Address) -> usize {
        let base = at.base.map_or(0, |base| self.get(base)).wrapping_mul(8);
        let index = at.index.map_or(0, |index| self.get(index));
        let place = base.wrapping_add(index).wrapping_add(i64::from(at.offset));
        usize::try_from(place).unwrap_or(usize::MAX)
    }

    fn load(&self, at: &Address, width: Width) -> i64 {
        let place = self.place(at);
        let bytes = self.machine.space(at.space, self.module, self.input);
        let bytes = &bytes[place..place + width.bytes()];
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = i64::from_le_bytes(word);
        match width {
            // Its sign is its highest bit.
            Width::Short => word << 48 >> 48,
            Width::Byte | Width::Row | Width::Half | Width::Word => word,
        }
    }

    fn store(&mut self, at: &Address, width: Width, value: i64) {
        let place = self.place(at);
        let bytes = self.machine.space_mut(at.space);
        let count = width.bytes();
        bytes[place..place + count].copy_from_slice(&value.to_le_bytes()[..count]);
    }

    /// Begins a frame above the present one.
    fn enter(&mut self, function: &'m Function, base: usize, arguments: impl Iterator<Item = i64>) {
        self.registers.truncate(base);
        self.registers.extend(arguments);
        self.registers.extend_from_slice(&function.constants);
        self.registers.resize(base + function.registers, 0);
        self.base = base;
    }

    fn call(&mut self, function: FunctionId, arguments: &[i64]) -> i64 {
        let mut frames: Vec<Frame<'m>> = Vec::new();
        let mut function = &self.module.functions[function.0 as usize];
        self.enter(function, 0, arguments.iter().copied());
        let (mut block, mut next) = (0, 0);
        loop {
            let body = &function.blocks[block];
            while let Some(inst) = body.insts.get(next) {
                next += 1;
                if let Inst::Call {
                    to,
                    function: callee,
                    arguments,
                } = inst
                {
                    let (base, to) = (self.base, *to);
                    frames.push(Frame {
                        function,
                        block,
                        next,
                        base,
                        to,
                    });
                    let values: Vec<i64> = arguments.iter().map(|value| self.get(*value)).collect();
                    let above = base + function.registers;
                    function = &self.module.functions[callee.0 as usize];
                    self.enter(function, above, values.into_iter());
                    (block, next) = (0, 0);
                    break;
                }
                self.inst(inst);
            }
            let body = &function.blocks[block];
            if next < body.insts.len() {
                continue;
            }
            let goes_to = |target: &Block| (target.0 as usize, 0);
            let result = match &body.end {
                End::Jump(target) => {
                    (block, next) = goes_to(target);
                    continue;
                }
                End::Branch(condition, then, otherwise) => {
                    let holds = self.get(*condition) != 0;
                    (block, next) = goes_to(if holds { then } else { otherwise });
                    continue;
                }
                End::Switch(index, targets, otherwise) => {
                    let index = usize::try_from(self.get(*index)).ok();
                    let target = index.and_then(|index| targets.get(index));
                    (block, next) = goes_to(target.unwrap_or(otherwise));
                    continue;
                }
                End::Return(result) => self.get(*result),
                End::Fail => {
                    self.machine.set_field_to(Field::Failed, 1);
                    0
                }
            };
            let Some(frame) = frames.pop() else {
                return result;
            };
            self.registers
                .truncate(frame.base + frame.function.registers);
            self.base = frame.base;
            (function, block, next) = (frame.function, frame.block, frame.next);
            self.set(frame.to, result);
        }
    }

    #[inline]
    #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Copy { to, from } => self.set(*to, self.get(*from)),
            Inst::Unary { op, to, from } => self.set(*to, unary(*op, self.get(*from))),
            Inst::Binary {
                op,
                to,
                left,
                right,
            } => {
                self.set(*to, binary(*op, self.get(*left), self.get(*right)));
            }
            Inst::Checked {
                op,
                to,
                overflow,
                left,
                right,
            } => {
                let (left, right) = (self.get(*left), self.get(*right));
                let (value, is_beyond) = match op {
                    Checked::Add => left.overflowing_add(right),
                    Checked::Sub => left.overflowing_sub(right),
                    Checked::Mul => left.overflowing_mul(right),
                };
                self.set(*to, value);
                self.set(*overflow, i64::from(is_beyond));
            }
            Inst::Compare {
                how,
                to,
                left,
                right,
            } => {
                let holds = how.holds(self.get(*left), self.get(*right));
                self.set(*to, i64::from(holds));
            }
            Inst::Select {
                to,
                condition,
                then,
                otherwise,
            } => {
                let holds = self.get(*condition) != 0;
                self.set(*to, self.get(if holds { *then } else { *otherwise }));
            }
            Inst::Get { to, field } => self.set(*to, self.machine.get_field(*field)),
            Inst::Set { field, from } => {
                let value = self.get(*from);
                self.machine.set_field_to(*field, value);
            }
            Inst::Load { to, at, width } => self.set(*to, self.load(at, *width)),
            Inst::Store { from, at, width } => self.store(at, *width, self.get(*from)),
            Inst::CopyWords { to, from, words } => {
                let (to, from) = (self.place(to) / 8, self.place(from) / 8);
                self.machine.copy_words(from, to, *words as usize);
            }
            Inst::ZeroWords { at, words } => {
                let place = self.place(at) / 8;
                self.machine.zero_words(place, *words as usize);
            }
            Inst::LoadPile { to, log, place } => {
                let word = self.machine.pile_word(self.get(*log), self.get(*place));
                self.set(*to, word);
            }
            Inst::Recall {
                is_now,
                to,
                cache,
                index,
            } => {
                let (now, value) = self.machine.recall(*cache, self.get(*index));
                self.set(*is_now, i64::from(now));
                self.set(*to, value);
            }
            Inst::Remember { cache, index, from } => {
                let (index, value) = (self.get(*index), self.get(*from));
                self.machine.remember(*cache, index, value);
            }
            Inst::Forget { cache, index } => {
                let index = self.get(*index);
                self.machine.forget_cached(*cache, index);
            }
            Inst::Lookup {
                found,
                to,
                form,
                key,
            } => {
                let value = self.machine.short_word(*form, self.get(*key));
                self.set(*found, i64::from(value.is_some()));
                self.set(*to, value.unwrap_or(0));
            }
            Inst::Runtime {
                to,
                callee,
                arguments,
            } => {
                let (registers, base) = (&self.registers, self.base);
                let value = self.machine.runtime(self.input, *callee, |place| {
                    registers[base + arguments[place].0 as usize]
                });
                self.set(*to, value);
            }
            // The loop does these.
            Inst::Call { .. } => {}
        }
    }
}

fn unary(op: Unary, value: i64) -> i64 {
    match op {
        Unary::Neg => value.wrapping_neg(),
        Unary::Abs => value.wrapping_abs(),
        Unary::Not => !value,
        Unary::Popcount => i64::from(value.count_ones()),
        Unary::TrailingZeros => i64::from(value.trailing_zeros()),
        Unary::LeadingZeros => i64::from(value.leading_zeros()),
    }
}

fn binary(op: Binary, left: i64, right: i64) -> i64 {
    let (raw_left, raw_right) = (left.cast_unsigned(), right.cast_unsigned());
    // The lowest six bits of a count.
    let count = u32::try_from(right & 63).unwrap_or(0);
    match op {
        Binary::Add => left.wrapping_add(right),
        Binary::Sub => left.wrapping_sub(right),
        Binary::Mul => left.wrapping_mul(right),
        Binary::Div => left.checked_div(right).unwrap_or(0),
        Binary::Rem => left.checked_rem(right).unwrap_or(0),
        Binary::UnsignedDiv => raw_left.checked_div(raw_right).unwrap_or(0).cast_signed(),
        Binary::UnsignedRem => raw_left.checked_rem(raw_right).unwrap_or(0).cast_signed(),
        Binary::UnsignedMin => raw_left.min(raw_right).cast_signed(),
        Binary::Max => left.max(right),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::AndNot => left & !right,
        Binary::Shl => left.wrapping_shl(count),
        Binary::Shr => raw_left.wrapping_shr(count).cast_signed(),
        Binary::Sar => left.wrapping_shr(count),
    }
}
