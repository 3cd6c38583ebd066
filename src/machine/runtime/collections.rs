//! Sets, bags, piles and what is searched in grids, as lowered functions call for them.

use super::Given;
use crate::{
    code::Slot,
    machine::{
        Machine,
        memory::{at, handle},
        pile::Pile,
    },
    word::Input,
};

/// Whether a collection has a value.
#[inline]
pub(crate) fn has(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [item, set, shape]: [i64; 3],
) -> Given {
    let shape = machine.shape_object(shape);
    Ok(i64::from(machine.has(item, set, shape)?))
}

/// How often a word is in a pile.
#[inline]
pub(crate) fn count_words(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [pile, word]: [i64; 2],
) -> Given {
    Ok(machine.count_words(pile, word))
}

/// How often a value is in a hashed set.
#[inline]
pub(crate) fn count_hashed(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [set, item, hashed]: [i64; 3],
) -> Given {
    let hashed = at(hashed);
    machine.count_hashed(set, item, hashed)
}

/// Whether a hashed set or bag has a value.
#[inline]
pub(crate) fn has_hashed(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [set, item, hashed]: [i64; 3],
) -> Given {
    let hashed = at(hashed);
    Ok(i64::from(machine.has_hashed(set, item, hashed)?))
}

/// A hashed set or bag with one more value.
#[inline]
pub(crate) fn insert_hashed(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [set, value, hashed]: [i64; 3],
) -> Given {
    let hashed = at(hashed);
    let set = machine.insert_hashed(set, value, hashed)?;
    machine.update_grown_places();
    Ok(set)
}

/// A hashed set without a value, or a bag without one piece of it.
#[inline]
pub(crate) fn remove_hashed(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [set, value, hashed]: [i64; 3],
) -> Given {
    let hashed = at(hashed);
    let set = machine.remove_hashed(set, value, hashed)?;
    machine.update_grown_places();
    Ok(set)
}

/// Begins to go through the entries of a hashed set or bag in ascending order.
#[inline]
pub(crate) fn begin_entries(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [set, hashed]: [i64; 2],
) -> Given {
    machine.begin_entries(set, at(hashed));
    Ok(0)
}

/// The next entry of the set or bag that was begun last; none at its end.
#[inline]
pub(crate) fn next_entry(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    let entry = machine.next_entry()?;
    machine.update_memory_place();
    Ok(entry)
}

/// Begins a pile.
#[inline]
pub(crate) fn begin_pile(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    let log = machine.new_log();
    machine.update_pile_places();
    Ok(handle(log))
}

/// The pile of so many words of memory.
#[inline]
pub(crate) fn pile_of_words(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [from, count]: [i64; 2],
) -> Given {
    let count = at(count);
    let pile = machine.pile_of_words(at(from), count)?;
    machine.update_pile_places();
    Ok(pile)
}

/// Adds an element to a pile that was begun.
#[inline]
pub(crate) fn push(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [log, value, slot, element]: [i64; 4],
) -> Given {
    let log = at(log);
    let slot = machine.slot_object(slot);
    let element = machine.shape_object(element);
    let value = machine.canonical(value, element)?;
    machine.push(log, value, *slot)?;
    machine.update_grown_places();
    Ok(0)
}

/// Adds an element of one word, which says all, to a pile that was begun.
#[inline]
pub(crate) fn push_word(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [log, value]: [i64; 2],
) -> Given {
    let log = at(log);
    machine.push(log, value, Slot::Word)?;
    Ok(0)
}

/// Ends a pile that was begun.
#[inline]
pub(crate) fn end_pile(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [log, stride]: [i64; 2],
) -> Given {
    let log = at(log);
    let stride = at(stride);
    machine.pile(log, stride)
}

/// The element of a pile with an index from 0.
#[inline]
pub(crate) fn element(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [pile, index, slot]: [i64; 3],
) -> Given {
    let index = at(index);
    let slot = machine.slot_object(slot);
    let element = machine.element(Pile::of(pile), index, *slot)?;
    machine.update_memory_place();
    Ok(element)
}

/// One pile under another.
#[inline]
pub(crate) fn then(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [first, second, stride]: [i64; 3],
) -> Given {
    let stride = at(stride);
    let pile = machine.then(first, second, stride)?;
    machine.update_pile_places();
    Ok(pile)
}

/// A pile of words with one more under it.
#[inline]
pub(crate) fn then_word(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [first, word]: [i64; 2],
) -> Given {
    let pile = machine.then_word(first, word)?;
    machine.update_pile_places();
    Ok(pile)
}

/// The first of a pile, or all but those.
#[inline]
pub(crate) fn slice(
    _machine: &mut Machine<'_>,
    _input: Input<'_>,
    [pile, count, below]: [i64; 3],
) -> Given {
    Machine::slice(pile, count, below != 0)
}

/// A pile the other way round.
#[inline]
pub(crate) fn reversed(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [pile, stride]: [i64; 2],
) -> Given {
    let stride = at(stride);
    let pile = machine.reversed(pile, stride)?;
    machine.update_pile_places();
    Ok(pile)
}

/// A pile in the order of a pile of keys, so many for each element, the lowest first.
#[inline]
pub(crate) fn sorted(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [pile, stride, keys, count]: [i64; 4],
) -> Given {
    let pile = machine.sorted(pile, at(stride), keys, at(count))?;
    machine.update_pile_places();
    Ok(pile)
}

/// Whether any of the points beside a region has an entry, as it is kept in a byte.
#[inline]
pub(crate) fn boundary_has(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [source, point, map, wanted]: [i64; 4],
) -> Given {
    let source = machine.source_object(source);
    Ok(i64::from(machine.boundary_has(
        source,
        at(point),
        at(map),
        wanted,
    )?))
}

/// Begins to search a region, or what lies beside it; says what comes first.
#[inline]
pub(crate) fn begin_search(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [source, point, map]: [i64; 3],
) -> Given {
    let source = machine.source_object(source);
    machine.begin_search(source, point, map)
}

/// What comes next in the search that was begun last; none at its end.
#[inline]
pub(crate) fn next_point(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.next_point()
}

/// Begins to search what lies beside points, none of which is known yet; says which search that is.
#[inline]
pub(crate) fn begin_around(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [grid]: [i64; 1],
) -> Given {
    Ok(handle(machine.begin_around(at(grid))))
}

/// Adds a point to those that a search goes around.
#[inline]
pub(crate) fn add_point(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [search, point]: [i64; 2],
) -> Given {
    machine.add_point(at(search), at(point));
    Ok(0)
}

/// Ends the search that was begun last.
#[inline]
pub(crate) fn end_search(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.end_search();
    Ok(0)
}
