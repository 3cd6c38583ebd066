//! The short form of the fuzzers in `fuzz/`: the same targets on texts of the cases, changed by fixed seeds.

#[path = "../fuzz/changes.rs"]
#[allow(unreachable_pub, reason = "the fuzzers use it too")]
mod changes;
#[path = "../fuzz/targets.rs"]
#[allow(unreachable_pub, reason = "the fuzzers use it too")]
mod targets;

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use changes::{Random, changed};

fn files(folder: &str, ending: &str) -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    files
}

/// Rule files of the cases of the language, each with its transcript.
fn seeds() -> Vec<String> {
    let both = files("tests/language", "rules").into_iter().map(|rules| {
        let text = fs::read_to_string(&rules).unwrap_or_default();
        let transcript = fs::read_to_string(rules.with_extension("txt")).unwrap_or_default();
        format!("{text}\n%%\n{transcript}")
    });
    both.collect()
}

/// Calls a target and says of which text it is that it panicked.
fn calm(target: fn(&[u8]), text: &[u8]) {
    let ran = catch_unwind(AssertUnwindSafe(|| target(text)));
    assert!(
        ran.is_ok(),
        "this is found:\n{}",
        String::from_utf8_lossy(text)
    );
}

fn fuzz(target: fn(&[u8]), count: usize, seed: u64) {
    fuzz_on(&seeds(), target, count, seed);
}

fn fuzz_on(seeds: &[String], target: fn(&[u8]), count: usize, seed: u64) {
    assert!(seeds.len() > 20, "{} seeds", seeds.len());
    let mut random = Random(seed);
    for _ in 0..count {
        let (one, other) = (random.below(seeds.len()), random.below(seeds.len()));
        let text = changed(&seeds[one], &seeds[other], &mut random);
        calm(target, text.as_bytes());
    }
}

/// How many times more inputs than usual: `FUZZ=100 cargo test --release --test fuzz`.
fn times() -> usize {
    let times = std::env::var("FUZZ").ok();
    times.and_then(|times| times.parse().ok()).unwrap_or(1)
}

#[test]
fn rules() {
    fuzz(targets::rules, 400 * times(), 1);
}

#[test]
fn layout() {
    fuzz(targets::layout, 3000 * times(), 2);
}

#[test]
fn questions() {
    fuzz(targets::questions, 300 * times(), 3);
}

#[test]
fn data() {
    fuzz(targets::data, 150 * times(), 5);
}

#[test]
fn sessions() {
    fuzz(targets::session, 200 * times(), 6);
}

#[test]
fn books() {
    fuzz(targets::book, 100 * times(), 7);
}

#[test]
fn editors() {
    fuzz(targets::editor, 100 * times(), 8);
}

/// The cases of the language, and the shipped games with their first cases.
#[test]
fn moves() {
    let mut seeds = seeds();
    for rules in files("rules", "rules") {
        let text = fs::read_to_string(&rules).unwrap_or_default();
        let name = rules.file_stem().unwrap_or_default().to_string_lossy();
        for case in files(&format!("tests/transcripts/{name}"), "txt")
            .iter()
            .take(3)
        {
            let transcript = fs::read_to_string(case).unwrap_or_default();
            seeds.push(format!("{text}\n%%\n{transcript}"));
        }
    }
    fuzz_on(&seeds, targets::moves, 80 * times(), 10);
}

/// Inputs whose first line says which game of the library they are of: made of pairs of that line and a text.
fn fuzz_named(target: fn(&[u8]), seeds: &[(String, String)], count: usize, seed: u64) {
    assert!(seeds.len() > 20, "{} seeds", seeds.len());
    let mut random = Random(seed);
    for _ in 0..count {
        let (first, text) = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())].1;
        let text = changed(text, other, &mut random);
        calm(target, format!("{first}\n{text}").as_bytes());
    }
}

/// The cases of all games, with their variants and options.
#[test]
fn transcripts() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let folders = fs::read_dir(cases).into_iter().flatten().flatten();
    let mut seeds = Vec::new();
    for folder in folders {
        let name = folder.file_name().to_string_lossy().into_owned();
        for file in files(&format!("tests/transcripts/{name}"), "txt") {
            let text = fs::read_to_string(file).unwrap_or_default();
            seeds.push((name.clone(), text));
        }
    }
    seeds.sort();
    fuzz_named(targets::transcript, &seeds, 40 * times(), 4);
}

/// The shipped variants.
#[test]
fn variants() {
    let library = referee::library::Library::shipped();
    let mut seeds = Vec::new();
    for game in library.names() {
        for variant in library.variants(&game) {
            if let Ok(found) = library.find_variant(&game, &variant) {
                seeds.push((game.clone(), found.text));
            }
        }
    }
    fuzz_named(targets::variant, &seeds, 200 * times(), 9);
}
