//! `referee why`: why the referee decided as it did on a line of a transcript.

use std::path::Path;

use referee::{failure::Failure, library::Library};

use super::{
    Exit, inputs,
    moves::place,
    output,
    screen::Screen,
    settings::{self, Setting},
};

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
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting)]
    settings: Vec<Setting>,
}

/// Explains a line.
pub(super) fn why(
    arguments: &Arguments,
    library: &Library,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let game = match settings::load(library, &arguments.game, &arguments.settings, screen)? {
        Ok(game) => game,
        Err(exit) => return Ok(exit),
    };
    let (path, line) = place(&arguments.input);
    let (name, transcript) = inputs::read(Path::new(path));
    let transcript = match transcript {
        Ok(transcript) => transcript,
        Err(error) => {
            screen.error(&format!("`{name}` cannot be read: {error}"), &[]);
            return Ok(Exit::Machine);
        }
    };
    match game.explain(
        arguments.transcript.as_deref(),
        line,
        arguments.depth,
        &name,
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
