//! What is counted: games, and transcripts of them made up from a seed.

use std::io::{self, Write};

use crate::reference::{generate, mau_mau, random::Random, snooker, weiqi};

/// One race: a game, and the transcript that it is run on.
pub(crate) struct Race {
    pub(crate) name: &'static str,
    pub(crate) game: &'static str,
    pub(crate) form: Option<&'static str>,
    /// What of it is counted instruction by instruction.
    pub(crate) counted: Part,
    /// Writes so many games, and says how many events they have.
    pub(crate) generate: fn(u64, &mut Random, &mut dyn Write) -> io::Result<u64>,
}

/// A part of a transcript: what is counted, once what comes before has warmed up.
pub(crate) enum Part {
    /// Of so many games the last: numbers of as many digits, so that a longer transcript begins as a shorter one but
    /// for what its first line says.
    Games { all: u64, last: u64 },
    /// Of so many lines of so many games the last; each is an event.
    Lines { games: u64, all: usize, last: usize },
}

pub(crate) const RACES: [Race; 5] = [
    Race {
        name: "snooker",
        game: "snooker",
        form: None,
        counted: Part::Games { all: 110, last: 2 },
        generate: |games, random, mut out| {
            generate::snooker::generate_large(&snooker::Rules::default(), games, random, &mut out)
        },
    },
    Race {
        name: "snooker-chance",
        game: "snooker-chance",
        form: None,
        counted: Part::Games {
            all: 3000,
            last: 100,
        },
        generate: |games, random, mut out| {
            generate::snooker_chance::generate_large(games, random, &mut out)
        },
    },
    Race {
        name: "weiqi",
        game: "weiqi",
        form: None,
        counted: Part::Lines {
            games: 20,
            all: 3000,
            last: 100,
        },
        generate: |games, random, mut out| {
            generate::weiqi::generate_large(&weiqi::Rules::default(), games, random, &mut out)
        },
    },
    Race {
        name: "mau-mau",
        game: "mau-mau",
        form: None,
        counted: Part::Games { all: 110, last: 3 },
        generate: |games, random, mut out| {
            generate::mau_mau::generate_large(&mau_mau::Rules::default(), games, random, &mut out)
        },
    },
    Race {
        name: "mau-mau moves",
        game: "mau-mau",
        form: Some("moves"),
        counted: Part::Games { all: 110, last: 3 },
        generate: |games, random, mut out| {
            generate::mau_mau::generate_large_moves(
                &mau_mau::Rules::default(),
                games,
                random,
                &mut out,
            )
        },
    },
];
