//! Lists the contents of folders. All commands leave out the same: hidden files, caches, and what ignore files exclude.

use std::{
    io,
    path::{Path, PathBuf},
};

use ignore::{DirEntry, WalkBuilder};
use referee::packed::has_ending;

/// The endings of transcripts.
pub(super) const TRANSCRIPTS: [&str; 2] = ["txt", "in"];

/// Ignore rules for this program only, in the syntax of `.gitignore`.
const RULES: &str = ".refereeignore";

/// Marks a cache folder, such as cargo's `target`.
const CACHE: &str = "CACHEDIR.TAG";

/// The files that were found in a folder.
#[derive(Default)]
pub(super) struct Found {
    /// Among them, at their places, the folders within that cannot be read, as reading them as files says.
    pub(super) files: Vec<PathBuf>,
    /// Pipes and devices, which may never end.
    pub(super) special: Vec<PathBuf>,
    /// Why the first of the folders within cannot be read.
    unread: Option<io::Error>,
}

impl Found {
    /// The same, if all folders within could be read.
    ///
    /// # Errors
    /// One could not.
    pub(super) fn whole(self) -> io::Result<Found> {
        match self.unread {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }
}

/// Whether a path leads to something other than a file or a folder.
fn is_special(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The files below a folder with these endings, sorted by name, down to a depth if one is given. Links to folders are
/// not followed.
///
/// # Errors
/// If a folder cannot be read.
pub(super) fn files(folder: &Path, endings: &[&str], depth: Option<usize>) -> io::Result<Found> {
    let mut found = Found::default();
    for entry in walk(folder, depth.map(|depth| depth + 1)) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let within = unread(&error).filter(|path| *path != folder);
                let Some(path) = within.map(Path::to_path_buf) else {
                    return Err(into_io(&error));
                };
                found.files.push(path);
                found.unread.get_or_insert_with(|| into_io(&error));
                continue;
            }
        };
        if is_folder(&entry) || !has_ending(entry.file_name(), endings) {
            continue;
        }
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let path = named(entry);
        // Only entries that are not plainly files need a closer look.
        if is_file || path.is_file() {
            found.files.push(path);
        } else if is_special(&path) {
            found.special.push(path);
        }
    }
    Ok(found)
}

/// A folder and its subfolders, except unreadable ones.
pub(super) fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = walk(folder, None).flatten();
    let folders = entries.filter(is_folder);
    folders.map(DirEntry::into_path).collect()
}

/// The contents of a folder, sorted by name.
fn walk(folder: &Path, depth: Option<usize>) -> ignore::Walk {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    WalkBuilder::new(folder)
        .max_depth(depth)
        .add_custom_ignore_filename(RULES)
        // The result depends on the folder alone, not on the user's configuration or on whether git is used.
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(|entry| {
            entry.depth() == 0 || !is_folder(entry) || !entry.path().join(CACHE).exists()
        })
        .build()
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// The path that an error is about.
fn unread(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } => unread(err),
        _ => None,
    }
}

/// The path of an entry; in the current folder without `./`.
fn named(entry: DirEntry) -> PathBuf {
    let path = entry.into_path();
    match path.strip_prefix(".") {
        Ok(rest) => rest.to_path_buf(),
        Err(_) => path,
    }
}

fn into_io(error: &ignore::Error) -> io::Error {
    let cause = error.io_error().and_then(|error| error.get_ref()?.source());
    match (unread(error), cause) {
        (Some(path), Some(cause)) => io::Error::other(format!("{}: {cause}", path.display())),
        _ => io::Error::other(error.to_string()),
    }
}
