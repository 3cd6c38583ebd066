//! The interpreter: an arm for each instruction. It defines the semantics of MIR, which native code must match.

use crate::{
    fault::Fault,
    mir::{
        Address, Binary, Cache, Callee, Checked, End, Field, Function, FunctionId, Inst, Module,
        Space, Unary, Value, Width,
    },
    word::Input,
};

/// The machine that instructions work on.
pub(crate) trait Host<'m> {
    fn get_field(&self, field: Field) -> i64;

    /// Sets a field, of those that functions set.
    fn set_field_to(&mut self, field: Field, value: i64);

    /// Uses one unit of fuel; returns whether none is left.
    fn charge(&mut self) -> bool;

    /// A word of memory, by its offset in bytes.
    fn word(&self, place: usize) -> i64;

    /// A space as bytes.
    fn space<'s>(&'s self, space: Space, module: &'s Module, input: Input<'s>) -> &'s [u8];

    /// The same, of the spaces that functions write.
    fn space_mut(&mut self, space: Space) -> &mut [u8];

    /// Copies words within memory.
    fn copy_words(&mut self, from: usize, to: usize, words: usize);

    /// Sets words of memory to 0.
    fn zero_words(&mut self, place: usize, words: usize);

    /// A word of a pile.
    fn pile_word(&self, log: i64, place: i64) -> i64;

    /// Whether the entry of a cache is of this epoch, and its value.
    fn recall(&mut self, cache: Cache, index: i64) -> (bool, i64);

    fn remember(&mut self, cache: Cache, index: i64, value: i64);

    fn forget_cached(&mut self, cache: Cache, index: i64);

    /// The value of a short word in the dictionary of a form.
    fn short_word(&self, form: u32, key: i64) -> Option<i64>;

    /// Calls a function of the runtime. If that fails, so does the caller.
    fn runtime(
        &mut self,
        input: Input<'_>,
        callee: Callee,
        argument: impl FnMut(usize) -> i64,
    ) -> i64;

    /// A function that is lowered on its first call; if that takes too many instructions, the call fails.
    fn lowered(&mut self, function: FunctionId) -> Option<&'m Function>;

    /// Makes the running function fail.
    fn fail(&mut self, fault: Fault);

    /// Takes the register stack, which must be given back.
    fn take_registers(&mut self) -> Vec<i64>;

    fn give_registers(&mut self, registers: Vec<i64>);
}

/// Calls a function; if it fails, [`Field::Failed`] is 1 afterwards.
pub(crate) fn run<'m, H: Host<'m>>(
    module: &'m Module,
    function: FunctionId,
    arguments: &[i64],
    machine: &mut H,
    input: Input<'_>,
) -> i64 {
    let registers = machine.take_registers();
    let mut interpreter = Interpreter {
        module,
        machine,
        input,
    };
    let (answer, registers) = interpreter.call(function, arguments, registers);
    interpreter.machine.give_registers(registers);
    answer
}

/// A suspended call.
struct Frame<'m> {
    function: &'m Function,
    block: usize,
    next: usize,
    base: usize,
    /// The register for the result.
    to: Value,
}

/// The most registers of all frames together.
const MOST_REGISTERS: usize = 1 << 24;

struct Interpreter<'m, 'r, 'i, H> {
    module: &'m Module,
    machine: &'r mut H,
    input: Input<'i>,
}

#[inline]
fn get(registers: &[i64], value: Value) -> i64 {
    registers[value.0 as usize]
}

#[inline]
fn set(registers: &mut [i64], to: Value, value: i64) {
    registers[to.0 as usize] = value;
}

