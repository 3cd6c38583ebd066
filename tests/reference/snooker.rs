//! Snooker: the referee of a frame.

use std::io::{BufRead, Write};

use super::counts::Watch;
use super::words::{Error, Words, write_number};
use frame::{Ball, End, Frame, Stroke};

pub mod frame;
mod notes;

#[allow(unused_imports, reason = "a benchmark counts nothing")]
pub use notes::{RULES, RULES_OF_FREE_BALL, RULES_OF_MISS};

/// The options of the game.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The reds on the table at the break-off.
    pub reds: u8,
    /// What a foul costs at least.
    pub least_penalty: u8,
    /// Whether there is a free ball after a foul.
    pub free_ball: bool,
    /// Whether the balls may be put back after a miss.
    pub miss: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            reds: 15,
            least_penalty: 4,
            free_ball: false,
            miss: false,
        }
    }
}

impl Rules {
    /// The rules of the game with some variants, if all are known.
    pub fn of(variants: &[impl AsRef<str>]) -> Option<Self> {
        let mut rules = Rules::default();
        for variant in variants {
            match variant.as_ref() {
                "six-red" => rules.reds = 6,
                "foul-five" => rules.least_penalty = 5,
                "free-ball" => rules.free_ball = true,
                "miss" => rules.miss = true,
                "club" => {
                    rules.reds = 6;
                    rules.free_ball = true;
                    rules.miss = true;
                }
                _ => return None,
            }
        }
        Some(rules)
    }
}

/// Reports on every frame of the transcript.
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
    rules: &Rules,
    input: impl BufRead,
    output: &mut impl Write,
    watch: &mut impl Watch,
) -> Result<(), Error> {
    let mut words = Words::new(input);
    for number in 1..=words.number_of("frames")? {
        words.end_line()?;
        let names = read_names(&mut words, watch)?;
        if number > 1 {
            output.write_all(b"\n")?;
        }
        writeln!(output, "Frame {number}")?;
        play(Frame::new(rules), &names, &mut words, output, watch)?;
    }
    words.end()
}

/// One frame, from the break-off to its end.
fn play(
    mut frame: Frame,
    names: &[Vec<u8>; 2],
    words: &mut Words<impl BufRead>,
    output: &mut impl Write,
    watch: &mut impl Watch,
) -> Result<(), Error> {
    say_turn(&frame, names, output)?;
    loop {
        if !words.line()? {
            return Err(words.error("the frame is not over: expected a stroke"));
        }
        let stroke = match read_line(&frame, words)? {
            Line::Stroke(stroke) => stroke,
            Line::FreeBall => {
                frame.free_ball(watch);
                continue;
            }
            line => {
                if matches!(line, Line::UnmetQuestion) {
                    frame.put_back(watch);
                } else {
                    frame.play_again(watch);
                }
                say_turn(&frame, names, output)?;
                continue;
            }
        };
        let verdict = frame.stroke(&stroke, watch);
        if verdict.foul {
            output.write_all(b"Foul!\n")?;
        }
        write_number(output, frame.scores[0])?;
        output.write_all(b" : ")?;
        write_number(output, frame.scores[1])?;
        output.write_all(b"\n")?;
        match verdict.end {
            End::Open => {
                say_respot(verdict.respot, output)?;
                if verdict.turn_over {
                    say_turn(&frame, names, output)?;
                }
            }
            End::Tie => {
                output.write_all(b"Tie\n")?;
                let player = read_lot(names, words)?;
                notes::lot(player, names, watch);
                frame.lot(player);
                output.write_all(b"Respot Black\n")?;
                say_turn(&frame, names, output)?;
            }
            End::Won(player) => {
                output.write_all(&names[player])?;
                output.write_all(b" wins\n")?;
                return words.end_line();
            }
        }
    }
}

