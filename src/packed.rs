//! Files that may be compressed: their names tell.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufRead as _, BufReader, Read},
    path::Path,
};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Opens a file, and decompresses it as it is read if its name ends in `.gz` or `.zst`.
///
/// # Errors
/// It cannot be opened.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let file = File::open(path)?;
    Ok(decompressed(path.as_os_str(), file))
}

/// Whether a name ends in a dot and one of `endings`, after something else.
#[must_use]
pub fn has_ending(name: &OsStr, endings: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    endings.iter().any(|ending| {
        let rest = name.strip_suffix(ending.as_bytes());
        rest.and_then(|rest| rest.strip_suffix(b"."))
            .is_some_and(|rest| !rest.is_empty())
    })
}

/// Decompresses a file as it is read, by the ending of its name.
#[must_use]
pub fn decompressed<'r>(name: &OsStr, file: impl Read + 'r) -> Box<dyn Read + 'r> {
    if has_ending(name, &["gz", "tgz"]) {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, file)))
    } else if has_ending(name, &["zst", "tzst"]) {
        Box::new(Frames::Between(Some(BufReader::with_capacity(
            BUFFER, file,
        ))))
    } else {
        Box::new(file)
    }
}

/// How much of a compressed file is read at once.
const BUFFER: usize = 1 << 16;

/// What begins a frame of Zstandard that holds no data, but for its lowest bits.
const SKIPPED: u32 = 0x184D_2A50;

/// A file compressed by Zstandard, which may consist of several frames.
enum Frames<R: Read> {
    Within(Box<StreamingDecoder<BufReader<R>, FrameDecoder>>),
    /// Nothing where one began wrong.
    Between(Option<BufReader<R>>),
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            *self = match self {
                Frames::Within(decoder) => {
                    let count = decoder.read(bytes)?;
                    if count > 0 || bytes.is_empty() {
                        return Ok(count);
                    }
                    // The decoder is in the way: its place is taken by nothing for as long as it takes.
                    match std::mem::replace(self, Frames::Between(None)) {
                        Frames::Within(decoder) => Frames::Between(Some(decoder.into_inner())),
                        between @ Frames::Between(_) => between,
                    }
                }
                Frames::Between(file) => {
                    let Some(mut file) = file.take() else {
                        return Ok(0);
                    };
                    let ahead = file.fill_buf()?;
                    if ahead.is_empty() {
                        return Ok(0);
                    }
                    let magic = ahead.first_chunk().map(|magic| u32::from_le_bytes(*magic));
                    if magic.is_some_and(|magic| magic & !0xF == SKIPPED) {
                        let mut head = [0; 8];
                        file.read_exact(&mut head)?;
                        let [.., a, b, c, d] = head;
                        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
                        io::copy(&mut (&mut file).take(length), &mut io::sink())?;
                        Frames::Between(Some(file))
                    } else {
                        let decoder = StreamingDecoder::new(file).map_err(io::Error::other)?;
                        Frames::Within(Box::new(decoder))
                    }
                }
            };
        }
    }
}
