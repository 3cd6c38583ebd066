//! What is wrong with rules, and what rules there are.

use std::path::PathBuf;

use pyo3::{prelude::*, types::PyDict};
use referee::{game::Game, library::Library};

use crate::{
    errors::{Wrong, python},
    game::settings,
};

/// What is wrong with a game.
#[pyfunction]
#[pyo3(signature = (name, options = None, *, text = None, folders = Vec::new()))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    name: &str,
    options: Option<&Bound<'py, PyDict>>,
    text: Option<&str>,
    folders: Vec<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let library = Library::with_folders(folders);
    let settings = settings(options)?;
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
            Err(unloaded) => Wrong::unloaded(&unloaded).diagnostics,
        }
    });
    let found = python(py, &found)?;
    py.import("referee.errors")?
        .getattr("_diagnostics")?
        .call1((found,))
}

/// The names of the games there are.
#[pyfunction]
#[pyo3(signature = (*, folders = Vec::new()))]
pub(crate) fn games(folders: Vec<PathBuf>) -> Vec<String> {
    Library::with_folders(folders).names()
}

/// The names of the variants of a game.
#[pyfunction]
#[pyo3(signature = (game, *, folders = Vec::new()))]
pub(crate) fn variants(game: &str, folders: Vec<PathBuf>) -> Vec<String> {
    Library::with_folders(folders).variants(game)
}
