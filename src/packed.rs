//! Reads files that may be compressed, by the ending of their name.

use std::{
    collections::VecDeque,
    ffi::OsStr,
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder, errors::FrameDecoderError};

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
        let file = BufReader::with_capacity(BUFFER, file);
        Box::new(Frames::Between(Some(Peeked {
            ahead: VecDeque::new(),
            file,
            has_ended: false,
            failed: None,
        })))
    } else {
        Box::new(file)
    }
}

/// How much of a compressed file is read at once, in bytes.
const BUFFER: usize = 1 << 16;

/// The magic number of a skippable Zstandard frame, without its lowest bits.
const SKIPPED: u32 = 0x184D_2A50;

/// The longest head of a frame in bytes: its magic number and its header.
const HEAD: usize = 18;

/// The largest window that a frame may ask for, in bytes, as for Zstandard's own command.
const WINDOW: u64 = 1 << 27;

/// The window size that a frame's header asks for, in bytes (RFC 8878, 3.1.1.1).
fn window(head: &[u8]) -> Option<u64> {
    let descriptor = *head.get(4)?;
    if descriptor & 0x20 == 0 {
        let window = *head.get(5)?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // A single segment: all content is in memory. Its length follows the dictionary id.
    let start = 5 + [0, 1, 2, 4][usize::from(descriptor & 3)];
    let length = 1 << (descriptor >> 6);
    let content = head.get(start..start + length)?;
    let content = content
        .iter()
        .rev()
        .fold(0, |size, byte| size << 8 | u64::from(*byte));
    Some(content)
}

/// A file whose next bytes can be peeked at.
struct Peeked<R: Read> {
    ahead: VecDeque<u8>,
    file: BufReader<R>,
    /// Whether more was asked for than there is.
    has_ended: bool,
    /// Why it could not be read.
    failed: Option<(io::ErrorKind, String)>,
}

impl<R: Read> Peeked<R> {
    /// The next bytes, as many as the longest head of a frame, or all that are left.
    fn head(&mut self) -> io::Result<&[u8]> {
        let missing = HEAD.saturating_sub(self.ahead.len());
        let mut more = Vec::new();
        (&mut self.file)
            .take(missing as u64)
            .read_to_end(&mut more)?;
        self.ahead.extend(more);
        Ok(self.ahead.make_contiguous())
    }

    /// Why a frame cannot be decompressed: what is wrong with the file, or else so.
    fn wrong(&self, otherwise: &str) -> io::Error {
        match &self.failed {
            Some((kind, message)) => io::Error::new(*kind, message.clone()),
            None if self.has_ended => io::Error::new(io::ErrorKind::UnexpectedEof, "it is cut off"),
            None => io::Error::new(io::ErrorKind::InvalidData, otherwise),
        }
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.is_empty() {
            return self.ahead.read(bytes);
        }
        let read = self.file.read(bytes);
        match &read {
            Ok(count) => self.has_ended |= *count == 0 && !bytes.is_empty(),
            Err(error) => self.failed = Some((error.kind(), error.to_string())),
        }
        read
    }
}

/// A Zstandard file, which may consist of several frames.
enum Frames<R: Read> {
    Within(Box<FrameDecoder>, Peeked<R>),
    /// Nothing after a frame that began wrong.
    Between(Option<Peeked<R>>),
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            *self = match self {
                Frames::Within(decoder, file) => {
                    let missing = bytes.len().saturating_sub(decoder.can_collect());
                    if missing > 0 && !decoder.is_finished() {
                        let some = BlockDecodingStrategy::UptoBytes(missing);
                        let is_finished = decoder.decode_blocks(&mut *file, some);
                        is_finished.map_err(|_| file.wrong("it is damaged"))?;
                    }
                    let count = decoder.read(bytes)?;
                    if count > 0 || bytes.is_empty() {
                        return Ok(count);
                    }
                    if !decoder.is_finished() {
                        continue;
                    }
                    let said = decoder.get_checksum_from_data();
                    if said.is_some() && said != decoder.get_calculated_checksum() {
                        return Err(file.wrong("it is damaged: its checksum differs"));
                    }
                    // Take the file out while it is replaced.
                    match std::mem::replace(self, Frames::Between(None)) {
                        Frames::Within(_, file) => Frames::Between(Some(file)),
                        between @ Frames::Between(_) => between,
                    }
                }
                Frames::Between(file) => {
                    let Some(mut file) = file.take() else {
                        return Ok(0);
                    };
                    let head = file.head()?;
                    if head.is_empty() {
                        return Ok(0);
                    }
                    let magic = head.first_chunk().map(|magic| u32::from_le_bytes(*magic));
                    if magic.is_some_and(|magic| magic & !0xF == SKIPPED) {
                        let mut head = [0; 8];
                        file.read_exact(&mut head)?;
                        let [.., a, b, c, d] = head;
                        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
                        io::copy(&mut (&mut file).take(length), &mut io::sink())?;
                        Frames::Between(Some(file))
                    } else if window(head).is_some_and(|window| window > WINDOW) {
                        let message = "unpacking it takes more than 128 MiB of memory";
                        return Err(io::Error::other(message));
                    } else {
                        let mut decoder = FrameDecoder::new();
                        match decoder.init(&mut file) {
                            Ok(()) => {}
                            Err(FrameDecoderError::DictNotProvided { .. }) => {
                                let message = "unpacking it takes a dictionary";
                                return Err(io::Error::other(message));
                            }
                            Err(_) => return Err(file.wrong("it is not compressed by Zstandard")),
                        }
                        Frames::Within(Box::new(decoder), file)
                    }
                }
            };
        }
    }
}