/// The offset of an address in its space, in bytes.
#[inline]
fn place(registers: &[i64], at: &Address) -> usize {
    let base = at
        .base()
        .map_or(0, |base| get(registers, base))
        .wrapping_mul(8);
    let index = at.index().map_or(0, |index| get(registers, index));
    let place = base.wrapping_add(index).wrapping_add(i64::from(at.offset));
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// Prepares the frame of a function above `base`, except its parameters. Other registers are written before they are
/// read.
#[inline]
fn enter(registers: &mut Vec<i64>, base: usize, function: &Function) {
    let end = base + function.registers;
    if registers.len() < end {
        registers.resize(2 * end, 0);
    }
    let constants = base + function.parameters;
    registers[constants..constants + function.constants.len()].copy_from_slice(&function.constants);
}

impl<'m, H: Host<'m>> Interpreter<'m, '_, '_, H> {
    #[inline]
    fn load(&self, registers: &[i64], at: &Address, width: Width) -> i64 {
        let place = place(registers, at);
        if let (Space::Memory, Width::Word) = (at.space, width) {
            return self.machine.word(place);
        }
        let bytes = self.machine.space(at.space, self.module, self.input);
        let bytes = &bytes[place..place + width.bytes()];
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = i64::from_le_bytes(word);
        match width {
            // Sign-extend.
            Width::Short => word << 48 >> 48,
            Width::Byte | Width::Row | Width::Half | Width::Word => word,
        }
    }

    #[inline]
    fn store(&mut self, registers: &[i64], at: &Address, width: Width, value: i64) {
        let place = place(registers, at);
        let bytes = self.machine.space_mut(at.space);
        let count = width.bytes();
        bytes[place..place + count].copy_from_slice(&value.to_le_bytes()[..count]);
    }

    /// A function, lowered if it is not; if it cannot be, the call fails.
    #[inline]
    fn function(&mut self, function: FunctionId) -> Option<&'m Function> {
        let known = self.module.function(function);
        known.or_else(|| self.machine.lowered(function))
    }

    /// Calls a function; returns the register stack.
    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[i64],
        mut registers: Vec<i64>,
    ) -> (i64, Vec<i64>) {
        let mut frames: Vec<Frame<'m>> = Vec::new();
        let Some(mut function) = self.function(function) else {
            return (0, registers);
        };
        enter(&mut registers, 0, function);
        let parameters = function.parameters.min(arguments.len());
        registers[..parameters].copy_from_slice(&arguments[..parameters]);
        let (mut base, mut block, mut next) = (0, 0, 0);
        loop {
            let body = &function.blocks[block];
            let above = base + function.registers;
            let mut callee = None;
            let frame = &mut registers[base..above];
            for inst in &body.insts[next..] {
                next += 1;
                if let Inst::Call {
                    to,
                    function,
                    arguments,
                } = inst
                {
                    callee = Some((*to, *function, arguments));
                    break;
                }
                self.inst(frame, inst);
            }
            if let Some((to, id, arguments)) = callee {
                let Some(callee) = self.function(id) else {
                    continue;
                };
                if above + callee.registers > MOST_REGISTERS {
                    self.machine.fail(Fault::Memory);
                    continue;
                }
                frames.push(Frame {
                    function,
                    block,
                    next,
                    base,
                    to,
                });
                enter(&mut registers, above, callee);
                for (place, argument) in arguments.iter().enumerate() {
                    registers[above + place] = registers[base + argument.0 as usize];
                }
                (function, base, block, next) = (callee, above, 0, 0);
                continue;
            }
            next = 0;
            let result = match &body.end {
                End::Jump(target) => {
                    block = target.0 as usize;
                    continue;
                }
                End::Branch(condition, then, otherwise) => {
                    let holds = get(frame, *condition) != 0;
                    block = if holds { then.0 } else { otherwise.0 } as usize;
                    continue;
                }
                End::Switch(index, targets, otherwise) => {
                    let index = usize::try_from(get(frame, *index)).ok();
                    let target = index.and_then(|index| targets.get(index));
                    block = target.unwrap_or(otherwise).0 as usize;
                    continue;
                }
                End::Return(result) => get(frame, *result),
                End::Fail => {
                    self.machine.set_field_to(Field::Failed, 1);
                    0
                }
            };
            let Some(frame) = frames.pop() else {
                return (result, registers);
            };
            Frame {
                function,
                block,
                next,
                base,
                ..
            } = frame;
            set(&mut registers[base..], frame.to, result);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "there is one call, in the loop")]
    #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn inst(&mut self, registers: &mut [i64], inst: &Inst) {
        match inst {
            Inst::Copy { to, from } => set(registers, *to, get(registers, *from)),
            Inst::Unary { op, to, from } => set(registers, *to, unary(*op, get(registers, *from))),
            Inst::Binary {
                op,
                to,
                left,
                right,
            } => {
                set(
                    registers,
                    *to,
                    binary(*op, get(registers, *left), get(registers, *right)),
                );
            }
            Inst::Checked {
                op,
                to,
                overflow,
                left,
                right,
            } => {
                let (left, right) = (get(registers, *left), get(registers, *right));
                let (value, is_beyond) = match op {
                    Checked::Add => left.overflowing_add(right),
                    Checked::Sub => left.overflowing_sub(right),
                    Checked::Mul => left.overflowing_mul(right),
                };
                set(registers, *to, value);
                set(registers, *overflow, i64::from(is_beyond));
            }
            Inst::Compare {
                how,
                to,
                left,
                right,
            } => {
                let holds = how.holds(get(registers, *left), get(registers, *right));
                set(registers, *to, i64::from(holds));
            }
            Inst::Select {
                to,
                condition,
                then,
                otherwise,
            } => {
                let holds = get(registers, *condition) != 0;
                set(
                    registers,
                    *to,
                    get(registers, if holds { *then } else { *otherwise }),
                );
            }
            Inst::Charge { is_used_up } => {
                let is_over = self.machine.charge();
                set(registers, *is_used_up, i64::from(is_over));
            }
            Inst::Get { to, field } => set(registers, *to, self.machine.get_field(*field)),
            Inst::Set { field, from } => {
                let value = get(registers, *from);
                self.machine.set_field_to(*field, value);
            }
            Inst::Load { to, at, width } => set(registers, *to, self.load(registers, at, *width)),
            Inst::Store { from, at, width } => {
                self.store(registers, at, *width, get(registers, *from));
            }
            Inst::CopyWords { places, words } => {
                let (to, from) = &**places;
                let (to, from) = (place(registers, to) / 8, place(registers, from) / 8);
                self.machine.copy_words(from, to, *words as usize);
            }
            Inst::ZeroWords { at, words } => {
                let place = place(registers, at) / 8;
                self.machine.zero_words(place, *words as usize);
            }
            Inst::LoadPile { to, log, place } => {
                let word = self
                    .machine
                    .pile_word(get(registers, *log), get(registers, *place));
                set(registers, *to, word);
            }
            Inst::Recall {
                is_now,
                to,
                cache,
                index,
            } => {
                let (now, value) = self.machine.recall(*cache, get(registers, *index));
                set(registers, *is_now, i64::from(now));
                set(registers, *to, value);
            }
            Inst::Remember { cache, index, from } => {
                let (index, value) = (get(registers, *index), get(registers, *from));
                self.machine.remember(*cache, index, value);
            }
            Inst::Forget { cache, index } => {
                let index = get(registers, *index);
                self.machine.forget_cached(*cache, index);
            }
            Inst::Lookup {
                found,
                to,
                form,
                key,
            } => {
                let value = self.machine.short_word(*form, get(registers, *key));
                set(registers, *found, i64::from(value.is_some()));
                set(registers, *to, value.unwrap_or(0));
            }
            Inst::Runtime {
                to,
                callee,
                arguments,
            } => {
                let value = self.machine.runtime(self.input, *callee, |place| {
                    get(registers, arguments[place])
                });
                set(registers, *to, value);
            }
            // The outer loop runs these.
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
    // The lowest six bits of the count.
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
