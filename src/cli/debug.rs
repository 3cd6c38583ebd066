//! `referee debug`: what the interpreter makes of rules.

use referee::library::Library;

use super::{Exit, error::Result, output, screen::Screen, settings::Chosen};

/// What can be looked into.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Debug {
    /// Writes the functions that a game is lowered to, as text
    Mir(Arguments),
}

/// The arguments of `mir`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Part of the names of the functions; all are written otherwise
    function: Option<String>,
}

/// Writes what was requested.
pub(super) fn debug(debug: &Debug, library: &Library, screen: &Screen) -> Result {
    let Debug::Mir(arguments) = debug;
    let game = arguments.chosen.load(library)?;
    let function = arguments.function.as_deref().unwrap_or_default();
    match game.mir(function) {
        None => {
            screen.error("the game is too large to be lowered", &[]);
            Ok(Exit::Bound)
        }
        Some(text) if text.is_empty() => {
            let message = format!("no function has a name with `{function}` in it");
            screen.error(
                &message,
                &["without a name, all functions are written".to_string()],
            );
            Ok(Exit::Usage)
        }
        Some(text) => {
            output::write(text)?;
            Ok(Exit::Done)
        }
    }
}
