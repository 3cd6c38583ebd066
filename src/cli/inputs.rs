//! Transcripts on the command line, given one by one or as folders.

use std::{
    io::{self, BufReader, Cursor, Read},
    path::{Path, PathBuf},
};

use referee::{
    diagnostic::masked_line,
    packed::{self, has_ending},
};
use tar::Archive;

use super::{
    error::{Error, Result},
    folders,
};

/// Stands for standard input.
pub(super) const DASH: &str = "-";

/// The endings of transcripts in a folder.
const ENDINGS: [&str; 6] = ["txt", "in", "txt.gz", "in.gz", "txt.zst", "in.zst"];

/// The requested transcripts; and pipes and devices in folders, which may never end.
#[derive(Default)]
pub(super) struct Meant {
    pub(super) inputs: Vec<PathBuf>,
    pub(super) left_out: Vec<PathBuf>,
}

/// The note about a pipe or device in a folder that was left out.
pub(super) fn left_out(path: &Path) -> String {
    format!(
        "note: `{}` is left out: it is not a regular file",
        masked_line(&path.to_string_lossy())
    )
}

/// The requested transcripts. A folder stands for those below it, sorted by name; no argument stands for standard
/// input.
///
/// # Errors
/// If a folder cannot be read or has no transcripts.
pub(super) fn meant(named: &[PathBuf]) -> Result<Meant> {
    if named.is_empty() {
        return Ok(Meant {
            inputs: vec![PathBuf::from(DASH)],
            left_out: Vec::new(),
        });
    }
    let dashes = named.iter().filter(|path| *path == Path::new(DASH));
    if dashes.count() > 1 {
        return Err(Error::usage("standard input can be read only once")
            .with_help(format!("write `{DASH}` once")));
    }
    let mut meant = Meant::default();
    for path in named {
        if !path.is_dir() {
            meant.inputs.push(path.clone());
            continue;
        }
        let found = folders::files(path, &ENDINGS, None)
            .map_err(|error| Error::unreadable(&name(path), &error))?;
        if found.files.is_empty() {
            return Err(Error::usage(format!(
                "there is no transcript in `{}`: no file ends in `.txt` or `.in`",
                path.display()
            )));
        }
        meant.inputs.extend(found.files);
        meant.left_out.extend(found.special);
    }
    Ok(meant)
}

/// The name of an input in messages.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new(DASH) {
        "standard input".to_string()
    } else {
        path.display().to_string()
    }
}

/// Opens an input, and decompresses it if necessary.
pub(super) fn opened(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new(DASH) {
        return Ok(Box::new(io::stdin().lock()));
    }
    packed::open(path)
}

/// A transcript to run.
pub(super) enum Source<'p> {
    File(&'p Path),
    /// A file in an archive: its name in messages, and its bytes or the error.
    Member(String, io::Result<Vec<u8>>),
}

impl Source<'_> {
    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Source::File(path) => name(path),
            Source::Member(name, _) => name.clone(),
        }
    }

    /// Opens it.
    pub(super) fn opened(self) -> io::Result<Box<dyn Read>> {
        match self {
            Source::File(path) => opened(path),
            Source::Member(_, bytes) => Ok(Box::new(Cursor::new(bytes?))),
        }
    }

    /// Whether it is an uncompressed file, which can be read in parts.
    pub(super) fn is_plain_file(&self) -> bool {
        match self {
            Source::File(path) => path.is_file() && !has_ending(path.as_os_str(), &["gz", "zst"]),
            Source::Member(..) => false,
        }
    }

    /// Its approximate size, in bytes.
    fn size(&self) -> u64 {
        match self {
            Source::File(path) => path.metadata().map_or(0, |found| found.len()),
            Source::Member(_, bytes) => bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
        }
    }
}

/// The endings of archives.
const ARCHIVES: [&str; 5] = ["tar", "tar.gz", "tgz", "tar.zst", "tzst"];

/// Whether a name is that of an archive.
pub(super) fn is_archive(path: &Path) -> bool {
    has_ending(path.as_os_str(), &ARCHIVES)
}

/// Calls `with` for each transcript, until that says to stop. Only one file of an archive is in memory at a time.
pub(super) fn each<'p>(paths: &'p [PathBuf], with: &mut dyn FnMut(Source<'p>) -> bool) -> bool {
    paths.iter().all(|path| {
        if !is_archive(path) {
            return with(Source::File(path));
        }
        let mut count = 0;
        let read = members(path, &mut |source| {
            count += 1;
            with(source)
        });
        let wrong = match read {
            Ok(false) => return false,
            Ok(true) if count > 0 => return true,
            Ok(true) => {
                io::Error::other("there is no transcript in it: no file ends in `.txt` or `.in`")
            }
            Err(error) => error,
        };
        with(Source::Member(name(path), Err(wrong)))
    })
}

