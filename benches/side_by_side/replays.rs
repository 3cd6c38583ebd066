//! The other games against referees written by hand.

use std::io::{self, BufRead, Write};

use crate::{
    Wanted, measure,
    measure::geometric_mean,
    races,
    reference::{
        bowling, chess, connect_four, crazy_eights, darts, draughts, kalah, nim, reversi, tennis,
        words::Error, yahtzee,
    },
    replay::Replay,
};

/// The games with their names, and how many events their transcripts have.
const REPLAYS: [(&str, Replay, u64); 11] = [
    ("bowling", Replay::Bowling, 5_000_000),
    ("chess", Replay::Chess, 1_200_000),
    ("connect-four", Replay::ConnectFour, 8_000_000),
    ("crazy-eights", Replay::CrazyEights, 6_000_000),
    ("darts", Replay::Darts, 5_000_000),
    ("draughts", Replay::Draughts, 2_000_000),
    ("kalah", Replay::Kalah, 4_000_000),
    ("nim", Replay::Nim, 6_000_000),
    ("reversi", Replay::Reversi, 2_000_000),
    ("tennis", Replay::Tennis, 8_000_000),
    ("yahtzee", Replay::Yahtzee, 4_000_000),
];

impl Replay {
    pub(crate) fn named(name: &str) -> Option<Replay> {
        let found = REPLAYS.iter().find(|(other, ..)| *other == name);
        found.map(|(_, replay, _)| *replay)
    }

    /// Judges a transcript as the interpreter does.
    pub(crate) fn by_hand(self, input: impl BufRead, output: &mut impl Write) -> Result<(), Error> {
        match self {
            Replay::Bowling => bowling::referee(input, output),
            Replay::Chess => chess::referee(input, output),
            Replay::ConnectFour => connect_four::referee(input, output),
            Replay::CrazyEights => crazy_eights::referee(input, output),
            Replay::Darts => darts::referee(&darts::Rules::default(), input, output),
            Replay::Draughts => draughts::referee(input, output),
            Replay::Kalah => kalah::referee(input, output),
            Replay::Nim => nim::referee(false, input, output),
            Replay::Reversi => reversi::referee(input, output),
            Replay::Tennis => tennis::referee(&tennis::Rules::default(), input, output),
            Replay::Yahtzee => yahtzee::referee(input, output),
        }
    }
}

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    let chosen = REPLAYS
        .iter()
        .filter(|(name, ..)| wanted.line("games", name));
    let chosen: Vec<_> = chosen.collect();
    if chosen.is_empty() {
        return Ok(());
    }
    measure::head("The other games", &races::COLUMNS);
    let mut ratios = Vec::new();
    for (name, _, events) in chosen {
        // A fifth is enough to look: these transcripts are short as it is.
        let events = if wanted.quick { events / 5 } else { *events };
        for race in races::race(&[name], events, wanted.rounds())? {
            races::tell(&race);
            ratios.push(race.ratio());
        }
    }
    if ratios.len() > 1 {
        let mean = geometric_mean(&ratios);
        println!("\ngeometric mean: {mean:.2}");
    }
    Ok(())
}
