//! What is counted, and by how much it may grow.

use crate::{
    replay::Replay,
    transcripts::Transcript::{
        self, MauMau, MauMauMoves, Other, Snooker, SnookerChance, Weiqi, WeiqiShort,
    },
};

/// One figure.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) what: What,
    /// By how many percent it may be above what is written down.
    pub(crate) may_grow: u64,
}

/// What a figure is of.
#[derive(Debug)]
pub(crate) enum What {
    /// An event, as machine code.
    Events(Race),
    /// A line of play, as machine code.
    Line(Search),
    /// All that comes before the first event.
    StartUp(Start),
    /// An event, interpreted: of so many games.
    Interpreted(Start, u64),
}

/// A game and the transcript that it is run on.
#[derive(Debug)]
pub(crate) struct Race {
    pub(crate) game: &'static str,
    pub(crate) form: Option<&'static str>,
    pub(crate) transcript: Transcript,
    pub(crate) counted: Part,
}

/// A part of a transcript: what is counted, once what comes before has warmed up.
#[derive(Debug)]
pub(crate) enum Part {
    /// Of so many games the last: numbers of as many digits, so that a longer transcript begins as a shorter one but
    /// for what its first line says.
    Games { all: u64, last: u64 },
    /// Of so many lines of so many games the last; each is an event.
    Lines { games: u64, all: usize, last: usize },
}

/// A game, how its transcript begins, and how many lines of so many events there are from there, and of one event more.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) game: &'static str,
    pub(crate) start: &'static str,
    pub(crate) depth: u32,
    pub(crate) lines: [u64; 2],
}

/// A game that is loaded, and what it is run on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    pub(crate) game: &'static str,
    pub(crate) transcript: Transcript,
}

/// The games that the language was made for first: these may grow least.
const FIRST: [&str; 3] = ["snooker", "weiqi", "mau-mau"];

/// By how many percent an event of these may grow.
const LITTLE: u64 = 10;

/// By how many percent anything else may grow.
const MUCH: u64 = 30;

const RACES: [(&str, Race); 16] = [
    ("snooker", games("snooker", Snooker, 110, 2)),
    ("weiqi", lines("weiqi", Weiqi, 20, 3000, 100)),
    ("weiqi-short", games("weiqi", WeiqiShort, 110, 3)),
    ("mau-mau", games("mau-mau", MauMau, 110, 3)),
    (
        "mau-mau moves",
        Race {
            form: Some("moves"),
            ..games("mau-mau", MauMauMoves, 110, 3)
        },
    ),
    (
        "snooker-chance",
        games("snooker-chance", SnookerChance, 3000, 100),
    ),
    ("bowling", games("bowling", Other(Replay::Bowling), 30, 1)),
    ("chess", lines("chess", Other(Replay::Chess), 10, 1000, 60)),
    (
        "connect-four",
        games("connect-four", Other(Replay::ConnectFour), 110, 4),
    ),
    (
        "crazy-eights",
        games("crazy-eights", Other(Replay::CrazyEights), 110, 2),
    ),
    ("darts", games("darts", Other(Replay::Darts), 110, 3)),
    ("kalah", games("kalah", Other(Replay::Kalah), 110, 2)),
    ("nim", games("nim", Other(Replay::Nim), 110, 5)),
    ("reversi", games("reversi", Other(Replay::Reversi), 30, 1)),
    ("tennis", games("tennis", Other(Replay::Tennis), 30, 1)),
    ("yahtzee", games("yahtzee", Other(Replay::Yahtzee), 30, 2)),
];

const SEARCHES: [Search; 2] = [
    Search {
        game: "chess",
        // Black is in check, and has five moves.
        start: "1\ne2e4\nd7d5\nf1b5\n",
        depth: 1,
        lines: [5, 173],
    },
    Search {
        game: "reversi",
        start: "1\nAnn Ben\n",
        depth: 2,
        lines: [12, 56],
    },
];

const STARTS: [Start; 14] = [
    start("snooker", Snooker),
    start("weiqi", WeiqiShort),
    start("mau-mau", MauMau),
    start("snooker-chance", SnookerChance),
    start("bowling", Other(Replay::Bowling)),
    start("chess", Other(Replay::Chess)),
    start("connect-four", Other(Replay::ConnectFour)),
    start("crazy-eights", Other(Replay::CrazyEights)),
    start("darts", Other(Replay::Darts)),
    start("kalah", Other(Replay::Kalah)),
    start("nim", Other(Replay::Nim)),
    start("reversi", Other(Replay::Reversi)),
    start("tennis", Other(Replay::Tennis)),
    start("yahtzee", Other(Replay::Yahtzee)),
];

/// How many games are interpreted: few enough that they do not become machine code.
const INTERPRETED: [(&str, u64); 3] = [("snooker", 2), ("weiqi", 4), ("mau-mau", 3)];

const fn games(game: &'static str, transcript: Transcript, all: u64, last: u64) -> Race {
    Race {
        game,
        form: None,
        transcript,
        counted: Part::Games { all, last },
    }
}

const fn lines(
    game: &'static str,
    transcript: Transcript,
    games: u64,
    all: usize,
    last: usize,
) -> Race {
    Race {
        game,
        form: None,
        transcript,
        counted: Part::Lines { games, all, last },
    }
}

const fn start(game: &'static str, transcript: Transcript) -> Start {
    Start { game, transcript }
}

/// All that is counted, in the order of the file.
pub(crate) fn all() -> Vec<Measured> {
    let races = RACES.into_iter().map(|(name, race)| Measured {
        name: name.to_string(),
        may_grow: if FIRST.contains(&race.game) {
            LITTLE
        } else {
            MUCH
        },
        what: What::Events(race),
    });
    let searches = SEARCHES
        .into_iter()
        .map(|search| loosely(search.game, "perft", What::Line(search)));
    let starts = STARTS
        .into_iter()
        .map(|start| loosely(start.game, "start-up", What::StartUp(start)));
    let interpreted = INTERPRETED.into_iter().filter_map(|(game, games)| {
        let start = STARTS.into_iter().find(|start| start.game == game)?;
        Some(loosely(
            game,
            "interpreted",
            What::Interpreted(start, games),
        ))
    });
    races
        .chain(searches)
        .chain(starts)
        .chain(interpreted)
        .collect()
}

fn loosely(game: &str, what_of_it: &str, what: What) -> Measured {
    Measured {
        name: format!("{game} {what_of_it}"),
        what,
        may_grow: MUCH,
    }
}
