//! What lowered functions call: each takes the machine, what is read, and words.

#![expect(clippy::unnecessary_wraps, reason = "all have the same signature")]

use crate::{
    code::{Check, Hole, Item, Shape, SiteId, Slot, Source, Written},
    fault::{self, Fault, Stop, Trouble},
    machine::{
        LONGEST_SPLIT, Machine,
        memory::{at, handle},
        pile::Pile,
    },
    mir::{Callee, Module, Object, RAISE_NO_ROW, RAISE_NONE, RAISE_OVERFLOW, RAISE_ZERO, callees},
    word::Input,
};

/// What a function of the runtime gives: a word, or why it failed.
type Given = Result<i64, Stop>;

/// A copy of so many words.
#[inline]
pub(crate) fn copy(machine: &mut Machine<'_>, _input: Input<'_>, [from, words]: [i64; 2]) -> Given {
    let words = at(words);
    let copy = machine.copy(at(from), words)?;
    machine.show_memory();
    Ok(handle(copy))
}

/// How many bytes of a map, from one to before another, are a byte.
#[inline]
pub(crate) fn count_bytes(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [map, from, to, byte]: [i64; 4],
) -> Given {
    let from = at(from);
    let to = at(to);
    let count = machine.count_bytes(at(map), from..to, byte);
    count.map(handle).ok_or_else(|| Box::new(Fault::Memory))
}

/// Which bytes of a map, of at most 64 from one to before another, lie between two bytes: a bit for each.
#[inline]
pub(crate) fn entries_between(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [map, from, to, least, greatest]: [i64; 5],
) -> Given {
    let from = at(from);
    let to = at(to);
    let mask = machine.entries_between(at(map), from..to, least, greatest);
    mask.map(u64::cast_signed)
        .ok_or_else(|| Box::new(Fault::Memory))
}

/// A new block of zeroes.
#[inline]
pub(crate) fn block(machine: &mut Machine<'_>, _input: Input<'_>, [words]: [i64; 1]) -> Given {
    let words = at(words);
    let block = machine.block(words)?;
    machine.show_memory();
    Ok(handle(block))
}

/// Sets one of the values kept from a place on.
#[inline]
pub(crate) fn write(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [base, index, slot, value]: [i64; 4],
) -> Given {
    let index = at(index);
    let slot = machine.slot_object(slot);
    machine.write(at(base), index, *slot, value);
    Ok(0)
}

/// Whether two values are the same.
#[inline]
pub(crate) fn same(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [left, right, shape]: [i64; 3],
) -> Given {
    let shape = machine.shape_object(shape);
    Ok(i64::from(machine.same(left, right, shape)))
}

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
    machine.show_grown();
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
    machine.show_grown();
    Ok(set)
}

