//! Leaves out instructions whose results no instruction reads.

use super::{BlockBody, Inst, Value};

/// Leaves out what is not read, again and again until all is.
pub(super) fn remove(blocks: &mut [BlockBody], registers: usize) {
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
            // Backwards, so that what only a dead instruction read is seen at once.
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
