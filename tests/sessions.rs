//! The command in surroundings that its user did not choose: each case is a shell script in `tests/sessions`, which
//! runs in an empty folder with `$cases` as the folder of the cases. What it writes, messages included, stands beside it.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rayon::prelude::*;

/// What every script can do: `run` shows a command, what it writes and how it ends; nothing may take long.
const PRELUDE: &str = r#"
cases=$1
referee() { timeout 60 "$command" "$@"; }
run() { echo "\$ $*"; "$@" 2>&1; echo "--- exit code $? ---"; }
"#;

/// What a case writes.
fn written(path: &Path) -> String {
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
    said
}

/// Compares what a case writes with its snapshot.
fn check(path: &Path, said: &str) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let entries = fs::read_dir(folder).expect("the cases are there");
    let paths = entries.map(|entry| entry.expect("a case can be read").path());
    let scripts: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "sh"))
        .collect();
    // Most of them wait for a process of one thread.
    let said: BTreeMap<PathBuf, String> = scripts
        .into_par_iter()
        .map(|path| (path.clone(), written(&path)))
        .collect();
    insta::glob!("sessions/*.sh", |path| check(path, &said[path]));
}
