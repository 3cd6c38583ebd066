//! What is wrong, as JSON: every case of `tests/diagnostics` is as `docs/diagnostics.schema.json` says, and its places
//! are in its text.

mod support;

use std::{fs, path::Path};

use jsonschema::Validator;
use referee::diagnostic::{Data, Diagnostic, Sources};
use referee::game::Game;
use referee::library::Library;
use support::{schema, violations};

/// The schema in `docs/`.
const SCHEMA: &str = "diagnostics.schema.json";

/// Holds one diagnostic to the schema, and its places to the texts.
fn check(data: &Data, sources: &[(&str, &str)], schema: &Validator) {
    let value = serde_json::to_value(data).expect("it is JSON");
    let found = violations(&value, schema);
    assert!(found.is_empty(), "{value}\n{found}");
    for label in &data.labels {
        let (_, text) = sources
            .iter()
            .find(|(name, _)| *name == label.file)
            .unwrap_or_else(|| panic!("there is a text called `{}`", label.file));
        for place in [label.start, label.end] {
            // The end of the text may be a line of its own.
            let line = text.split('\n').nth(place.line - 1).unwrap_or_default();
            assert!(place.column <= line.chars().count() + 1, "{label:?}");
        }
        assert!(label.start <= label.end, "{label:?}");
    }
}

/// What is wrong with a case, and the texts that this speaks of.
fn diagnose(path: &Path) -> (Vec<Diagnostic>, Sources) {
    let text = fs::read_to_string(path).expect("the case can be read");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics/merge/games");
    let library = Library::with_folders(vec![games]);
    match Game::from_text(&name, &text, &library, &[]) {
        Ok(game) => (game.warnings().to_vec(), game.sources().clone()),
        Err(invalid) => (invalid.diagnostics, invalid.sources),
    }
}

#[test]
fn every_diagnostic_is_as_the_schema_says() {
    let schema = schema(SCHEMA);
    let mut count = 0;
    insta::glob!("diagnostics/*/*.rules", |path| {
        let (found, sources) = diagnose(path);
        for diagnostic in &found {
            let texts: Vec<(&str, &str)> = sources.texts().collect();
            check(&diagnostic.to_data(&sources), &texts, &schema);
            count += 1;
        }
    });
    assert!(count > 400, "there are cases: {count}");
    let placeless = Data::placeless("no-game", "there is no such game", Vec::new());
    check(&placeless, &[], &schema);
}

#[test]
fn what_transcripts_reach_is_as_the_schema_says() {
    for more in [&[][..], &["--mutants"]] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["cover", "lamp.rules", "--json"])
            .args(more)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cover/house"))
            .output()
            .expect("the command runs");
        assert!(output.status.success());
        let value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let found = violations(&value, &schema("cover.schema.json"));
        assert!(found.is_empty(), "{found}");
    }
}

#[test]
fn schemas_are_those_of_the_types() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut checked = 0;
    for entry in fs::read_dir(&docs).expect("there is a folder") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(what) = name.strip_suffix(".schema.json") else {
            continue;
        };
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["schema", what])
            .output()
            .expect("the command runs");
        let written = fs::read_to_string(&path).expect("it is text");
        assert!(
            written.as_bytes() == output.stdout,
            "`referee schema {what} > docs/{name}` writes another schema"
        );
        checked += 1;
    }
    assert_eq!(checked, 9);
}

#[test]
fn what_stops_a_run_is_as_the_schema_says() {
    let schema = schema(SCHEMA);
    let game = Game::load(&Library::shipped(), "snooker", &[]).expect("the game is shipped");
    for transcript in [
        "1\nAnn Ben\nRed\nMauve\n",
        "1\nAnn Ann\n",
        "",
        "2\nAnn Ben\nWhite\n",
    ] {
        let failure = game
            .report(transcript)
            .expect_err("the transcript is wrong");
        let report = failure.report().expect("a text is at fault");
        let data = report.diagnostic.to_data(&report.sources);
        let value = serde_json::to_value(&data).expect("it is JSON");
        let found = violations(&value, &schema);
        assert!(found.is_empty(), "{value}\n{found}");
        assert_eq!(data.labels[0].file, "transcript");
    }
}

/// Holds what commands write as one object, run in a folder, to a schema.
fn objects_are_as_the_schema_says(name: &str, folder: &str, command: &str, cases: &[&str]) {
    let schema = support::schema(name);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for case in cases {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
            .args([command, "--format", "json"])
            .args(case.split_whitespace())
            .current_dir(&folder)
            .env_remove("REFEREE_RULES")
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let value = serde_json::from_slice(&output.stdout);
        let value = value.unwrap_or_else(|_| panic!("{case} writes JSON: {said}"));
        assert_eq!(violations(&value, &schema), "", "{case}: {value}");
    }
}

#[test]
fn moves_are_as_the_schema_says() {
    let cases = [
        "snooker --illegal snooker/endless.txt",
        "mau-mau --transcript moves --illegal mau-mau.moves/in-the-middle.txt",
        "chess --depth 2 chess/first-move.txt",
    ];
    objects_are_as_the_schema_says("moves.schema.json", "tests/moves", "moves", &cases);
}

#[test]
fn games_are_as_the_schema_says() {
    let cases = ["", "--rules house"];
    objects_are_as_the_schema_says("list.schema.json", "tests/cli", "list", &cases);
    let cases = [
        "snooker",
        "weiqi+superko --set size=5",
        "house/tally.rules",
        "mau-mau",
    ];
    objects_are_as_the_schema_says("show.schema.json", "tests/cli", "show", &cases);
}

#[test]
fn comparisons_and_tests_are_as_the_schema_says() {
    let cases = [
        "snooker snooker+foul-five snooker/sample.txt",
        "snooker snooker+six-red snooker",
        "snooker snooker snooker/sample.txt",
    ];
    objects_are_as_the_schema_says("diff.schema.json", "tests/transcripts", "diff", &cases);
    let cases = [".", "--fail-fast .", "../../../rules/snooker.rules"];
    objects_are_as_the_schema_says("test.schema.json", "tests/cli/tests", "test", &cases);
}
