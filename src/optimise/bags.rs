//! Bags of which only the members matter, not how often each is there, become sets of bits.

use crate::code::{Code, NONE, Row, Shape, Source};

/// Goes through the members of bags only, where it does not matter how often each is there.
pub(super) fn as_sets(code: &mut Code) {
    match code {
        Code::Some(range) | Code::No(range) => bindings(&mut range.bindings),
        Code::Any(list)
        | Code::All(list)
        | Code::First(list)
        | Code::Highest(list)
        | Code::Lowest(list)
        | Code::UnionBits(list)
        | Code::Agree { rows: list, .. } => rows(list),
        Code::Extreme { source, .. }
        | Code::Among { source, .. }
        | Code::Within { left: source, .. } => members(source),
        Code::Gather { source, shape } | Code::With { source, shape, .. } => {
            if matches!(**shape, Shape::Bits { .. } | Shape::Words { .. }) {
                members(source);
            }
        }
        _ => {}
    }
}

fn rows(rows: &mut [Row]) {
    for row in rows {
        bindings(&mut row.bindings);
    }
}

/// As [`once`], for the variables of a row.
pub(super) fn bindings(bindings: &mut [(u32, Source)]) {
    for (_, source) in bindings {
        members(source);
    }
}

fn members(source: &mut Source) {
    match source {
        Source::Counts { bag, base, count } if *count <= 63 => {
            *source = Source::Bits {
                set: Code::Members {
                    bag: Box::new(std::mem::replace(bag, Code::Constant(NONE))),
                    count: *count,
                },
                base: *base,
                count: *count,
            };
        }
        Source::Mapped(range, _) => bindings(&mut range.bindings),
        _ => {}
    }
}
