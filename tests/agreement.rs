//! The rule files decide as referees written by hand do, byte for byte: on random transcripts that reach every rule,
//! and on the same transcripts with one word or line changed, which mostly cannot be.

#[path = "agreement/long.rs"]
mod long;
mod reference;
mod support;
#[path = "agreement/variants.rs"]
mod variants;

use std::collections::BTreeMap;

use referee::{diagnostic::Code, game::Game};
use reference::{
    counts::Counts, generate, mau_mau, random::Random, snooker, snooker_chance, weiqi, words::Error,
};
use support::{Outcome, load, run};

/// Random transcripts of each sort in every run.
const SEEDS: u64 = 2000;

/// Changed transcripts for each of those.
const CHANGES: u64 = 3;

/// What a referee written by hand made of a transcript.
struct Verdict {
    report: String,
    error: Option<Error>,
}

fn verdict(judge: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>) -> Verdict {
    let mut report = Vec::new();
    let error = judge(&mut report).err();
    Verdict {
        report: String::from_utf8_lossy(&report).into_owned(),
        error,
    }
}

/// Both accept a transcript and say the same, or both refuse it: after the same report, at the same place.
///
/// What can be read but cannot be is compared by its line only: of several words that are too many together, one
/// referee points to the first, another to the last.
fn agree(transcript: &str, ours: &Outcome, theirs: &Verdict) {
    let told = || {
        format!(
            "{transcript}\n--- rule file says\n{}{}\n--- by hand\n{}{:?}",
            ours.report,
            ours.drawn(),
            theirs.report,
            theirs.error
        )
    };
    assert_eq!(ours.report, theirs.report, "{}", told());
    match (ours.place(), &theirs.error) {
        (None, None) if ours.failure.is_none() => {}
        (
            Some((line, column)),
            Some(Error::Transcript {
                line: their_line,
                column: their_column,
                ..
            }),
        ) => {
            assert_eq!(line as u64, *their_line, "{}", told());
            if ours.code() != Some(Code::Impossible) {
                assert_eq!(column as u64, *their_column, "{}", told());
            }
        }
        _ => panic!("one refuses, the other does not\n{}", told()),
    }
}

/// Every rule was reached.
fn reached(rules: &[&str], counts: &Counts) {
    for rule in rules {
        assert!(
            counts.get(rule).is_some_and(|times| *times > 0),
            "`{rule}` is never reached"
        );
    }
}

/// Words that some game reads somewhere, and words that none does.
const WORDS: [&str; 19] = [
    "0",
    "1",
    "2",
    "-1",
    "20",
    "None",
    "Red",
    "White",
    "Play",
    "again",
    "Free",
    "ball",
    "Miss",
    "take",
    "pass",
    "CJ",
    "Hearts",
    "99999999999999999999",
    "?",
];

