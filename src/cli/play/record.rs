//! Saves the transcript: every accepted line is on disk before the next prompt.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use super::super::{
    error::{Error, Result},
    inputs,
};

/// The file of a transcript.
pub(super) struct Record {
    path: PathBuf,
    file: File,
}

impl Record {
    /// Opens a file, or creates it with its folder.
    pub(super) fn at(path: &Path) -> Result<Record> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| written(folder, &error))?;
        }
        // Opening a pipe would wait for a process at its other end.
        if fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
            let path = path.display();
            let message = format!("`{path}` is not a regular file, and cannot keep a transcript");
            return Err(anyhow::anyhow!(message).into());
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        Record::opened(&options, path)
    }

    /// Creates a file. Fails if it exists.
    pub(super) fn made(path: &Path) -> Result<Record> {
        Record::opened(
            OpenOptions::new().read(true).write(true).create_new(true),
            path,
        )
    }

    /// Creates a file in the current folder, named after the game.
    pub(super) fn new(game: &str) -> Result<Record> {
        let mut number = 1;
        loop {
            let path = PathBuf::from(format!("{game}-{number}.txt"));
            if !path.exists() {
                return Record::made(&path);
            }
            number += 1;
        }
    }

    fn opened(options: &OpenOptions, path: &Path) -> Result<Record> {
        let file = options.open(path);
        let file = file.map_err(|error| written(path, &error))?;
        let path = path.to_path_buf();
        Ok(Record { path, file })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file.
    pub(super) fn read(&mut self) -> Result<String> {
        let text = inputs::all(&mut self.file)
            .and_then(|text| String::from_utf8(text).map_err(io::Error::other));
        let name = self.path.display().to_string();
        text.map_err(|error| Error::unreadable(&name, &error))
    }

    /// Truncates the file to `text`, which lacks some of its end.
    pub(super) fn rewrite(&mut self, text: &str) -> Result<()> {
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        let cut = self.file.set_len(length);
        cut.map_err(|error| written(&self.path, &error))?;
        self.write(text)
    }

    /// Appends to the file what `text` has in addition to it.
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        self.written(text)
            .map_err(|error| written(&self.path, &error))
    }

    fn written(&mut self, text: &str) -> io::Result<()> {
        let end = self.file.seek(io::SeekFrom::End(0))?;
        let kept = usize::try_from(end).unwrap_or(usize::MAX);
        let rest = text.as_bytes().get(kept..).unwrap_or_default();
        self.file.write_all(rest)?;
        self.file.sync_data()
    }
}

/// The error if a file cannot be written.
fn written(path: &Path, error: &io::Error) -> Error {
    anyhow::anyhow!("`{}` cannot be written: {error}", path.display()).into()
}

/// Lets the file, if there is one, say what the transcript says; `back` where something was taken off.
pub(super) fn record_of(record: &mut Option<Record>, text: &str, back: bool) -> Result<()> {
    match record {
        Some(record) if back => record.rewrite(text),
        Some(record) => record.write(text),
        None => Ok(()),
    }
}
