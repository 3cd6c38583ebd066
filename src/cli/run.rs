//! `referee run`: transcripts in, reports out.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use referee::{failure::Failure, game::Game, library::Library};

use super::{
    Exit,
    findings::{Findings, Format, Stream},
    options,
    screen::Screen,
};

/// The input that stands for standard input.
pub(super) const DASH: &str = "-";

/// The arguments of `run`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    game: String,
    /// The transcripts, each a file or `-`, which is standard input; that is also read where there is none
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
    let standard_input = [PathBuf::from(DASH)];
    let inputs = match arguments.inputs.as_slice() {
        [] => &standard_input,
        inputs => inputs,
    };
    let mut exit = Exit::Done;
    for input in inputs {
        match report(&game, arguments.transcript.as_deref(), input, findings)? {
            Exit::Usage => return Ok(Exit::Usage),
            other => exit = exit.then(other),
        }
    }
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

/// An input as it is called in messages, and what is in it.
pub(super) fn opened(path: &Path) -> (String, io::Result<Box<dyn Read>>) {
    if path == Path::new(DASH) {
        let input: Box<dyn Read> = Box::new(io::stdin().lock());
        return ("standard input".to_string(), Ok(input));
    }
    let opened = File::open(path).map(|file| Box::new(file) as Box<dyn Read>);
    (path.display().to_string(), opened)
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
    let (name, opened) = opened(path);
    let result = match opened {
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
