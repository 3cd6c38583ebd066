//! `referee cover`: what it says of the game in `cover/house`, and the reports that it writes for other programs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// What the command does in `cover/house`, and what it writes.
fn command(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(arguments)
        .current_dir(folder("cover/house"))
        .env_remove("REFEREE_RULES")
        .output()
        .expect("the command runs");
    format!(
        "$ referee {}\n{}{}--- exit code {} ---\n",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().expect("the command is not killed"),
    )
}

/// What the command writes into a file for `option`.
fn written(option: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(option);
    let name = path.display().to_string();
    command(&["cover", "lamp.rules", option, &name]);
    fs::read_to_string(&path).expect("it was written")
}

/// What the command writes to standard output for other programs.
fn counts(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["cover", "lamp.rules", "--json"])
        .args(arguments)
        .current_dir(folder("cover/house"))
        .env_remove("REFEREE_RULES")
        .output()
        .expect("the command runs");
    String::from_utf8(output.stdout).expect("it is text")
}

fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder("cover"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn the_command() {
    let sessions = [
        command(&["cover", "--help"]),
        command(&["cover", "lamp.rules"]),
        command(&["cover", "lamp.rules+dim"]),
        command(&["cover", "lamp/dim.rules", "--fail-under", "100"]),
        command(&["cover", "lamp.rules", "lamp/asks.in", "--fail-under", "80"]),
        command(&["cover", "lamp.rules", "--fail-under", "101"]),
        command(&["cover", "lamp.rules", "--mutants"]),
        command(&[
            "cover",
            "lamp.rules",
            "--mutants",
            "--sample",
            "9",
            "--fail-under",
            "90",
        ]),
        command(&["cover", "lamp.rules", "lamp+dim/long.in"]),
        command(&["cover", "laps.rules"]),
        command(&["cover", "lamp.rules", "--transcript", "none-such"]),
        command(&["cover", "snooker"]),
        command(&["cover", "snooker", "nowhere"]),
    ];
    assert_snapshot("command", &sessions.join("\n"));
}

#[test]
fn reports_for_other_programs() {
    assert_snapshot("html", &written("--html"));
    assert_snapshot("json", &counts(&[]));
    assert_snapshot("lcov", &written("--lcov"));
    assert_snapshot("mutants", &counts(&["--mutants", "--sample", "9"]));
}
