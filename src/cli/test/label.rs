//! Which game a test belongs to.

use std::path::{Path, PathBuf};

use referee::{
    diagnostic::alternatives,
    library::{ENDING, Library},
};

/// A game with its variants, the form of its transcripts, and its options.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cli) struct Label {
    /// What the game is loaded by: `game`, `folder/game.rules`, `folder/game.rules+variant`.
    pub(in crate::cli) game: String,
    /// The form of the transcript; the default where it is nothing.
    pub(in crate::cli) form: Option<String>,
    /// The values of options.
    pub(in crate::cli) settings: Vec<(String, String)>,
    /// The rule file, if it does not come from the library.
    pub(in crate::cli) file: Option<PathBuf>,
}

/// A name that says what is tested: `game+variant.form,option=value`.
struct Named<'n> {
    game: &'n str,
    /// The variants with the sign before each.
    variants: &'n str,
    form: Option<&'n str>,
    settings: Vec<(String, String)>,
}

impl<'n> Named<'n> {
    /// Takes the name of a folder apart.
    fn folder(name: &'n str) -> Named<'n> {
        let (head, settings) = name.split_once(',').unwrap_or((name, ""));
        let (game, form) = match head.split_once('.') {
            Some((game, form)) => (game, Some(form)),
            None => (head, None),
        };
        Named {
            form,
            ..Named::new(game, settings)
        }
    }

    /// Takes the name of a file apart: what comes after the first dot only tells it from others.
    fn file(name: &'n str) -> Named<'n> {
        let whole = name.split_once('.').map_or(name, |(whole, _)| whole);
        let (game, settings) = whole.split_once(',').unwrap_or((whole, ""));
        Named::new(game, settings)
    }

    fn new(whole: &'n str, settings: &str) -> Named<'n> {
        let (game, variants) = whole.split_at(whole.find('+').unwrap_or(whole.len()));
        let settings = settings.split(',').filter(|setting| !setting.is_empty());
        let settings = settings.map(|setting| {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            (name.to_string(), value.to_string())
        });
        Named {
            game,
            variants,
            form: None,
            settings: settings.collect(),
        }
    }

    /// The label where the game's rule file lies in `folder`.
    fn within(&self, folder: &Path) -> Option<Label> {
        let file = folder.join(format!("{}.{ENDING}", self.game));
        (!self.game.is_empty() && file.is_file()).then(|| self.label(Some(file)))
    }

    /// The label of a game of the library, with variants that it has or that lie in `folder`.
    fn shipped(&self, folder: &Path, library: &Library) -> Label {
        let mut label = self.label(None);
        label.game = self.game.to_string();
        for name in self.variants.split('+').filter(|name| !name.is_empty()) {
            let own = || {
                let file = format!("{name}.{ENDING}");
                let places = [folder.join(&file), folder.join(self.game).join(&file)];
                places.into_iter().find(|file| file.is_file())
            };
            let file = match library.find_variant(self.game, name) {
                Ok(_) => None,
                Err(_) => own(),
            };
            label.game.push('+');
            match file {
                // A path has a folder, which a name has not.
                Some(file) => label.game += &Path::new(".").join(file).display().to_string(),
                None => label.game += name,
            }
        }
        label
    }

    fn label(&self, file: Option<PathBuf>) -> Label {
        let game = match &file {
            Some(file) => file.display().to_string(),
            None => self.game.to_string(),
        };
        Label {
            game: format!("{game}{}", self.variants),
            form: self.form.map(str::to_string),
            settings: self.settings.clone(),
            file,
        }
    }
}

/// The label of the test `stem` in `folder`: its game is the first there is of
///
/// 1. the one whose rule file lies beside the test, and that the test is named after, up to its first dot;
/// 2. the one that the folder is named after: its rule file lies beside the folder, or it is one of the library;
/// 3. one of the library that the test is named after, with the name of a variant;
/// 4. the only one that has its rule file in the folder, or if there is none, in the folder around that.
///
/// Nothing where there is no such game.
///
/// # Errors
/// What to say where several games could be meant.
pub(in crate::cli) fn label(
    folder: &Path,
    stem: &str,
    library: &Library,
) -> Result<Option<Label>, String> {
    if let Some(label) = Named::file(stem).within(folder) {
        return Ok(Some(label));
    }
    // The present folder is called something too.
    let absolute = std::path::absolute(Path::new(".").join(folder)).unwrap_or_default();
    let around = match folder.parent() {
        Some(around) if folder.file_name().is_some() => around.to_path_buf(),
        _ => folder.join(".."),
    };
    let name = absolute.file_name().unwrap_or_default().to_string_lossy();
    let named = Named::folder(&name);
    if let Some(label) = named.within(&around) {
        return Ok(Some(label));
    }
    if !named.game.is_empty() && library.find(named.game).is_ok() {
        return Ok(Some(named.shipped(&around, library)));
    }
    let own = Named::file(stem);
    if !own.variants.is_empty() && library.find(own.game).is_ok() {
        return Ok(Some(own.shipped(folder, library)));
    }
    for place in [folder, &around] {
        let games = games(place);
        match games.as_slice() {
            [] => {}
            [only] => return Ok(Named::new(only, "").within(place)),
            several => {
                return Err(format!(
                    "it is not clear whether this tests {}: begin its name with that of the game and a dot",
                    alternatives(several)
                ));
            }
        }
    }
    Ok(None)
}

/// The games that have their rule files in a folder.
fn games(folder: &Path) -> Vec<String> {
    // An empty path is the present folder, but cannot be listed.
    let listed = Path::new(".").join(folder);
    let mut names = Library::with_folders(vec![listed]).names();
    names.retain(|name| folder.join(format!("{name}.{ENDING}")).is_file());
    names
}
