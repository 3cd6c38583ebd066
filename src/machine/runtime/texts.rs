//! Runtime functions that read words of the transcript and write texts.

use super::Given;
use crate::{
    code::Item,
    machine::{LONGEST_SPLIT, Machine, memory::at, text},
    word::{self, Input},
};

/// The text of a word of the transcript.
#[inline]
pub(crate) fn text_of(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [start, end]: [i64; 2],
) -> Given {
    let word = input.word(start, end);
    Ok(machine.texts.id(word))
}

/// Reads a word as a number; returns whether it is one.
#[inline]
pub(crate) fn read_number(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [start, end]: [i64; 2],
) -> Given {
    let number = word::number(input.word(start, end));
    machine.window.value = number.unwrap_or(0);
    Ok(i64::from(number.is_some()))
}

/// Reads a word as a number with `places` decimal places; returns whether it is one.
#[inline]
pub(crate) fn read_decimal(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [places, start, end]: [i64; 3],
) -> Given {
    let number = word::decimal(input.word(start, end), at(places));
    machine.window.value = number.unwrap_or(0);
    Ok(i64::from(number.is_some()))
}

/// Reads a word by a form; returns whether it is a word of it.
#[inline]
pub(crate) fn read_form(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [form, start, end]: [i64; 3],
) -> Given {
    let form = at(form);
    let value = machine.form_value(form, input.word(start, end));
    machine.window.value = value.unwrap_or(0);
    Ok(i64::from(value.is_some()))
}

/// Reads a word in a hole; returns whether it has a value there.
#[inline]
pub(crate) fn read_hole(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [hole, start, end]: [i64; 3],
) -> Given {
    let hole = machine.hole_object(hole);
    let value = machine.value_of_word(hole, input.word(start, end))?;
    machine.window.value = value.unwrap_or(0);
    machine.set_places();
    Ok(i64::from(value.is_some()))
}

/// Reads a word of several parts, and stores their values; returns whether it matches.
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
    machine.set_places();
    Ok(i64::from(fits))
}

/// Whether a word is a given text of the program.
#[inline]
pub(crate) fn is_text(
    machine: &mut Machine<'_>,
    input: Input<'_>,
    [start, end, text]: [i64; 3],
) -> Given {
    let text = machine.text_object(text);
    Ok(i64::from(input.word(start, end) == text.as_bytes()))
}

/// Makes room for more bytes of output.
#[inline]
pub(crate) fn make_room(machine: &mut Machine<'_>, _input: Input<'_>, [bytes]: [i64; 1]) -> Given {
    let bytes = at(bytes);
    machine.out.make_room(bytes);
    machine.update_output_place();
    Ok(0)
}

/// Writes a number.
#[inline]
pub(crate) fn say_number(
    machine: &mut Machine<'_>,
    _input: Input<'_>,
    [number]: [i64; 1],
) -> Given {
    text::say_number(&mut machine.out, number);
    machine.update_output_place();
    Ok(0)
}

/// Writes the number of the game.
#[inline]
pub(crate) fn say_game_number(machine: &mut Machine<'_>, _input: Input<'_>, []: [i64; 0]) -> Given {
    machine.say_game_number();
    machine.update_output_place();
    Ok(0)
}

/// Writes a text of the program.
#[inline]
pub(crate) fn say_literal(machine: &mut Machine<'_>, _input: Input<'_>, [text]: [i64; 1]) -> Given {
    let text = machine.text_object(text);
    machine.out.extend_from_slice(text.as_bytes());
    machine.update_output_place();
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
    machine.update_grown_places();
    Ok(0)
}

/// The text written from `start` on, which is removed from the output.
#[inline]
pub(crate) fn make_text(machine: &mut Machine<'_>, _input: Input<'_>, [start]: [i64; 1]) -> Given {
    let start = at(start);
    // Copying and interning a text take time in proportion to its length.
    let paid = machine.charge_words((machine.out.len() - start) / size_of::<u64>());
    let text = paid.and_then(|()| machine.texts.made(&machine.out[start..]));
    machine.out.truncate(start);
    text
}