/// Calls `with` for each transcript of an archive, in order, until that says to stop. Returns whether it did.
fn members<'p>(path: &Path, with: &mut dyn FnMut(Source<'p>) -> bool) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 16, opened(path)?);
    if !members_of(&mut file, path, with)? {
        return Ok(false);
    }
    // Compressed archives have a checksum at the end.
    io::copy(&mut file, &mut io::sink())?;
    Ok(true)
}

/// Reads the members of an open archive.
fn members_of<'p>(
    file: &mut dyn Read,
    path: &Path,
    with: &mut dyn FnMut(Source<'p>) -> bool,
) -> io::Result<bool> {
    let mut archive = Archive::new(file);
    // Long names have entries of their own, whose size is up to the author of the archive.
    let mut long = None;
    for entry in archive.entries()?.raw(true) {
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() {
            let name = whole(entry, MOST_OF_NAME)?;
            let end = name.iter().position(|byte| *byte == 0);
            let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
            long = Some(PathBuf::from(String::from_utf8_lossy(name).into_owned()));
            continue;
        }
        if kind.is_pax_local_extensions() {
            if entry.size() > MOST_OF_NAME {
                return Err(too_long(MOST_OF_NAME));
            }
            for extension in entry.pax_extensions()?.into_iter().flatten() {
                let extension = extension?;
                if extension.key_bytes() == b"path" {
                    let name = String::from_utf8_lossy(extension.value_bytes());
                    long = Some(PathBuf::from(name.into_owned()));
                }
            }
            continue;
        }
        let short = entry.path()?.into_owned();
        let member = long.take().unwrap_or(short);
        if !kind.is_file() || !has_ending(member.as_os_str(), &ENDINGS) {
            continue;
        }
        let mut entry = Entire {
            left: entry.size(),
            is_cut: false,
            entry,
        };
        let read = whole(
            packed::decompressed(member.as_os_str(), &mut entry),
            MOST_OF_MEMBER,
        );
        if entry.is_cut {
            let name = masked_line(&member.to_string_lossy()).into_owned();
            let message = format!("it is cut off within `{name}`");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        let name = path.join(member).display().to_string();
        if !with(Source::Member(name, read)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A member of an archive, which must be all there.
struct Entire<R: Read> {
    entry: R,
    left: u64,
    is_cut: bool,
}

impl<R: Read> Read for Entire<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.entry.read(bytes)?;
        self.left = self.left.saturating_sub(count as u64);
        if count == 0 && !bytes.is_empty() && self.left > 0 {
            self.is_cut = true;
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}

/// The greatest number of transcripts in a group, its greatest share of those before it, and the size at which it is
/// full, in bytes.
const MOST: usize = 64;
const PART: usize = 16;
const ENOUGH: u64 = 1 << 16;

/// Calls `with` for groups of transcripts, until that says to stop. Groups grow: a few transcripts are distributed
/// evenly, and many with little overhead. The grouping depends only on the transcripts, not on threads.
pub(super) fn groups<'p>(paths: &'p [PathBuf], with: &mut dyn FnMut(Vec<Source<'p>>) -> bool) {
    let (mut group, mut before, mut size, mut one) = (Vec::new(), 0, 0, 0);
    let all = each(paths, &mut |source| {
        // Looking up the size of each small file would take a tenth of the time: the first of a group stands for all.
        if group.is_empty() || matches!(source, Source::Member(..)) {
            one = source.size();
        }
        size += one;
        group.push(source);
        if group.len() < MOST.min(before / PART) && size < ENOUGH {
            return true;
        }
        before += group.len();
        size = 0;
        with(std::mem::take(&mut group))
    });
    if all && !group.is_empty() {
        with(group);
    }
}

/// The size limit for transcripts that are read as a whole (by all commands except `run`, and from archives), in bytes.
const MOST_OF_WHOLE: u64 = 1 << 27;
const MOST_OF_MEMBER: u64 = 1 << 26;

/// The size limit for names in archives, in bytes.
const MOST_OF_NAME: u64 = 1 << 16;

/// An input's name in messages, and its contents.
pub(super) fn read(path: &Path) -> (String, io::Result<Vec<u8>>) {
    (name(path), opened(path).and_then(all))
}

/// The contents of an input.
///
/// # Errors
/// If it cannot be read or is too large.
pub(super) fn all(input: impl Read) -> io::Result<Vec<u8>> {
    whole(input, MOST_OF_WHOLE)
}

/// All that can be read, if it is within the limit.
fn whole(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    input.take(most + 1).read_to_end(&mut text)?;
    if text.len() as u64 > most {
        return Err(too_long(most));
    }
    Ok(text)
}

fn too_long(most: u64) -> io::Error {
    io::Error::other(format!("it has more than {most} bytes"))
}
