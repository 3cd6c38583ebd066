//! How many lines of play there are, counted by `referee moves --depth` and by move generators written by hand.

use std::io::{self, Write};

use crate::{
    Wanted,
    measure::{self, count, median},
    reference::{chess::position::Position, reversi::Board},
};

/// A game, how its transcript begins, and how deep the interpreter looks and who does it by hand.
struct Count {
    game: &'static str,
    start: &'static str,
    depths: [u32; 2],
    by_hand: fn(u32) -> u64,
}

const COUNTS: [Count; 2] = [
    Count {
        game: "chess",
        start: "1\n",
        depths: [4, 5],
        by_hand: |depth| Position::first().lines(depth),
    },
    Count {
        game: "reversi",
        start: "1\nAnn Ben\n",
        depths: [7, 9],
        by_hand: |depth| Board::first().lines(depth),
    },
];

/// Counts by hand what is called `perft:GAME:DEPTH`, and writes it.
pub(crate) fn by_hand(name: &str, output: &mut impl Write) -> Option<io::Result<()>> {
    let (game, depth) = name.strip_prefix("perft:")?.split_once(':')?;
    let count = COUNTS.iter().find(|count| count.game == game)?;
    let lines = (count.by_hand)(depth.parse().ok()?);
    Some(writeln!(output, "{lines}"))
}

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    if !wanted.part("perft") {
        return Ok(());
    }
    measure::head(
        "Lines of play (perft)",
        &[
            "game",
            "ratio of CPU times",
            "interpreter, positions/s",
            "by hand, positions/s",
            "deep",
            "deep by hand",
        ],
    );
    for count in &COUNTS {
        let [deep, deep_by_hand] = count.depths.map(|depth| depth - u32::from(wanted.quick));
        let depth = deep.to_string();
        let mut speeds = [Vec::new(), Vec::new()];
        for _ in 0..wanted.rounds().min(3) {
            let mut interpreter = measure::referee(&["moves", count.game, "--depth", &depth]);
            speeds[0].push(speed(&mut interpreter, count.start)?);
            let mut by_hand = measure::by_hand(&format!("perft:{}:{deep_by_hand}", count.game))?;
            speeds[1].push(speed(&mut by_hand, "")?);
        }
        // Both count the same.
        let mut by_hand = measure::by_hand(&format!("perft:{}:{deep}", count.game))?;
        let mut interpreter = measure::referee(&["moves", count.game, "--depth", &depth]);
        let told = measure::told(&mut interpreter, count.start)?.1;
        if told != measure::told(&mut by_hand, "")?.1 {
            return Err(io::Error::other(format!("{told} is wrong")));
        }
        let [interpreter, by_hand] = speeds.map(median);
        measure::line(&[
            count.game.to_string(),
            format!("{:.2}", by_hand / interpreter),
            format!("{:.3} M", interpreter / 1e6),
            format!("{:.2} M", by_hand / 1e6),
            depth,
            deep_by_hand.to_string(),
        ]);
    }
    Ok(())
}

/// Positions at the ends of the lines, in a second.
fn speed(command: &mut std::process::Command, start: &str) -> io::Result<f64> {
    let (cost, told) = measure::told(command, start)?;
    let lines = told.trim().parse().map_err(io::Error::other)?;
    Ok(count(lines) / cost.seconds())
}
