//! The examples in the rule files that are tested.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use referee::{
    diagnostic::Colour,
    game::Game,
    library::{ENDING, Library},
};

use super::super::inputs::is_special;

/// What a line begins with on which an example does.
const EXAMPLE: &str = "example ";

/// An example that was run.
pub(super) struct Ran {
    /// The path of its rule file, with its name.
    pub(super) name: String,
    /// What is wrong with it, drawn.
    pub(super) wrong: Option<String>,
}

/// Runs the examples of the rule files that paths lead to whose names have one of these texts in them, if there are
/// any.
///
/// # Errors
/// What to say of a folder that cannot be read.
pub(super) fn run(
    paths: &[PathBuf],
    filters: &[String],
    library: &Library,
    colour: Colour,
) -> Result<Vec<Ran>, String> {
    let mut files = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            let unreadable = |error| format!("`{}` cannot be read: {error}", path.display());
            below(path, &mut files).map_err(unreadable)?;
        } else if path.extension().is_some_and(|ending| ending == ENDING) {
            files.insert(path.clone());
        }
    }
    let mut ran = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text.lines().any(|line| line.starts_with(EXAMPLE)) {
            ran.extend(of_file(&file, library, colour));
        }
    }
    let is_wanted = |name: &str| filters.iter().any(|filter| name.contains(filter));
    ran.retain(|one| filters.is_empty() || is_wanted(&one.name));
    Ok(ran)
}

/// The examples of a rule file.
fn of_file(file: &Path, library: &Library, colour: Colour) -> Vec<Ran> {
    let path = file.display().to_string();
    // What is no path otherwise is taken for a name.
    let named = if path.contains('/') {
        path.clone()
    } else {
        format!("./{path}")
    };
    let game = match Game::load(library, &named, &[]) {
        Ok(game) => game,
        Err(unloaded) => {
            return vec![Ran {
                name: path,
                wrong: Some(unloaded.to_string()),
            }];
        }
    };
    let examples = game.examples().into_iter().map(|example| {
        let drawn: Vec<String> = example
            .wrong
            .iter()
            .map(|diagnostic| diagnostic.draw(game.sources(), colour))
            .collect();
        Ran {
            name: format!("{path} {}", example.name),
            wrong: (!drawn.is_empty()).then(|| drawn.join("\n\n")),
        }
    });
    examples.collect()
}

/// Adds the rule files in a folder and all folders in it. What is hidden is left out.
fn below(folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    // Names then do not begin with the sign of the present folder.
    let folder = folder.strip_prefix(".").unwrap_or(folder);
    let listed = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(listed)? {
        let name = entry?.file_name();
        let path = folder.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            below(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == ENDING) && !is_special(&path) {
            files.insert(path);
        }
    }
    Ok(())
}
