//! Games that were written a second time, by hand: each plays at random and notes what must be said of it. The rule
//! files must say the same, byte for byte.

#[path = "reference/random.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "another test uses the rest of it"
)]
mod random;
mod support;

mod second {
    pub(crate) mod bowling;
    pub(crate) mod chess;
    pub(crate) mod connect_four;
    pub(crate) mod crazy_eights;
    pub(crate) mod darts;
    pub(crate) mod kalah;
    pub(crate) mod nim;
    pub(crate) mod reversi;
    pub(crate) mod tennis;
    pub(crate) mod yahtzee;
}

use random::Random;
use second::{
    bowling, chess, connect_four, crazy_eights, darts, kalah, nim, reversi, tennis, yahtzee,
};

/// Games of each sort in every run.
const GAMES: u64 = 150;

/// A game as it went, and what is to be said of it.
#[derive(Default)]
struct Account {
    transcript: String,
    report: String,
}

impl Account {
    /// Notes something for the transcript.
    fn note(&mut self, line: impl AsRef<str>) {
        self.transcript += line.as_ref();
        self.transcript += "\n";
    }

    /// Notes something that is said.
    fn say(&mut self, line: impl AsRef<str>) {
        self.report += line.as_ref();
        self.report += "\n";
    }
}

/// Some things with blanks between them.
fn joined<T: ToString>(things: impl IntoIterator<Item = T>) -> String {
    let things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    things.join(" ")
}

/// Plays games and compares what is said; between them they must say all of `phrases`.
fn compare(
    game: &str,
    settings: &[(&str, &str)],
    phrases: &[&str],
    play: impl Fn(&mut Random, u64, &mut Account),
) {
    let game = support::load(game, settings);
    let mut said = String::new();
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let mut account = Account::default();
        account.note("2");
        play(&mut random, 1, &mut account);
        play(&mut random, 2, &mut account);
        let outcome = support::run(&game, None, account.transcript.as_bytes());
        // Why a move of chess is not allowed is left to the rule file.
        let report = outcome
            .report
            .lines()
            .map(|line| match line.split_once(" is not allowed") {
                Some((said, _)) => format!("{said} is not allowed\n"),
                None => format!("{line}\n"),
            });
        let report: String = report.collect();
        let told = format!(
            "{}\n{}\n{}",
            account.transcript,
            outcome.report,
            outcome.drawn()
        );
        assert_eq!(report, account.report, "{told}");
        assert!(outcome.failure.is_none(), "{told}");
        said += &account.report;
    }
    for phrase in phrases {
        assert!(said.contains(phrase), "`{phrase}` was never said");
    }
}

#[test]
fn nim() {
    compare(
        "nim",
        &[],
        &["must take one at least", "wins"],
        |random, _, account| {
            nim::play(random, account, false);
        },
    );
    compare(
        "nim",
        &[("last_loses", "yes")],
        &["wins"],
        |random, _, account| {
            nim::play(random, account, true);
        },
    );
}

#[test]
fn connect_four() {
    compare("connect-four", &[], &["in a line"], connect_four::play);
}

#[test]
fn yahtzee() {
    let phrases = [
        "for a further yahtzee",
        "goes there",
        "to a lower box",
        "for the upper boxes",
        "25 for full-house",
        "40 for large-straight",
        "wins",
    ];
    compare("yahtzee", &[], &phrases, |random, _, account| {
        yahtzee::play(random, account);
    });
}

#[test]
fn reversi() {
    let phrases = ["passes", "turns nothing over", "a draw", "wins"];
    compare("reversi", &[], &phrases, reversi::play);
}

#[test]
fn kalah() {
    compare(
        "kalah",
        &[],
        &["catches", "sows again", "a draw", "wins"],
        kalah::play,
    );
}

#[test]
fn bowling() {
    let phrases = ["XX", "F/", "-/", "wins", "are equal"];
    compare("bowling", &[], &phrases, |random, _, account| {
        bowling::play(random, account);
    });
}

#[test]
fn tennis() {
    let phrases = [
        "Double fault",
        "Deuce",
        "Advantage",
        "Tie-break",
        "7-6",
        "Game, set and match",
    ];
    for (sets, last_tie_break, advantage) in [(2, 7, "no"), (3, 10, "no"), (2, 7, "yes")] {
        let match_ = tennis::Match {
            sets,
            last_tie_break,
            advantage: advantage == "yes",
        };
        let settings = [
            ("sets_to_win", sets.to_string()),
            ("last_tie_break", last_tie_break.to_string()),
            ("last_set_advantage", advantage.to_string()),
        ];
        let settings: Vec<(&str, &str)> = settings
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        compare("tennis", &settings, &phrases, |random, _, account| {
            match_.play(random, account);
        });
    }
}

#[test]
fn darts() {
    let phrases = [
        "too many",
        "1 would be left",
        "not by a double",
        "game shot with BULL",
    ];
    for (start, double_in) in [(501, "no"), (101, "yes")] {
        let start_text = start.to_string();
        let settings = [("start", start_text.as_str()), ("double_in", double_in)];
        compare("darts", &settings, &phrases, |random, number, account| {
            darts::play(random, number, account, start, double_in == "yes");
        });
    }
}

#[test]
fn crazy_eights() {
    let phrases = [
        "names",
        "draws",
        "the stock is empty",
        "nobody can go on",
        "has a card that fits",
        "does not fit",
        "wins",
    ];
    compare("crazy-eights", &[], &phrases, |random, _, account| {
        crazy_eights::play(random, account);
    });
}

#[test]
fn chess() {
    let phrases = [
        "mate: 1-0",
        "mate: 0-1",
        "stalemate",
        "neither side can mate",
        "the same position 3 times",
        "50 moves",
        "O-O-O",
        "e.p.",
        "=N",
        "is not allowed",
    ];
    compare("chess", &[], &phrases, |random, _, account| {
        chess::play(random, account);
    });
}
