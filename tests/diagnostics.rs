//! What is said of rule files that are wrong: each case is a file, `tests/diagnostics/<stage>/<slug>[.<what>].rules`,
//! and what is said of it stands beside it. The slug must be among the codes that are reported.
//!
//! A case of the stage `merge` is a variant; its game and the variants it asks for lie in `merge/games`.

use std::path::Path;

use referee::diagnostic::{Colour, Diagnostic, Sources};
use referee::game::Game;
use referee::library::{Library, RuleText};

/// Where the games lie that variants change.
const GAMES: &str = "tests/diagnostics/merge/games";

/// What the stages up to `stage` find wrong with a file, and the texts it speaks of.
fn diagnose(stage: &str, name: &str, text: &str) -> (Vec<Diagnostic>, Sources) {
    if stage == "syntax" {
        let file = RuleText {
            name: name.to_string(),
            text: text.to_string(),
        };
        return match file.canonical() {
            Ok(_) => (Vec::new(), Sources::default()),
            Err(invalid) => (invalid.diagnostics, invalid.sources),
        };
    }
    let library = match stage {
        "merge" => Library::with_folders(vec![GAMES.into()]),
        _ => Library::shipped(),
    };
    match Game::from_text(name, text, &library, &settings(text)) {
        Ok(game) => {
            let mut found = game.warnings().to_vec();
            found.extend(
                game.examples()
                    .into_iter()
                    .flat_map(|example| example.wrong),
            );
            (found, game.sources().clone())
        }
        Err(invalid) => (invalid.diagnostics, invalid.sources),
    }
}

/// The options that a case is run with: lines such as `-- set x=1`.
fn settings(text: &str) -> Vec<(String, String)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("-- set ")?.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect()
}

/// Checks one case.
fn check(path: &Path) {
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let name = part(path.file_name()).unwrap_or_default();
    let stem = name.trim_end_matches(".rules");
    let stage = part(path.parent().and_then(Path::file_name)).unwrap_or_default();
    let text = std::fs::read_to_string(path).expect("the case can be read");

    let (found, sources) = diagnose(&stage, &name, &text);
    let slug = stem.split('.').next().unwrap_or(stem);
    let slugs: Vec<&str> = found.iter().map(|one| one.code.slug()).collect();
    let drawn: Vec<String> = found
        .iter()
        .map(|one| one.draw(&sources, Colour::Never) + "\n")
        .collect();
    let drawn = drawn.join("\n");
    assert!(slugs.contains(&slug), "{name} gives {slugs:?}:\n{drawn}");

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!(stem, drawn));
}

#[test]
fn cases() {
    insta::glob!("diagnostics/*/*.rules", check);
}
