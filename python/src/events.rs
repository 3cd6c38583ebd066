//! `Events`: what happens in a run, one record after the other.

use std::{
    cell::RefCell,
    io::{self, Read},
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::Duration,
};

use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    types::{PyIterator, PyList, PyTuple},
};
use referee::stream::Item;

use crate::{
    errors::{Wrong, read},
    loaded::Loaded,
    source::Named,
    watch::{Home, Watch, Watched},
};

/// How many bytes of records go over at once.
const AT_ONCE: usize = 1 << 16;

/// How many such parts wait for Python at most.
const WAITING: usize = 4;

/// How often Python looks for signals while it waits.
const OFTEN: Duration = Duration::from_millis(50);

/// What a run sends.
enum Part {
    /// Some records, as a JSON array without its brackets.
    Records(String),
    /// The run has ended.
    End,
    /// The run was stopped.
    Wrong(Wrong),
    /// Python raised something while it was asked for more of the transcript.
    Raised(PyErr),
}

/// The records of a run, each a dict: an iterator that `Game.events` gives. The run goes on in a thread of its own while they
/// are taken.
#[pyclass(frozen, module = "referee")]
pub(crate) struct Events {
    state: Mutex<State>,
    home: Home,
}

struct State {
    /// Nothing once the run has ended.
    coming: Option<Receiver<Part>>,
    /// The records that came together.
    here: Option<Py<PyIterator>>,
}

impl Events {
    pub(crate) fn of(loaded: &Arc<Loaded>, form: Option<String>, named: Named) -> Events {
        let (sender, coming) = mpsc::sync_channel(WAITING);
        let loaded = loaded.clone();
        thread::spawn(move || run(&loaded, form.as_deref(), named, &sender));
        Events {
            state: Mutex::new(State {
                coming: Some(coming),
                here: None,
            }),
            home: Home::here(),
        }
    }
}

/// Runs, and sends what happens.
fn run(loaded: &Loaded, form: Option<&str>, named: Named, sender: &SyncSender<Part>) {
    let Named { name, source } = named;
    // Who takes the records looks for signals.
    let watch = Watch::never();
    let waiting = RefCell::new(String::new());
    let send = || {
        let records = waiting.take();
        if records.is_empty() {
            return Ok(());
        }
        // Nobody takes them any more.
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        sender.send(Part::Records(records)).map_err(gone)
    };
    let mut input = Patient {
        input: Watched {
            input: source.open(&watch),
            watch: &watch,
        },
        send: &send,
    };
    let ended = loaded.watched(|watched| {
        watched.run(form, &name, &mut input, &mut |item| {
            if let Item::Error(_) = item {
                // It is raised.
                return Ok(());
            }
            let mut records = waiting.borrow_mut();
            if !records.is_empty() {
                records.push(',');
            }
            records.push_str(&serde_json::to_string(&item)?);
            if records.len() < AT_ONCE {
                return Ok(());
            }
            drop(records);
            send()
        })
    });
    let rest = send();
    let last = match (watch.raised(), ended) {
        (Some(error), _) => Part::Raised(error),
        (None, Err(failure)) => Part::Wrong(Wrong::failure(&failure, &name)),
        (None, Ok(())) => Part::End,
    };
    if rest.is_ok() {
        // Nobody may be left to hear it.
        let _ = sender.send(last);
    }
}

/// An input before whose every read all records go out: who feeds it sees what came of it.
struct Patient<'w, S> {
    input: Watched<'w>,
    send: S,
}

impl<S: Fn() -> io::Result<()>> Read for Patient<'_, S> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        (self.send)()?;
        self.input.read(into)
    }
}

#[pymethods]
impl Events {
    /// Gives itself.
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next record: a dict.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.home.check()?;
        loop {
            let came = py.detach(|| {
                let mut state = self
                    .state
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if state.here.is_some() {
                    return Ok(None);
                }
                let Some(coming) = &state.coming else {
                    return Ok(Some(Part::End));
                };
                let came = coming.recv_timeout(OFTEN);
                if !matches!(came, Ok(Part::Records(_)) | Err(RecvTimeoutError::Timeout)) {
                    state.coming = None;
                }
                came.map(Some)
            });
            match came {
                Ok(Some(Part::End)) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("this run has broken off"));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Ok(Some(Part::Wrong(wrong))) => return Err(wrong.raised(py)),
                Ok(Some(Part::Raised(error))) => return Err(error),
                Ok(Some(Part::Records(records))) => {
                    let records = read(py, &format!("[{records}]"))?;
                    let records = records.cast::<PyList>()?.try_iter()?.unbind();
                    self.with(|state| state.here = Some(records));
                }
                Ok(None) => {
                    let here = self.with(|state| state.here.as_ref().map(|it| it.clone_ref(py)));
                    if let Some(next) = here.and_then(|here| here.into_bound(py).next()) {
                        return next.map(Some);
                    }
                    self.with(|state| state.here = None);
                }
            }
        }
    }

    /// Gives itself: `with` closes it at its end.
    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// Lets the run end: nothing more comes.
    fn close(&self) {
        self.with(|state| (state.coming, state.here) = (None, None));
    }
}

impl Events {
    /// The lock is never held while Python runs something else.
    fn with<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        with(
            &mut self
                .state
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        )
    }
}
