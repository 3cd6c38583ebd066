//! The README and the pages in `docs` say only what is so: their console blocks are run, and print what they show; what
//! they link to is there.

use std::{
    collections::BTreeMap,
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

/// The pages that people read, by their paths in the repository.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(repository().join("docs")).expect("there are pages");
    let names = docs.map(|entry| entry.expect("it can be read").file_name());
    let names = names.map(|name| format!("docs/{}", name.to_string_lossy()));
    let mut pages: Vec<String> = names
        .filter(|name| Path::new(name).extension().is_some_and(|it| it == "md"))
        .collect();
    let others = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ];
    pages.extend(others.map(str::to_string));
    pages.sort();
    pages
}

fn page(path: &str) -> String {
    fs::read_to_string(repository().join(path)).expect("there is such a page")
}

#[test]
fn console_blocks_print_what_they_show() {
    let with_commands = pages()
        .into_iter()
        .filter(|path| page(path).contains("```console"));
    let ran: Vec<String> = with_commands.inspect(|path| run_blocks(path)).collect();
    assert!(ran.len() > 5, "{ran:?}");
}

#[test]
fn links_lead_somewhere() {
    for path in pages() {
        let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
        let text = page(&path);
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => folder.join(file).display().to_string(),
            };
            let found = repository().join(&target);
            assert!(found.exists(), "{path} links to {link}");
            if !heading.is_empty() {
                let text = fs::read_to_string(found).expect("a page can be read");
                let anchors = anchors(&text);
                assert!(
                    anchors.contains(&heading.to_string()),
                    "{path} links to {link}"
                );
            }
        }
    }
}

/// The names of a page's headings in links; those that came before get a number.
fn anchors(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('#')) {
        let heading = line
            .trim_start_matches('#')
            .trim()
            .to_lowercase()
            .replace(' ', "-");
        let name: String = heading
            .chars()
            .filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter))
            .collect();
        let count = counts.entry(name.clone()).or_default();
        names.push(match *count {
            0 => name,
            earlier => format!("{name}-{earlier}"),
        });
        *count += 1;
    }
    names
}

/// Runs the console blocks of a page in a folder of their own.
fn run_blocks(path: &str) {
    let text = page(path);
    let folder = checkout(&path.replace('/', "-"));
    let blocks = blocks(&text, "console");
    assert!(!blocks.is_empty(), "{path} shows something");
    for (line, block) in blocks {
        let mut shown = String::new();
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let _ = write!(shown, "$ {command}\n{}", printed(command, &folder));
        }
        assert_eq!(shown, block, "the console block at line {line} of {path}");
    }
    // What is written goes into a folder that `.gitignore` names.
    let left = fs::read_dir(&folder).expect("the folder can be read");
    let names = left.map(|entry| entry.expect("it can be read").file_name());
    for name in names {
        let is_part = ["rules", "tests", "examples", "scratch"]
            .iter()
            .any(|it| name == *it);
        assert!(is_part, "{path} leaves {} behind", name.display());
    }
}

#[test]
fn the_games_they_show_are_examples() {
    let shown = [
        ("README.md", "examples/noughts/noughts.rules"),
        ("docs/summary.md", "examples/count-up/count-up.rules"),
    ];
    for (path, example) in shown {
        let example = page(example);
        for (line, block) in blocks(&page(path), "rules") {
            assert_eq!(block, example, "the rules at line {line} of {path}");
        }
    }
}

#[test]
fn continuous_integration_runs_its_test_command() {
    let script = fs::read_to_string(repository().join(".ci/run")).expect("there is a script");
    for (_, block) in blocks(&page("README.md"), "sh") {
        for command in block.lines().filter(|line| line.starts_with("cargo test")) {
            assert!(script.contains(command), "`{command}` stands in .ci/run");
        }
    }
}

#[test]
fn the_picture_shows_what_is_printed() {
    let drawn = printed("docs/picture.sh", repository());
    assert_eq!(
        drawn,
        page("docs/picture.svg"),
        "docs/picture.sh > docs/picture.svg"
    );
}

#[test]
fn every_command_has_an_example_that_works() {
    let folder = checkout("help");
    let folder = folder.as_path();
    let _ = fs::create_dir_all(folder.join("scratch"));
    let help = printed("referee help", folder);
    let commands = help.split_once("Commands:\n").map_or("", |(_, rest)| rest);
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut count = 0;
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        if name == "help" {
            continue;
        }
        let help = printed(&format!("referee help {name}"), folder);
        let (_, examples) = help
            .split_once("Example")
            .unwrap_or_else(|| panic!("`{name}` has an example"));
        for example in examples.lines().skip(1) {
            if name == "lsp" || name == "completions" {
                // One waits for an editor, the other is for shells that may not be here.
                continue;
            }
            let example = example.trim_start();
            let ended = printed(&format!("{example}\necho \"exit code $?\""), folder);
            let good = i32::from(name == "diff");
            assert!(
                ended.ends_with(&format!("exit code {good}\n")),
                "{example}: {ended}"
            );
            count += 1;
        }
    }
    assert!(count > 12, "{count} examples");
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let help = printed("referee --help", repository());
    let table = page("docs/exit-codes.md");
    for code in 0..=6 {
        let row = table
            .lines()
            .find_map(|line| {
                line.strip_prefix(&format!("| {code} | "))?
                    .strip_suffix(" |")
            })
            .unwrap_or_else(|| panic!("the page says what exit code {code} is"));
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(
            words.join(" ").contains(&format!("{code} {row}")),
            "`--help` says of exit code {code}: {row}"
        );
    }
}
