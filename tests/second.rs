//! Games that were written a second time, by hand: each plays at random and notes what must be said of it. The rule
//! files must say the same, byte for byte.

mod reference;
#[path = "second/mod.rs"]
mod second;
mod support;

use reference::{random::Random, words::Error};
use second::{
    Account, bowling, chess, connect_four, crazy_eights, darts, draughts, kalah, nim, reversi,
    tennis, yahtzee,
};

/// Games of each sort in every run.
const GAMES: u64 = 150;

/// A referee that was written for one game.
type Referee<'r> = &'r dyn Fn(&[u8], &mut Vec<u8>) -> Result<(), Error>;

/// Plays games and compares what is said, also by who was written to referee this game fast; between them they must
/// say all of `phrases`.
fn compare(
    game: &str,
    settings: &[(&str, &str)],
    by_hand: Referee,
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
        let mut told_by_hand = Vec::new();
        let done = by_hand(account.transcript.as_bytes(), &mut told_by_hand);
        assert!(done.is_ok(), "{done:?}\n{told}");
        let told_by_hand = String::from_utf8_lossy(&told_by_hand);
        assert_eq!(told_by_hand, outcome.report, "{told}");
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
        &|input, report| reference::nim::referee(false, input, report),
        &["must take one at least", "wins"],
        |random, _, account| {
            nim::play(random, account, false);
        },
    );
    compare(
        "nim",
        &[("last_loses", "yes")],
        &|input, report| reference::nim::referee(true, input, report),
        &["wins"],
        |random, _, account| {
            nim::play(random, account, true);
        },
    );
}

#[test]
fn connect_four() {
    compare(
        "connect-four",
        &[],
        &|input, report| reference::connect_four::referee(input, report),
        &["in a line"],
        connect_four::play,
    );
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
    compare(
        "yahtzee",
        &[],
        &|input, report| reference::yahtzee::referee(input, report),
        &phrases,
        |random, _, account| {
            yahtzee::play(random, account);
        },
    );
}

#[test]
fn reversi() {
    let phrases = ["passes", "turns nothing over", "a draw", "wins"];
    compare(
        "reversi",
        &[],
        &|input, report| reference::reversi::referee(input, report),
        &phrases,
        reversi::play,
    );
}

#[test]
fn draughts() {
    let phrases = ["is not allowed", "a king on", "black wins", "white wins"];
    compare(
        "draughts",
        &[],
        &|input, report| reference::draughts::referee(input, report),
        &phrases,
        |random, _, account| draughts::play(random, account),
    );
}

#[test]
fn kalah() {
    compare(
        "kalah",
        &[],
        &|input, report| reference::kalah::referee(input, report),
        &["catches", "sows again", "a draw", "wins"],
        kalah::play,
    );
}

#[test]
fn bowling() {
    let phrases = ["XX", "F/", "-/", "wins", "are equal"];
    compare(
        "bowling",
        &[],
        &|input, report| reference::bowling::referee(input, report),
        &phrases,
        |random, _, account| {
            bowling::play(random, account);
        },
    );
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
        let rules = reference::tennis::Rules {
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
        compare(
            "tennis",
            &settings,
            &|input, report| reference::tennis::referee(&rules, input, report),
            &phrases,
            |random, _, account| {
                match_.play(random, account);
            },
        );
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
        let rules = reference::darts::Rules {
            start,
            double_in: double_in == "yes",
        };
        let start_text = start.to_string();
        let settings = [("start", start_text.as_str()), ("double_in", double_in)];
        compare(
            "darts",
            &settings,
            &|input, report| reference::darts::referee(&rules, input, report),
            &phrases,
            |random, number, account| {
                darts::play(random, number, account, start, double_in == "yes");
            },
        );
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
    compare(
        "crazy-eights",
        &[],
        &|input, report| reference::crazy_eights::referee(input, report),
        &phrases,
        |random, _, account| {
            crazy_eights::play(random, account);
        },
    );
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
    compare(
        "chess",
        &[],
        &|input, report| reference::chess::referee(input, report),
        &phrases,
        |random, _, account| {
            chess::play(random, account);
        },
    );
}
