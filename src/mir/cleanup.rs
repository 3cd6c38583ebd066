//! Clean-up of every finished function: joins blocks, propagates copies, and removes dead code.

use std::collections::BTreeMap;

use super::{Block, BlockBody, End, Inst, Value};

/// Joins basic blocks: a jump to a block that only jumps on goes to its destination, and a block with a single
/// predecessor that ends in a jump becomes part of it. Blocks without predecessors are left empty.
///
/// Cranelift does the same; it is done here for the interpreter, where every block costs time, and so that there is
/// less to translate.
pub(super) fn join_blocks(blocks: &mut [BlockBody]) {
    let goes_on: Vec<Block> = (0u32..)
        .map(Block)
        .take(blocks.len())
        .map(|block| destination(blocks, block))
        .collect();
    let mut entered = vec![0usize; blocks.len()];
    for block in &mut *blocks {
        block.end.rename(&mut |_| {}, &mut |target| {
            *target = goes_on[target.0 as usize];
        });
        block
            .end
            .targets(&mut |target| entered[target.0 as usize] += 1);
    }
    for place in 0..blocks.len() {
        while let End::Jump(target) = blocks[place].end {
            let target = target.0 as usize;
            if target == place || target == 0 || entered[target] != 1 {
                break;
            }
            let joined = std::mem::take(&mut blocks[target]);
            blocks[place].insts.extend(joined.insts);
            blocks[place].end = joined.end;
        }
    }
}

/// Where control goes from a block before it does anything.
fn destination(blocks: &[BlockBody], mut block: Block) -> Block {
    // An empty loop has no destination.
    for _ in 0..blocks.len() {
        let body = &blocks[block.0 as usize];
        match body.end {
            End::Jump(target) if body.insts.is_empty() => block = target,
            _ => break,
        }
    }
    block
}

/// The copies known at a point of a block.
#[derive(Default)]
struct Copies {
    /// For each copy, the register that it is a copy of.
    of: BTreeMap<Value, Value>,
    /// For each register, its copies.
    copies: BTreeMap<Value, Vec<Value>>,
}

impl Copies {
    /// The register that a register is a copy of, or itself.
    fn original(&self, value: Value) -> Value {
        self.of.get(&value).copied().unwrap_or(value)
    }

    fn learn(&mut self, to: Value, from: Value) {
        self.of.insert(to, from);
        self.copies.entry(from).or_default().push(to);
    }

    /// Forgets what is known of a register that is written.
    fn forget(&mut self, value: Value) {
        self.of.remove(&value);
        for copy in self.copies.remove(&value).unwrap_or_default() {
            if self.of.get(&copy) == Some(&value) {
                self.of.remove(&copy);
            }
        }
    }
}

/// Copy propagation within a basic block. Copies that nothing reads then are dead code.
///
/// Reading a variable makes a copy, since the variable may change before the copy is read. Mostly it does not.
pub(super) fn propagate_copies(blocks: &mut [BlockBody]) {
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

/// Removes instructions whose results no instruction reads, until there are none.
pub(super) fn remove_dead_code(blocks: &mut [BlockBody], registers: usize) {
    let mut reads = vec![0u32; registers];
    let place = |value: Value| value.0 as usize;
    for block in &mut *blocks {
        for inst in &mut block.insts {
            inst.registers(&mut |value, is_written| reads[place(*value)] += u32::from(!is_written));
        }
        if let Some(value) = block.end.read() {
            reads[place(value)] += 1;
        }
    }
    let mut is_dead = |inst: &mut Inst| {
        if !inst.is_pure() {
            return false;
        }
        let mut is_read = false;
        inst.registers(&mut |value, is_written| {
            is_read |= is_written && reads[place(*value)] > 0;
        });
        if !is_read {
            inst.registers(&mut |value, is_written| {
                reads[place(*value)] -= u32::from(!is_written);
            });
        }
        !is_read
    };
    loop {
        let mut is_done = true;
        for block in &mut *blocks {
            // Backwards, so that chains of dead instructions are found in one pass.
            let dead: Vec<bool> = block.insts.iter_mut().rev().map(&mut is_dead).collect();
            if dead.contains(&true) {
                let mut dead = dead.iter().rev();
                block.insts.retain(|_| dead.next() != Some(&true));
                is_done = false;
            }
        }
        if is_done {
            return;
        }
    }
}
