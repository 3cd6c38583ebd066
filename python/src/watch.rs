//! Runs that can be interrupted, and read from and write to Python.

use std::{
    cell::{Cell, RefCell},
    io::{self, Read, Write},
    process,
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use pyo3::{
    exceptions::{PyBlockingIOError, PyOSError, PyRuntimeError},
    prelude::*,
    types::{PyBool, PyBytes},
};

use crate::source::Input;

/// How often it is looked whether there is a signal.
const OFTEN: Duration = Duration::from_millis(100);

/// How often it is looked whether there is a signal while Python waits.
pub(crate) const WAIT: Duration = Duration::from_millis(50);

/// How much of a report waits until it is written to Python.
const WAITING: usize = 1 << 16;

/// The process that a thread belongs to: who is forked from it does not have the thread, and would wait for ever.
pub(crate) struct Home(u32);

impl Home {
    pub(crate) fn here() -> Home {
        Home(process::id())
    }

    /// Fails in a process that was forked from it.
    pub(crate) fn check(&self) -> PyResult<()> {
        if process::id() == self.0 {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "sessions and events do not go along into a process that is forked: begin them there",
        ))
    }
}

/// Waits for an answer, without the lock of the interpreter.
pub(crate) fn awaited<T: Send>(py: Python<'_>, coming: &mut Receiver<T>) -> PyResult<T> {
    loop {
        let came = py.detach(|| {
            let coming = &mut *coming;
            coming.recv_timeout(WAIT)
        });
        match came {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("this has broken off"));
            }
        }
    }
}

/// Does in a thread of its own what cannot be ended, and waits for it. Ctrl-C ends only the waiting.
pub(crate) fn apart<T: Send + 'static>(
    py: Python<'_>,
    task: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (answer, mut coming) = mpsc::channel();
    thread::spawn(move || {
        // Nobody may be left to hear it.
        let _ = answer.send(task());
    });
    awaited(py, &mut coming)
}

/// What Python says while something runs: that it is to end, or that reading or writing failed.
pub(crate) struct Watch {
    /// When it was last looked whether there is a signal.
    looked: Cell<Instant>,
    /// Whether it is ever looked.
    looks: bool,
    raised: RefCell<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        Watch {
            looked: Cell::new(Instant::now()),
            looks: true,
            raised: RefCell::new(None),
        }
    }

    /// One for a thread that must never wait for the lock of the interpreter.
    pub(crate) fn never() -> Watch {
        Watch {
            looks: false,
            ..Watch::new()
        }
    }

    /// Fails where a signal came whose handler raised something.
    pub(crate) fn look(&self) -> io::Result<()> {
        if !self.looks || self.looked.get().elapsed() < OFTEN {
            return Ok(());
        }
        let looked = Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()));
        self.looked.set(Instant::now());
        looked.map_err(|error| self.keep(error))
    }

    /// Keeps an exception, which goes on its way when the run has ended.
    pub(crate) fn keep(&self, error: PyErr) -> io::Error {
        self.raised.replace(Some(error));
        io::Error::other("an exception was raised")
    }

    /// The exception that ended the run, if one did.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.take()
    }
}

/// A transcript that is read under watch.
pub(crate) struct Watched<'w> {
    pub(crate) input: Input,
    pub(crate) watch: &'w Watch,
}

impl Read for Watched<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.watch.look()?;
        match &mut self.input {
            Input::Text(text) => text.read(into),
            Input::File(file) => file.read(into),
            Input::Pieces(pieces) => pieces.read(into).map_err(|error| self.watch.keep(error)),
            Input::Gone(error) => Err(error.take().unwrap_or_else(|| io::Error::other("gone"))),
        }
    }
}

/// Where a report goes.
pub(crate) enum Report<'w> {
    /// It is kept.
    Kept(Vec<u8>, &'w Watch),
    /// It is written to an object that has `write`.
    Written(Vec<u8>, Py<PyAny>, &'w Watch),
}

impl Report<'_> {
    /// What was kept.
    pub(crate) fn text(self) -> String {
        match self {
            Report::Kept(text, _) => String::from_utf8(text)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            Report::Written(..) => String::new(),
        }
    }
}

impl Write for Report<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let full = match self {
            Report::Kept(text, watch) => {
                watch.look()?;
                text.extend_from_slice(bytes);
                false
            }
            Report::Written(waiting, _, watch) => {
                watch.look()?;
                waiting.extend_from_slice(bytes);
                waiting.len() >= WAITING
            }
        };
        if full {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let Report::Written(waiting, output, watch) = self else {
            return Ok(());
        };
        if waiting.is_empty() {
            return Ok(());
        }
        let written = Python::attach(|py| write_all(output.bind(py), waiting));
        waiting.clear();
        written.map_err(|error| watch.keep(error))
    }
}

/// Writes all of it, also to an object that takes only a part at a time, as a raw file does.
fn write_all(output: &Bound<'_, PyAny>, bytes: &[u8]) -> PyResult<()> {
    let py = output.py();
    let mut rest = bytes;
    while !rest.is_empty() {
        let answer = output.call_method1("write", (PyBytes::new(py, rest),))?;
        let raw = || output.is_instance(&py.import("io")?.getattr("RawIOBase")?);
        if answer.is_none() && raw()? {
            let message = "the report cannot be written now without waiting";
            let code = py.import("errno")?.getattr("EAGAIN")?.unbind();
            return Err(PyBlockingIOError::new_err((code, message)));
        }
        let is_count = !answer.is_instance_of::<PyBool>();
        match answer.extract::<usize>().ok().filter(|_| is_count) {
            // It does not say how much it took: all of it.
            None => break,
            Some(0) => return Err(PyOSError::new_err("`write` takes nothing of the report")),
            Some(count) => rest = rest.get(count..).unwrap_or_default(),
        }
    }
    Ok(())
}
