//! The cases in `transcripts/` and `noticed/` reach every row of the rule files that come with this, and notice nearly
//! every small change to them. What they do not notice stands in `noticed/<game>.txt`, each change with the reason why.
//! The cases in `noticed/` are those that nothing else asks for; they lie as `referee test` wants them.

mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use rayon::prelude::*;
use referee::{
    game::{Game, Trial},
    library::Library,
};
use support::load;

/// How many per cent of all changes must be noticed.
const LEAST: usize = 95;

/// What comes before the reason.
const BECAUSE: &str = " -- ";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn names(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries
        .map(|entry| entry.expect("it can be read").path())
        .collect()
}

/// The cases by what they are of: a game, or one with variants.
fn cases() -> BTreeMap<String, Vec<Trial>> {
    let mut cases: BTreeMap<String, Vec<Trial>> = BTreeMap::new();
    let mut folders = names(&folder("transcripts"));
    folders.append(&mut names(&folder("noticed")));
    for folder in folders {
        if !folder.is_dir() {
            continue;
        }
        let name = folder.file_name().expect("it has a name").to_string_lossy();
        let mut parts = name.split(',');
        let head = parts.next().unwrap_or_default();
        let settings = parts.map(|setting| {
            let (name, value) = setting.split_once('=').expect("a setting has a value");
            (name.to_string(), value.to_string())
        });
        let settings: Vec<(String, String)> = settings.collect();
        let (game, form) = match head.split_once('.') {
            Some((game, form)) => (game, Some(form.to_string())),
            None => (head, None),
        };
        let trials = cases.entry(game.to_string()).or_default();
        for path in names(&folder) {
            let ending = path.extension().unwrap_or_default();
            if ending == "txt" || ending == "in" {
                trials.push(Trial {
                    name: path.display().to_string(),
                    form: form.clone(),
                    settings: settings.clone(),
                    transcript: fs::read(&path).expect("a case can be read"),
                });
            }
        }
    }
    for name in Library::shipped().names() {
        cases.entry(name).or_default();
    }
    cases
}

/// What a function makes of each game and its cases, in the order of their names.
fn of_each<T: Send>(make: impl Fn(&Game, &[Trial]) -> T + Sync) -> Vec<(String, T)> {
    let cases: Vec<(String, Vec<Trial>)> = cases().into_iter().collect();
    let all = cases.into_par_iter().map(|(name, trials)| {
        let own = make(&load(&name, &[]), &trials);
        (name, own)
    });
    all.collect()
}

#[test]
fn every_row_fires() {
    // A variant's rows may be reached with other variants too.
    let mut rows: BTreeMap<String, bool> = BTreeMap::new();
    let covers = of_each(|game, trials| game.cover(trials).expect("the cases can be run"));
    for (_, cover) in covers {
        for row in &cover.rows {
            let (file, _) = &cover.files[row.file];
            let fired = rows
                .entry(format!("{file}:{} {}", row.line, row.name()))
                .or_default();
            *fired = *fired || row.fired > 0;
        }
    }
    assert!(rows.len() > 500);
    let never: Vec<&String> = rows
        .iter()
        .filter(|(_, fired)| !**fired)
        .map(|(row, _)| row)
        .collect();
    assert!(never.is_empty(), "these rows never fire: {never:#?}");
}

#[test]
fn nearly_every_change_is_noticed() {
    let mut changes: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    let mutants = of_each(|game, trials| {
        let mutants = game.mutants(trials, None);
        mutants.expect("the cases can be run")
    });
    for (name, mutants) in mutants {
        let game_name = name.split('+').next().unwrap_or_default();
        let of_game = changes.entry(game_name.to_string()).or_default();
        for mutant in mutants.made {
            let file = &mutant.file;
            let change = if mutant.after.is_empty() {
                format!("{file} {}: without `{}`", mutant.path, mutant.before)
            } else {
                format!(
                    "{file} {}: `{}`, not `{}`",
                    mutant.path, mutant.after, mutant.before
                )
            };
            let noticed = of_game.entry(change).or_default();
            *noticed = *noticed || mutant.noticed;
        }
    }
    let mut wrong = String::new();
    let (mut all, mut noticed_of_all) = (0, 0);
    for (game, changes) in &changes {
        let path = folder("noticed").join(format!("{game}.txt"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.is_empty());
        let listed: BTreeMap<&str, &str> = lines
            .map(|line| line.split_once(BECAUSE).unwrap_or((line, "")))
            .collect();
        for (change, noticed) in changes {
            match (noticed, listed.get(change.as_str())) {
                (true, None) => {}
                (false, Some(reason)) if !reason.is_empty() => {}
                (false, _) => writeln!(wrong, "not noticed: {change}").expect("a string"),
                (true, Some(_)) => {
                    writeln!(wrong, "listed, and noticed: {change}").expect("a string");
                }
            }
        }
        for change in listed.keys() {
            if !changes.contains_key(*change) {
                writeln!(wrong, "listed, and not made: {change}").expect("a string");
            }
        }
        all += changes.len();
        noticed_of_all += changes.values().filter(|noticed| **noticed).count();
    }
    let share = noticed_of_all * 100 / all;
    if share < LEAST {
        writeln!(
            wrong,
            "{noticed_of_all} of {all} changes are noticed: {share} %"
        )
        .expect("a string");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_cases_hold() {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["test", "tests/noticed", "rules"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("REFEREE_RULES")
        .output()
        .expect("the command runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}
