//! Snooker: can Philip still win?

use std::io::{BufRead, Write};

use super::counts::Watch;
use super::words::{Error, Words};

/// The values of the colours, dearest first.
const COLOURS: [i64; 6] = [7, 6, 5, 4, 3, 2];
/// What a red brings: itself and a black.
const RED_AND_BLACK: i64 = 8;
/// Reds and colours together.
const BALLS: i64 = 21;

/// Every rule that valid transcripts reach.
pub const RULES: [&str; 7] = [
    "no ball left",
    "colours left",
    "reds left",
    "just enough",
    "one too few",
    "yes",
    "no",
];

/// The options of the game: none.
#[derive(Clone, Debug, Default)]
pub struct Rules;

/// Says of each condition whether `mine` can still reach `theirs`.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn referee(rules: &Rules, input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
    watched(rules, input, output, &mut ())
}

/// The same, with somebody who is told of each rule applied.
///
/// # Errors
/// If the transcript says what cannot be, or a stream fails.
pub fn watched(
    _rules: &Rules,
    input: impl BufRead,
    output: &mut impl Write,
    watch: &mut impl Watch,
) -> Result<(), Error> {
    let mut words = Words::new(input);
    for _ in 0..words.number_of("conditions")? {
        words.end_line()?;
        if !words.line()? {
            return Err(words.error("expected another condition, but the transcript ends"));
        }
        let balls = words.line_integer("the number of balls left")?;
        if !(0..=BALLS).contains(&balls) {
            return Err(words.error(format!("there are 0 to {BALLS} balls, not {balls}")));
        }
        let mine = points("my points", &mut words)?;
        let theirs = points("their points", &mut words)?;
        words.end_line()?;
        // Wider than any two points, so that no sum can overflow.
        let reached = i128::from(mine) + i128::from(remaining(balls));
        watch.reached_if(balls == 0, "no ball left");
        watch.reached_if((1..=6).contains(&balls), "colours left");
        watch.reached_if(balls > 6, "reds left");
        watch.reached_if(reached == i128::from(theirs), "just enough");
        watch.reached_if(reached + 1 == i128::from(theirs), "one too few");
        if reached >= i128::from(theirs) {
            watch.reached("yes");
            output.write_all(b"Yes\n")?;
        } else {
            watch.reached("no");
            output.write_all(b"No\n")?;
        }
    }
    words.end()
}

/// The points of a player, an integer of 32 bits.
fn points(whose: &str, words: &mut Words<impl BufRead>) -> Result<i64, Error> {
    let points = words.line_integer(whose)?;
    if i32::try_from(points).is_err() {
        return Err(words.error(format!("{points} does not fit into 32 bits")));
    }
    Ok(points)
}

/// All that so many balls can still bring.
fn remaining(balls: i64) -> i64 {
    let colours = usize::try_from(balls)
        .unwrap_or_default()
        .min(COLOURS.len());
    let reds = (balls - 6).max(0);
    reds * RED_AND_BLACK + COLOURS[..colours].iter().sum::<i64>()
}
