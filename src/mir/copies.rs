//! Reads what was copied and not the copy, within a basic block. What nothing reads then is dead code.
//!
//! Reading a variable makes a copy, since the variable may change before the copy is read. Mostly it does not.

use std::collections::BTreeMap;

use super::{BlockBody, Inst, Value};

/// What copies hold at a place of a block.
#[derive(Default)]
struct Copies {
    /// For each copy, the register that it is a copy of.
    of: BTreeMap<Value, Value>,
    /// For each register, its copies.
    copies: BTreeMap<Value, Vec<Value>>,
}

impl Copies {
    /// The register that holds what another does, and was there before it.
    fn original(&self, value: Value) -> Value {
        self.of.get(&value).copied().unwrap_or(value)
    }

    fn learn(&mut self, to: Value, from: Value) {
        self.of.insert(to, from);
        self.copies.entry(from).or_default().push(to);
    }

    /// Forgets what was known of a register that is written.
    fn forget(&mut self, value: Value) {
        self.of.remove(&value);
        for copy in self.copies.remove(&value).unwrap_or_default() {
            if self.of.get(&copy) == Some(&value) {
                self.of.remove(&copy);
            }
        }
    }
}

/// Reads originals in all blocks of a function.
pub(super) fn propagate(blocks: &mut [BlockBody]) {
    for block in blocks {
        let mut copies = Copies::default();
        for inst in &mut block.insts {
            let mut written = Vec::new();
            inst.registers(&mut |value, is_written| {
                if is_written {
                    written.push(*value);
                } else {
                    *value = copies.original(*value);
                }
            });
            for value in written {
                copies.forget(value);
            }
            if let Inst::Copy { to, from } = inst
                && to != from
            {
                copies.learn(*to, *from);
            }
        }
        let mut read = |value: &mut Value| *value = copies.original(*value);
        block.end.rename(&mut read, &mut |_| {});
    }
}
