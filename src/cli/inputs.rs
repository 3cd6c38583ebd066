//! The transcripts that are named on the command line, one by one or by folders.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use referee::diagnostic::masked_line;

use super::folders::{self, TRANSCRIPTS};

/// The input that stands for standard input.
pub(super) const DASH: &str = "-";

/// The transcripts that are meant, and what folders have besides: pipes and devices, which may never end.
#[derive(Default)]
pub(super) struct Meant {
    pub(super) inputs: Vec<PathBuf>,
    pub(super) left_out: Vec<PathBuf>,
}

/// What is said of a pipe or a device in a folder.
pub(super) fn left_out(path: &Path) -> String {
    format!(
        "note: `{}` is left out: it is no regular file",
        masked_line(&path.to_string_lossy())
    )
}

/// The transcripts that are meant: a folder stands for those below it, in the order of their names; nothing for
/// standard input.
///
/// # Errors
/// What to say of a folder that cannot be read or has none.
pub(super) fn meant(named: &[PathBuf]) -> Result<Meant, String> {
    if named.is_empty() {
        return Ok(Meant {
            inputs: vec![PathBuf::from(DASH)],
            left_out: Vec::new(),
        });
    }
    let mut meant = Meant::default();
    for path in named {
        if !path.is_dir() {
            meant.inputs.push(path.clone());
            continue;
        }
        let found = folders::files(path, &TRANSCRIPTS, None)
            .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
        if found.files.is_empty() {
            let endings = TRANSCRIPTS.map(|ending| format!("`.{ending}`"));
            return Err(format!(
                "in `{}` there is no transcript: no file that ends in {}",
                path.display(),
                endings.join(" or ")
            ));
        }
        meant.inputs.extend(found.files);
        meant.left_out.extend(found.special);
    }
    Ok(meant)
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
