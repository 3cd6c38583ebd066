//! What the language does where the reference gives no example: each case is a rule file in `tests/language`, with a
//! transcript (`.txt`) and what is then said (`.out`), the failure that ends it included.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use referee::diagnostic::Colour;
use referee::game::Game;
use referee::library::Library;

/// Runs one case, also by machine code from the first event on.
fn check(path: &Path) {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let read = |ending: &str| fs::read_to_string(path.with_extension(ending)).unwrap_or_default();
    let game = || {
        Game::from_text(&name, &read("rules"), &Library::shipped(), &[])
            .unwrap_or_else(|invalid| panic!("{}", invalid.draw(Colour::Never)))
    };
    let transcript = read("txt");
    for (game, how) in [
        (game(), "plainly"),
        (game().unoptimised(), "without passes and caches"),
        (game().natively(), "by machine code"),
        (game().interpreted(), "by the interpreter"),
    ] {
        let mut said = Vec::new();
        let stopped = game.run(None, "game.txt", &mut transcript.as_bytes(), &mut said);
        let mut said = String::from_utf8(said).expect("a report is text");
        if let Err(failure) = stopped {
            let _ = writeln!(said, "{}", failure.draw(Colour::Never));
        }
        assert_eq!(said, read("out"), "{name}, {how}");
    }
}

#[test]
fn cases() {
    let mut cases: Vec<_> = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/language"))
        .expect("the cases are there")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "rules"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    for case in cases {
        check(&case);
    }
}
