//! What is wrong, as JSON: every case of `tests/diagnostics` is as `docs/diagnostics.schema.json` says, and its places
//! are in its text.

use std::{fs, path::Path};

use referee::diagnostic::{Data, Diagnostic};
use referee::game::Game;
use referee::library::Library;
use referee::source::Sources;
use serde_json::Value;

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.schema.json");
    let text = fs::read_to_string(path).expect("there is a schema");
    serde_json::from_str(&text).expect("the schema is JSON")
}

/// The words of a schema that [`violations`] knows, and those that only tell people something.
const KNOWN: &[&str] = &[
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "const",
    "description",
    "enum",
    "items",
    "minimum",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
];

/// What a value has that `schema`, a part of `whole`, does not allow.
fn violations(value: &Value, schema: &Value, whole: &Value, at: &str, found: &mut Vec<String>) {
    let words = schema.as_object().expect("a schema is an object");
    for word in words.keys() {
        assert!(
            KNOWN.contains(&word.as_str()),
            "the test must know `{word}`"
        );
    }
    if let Some(Value::String(reference)) = words.get("$ref") {
        let pointer = reference.strip_prefix('#').expect("it is in this schema");
        let other = whole.pointer(pointer).expect("what is referred to exists");
        violations(value, other, whole, at, found);
    }
    let mut wrong = |what: &str| found.push(format!("{at}: {what}: {value}"));
    let is_type = match words.get("type").and_then(Value::as_str) {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some(other) => panic!("the test must know the type `{other}`"),
    };
    if !is_type {
        wrong("type");
    }
    if words.get("const").is_some_and(|only| only != value) {
        wrong("const");
    }
    let allowed = words.get("enum").and_then(Value::as_array);
    if allowed.is_some_and(|allowed| !allowed.contains(value)) {
        wrong("enum");
    }
    let least = words.get("minimum").and_then(Value::as_i64);
    if least.is_some_and(|least| value.as_i64().is_none_or(|number| number < least)) {
        wrong("minimum");
    }
    if let Some(pattern) = words.get("pattern") {
        assert_eq!(pattern, "^[a-z0-9-]+$", "the test must know the pattern");
        let plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let text = value.as_str().unwrap_or_default();
        if text.is_empty() || !text.chars().all(plain) {
            wrong("pattern");
        }
    }
    if let (Some(items), Some(values)) = (words.get("items"), value.as_array()) {
        for (index, value) in values.iter().enumerate() {
            violations(value, items, whole, &format!("{at}/{index}"), found);
        }
    }
    if let Some(values) = value.as_object() {
        fields(values, words, whole, at, found);
    }
}

/// The same for the fields of an object.
fn fields(
    values: &serde_json::Map<String, Value>,
    words: &serde_json::Map<String, Value>,
    whole: &Value,
    at: &str,
    found: &mut Vec<String>,
) {
    let required = words.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !values.contains_key(name) {
            found.push(format!("{at}: `{name}` is missing"));
        }
    }
    for (name, value) in values {
        match words.get("properties").and_then(|known| known.get(name)) {
            Some(schema) => violations(value, schema, whole, &format!("{at}/{name}"), found),
            None if words.get("additionalProperties") == Some(&Value::Bool(false)) => {
                found.push(format!("{at}: `{name}` is too much"));
            }
            None => {}
        }
    }
}

/// Holds one diagnostic to the schema, and its places to the texts.
fn check(data: &Data, sources: &[(String, String)], schema: &Value) {
    let value = serde_json::to_value(data).expect("it is JSON");
    let mut found = Vec::new();
    violations(&value, schema, schema, "", &mut found);
    assert!(found.is_empty(), "{value}\n{}", found.join("\n"));
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
    let schema = schema();
    let mut count = 0;
    insta::glob!("diagnostics/*/*.rules", |path| {
        let (found, sources) = diagnose(path);
        for diagnostic in &found {
            let mut spans = vec![diagnostic.span];
            spans.extend(diagnostic.labels.iter().map(|label| label.span));
            let texts: Vec<(String, String)> = spans
                .iter()
                .filter_map(|span| sources.get(span.source))
                .map(|source| (source.name.clone(), source.text.clone()))
                .collect();
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cover.schema.json");
    let text = fs::read_to_string(path).expect("there is a schema");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    for more in [&[][..], &["--mutants"]] {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cover.json");
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["cover", "lamp.rules", "--json"])
            .arg(&path)
            .args(more)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cover/house"))
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.expect("the command runs").success());
        let text = fs::read_to_string(&path).expect("it was written");
        let value = serde_json::from_str(&text).expect("it is JSON");
        let mut found = Vec::new();
        let part = match more {
            [] => &schema["$defs"]["cover"],
            _ => &schema["$defs"]["mutants"],
        };
        violations(&value, part, &schema, "", &mut found);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn what_stops_a_run_is_as_the_schema_says() {
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
        let mut found = Vec::new();
        let schema = schema();
        violations(&value, &schema, &schema, "", &mut found);
        assert!(found.is_empty(), "{value}\n{}", found.join("\n"));
        assert_eq!(data.labels[0].file, "transcript");
    }
}
