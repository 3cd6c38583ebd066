//! Checks what the back ends rely on: registers are written before they are read; blocks, functions and tables exist;
//! calls have the right number of arguments; and only writable spaces and fields are written.
//!
//! Whether an index known only at run time is within its space is not checked here: the lowering compares it, or knows
//! its range.

use std::collections::BTreeSet;

use super::{Address, Function, Inst, Module, Space, TableId, Value, Width, print::lower_case};

/// Verifies a module.
///
/// # Errors
/// The first problem, with its function.
pub(crate) fn verify(module: &Module) -> Result<(), String> {
    let mut functions = module.functions();
    functions.try_for_each(|function| verify_function(module, function))
}

/// Verifies one function of a module.
///
/// # Errors
/// As [`verify`].
pub(crate) fn verify_function(module: &Module, function: &Function) -> Result<(), String> {
    let verifier = Verifier { module, function };
    let checked = verifier.function();
    checked.map_err(|wrong| format!("{}: {wrong}", function.name))
}

struct Verifier<'m> {
    module: &'m Module,
    function: &'m Function,
}

/// The limit of the data flow's memory, in bits. Larger functions, which only rule files of some MiB become, are not
/// checked.
const MOST_KNOWN: usize = 1 << 31;

/// A set of registers, as bits.
type Registers = Vec<u64>;

fn has(registers: &Registers, value: Value) -> bool {
    let place = value.0 as usize;
    registers
        .get(place / 64)
        .is_some_and(|word| word >> (place % 64) & 1 == 1)
}

fn add(registers: &mut Registers, value: Value) {
    let place = value.0 as usize;
    if let Some(word) = registers.get_mut(place / 64) {
        *word |= 1 << (place % 64);
    }
}

