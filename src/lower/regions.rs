//! Facts of a point that are the same for all points of its region: worked out once, they are remembered for all.

use super::{body::Body, known::Known, word};
use crate::code::{Code, Fact, Node, Slot, Source};
use crate::mir::{Callee, Value};

/// The region that all of a fact's points share its value in.
#[derive(Debug)]
pub(super) struct Regional {
    grid: u32,
    /// The map whose entries make the region, each kept in a byte.
    map: Map,
}

#[derive(Debug, Clone, Copy)]
enum Map {
    /// A word of fixed memory.
    Load(u32),
    Known(Known),
}

impl Regional {
    /// The region of a fact that asks for its point only to find that region.
    pub(super) fn of(fact: &Fact) -> Option<Regional> {
        let [domain] = &*fact.table.as_ref()?.domains else {
            return None;
        };
        let (mut mentions, mut found) = (0, None);
        look(&Node::Code(&fact.code), &mut mentions, &mut found);
        (mentions == 1 && domain.base == 0 && !domain.optional)
            .then_some(found)
            .flatten()
    }
}

/// Counts how often the first local is mentioned, and finds the region that is asked for by it.
fn look(node: &Node<'_>, mentions: &mut usize, found: &mut Option<Regional>) {
    match node {
        Node::Code(Code::Local(0)) => *mentions += 1,
        Node::Source(
            Source::Region {
                grid,
                point: Code::Local(0),
                map,
                slot: Slot::Byte { .. },
            }
            | Source::Shore {
                grid,
                point: Code::Local(0),
                map,
                slot: Slot::Byte { .. },
            },
        ) => {
            let map = match map {
                Code::Load(place) => Some(Map::Load(*place)),
                Code::Fact(fact) => Some(Map::Known(Known::Fact(*fact))),
                Code::New(state) => Some(Map::Known(Known::New(*state))),
                _ => None,
            };
            *found = map.map(|map| Regional { grid: *grid, map });
        }
        _ => {}
    }
    node.pieces(&mut |piece| look(&piece, mentions, found));
}

impl Body<'_, '_> {
    /// Remembers the value of a fact for all points of a region.
    pub(super) fn remember_region(
        &mut self,
        regional: &Regional,
        table: usize,
        point: Value,
        value: Value,
    ) {
        let map = match regional.map {
            Map::Load(place) => Some(self.load(place as usize)),
            Map::Known(known) => {
                self.ask(known);
                self.knowledge.find(known)
            }
        };
        let Some(map) = map else {
            return;
        };
        let grid = self.constant(i64::from(regional.grid));
        let table = self.constant(word(table));
        self.call(Callee::RememberRegion, &[grid, point, map, table, value]);
    }
}
