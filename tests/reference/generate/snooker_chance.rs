//! Conditions at the end of a frame, many of them just enough or one too few.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::super::counts::Counts;
use super::super::random::Random;
use super::super::snooker_chance::{Rules, watched};

/// A valid transcript of so many conditions.
///
/// # Panics
/// If the referee does not think it valid.
pub fn generate(
    rules: &Rules,
    conditions: u64,
    random: &mut Random,
    counts: &mut Counts,
) -> String {
    let mut text = format!("{conditions}\n");
    for _ in 0..conditions {
        let [balls, mine, theirs] = condition(random);
        writeln!(text, "{balls} {mine} {theirs}").expect("a string takes any text");
    }
    watched(rules, text.as_bytes(), &mut io::sink(), counts).expect("what is generated is valid");
    text
}

/// A long transcript; how many conditions it has.
///
/// # Errors
/// If the stream fails.
pub fn generate_large(
    conditions: u64,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    writeln!(output, "{conditions}")?;
    for _ in 0..conditions {
        let [balls, mine, theirs] = condition(random);
        writeln!(output, "{balls} {mine} {theirs}")?;
    }
    Ok(conditions)
}

fn condition(random: &mut Random) -> [i64; 3] {
    let mut below = |bound: u64| i64::try_from(random.below(bound)).unwrap_or_default();
    let balls = below(22);
    let mine = below(148);
    // What can still be scored lies between one black a ball and eight points a ball.
    let theirs = match below(4) {
        0 => below(148),
        1 => mine + balls * below(9),
        2 => mine + 27 + 8 * (balls - 6) + below(3) - 1,
        _ => {
            mine + [0, 7, 13, 18, 22, 25, 27][usize::try_from(balls.min(6)).unwrap_or_default()]
                + below(3)
                - 1
        }
    };
    match below(40) {
        0 => [balls, i64::from(i32::MAX), i64::from(i32::MIN)],
        1 => [balls, i64::from(i32::MIN), i64::from(i32::MAX)],
        2 => [balls, i64::from(i32::MAX), i64::from(i32::MAX)],
        _ => [balls, mine, theirs],
    }
}
