//! Writes to standard output, for people or programs, and masks control characters for terminals.

use std::{
    fs,
    io::{self, ErrorKind, IsTerminal as _, Write},
    path::Path,
};

use anstream::{AutoStream, ColorChoice};
use anyhow::Context as _;
use referee::diagnostic::{Colour, masked};
use schemars::JsonSchema;
use serde::Serialize;

/// Whether standard output is coloured.
pub(super) fn colour() -> Colour {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Colour::Never,
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colour::Always,
    }
}

/// Standard output. Control characters from rule files and transcripts are masked for a terminal; files and pipes get
/// all bytes unchanged.
pub(super) fn stdout() -> Box<dyn Write> {
    let output = io::stdout();
    if output.is_terminal() {
        Box::new(Masked::new(output.lock()))
    } else {
        Box::new(output.lock())
    }
}

/// Writes a text.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    all(&mut stdout(), text.as_ref())
}

/// Writes a text in which control characters are masked already, possibly with colour.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_drawn(text: impl AsRef<[u8]>, colour: Colour) -> anyhow::Result<()> {
    match colour {
        Colour::Never => write(text),
        Colour::Always => all(&mut io::stdout().lock(), text.as_ref()),
    }
}

/// Replaces a file atomically: readers see the old text or the new one, even if writing fails or is interrupted.
/// Anything but a regular file is written to directly. Creates the folder if necessary.
///
/// # Errors
/// If it cannot be written.
pub(super) fn replace(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    replaced(path, text.as_ref()).with_context(|| format!("`{}` cannot be written", path.display()))
}

fn replaced(path: &Path, text: &[u8]) -> io::Result<()> {
    let known = path.metadata().ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return fs::write(path, text);
    }
    // For a link, its target is replaced.
    let path = match &known {
        Some(_) => path.canonicalize()?,
        None => path.to_path_buf(),
    };
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = match builder.tempfile_in(folder.unwrap_or(Path::new("."))) {
        // If the folder is not writable, the file itself may be.
        Err(error) if known.is_some() && error.kind() == ErrorKind::PermissionDenied => {
            return fs::write(path, text);
        }
        file => file?,
    };
    file.write_all(text)?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn all(output: &mut dyn Write, text: &[u8]) -> anyhow::Result<()> {
    output
        .write_all(text)
        .and_then(|()| output.flush())
        .context("standard output cannot be written")
}

/// A terminal that gets only text, line ends and tabs.
pub(super) struct Masked<W: Write> {
    terminal: W,
    /// The bytes of an incomplete character.
    part: Vec<u8>,
}

impl<W: Write> Masked<W> {
    pub(super) fn new(terminal: W) -> Masked<W> {
        let part = Vec::new();
        Masked { terminal, part }
    }
}

impl<W: Write> Write for Masked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        let mut text = String::new();
        let mut rest = 0;
        for chunk in self.part.utf8_chunks() {
            text.push_str(chunk.valid());
            rest += chunk.valid().len();
            let wrong = chunk.invalid();
            // At the end of the buffer, this may be the start of a character.
            let goes_on = rest + wrong.len() == self.part.len()
                && std::str::from_utf8(wrong).is_err_and(|error| error.error_len().is_none());
            if !goes_on {
                rest += wrong.len();
                if !wrong.is_empty() {
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
        self.terminal.write_all(masked(&text).as_bytes())?;
        self.part.drain(..rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.terminal.flush()
    }
}

/// The widest column that is aligned, in characters. Wider cells stick out.
const WIDEST: usize = 100;

/// A cell, padded to the width of its column.
pub(super) fn padded(cell: &str, width: usize) -> String {
    let blanks = width.min(WIDEST).saturating_sub(cell.chars().count());
    format!("{cell}{}", " ".repeat(blanks))
}

/// The argument that says for whom a command writes.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Formatted {
    /// How to write it: for people, or as one JSON object
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// A way of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    // Help of their own would make that of the whole command as long as a manual.
    Text,
    Json,
}

impl Formatted {
    /// Whether it is for programs.
    pub(super) fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }
}

/// The version of the JSON objects.
const VERSION: u32 = 1;

// An object with its version. No description, since its schema is that of the object.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "{T}")]
pub(super) struct Versioned<T> {
    /// The version of this object. It changes when a field is removed or changes its meaning, not when one is added.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    #[serde(flatten)]
    object: T,
}

impl<T> Versioned<T> {
    pub(super) fn new(object: T) -> Versioned<T> {
        let version = VERSION;
        Versioned { version, object }
    }
}

/// Writes a JSON object on a line of its own.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_json(object: impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_string(&Versioned::new(object))?;
    line.push('\n');
    write(line)
}
