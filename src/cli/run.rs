//! `referee run`: transcripts in, reports out.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use referee::{failure::Failure, game::Game, library::Library};

use super::{Exit, options, screen::Screen};

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
    let mut asked = false;
    let mut settings = Vec::new();
    for setting in &arguments.settings {
        match setting {
            Setting::Which => asked = true,
            Setting::Value(name, value) => settings.push((name.clone(), value.clone())),
        }
    }
    let game = match Game::load(library, &arguments.game, &settings) {
        Ok(game) => game.with_seed(arguments.seed),
        Err(unloaded) => {
            screen.unloaded(&unloaded);
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
        match report(&game, arguments.transcript.as_deref(), input, screen)? {
            Exit::Usage => return Ok(Exit::Usage),
            other => exit = exit.then(other),
        }
    }
    Ok(exit)
}

/// Reports on one transcript.
///
/// # Errors
/// Nothing more can be written.
fn report(game: &Game, form: Option<&str>, path: &Path, screen: &Screen) -> anyhow::Result<Exit> {
    let (name, opened) = if path == Path::new(DASH) {
        let input: Box<dyn Read> = Box::new(io::stdin().lock());
        ("standard input".to_string(), Ok(input))
    } else {
        let opened = File::open(path).map(|file| Box::new(file) as Box<dyn Read>);
        (path.display().to_string(), opened)
    };
    let result = match opened {
        Ok(mut input) => game.run(form, &name, &mut input, &mut io::stdout().lock()),
        Err(error) => Err(Failure::Input(error)),
    };
    let Err(failure) = result else {
        return Ok(Exit::Done);
    };
    let exit = Exit::from(&failure);
    match failure {
        Failure::Output(error) => return Err(error).context("the report cannot be written"),
        Failure::Input(error) => {
            screen.error(&format!("`{name}` cannot be read: {error}"), &[]);
        }
        Failure::Transcript(_)
        | Failure::Rules(_)
        | Failure::Bound(_)
        | Failure::NoTranscript(_)
        | Failure::NotPlaying(_) => screen.say(&failure.draw(screen.colour)),
    }
    Ok(exit)
}
