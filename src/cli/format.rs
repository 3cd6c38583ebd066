//! `referee fmt`: formats rule files.

use std::{
    io,
    io::Read as _,
    path::{Path, PathBuf},
};

use referee::{
    game::Unloaded,
    library::{ENDING, Library, RuleText},
};

use super::{
    Exit, difference,
    error::{Error, Result},
    folders,
    inputs::{self, DASH},
    output,
    screen::Screen,
};

/// The arguments of `fmt`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// Rule files, or folders with all rule files below them; `-`, or nothing, formats standard input to standard
    /// output
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Changes nothing; names the files that would change
    #[arg(long, conflicts_with = "diff")]
    check: bool,
    /// Changes nothing; shows what would change
    #[arg(long)]
    diff: bool,
}

/// Formats each file in turn. Files with errors are left alone.
pub(super) fn format(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let mut exit = Exit::Done;
    for path in meant(&arguments.paths)? {
        let read = text(&path, library)?;
        let formatted = match read.map(|file| (file.formatted(), file)) {
            Ok((Ok(text), file)) => (file.text, text),
            Ok((Err(invalid), _)) => {
                screen.unloaded(&Unloaded::Rules(invalid));
                exit = exit.then(Exit::Rules);
                continue;
            }
            Err(unloaded) => {
                screen.unloaded(&unloaded);
                exit = exit.then(Exit::from(&unloaded));
                continue;
            }
        };
        exit = exit.then(written(arguments, &path, &formatted)?);
    }
    Ok(exit)
}

/// Writes the formatted text, or shows the difference, or names the file.
fn written(arguments: &Arguments, path: &Path, (old, new): &(String, String)) -> Result {
    let is_input = path == Path::new(DASH);
    if arguments.check || arguments.diff {
        if old == new {
            return Ok(Exit::Done);
        }
        let name = inputs::name(path);
        if arguments.check {
            output::write(format!("{name}\n"))?;
        } else {
            let colour = output::colour();
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let drawn = difference::drawn(Path::new(&name), old, "formatted", new, colour);
            output::write_drawn(drawn, colour)?;
        }
        return Ok(Exit::No);
    }
    if is_input {
        output::write(new)?;
    } else if old != new {
        // A pipe cannot be overwritten.
        if path.metadata().is_ok_and(|known| !known.is_file()) {
            let message = format!("`{}` is not a regular file", path.display());
            return Err(
                Error::usage(message).with_help("give the text on standard input: `referee fmt -`")
            );
        }
        output::replace(path, new)?;
    }
    Ok(Exit::Done)
}

/// The requested files.
fn meant(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if named.is_empty() {
        return Ok(vec![PathBuf::from(DASH)]);
    }
    let mut meant = Vec::new();
    for path in named {
        let is_file = path == Path::new(DASH) || path.extension().is_some_and(|it| it == ENDING);
        if path.is_dir() {
            let found = folders::files(path, &[ENDING], None);
            let found =
                found.map_err(|error| Error::unreadable(&path.display().to_string(), &error))?;
            if found.files.is_empty() {
                let message = format!(
                    "there is no rule file in `{}`: no file ends in `.{ENDING}`",
                    path.display()
                );
                return Err(Error::usage(message));
            }
            meant.extend(found.files);
        } else if is_file {
            meant.push(path.clone());
        } else if !path.exists() {
            let message = format!("`{}` does not exist", path.display());
            let error = Error::usage(message);
            return Err(Error::meant(path).into_iter().fold(error, Error::with_help));
        } else {
            let message = format!(
                "`{}` is not a rule file: it does not end in `.{ENDING}`",
                path.display()
            );
            return Err(Error::usage(message));
        }
    }
    Ok(meant)
}

/// The text of a file, or of standard input.
fn text(path: &Path, library: &Library) -> Result<std::result::Result<RuleText, Unloaded>> {
    if path != Path::new(DASH) {
        let found = library.find(&path.to_string_lossy());
        return Ok(found.map_err(Unloaded::Missing));
    }
    let name = inputs::name(path);
    let mut text = String::new();
    match io::stdin().read_to_string(&mut text) {
        Ok(_) => Ok(Ok(RuleText { name, text })),
        Err(error) => Err(Error::unreadable(&name, &error)),
    }
}
