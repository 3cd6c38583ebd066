//! Whatever is cut out of a transcript or a rule file, there is a report or an error and never a panic; the same
//! texts give the same answer byte for byte, however the transcript arrives.

mod support;

use std::{
    fs,
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
};

use referee::{diagnostic::Colour, game::Game, library::Library};
use support::{Outcome, load, run, run_from};

/// Each game with the form of its transcripts and the folder whose `sample.txt` is one.
const SAMPLES: [(&str, Option<&str>, &str); 5] = [
    ("snooker", None, "snooker"),
    ("snooker-chance", None, "snooker-chance"),
    ("weiqi", None, "weiqi"),
    ("mau-mau", None, "mau-mau"),
    ("mau-mau", Some("moves"), "mau-mau.moves"),
];

fn sample(folder: &str) -> Vec<u8> {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    fs::read(tests.join(folder).join("sample.txt")).expect("every game has a sample")
}

/// Says of which text it is that something panicked.
fn calm<T>(text: &[u8], run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| panic!("this makes it panic:\n{}", String::from_utf8_lossy(text)))
}

/// What came of a transcript, to be compared.
fn told(outcome: &Outcome) -> (String, &'static str, String) {
    (outcome.report.clone(), outcome.kind(), outcome.drawn())
}

/// A text that arrives a few bytes at a time: one, two, up to seven, and again.
struct Trickle<'t> {
    text: &'t [u8],
    size: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.size = self.size % 7 + 1;
        let count = self.size.min(self.text.len()).min(buffer.len());
        let (now, later) = self.text.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.text = later;
        Ok(count)
    }
}

/// The same at once, and trickling; without a panic.
fn steady(game: &Game, form: Option<&str>, text: &[u8]) {
    calm(text, || {
        let at_once = told(&run(game, form, text));
        let mut trickle = Trickle {
            text,
            size: text.len(),
        };
        let trickling = told(&run_from(game, form, &mut trickle));
        assert_eq!(at_once, trickling, "{}", String::from_utf8_lossy(text));
    });
}

/// The text without each of its words or marks in turn.
fn deletions(text: &str) -> Vec<String> {
    let sort = |character: char| match character {
        character if character.is_alphanumeric() || character == '_' => 0,
        character if character.is_whitespace() => 1,
        _ => 2,
    };
    let mut cuts = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (place, character) in text.char_indices() {
        let now = sort(character);
        // Marks stand for themselves, one by one.
        if last.is_some_and(|last| last != now || last == 2) {
            cuts.push(start..place);
            start = place;
        }
        last = Some(now);
    }
    cuts.push(start..text.len());
    cuts.into_iter()
        .filter_map(|cut| {
            let (before, rest) = text.split_at_checked(cut.start)?;
            let (word, after) = rest.split_at_checked(cut.len())?;
            (!word.trim().is_empty()).then(|| format!("{before}{after}"))
        })
        .collect()
}

#[test]
fn parts_of_transcripts() {
    for (name, form, folder) in SAMPLES {
        let game = load(name, &[]);
        let text = sample(folder);
        for end in 0..=text.len() {
            steady(&game, form, &text[..end]);
        }
        let text = String::from_utf8(text).expect("samples are text");
        for cut in deletions(&text) {
            steady(&game, form, cut.as_bytes());
        }
    }
}

#[test]
fn transcripts_with_a_strange_byte() {
    for (name, form, folder) in SAMPLES {
        let game = load(name, &[]);
        let text = sample(folder);
        for place in (0..text.len()).step_by(5) {
            for byte in [0, b'\t', b'\r', b'\n', b'-', b'0', 0x1b, 0x80, 0xc3, 0xff] {
                let mut text = text.clone();
                text[place] = byte;
                steady(&game, form, &text);
                text.insert(place, byte);
                steady(&game, form, &text);
            }
        }
    }
}

#[test]
fn long_words_and_lines() {
    for (name, form, _) in SAMPLES {
        let game = load(name, &[]);
        for text in [
            "x".repeat(3_000_000),
            "1 ".repeat(1_500_000),
            format!("1\n{}", "x ".repeat(1_500_000)),
            format!("1\n{}", "9".repeat(100_000)),
            "\n".repeat(3_000_000),
            " ".repeat(3_000_000),
        ] {
            calm(b"a long text", || {
                let outcome = run(&game, form, text.as_bytes());
                assert!(outcome.failure.is_some(), "{name}");
                assert!(outcome.drawn().len() < 4000, "{}", outcome.drawn());
            });
        }
    }
}

/// Parses, checks and compiles a rule file, and runs it on the sample if it is valid: the game, and its report.
fn whole_pipeline(
    name: &str,
    rules: &str,
    library: &Library,
    sample: &[u8],
) -> Option<(Game, String)> {
    calm(rules.as_bytes(), || {
        match Game::from_text(name, rules, library, &[]) {
            Ok(game) => {
                for warning in game.warnings() {
                    drawn(&warning.draw(game.sources(), Colour::Never));
                }
                let outcome = run(&game, None, sample);
                outcome.drawn();
                Some((game, outcome.report))
            }
            Err(invalid) => {
                drawn(&invalid.draw(Colour::Never));
                None
            }
        }
    })
}

fn drawn(text: &str) {
    assert!(!text.is_empty(), "what is wrong is said");
}

/// One in nine deletions of a token, and one in twenty prefixes: more are parsed elsewhere, and here most of them end where
/// parsing does. The fuzzer takes others.
fn parts_of_rules(name: &str) {
    let library = Library::shipped();
    let file = library.find(name).expect("this game is shipped");
    let sample = sample(name);
    for (end, _) in file.text.char_indices().step_by(20) {
        let (prefix, _) = file.text.split_at(end);
        whole_pipeline(name, prefix, &library, &sample);
    }
    for cut in deletions(&file.text).iter().step_by(9) {
        whole_pipeline(name, cut, &library, &sample);
    }
}

#[test]
fn parts_of_snooker() {
    parts_of_rules("snooker");
}

#[test]
fn parts_of_snooker_chance() {
    parts_of_rules("snooker-chance");
}

#[test]
fn parts_of_weiqi() {
    parts_of_rules("weiqi");
}

#[test]
fn parts_of_mau_mau() {
    parts_of_rules("mau-mau");
}

/// What is left of a variant when a token is cut out of it, or its end, either is wrong and that is said, or can be written
/// out in full.
fn parts_of_variants(name: &str) {
    let library = Library::shipped();
    let sample = sample(name);
    for variant in library.variants(name) {
        let file = library.find_variant(name, &variant);
        let text = file.expect("this variant is shipped").text;
        let ends = text.char_indices().step_by(15);
        let prefixes = ends.filter_map(|(end, _)| Some(text.split_at_checked(end)?.0.to_string()));
        for part in prefixes.chain(deletions(&text).into_iter().step_by(6)) {
            let Some((game, with)) = whole_pipeline(&variant, &part, &library, &sample) else {
                continue;
            };
            calm(part.as_bytes(), || {
                let flat = game.flat();
                let alone = Game::from_text("flat", &flat, &Library::default(), &[]);
                let alone = alone.unwrap_or_else(|invalid| panic!("{part}\n{invalid}"));
                let without = run(&alone, None, &sample).report;
                assert_eq!(with, without, "{part}");
            });
        }
    }
}

#[test]
fn parts_of_variants_of_snooker() {
    parts_of_variants("snooker");
}

#[test]
fn parts_of_variants_of_weiqi() {
    parts_of_variants("weiqi");
}

#[test]
fn parts_of_variants_of_mau_mau() {
    parts_of_variants("mau-mau");
}
