//! The stage that makes games fast changes nothing that can be seen: every case says the same without it, and so do
//! rule files that differ from a shipped one by a token.

mod support;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use referee::{
    diagnostic::Colour,
    game::{Game, MovesQuery},
    library::Library,
};
use support::{load, run};

/// A folder of cases.
struct Folder {
    path: PathBuf,
    /// Loads the game that its cases are of.
    load: Box<dyn Fn() -> Game>,
    form: Option<String>,
}

/// The folders of cases in a folder. Each is called `game` or `game+variant`, then maybe `.form`, then any
/// `,option=value`.
fn folders(parent: &str) -> Vec<Folder> {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).join(parent);
    let mut paths: Vec<_> = fs::read_dir(parent)
        .expect("the cases are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    paths.sort();
    paths.into_iter().map(folder).collect()
}

fn folder(path: PathBuf) -> Folder {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut parts = name.split(',');
    let game = parts.next().unwrap_or_default();
    let (game, form) = match game.split_once('.') {
        Some((game, form)) => (game.to_string(), Some(form.to_string())),
        None => (game.to_string(), None),
    };
    let settings: Vec<(String, String)> = parts
        .filter_map(|setting| setting.split_once('='))
        .map(|(option, value)| (option.to_string(), value.to_string()))
        .collect();
    let load = move || {
        let settings: Vec<(&str, &str)> = settings
            .iter()
            .map(|(option, value)| (option.as_str(), value.as_str()))
            .collect();
        load(&game, &settings)
    };
    Folder {
        load: Box::new(load),
        path,
        form,
    }
}

fn said(game: &Game, form: Option<&str>, transcript: &[u8]) -> String {
    let outcome = run(game, form, transcript);
    format!("{}{}", outcome.report, outcome.drawn())
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    files
}

