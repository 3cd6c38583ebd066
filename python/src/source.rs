//! Where transcripts come from: a text, bytes, a file, or pieces of either one after the other.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::PathBuf,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyByteArray, PyBytes, PyIterator, PyList, PyString, PyTuple},
};
use referee::packed;

use crate::watch::{WAIT, Watch};

/// What messages call a transcript that has no name.
const NAMELESS: &str = "transcript";

/// A transcript, as it was named.
pub(crate) enum Source {
    Text(Vec<u8>),
    Path(PathBuf),
    Pieces(Py<PyIterator>),
}

/// A transcript with what messages call it.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) source: Source,
}

/// A transcript that is open.
pub(crate) enum Input {
    Text(Cursor<Vec<u8>>),
    File(Box<dyn Read>),
    Pieces(Pieces),
    /// It cannot be opened.
    Gone(Option<io::Error>),
}

/// What an iterator gives.
pub(crate) struct Pieces {
    iterator: Py<PyIterator>,
    /// The piece that is read now, and how far.
    piece: Vec<u8>,
    at: usize,
}

impl Named {
    /// The transcript that an argument stands for.
    pub(crate) fn of(argument: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Named> {
        let source = Source::of(argument)?;
        let name = name.unwrap_or_else(|| match &source {
            Source::Path(path) => path.display().to_string(),
            Source::Text(_) | Source::Pieces(_) => NAMELESS.to_string(),
        });
        Ok(Named { name, source })
    }

    /// The transcripts that an argument stands for: several where it is a list or a tuple, in which each is one, or a
    /// pair of its name and itself.
    pub(crate) fn several(argument: &Bound<'_, PyAny>) -> PyResult<Vec<Named>> {
        if !argument.is_instance_of::<PyList>() && !argument.is_instance_of::<PyTuple>() {
            return Ok(vec![Named::of(argument, None)?]);
        }
        let each = argument.try_iter()?.map(|one| {
            let one = one?;
            match one.extract::<(String, Bound<'_, PyAny>)>() {
                Ok((name, source)) if one.is_instance_of::<PyTuple>() => {
                    Named::of(&source, Some(name))
                }
                _ => Named::of(&one, None),
            }
        });
        each.collect()
    }
}

impl Source {
    fn of(argument: &Bound<'_, PyAny>) -> PyResult<Source> {
        if let Ok(text) = argument.cast::<PyString>() {
            return Ok(Source::Text(encoded(text)?));
        }
        if let Some(bytes) = bytes(argument) {
            return Ok(Source::Text(bytes));
        }
        if argument.hasattr("__fspath__")? {
            return Ok(Source::Path(argument.extract()?));
        }
        match argument.try_iter() {
            Ok(iterator) => Ok(Source::Pieces(iterator.unbind())),
            Err(_) => Err(PyTypeError::new_err(format!(
                "a transcript is a str, bytes, an os.PathLike or an iterable of str or bytes, and no {}",
                argument.get_type().name()?
            ))),
        }
    }

    pub(crate) fn open(self, watch: &Watch) -> Input {
        match self {
            Source::Text(text) => Input::Text(Cursor::new(text)),
            Source::Path(path) => match opened(path, watch) {
                Ok(file) => Input::File(file),
                Err(error) => Input::Gone(Some(error)),
            },
            Source::Pieces(iterator) => Input::Pieces(Pieces {
                iterator,
                piece: Vec::new(),
                at: 0,
            }),
        }
    }

    /// All of it.
    pub(crate) fn read(self, py: Python<'_>) -> PyResult<io::Result<Vec<u8>>> {
        match self {
            Source::Text(text) => Ok(Ok(text)),
            Source::Path(path) => py.detach(|| {
                let watch = Watch::new();
                let read = opened(path, &watch).and_then(|mut file| {
                    let mut all = Vec::new();
                    file.read_to_end(&mut all).map(|_| all)
                });
                watch.raised().map_or(Ok(read), Err)
            }),
            Source::Pieces(iterator) => {
                let mut all = Vec::new();
                for piece in iterator.bind(py).clone() {
                    all.extend(bytes_of(&piece?)?);
                }
                Ok(Ok(all))
            }
        }
    }
}

impl Pieces {
    pub(crate) fn read(&mut self, into: &mut [u8]) -> PyResult<usize> {
        while self.at == self.piece.len() {
            let next = Python::try_attach(|py| {
                let mut iterator = self.iterator.bind(py).clone();
                iterator.next().map(|next| bytes_of(&next?)).transpose()
            });
            // There is none when Python ends.
            let Some(next) = next.unwrap_or(Ok(None))? else {
                return Ok(0);
            };
            (self.piece, self.at) = (next, 0);
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

/// Opens a file. Nobody may ever write to a pipe: Ctrl-C ends the waiting for that.
fn opened(path: PathBuf, watch: &Watch) -> io::Result<Box<dyn Read>> {
    if path.metadata()?.is_file() {
        return packed::open(&path);
    }
    let (sender, receiver) = mpsc::channel();
    let name = path.clone();
    thread::spawn(move || {
        // Nobody may be left to hear it.
        let _ = sender.send(File::open(path));
    });
    loop {
        match receiver.recv_timeout(WAIT) {
            Ok(file) => return Ok(packed::decompressed(name.as_os_str(), file?)),
            Err(RecvTimeoutError::Timeout) => watch.look()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("it cannot be opened"));
            }
        }
    }
}

/// A text in UTF-8. Half of a character (a lone surrogate) raises `UnicodeEncodeError`.
fn encoded(text: &Bound<'_, PyString>) -> PyResult<Vec<u8>> {
    Ok(text.to_cow()?.as_bytes().to_vec())
}

fn bytes(argument: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    if let Ok(bytes) = argument.cast::<PyBytes>() {
        return Some(bytes.as_bytes().to_vec());
    }
    let bytes = argument.cast::<PyByteArray>().ok();
    bytes.map(PyByteArrayMethods::to_vec)
}

fn bytes_of(piece: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = piece.cast::<PyString>() {
        return encoded(text);
    }
    bytes(piece).ok_or_else(|| {
        let message = "an iterable that is a transcript gives str or bytes";
        PyTypeError::new_err(message)
    })
}
