//! Transcripts made up from a seed, which are the same every time.

use std::io::{self, Write};

use crate::{
    reference::{generate, mau_mau, random::Random, snooker, weiqi},
    replay::Replay,
};

/// What stands after the last game, in forms that do not say how many there are.
const END: &[u8] = b"-1 -1\n";

/// What a transcript is of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Transcript {
    Snooker,
    SnookerChance,
    Weiqi,
    /// Weiqi in games of about 35 turns.
    WeiqiShort,
    MauMau,
    /// Mau-Mau with the players' own moves.
    MauMauMoves,
    Other(Replay),
}

impl Transcript {
    /// So many games, and how many events they have. A transcript of more games begins as one of fewer, but for what
    /// its first line says, as long as both numbers have as many digits.
    pub(crate) fn games(self, games: u64) -> io::Result<(Vec<u8>, u64)> {
        let mut text = Vec::new();
        let events = self.write(games, &mut Random::new(1), &mut text)?;
        Ok((text, events))
    }

    /// The same without what stands after the last game.
    pub(crate) fn open_games(self, games: u64) -> io::Result<(Vec<u8>, u64)> {
        let (mut text, events) = self.games(games)?;
        if let Some(games) = text.strip_suffix(END) {
            text.truncate(games.len());
        }
        Ok((text, events))
    }

    fn write(self, games: u64, random: &mut Random, out: &mut impl Write) -> io::Result<u64> {
        match self {
            Transcript::Snooker => {
                generate::snooker::generate_large(&snooker::Rules::default(), games, random, out)
            }
            Transcript::SnookerChance => {
                generate::snooker_chance::generate_large(games, random, out)
            }
            Transcript::Weiqi => {
                generate::weiqi::generate_large(&weiqi::Rules::default(), games, random, out)
            }
            Transcript::WeiqiShort => {
                generate::weiqi::generate_short(&weiqi::Rules::default(), games, random, out)
            }
            Transcript::MauMau => {
                generate::mau_mau::generate_large(&mau_mau::Rules::default(), games, random, out)
            }
            Transcript::MauMauMoves => generate::mau_mau::generate_large_moves(
                &mau_mau::Rules::default(),
                games,
                random,
                out,
            ),
            Transcript::Other(replay) => replay.generate(games, random, out),
        }
    }
}