fn read_names(
    words: &mut Words<impl BufRead>,
    watch: &mut impl Watch,
) -> Result<[Vec<u8>; 2], Error> {
    if !words.line()? {
        return Err(words.error("expected the names of two players, but the transcript ends"));
    }
    let mut names = [Vec::new(), Vec::new()];
    for name in &mut names {
        match words.word()? {
            Some(word) => name.extend_from_slice(word),
            None => return Err(words.error("expected the name of another player")),
        }
    }
    let same = words.error("expected another name than the first player's");
    words.end_line()?;
    if names[0] == names[1] {
        return Err(same);
    }
    notes::names(&names, watch);
    Ok(names)
}

/// What a line tells.
enum Line {
    Stroke(Stroke),
    Again,
    FreeBall,
    UnmetQuestion,
}

/// Reads a line. Who may not say what it begins with is told so at its first word.
fn read_line(frame: &Frame, words: &mut Words<impl BufRead>) -> Result<Line, Error> {
    let mut stroke = Stroke::default();
    // What can be read and yet not be is held back until the line has been read.
    let mut wrong = None;
    match words.word()?.unwrap_or_default() {
        b"Play" if !frame.fouled => {
            return Err(words.error("there was no foul: expected the ball first hit, or `None`"));
        }
        b"Play" => {
            if words.word()? != Some(b"again") {
                return Err(words.error("expected `again`"));
            }
            words.end_line()?;
            return Ok(Line::Again);
        }
        b"Free" if frame.free_ball_may_come() => {
            if words.word()? != Some(b"ball") {
                return Err(words.error("expected `ball`"));
            }
            words.end_line()?;
            return Ok(Line::FreeBall);
        }
        b"Miss" if frame.may_be_put_back() => {
            words.end_line()?;
            return Ok(Line::UnmetQuestion);
        }
        b"None" => {}
        word => stroke.hit = Ball::named(word),
    }
    match stroke.hit {
        None if words.is(b"None") => {}
        None if frame.fouled => {
            return Err(words.error("expected the ball first hit, `None` or `Play again`"));
        }
        None => return Err(words.error("expected the ball first hit, or `None`")),
        Some(Ball::White) => {
            wrong = Some(words.error("the White cannot hit itself: expected another ball"));
        }
        Some(ball) if frame.left(ball) == 0 => {
            wrong = Some(words.error(format!("there is no {} left to hit", ball.name())));
        }
        Some(_) => {}
    }
    while let Some(word) = words.word()? {
        let Some(ball) = Ball::named(word) else {
            return Err(words.error("expected a ball, or the end of the line"));
        };
        if stroke.hit.is_none() && ball != Ball::White {
            wrong = Some(words.error("no ball was hit: expected `White`, or the end of the line"));
        }
        let left = frame.left(ball);
        let potted = &mut stroke.potted[ball as usize];
        if *potted >= left {
            wrong = Some(words.error(format!("{left} {} can fall, not more", ball.name())));
        } else {
            *potted += 1;
        }
    }
    match wrong {
        Some(error) => Err(error),
        None => Ok(Line::Stroke(stroke)),
    }
}

fn read_lot(names: &[Vec<u8>; 2], words: &mut Words<impl BufRead>) -> Result<usize, Error> {
    let word = words.next()?.unwrap_or_default();
    let Some(player) = names.iter().position(|name| name == word) else {
        return Err(words.error("expected the name of the player who plays the black"));
    };
    words.end_line()?;
    Ok(player)
}

fn say_turn(frame: &Frame, names: &[Vec<u8>; 2], output: &mut impl Write) -> Result<(), Error> {
    output.write_all(&names[frame.striker])?;
    output.write_all(if frame.in_hand {
        b"'s turn, in-hand\n"
    } else {
        b"'s turn\n"
    })?;
    Ok(())
}

fn say_respot(respot: [bool; 8], output: &mut impl Write) -> Result<(), Error> {
    if respot.contains(&true) {
        output.write_all(b"Respot")?;
        for ball in Ball::COLOURS
            .into_iter()
            .filter(|ball| respot[*ball as usize])
        {
            output.write_all(b" ")?;
            output.write_all(ball.name().as_bytes())?;
        }
        output.write_all(b"\n")?;
    }
    Ok(())
}