#[test]
fn every_case() {
    let mut compared = 0;
    for Folder { path, load, form } in folders("tests/transcripts") {
        let fast = load();
        let plain = load().unoptimised();
        let native = load().natively();
        let interpreted = load().interpreted();
        for case in files(&path, "txt") {
            let transcript = fs::read(&case).expect("the case is there");
            let expected = said(&plain, form.as_deref(), &transcript);
            for (name, game) in [
                ("with passes", &fast),
                ("machine code", &native),
                ("interpreter", &interpreted),
            ] {
                let said = said(game, form.as_deref(), &transcript);
                assert_eq!(said, expected, "{name}: {}", case.display());
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared} cases");
}

/// A question is answered as if its event had changed nothing yet, by machine code too.
#[test]
fn every_question() {
    let mut answered = 0;
    for Folder { path, load, form } in folders("tests/noticed") {
        let native = load().natively();
        for case in files(&path, "in") {
            let transcript = fs::read(&case).expect("the case is there");
            let name = case.display().to_string();
            let judged = native
                .judge(form.as_deref(), &name, &transcript, &mut Vec::new())
                .unwrap_or_else(|invalid| panic!("{}", invalid.draw(Colour::Never)));
            let unmet = judged.unmet.map(|unmet| unmet.draw(Colour::Never));
            assert_eq!(unmet, None, "{name}");
            answered += judged.questions;
        }
    }
    assert!(answered > 20, "{answered} questions");
}

/// A transcript with one of its words damaged: left out, twice there, put before another, or another word.
fn damaged(transcript: &str) -> Vec<String> {
    let words: Vec<&str> = transcript.split_inclusive(char::is_whitespace).collect();
    let mut all = Vec::new();
    for place in (1..words.len()).step_by(words.len() / 8 + 1) {
        let (before, [word, after @ ..]) = words.split_at(place) else {
            continue;
        };
        let (before, after) = (before.concat(), after.concat());
        all.extend([
            format!("{before}{after}"),
            format!("{before}{word}{word}{after}"),
            format!("{before}{after}{word}"),
            format!("{before}-1 {after}"),
            format!("{before}\u{e4}{word}{after}"),
            format!("{before}\t\r\n{word}{after}"),
        ]);
    }
    all
}

/// Machine code reads what is wrong as exact functions do.
#[test]
fn every_damaged_transcript() {
    let mut compared = 0;
    for Folder { path, load, form } in folders("tests/transcripts") {
        let plain = load().unoptimised();
        let native = load().natively();
        for case in files(&path, "txt").into_iter().take(2) {
            let transcript = fs::read_to_string(&case).unwrap_or_default();
            for damaged in damaged(&transcript) {
                assert_eq!(
                    said(&native, form.as_deref(), damaged.as_bytes()),
                    said(&plain, form.as_deref(), damaged.as_bytes()),
                    "{}: {damaged}",
                    case.display()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "{compared} transcripts");
}

/// How many lines of play there are from a place of a transcript, or why nobody can say.
fn counted(game: &Game, form: Option<&str>, line: usize, depth: u32, transcript: &[u8]) -> String {
    let query = MovesQuery {
        form: form.map(str::to_string),
        line: Some(line),
        ..MovesQuery::default()
    };
    match game.lines_of_play(&query, depth, "transcript", &mut &*transcript) {
        Ok((lines, endless)) => format!("{lines} lines, {} endless", endless.len()),
        Err(failure) => failure.draw(Colour::Never),
    }
}

/// Machine code finds what the search in `legal` finds, in every game.
#[test]
fn every_search() {
    let mut found = 0;
    for Folder { path, load, form } in folders("tests/transcripts") {
        let plain = load().unoptimised();
        let lowered = [load().natively(), load().interpreted()];
        for case in files(&path, "txt").into_iter().take(3) {
            let transcript = fs::read(&case).expect("the case is there");
            let lines = String::from_utf8_lossy(&transcript).lines().count();
            for line in [lines / 3, lines / 2, lines] {
                for depth in 1..=2 {
                    let told = counted(&plain, form.as_deref(), line, depth, &transcript);
                    for game in &lowered {
                        assert_eq!(
                            counted(game, form.as_deref(), line, depth, &transcript),
                            told,
                            "{}: {depth} events deep from line {line}",
                            case.display()
                        );
                    }
                    let lines = told.split(' ').next().unwrap_or_default();
                    found += usize::from(lines.parse().is_ok_and(|lines: u64| lines > 0));
                }
            }
        }
    }
    assert!(found > 100, "{found} places where something may happen");
}

/// The text without one of its words, for one in twenty of them; the fuzzer takes others.
fn shorter(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<(usize, usize)> = text
        .split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            (start, start + word.len())
        })
        .collect();
    words.into_iter().step_by(20).filter_map(|(start, end)| {
        let (before, rest) = text.split_at_checked(start)?;
        let (_, after) = rest.split_at_checked(end - start)?;
        Some(format!("{before}{after}"))
    })
}

/// What a damaged rule file says of every other case, with and without passes, and of one as machine code; how many runs
/// were compared. The next file takes the others.
fn says_the_same(name: &str, text: &str, cases: &[PathBuf], number: usize) -> usize {
    let cases: Vec<&PathBuf> = cases.iter().skip(number % 2).step_by(2).collect();
    let library = Library::shipped();
    let Ok(fast) = Game::from_text(name, text, &library, &[]) else {
        return 0;
    };
    let transcripts: Vec<Vec<u8>> = cases
        .iter()
        .map(|case| fs::read(case).expect("the case is there"))
        .collect();
    let all_said = |game: &Game| -> Vec<String> {
        let said = |transcript: &Vec<u8>| said(game, None, transcript);
        transcripts.iter().map(said).collect()
    };
    let fast_said = all_said(&fast);
    // To become machine code takes time: one case says enough of each.
    let native = fast.natively();
    let native_said = transcripts
        .first()
        .map(|transcript| said(&native, None, transcript));
    let plain_said = all_said(&native.unoptimised());
    for ((case, fast), plain) in cases.iter().zip(&fast_said).zip(&plain_said) {
        assert_eq!(fast, plain, "{}\n{text}", case.display());
    }
    if let (Some(case), Some(native)) = (cases.first(), native_said) {
        let case = case.display();
        assert_eq!(native, plain_said[0], "machine code: {case}\n{text}");
    }
    cases.len()
}

#[test]
fn rule_files_with_a_word_left_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut damaged = Vec::new();
    for rules in files(&root.join("rules"), "rules") {
        let name = rules.file_stem().unwrap_or_default().to_string_lossy();
        let cases = files(&root.join("tests/transcripts").join(&*name), "txt");
        let text = fs::read_to_string(&rules).expect("the rule file is there");
        damaged.extend(shorter(&text).map(|text| (name.to_string(), text, cases.clone())));
    }
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, text, cases)) = damaged.get(number) else {
                        break;
                    };
                    let runs = says_the_same(name, text, cases, number);
                    compared.fetch_add(runs, Ordering::Relaxed);
                }
            });
        }
    });
    let compared = compared.into_inner();
    assert!(compared > 100, "{compared} runs");
}