impl Verifier<'_> {
    fn function(&self) -> Result<(), String> {
        let function = self.function;
        if function.blocks.is_empty() {
            return Err("no block".to_owned());
        }
        let fixed = function.parameters + function.constants.len();
        if fixed > function.registers {
            return Err("fewer registers than parameters and constants".to_owned());
        }
        for block in &function.blocks {
            let mut missing = None;
            block.end.targets(&mut |target| {
                if target.0 as usize >= function.blocks.len() {
                    missing = Some(target);
                }
            });
            if let Some(target) = missing {
                return Err(format!("no block b{}", target.0));
            }
            for inst in &block.insts {
                self.inst(inst, fixed)?;
            }
            if let Some(value) = block.end.read()
                && value.0 as usize >= function.registers
            {
                return Err(format!("no register r{}", value.0));
            }
        }
        if function.registers.saturating_mul(function.blocks.len()) > MOST_KNOWN {
            return Ok(());
        }
        self.definitions(fixed)
    }

    /// Checks what an instruction names, apart from the registers that it reads.
    fn inst(&self, inst: &Inst, fixed: usize) -> Result<(), String> {
        let mut wrong = None;
        inst.clone().registers(&mut |value, is_written| {
            if value.0 as usize >= self.function.registers {
                wrong = Some(format!("no register r{}", value.0));
            } else if is_written && (value.0 as usize) < fixed {
                wrong = Some(format!("r{} is a parameter or constant", value.0));
            }
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        match inst {
            Inst::Load { at, width, .. } => match at.space {
                Space::Table(table) => self.table(table, at, *width),
                _ => Ok(()),
            },
            Inst::Set { field, .. } if !field.is_set() => {
                Err(format!("{} is only read", lower_case(field)))
            }
            Inst::ZeroWords { at, .. } if at.space != Space::Memory => {
                Err("zeroes outside memory".to_owned())
            }
            Inst::Store { at, .. } => match at.space {
                Space::Table(_) | Space::Words | Space::Text => {
                    Err("a store to what never changes".to_owned())
                }
                _ => Ok(()),
            },
            Inst::CopyWords { places, .. } => {
                let (to, from) = &**places;
                let is_memory = to.space == Space::Memory && from.space == Space::Memory;
                is_memory
                    .then_some(())
                    .ok_or_else(|| "words are copied within memory".to_owned())
            }
            Inst::Call {
                function,
                arguments,
                ..
            } => match self.module.function(*function) {
                None if self.module.is_declared(*function) => Ok(()),
                None => Err(format!("no function {}", function.0)),
                Some(callee) if callee.parameters != arguments.len() => {
                    let (wanted, given) = (callee.parameters, arguments.len());
                    Err(format!(
                        "{} takes {wanted} arguments, not {given}",
                        callee.name
                    ))
                }
                Some(_) => Ok(()),
            },
            Inst::Runtime {
                callee, arguments, ..
            } => {
                let (least, given) = (callee.parameters(), arguments.len());
                (given == least).then_some(()).ok_or_else(|| {
                    format!("{} takes {least} arguments, not {given}", callee.name())
                })
            }
            _ => Ok(()),
        }
    }

    /// Checks a load from a table; a constant index must be within it.
    fn table(&self, table: TableId, at: &Address, width: Width) -> Result<(), String> {
        let Some(found) = self.module.table(table) else {
            return Err(format!("no table t{}", table.0));
        };
        let part = |part: Option<Value>, bytes: i64| match part {
            None => Some(0),
            Some(value) => self.function.constant(value)?.checked_mul(bytes),
        };
        let (Some(base), Some(index)) = (part(at.base(), 8), part(at.index(), 1)) else {
            return Ok(());
        };
        let place = base.checked_add(index);
        let place = place.and_then(|place| place.checked_add(i64::from(at.offset)));
        let place = place.and_then(|place| usize::try_from(place).ok());
        let end = place.and_then(|place| place.checked_add(width.bytes()));
        let is_within = end.is_some_and(|end| end <= found.bytes().len());
        is_within
            .then_some(())
            .ok_or_else(|| format!("a load beyond t{}", table.0))
    }

    /// Checks that each register is written on every path to where it is read: a forward data flow, in which a block
    /// begins with the intersection of what its predecessors end with.
    fn definitions(&self, fixed: usize) -> Result<(), String> {
        let blocks = &self.function.blocks;
        let words = self.function.registers.div_ceil(64);
        let mut at_entry: Vec<Option<Registers>> = vec![None; blocks.len()];
        let mut first = vec![0; words];
        for place in 0..fixed {
            add(&mut first, Value(u32::try_from(place).unwrap_or(u32::MAX)));
        }
        at_entry[0] = Some(first);
        // Most jumps go forward, so that nearly all predecessors of the first open block are known.
        let mut open = BTreeSet::from([0]);
        while let Some(place) = open.pop_first() {
            let Some(mut written) = at_entry[place].clone() else {
                continue;
            };
            for inst in &blocks[place].insts {
                inst.clone().registers(&mut |value, is_written| {
                    if is_written {
                        add(&mut written, *value);
                    }
                });
            }
            blocks[place].end.targets(&mut |target| {
                let target = target.0 as usize;
                let changed = match &mut at_entry[target] {
                    entry @ None => {
                        *entry = Some(written.clone());
                        true
                    }
                    Some(entry) => {
                        let mut changed = false;
                        for (word, other) in entry.iter_mut().zip(&written) {
                            changed |= *word & !other != 0;
                            *word &= other;
                        }
                        changed
                    }
                };
                if changed {
                    open.insert(target);
                }
            });
        }
        for (place, (block, entry)) in blocks.iter().zip(at_entry).enumerate() {
            let Some(mut written) = entry else {
                continue;
            };
            let mut unset = None;
            for inst in &block.insts {
                inst.clone().registers(&mut |value, is_written| {
                    if is_written {
                        add(&mut written, *value);
                    } else if !has(&written, *value) {
                        unset = Some(*value);
                    }
                });
            }
            let read = block.end.read();
            unset = unset.or(read.filter(|value| !has(&written, *value)));
            if let Some(value) = unset {
                return Err(format!(
                    "in b{place}, r{} is read before it is written",
                    value.0
                ));
            }
        }
        Ok(())
    }
}
