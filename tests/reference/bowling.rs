//! Ten-pin bowling.

use std::io::{BufRead, Write};

use super::words::{Error, Words};

/// A frame as far as it has been rolled: the balls that count in it, and how it is written.
#[derive(Clone, Copy, Default)]
struct Frame {
    balls: u8,
    pins: u64,
    signs: [u8; 3],
    signed: usize,
}

impl Frame {
    fn complete(&self) -> bool {
        self.balls == 3 || self.balls == 2 && self.pins < 10
    }

    fn signs(&self) -> &[u8] {
        &self.signs[..self.signed]
    }
}

/// A bowler, and what is on the sheet.
struct Bowler {
    name: String,
    frames: [Frame; 10],
}

impl Bowler {
    fn total(&self, frames: usize) -> u64 {
        self.frames[..frames].iter().map(|frame| frame.pins).sum()
    }
}

/// Reports on every game of the transcript.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("games")? {
        let number = words.integer("the number of bowlers")?;
        if !(1..=8).contains(&number) {
            return Err(words.error("there are one to eight bowlers"));
        }
        let mut bowlers = Vec::new();
        for _ in 0..number {
            bowlers.push(Bowler {
                name: words.text("a name")?,
                frames: [Frame::default(); 10],
            });
        }
        for frame in 0..10 {
            for bowler in &mut bowlers {
                turn(bowler, frame, &mut words, output)?;
            }
        }
        say_result(&bowlers, output)?;
    }
    words.end()
}

/// The balls of one bowler in one frame.
fn turn(
    bowler: &mut Bowler,
    frame: usize,
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
) -> Result<(), Error> {
    let mut standing = 10;
    let mut second = false;
    loop {
        let pins = match words.next()? {
            Some(b"X" | b"10") => Some(10),
            Some(b"/") if second => Some(standing),
            Some(b"-") => Some(0),
            Some(b"F") => None,
            Some(&[digit @ b'0'..=b'9']) => Some(u64::from(digit - b'0')),
            _ => return Err(words.error("expected a ball")),
        };
        let counts = pins.unwrap_or(0);
        if counts > standing {
            return Err(words.error("so many pins do not stand"));
        }
        let cleared = counts == standing;
        let digit = b'0' + u8::try_from(counts).unwrap_or_default();
        let sign = match (pins, cleared, second) {
            (None, ..) => b'F',
            (_, true, false) => b'X',
            (_, true, true) => b'/',
            (Some(0), ..) => b'-',
            _ => digit,
        };
        let own = &mut bowler.frames[frame];
        own.signs[own.signed] = sign;
        own.signed += 1;
        for at in 0..=frame {
            let other = &mut bowler.frames[at];
            if other.complete() {
                continue;
            }
            other.balls += 1;
            other.pins += counts;
            if bowler.frames[at].complete() {
                write!(output, "{} {}: ", bowler.name, at + 1)?;
                output.write_all(bowler.frames[at].signs())?;
                writeln!(output, " {}", bowler.total(at + 1))?;
            }
        }
        let leaves = if frame == 9 {
            bowler.frames[9].complete()
        } else {
            cleared || second
        };
        if leaves {
            return Ok(());
        }
        if cleared || second {
            standing = 10;
            second = false;
        } else {
            standing -= counts;
            second = true;
        }
    }
}

fn say_result(bowlers: &[Bowler], output: &mut impl Write) -> Result<(), Error> {
    for bowler in bowlers {
        write!(output, "{}:", bowler.name)?;
        for frame in &bowler.frames {
            output.write_all(b" ")?;
            output.write_all(frame.signs())?;
        }
        writeln!(output, " = {}", bowler.total(10))?;
    }
    let best = bowlers.iter().map(|bowler| bowler.total(10)).max();
    let winners = bowlers
        .iter()
        .filter(|bowler| Some(bowler.total(10)) == best);
    let names: Vec<&str> = winners.map(|bowler| bowler.name.as_str()).collect();
    match names.as_slice() {
        [winner] if bowlers.len() > 1 => writeln!(output, "{winner} wins")?,
        [_] | [] => {}
        several => writeln!(output, "{} are equal", several.join(" "))?,
    }
    Ok(())
}
