//! Where rule files come from: folders, files, and those that are shipped inside the program.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use include_dir::{Dir, include_dir};

/// The rule files that are shipped.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The ending of a rule file's name.
const ENDING: &str = "rules";

/// The rule files there are, by name.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folders: Vec<PathBuf>,
}

/// A rule file as it was found.
#[derive(Debug, Clone)]
pub struct RuleText {
    /// What diagnostics call it: its path, or its name among the shipped ones.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Why a rule file could not be had.
#[derive(Debug)]
pub enum Missing {
    /// There is none of this name; these there are.
    Unknown(Vec<String>),
    /// The file is there and cannot be read.
    Unreadable(PathBuf, std::io::Error),
}

impl Library {
    /// The shipped games only.
    #[must_use]
    pub fn shipped() -> Library {
        Library::default()
    }

    /// The games of `folders`, the first before the others, then the shipped ones.
    #[must_use]
    pub fn with_folders(folders: Vec<PathBuf>) -> Library {
        Library { folders }
    }

    /// The rule file of a game: the name of one there is, or the path of a file (it has a `/` or ends in `.rules`).
    ///
    /// # Errors
    /// [`Missing`] where there is none, or it cannot be read.
    pub fn find(&self, name: &str) -> Result<RuleText, Missing> {
        if name.contains(['/', '\\']) || Path::new(name).extension().is_some_and(|e| e == ENDING) {
            return read(Path::new(name));
        }
        let file = format!("{name}.{ENDING}");
        for folder in &self.folders {
            let path = folder.join(&file);
            if path.is_file() {
                return read(&path);
            }
        }
        match SHIPPED
            .get_file(&file)
            .and_then(include_dir::File::contents_utf8)
        {
            Some(text) => Ok(RuleText {
                name: file,
                text: text.to_string(),
            }),
            None => Err(Missing::Unknown(self.names())),
        }
    }

    /// The names of all games, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for folder in &self.folders {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                insert(&mut names, &entry.path());
            }
        }
        for file in SHIPPED.files() {
            insert(&mut names, file.path());
        }
        names.into_iter().collect()
    }
}

fn insert(names: &mut BTreeSet<String>, path: &Path) {
    if path.extension().is_some_and(|ending| ending == ENDING)
        && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
    {
        names.insert(stem.to_string());
    }
}

fn read(path: &Path) -> Result<RuleText, Missing> {
    match fs::read(path) {
        Ok(bytes) => Ok(RuleText {
            name: path.display().to_string(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }),
        Err(error) => Err(Missing::Unreadable(path.to_path_buf(), error)),
    }
}