/// Begins a pile.
#[inline]
pub(crate) fn begin_pile(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    let log = machine.new_log();
    machine.show_piles();
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
    machine.show_piles();
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
    machine.show_grown();
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

/// Whether so many words are the same.
#[inline]
pub(crate) fn same_words(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [left, right, words]: [i64; 3],
) -> Given {
    let words = at(words);
    Ok(i64::from(machine.same_words(left, right, words)))
}

/// Goes on where a row could not be worked out, unless that is because there was too much work.
#[inline]
pub(crate) fn go_on(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    if machine.is_used_up() {
        return Err(Box::new(Fault::Work));
    }
    machine.places.failed = 0;
    machine.searches.clear();
    machine.base = 0;
    machine.frame_top = machine.bottom;
    Ok(0)
}

/// Whether any row stands against the event in hand, asked in the order of the file.
#[inline]
pub(crate) fn is_refused(machine: &mut Machine<'_>, _input: Input<'_>, [event]: [i64; 1]) -> Given {
    let event = at(event);
    let reason = machine.reason(event)?;
    machine.show_places();
    Ok(i64::from(reason.is_some()))
}

/// Keeps the fields of the event in hand.
#[inline]
pub(crate) fn found(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    let fields = machine.fields_in_hand();
    machine.found.extend_from_slice(&fields);
    machine.fits(machine.found.len())?;
    Ok(0)
}

/// Adds a value to those that are listed.
#[inline]
pub(crate) fn list(machine: &mut Machine<'_>, _input: Input<'_>, [value]: [i64; 1]) -> Given {
    if machine.listed.len() >= machine.compiled.limits.words_of_event() {
        return Err(Box::new(Fault::Memory));
    }
    machine.listed.push(value);
    Ok(0)
}

/// Gives back what the last event made beyond memory.
#[inline]
pub(crate) fn collect(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.collect_all();
    Ok(0)
}

/// The text that is a word of the transcript.
#[inline]
pub(crate) fn text_of(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [start, end]: [i64; 2],
) -> Given {
    let word = input.word(start, end);
    Ok(machine.texts.id(word))
}

/// Reads a word as a number; says whether it is one.
#[inline]
pub(crate) fn read_number(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [start, end]: [i64; 2],
) -> Given {
    let number = crate::word::number(input.word(start, end));
    machine.window.value = number.unwrap_or(0);
    Ok(i64::from(number.is_some()))
}

/// Reads a word as a number with so many decimal places; says whether it is one.
#[inline]
pub(crate) fn read_decimal(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [places, start, end]: [i64; 3],
) -> Given {
    let number = crate::word::decimal(input.word(start, end), at(places));
    machine.window.value = number.unwrap_or(0);
    Ok(i64::from(number.is_some()))
}

/// Reads a word by a form; says whether it is a word of it.
#[inline]
pub(crate) fn read_form(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [form, start, end]: [i64; 3],
) -> Given {
    let form = at(form);
    let value = machine.meant(form, input.word(start, end));
    machine.window.value = value.unwrap_or(0);
    Ok(i64::from(value.is_some()))
}

/// Reads a word in a hole; says whether it stands for a value there.
#[inline]
pub(crate) fn read_hole(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [hole, start, end]: [i64; 3],
) -> Given {
    let hole = machine.hole_object(hole);
    let value = machine.value_of_word(hole, input.word(start, end))?;
    machine.window.value = value.unwrap_or(0);
    machine.show_places();
    Ok(i64::from(value.is_some()))
}

/// Reads a word of several parts, and puts their values where they go; says whether it is made so.
#[inline]
pub(crate) fn read_parts(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [item, start, end]: [i64; 3],
) -> Given {
    let item = machine.item_object(item);
    let word = input.word(start, end);
    let mut read = Vec::new();
    let fits = match item {
        Item::Word(parts) if word.len() <= LONGEST_SPLIT => {
            machine.split(parts, word, &mut read)?
        }
        _ => false,
    };
    for (hole, value) in read {
        machine.put(hole, value)?;
    }
    machine.show_places();
    Ok(i64::from(fits))
}

/// Whether a word is a text that is known beforehand.
#[inline]
pub(crate) fn is_text(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [start, end, text]: [i64; 3],
) -> Given {
    let text = machine.text_object(text);
    Ok(i64::from(input.word(start, end) == text.as_bytes()))
}

/// Keeps what `previous` asks for.
#[inline]
pub(crate) fn keep(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.keep();
    Ok(0)
}

/// Makes room for so many bytes more to be said.
#[inline]
pub(crate) fn make_room(machine: &mut Machine<'_>, _input: Input<'_>, [bytes]: [i64; 1]) -> Given {
    let bytes = at(bytes);
    machine.out.make_room(bytes);
    machine.show_said();
    Ok(0)
}

/// Writes a number.
#[inline]
pub(crate) fn say_number(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [number]: [i64; 1],
) -> Given {
    super::text::say_number(&mut machine.out, number);
    machine.show_said();
    Ok(0)
}

/// Writes which game this is.
#[inline]
pub(crate) fn say_game_number(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.say_game_number();
    machine.show_said();
    Ok(0)
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
    machine.show_memory();
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
    machine.show_piles();
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
    machine.show_piles();
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
    machine.show_piles();
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
    machine.show_piles();
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
    machine.show_memory();
    Ok(entry)
}

/// Ends the search that was begun last.
#[inline]
pub(crate) fn end_search(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.end_search();
    Ok(0)
}

/// Writes a text that is known beforehand.
#[inline]
pub(crate) fn say_literal(machine: &mut Machine<'_>, _input: Input<'_>, [text]: [i64; 1]) -> Given {
    let text = machine.text_object(text);
    machine.out.extend_from_slice(text.as_bytes());
    machine.show_said();
    Ok(0)
}

/// Writes a value.
#[inline]
pub(crate) fn say_value(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [value, written]: [i64; 2],
) -> Given {
    let written = machine.written_object(written);
    machine.say_value(value, written)?;
    machine.show_grown();
    Ok(0)
}

/// The text that was said from a place on, which is taken back.
#[inline]
pub(crate) fn make_text(machine: &mut Machine<'_>, _input: Input<'_>, [start]: [i64; 1]) -> Given {
    let start = at(start);
    let text = machine.texts.made(&machine.out[start..]);
    machine.out.truncate(start);
    text
}

/// Fails because of something that is wrong with a row.
#[inline]
pub(crate) fn raise(
    _machine: &mut Machine<'_>,
    _input: Input<'_>,
    [trouble, site]: [i64; 2],
) -> Given {
    let trouble = match trouble {
        RAISE_NONE => Trouble::None,
        RAISE_OVERFLOW => Trouble::Overflow,
        RAISE_ZERO => Trouble::DivisionByZero,
        RAISE_NO_ROW => Trouble::NoRow,
        _ => return Err(Box::new(Fault::Work)),
    };
    Err(fault::rules(site_of(site), trouble))
}

fn site_of(site: i64) -> SiteId {
    SiteId::try_from(site).unwrap_or(SiteId::MAX)
}

/// Fails because a value lies outside a type.
#[inline]
pub(crate) fn raise_outside(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [value, check, site]: [i64; 3],
) -> Given {
    let check = machine.check_object(check);
    machine.check(value, check, site_of(site))?;
    Ok(0)
}

/// Fails because an index is no value of a type of which only some are.
#[inline]
pub(crate) fn raise_index(
    _machine: &mut Machine<'_>,
    _input: Input<'_>,
    [index, site]: [i64; 2],
) -> Given {
    let (value, ty) = (index.to_string(), "its type".into());
    Err(fault::rules(site_of(site), Trouble::Outside { value, ty }))
}

/// Fails because two rows give different values.
#[inline]
pub(crate) fn raise_disagreement(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [first, second, site]: [i64; 3],
) -> Given {
    let labels = [first, second].map(|label| machine.text_object(label).to_owned());
    Err(fault::rules(
        site_of(site),
        Trouble::Disagreement { labels },
    ))
}

/// Fails because an `impossible` row of the present event fires.
#[inline]
pub(crate) fn raise_impossible(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [row, start, member]: [i64; 3],
) -> Given {
    let text = String::from_utf8_lossy(&machine.out[at(start)..]).into_owned();
    machine.out.truncate(at(start));
    let (event, row) = (machine.event, at(row));
    let speaks_of = machine.compiled.events[event].impossible.get(row);
    let has_local = speaks_of
        .and_then(|row| row.mark)
        .is_some_and(|mark| mark.local.is_some());
    Err(Box::new(Fault::Impossible {
        event,
        row,
        text,
        member: has_local.then_some(member),
    }))
}

/// Notes that the run passes a place.
#[inline]
pub(crate) fn journal_passed(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [place]: [i64; 1],
) -> Given {
    machine.passed(u32::try_from(place).ok());
    Ok(0)
}

/// What an explained table is asked of, by its place.
pub(crate) fn journal_argument(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [place]: [i64; 1],
) -> Given {
    Ok(machine.journal.argument(at(place)))
}

/// Begins a row of an explained table.
pub(crate) fn journal_row(machine: &mut Machine<'_>, _input: Input<'_>, [row]: [i64; 1]) -> Given {
    machine.journal.begin(at(row))?;
    Ok(0)
}

/// Notes whether the next condition of the row holds.
pub(crate) fn journal_condition(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [holds]: [i64; 1],
) -> Given {
    machine.journal.condition(holds != 0);
    Ok(0)
}

/// Notes that the row fires, and its value.
pub(crate) fn journal_fired(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [value]: [i64; 1],
) -> Given {
    machine.journal.fired(value);
    Ok(0)
}

/// Notes the next local of the row.
pub(crate) fn journal_local(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [value]: [i64; 1],
) -> Given {
    machine.journal.local(value);
    Ok(0)
}

/// How many values the row has noted.
pub(crate) fn journal_mark(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    Ok(handle(machine.journal.mark()))
}

/// Takes back what was noted from one mark to another.
pub(crate) fn journal_take_back(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [from, to]: [i64; 2],
) -> Given {
    machine.journal.take_back(at(from), at(to));
    Ok(0)
}

/// Says what the next value is asked of.
pub(crate) fn journal_of(machine: &mut Machine<'_>, _input: Input<'_>, [value]: [i64; 1]) -> Given {
    machine.journal.of(value);
    Ok(0)
}

/// Notes at a mark a value that is mentioned, and that it is asked of the last so many values.
pub(crate) fn journal_note(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [mark, mention, of, value]: [i64; 4],
) -> Given {
    machine.journal.note(at(mark), at(mention), at(of), value)?;
    Ok(0)
}

/// Divides, rounded down.
#[inline]
pub(crate) fn divide(
    _machine: &mut Machine<'_>,
    _input: Input<'_>,
    [left, right]: [i64; 2],
) -> Given {
    crate::arithmetic::divide(left, right).ok_or_else(|| Box::new(Fault::Work))
}

/// Divides, rounded to the nearest number.
#[inline]
pub(crate) fn divide_even(
    _machine: &mut Machine<'_>,
    _input: Input<'_>,
    [left, right]: [i64; 2],
) -> Given {
    crate::arithmetic::divide_even(left, right).ok_or_else(|| Box::new(Fault::Work))
}

/// What a division leaves.
#[inline]
pub(crate) fn modulo(
    _machine: &mut Machine<'_>,
    _input: Input<'_>,
    [left, right]: [i64; 2],
) -> Given {
    crate::arithmetic::modulo(left, right).ok_or_else(|| Box::new(Fault::Work))
}

/// How many names there are.
macro_rules! parameters {
    ($($name:ident)*) => {
        <[&str]>::len(&[$(stringify!($name)),*])
    };
}

macro_rules! dispatch {
    ($($(#[$doc:meta])* $name:ident $function:ident($($parameter:ident),*) $may:ident;)*) => {
        impl Machine<'_> {
            /// Calls a function of the runtime. What it cannot do makes the caller fail.
            #[inline]
            pub(super) fn call_runtime(
                &mut self,
                input: Input<'_>,
                callee: Callee,
                mut argument: impl FnMut(usize) -> i64,
            ) -> i64 {
                let given = match callee {
                    $(Callee::$name => {
                        let mut arguments = [0; parameters!($($parameter)*)];
                        for (place, value) in arguments.iter_mut().enumerate() {
                            *value = argument(place);
                        }
                        $function(self, input, arguments)
                    })*
                };
                self.value_or_failed(given)
            }
        }
    };
}
callees!(dispatch);

macro_rules! objects {
    ($($name:ident $kind:ident $ty:ty;)*) => {
        impl<'c> Machine<'c> {
            $(
                fn $name(&self, place: i64) -> &'c $ty {
                    match self.module().object(at(place)) {
                        Some(Object::$kind(object)) => object,
                        other => unreachable!("an object that is {other:?}"),
                    }
                }
            )*
        }
    };
}

objects! {
    slot_object Slot Slot;
    shape_object Shape Shape;
    check_object Check Check;
    hole_object Hole Hole;
    item_object Item Item;
    source_object Source Source;
    written_object Written Written;
    text_object Text str;
}

impl<'c> Machine<'c> {
    /// The module that runs.
    fn module(&self) -> &'c Module {
        self.module.unwrap_or_else(|| self.compiled.exact.module())
    }

    /// What a function gives; where it failed, that is noted.
    #[inline]
    pub(crate) fn value_or_failed(&mut self, given: Given) -> i64 {
        given.unwrap_or_else(|stop| {
            self.places.failed = 1;
            self.fault.get_or_insert(stop);
            0
        })
    }
}
