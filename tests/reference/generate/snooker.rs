//! Frames of snooker, from ordinary play to strokes that nobody has seen yet.

use std::io::{self, Write};

use super::super::counts::Counts;
use super::super::random::Random;
use super::super::snooker::frame::{Ball, End, Frame, Phase, Stroke};
use super::super::snooker::{Rules, watched};

/// Names that a careless referee takes for something else.
const ODD_NAMES: [&str; 14] = [
    "Red", "None", "Play", "again", "White", "Black", "Yellow", "Foul", "Tie", "Respot", "Frame",
    "wins", "turn", "Blue",
];
const LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// How the players play: chances in a hundred.
#[derive(Clone, Copy)]
struct Manner {
    /// To pot the ball on and no other.
    pot: u64,
    /// To hit the ball on and pot nothing.
    miss: u64,
    /// To have the offender play again after a foul.
    again: u64,
    /// To pot another red when one falls.
    more: u64,
    /// To steer towards a tie when only the black is left.
    level: u64,
}

const ORDINARY: Manner = Manner {
    pot: 62,
    miss: 32,
    again: 25,
    more: 2,
    level: 5,
};
const WILD: Manner = Manner {
    pot: 35,
    miss: 15,
    again: 45,
    more: 35,
    level: 75,
};

/// A valid transcript of so many frames.
///
/// # Panics
/// If the referee does not think it valid.
pub fn generate(rules: &Rules, frames: u64, random: &mut Random, counts: &mut Counts) -> String {
    let mut text = format!("{frames}\n").into_bytes();
    for _ in 0..frames {
        let manner = random.pick(&[ORDINARY, WILD, WILD]);
        frame(rules, manner, random, &mut text).expect("a vector takes any text");
    }
    watched(rules, text.as_slice(), &mut io::sink(), counts).expect("what is generated is valid");
    String::from_utf8(text).expect("names are letters")
}

/// A long transcript of ordinary play; how many strokes, lots and `Play again` it has.
///
/// # Errors
/// If the stream fails.
pub fn generate_large(
    rules: &Rules,
    frames: u64,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    writeln!(output, "{frames}")?;
    let mut events = 0;
    for _ in 0..frames {
        events += frame(rules, ORDINARY, random, output)?;
    }
    Ok(events)
}

/// One frame; how many events it has.
fn frame(
    rules: &Rules,
    manner: Manner,
    random: &mut Random,
    output: &mut impl Write,
) -> io::Result<u64> {
    let mut frame = Frame::new(rules);
    let names = names(random);
    writeln!(output, "\n{} {}", names[0], names[1])?;
    let mut events = 0;
    loop {
        events += 1;
        if frame.fouled && random.percent(manner.again) {
            writeln!(output, "Play again")?;
            frame.play_again(&mut ());
            continue;
        }
        if frame.may_be_put_back() && random.percent(40) {
            writeln!(output, "Miss")?;
            frame.put_back(&mut ());
            continue;
        }
        if frame.free_ball_may_come() && random.percent(50) {
            writeln!(output, "Free ball")?;
            frame.free_ball(&mut ());
            continue;
        }
        let stroke = stroke(&frame, manner, random);
        write_stroke(&stroke, random, output)?;
        match frame.stroke(&stroke, &mut ()).end {
            End::Open => {}
            End::Tie => {
                events += 1;
                let player = random.index(2);
                writeln!(output, "{}", names[player])?;
                frame.lot(player);
            }
            End::Won(_) => return Ok(events),
        }
    }
}

fn names(random: &mut Random) -> [String; 2] {
    let first = name(random);
    loop {
        let second = name(random);
        if second != first {
            return [first, second];
        }
    }
}

fn name(random: &mut Random) -> String {
    if random.percent(20) {
        return random.pick(&ODD_NAMES).to_owned();
    }
    let most = if random.percent(2) { 200 } else { 20 };
    let length = random.between(1, most);
    (0..length)
        .map(|_| char::from(random.pick(LETTERS)))
        .collect()
}

