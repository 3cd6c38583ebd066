//! Where the rule files are looked for.

use std::{env, path::PathBuf};

use referee::library::Library;

/// The variable that names more folders.
const VARIABLE: &str = "REFEREE_RULES";

/// The arguments that say where rule files are.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// A folder of rule files, which come before the shipped ones; can be repeated
    #[arg(long = "rules", value_name = "DIR", global = true)]
    folders: Vec<PathBuf>,
}

impl Arguments {
    /// The library they describe.
    ///
    /// # Errors
    /// What to say where one of them is no folder.
    pub(super) fn library(&self) -> Result<Library, String> {
        if let Some(path) = self.folders.iter().find(|path| !path.is_dir()) {
            return Err(format!("`{}` in --rules is not a folder", path.display()));
        }
        Ok(with_folders(self.folders.clone()))
    }
}

/// The library of these folders and those that the variable names.
pub(super) fn with_folders(mut folders: Vec<PathBuf>) -> Library {
    if let Some(more) = env::var_os(VARIABLE) {
        folders.extend(env::split_paths(&more).filter(|path| !path.as_os_str().is_empty()));
    }
    Library::with_folders(folders)
}
