//! Where rule files come from: folders, files, and the games shipped inside the program.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use include_dir::{Dir, File, include_dir};

use crate::{
    diagnostic::{Data, LabelData, alternatives, nearest},
    source::Position,
    syntax::MAXIMUM_LENGTH,
};

/// The shipped rule files.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The extension of a rule file.
pub const ENDING: &str = "rules";

pub use crate::source::BYTE_ORDER_MARK;

/// The available rule files, by name.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folders: Vec<PathBuf>,
    /// Texts that replace files, by their paths.
    texts: Arc<BTreeMap<PathBuf, String>>,
}

/// A rule file.
#[derive(Debug, Clone)]
pub struct RuleText {
    /// Its name in diagnostics: its path, or its path among the shipped ones.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Why a rule file could not be loaded.
#[derive(Debug)]
pub enum Missing {
    /// There is no game of this name.
    Unknown {
        /// The name that was requested.
        name: String,
        /// The available games.
        names: Vec<String>,
        /// The games that have a variant of this name.
        games: Vec<String>,
        /// The games that have this name in their title, if the caller has looked for them.
        titled: Vec<String>,
    },
    /// The file cannot be read, or does not exist.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is not UTF-8.
    NotText {
        /// Its path.
        path: PathBuf,
        /// The position of the first invalid byte.
        place: Position,
    },
}

/// The existing file or folder with the path most like a missing one; each part of the path may be misspelt.
#[must_use]
pub fn nearest_file(missing: &Path) -> Option<PathBuf> {
    let folder = missing.parent()?;
    let name = missing.file_name()?.to_str()?;
    if missing.exists() {
        return None;
    }
    let searched = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if !searched.exists() {
        let near = nearest_file(folder)?.join(name);
        return if near.exists() {
            Some(near)
        } else {
            nearest_file(&near)
        };
    }
    let found = fs::read_dir(searched).ok()?;
    let names = found.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let names: Vec<String> = names.collect();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(folder.join(near))
}

impl Missing {
    /// What to do about it, a line each.
    #[must_use]
    pub fn help(&self) -> Vec<String> {
        match self {
            Missing::Unknown {
                name,
                names,
                games,
                titled,
            } => {
                // A match in a title is better than a name with a similar spelling.
                let near = || nearest(name, names.iter().map(String::as_str)).map(str::to_string);
                let suggestions = match titled.as_slice() {
                    [] => near().into_iter().collect(),
                    titled => titled.to_vec(),
                };
                let suggestions = suggestions
                    .iter()
                    .map(|game| format!("did you mean `{game}`?"));
                let mut help: Vec<String> = suggestions.collect();
                let mut joined = names.iter().filter_map(|game| {
                    let rest = name.strip_prefix(game.as_str())?;
                    let variant = rest.strip_prefix([',', ':', '-', '/', ' ', '_'])?;
                    Some((game, variant))
                });
                let mut forms = names.iter().filter_map(|game| {
                    let form = name.strip_prefix(game.as_str())?.strip_prefix('.')?;
                    (!form.is_empty()).then_some((game, form))
                });
                if let Some((game, variant)) = joined.find(|(_, variant)| !variant.is_empty()) {
                    help.push(if variant.contains('=') {
                        format!("an option is set by `--set`: `{game} --set {variant}`")
                    } else if variant.starts_with(|first: char| first.is_ascii_digit()) {
                        format!(
                            "`referee show {game}` lists the options and the variants of `{game}`"
                        )
                    } else {
                        format!("a variant is joined to its game by `+`: `{game}+{variant}`")
                    });
                }
                let path = format!("{name}.{ENDING}");
                if Path::new(&path).is_file() {
                    help.push(format!("did you mean `{path}`?"));
                } else if Path::new(name).is_dir() {
                    let files = rule_files(Path::new(name)).into_iter().take(MOST_FILES);
                    help.extend(files.map(|path| format!("did you mean `{}`?", path.display())));
                } else if let (false, Some((game, form))) =
                    (Path::new(name).is_file(), forms.next())
                {
                    help.push(format!(
                        "a form of transcripts is named by `--transcript`: `{game} --transcript {form}`"
                    ));
                } else if Path::new(name).is_file() {
                    help.push(format!("to name the file, write `./{name}`"));
                    if Path::new(name).extension().is_some() {
                        help.push("if this is a transcript, name its game before it".to_string());
                    }
                }
                help.extend(games.iter().map(|game| {
                    format!("`{name}` is a variant of `{game}`: write `{game}+{name}`")
                }));
                help.push(format!("there is {}", alternatives(names)));
                help
            }
            Missing::Unreadable { path, .. } => {
                let stem = path.file_stem().and_then(|stem| stem.to_str());
                let near = nearest_file(path);
                let near = near.map(|near| format!("did you mean `{}`?", near.display()));
                let shipped = Library::shipped().names();
                let stem = stem.filter(|stem| shipped.iter().any(|name| name == stem));
                let shipped = stem.map(|stem| format!("the shipped game is called `{stem}`"));
                near.into_iter().chain(shipped).collect()
            }
            Missing::NotText { .. } => vec!["save it as UTF-8".to_string()],
        }
    }

