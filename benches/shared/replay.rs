//! The other games, each played at random: what the benchmarks run them on.

use std::io::{self, Write};

use crate::{
    reference::{random::Random, tennis},
    second::{self, Account},
};

/// One of these games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replay {
    Bowling,
    Chess,
    ConnectFour,
    CrazyEights,
    Darts,
    #[allow(dead_code, reason = "the instructions of this one are not counted yet")]
    Draughts,
    Kalah,
    Nim,
    Reversi,
    Tennis,
    Yahtzee,
}

impl Replay {
    /// Plays a game at random.
    fn play(self, random: &mut Random, account: &mut Account) {
        match self {
            Replay::Bowling => second::bowling::play(random, account),
            Replay::Chess => second::chess::play(random, account),
            Replay::ConnectFour => second::connect_four::play(random, 1, account),
            Replay::CrazyEights => second::crazy_eights::play(random, account),
            Replay::Darts => second::darts::play(random, 1, account, 501, false),
            Replay::Draughts => second::draughts::play(random, account),
            Replay::Kalah => second::kalah::play(random, 1, account),
            Replay::Nim => second::nim::play(random, account, false),
            Replay::Reversi => second::reversi::play(random, 1, account),
            Replay::Tennis => {
                let rules = tennis::Rules::default();
                let match_ = second::tennis::Match {
                    sets: rules.sets,
                    last_tie_break: rules.last_tie_break,
                    advantage: rules.advantage,
                };
                match_.play(random, account);
            }
            Replay::Yahtzee => second::yahtzee::play(random, account),
        }
    }

    /// How many lines of a game are no events: who plays, and with what.
    fn lines_before(self) -> usize {
        match self {
            Replay::Chess | Replay::Draughts => 0,
            Replay::CrazyEights | Replay::Nim => 2,
            _ => 1,
        }
    }

    /// Writes a transcript of so many games; how many events that are.
    pub(crate) fn generate(
        self,
        games: u64,
        random: &mut Random,
        output: &mut impl Write,
    ) -> io::Result<u64> {
        writeln!(output, "{games}")?;
        let mut events = 0;
        for _ in 0..games {
            let mut account = Account::default();
            self.play(random, &mut account);
            output.write_all(account.transcript.as_bytes())?;
            events += (account.transcript.lines().count() - self.lines_before()) as u64;
        }
        Ok(events)
    }
}
