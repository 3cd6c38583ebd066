//! Rule files in a git revision: `REV:PATH`.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use referee::{game::Game, library::Library};

use super::error::{Error, Result};

/// Loads a game by name, by path or by `REV:PATH`, with variants. Whatever else a file from a revision needs is taken
/// from the working tree.
///
/// # Errors
/// If there is no such file in that revision, or the game cannot be loaded.
pub(super) fn load(library: &Library, name: &str, settings: &[(String, String)]) -> Result<Game> {
    let file = name.split_once('+').map_or(name, |(file, _)| file);
    let Some(path) = path_in_revision(file) else {
        return Ok(Game::load(library, name, settings)?);
    };
    let text = text_of(file).map_err(Error::usage)?;
    let path = path_here(path);
    let library = library.beside(&path.to_string_lossy());
    Ok(Game::load_text(&library, name, &text, settings)?)
}

/// The path in `REV:PATH`; `None` if the name has another form.
fn path_in_revision(name: &str) -> Option<&str> {
    let (revision, path) = name.split_once(':')?;
    // A single letter is a drive.
    (revision.len() > 1 && !path.is_empty() && !Path::new(name).exists()).then_some(path)
}

/// The path of a file in git's syntax: relative to the current folder if it starts with `./` or `../`, otherwise to the
/// root of the working tree.
fn path_here(path: &str) -> PathBuf {
    let is_from_here = path.starts_with("./") || path.starts_with("../");
    match root() {
        Some(root) if !is_from_here => root.join(path),
        _ => PathBuf::from(path),
    }
}

/// The root of the working tree.
fn root() -> Option<PathBuf> {
    let arguments = ["rev-parse", "--show-toplevel"];
    let output = Command::new("git").args(arguments).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output
        .status
        .success()
        .then(|| PathBuf::from(path.trim_end_matches('\n')))
}

/// The text of `REV:PATH`.
fn text_of(file: &str) -> Result<String, String> {
    let output = Command::new("git")
        // A revision that begins with `-` must not be taken for an option.
        .args(["cat-file", "--end-of-options", "blob", file])
        .output()
        .map_err(|error| format!("git cannot be asked for `{file}`: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default();
        let said = said.strip_prefix("fatal: ").unwrap_or(said);
        return Err(format!("git has no `{file}`: {said}"));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{file}` is not text: save it as UTF-8"))
}