    /// The error as data for other programs.
    #[must_use]
    pub fn to_data(&self) -> Data {
        let code = match self {
            Missing::Unknown { .. } => "no-game",
            Missing::Unreadable { .. } => "unreadable",
            Missing::NotText { .. } => "not-text",
        };
        let mut data = Data::placeless(code, self.to_string(), self.help());
        if let Missing::NotText { path, place } = self {
            data.labels.push(LabelData {
                file: path.display().to_string(),
                start: *place,
                end: *place,
                text: String::new(),
            });
        }
        data
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Unknown { name, .. } if name.is_empty() => {
                write!(out, "the name of a game is missing before or after the `+`")
            }
            Missing::Unknown { name, .. } => write!(out, "there is no game called `{name}`"),
            Missing::Unreadable { path, error } => {
                write!(
                    out,
                    "the rule file `{}` cannot be read: {error}",
                    path.display()
                )
            }
            Missing::NotText { path, place } => write!(
                out,
                "the rule file `{}` is not text: line {} is not UTF-8",
                path.display(),
                place.line
            ),
        }
    }
}

impl std::error::Error for Missing {}

impl Library {
    /// The shipped games only.
    #[must_use]
    pub fn shipped() -> Library {
        Library::default()
    }

    /// The games of `folders`, in this order, then the shipped ones.
    #[must_use]
    pub fn with_folders(folders: Vec<PathBuf>) -> Library {
        Library {
            folders,
            ..Library::default()
        }
    }

    /// Replaces the file at `path` by a text, such as one that an editor has not saved. The file need not exist.
    pub fn insert(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) {
        Arc::make_mut(&mut self.texts).insert(path.into(), text.into());
    }

    /// Uses the file at `path` itself again.
    pub fn remove(&mut self, path: &Path) {
        Arc::make_mut(&mut self.texts).remove(path);
    }

    /// The texts that replace files, in the order of their paths.
    pub fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        let texts = self.texts.iter();
        texts.map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// The rule file of a game, by the game's name or by the path of a file (it has a `/` or ends in `.rules`).
    ///
    /// # Errors
    /// [`Missing`] if there is none, or it cannot be read.
    pub fn find(&self, name: &str) -> Result<RuleText, Missing> {
        if is_path(name) {
            return self.read(Path::new(name));
        }
        self.look_up(&format!("{name}.{ENDING}"))
            .unwrap_or_else(|| Err(self.unknown(name, self.names())))
    }

    /// The file of a variant of `game`, by its name (it is in a folder named like the game) or by the path of a file.
    ///
    /// # Errors
    /// [`Missing`] if there is none, or it cannot be read.
    pub fn find_variant(&self, game: &str, name: &str) -> Result<RuleText, Missing> {
        if is_path(name) {
            return self.read(Path::new(name));
        }
        self.look_up(&format!("{game}/{name}.{ENDING}"))
            .unwrap_or_else(|| Err(self.unknown(name, self.variants(game))))
    }

    /// The rule file with this path in the first folder that has it, or else among the shipped games.
    fn look_up(&self, file: &str) -> Option<Result<RuleText, Missing>> {
        let mut paths = self.folders.iter().map(|folder| folder.join(file));
        if let Some(path) = paths.find(|path| self.has(path)) {
            return Some(self.read(&path));
        }
        if let Some(text) = SHIPPED.get_file(file).and_then(File::contents_utf8) {
            return Some(Ok(RuleText {
                name: file.to_string(),
                text: text.to_string(),
            }));
        }
        let mut paths = self.folders.iter().map(|folder| folder.join(file));
        let path = paths.find(|path| path.symlink_metadata().is_ok())?;
        let error = path.metadata().err().unwrap_or_else(|| {
            io::Error::other(if path.is_dir() {
                "it is a folder"
            } else {
                "it is not a regular file"
            })
        });
        Some(Err(Missing::Unreadable { path, error }))
    }

    /// The error for a name that does not exist, where `names` do.
    fn unknown(&self, name: &str, names: Vec<String>) -> Missing {
        Missing::Unknown {
            name: name.to_string(),
            names,
            games: self.games_with(name),
            titled: Vec::new(),
        }
    }

