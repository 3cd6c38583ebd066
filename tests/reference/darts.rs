//! A leg of darts.

use std::io::{BufRead, Write};

use super::words::{Error, Words};

/// The options of the game.
#[derive(Clone, Debug)]
pub struct Rules {
    pub start: u64,
    /// Whether only a double begins the count.
    pub double_in: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            start: 501,
            double_in: false,
        }
    }
}

/// How often a dart counts, and what.
#[derive(Clone, Copy)]
struct Dart {
    times: u64,
    number: u64,
}

impl Dart {
    fn named(word: &[u8]) -> Option<Dart> {
        let (times, digits) = match word {
            b"BULL" => {
                return Some(Dart {
                    times: 2,
                    number: 25,
                });
            }
            [b'D', digits @ ..] => (2, digits),
            [b'T', digits @ ..] => (3, digits),
            digits => (1, digits),
        };
        let number = match digits {
            [one] if one.is_ascii_digit() => u64::from(one - b'0'),
            [ten @ b'1'..=b'9', one] if one.is_ascii_digit() => {
                u64::from(ten - b'0') * 10 + u64::from(one - b'0')
            }
            _ => return None,
        };
        let there = number == 25 && times == 1 || number <= 20 && (number > 0 || times == 1);
        there.then_some(Dart { times, number })
    }

    fn write(self, output: &mut impl Write) -> std::io::Result<()> {
        match (self.times, self.number) {
            (2, 25) => writeln!(output, "BULL"),
            (2, number) => writeln!(output, "D{number}"),
            (3, number) => writeln!(output, "T{number}"),
            (_, number) => writeln!(output, "{number}"),
        }
    }
}

/// Reports on every leg of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(rules: &Rules, input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for number in 1..=words.number_of("legs")? {
        let names = words.names()?;
        words.end_line()?;
        let start = rules.start;
        writeln!(
            output,
            "Leg {number}: {} to throw, {start} required",
            names[0]
        )?;
        let mut left = [start; 2];
        let mut counting = [!rules.double_in; 2];
        let mut turn = 0;
        while !visit(
            &names[turn],
            &mut left[turn],
            &mut counting[turn],
            &mut words,
            output,
        )? {
            turn = 1 - turn;
        }
    }
    words.end()
}

/// Up to three darts; yes if they end the leg.
fn visit(
    name: &str,
    all_left: &mut u64,
    all_counting: &mut bool,
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<bool, Error> {
    match words.next()?.and_then(|word| word.strip_suffix(b":")) {
        Some(word) if word == name.as_bytes() => {}
        _ => return Err(words.error("expected who is in turn")),
    }
    let before = *all_left;
    let (mut left, mut counting) = (before, *all_counting);
    let (mut thrown, mut bust) = (0, None);
    while let Some(word) = words.word()? {
        let dart = Dart::named(word);
        let dart = dart.ok_or_else(|| words.error("expected a dart"))?;
        thrown += 1;
        if thrown > 3 || bust.is_some() {
            return Err(words.error("the visit was over"));
        }
        counting |= dart.times == 2;
        if !counting {
            continue;
        }
        match left.checked_sub(dart.times * dart.number) {
            None => bust = Some("too many"),
            Some(1) => bust = Some("1 would be left"),
            Some(0) if dart.times == 2 => {
                words.end_line()?;
                write!(output, "{name} {before}, game shot with ")?;
                dart.write(output)?;
                return Ok(true);
            }
            Some(0) => bust = Some("not by a double"),
            Some(rest) => left = rest,
        }
    }
    match bust {
        Some(bust) => writeln!(output, "{name} bust, {bust}: {before} left")?,
        None if thrown < 3 => return Err(words.error("there are darts to throw")),
        None => {
            (*all_left, *all_counting) = (left, counting);
            writeln!(output, "{name} {}, {left} left", before - left)?;
        }
    }
    Ok(false)
}
