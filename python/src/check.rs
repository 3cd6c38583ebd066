//! What is wrong with rules, and what rules there are.

use std::path::{Path, PathBuf};

use pyo3::{prelude::*, types::PyMapping};
use referee::{
    game::{Game, Unloaded},
    library::Library,
};

use crate::{
    errors::{Wrong, python},
    loaded::{named, settings},
};

/// What is wrong with a game, or probably not meant: a list of `Diagnostic`, empty where nothing is. What its examples
/// show counts as well. The arguments are those of `Game.load`; this raises nothing for what is wrong with the game.
///
/// >>> import referee
/// >>> referee.check("snooker")
/// []
/// >>> [(one.slug, one.line) for one in referee.check("mine", text='game mine "Mine"')]
/// [('no-transcript', 1)]
#[pyfunction]
#[pyo3(signature = (name, options = None, *, text = None, folders = Vec::new()))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyMapping>>,
    text: Option<&str>,
    folders: Vec<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let library = Library::with_folders(folders);
    let settings = settings(options)?;
    let name = &named(name)?;
    let found = py.detach(|| {
        let loaded = match text {
            Some(text) => Game::load_text(&library, name, text, &settings),
            None => Game::load(&library, name, &settings),
        };
        match loaded {
            Ok(game) => {
                let mut found = game.warnings().to_vec();
                let examples = game.examples().into_iter();
                found.extend(examples.flat_map(|example| example.wrong));
                let found = found.iter().map(|one| one.to_data(game.sources()));
                found.collect()
            }
            Err(unloaded) => Wrong::unloaded(unloaded).diagnostics,
        }
    });
    let found = python(py, &found)?;
    py.import("referee.errors")?
        .getattr("_diagnostics")?
        .call1((found,))
}

/// The names of the games there are, in `folders` and shipped: a list of str, in order.
///
/// >>> import referee
/// >>> referee.games()[:3]
/// ['bowling', 'chess', 'connect-four']
#[pyfunction]
#[pyo3(signature = (*, folders = Vec::new()))]
pub(crate) fn games(folders: Vec<PathBuf>) -> Vec<String> {
    Library::with_folders(folders).names()
}

/// The names of the variants of a game, in `folders` and shipped: a list of str, in order. `game` is its name, or the path of
/// its rule file. Raises `UsageError` where there is no such game, and `MachineError` where the file cannot be read.
///
/// >>> import referee
/// >>> referee.variants("snooker")
/// ['club', 'foul-five', 'free-ball', 'miss', 'plus', 'six-red']
#[pyfunction]
#[pyo3(signature = (game, *, folders = Vec::new()))]
pub(crate) fn variants(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    folders: Vec<PathBuf>,
) -> PyResult<Vec<String>> {
    let game = named(game)?;
    let library = Library::with_folders(folders);
    let found = library.find(&game);
    found.map_err(|missing| Wrong::unloaded(Unloaded::Missing(missing)).raised(py))?;
    let stem = Path::new(&game).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    Ok(library.beside(&game).variants(&stem))
}
