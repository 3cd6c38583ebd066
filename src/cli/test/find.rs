//! Finds tests in folders.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use referee::library::{ENDING, Library};

use super::{
    super::{
        inputs::{is_special, left_out},
        screen::Screen,
    },
    label::{Label, label},
};

/// The ending of a transcript's name.
const INPUT: &str = "in";

/// The ending of a report's name.
const OUTPUT: &str = "out";

/// A test: a transcript of a game.
pub(super) struct Case {
    /// The path of the transcript as it is shown.
    pub(super) name: String,
    /// The path of the transcript.
    pub(super) input: PathBuf,
    /// The game it is of, or why it is not known.
    pub(super) label: Result<Label, String>,
}

impl Case {
    /// The path of the report.
    pub(super) fn output(&self) -> PathBuf {
        output_of(&self.input)
    }

    /// The test of a transcript. A transcript without a report and a game is none: other things have such names too.
    fn new(input: &Path, library: &Library) -> Option<Case> {
        let folder = input.parent().unwrap_or(Path::new(""));
        let stem = input.file_stem().unwrap_or_default().to_string_lossy();
        let found = match label(folder, &stem, library) {
            Ok(Some(label)) => Ok(label),
            Ok(None) if !output_of(input).is_file() => return None,
            Ok(None) => Err(
                "it is not clear which game this tests: put it beside a rule file, or into a folder named after a game"
                    .to_string(),
            ),
            Err(message) => Err(message),
        };
        Some(Case {
            name: input.display().to_string(),
            input: input.to_path_buf(),
            label: found,
        })
    }
}

/// The path of the report on a transcript.
pub(super) fn output_of(input: &Path) -> PathBuf {
    input.with_extension(OUTPUT)
}

/// The tests that paths lead to, each once.
///
/// # Errors
/// What to say of a path that leads to none.
pub(super) fn cases(paths: &[PathBuf], library: &Library) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut names = BTreeSet::new();
    for path in paths {
        let mut found = at(path, library)?;
        found.retain(|case| names.insert(case.name.clone()));
        cases.append(&mut found);
    }
    Ok(cases)
}

/// The tests that a path leads to.
fn at(path: &Path, library: &Library) -> Result<Vec<Case>, String> {
    let unreadable = |error: io::Error| format!("`{}` cannot be read: {error}", path.display());
    if path.is_dir() {
        return below(path, library).map_err(unreadable);
    }
    fs::metadata(path).map_err(unreadable)?;
    let ending = path.extension().unwrap_or_default();
    if ending == INPUT || ending == OUTPUT {
        let case = Case::new(&path.with_extension(INPUT), library);
        return Ok(case.into_iter().collect());
    }
    if ending == ENDING {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut cases = below(folder, library).map_err(unreadable)?;
        cases.retain(|case| {
            let file = case
                .label
                .as_ref()
                .ok()
                .and_then(|label| label.file.as_ref());
            file.is_some_and(|file| file == path)
        });
        return Ok(cases);
    }
    Err(format!(
        "`{}` is no folder, no rule file and no test",
        path.display()
    ))
}

/// The tests in a folder and all folders in it, in the order of their names. What is hidden is left out.
fn below(folder: &Path, library: &Library) -> io::Result<Vec<Case>> {
    // Names then do not begin with the sign of the present folder.
    let folder = folder.strip_prefix(".").unwrap_or(folder);
    let listed = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(listed)? {
        names.insert(entry?.file_name());
    }
    let mut cases = Vec::new();
    for name in names {
        let path = folder.join(&name);
        let kind = fs::symlink_metadata(&path)?.file_type();
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            cases.extend(below(&path, library)?);
        } else if path.extension().is_some_and(|ending| ending == INPUT) {
            if is_special(&path) {
                Screen::new().note(&left_out(&path));
                continue;
            }
            cases.extend(Case::new(&path, library));
        }
    }
    Ok(cases)
}