/// The transcript with one word or line deleted, doubled, moved or replaced.
fn changed(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let line = random.index(lines.len());
    let words = lines[line].len();
    let word = random.index(words);
    match random.below(8) {
        0 => drop(lines[line].remove(word)),
        1 => {
            let double = lines[line][word];
            lines[line].insert(word, double);
        }
        2 => lines[line][word] = random.pick(&WORDS),
        3 => lines[line].insert(word, random.pick(&WORDS)),
        4 => {
            let other = random.index(lines.len());
            let place = random.index(lines[other].len());
            lines[line][word] = lines[other][place];
        }
        5 => drop(lines.remove(line)),
        6 => {
            let double = lines[line].clone();
            lines.insert(line, double);
        }
        _ => {
            let rest = lines[line].split_off(word);
            lines.insert(line + 1, rest);
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    lines.join("\n") + "\n"
}

/// Judges a transcript and changed ones by both.
fn compare(
    game: &Game,
    form: Option<&str>,
    text: &str,
    random: &mut Random,
    judge: impl Fn(&[u8], &mut Vec<u8>) -> Result<(), Error>,
) {
    let ours = run(game, form, text.as_bytes());
    let theirs = verdict(|report| judge(text.as_bytes(), report));
    assert!(theirs.error.is_none(), "{:?}\n{text}", theirs.error);
    agree(text, &ours, &theirs);
    for _ in 0..CHANGES {
        let text = changed(text, random);
        let ours = run(game, form, text.as_bytes());
        let theirs = verdict(|report| judge(text.as_bytes(), report));
        agree(&text, &ours, &theirs);
    }
}

/// Games loaded once for each setting of their options.
#[derive(Default)]
struct Games(BTreeMap<Vec<String>, Game>);

impl Games {
    fn with(&mut self, name: &str, settings: &[(&str, String)]) -> &Game {
        let key = settings.iter().map(|(_, value)| value.clone()).collect();
        self.0.entry(key).or_insert_with(|| {
            let settings: Vec<(&str, &str)> = settings
                .iter()
                .map(|(option, value)| (*option, value.as_str()))
                .collect();
            load(name, &settings)
        })
    }
}

#[test]
fn snooker() {
    let game = load("snooker", &[]);
    let rules = snooker::Rules::default();
    let mut counts = Counts::new();
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let frames = random.between(1, 4);
        let text = generate::snooker::generate(&rules, frames, random, &mut counts);
        compare(&game, None, &text, random, |input, report| {
            snooker::referee(&rules, input, report)
        });
    }
    reached(&snooker::RULES, &counts);
}

#[test]
fn snooker_with_other_reds_and_penalties() {
    let mut games = Games::default();
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let (reds, least_penalty) =
            random.pick(&[(1, 0), (2, 7), (3, 4), (6, 4), (10, 2), (14, 5), (15, 1)]);
        let settings = [
            ("red_balls", reds.to_string()),
            ("least_penalty", least_penalty.to_string()),
        ];
        let game = games.with("snooker", &settings);
        let rules = snooker::Rules {
            reds,
            least_penalty,
            ..snooker::Rules::default()
        };
        let frames = random.between(1, 3);
        let text = generate::snooker::generate(&rules, frames, random, &mut Counts::new());
        compare(game, None, &text, random, |input, report| {
            snooker::referee(&rules, input, report)
        });
    }
}

#[test]
fn snooker_chance() {
    let game = load("snooker-chance", &[]);
    let rules = snooker_chance::Rules;
    let mut counts = Counts::new();
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let conditions = random.between(0, 20);
        let text = generate::snooker_chance::generate(&rules, conditions, random, &mut counts);
        compare(&game, None, &text, random, |input, report| {
            snooker_chance::referee(&rules, input, report)
        });
    }
    reached(&snooker_chance::RULES, &counts);
}

#[test]
fn weiqi() {
    let mut games = Games::default();
    let mut counts = Counts::new();
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let rules = generate::weiqi::rules(random);
        let game = games.with("weiqi", &[("size", rules.size.to_string())]);
        let number = random.between(1, 4);
        let text = generate::weiqi::generate(&rules, number, random, &mut counts);
        compare(game, None, &text, random, |input, report| {
            weiqi::referee(&rules, input, report)
        });
    }
    reached(&weiqi::RULES, &counts);
}

#[test]
fn mau_mau() {
    let game = load("mau-mau", &[]);
    let rules = mau_mau::Rules::default();
    let mut counts = Counts::new();
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let deals = random.between(1, 4);
        let text = generate::mau_mau::generate(&rules, deals, random, &mut counts);
        compare(&game, None, &text, random, |input, report| {
            mau_mau::referee(&rules, input, report)
        });
    }
    reached(&mau_mau::RULES, &counts);
}

#[test]
fn mau_mau_moves() {
    let game = load("mau-mau", &[]);
    let rules = mau_mau::Rules::default();
    let mut counts = Counts::new();
    for seed in 0..SEEDS {
        let random = &mut Random::new(seed);
        let deals = random.between(1, 3);
        let text = generate::mau_mau::generate_moves(&rules, deals, random, &mut counts);
        compare(&game, Some("moves"), &text, random, |input, report| {
            mau_mau::referee_moves(&rules, input, report)
        });
    }
    reached(&mau_mau::RULES_OF_MOVES, &counts);
}

#[test]
fn mau_mau_out_of_cards() {
    let game = load("mau-mau", &[]);
    for seed in 0..SEEDS / 20 {
        let text = generate::mau_mau::generate_running_out(3, &mut Random::new(seed));
        let ours = run(&game, None, text.as_bytes());
        assert_eq!(ours.place().map(|(line, _)| line), Some(4), "{text}");
        assert!(
            ours.drawn().contains("runs out of cards"),
            "{}",
            ours.drawn()
        );
        let theirs =
            verdict(|report| mau_mau::referee(&mau_mau::Rules::default(), text.as_bytes(), report));
        assert!(theirs.error.is_some(), "{text}");
        assert_eq!(ours.report, theirs.report, "{text}");
    }
}
