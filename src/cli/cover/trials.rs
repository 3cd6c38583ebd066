//! Finds the transcripts that belong to a game.

use std::{
    collections::BTreeSet,
    fs::File,
    path::{Path, PathBuf},
};

use referee::{
    game::{Game, Trial},
    library::Library,
};

use super::super::{
    error::{Error, Result},
    folders::{self, Found, TRANSCRIPTS},
    inputs::{self, left_out},
    screen::Screen,
    test::label::{Label, label},
};

/// A game with its variants, as folders are named after it.
type Called = (String, Vec<String>);

/// The transcripts of a game that paths lead to, each once.
///
/// # Errors
/// A path leads to none, or cannot be read.
pub(super) fn found(
    game: &Game,
    named: &str,
    form: Option<&str>,
    paths: &[PathBuf],
    library: &Library,
) -> Result<Vec<Trial>> {
    let search = Search {
        called: called(game, named),
        form,
        library,
        is_strict: paths.is_empty(),
        only: None,
    };
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here } else { paths };
    let mut trials = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        let mut files = Vec::new();
        if path.is_dir() {
            let found = folders::files(path, &TRANSCRIPTS, None)
                .and_then(Found::whole)
                .map_err(|error| Error::unreadable(&inputs::name(path), &error))?;
            for special in &found.special {
                Screen::new().note(&left_out(special));
            }
            files.extend(found.files);
        } else {
            files.push(path.clone());
        }
        let before = trials.len();
        for file in files {
            if !seen.insert(file.clone()) {
                continue;
            }
            // Whoever names a file means it, whatever its folder is called.
            let trial = match search.trial(&file)? {
                None if file == *path => Some(search.taken(&file, None, Vec::new())?),
                found => found,
            };
            trials.extend(trial);
        }
        if trials.len() == before {
            return Err(Error::usage(format!(
                "there is no transcript of `{named}` in `{}`",
                path.display()
            )));
        }
    }
    Ok(trials)
}

/// The transcripts of the game of a rule file, or of the game with the variant that the file is, where `referee test` looks
/// for them: beside the file or in folders beside it, and for a variant around that folder too.
pub(in crate::cli) fn beside(game: &Game, file: &str, library: &Library) -> Vec<Trial> {
    let search = Search {
        called: called(game, file),
        form: None,
        library,
        is_strict: true,
        only: None,
    };
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let mut folders = vec![folder];
    if !game.applied().is_empty() {
        folders.extend(folder.parent());
    }
    let mut files = BTreeSet::new();
    for folder in folders {
        if let Ok(found) = folders::files(folder, &TRANSCRIPTS, Some(1)) {
            files.extend(found.files);
        }
    }
    let trials = files.iter().map(|file| search.trial(file).ok().flatten());
    trials.flatten().collect()
}

/// The transcripts of the same game in folders that are not beside the file, however deep they lie.
pub(in crate::cli) fn within(
    game: &Game,
    file: &str,
    library: &Library,
    folders: &[PathBuf],
) -> Vec<Trial> {
    let search = Search {
        called: called(game, file),
        form: None,
        library,
        is_strict: true,
        only: Some(Path::new(file)),
    };
    let mut files = BTreeSet::new();
    for folder in folders {
        if let Ok(found) = folders::files(folder, &TRANSCRIPTS, None) {
            files.extend(found.files);
        }
    }
    let trials = files.iter().map(|file| search.trial(file).ok().flatten());
    trials.flatten().collect()
}

/// Whose transcripts are looked for.
struct Search<'s> {
    called: Called,
    /// The form of those whose folders do not say it.
    form: Option<&'s str>,
    library: &'s Library,
    /// Whether a transcript must say whose it is.
    is_strict: bool,
    /// The rule file that it must be of, where another of the same name may lie beside it.
    only: Option<&'s Path>,
}

impl Search<'_> {
    fn is_of(&self, label: &Label) -> bool {
        let file = label.file.as_deref();
        let is_only = self.only.zip(file).is_none_or(|(only, file)| only == file);
        is_only && of_label(label) == self.called
    }

    /// A file as a transcript of the game; nothing if it is of another.
    fn trial(&self, path: &Path) -> Result<Option<Trial>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let (form, settings) = match label(folder, &stem, self.library) {
            Ok(Some(label)) if self.is_of(&label) => (label.form, label.settings),
            Ok(None) if !self.is_strict => (None, Vec::new()),
            Ok(_) | Err(_) => return Ok(None),
        };
        self.taken(path, form, settings).map(Some)
    }

    /// A file as a transcript in this form of the game with these settings.
    fn taken(
        &self,
        path: &Path,
        form: Option<String>,
        settings: Vec<(String, String)>,
    ) -> Result<Trial> {
        let transcript = File::open(path)
            .and_then(inputs::all)
            .map_err(|error| Error::unreadable(&inputs::name(path), &error))?;
        Ok(Trial {
            name: path.display().to_string(),
            form: form.or_else(|| self.form.map(str::to_string)),
            settings,
            transcript,
        })
    }
}

/// What the folders of a game that was loaded by a name are called.
fn called(game: &Game, named: &str) -> Called {
    let (_, variants) = taken_apart(named);
    if variants.is_empty()
        && let Some(last) = game.applied().last()
    {
        // The path of a variant's file.
        return (game.name().to_string(), vec![(*last).to_string()]);
    }
    (game.name().to_string(), variants)
}

fn of_label(label: &Label) -> Called {
    taken_apart(&label.game)
}

/// Takes a game's name apart; what is a path goes by the name of its file.
fn taken_apart(name: &str) -> Called {
    let mut parts = name.split('+').map(|part| {
        let stem = Path::new(part).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    });
    (parts.next().unwrap_or_default(), parts.collect())
}
