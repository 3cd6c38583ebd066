//! What lowered functions call: each takes the machine, what is read, and words.

#![expect(clippy::unnecessary_wraps, reason = "all have the same signature")]

mod collections;
mod texts;

use crate::{
    code::{Check, Hole, Item, Shape, SiteId, Slot, Source, Written},
    fault::{self, Fault, Stop, Trouble},
    machine::{
        Machine,
        memory::{at, handle},
    },
    mir::{Callee, Module, Object, RAISE_NO_ROW, RAISE_NONE, RAISE_OVERFLOW, RAISE_ZERO, callees},
    word::Input,
};

pub(crate) use self::{collections::*, texts::*};

/// What a function of the runtime gives: a word, or why it failed.
type Given = Result<i64, Stop>;

/// A copy of so many words.
#[inline]
pub(crate) fn copy(machine: &mut Machine<'_>, _input: Input<'_>, [from, words]: [i64; 2]) -> Given {
    let words = at(words);
    let copy = machine.copy(at(from), words)?;
    machine.update_memory_place();
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
    machine.update_memory_place();
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
    machine.set_places();
    Ok(i64::from(reason.is_some()))
}

/// Keeps the fields of the event in hand.
#[inline]
pub(crate) fn found(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    let fields = machine.current_fields();
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

/// Keeps what `previous` asks for.
#[inline]
pub(crate) fn keep(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.keep();
    Ok(0)
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
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [index, partial, site]: [i64; 3],
) -> Given {
    let partial = usize::try_from(partial).ok();
    let mut forms = machine.compiled.forms.iter();
    let form = forms.position(|form| form.partial.is_some() && form.partial == partial);
    let (value, ty) = match form {
        Some(form) => (
            machine.rendered_form(index, form),
            machine.compiled.forms[form].name.clone(),
        ),
        None => ("a value".into(), "its type".into()),
    };
    Err(fault::rules(site_of(site), Trouble::Outside { value, ty }))
}

/// Fails because two rows give different values.
#[inline]
pub(crate) fn raise_disagreement(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [first, second, start, middle, end, site]: [i64; 6],
) -> Given {
    let labels = [first, second].map(|label| machine.text_object(label).to_owned());
    let [start, middle, end, all] = [at(start), at(middle), at(end), machine.out.len()];
    let written = [start..middle, middle..end, end..all]
        .map(|range| String::from_utf8_lossy(&machine.out[range]).into_owned());
    machine.out.truncate(start);
    let [entry, one, other] = written;
    let trouble = Trouble::Disagreement {
        labels,
        entry,
        values: [one, other],
    };
    Err(fault::rules(site_of(site), trouble))
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
    machine.journal.remove_notes(at(from), at(to));
    Ok(0)
}

/// Says what the next value is asked of.
pub(crate) fn journal_of(machine: &mut Machine<'_>, _input: Input<'_>, [value]: [i64; 1]) -> Given {
    machine.journal.note_argument(value);
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
