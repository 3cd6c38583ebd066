//! The README and the page on variants say only what is so: their console blocks are run, and print what they show.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What the README's first commands begin with, before it says how to go on without `cargo`.
const FROM_A_CLONE: &str = "cargo run --release -- ";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(repository().join("README.md")).expect("there is a README")
}

/// The fenced blocks of a language, each with the number of its first line.
fn blocks(text: &str, language: &str) -> Vec<(usize, String)> {
    let fence = format!("```{language}");
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        if line == fence {
            let block: Vec<(usize, &str)> = lines
                .by_ref()
                .take_while(|(_, line)| *line != "```")
                .collect();
            let first = block.first().map_or(0, |(number, _)| number + 1);
            let mut text = String::new();
            for (_, line) in block {
                let _ = writeln!(text, "{line}");
            }
            blocks.push((first, text));
        }
    }
    blocks
}

/// A folder to run in, with what a clone has in it.
fn checkout(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for part in ["rules", "tests/transcripts", "examples"] {
        copy(&repository().join(part), &folder.join(part));
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file can be copied");
        }
    }
}

/// What a shell prints for `command`, on both its outputs.
fn printed(command: &str, folder: &Path) -> String {
    let command = command.replace(FROM_A_CLONE, "referee ");
    let binary = Path::new(env!("CARGO_BIN_EXE_referee"));
    let mut paths = vec![binary.parent().unwrap_or(folder).to_path_buf()];
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1\n{command}"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("PATH", env::join_paths(paths).expect("paths can be joined"))
        .env_remove("REFEREE_RULES")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("there is a shell");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn console_blocks_print_what_they_show() {
    run_blocks("README.md", "readme");
}

#[test]
fn console_blocks_on_variants_print_what_they_show() {
    run_blocks("docs/variants.md", "variants-page");
}

/// Runs the console blocks of a page in a folder of their own.
fn run_blocks(page: &str, folder: &str) {
    let text = fs::read_to_string(repository().join(page)).expect("there is such a page");
    let folder = checkout(folder);
    let blocks = blocks(&text, "console");
    assert!(!blocks.is_empty(), "{page} shows something");
    for (line, block) in blocks {
        let mut shown = String::new();
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let _ = write!(shown, "$ {command}\n{}", printed(command, &folder));
        }
        assert_eq!(shown, block, "the console block at line {line} of {page}");
    }
}

#[test]
fn the_game_it_shows_is_the_example() {
    let example = repository().join("examples/house-rules/count-up.rules");
    let example = fs::read_to_string(example).expect("there is an example");
    for (line, block) in blocks(&readme(), "rules") {
        assert_eq!(block, example, "the rules at line {line} of README.md");
    }
}

#[test]
fn continuous_integration_runs_its_test_command() {
    let script = fs::read_to_string(repository().join(".ci/run")).expect("there is a script");
    for (_, block) in blocks(&readme(), "sh") {
        for command in block.lines().filter(|line| line.starts_with("cargo test")) {
            assert!(script.contains(command), "`{command}` stands in .ci/run");
        }
    }
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let help = printed("referee --help", repository());
    let readme = readme();
    for code in 0..=6 {
        let row = readme
            .lines()
            .find_map(|line| {
                line.strip_prefix(&format!("| {code} | "))?
                    .strip_suffix(" |")
            })
            .unwrap_or_else(|| panic!("the README tells what exit code {code} is"));
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(
            words.join(" ").contains(&format!("{code} {row}")),
            "`--help` says of exit code {code}: {row}"
        );
    }
}
