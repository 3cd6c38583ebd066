//! Long runs, which become machine code on their way or are that from the first event on: the same referees agree.

use super::{
    Counts, Random, SEEDS, compare, generate, load, mau_mau, reached, snooker, snooker_chance,
    weiqi,
};

/// Long transcripts of each sort.
const LONG: u64 = SEEDS / 500;

/// Games in each: together some ten thousand events.
const GAMES: u64 = 400;

#[test]
fn frames() {
    let later = load("snooker", &[]);
    let at_once = load("snooker", &[]).natively();
    let rules = snooker::Rules::default();
    let mut counts = Counts::new();
    for seed in 0..LONG {
        let random = &mut Random::new(seed);
        let text = generate::snooker::generate(&rules, GAMES, random, &mut counts);
        for game in [&later, &at_once] {
            compare(game, None, &text, random, |input, report| {
                snooker::referee(&rules, input, report)
            });
        }
    }
    reached(&snooker::RULES, &counts);
}

#[test]
fn conditions() {
    let at_once = load("snooker-chance", &[]).natively();
    let rules = snooker_chance::Rules;
    let mut counts = Counts::new();
    for seed in 0..LONG {
        let random = &mut Random::new(seed);
        let text = generate::snooker_chance::generate(&rules, GAMES, random, &mut counts);
        compare(&at_once, None, &text, random, |input, report| {
            snooker_chance::referee(&rules, input, report)
        });
    }
    reached(&snooker_chance::RULES, &counts);
}

#[test]
fn boards() {
    for seed in 0..LONG {
        let random = &mut Random::new(seed);
        let rules = generate::weiqi::rules(random);
        let size = rules.size.to_string();
        let text = generate::weiqi::generate(&rules, GAMES, random, &mut Counts::new());
        let later = load("weiqi", &[("size", &size)]);
        let at_once = load("weiqi", &[("size", &size)]).natively();
        for game in [&later, &at_once] {
            compare(game, None, &text, random, |input, report| {
                weiqi::referee(&rules, input, report)
            });
        }
    }
}

#[test]
fn deals() {
    let later = load("mau-mau", &[]);
    let at_once = load("mau-mau", &[]).natively();
    let rules = mau_mau::Rules::default();
    let mut counts = Counts::new();
    for seed in 0..LONG {
        let random = &mut Random::new(seed);
        let text = generate::mau_mau::generate(&rules, GAMES, random, &mut counts);
        for game in [&later, &at_once] {
            compare(game, None, &text, random, |input, report| {
                mau_mau::referee(&rules, input, report)
            });
        }
        let text = generate::mau_mau::generate_moves(&rules, GAMES, random, &mut Counts::new());
        for game in [&later, &at_once] {
            compare(game, Some("moves"), &text, random, |input, report| {
                mau_mau::referee_moves(&rules, input, report)
            });
        }
    }
    reached(&mau_mau::RULES, &counts);
}
