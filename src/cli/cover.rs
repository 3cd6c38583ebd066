//! `referee cover`: which rows of a game its transcripts reach.

mod data;
mod html;
mod mutants;
pub(super) mod text;
pub(super) mod trials;

pub(super) use data::Document as Covered;
pub(super) use mutants::Document as Mutated;

use std::path::{Path, PathBuf};

use clap_complete::ArgValueCompleter;
use referee::{library::Library, packed::has_ending};

use super::{
    Exit, complete,
    error::{Error, Result},
    output::{self, Formatted},
    settings::{self, Limited, Setting},
    watch::Watch,
};

/// The arguments of `cover`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; for `GAME+VARIANT`, only the variants' own rows are shown
    #[arg(add = ArgValueCompleter::new(complete::games))]
    game: String,
    /// Transcripts: files, or folders with the `.in` and `.txt` files below them that belong to the game; by default,
    /// those below the current folder whose names or folders say so
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The form of transcripts whose folders do not name it, if it is not the default one
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::forms))]
    transcript: Option<String>,
    /// Sets an option of the game, for all transcripts
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting, add = ArgValueCompleter::new(complete::settings))]
    settings: Vec<Setting>,
    /// Changes one thing at a time (a constant, a comparison, the order of two rows, a condition, an equation), and lists the
    /// changes that no transcript notices
    #[arg(long, conflicts_with_all = ["html", "lcov"])]
    mutants: bool,
    /// Makes only N of the changes, spread evenly
    #[arg(long, value_name = "N", requires = "mutants", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The percentage of rows that must fire, or of changes that must be noticed: if fewer do, the exit code is 1
    #[arg(long, value_name = "PER CENT", value_parser = clap::value_parser!(u8).range(..=100))]
    fail_under: Option<u8>,
    /// Also writes the rule file as a page for browsers, with its counts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also writes the counts as an `lcov` tracefile
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    #[command(flatten)]
    formatted: Formatted,
    #[command(flatten)]
    limited: Limited,
    #[command(flatten)]
    pub(super) again: Watch,
}

/// Measures coverage and writes it.
pub(super) fn cover(arguments: &Arguments, library: &Library) -> Result {
    let game = settings::load(library, &arguments.game, &arguments.settings)?;
    let game = game.limited(arguments.limited.limits()?);
    let form = arguments.transcript.as_deref();
    let as_data = arguments.formatted.is_json();
    if as_data {
        no_target(&arguments.paths)?;
    }
    let trials = trials::found(&game, &arguments.game, form, &arguments.paths, library)?;
    let is_short = |per_cent: usize| {
        let least = arguments.fail_under;
        least.is_some_and(|least| per_cent < usize::from(least))
    };
    if arguments.mutants {
        let mutants = game.mutants(&trials, arguments.sample.map(|count| count as usize))?;
        output::write(if as_data {
            mutants::json(&game, &mutants)?
        } else {
            mutants::text(&mutants)
        })?;
        return Ok(exit(is_short(mutants.per_cent())));
    }
    let cover = game.cover(&trials)?;
    output::write(if as_data {
        data::written(&game, &cover)?
    } else {
        text::written(&cover)
    })?;
    write(arguments.html.as_deref(), || {
        Ok(html::written(&game, &cover))
    })?;
    write(arguments.lcov.as_deref(), || Ok(data::traced(&cover)))?;
    Ok(exit(is_short(cover.per_cent())))
}

/// Refuses a file for the counts among the transcripts: they go to standard output.
fn no_target(paths: &[PathBuf]) -> Result<()> {
    let is_target = |path: &&PathBuf| has_ending(path.as_os_str(), &["json"]);
    let Some(path) = paths.iter().find(is_target) else {
        return Ok(());
    };
    let path = path.display();
    let message = format!("`{path}` is no transcript, and `--json` takes no file");
    Err(Error::usage(message).with_help(format!(
        "the counts go to standard output: write `--json > {path}`"
    )))
}

/// The exit code, depending on whether the threshold was missed.
fn exit(is_short: bool) -> Exit {
    if is_short { Exit::No } else { Exit::Done }
}

/// Writes a report to a file, if one was requested.
fn write(path: Option<&Path>, text: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    output::replace(path, text()?)
}
