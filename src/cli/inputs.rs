//! The transcripts that are named on the command line, one by one or by folders.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The input that stands for standard input.
pub(super) const DASH: &str = "-";

/// What a transcript in a folder ends in.
const ENDING: &str = "txt";

/// The transcripts that are meant: a folder stands for those below it, in the order of their names; nothing for
/// standard input.
///
/// # Errors
/// What to say of a folder that cannot be read or has none.
pub(super) fn meant(named: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    if named.is_empty() {
        return Ok(vec![PathBuf::from(DASH)]);
    }
    let mut inputs = Vec::new();
    for path in named {
        if !path.is_dir() {
            inputs.push(path.clone());
            continue;
        }
        let before = inputs.len();
        below(path, &mut inputs)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        if inputs.len() == before {
            return Err(format!(
                "in `{}` there is no transcript: no file that ends in `.{ENDING}`",
                path.display()
            ));
        }
    }
    Ok(inputs)
}

/// Adds the transcripts below a folder.
fn below(folder: &Path, inputs: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            below(&path, inputs)?;
        } else if path.extension().is_some_and(|ending| ending == ENDING) {
            inputs.push(path);
        }
    }
    Ok(())
}

/// What messages call an input.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new(DASH) {
        "standard input".to_string()
    } else {
        path.display().to_string()
    }
}

/// What is in an input.
pub(super) fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new(DASH) {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(File::open(path)?))
}

/// An input as it is called in messages, and all of it.
pub(super) fn read(path: &Path) -> (String, io::Result<Vec<u8>>) {
    let mut text = Vec::new();
    let read = opened(path).and_then(|mut input| input.read_to_end(&mut text));
    (name(path), read.map(|_| text))
}
