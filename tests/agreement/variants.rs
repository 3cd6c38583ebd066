//! The same for the variants of each game, one by one and in pairs.

use std::collections::BTreeMap;

use rayon::prelude::*;
use referee::{
    diagnostic::Code,
    game::{Game, Unloaded},
    library::Library,
};

use super::{
    Counts, Random, compare, generate, mau_mau, reached, snooker,
    weiqi::{self, board::Loops},
};

/// Random transcripts for each combination.
const SEEDS: u64 = 200;

/// Variants that no second program plays: their cases hold them.
const PLAYED_BY_NONE: [&str; 6] = ["handicap", "joker", "komi", "no-pass", "plus", "two-packs"];

/// Every other variant of a game, and every two of them that can be applied together; others are refused, and the reason is
/// that both change the same.
fn combinations(game: &str) -> Vec<Vec<String>> {
    let mut variants = Library::shipped().variants(game);
    variants.retain(|variant| !PLAYED_BY_NONE.contains(&variant.as_str()));
    let mut all: Vec<Vec<String>> = Vec::new();
    for (index, one) in variants.iter().enumerate() {
        all.push(vec![one.clone()]);
        for other in variants.iter().skip(index + 1) {
            match with(game, &[one.clone(), other.clone()], &[]) {
                Ok(_) => all.push(vec![one.clone(), other.clone()]),
                Err(Unloaded::Rules(invalid)) => {
                    let mut diagnostics = invalid.diagnostics.iter();
                    let clash = diagnostics.all(|one| one.code == Code::ChangedTwice);
                    assert!(clash, "{one}+{other}: {invalid}");
                }
                Err(unloaded) => panic!("{one}+{other}: {unloaded}"),
            }
        }
    }
    all
}

/// A game with variants and options.
fn with(game: &str, variants: &[String], settings: &[(&str, usize)]) -> Result<Game, Unloaded> {
    let name = format!("{game}+{}", variants.join("+"));
    let settings: Vec<(String, String)> = settings
        .iter()
        .map(|(name, value)| ((*name).to_string(), value.to_string()))
        .collect();
    Game::load(&Library::shipped(), &name, &settings)
}

/// The same, where it is known that this can be.
fn load(game: &str, variants: &[String], settings: &[(&str, usize)]) -> Game {
    match with(game, variants, settings) {
        Ok(game) => game,
        Err(unloaded) => panic!("{}: {unloaded}", variants.join("+")),
    }
}

#[test]
fn variants_of_snooker() {
    for variants in combinations("snooker") {
        let game = load("snooker", &variants, &[]);
        let rules = snooker::Rules::of(&variants).expect("all of them are known");
        let mut counts = Counts::new();
        for seed in 0..SEEDS {
            let random = &mut Random::new(seed);
            let frames = random.between(1, 3);
            let text = generate::snooker::generate(&rules, frames, random, &mut counts);
            compare(&game, None, &text, random, |input, report| {
                snooker::referee(&rules, input, report)
            });
        }
        if rules.free_ball {
            reached(&snooker::RULES_OF_FREE_BALL, &counts);
        }
        if rules.miss {
            reached(&snooker::RULES_OF_MISS, &counts);
        }
        if rules.free_ball && rules.miss {
            reached(&["miss: with the free ball"], &counts);
        }
    }
}

#[test]
fn variants_of_weiqi() {
    combinations("weiqi").into_par_iter().for_each(|variants| {
        let mut games = BTreeMap::new();
        let mut counts = Counts::new();
        for seed in 0..SEEDS {
            let random = &mut Random::new(seed);
            let mut rules = generate::weiqi::rules(random);
            let mut settings = vec![("size", rules.size)];
            for variant in &variants {
                match variant.as_str() {
                    // Most are played as they are, and some on another board.
                    "nine" | "thirteen" if random.percent(20) => {
                        rules.size = if variant == "nine" { 9 } else { 13 };
                        settings.retain(|(name, _)| *name != "size");
                    }
                    "nine" | "thirteen" => {}
                    "suicide" => rules.suicide = true,
                    "torus" => rules.torus = true,
                    "superko" => rules.loops = Loops::Positional,
                    "situational" => rules.loops = Loops::Situational,
                    "area" => {
                        let half_komi = random.pick(&[0, 15, 15, 14]);
                        rules.half_komi = i64::try_from(half_komi).ok();
                        if half_komi != 15 {
                            settings.push(("usual_komi", half_komi / 2));
                        }
                    }
                    other => panic!("nothing is known of {other}"),
                }
            }
            let game = games
                .entry(settings.clone())
                .or_insert_with(|| load("weiqi", &variants, &settings));
            let number = random.between(1, 3);
            let text = generate::weiqi::generate(&rules, number, random, &mut counts);
            compare(game, None, &text, random, |input, report| {
                weiqi::referee(&rules, input, report)
            });
        }
        reached(&["taboo: retake"], &counts);
        if variants.iter().any(|variant| variant == "suicide") {
            reached(&["suicide"], &counts);
        }
    });
}

#[test]
fn variants_of_mau_mau() {
    for variants in combinations("mau-mau") {
        let game = load("mau-mau", &variants, &[]);
        let rules = mau_mau::Rules::of(&variants).expect("all of them are known");
        let counts = &mut Counts::new();
        for seed in 0..SEEDS {
            let random = &mut Random::new(seed);
            let deals = random.between(1, 3);
            let text = generate::mau_mau::generate(&rules, deals, random, counts);
            compare(&game, None, &text, random, |input, report| {
                mau_mau::referee(&rules, input, report)
            });
            let text = generate::mau_mau::generate_moves(&rules, deals, random, counts);
            compare(&game, Some("moves"), &text, random, |input, report| {
                mau_mau::referee_moves(&rules, input, report)
            });
        }
    }
}
