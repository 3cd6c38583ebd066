//! The examples in the rule files that are tested.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use referee::{
    diagnostic::Colour,
    game::Game,
    library::{ENDING, Library},
};

use super::super::{
    error::{Error, Result},
    folders::{self, Found},
    inputs,
};

/// What a line begins with on which an example does.
const EXAMPLE: &str = "example ";

/// An example that was run.
pub(super) struct Ran {
    /// The path of its rule file.
    pub(super) file: String,
    /// Its name; nothing where the rule file cannot be loaded.
    pub(super) example: Option<String>,
    /// What is wrong with it, drawn.
    pub(super) wrong: Option<String>,
    /// Its share of the time that all of its rule file took.
    pub(super) took: Duration,
}

impl Ran {
    /// The path of its rule file, with its name.
    pub(super) fn name(&self) -> String {
        match &self.example {
            Some(example) => format!("{} {example}", self.file),
            None => self.file.clone(),
        }
    }
}

/// Runs the examples of the rule files that paths lead to whose names have one of these texts in them, if there are
/// any.
///
/// # Errors
/// A folder cannot be read.
pub(super) fn run(
    paths: &[PathBuf],
    filters: &[String],
    library: &Library,
    colour: Colour,
) -> Result<Vec<Ran>> {
    let mut files = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            let found = folders::files(path, &[ENDING], None)
                .and_then(Found::whole)
                .map_err(|error| Error::unreadable(&inputs::name(path), &error))?;
            files.extend(found.files);
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
    ran.retain(|one| filters.is_empty() || is_wanted(&one.name()));
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
    let began = Instant::now();
    let game = match Game::load(library, &named, &[]) {
        Ok(game) => game,
        Err(unloaded) => {
            return vec![Ran {
                file: path,
                example: None,
                wrong: Some(unloaded.to_string()),
                took: began.elapsed(),
            }];
        }
    };
    let examples = game.examples();
    let count = u32::try_from(examples.len().max(1)).unwrap_or(u32::MAX);
    let took = began.elapsed() / count;
    let examples = examples.into_iter().map(|example| {
        let drawn: Vec<String> = example
            .wrong
            .iter()
            .map(|diagnostic| diagnostic.draw(game.sources(), colour))
            .collect();
        Ran {
            file: path.clone(),
            example: Some(example.name.clone()),
            wrong: (!drawn.is_empty()).then(|| drawn.join("\n\n")),
            took,
        }
    });
    examples.collect()
}
