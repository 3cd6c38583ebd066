//! `referee run`: transcripts in, reports out.

use std::{
    io,
    path::{Path, PathBuf},
};

use referee::{failure::Failure, game::Game, library::Library};

use super::{
    Exit,
    findings::{Findings, Format, Stream},
    inputs, options, output, parallel,
    screen::Screen,
};

/// The arguments of `run`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    game: String,
    /// The transcripts, each a file, a folder, which stands for the files below it that end in `.txt`, or `-`, which is
    /// standard input; that is also read where there is none
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Which of the rule file's forms the transcripts have; they have the first one otherwise
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// What `play by random` draws from: the same seed gives the same game
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Sets an option of the game; with `?` its options are listed and nothing is run
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = setting)]
    settings: Vec<Setting>,
    /// How many transcripts are worked on at once; with 0 as many as there are processors
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// How what is wrong is written to standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    errors: Format,
}

/// An argument of `--set`.
#[derive(Debug, Clone)]
pub(super) enum Setting {
    /// `?`
    Which,
    /// `option=value`
    Value(String, String),
}

/// Takes an argument of `--set` apart.
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

/// Reports on each transcript in order.
pub(super) fn run(
    arguments: &Arguments,
    library: &Library,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let mut findings = Findings::new(arguments.errors, Stream::Error, screen);
    let exit = reports(arguments, library, &mut findings)?;
    findings.finish()?;
    Ok(exit)
}

fn reports(
    arguments: &Arguments,
    library: &Library,
    findings: &mut Findings<'_>,
) -> anyhow::Result<Exit> {
    let asked = arguments
        .settings
        .iter()
        .any(|setting| matches!(setting, Setting::Which));
    let game = match Game::load(library, &arguments.game, &values(&arguments.settings)) {
        Ok(game) => game.with_seed(arguments.seed),
        Err(unloaded) => {
            findings.unloaded(&unloaded)?;
            return Ok(Exit::from(&unloaded));
        }
    };
    if asked {
        return options::list(&game);
    }
    let inputs = match inputs::meant(&arguments.inputs) {
        Ok(inputs) => inputs,
        Err(message) => {
            findings.placeless("unreadable", &message, &[])?;
            return Ok(Exit::Usage);
        }
    };
    if arguments.jobs == 1 || inputs.len() == 1 {
        one_by_one(&game, arguments.transcript.as_deref(), &inputs, findings)
    } else {
        at_once(&game, arguments, &inputs, findings)
    }
}

/// Reports on one transcript after the other, each line as it comes.
fn one_by_one(
    game: &Game,
    form: Option<&str>,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for input in inputs {
        match report(game, form, input, findings)? {
            Exit::Usage => return Ok(Exit::Usage),
            other => exit = exit.then(other),
        }
    }
    Ok(exit)
}

/// Reports on several transcripts at once.
fn at_once(
    game: &Game,
    arguments: &Arguments,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let form = arguments.transcript.as_deref();
    parallel::run(game, form, inputs, arguments.jobs, |ran| {
        output::write(&ran.report)?;
        let Some(failure) = ran.failure else {
            return Ok(true);
        };
        let this = Exit::from(&failure);
        findings.failure(failure, &ran.name)?;
        exit = if this == Exit::Usage {
            this
        } else {
            exit.then(this)
        };
        Ok(this != Exit::Usage)
    })?;
    Ok(exit)
}

/// The options that are set, with their values.
pub(super) fn values(settings: &[Setting]) -> Vec<(String, String)> {
    settings
        .iter()
        .filter_map(|setting| match setting {
            Setting::Which => None,
            Setting::Value(name, value) => Some((name.clone(), value.clone())),
        })
        .collect()
}

/// Reports on one transcript.
///
/// # Errors
/// Nothing more can be written.
fn report(
    game: &Game,
    form: Option<&str>,
    path: &Path,
    findings: &mut Findings<'_>,
) -> anyhow::Result<Exit> {
    let name = inputs::name(path);
    let result = match inputs::opened(path) {
        Ok(mut input) => game.run(form, &name, &mut input, &mut io::stdout().lock()),
        Err(error) => Err(Failure::Input(error)),
    };
    let Err(failure) = result else {
        return Ok(Exit::Done);
    };
    let exit = Exit::from(&failure);
    findings.failure(failure, &name)?;
    Ok(exit)
}
