//! Joins basic blocks: a jump to a block that only jumps on goes where that goes, and a block that is entered from one
//! place, by a jump, becomes part of the block that jumps there.
//!
//! Cranelift does the same; it is done here for the interpreter, where every block costs, and so that there is less to
//! translate.

use super::{Block, BlockBody, End};

/// Joins the blocks of a function. Those that nothing goes to any more are left empty.
pub(super) fn simplify(blocks: &mut [BlockBody]) {
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

/// Where control comes to from a block before anything is done.
fn destination(blocks: &[BlockBody], mut block: Block) -> Block {
    // A loop that does nothing has no end.
    for _ in 0..blocks.len() {
        let body = &blocks[block.0 as usize];
        match body.end {
            End::Jump(target) if body.insts.is_empty() => block = target,
            _ => break,
        }
    }
    block
}
