//! The command in surroundings that its user did not choose: each case is a shell script in `tests/sessions`, which
//! runs in an empty folder with `$cases` as the folder of the cases. What it writes, messages included, stands beside it.
#![cfg(unix)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What every script can do: `run` shows a command, what it writes and how it ends; nothing may take long.
const PRELUDE: &str = r#"
cases=$1
referee() { timeout 60 "$command" "$@"; }
run() { echo "\$ $*"; "$@" 2>&1; echo "--- exit code $? ---"; }
"#;

/// Runs one case.
fn check(path: &Path) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let script = fs::read_to_string(path).expect("the case can be read");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("sessions")
        .join(&*stem);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{PRELUDE}{script}"))
        .arg("sh")
        .arg(path.parent().expect("a case is in a folder"))
        .current_dir(&folder)
        .env("command", env!("CARGO_BIN_EXE_referee"))
        .env_remove("REFEREE_RULES")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(|| insta::assert_snapshot!(&*stem, said));
}

#[test]
fn cases() {
    insta::glob!("sessions/*.sh", check);
}
