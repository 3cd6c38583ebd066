//! What is fuzzed: each function takes any bytes, and panics where a promise of `SECURITY.md` does not hold. The fuzzers
//! of this folder call them, and so does `tests/fuzz.rs`.

use referee::{
    diagnostic::Colour,
    game::{Ask, Game},
    library::{Library, RuleText},
    limits::Limits,
};

/// What divides a rule file from a transcript.
const BETWEEN: &str = "\n%%\n";

/// What one input may take: enough for machine code, and so little that none takes a second.
const LIMITS: Limits = Limits {
    fuel: 1 << 18,
    memory: 64,
    events: 500,
};

/// The most bytes that are looked at.
const MOST: usize = 1 << 16;

/// A rule file, and maybe a transcript behind it.
fn parts(data: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(data.get(..MOST).unwrap_or(data)).into_owned();
    let (rules, transcript) = text.split_once(BETWEEN).unwrap_or((&text, ""));
    (rules.to_owned(), transcript.to_owned())
}

fn game(rules: &str) -> Option<Game> {
    match Game::from_text("fuzzed.rules", rules, &Library::shipped(), &[]) {
        Ok(game) => Some(game.limited(LIMITS)),
        Err(invalid) => {
            assert!(
                !invalid.diagnostics.is_empty(),
                "wrong, and nothing says why"
            );
            assert_masked(&invalid.draw(Colour::Never));
            None
        }
    }
}

/// What a terminal would obey is in no message.
fn assert_masked(message: &str) {
    let obeyed = |character: char| {
        !matches!(character, '\n' | '\t') && referee::diagnostic::is_obeyed(character)
    };
    assert!(!message.contains(obeyed), "{message:?}");
}

/// The report and the message of a run.
fn said(game: &Game, transcript: &str) -> (String, String) {
    let mut report = Vec::new();
    let ran = game.run(None, "transcript", &mut transcript.as_bytes(), &mut report);
    let message = ran
        .err()
        .map_or(String::new(), |failure| failure.draw(Colour::Never));
    assert_masked(&message);
    (String::from_utf8_lossy(&report).into_owned(), message)
}

/// A rule file is checked and, where it is right, run on a transcript in every way: all say the same.
pub fn rules(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let Some(usual) = game(&rules) else {
        return;
    };
    back_ends(&usual, &|| game(&rules), &transcript);
}

/// A game of the library on any transcript.
pub fn transcript(data: &[u8]) {
    let library = Library::shipped();
    let names = library.names();
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let name = &names[usize::from(*first) % names.len()];
    let load = || {
        Game::load(&library, name, &[])
            .ok()
            .map(|game| game.limited(LIMITS))
    };
    let rest = String::from_utf8_lossy(rest.get(..MOST).unwrap_or(rest)).into_owned();
    if let Some(usual) = load() {
        back_ends(&usual, &load, &rest);
    }
}

/// Exact functions, machine code, the interpreter of what becomes machine code, and the program as it was written.
fn back_ends(usual: &Game, load: &dyn Fn() -> Option<Game>, transcript: &str) {
    let expected = said(usual, transcript);
    // What takes much memory is not counted alike, and what takes much work not where nothing is optimised.
    if expected.1.contains("this takes too much memory") {
        return;
    }
    let natively = load().map(|game| said(&game.natively(), transcript));
    assert_eq!(natively.as_ref(), Some(&expected), "machine code");
    let interpreted = load().map(|game| said(&game.interpreted(), transcript));
    assert_eq!(interpreted.as_ref(), Some(&expected), "the interpreter");
    if !expected.1.contains("this takes too much") {
        let plain = load().map(|game| said(&game.unoptimised(), transcript));
        assert!(
            plain.as_ref() == Some(&expected)
                || plain.is_some_and(|plain| plain.1.contains("this takes too much")),
            "as it was written"
        );
    }
    let ask = Ask {
        form: None,
        line: None,
        events: Vec::new(),
        illegal: false,
    };
    // There is an answer, or a reason why not.
    let _ = usual.moves(&ask, "transcript", &mut transcript.as_bytes());
}

/// Questions in a transcript are answered, or what is wrong with them is said.
pub fn questions(data: &[u8]) {
    let (rules, transcript) = parts(data);
    let Some(game) = game(&rules) else {
        return;
    };
    let mut report = Vec::new();
    if let Err(invalid) = game.judge(None, "transcript", transcript.as_bytes(), &mut report) {
        assert_masked(&invalid.draw(Colour::Never));
    }
}

/// What the formatter and the printer write can be read, and is written the same again.
pub fn layout(data: &[u8]) {
    let (text, _) = parts(data);
    let file = |text: String| RuleText {
        name: "fuzzed.rules".to_owned(),
        text,
    };
    let first = file(text);
    if let Ok(once) = first.formatted() {
        let again = file(once.clone()).formatted().ok();
        assert_eq!(again.as_ref(), Some(&once), "formatted again");
    }
    if let Ok(once) = first.canonical() {
        let again = file(once.clone()).canonical().ok();
        assert_eq!(again.as_ref(), Some(&once), "printed again");
    }
}
