//! A game with its options set, as most commands take it.

use referee::{game::Game, library::Library};

use super::{Exit, options, screen::Screen};

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
    game: String,
    /// Sets an option of the game
    // Listed behind what is the command's own.
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = setting, display_order = 100)]
    settings: Vec<Setting>,
}

impl Chosen {
    /// As [`load`].
    pub(super) fn load(
        &self,
        library: &Library,
        screen: &Screen,
    ) -> anyhow::Result<Result<Game, Exit>> {
        load(library, &self.game, &self.settings, screen)
    }
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

/// Whether the options are to be listed.
pub(super) fn are_asked(settings: &[Setting]) -> bool {
    settings
        .iter()
        .any(|setting| matches!(setting, Setting::Which))
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

/// The game that a command is about.
///
/// # Errors
/// The inner one is how the command ends already: the game could not be loaded, or its options were asked for.
pub(super) fn load(
    library: &Library,
    name: &str,
    settings: &[Setting],
    screen: &Screen,
) -> anyhow::Result<Result<Game, Exit>> {
    match Game::load(library, name, &values(settings)) {
        Ok(game) if are_asked(settings) => Ok(Err(options::list(&game)?)),
        Ok(game) => Ok(Ok(game)),
        Err(unloaded) => {
            screen.unloaded(&unloaded);
            Ok(Err(Exit::from(&unloaded)))
        }
    }
}
