//! Operators on collections, maps and records.

use super::{
    Machine,
    memory::{at, handle},
    operators::{number, yes},
    pile::Pile,
};
use crate::{
    code::{But, ButMany, Code, CountIn, Loop, NONE, Remap, Shape, SiteId, Slot, Source},
    fault::Stop,
};

impl<'c> Machine<'c> {
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        parts: &'c [(usize, Slot, Code)],
        words: usize,
    ) -> Result<i64, Stop> {
        let start = self.block(words)?;
        for (offset, slot, part) in parts {
            let value = self.evaluate(part)?;
            self.write(start + offset, 0, *slot, value);
        }
        Ok(handle(start))
    }

    #[inline(never)]
    pub(super) fn record_part(
        &mut self,
        operand: &'c Code,
        offset: usize,
        slot: Slot,
    ) -> Result<i64, Stop> {
        let record = self.operand(operand)?;
        Ok(self.read(at(record) + offset, 0, slot))
    }

    #[inline(never)]
    pub(super) fn is_same(&mut self, pair: &'c (Code, Code), shape: &Shape) -> Result<i64, Stop> {
        let (left, right) = self.pair(pair)?;
        Ok(yes(self.same(left, right, shape)))
    }

    #[inline(never)]
    pub(super) fn is_in(
        &mut self,
        item: &'c Code,
        set: &'c Code,
        shape: &Shape,
    ) -> Result<i64, Stop> {
        let item = self.operand(item)?;
        let set = self.operand(set)?;
        Ok(yes(self.has(item, set, shape)?))
    }

    /// Whether an item is among what is ranged over.
    #[inline(never)]
    pub(super) fn among(
        &mut self,
        item: &'c Code,
        source: &'c Source,
        shape: &Shape,
    ) -> Result<i64, Stop> {
        let item = self.operand(item)?;
        if item == NONE {
            return Ok(0);
        }
        let done = self.each(source, &mut |machine, value| {
            Ok(!machine.same(item, value, shape))
        })?;
        Ok(yes(!done))
    }

    #[inline(never)]
    pub(super) fn is_within(
        &mut self,
        left: &'c Source,
        right: &'c Code,
        shape: &Shape,
    ) -> Result<i64, Stop> {
        let right = self.evaluate(right)?;
        let all = self.each(left, &mut |machine, value| machine.has(value, right, shape))?;
        Ok(yes(all))
    }

    #[inline(never)]
    pub(super) fn is_counts_within(
        &mut self,
        bags: &'c (Code, Code),
        left: &Shape,
        right: &Shape,
    ) -> Result<i64, Stop> {
        let (one, other) = self.pair(bags)?;
        Ok(yes(self.counts_within(one, left, other, right)))
    }

    #[inline(never)]
    pub(super) fn put_under(
        &mut self,
        piles: &'c (Code, Code),
        stride: usize,
    ) -> Result<i64, Stop> {
        let (first, second) = self.pair(piles)?;
        self.then(first, second, stride)
    }

    /// A map with another entry.
    #[inline(never)]
    pub(super) fn but(&mut self, but: &'c But) -> Result<i64, Stop> {
        let map = self.operand(&but.map)?;
        let value = self.operand(&but.value)?;
        let key = self.operand(&but.at)?;
        let index = but.domain.index(key);
        if index >= but.domain.count {
            return Ok(map);
        }
        let start = self.copy(at(map), but.words)?;
        self.write(start, index, but.slot, value);
        Ok(handle(start))
    }

    /// A map with another entry at many keys.
    #[inline(never)]
    pub(super) fn but_many(&mut self, but: &'c ButMany) -> Result<i64, Stop> {
        let map = self.operand(&but.map)?;
        let value = self.operand(&but.value)?;
        let start = self.copy(at(map), but.words)?;
        self.each(&but.at, &mut |machine, key| {
            let index = but.domain.index(key);
            if index < but.domain.count {
                machine.write(start, index, but.slot, value);
            }
            Ok(true)
        })?;
        Ok(handle(start))
    }

    /// A map with its entries kept in another way.
    #[inline(never)]
    pub(super) fn remap(&mut self, remap: &'c Remap) -> Result<i64, Stop> {
        let map = self.operand(&remap.map)?;
        let start = self.block(remap.words)?;
        for index in 0..remap.domain.count {
            let value = self.read(at(map), index, remap.from);
            self.write(start, index, remap.to, value);
        }
        Ok(handle(start))
    }

    /// Whether something that is ranged over fulfils the condition, or where `wanted` is no, nothing does.
    #[inline(never)]
    pub(super) fn some(&mut self, range: &'c Loop, wanted: bool) -> Result<i64, Stop> {
        let none = self.run(&range.bindings, range.condition.as_slice(), &mut |_| {
            Ok(false)
        })?;
        Ok(yes(none != wanted))
    }

    #[inline(never)]
    pub(super) fn extreme(&mut self, source: &'c Source, highest: bool) -> Result<i64, Stop> {
        let mut found = NONE;
        self.each(source, &mut |_, value| {
            if value != NONE && (found == NONE || (value > found) == highest) {
                found = value;
            }
            Ok(true)
        })?;
        Ok(found)
    }

    #[inline(never)]
    pub(super) fn sum(&mut self, source: &'c Source, site: SiteId) -> Result<i64, Stop> {
        let mut sum: Option<i64> = Some(0);
        self.each(source, &mut |_, value| {
            if value != NONE {
                sum = sum.and_then(|sum| sum.checked_add(value));
            }
            Ok(sum.is_some())
        })?;
        number(sum, site)
    }

    #[inline(never)]
    pub(super) fn count(&mut self, source: &'c Source) -> Result<i64, Stop> {
        let mut count = 0;
        self.each(source, &mut |_, value| {
            count += yes(value != NONE);
            Ok(true)
        })?;
        Ok(count)
    }

    #[inline(never)]
    pub(super) fn pile_size(&mut self, pile: &'c Code) -> Result<i64, Stop> {
        Ok(handle(Pile::of(self.operand(pile)?).len))
    }

    #[inline(never)]
    pub(super) fn hashed_size(&mut self, set: &'c Code) -> Result<i64, Stop> {
        Ok(handle(Self::size_hashed(self.operand(set)?)))
    }

    /// How often an item is among what is ranged over.
    #[inline(never)]
    pub(super) fn count_of(
        &mut self,
        item: &'c Code,
        source: &'c Source,
        shape: &Shape,
    ) -> Result<i64, Stop> {
        let item = self.operand(item)?;
        if let (Source::Pile { pile, .. }, true) = (source, shape.is_word()) {
            let pile = self.operand(pile)?;
            return Ok(self.count_words(pile, item));
        }
        let mut count = 0;
        self.each(source, &mut |machine, value| {
            count += yes(machine.same(item, value, shape));
            Ok(true)
        })?;
        Ok(count)
    }

    /// How often an item is in a bag of counts.
    #[inline(never)]
    pub(super) fn count_in(&mut self, count: &'c CountIn) -> Result<i64, Stop> {
        let item = self.operand(&count.item)?;
        let bag = self.operand(&count.bag)?;
        let index = count.domain.index(item);
        Ok(if index < count.domain.count {
            self.load(at(bag) + index)
        } else {
            0
        })
    }

    #[inline(never)]
    pub(super) fn count_in_hashed(
        &mut self,
        item: &'c Code,
        set: &'c Code,
        shape: &Shape,
    ) -> Result<i64, Stop> {
        let item = self.operand(item)?;
        let set = self.operand(set)?;
        match shape {
            Shape::Hashed { hashed } => self.count_hashed(set, item, *hashed),
            _ => Ok(0),
        }
    }

    #[inline(never)]
    pub(super) fn item_of(
        &mut self,
        pile: &'c Code,
        index: &'c Code,
        slot: Slot,
    ) -> Result<i64, Stop> {
        let pile = self.operand(pile)?;
        let index = self.operand(index)?;
        self.item(pile, index, slot)
    }

    /// The first of a pile, or all but those.
    #[inline(never)]
    pub(super) fn slice_of(&mut self, pair: &'c (Code, Code), below: bool) -> Result<i64, Stop> {
        let (count, pile) = self.pair(pair)?;
        Self::slice(pile, count, below)
    }

    #[inline(never)]
    pub(super) fn reverse(&mut self, pile: &'c Code, stride: usize) -> Result<i64, Stop> {
        let pile = self.operand(pile)?;
        self.reversed(pile, stride)
    }

    #[inline(never)]
    pub(super) fn step_on_grid(
        &mut self,
        grid: u32,
        operands: &'c (Code, Code, Code),
    ) -> Result<i64, Stop> {
        let point = self.operand(&operands.0)?;
        let way = self.operand(&operands.1)?;
        let count = self.operand(&operands.2)?;
        Ok(self.grid_step(grid as usize, point, way, count))
    }

    #[inline(never)]
    pub(super) fn way_on_grid(
        &mut self,
        grid: u32,
        operands: &'c (Code, Code),
    ) -> Result<i64, Stop> {
        let (from, to) = self.pair(operands)?;
        Ok(self.grid_way(grid as usize, from, to))
    }
}
