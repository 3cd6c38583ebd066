//! Nim.

use std::io::{BufRead, Write};

use super::words::{Error, Words, write_number};

/// Reports on every game of the transcript; who takes the last piece wins, or loses.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(
    last_loses: bool,
    input: impl BufRead,
    output: &mut impl Write,
) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("games")? {
        let names = words.names()?;
        words.end_line()?;
        words.line()?;
        let mut heaps = Vec::new();
        while let Some(word) = words.word()? {
            let Some(size) = small(word) else {
                return Err(words.error("expected the size of a heap"));
            };
            heaps.push(size);
        }
        if heaps.is_empty() || heaps.len() > 9 {
            return Err(words.error("there are one to nine heaps"));
        }
        write!(output, "{} against {}:", names[0], names[1])?;
        say(&heaps, output)?;
        let mut turn = 0;
        while heaps.iter().any(|heap| *heap > 0) {
            turn = play(&names, turn, &mut heaps, &mut words, output)?;
        }
        // Who took the last piece is not in turn now.
        let winner = if last_loses { turn } else { 1 - turn };
        writeln!(output, "{} wins", names[winner])?;
    }
    words.end()
}

/// A number of one or two digits.
fn small(word: &[u8]) -> Option<u64> {
    let digit = |digit: &u8| digit.is_ascii_digit().then(|| u64::from(digit - b'0'));
    match word {
        [one] => digit(one),
        [ten, one] => Some(digit(ten)? * 10 + digit(one)?),
        _ => None,
    }
}

fn say(heaps: &[u64], output: &mut impl Write) -> Result<(), Error> {
    for heap in heaps {
        output.write_all(b" ")?;
        write_number(output, *heap)?;
    }
    output.write_all(b"\n")?;
    Ok(())
}

/// One line; whose turn it is after it.
fn play(
    names: &[String; 2],
    turn: usize,
    heaps: &mut [u64],
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<usize, Error> {
    if words.next()? != Some(names[turn].as_bytes()) {
        return Err(words.error("expected who is in turn"));
    }
    let count = words.line_integer("how many are taken")?;
    if words.word()? != Some(b"from") {
        return Err(words.error("expected `from`"));
    }
    let heap = words.line_integer("a heap")?;
    words.end_line()?;
    let name = &names[turn];
    let heap = usize::try_from(heap - 1).ok();
    let Some(left) = heap.and_then(|heap| heaps.get_mut(heap)) else {
        return Err(words.error("there is no such heap"));
    };
    match u64::try_from(count) {
        Ok(0) => {
            writeln!(output, "{name} must take one at least")?;
            return Ok(turn);
        }
        Ok(count) if count <= *left => *left -= count,
        _ => return Err(words.error("there are not so many")),
    }
    output.write_all(name.as_bytes())?;
    output.write_all(b" leaves")?;
    say(heaps, output)?;
    Ok(1 - turn)
}
