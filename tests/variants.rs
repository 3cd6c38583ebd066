//! Variants and their combinations: each loads or is refused with a reason, and written out in full it is a game that
//! needs no other file and says the same.

mod support;

use std::{collections::BTreeMap, fs, path::Path};

use rayon::prelude::*;
use referee::{
    diagnostic::Code,
    game::{Game, Unloaded},
    library::Library,
};
use support::{Outcome, run};

/// A game with its variants as they are named, or why there is none.
fn load(name: &str) -> Result<Game, Unloaded> {
    Game::load(&Library::shipped(), name, &[])
}

/// What is said against a game that cannot be loaded.
fn codes(unloaded: &Unloaded) -> Vec<Code> {
    match unloaded {
        Unloaded::Rules(invalid) | Unloaded::Variants(invalid) | Unloaded::Settings(invalid) => {
            let codes = invalid.diagnostics.iter();
            codes.map(|diagnostic| diagnostic.code).collect()
        }
        Unloaded::Missing(_) => Vec::new(),
    }
}

/// Every shipped game, alone, with one variant and with two in either order.
fn combinations() -> Vec<(String, Vec<String>)> {
    let library = Library::shipped();
    let mut all = Vec::new();
    for game in library.names() {
        let variants = library.variants(&game);
        let mut names = vec![game.clone()];
        names.extend(variants.iter().map(|one| format!("{game}+{one}")));
        for one in &variants {
            let others = variants.iter().filter(|other| *other != one);
            names.extend(others.map(|other| format!("{game}+{one}+{other}")));
        }
        all.push((game, names));
    }
    all
}

/// A case: the variants and options that it is for, its form and its text.
struct Case {
    variants: String,
    settings: Vec<(String, String)>,
    form: Option<String>,
    text: Vec<u8>,
}

/// All cases of a game, whatever its variants.
fn cases(game: &str) -> Vec<Case> {
    let mut found = BTreeMap::new();
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    for folder in fs::read_dir(folders).expect("the folder can be read") {
        let folder = folder.expect("the folder can be read").path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut parts = name.split(',');
        let name = parts.next().unwrap_or_default();
        let settings = parts.filter_map(|setting| setting.split_once('='));
        let settings: Vec<(String, String)> = settings
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect();
        let (name, form) = match name.split_once('.') {
            Some((name, form)) => (name, Some(form.to_string())),
            None => (name, None),
        };
        let (of, variants) = name.split_once('+').unwrap_or((name, ""));
        if of != game {
            continue;
        }
        for case in fs::read_dir(&folder).expect("the folder can be read") {
            let path = case.expect("the folder can be read").path();
            if path.extension().is_some_and(|ending| ending == "txt") {
                let case = Case {
                    variants: variants.to_string(),
                    settings: settings.clone(),
                    form: form.clone(),
                    text: fs::read(&path).expect("the case can be read"),
                };
                found.insert(path, case);
            }
        }
    }
    found.into_values().collect()
}

/// What is said, and the code of what stops it.
fn outcome(game: &Game, case: &Case) -> (String, Option<Code>) {
    let outcome: Outcome = run(game, case.form.as_deref(), &case.text);
    let code = outcome.code();
    (outcome.report, code)
}

#[test]
fn a_game_written_out_in_full_says_the_same() {
    for (game, names) in combinations() {
        let cases = cases(&game);
        assert!(!cases.is_empty(), "{game} has no cases");
        names.par_iter().for_each(|name| {
            let Ok(game) = load(name) else { return };
            let flat = game.flat();
            let alone = Game::from_text("flat.rules", &flat, &Library::default(), &[]);
            let alone = alone.unwrap_or_else(|invalid| panic!("{name}: {invalid}\n{flat}"));
            assert_eq!(alone.flat(), flat, "{name}");
            assert_eq!(alone.warnings().len(), game.warnings().len(), "{name}");
            for case in &cases {
                let (with, without) = (outcome(&game, case), outcome(&alone, case));
                let text = String::from_utf8_lossy(&case.text);
                assert_eq!(with, without, "{name}\n{text}");
            }
        });
    }
}