/// What each game in `tests/mir` is lowered to: the functions that its first line names, as text.
#[test]
fn lowered() {
    insta::glob!("mir/*.rules", |path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(path).expect("the case can be read");
        let functions = text.lines().next().unwrap_or_default();
        let functions = functions.strip_prefix("-- functions: ");
        let functions = functions.expect("the first line names functions");
        let game = Game::from_text(&name, &text, &Library::shipped(), &[])
            .unwrap_or_else(|invalid| panic!("{}", invalid.draw(Colour::Never)));
        let texts = functions.split(", ").map(|function| {
            let text = game.mir(function).expect("the game can be lowered");
            assert!(!text.is_empty(), "no {function} in {name}");
            text
        });
        let texts: Vec<String> = texts.collect();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        let case = name.trim_end_matches(".rules");
        settings.bind(|| insta::assert_snapshot!(case, texts.join("\n")));
    });
}

/// A run of a game that is written here.
fn written(rules: &str) -> Game {
    Game::from_text("written.rules", rules, &Library::shipped(), &[])
        .unwrap_or_else(|invalid| panic!("{}", invalid.draw(Colour::Never)))
}

/// A game of so many facts, each of which asks the one before.
fn chain(count: usize, fact: impl Fn(usize) -> String) -> String {
    let mut rules = String::from("game chain \"Chain\"\nstate s: 0..9 = 0\nevent go(k: 0..9)\n");
    rules.push_str("fact f0: number = s\n");
    for place in 1..count {
        rules.push_str(&fact(place));
    }
    let last = count - 1;
    let _ = write!(
        rules,
        "on go {{\n  fact over = new s is 8\n  new s = k\n  report | value: \"{{f{last}}}\"\n}}\n\
         transcript by words {{ start play until over, or \"*\" {{ | go: \"{{k}}\" }} }}\n"
    );
    rules
}

/// How many lines the text of a lowered game has, after it was seen to say the same as it does without.
fn lowered_lines(rules: &str) -> usize {
    let transcript = b"1 2 0 9 9 3 *";
    let expected = said(&written(rules).unoptimised(), None, transcript);
    assert_eq!(expected.lines().count(), 6, "{expected}");
    for game in [written(rules).natively(), written(rules).interpreted()] {
        assert_eq!(said(&game, None, transcript), expected);
    }
    let text = written(rules).mir("").expect("the game can be lowered");
    text.lines().count()
}

