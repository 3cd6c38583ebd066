//! Who races: a game with its variants and its form of transcript, the referee that does the same by hand, and who makes
//! up transcripts for both.

use std::{
    fs::File,
    io::{self, BufRead, BufWriter, Write},
    path::PathBuf,
    process::Command,
};

use crate::{
    measure,
    reference::{generate, mau_mau, random::Random, snooker, snooker_chance, weiqi, words::Error},
    replay::Replay,
};

/// A game as it is raced.
pub(crate) struct Contest {
    /// `game`, `game+variant…`, either maybe with `.form`; `weiqi-short` is Weiqi in short games.
    pub(crate) name: String,
    /// The game with its variants, as the interpreter knows it.
    known_as: String,
    rules: Rules,
}

/// What the referee written by hand has to know.
enum Rules {
    Snooker(snooker::Rules),
    SnookerChance,
    Weiqi(weiqi::Rules),
    WeiqiShort(weiqi::Rules),
    MauMau(mau_mau::Rules),
    MauMauMoves(mau_mau::Rules),
    Other(Replay),
}

impl Contest {
    /// The contest of this name, if there is a referee written by hand for all of it.
    pub(crate) fn named(name: &str) -> Option<Contest> {
        let (rules, form) = match name.split_once('.') {
            Some((rules, form)) => (rules, Some(form)),
            None => (name, None),
        };
        let mut parts = rules.split('+');
        let game = parts.next()?;
        let variants: Vec<&str> = parts.collect();
        let known_as = rules.replacen("-short", "", 1);
        let rules = match (game, form) {
            ("snooker", None) => Rules::Snooker(snooker::Rules::of(&variants)?),
            ("snooker-chance", None) if variants.is_empty() => Rules::SnookerChance,
            ("weiqi", None) => Rules::Weiqi(weiqi::Rules::of(&variants)?),
            ("weiqi-short", None) => Rules::WeiqiShort(weiqi::Rules::of(&variants)?),
            ("mau-mau", None) => Rules::MauMau(mau_mau::Rules::of(&variants)?),
            ("mau-mau", Some("moves")) => Rules::MauMauMoves(mau_mau::Rules::of(&variants)?),
            (game, None) if variants.is_empty() => Rules::Other(Replay::named(game)?),
            _ => return None,
        };
        Some(Contest {
            name: name.to_string(),
            known_as,
            rules,
        })
    }

    /// The same, where there must be one.
    pub(crate) fn required(name: &str) -> io::Result<Contest> {
        Contest::named(name)
            .ok_or_else(|| io::Error::other(format!("nobody referees {name} by hand")))
    }

    /// Judges a transcript as the interpreter does.
    pub(crate) fn by_hand(
        &self,
        input: impl BufRead,
        output: &mut impl Write,
    ) -> Result<(), Error> {
        match &self.rules {
            Rules::Snooker(rules) => snooker::referee(rules, input, output),
            Rules::SnookerChance => snooker_chance::referee(&snooker_chance::Rules, input, output),
            Rules::Weiqi(rules) | Rules::WeiqiShort(rules) => weiqi::referee(rules, input, output),
            Rules::MauMau(rules) => mau_mau::referee(rules, input, output),
            Rules::MauMauMoves(rules) => mau_mau::referee_moves(rules, input, output),
            Rules::Other(replay) => replay.by_hand(input, output),
        }
    }

    /// Writes a transcript of so many games; how many events that are.
    pub(crate) fn generate(&self, games: u64, output: &mut impl Write) -> io::Result<u64> {
        let random = &mut Random::new(1);
        match &self.rules {
            Rules::Snooker(rules) => {
                generate::snooker::generate_large(rules, games, random, output)
            }
            Rules::SnookerChance => generate::snooker_chance::generate_large(games, random, output),
            Rules::Weiqi(rules) => generate::weiqi::generate_large(rules, games, random, output),
            Rules::WeiqiShort(rules) => {
                generate::weiqi::generate_short(rules, games, random, output)
            }
            Rules::MauMau(rules) => generate::mau_mau::generate_large(rules, games, random, output),
            Rules::MauMauMoves(rules) => {
                generate::mau_mau::generate_large_moves(rules, games, random, output)
            }
            Rules::Other(replay) => replay.generate(games, random, output),
        }
    }

    /// The interpreter, told what is played.
    pub(crate) fn interpreter(&self) -> Command {
        let mut command = measure::referee(&["run", &self.known_as]);
        if let Some((_, form)) = self.name.split_once('.') {
            command.args(["--transcript", form]);
        }
        command
    }

    /// A transcript in a file that is there for as long as this is.
    pub(crate) fn transcript(&self, events: u64) -> io::Result<Transcript> {
        let name = format!("{}-{}.txt", self.name, std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let mut file = BufWriter::new(File::create(&path)?);
        let events = self.generate(self.games(events)?, &mut file)?;
        file.flush()?;
        Ok(Transcript { path, events })
    }

    /// About how many games have so many events.
    fn games(&self, events: u64) -> io::Result<u64> {
        const SAMPLE: u64 = 20;
        let some = self.generate(SAMPLE, &mut io::sink())?;
        Ok((events * SAMPLE).div_ceil(some.max(1)))
    }

    /// About how many games make a transcript so long.
    pub(crate) fn games_in(&self, bytes: u64) -> io::Result<u64> {
        const SAMPLE: u64 = 1000;
        let mut some = Vec::new();
        self.generate(SAMPLE, &mut some)?;
        Ok((bytes * SAMPLE).div_ceil(some.len() as u64))
    }
}

/// A transcript in a file, which is removed in the end.
pub(crate) struct Transcript {
    path: PathBuf,
    pub(crate) events: u64,
}

impl Transcript {
    pub(crate) fn open(&self) -> io::Result<File> {
        File::open(&self.path)
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for such files.
        let _ = std::fs::remove_file(&self.path);
    }
}
