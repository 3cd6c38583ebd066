//! The arguments that most commands share: the game with its options and limits, and the folders with rule files.

use std::{env, fmt::Write as _, fs, num::IntErrorKind, path::PathBuf};

use clap_complete::ArgValueCompleter;
use referee::{
    game::Game,
    library::Library,
    limits::{Limit, Limits},
};

use super::{
    complete,
    error::{Error, Result},
    output,
};

/// An argument of `--set`.
#[derive(Debug, Clone)]
pub(super) enum Setting {
    /// `?`
    Which,
    /// `option=value`
    Value(String, String),
}

/// The arguments that say which game a command is about.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Chosen {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    #[arg(add = ArgValueCompleter::new(complete::games))]
    game: String,
    /// Sets an option of the game
    // Listed behind what is the command's own.
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = setting, add = ArgValueCompleter::new(complete::settings), display_order = 100)]
    settings: Vec<Setting>,
}

impl Chosen {
    /// Like [`load`].
    pub(super) fn load(&self, library: &Library) -> Result<Game> {
        load(library, &self.game, &self.settings)
    }
}

/// Parses an argument of `--set`.
pub(super) fn setting(written: &str) -> Result<Setting, &'static str> {
    if written == "?" {
        return Ok(Setting::Which);
    }
    match written.split_once('=') {
        Some((name, value)) if !name.is_empty() => {
            Ok(Setting::Value(name.to_string(), value.to_string()))
        }
        _ => Err("write OPTION=VALUE, or ? to see which options there are"),
    }
}

/// Whether to list the options.
pub(super) fn are_asked(settings: &[Setting]) -> bool {
    settings
        .iter()
        .any(|setting| matches!(setting, Setting::Which))
}

/// The options that are set, with their values.
///
/// # Errors
/// If an option is set twice.
pub(super) fn values(settings: &[Setting]) -> Result<Vec<(String, String)>> {
    let mut values: Vec<(String, String)> = Vec::new();
    for setting in settings {
        let Setting::Value(name, value) = setting else {
            continue;
        };
        if values.iter().any(|(known, _)| known == name) {
            return Err(Error::usage(format!("`{name}` is set twice")));
        }
        values.push((name.clone(), value.clone()));
    }
    Ok(values)
}

/// Loads the game of a command.
///
/// # Errors
/// If it cannot be loaded; or if its options were requested, after listing them.
pub(super) fn load(library: &Library, name: &str, settings: &[Setting]) -> Result<Game> {
    let game = Game::load(library, name, &values(settings)?)?;
    if are_asked(settings) {
        list(&game)?;
        return Err(Error::Answered);
    }
    Ok(game)
}

/// Lists the options with their types, defaults and meanings.
pub(super) fn list(game: &Game) -> anyhow::Result<()> {
    let mut text = String::new();
    for line in lines(game) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    if text.is_empty() {
        let _ = writeln!(text, "{} has no options", game.name());
    }
    output::write(text)
}

/// The options of a game, by lines.
pub(super) fn lines(game: &Game) -> Vec<String> {
    let options = game.options();
    let declared: Vec<String> = options
        .iter()
        .map(|option| {
            let declared = format!("{}: {} = {}", option.name, option.ty, option.value);
            if option.value == option.default {
                declared
            } else {
                format!("{declared} (set; otherwise {})", option.default)
            }
        })
        .collect();
    let width = declared.iter().map(|line| line.chars().count()).max();
    let width = width.unwrap_or_default();
    let lines = options.iter().zip(&declared).map(|(option, declared)| {
        if option.meaning.is_empty() {
            declared.clone()
        } else {
            format!("{}  -- {}", output::padded(declared, width), option.meaning)
        }
    });
    lines.collect()
}

/// `--limit`: how much a run may take.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Limited {
    /// Sets a limit: `fuel=N` values that an event may look at, `memory=N` MiB of values, `events=N` events. A run that
    /// needs more ends with exit code 5
    #[arg(long = "limit", value_name = "WHAT=N", value_parser = limit, display_order = 101)]
    limits: Vec<(Limit, u64)>,
}

impl Limited {
    /// The limits.
    ///
    /// # Errors
    /// One is set twice.
    pub(super) fn limits(&self) -> Result<Limits> {
        let mut limits = Limits::default();
        let mut known = Vec::new();
        for (limit, amount) in &self.limits {
            if known.contains(limit) {
                return Err(Error::usage(format!("the limit `{limit}` is set twice")));
            }
            known.push(*limit);
            limits = limits.with(*limit, *amount);
        }
        Ok(limits)
    }
}

/// Parses an argument of `--limit`.
fn limit(written: &str) -> Result<(Limit, u64), String> {
    const USAGE: &str = "write fuel=N, memory=N or events=N";
    let (name, amount) = written.split_once('=').ok_or(USAGE)?;
    let limit = Limit::ALL.into_iter().find(|limit| limit.name() == name);
    let limit = limit.ok_or_else(|| format!("there is no limit `{name}`: {USAGE}"))?;
    let most = limit.greatest();
    let wrong = match amount.parse() {
        Ok(0) => "at least 1 is needed".to_owned(),
        Ok(amount) if amount <= most => return Ok((limit, amount)),
        Err(error) if *error.kind() != IntErrorKind::PosOverflow => {
            let unit = match limit {
                Limit::Fuel => "values",
                Limit::Memory => "MiB",
                Limit::Events => "events",
            };
            format!("write a whole number of {unit}, without a unit")
        }
        Ok(_) | Err(_) => format!("the most is {limit}={most}"),
    };
    Err(wrong)
}

/// The variable with additional folders.
const VARIABLE: &str = "REFEREE_RULES";

/// The arguments that say where rule files are.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Folders {
    /// A folder of rule files, which come before the shipped ones; can be repeated
    #[arg(
        long = "rules",
        value_name = "FOLDER",
        global = true,
        display_order = 200
    )]
    folders: Vec<PathBuf>,
}

impl Folders {
    /// The library of these folders.
    ///
    /// # Errors
    /// If one of them is no folder.
    pub(super) fn library(&self) -> Result<Library, String> {
        if let Some(path) = self.folders.iter().find(|path| !path.is_dir()) {
            return Err(format!("`{}` in --rules is not a folder", path.display()));
        }
        for path in &self.folders {
            fs::read_dir(path).map_err(|error| {
                format!("`{}` in --rules cannot be read: {error}", path.display())
            })?;
        }
        Ok(with_folders(self.folders.clone()))
    }
}

/// The library of these folders and those in the variable.
pub(super) fn with_folders(mut folders: Vec<PathBuf>) -> Library {
    if let Some(more) = env::var_os(VARIABLE) {
        folders.extend(env::split_paths(&more).filter(|path| !path.as_os_str().is_empty()));
    }
    Library::with_folders(folders)
}