    /// The library as the rule file `name` sees it: files beside it come first. For a variant in a folder named like
    /// its game, so do those beside the folder.
    #[must_use]
    pub fn beside(&self, name: &str) -> Library {
        let mut library = self.clone();
        let folders = &mut library.folders;
        if is_path(name)
            && let Some(folder) = Path::new(name).parent()
        {
            folders.insert(0, folder.to_path_buf());
            let game = folder.with_extension(ENDING);
            if let (Some(outer), true) = (folder.parent(), self.has(&game)) {
                folders.insert(0, outer.to_path_buf());
            }
        }
        library
    }

    /// The names of all variants of `game`, in order.
    #[must_use]
    pub fn variants(&self, game: &str) -> Vec<String> {
        let mut names = BTreeSet::new();
        for folder in &self.folders {
            let paths = self.files(&folder.join(game));
            names.extend(paths.iter().filter_map(|path| game_of(path)));
        }
        let shipped = SHIPPED.get_dir(game).map_or(&[][..], Dir::entries);
        names.extend(shipped.iter().filter_map(|entry| game_of(entry.path())));
        names.into_iter().collect()
    }

    /// The games that have a variant of this name.
    fn games_with(&self, variant: &str) -> Vec<String> {
        let mut games = self.names();
        games.retain(|game| self.variants(game).iter().any(|name| name == variant));
        games
    }

    /// The names of all games, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for folder in &self.folders {
            for path in self.files(folder) {
                names.extend(game_of(&path).filter(|_| !self.holds_variant(&path)));
            }
        }
        for file in SHIPPED.files() {
            names.extend(game_of(file.path()));
        }
        names.into_iter().collect()
    }

    /// Whether there is a file at `path`, or a text in its place.
    fn has(&self, path: &Path) -> bool {
        self.texts.contains_key(path) || path.is_file()
    }

    /// The files in a folder, including texts that replace files in it.
    fn files(&self, folder: &Path) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut files: BTreeSet<PathBuf> = paths.filter(|path| path.is_file()).collect();
        let texts = self.texts.keys();
        files.extend(texts.filter(|path| path.parent() == Some(folder)).cloned());
        files
    }

    /// Whether a rule file is a variant. One that cannot be read is not.
    fn holds_variant(&self, path: &Path) -> bool {
        let Ok(file) = self.read(path) else {
            return false;
        };
        let mut lines = file.text.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with("--"));
        first.is_some_and(|line| line.split_whitespace().next() == Some("variant"))
    }

    fn read(&self, path: &Path) -> Result<RuleText, Missing> {
        match self.texts.get(path) {
            Some(text) => Ok(RuleText::new(path, text)),
            None => read(path),
        }
    }
}

impl RuleText {
    fn new(path: &Path, text: &str) -> RuleText {
        RuleText {
            name: path.display().to_string(),
            // Some editors put a byte order mark first.
            text: text
                .strip_prefix(BYTE_ORDER_MARK)
                .unwrap_or(text)
                .to_string(),
        }
    }
}

/// Whether `name` is the path of a file rather than the name of a game.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains(['/', '\\'])
        || Path::new(name)
            .extension()
            .is_some_and(|ending| ending == ENDING)
}

/// How many files of a folder are offered at most.
const MOST_FILES: usize = 3;

/// The rule files in a folder, in the order of their names.
fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| game_of(path).is_some());
    paths.sort();
    paths
}

/// The name of the game in a rule file of this name.
fn game_of(path: &Path) -> Option<String> {
    path.extension().filter(|ending| *ending == ENDING)?;
    Some(path.file_stem()?.to_str()?.to_string())
}

fn read(path: &Path) -> Result<RuleText, Missing> {
    let mut bytes = Vec::new();
    // A device or pipe may be endless. One byte above the limit shows that the file is too long.
    let limit = MAXIMUM_LENGTH + 1;
    fs::File::open(path)
        .and_then(|file| file.take(limit as u64).read_to_end(&mut bytes))
        .map_err(|error| Missing::Unreadable {
            path: path.to_path_buf(),
            error,
        })?;
    if bytes.len() == limit {
        // The cut may split a character. That does not matter: the parser refuses a text of this length.
        bytes = String::from_utf8_lossy(&bytes).into_owned().into_bytes();
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let valid = String::from_utf8_lossy(error.as_bytes().get(..valid).unwrap_or_default());
        let (_, line) = valid.rsplit_once('\n').unwrap_or(("", &valid));
        Missing::NotText {
            path: path.to_path_buf(),
            place: Position {
                line: valid.matches('\n').count() + 1,
                column: line.chars().count() + 1,
            },
        }
    })?;
    Ok(RuleText::new(path, &text))
}