/// What the player in turn does next.
fn stroke(frame: &Frame, manner: Manner, random: &mut Random) -> Stroke {
    let only_black = frame.reds == 0 && frame.lowest == Ball::Black.value();
    if only_black
        && random.percent(manner.level)
        && let Some(stroke) = levelling(frame, random)
    {
        return stroke;
    }
    if frame.granted == Some(frame.striker) && random.percent(60) {
        return with_free_ball(frame, random);
    }
    let chance = random.below(100);
    let target = if frame.phase == Phase::AnyColour {
        // The dearest ball is what players like best.
        let colour = random.pick(&Ball::COLOURS);
        if random.percent(50) {
            Ball::Black
        } else {
            colour
        }
    } else {
        frame.target(None)
    };
    let mut stroke = Stroke {
        hit: Some(target),
        ..Stroke::default()
    };
    if chance < manner.pot {
        stroke.potted[target as usize] = 1;
        while target == Ball::Red && stroke.potted[1] < frame.reds && random.percent(manner.more) {
            stroke.potted[1] += 1;
        }
    } else if chance >= manner.pot + manner.miss {
        stroke = foul(frame, target, manner, random);
    }
    stroke
}

/// Most likely a stroke at another ball than the one on.
fn with_free_ball(frame: &Frame, random: &mut Random) -> Stroke {
    let on_table = |ball: &Ball| frame.left(*ball) > 0 && *ball != Ball::White;
    let balls: Vec<Ball> = Ball::ALL.into_iter().filter(on_table).collect();
    let hit = random.pick(&balls);
    let target = frame.target(Some(hit));
    let mut stroke = Stroke {
        hit: (!random.percent(15)).then_some(hit),
        ..Stroke::default()
    };
    if stroke.hit.is_some() {
        stroke.potted[hit as usize] = u8::from(random.percent(60));
        stroke.potted[target as usize] |= u8::from(random.percent(30));
    }
    stroke.potted[0] = u8::from(random.percent(10));
    stroke
}

/// With only the black left, a pot by who is seven behind or a foul by who is seven ahead makes a tie.
fn levelling(frame: &Frame, random: &mut Random) -> Option<Stroke> {
    let mine = frame.scores[frame.striker];
    let theirs = frame.scores[1 - frame.striker];
    let black = Some(Ball::Black);
    let mut stroke = Stroke {
        hit: black,
        ..Stroke::default()
    };
    if mine + 7 == theirs {
        stroke.potted[Ball::Black as usize] = 1;
    } else if theirs + 7 == mine {
        stroke.hit = if random.percent(50) { black } else { None };
        stroke.potted[Ball::White as usize] = u8::from(stroke.hit == black || random.percent(50));
    } else {
        return None;
    }
    Some(stroke)
}

/// Most likely a foul: anything hit, anything potted.
fn foul(frame: &Frame, target: Ball, manner: Manner, random: &mut Random) -> Stroke {
    let on_table = |ball: &Ball| frame.left(*ball) > 0;
    let balls: Vec<Ball> = Ball::ALL.into_iter().filter(on_table).collect();
    let objects = balls.get(1..).unwrap_or_default();
    let mut stroke = Stroke {
        hit: match random.below(10) {
            0..3 => None,
            3..7 => Some(target),
            _ => Some(random.pick(objects)),
        },
        ..Stroke::default()
    };
    stroke.potted[0] = u8::from(random.percent(35));
    if stroke.hit.is_some() {
        let falls = random.below(if manner.more > 10 { 5 } else { 2 });
        for _ in 0..falls {
            let ball = random.pick(objects);
            let potted = &mut stroke.potted[ball as usize];
            *potted = (*potted + 1).min(frame.left(ball));
        }
        // So that the last reds fall in all sorts of ways.
        if manner.more > 10 && random.percent(15) {
            stroke.potted[1] = frame.reds;
        }
    }
    stroke
}

fn write_stroke(stroke: &Stroke, random: &mut Random, output: &mut impl Write) -> io::Result<()> {
    output.write_all(stroke.hit.map_or("None", Ball::name).as_bytes())?;
    let mut potted: Vec<Ball> = Vec::new();
    for ball in Ball::ALL {
        potted.extend((0..stroke.potted[ball as usize]).map(|_| ball));
    }
    random.shuffle(&mut potted);
    for ball in potted {
        write!(output, " {}", ball.name())?;
    }
    output.write_all(b"\n")
}