/// Facts that ask each other are unrolled and inlined into each other only up to a bound: what a game is lowered to is
/// about as long as its rules, also where each fact would be twice as long as the one before.
#[test]
fn chains_of_facts_stay_small() {
    type Chain = fn(usize) -> String;
    let chains: [(&str, Chain); 4] = [
        ("conditions", |n| {
            let before = n - 1;
            format!(
                "fact f{n}: number = by (some x in 1..2 where x + f{before} > 3) | yes => 1 | no => 2\n"
            )
        }),
        ("best", |n| {
            let before = n - 1;
            format!("fact f{n}: number = (best x in {{f{before}, 2}} by highest x) else 1\n")
        }),
        ("sums", |n| {
            let before = n - 1;
            format!("fact f{n}: number = sum of | a: f{before} for i in 1..1 | b: 0\n")
        }),
        ("calls", |n| {
            let before = n - 1;
            let asks = |n: usize| {
                if n == 1 {
                    "s".to_string()
                } else {
                    format!("g{n}(x)")
                }
            };
            let inner = asks(before.max(1));
            format!(
                "fact g{n}(x: 0..9): 0..9 = {inner} mod 5 + x mod 2\n\
                 fact f{n}: number = f{before} mod 7 + g{n}(s)\n"
            )
        }),
    ];
    for (name, fact) in chains {
        let (short, long) = (
            lowered_lines(&chain(60, fact)),
            lowered_lines(&chain(120, fact)),
        );
        // As long as the rules, or as long as a game may grow by inlining.
        assert!(
            long < 3 * short || long < 120_000,
            "{name}: {short} lines for 60 facts, {long} for 120"
        );
    }
}

/// A function that is too long to become machine code in good time is interpreted.
#[test]
fn a_function_that_is_too_long() {
    let mut rows = String::new();
    for row in 0..6000 {
        let _ = writeln!(rows, "    | r{row}: s * {row} + k > {row} + 7");
    }
    let rules = format!(
        "game long \"Long\"\nstate s: number = 0\nevent go(k: number)\non go {{\n  fact any_row = any of\n{rows}  fact over = new s is 8\n\
           new s = k\n  report | value: \"{{any_row}}\"\n}}\n\
         transcript by words {{ start play until over, or \"*\" {{ | go: \"{{k}}\" }} }}\n"
    );
    let lines = lowered_lines(&rules);
    assert!(lines > 1 << 16, "{lines} lines");
}

/// The random numbers of a seed, as bytes: more than a module is made from.
#[cfg(feature = "native")]
fn random_bytes(seed: u64) -> Vec<u8> {
    use rand_core::{Rng as _, SeedableRng as _};

    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut bytes = vec![0; 1 << 14];
    random.fill_bytes(&mut bytes);
    bytes
}

/// Both back ends do the same, in all that a function of the MIR can do.
#[cfg(feature = "native")]
#[test]
fn random_modules() {
    let (mut failed, mut results) = (0, std::collections::BTreeSet::new());
    for seed in 0..300 {
        let Some((failures, found)) = referee::internals::compare_back_ends(&random_bytes(seed))
        else {
            return;
        };
        failed += failures;
        results.extend(found);
    }
    // Enough of them fail, and enough do not.
    assert!(failed > 20, "{failed} failed");
    assert!(results.len() > 300, "{} results", results.len());
}

/// Modules of few bytes, as a fuzzer makes them.
#[cfg(feature = "native")]
#[test]
fn modules_of_few_bytes() {
    for seed in 0..100 {
        let bytes = random_bytes(seed + 300);
        let length = usize::try_from(1600 * (seed % 16)).unwrap_or_default();
        let _ = referee::internals::compare_back_ends(bytes.get(..length).unwrap_or(&bytes));
    }
}

/// If machine code cannot be made, the interpreter goes on.
#[cfg(feature = "native")]
#[test]
fn a_fault_in_making_machine_code_loses_nothing() {
    const RULES: &str = r#"
game tally "Tally"
state total: number = 0
event add(amount: number)
on add {
  fact over = amount < 0
  new total = total + amount
  report | total: "{new total}"
}
transcript by lines { start play until over, or "end" { | add: "{amount}" } }
"#;
    // Enough events for the game to be lowered.
    let mut transcript = String::new();
    for number in 0..6000 {
        let _ = writeln!(transcript, "{number}");
    }
    transcript.push_str("end\n");
    let report = |game: &Game| {
        let report = game.report(&transcript);
        report.unwrap_or_else(|failure| panic!("{failure}"))
    };
    let expected = report(&written(RULES).unoptimised());
    assert_eq!(expected.lines().count(), 6000);
    referee::internals::break_native(true);
    assert_eq!(report(&written(RULES)), expected);
    assert_eq!(report(&written(RULES).natively()), expected);
    referee::internals::break_native(false);
    assert_eq!(report(&written(RULES)), expected);
}
