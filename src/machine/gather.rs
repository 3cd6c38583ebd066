//! Making collections.

use super::{
    Machine,
    memory::{at, handle},
};
use crate::{
    code::{Code, Domain, NONE, Shape, Source},
    fault::{self, Stop, Trouble},
};

impl<'c> Machine<'c> {
    /// The collection of what is ranged over.
    #[inline(never)]
    pub(super) fn gather(&mut self, source: &'c Source, shape: &'c Shape) -> Result<i64, Stop> {
        match shape {
            Shape::Bits { domain } => {
                let mut bits = 0i64;
                self.each(source, &mut |_, value| {
                    bits |= 1 << place(*domain, value)?;
                    Ok(true)
                })?;
                Ok(bits)
            }
            Shape::Words { domain, words } => {
                let start = self.block(*words)?;
                self.each(source, &mut |machine, value| {
                    let index = place(*domain, value)?;
                    machine.memory[start + index / 64] |= 1 << (index % 64);
                    Ok(true)
                })?;
                Ok(handle(start))
            }
            Shape::Counts { domain } => {
                let start = self.block(domain.count)?;
                self.each(source, &mut |machine, value| {
                    let index = place(*domain, value)?;
                    machine.memory[start + index] += 1;
                    Ok(true)
                })?;
                Ok(handle(start))
            }
            Shape::Pile { slot, element } => {
                let log = self.new_log();
                self.each(source, &mut |machine, value| {
                    let value = machine.canonical(value, element)?;
                    machine.push(log, value, *slot)?;
                    Ok(true)
                })?;
                self.pile(log, slot.stride())
            }
            Shape::Hashed { hashed } => {
                let mut set = 0;
                self.each(source, &mut |machine, value| {
                    set = machine.insert_hashed(set, value, *hashed)?;
                    Ok(true)
                })?;
                Ok(set)
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => Ok(NONE),
        }
    }

    /// The collection of single values; none is left out.
    #[inline(never)]
    pub(super) fn collect(&mut self, items: &'c [Code], shape: &'c Shape) -> Result<i64, Stop> {
        match shape {
            Shape::Bits { domain } => {
                let mut bits = 0i64;
                for item in items {
                    let value = self.evaluate(item)?;
                    if value != NONE {
                        bits |= 1 << place(*domain, value)?;
                    }
                }
                Ok(bits)
            }
            Shape::Pile { slot, element } => {
                let log = self.new_log();
                for item in items {
                    let value = self.evaluate(item)?;
                    if value != NONE {
                        let value = self.canonical(value, element)?;
                        self.push(log, value, *slot)?;
                    }
                }
                self.pile(log, slot.stride())
            }
            Shape::Hashed { hashed } => {
                let mut set = 0;
                for item in items {
                    let value = self.evaluate(item)?;
                    set = self.insert_hashed(set, value, *hashed)?;
                }
                Ok(set)
            }
            Shape::Words { .. } | Shape::Counts { .. } => {
                let start = self.block(shape.block().unwrap_or(0))?;
                for item in items {
                    let value = self.evaluate(item)?;
                    if value != NONE {
                        self.add(start, value, shape)?;
                    }
                }
                Ok(handle(start))
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => Ok(NONE),
        }
    }

    /// The collection of some values.
    pub(crate) fn collection(&mut self, shape: &Shape, values: &[i64]) -> Result<i64, Stop> {
        match shape {
            Shape::Bits { domain } => {
                let mut bits = 0i64;
                for value in values {
                    bits |= 1 << place(*domain, *value)?;
                }
                Ok(bits)
            }
            Shape::Pile { slot, .. } => {
                let log = self.new_log();
                for value in values {
                    self.push(log, *value, *slot)?;
                }
                self.pile(log, slot.stride())
            }
            Shape::Hashed { hashed } => {
                let mut set = 0;
                for value in values {
                    set = self.insert_hashed(set, *value, *hashed)?;
                }
                Ok(set)
            }
            Shape::Words { .. } | Shape::Counts { .. } => {
                let start = self.block(shape.block().unwrap_or(0))?;
                for value in values {
                    self.add(start, *value, shape)?;
                }
                Ok(handle(start))
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => Ok(NONE),
        }
    }

    /// Adds a value to a set or bag that is a block.
    pub(super) fn add(&mut self, start: usize, value: i64, shape: &Shape) -> Result<(), Stop> {
        match shape {
            Shape::Words { domain, .. } => {
                let index = place(*domain, value)?;
                self.memory[start + index / 64] |= 1 << (index % 64);
            }
            Shape::Counts { domain } => {
                let index = place(*domain, value)?;
                self.memory[start + index] += 1;
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a collection has a value.
    pub(super) fn has(&mut self, item: i64, set: i64, shape: &Shape) -> Result<bool, Stop> {
        if item == NONE {
            return Ok(false);
        }
        Ok(match shape {
            Shape::Bits { domain } => {
                let index = domain.index(item);
                index < domain.count && (set >> index) & 1 == 1
            }
            Shape::Words { domain, .. } => {
                let index = domain.index(item);
                index < domain.count && (self.memory[at(set) + index / 64] >> (index % 64)) & 1 == 1
            }
            Shape::Counts { domain } => {
                let index = domain.index(item);
                index < domain.count && self.load(at(set) + index) > 0
            }
            Shape::Hashed { hashed } => self.has_hashed(set, item, *hashed)?,
            Shape::Pile { slot, element } => {
                let pile = super::pile::Pile::of(set);
                for index in 0..pile.len {
                    self.works()?;
                    let value = self.element(pile, index, *slot)?;
                    if self.same(item, value, element) {
                        return Ok(true);
                    }
                }
                false
            }
            Shape::Scalar | Shape::Map { .. } | Shape::Record { .. } => false,
        })
    }

    /// Whether one bag has no more of anything than another.
    pub(super) fn counts_within(
        &self,
        left: i64,
        shape: &Shape,
        right: i64,
        other: &Shape,
    ) -> bool {
        let (Shape::Counts { domain }, Shape::Counts { domain: wider }) = (shape, other) else {
            return false;
        };
        (0..domain.count).all(|index| {
            let count = self.load(at(left) + index);
            let there = wider.index(domain.value(index));
            let room = if there < wider.count {
                self.load(at(right) + there)
            } else {
                0
            };
            count <= room
        })
    }

    /// A collection with what is ranged over.
    #[inline(never)]
    pub(super) fn with(
        &mut self,
        set: &'c Code,
        source: &'c Source,
        shape: &'c Shape,
    ) -> Result<i64, Stop> {
        let set = self.evaluate(set)?;
        match shape {
            Shape::Bits { domain } => {
                let mut bits = set;
                self.each(source, &mut |_, value| {
                    bits |= 1 << place(*domain, value)?;
                    Ok(true)
                })?;
                Ok(bits)
            }
            Shape::Hashed { hashed } => {
                let mut set = set;
                self.each(source, &mut |machine, value| {
                    set = machine.insert_hashed(set, value, *hashed)?;
                    Ok(true)
                })?;
                Ok(set)
            }
            _ => {
                let start = self.copy(at(set), shape.block().unwrap_or(0))?;
                self.each(source, &mut |machine, value| {
                    machine.add(start, value, shape)?;
                    Ok(true)
                })?;
                Ok(handle(start))
            }
        }
    }

    /// A collection without what is ranged over; a bag loses one piece each.
    #[inline(never)]
    pub(super) fn without(
        &mut self,
        set: &'c Code,
        source: &'c Source,
        shape: &'c Shape,
    ) -> Result<i64, Stop> {
        let set = self.evaluate(set)?;
        match shape {
            Shape::Bits { domain } => {
                let mut bits = set;
                self.each(source, &mut |_, value| {
                    let index = domain.index(value);
                    if index < domain.count {
                        bits &= !(1 << index);
                    }
                    Ok(true)
                })?;
                Ok(bits)
            }
            Shape::Hashed { hashed } => {
                let mut set = set;
                self.each(source, &mut |machine, value| {
                    set = machine.remove_hashed(set, value, *hashed)?;
                    Ok(true)
                })?;
                Ok(set)
            }
            _ => {
                let start = self.copy(at(set), shape.block().unwrap_or(0))?;
                self.each(source, &mut |machine, value| {
                    machine.take_away(start, value, shape);
                    Ok(true)
                })?;
                Ok(handle(start))
            }
        }
    }

    fn take_away(&mut self, start: usize, value: i64, shape: &Shape) {
        match shape {
            Shape::Words { domain, .. } => {
                let index = domain.index(value);
                if index < domain.count {
                    self.memory[start + index / 64] &= !(1 << (index % 64));
                }
            }
            Shape::Counts { domain } => {
                let index = domain.index(value);
                if index < domain.count {
                    let count = &mut self.memory[start + index];
                    *count = count.saturating_sub(1);
                }
            }
            _ => {}
        }
    }
}

/// The place of a value in a set.
#[inline]
fn place(domain: Domain, value: i64) -> Result<usize, Stop> {
    let index = domain.index(value);
    if index < domain.count {
        Ok(index)
    } else {
        Err(outside(value))
    }
}

#[cold]
fn outside(value: i64) -> Stop {
    fault::rules(
        0,
        Trouble::Outside {
            value: value.to_string(),
            ty: "what this set can hold".into(),
        },
    )
}
