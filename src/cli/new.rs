//! `referee new`: creates a game.

use std::{fs, io::Write as _, path::PathBuf};

use anyhow::Context as _;
use referee::{game::Game, library::Library};

use super::{
    Exit,
    error::{Error, Result},
    output,
    screen::{Screen, is_quiet},
};

/// The files of the example that a new game starts from: its header, a transcript and the report.
const RULES: &str = include_str!("../../examples/count-up/count-up.rules");
const HEADER: &str = "game count-up \"Count up\"";
const INPUT: &str = include_str!("../../examples/count-up/count-up/to-the-end.in");
const OUTPUT: &str = include_str!("../../examples/count-up/count-up/to-the-end.out");

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The game's name: lower-case letters, digits and `-`
    #[arg(value_name = "GAME")]
    name: String,
    /// Where to write its files
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

/// Writes a rule file, a transcript and its report, which pass `referee test`. Existing files are not overwritten.
pub(super) fn new(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let Arguments { name, folder } = arguments;
    let folder = folder.strip_prefix(".").unwrap_or(folder);
    let mut title = name.replace('-', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let rules = RULES.replacen(HEADER, &format!("game {name} \"{title}\""), 1);
    let is_name = name
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    if !is_name || Game::from_text(name, &rules, &Library::default(), &[]).is_err() {
        let message = format!("`{name}` cannot be the name of a game");
        let help = "a name begins with a lower-case letter and has lower-case letters, digits and `-`, such as `my-game`";
        return Err(Error::usage(message).with_help(help));
    }
    let tests = folder.join(name);
    let files = [
        (folder.join(format!("{name}.rules")), rules.as_str()),
        (tests.join("first.in"), INPUT),
        (tests.join("first.out"), OUTPUT),
    ];
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        let message = format!("`{}` already exists", path.display());
        return Err(Error::usage(message).with_help("choose another name or folder"));
    }
    let failed = |path: &PathBuf| format!("`{}` cannot be written", path.display());
    fs::create_dir_all(&tests).with_context(|| failed(&tests))?;
    for (path, text) in &files {
        let file = fs::File::create_new(path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| failed(path))?;
        output::write(format!("{}\n", path.display()))?;
    }
    let (rules, _) = &files[0];
    if !is_quiet() {
        output::write(format!(
            "\nChange the rules, then: referee check {0}; referee run {0} {1}; referee test {2}\n",
            rules.display(),
            files[1].0.display(),
            tests.display()
        ))?;
    }
    if library.names().contains(name) {
        screen.note(&format!(
            "there is a game called `{name}` already: `referee run {name}` runs that one, `referee run {}` yours",
            rules.display()
        ));
    }
    Ok(Exit::Done)
}