#[test]
fn every_variant_has_a_case_that_ends_otherwise_in_its_game() {
    let library = Library::shipped();
    for game in library.names() {
        let cases = cases(&game);
        for variant in library.variants(&game) {
            let own = cases.iter().filter(|case| case.variants == variant);
            let makes_a_difference = own.into_iter().any(|case| {
                let load = |name: &str| Game::load(&library, name, &case.settings);
                let with = load(&format!("{game}+{variant}"));
                let with = with.unwrap_or_else(|unloaded| panic!("{variant}: {unloaded}"));
                // The game alone may lack an option.
                let Ok(without) = load(&game) else {
                    return false;
                };
                outcome(&with, case) != outcome(&without, case)
            });
            assert!(makes_a_difference, "{game}+{variant}");
        }
    }
}

#[test]
fn values_that_are_set_are_written_out() {
    let settings = [("size".to_string(), "5".to_string())];
    let game = Game::load(&Library::shipped(), "weiqi+nine", &settings);
    let game = game.unwrap_or_else(|unloaded| panic!("{unloaded}"));
    let flat = game.flat();
    assert!(flat.starts_with("game weiqi-nine \"Weiqi (Go) + Weiqi on a small board\"\n"));
    assert!(flat.contains("\noption size: 1..25 = 5\n"), "{flat}");
}

#[test]
fn combinations_load_or_are_refused_with_a_reason() {
    let mut refused = Vec::new();
    for (_, names) in combinations() {
        for name in names {
            if let Err(unloaded) = load(&name) {
                let codes = codes(&unloaded);
                let is_told =
                    |code: &Code| matches!(code, Code::ChangedTwice | Code::ExcludedVariant);
                let clash = codes.iter().all(is_told);
                assert!(clash && !codes.is_empty(), "{name}: {unloaded}");
                let said = unloaded.to_string();
                for variant in name.split('+').skip(1) {
                    assert!(said.contains(&format!("`{variant}`")), "{name}: {said}");
                }
                refused.push(name);
            }
        }
    }
    // In either order.
    let either = |game: &str, one: &str, other: &str| {
        [
            format!("{game}+{one}+{other}"),
            format!("{game}+{other}+{one}"),
        ]
    };
    let mut expected: Vec<String> = [
        either("chess", "antichess", "atomic"),
        either("chess", "antichess", "crazyhouse"),
        either("chess", "antichess", "horde"),
        either("chess", "atomic", "crazyhouse"),
        either("chess", "atomic", "racing-kings"),
        either("chess", "capablanca", "horde"),
        either("chess", "capablanca", "los-alamos"),
        either("chess", "capablanca", "racing-kings"),
        either("chess", "crazyhouse", "los-alamos"),
        either("chess", "crazyhouse", "racing-kings"),
        either("chess", "horde", "los-alamos"),
        either("chess", "horde", "no-castling"),
        either("chess", "horde", "racing-kings"),
        either("chess", "los-alamos", "racing-kings"),
        either("weiqi", "area", "no-pass"),
        either("weiqi", "komi", "no-pass"),
        either("weiqi", "nine", "thirteen"),
        either("weiqi", "situational", "superko"),
    ]
    .concat();
    expected.sort();
    refused.sort();
    assert_eq!(refused, expected);
}

/// What each sort of change makes of a game.
#[test]
fn changes() {
    insta::glob!("variants/*.rules", |path| {
        let text = fs::read_to_string(path).expect("the case can be read");
        let library = Library::with_folders(vec!["tests/diagnostics/merge/games".into()]);
        let game = Game::from_text("case.rules", &text, &library, &[]);
        let flat = game.map_or_else(|invalid| invalid.to_string(), |game| game.flat());
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        settings.bind(|| insta::assert_snapshot!(&*stem, flat));
    });
}
