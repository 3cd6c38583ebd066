//! `referee why`: why the referee decided as it did on a line of a transcript.

use std::{fs, io::Read as _};

use referee::{failure::Failure, game::Game, library::Library};

use super::{Exit, inputs, moves::place, output, run, run::Setting, screen::Screen};

/// The arguments of `why`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    game: String,
    /// The transcript, a file or `-`, which is standard input, and the line that is explained; the last one if none is
    /// named
    #[arg(
        value_name = "INPUT[:LINE]",
        default_value = "-",
        allow_hyphen_values = true
    )]
    input: String,
    /// Which of the rule file's forms the transcript has; it has the first one otherwise
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// How many facts are looked into, one in the other
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
    /// Sets an option of the game
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = run::setting)]
    settings: Vec<Setting>,
}

/// Explains a line.
pub(super) fn why(
    arguments: &Arguments,
    library: &Library,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let settings: Vec<(String, String)> = arguments
        .settings
        .iter()
        .filter_map(|setting| match setting {
            Setting::Which => None,
            Setting::Value(name, value) => Some((name.clone(), value.clone())),
        })
        .collect();
    let game = match Game::load(library, &arguments.game, &settings) {
        Ok(game) => game,
        Err(unloaded) => {
            screen.unloaded(&unloaded);
            return Ok(Exit::from(&unloaded));
        }
    };
    let (path, line) = place(&arguments.input);
    let mut transcript = Vec::new();
    let read = if path == inputs::DASH {
        std::io::stdin()
            .lock()
            .read_to_end(&mut transcript)
            .map(|_| ())
    } else {
        fs::read(path).map(|bytes| transcript = bytes)
    };
    let name = if path == inputs::DASH {
        "standard input"
    } else {
        path
    };
    if let Err(error) = read {
        screen.error(&format!("`{name}` cannot be read: {error}"), &[]);
        return Ok(Exit::Machine);
    }
    match game.explain(
        arguments.transcript.as_deref(),
        line,
        arguments.depth,
        name,
        &transcript,
    ) {
        Ok(text) => {
            output::write(text)?;
            Ok(Exit::Done)
        }
        Err(failure) => {
            let exit = Exit::from(&failure);
            if !matches!(failure, Failure::Output(_)) {
                screen.say(&failure.draw(screen.colour));
            }
            Ok(exit)
        }
    }
}
