//! The short form of the fuzzers in `fuzz/`: the same targets on texts of the cases, changed by fixed seeds.

#[path = "../fuzz/targets.rs"]
#[allow(unreachable_pub, reason = "the fuzzers use it too")]
mod targets;

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use referee::library::Library;

/// Numbers that are the same on every machine (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        usize::try_from(word % u64::try_from(end.max(1)).unwrap_or(1)).unwrap_or(0)
    }
}

/// Words and marks that stand at the edges of what is allowed.
const TOKENS: [&str; 38] = [
    "0",
    "1",
    "-1",
    "63",
    "64",
    "65",
    "255",
    "9223372036854775807",
    "-9223372036854775808",
    "0.5",
    "-0.00",
    "9.999999999",
    "number.00",
    "rounded",
    "even",
    "none",
    "empty",
    "yes",
    "new",
    "old",
    "the",
    "size",
    "of",
    "some",
    "every",
    "in",
    "where",
    "when",
    "unless",
    "for",
    "|",
    "{",
    "}",
    "(",
    ")",
    "=>",
    "\u{1b}[31m",
    "\u{202e}",
];

/// A text in words, marks and blanks.
fn tokens(text: &str) -> Vec<&str> {
    let sort = |character: char| match character {
        character if character.is_alphanumeric() || character == '_' => 0,
        character if character.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if sort(first) == 2 {
            first.len_utf8()
        } else {
            let other = |character: char| sort(character) != sort(first);
            rest.find(other).unwrap_or(rest.len())
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// A text with a few tokens left out, doubled, exchanged or put in from another.
fn changed(text: &str, other: &str, random: &mut Random) -> String {
    let (mut all, others) = (tokens(text), tokens(other));
    for _ in 0..=random.below(4) {
        let place = random.below(all.len());
        if all.is_empty() {
            break;
        }
        match random.below(6) {
            0 => drop(all.remove(place)),
            1 => all.insert(place, all[place]),
            2 => all[place] = TOKENS[random.below(TOKENS.len())],
            3 => all.insert(place, TOKENS[random.below(TOKENS.len())]),
            4 if !others.is_empty() => {
                let from = random.below(others.len());
                let some = &others[from..others.len().min(from + 1 + random.below(12))];
                all.splice(place..place, some.iter().copied());
            }
            _ => {
                let with = random.below(all.len());
                all.swap(place, with);
            }
        }
    }
    all.concat()
}

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
    let seeds = seeds();
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
fn transcripts() {
    let library = Library::shipped();
    let mut random = Random(4);
    let mut seeds = Vec::new();
    for (place, name) in (0u8..).zip(library.names()) {
        for file in files(&format!("tests/transcripts/{name}"), "txt") {
            seeds.push((place, fs::read_to_string(file).unwrap_or_default()));
        }
    }
    assert!(seeds.len() > 50, "{} seeds", seeds.len());
    for _ in 0..40 * times() {
        let (place, text) = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())].1;
        let mut input = vec![*place];
        input.extend(changed(text, other, &mut random).into_bytes());
        calm(targets::transcript, &input);
    }
}
