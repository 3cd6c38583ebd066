//! What `why` says of every line of a case, for one case or more of every shipped game: `why/<folder>/<case>.snap` for
//! `transcripts/<folder>/<case>.txt`. Adding a case is adding an empty snapshot.

mod support;

use std::{fmt::Write as _, fs, path::Path};

use referee::diagnostic::Colour;
use support::load;

fn explained(folder: &str, transcript: &[u8]) -> String {
    let (game, form) = match folder.split_once('.') {
        Some((game, form)) => (game, Some(form)),
        None => (folder, None),
    };
    let game = load(game, &[]);
    let mut text = String::new();
    let lines = transcript.split(|byte| *byte == b'\n').count();
    for line in 1..=lines {
        match game.explain(form, Some(line), 3, "transcript", transcript) {
            Ok(told) => writeln!(text, "{told}").expect("a string takes all"),
            Err(failure) => {
                let drawn = failure.draw(Colour::Never);
                let first = drawn.lines().next().unwrap_or_default();
                if !first.contains("no game is under way") {
                    writeln!(text, "line {line}: {first}\n").expect("a string takes all");
                }
            }
        }
    }
    text
}

#[test]
fn cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    insta::glob!("why/*/*.snap", |snapshot| {
        let folder = snapshot.parent().expect("a case lies in a folder");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let stem = snapshot.file_stem().unwrap_or_default().to_string_lossy();
        let case = root
            .join("transcripts")
            .join(&*name)
            .join(format!("{stem}.txt"));
        let transcript = fs::read(case).expect("the case is there");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!(&*stem, explained(&name, &transcript)));
    });
}

#[test]
fn every_shipped_game_has_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(root.join("rules")).expect("the rules are there") {
        let path = entry.expect("the rules are there").path();
        if path.extension().is_some_and(|ending| ending == "rules") {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if load(&name, &[]).program().events.len() == 1 {
                // It is over when it has started: there is no line of an event.
                continue;
            }
            let cases = root.join("tests/why");
            let mut folders = fs::read_dir(&cases).expect("the cases are there");
            assert!(
                folders.any(|folder| {
                    let folder = folder.expect("the cases are there").file_name();
                    let folder = folder.to_string_lossy().into_owned();
                    folder == name || folder.starts_with(&format!("{name}."))
                }),
                "{name}"
            );
        }
    }
}
