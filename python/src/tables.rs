//! `Table` and `Tables`: what happens in runs, as Arrow has it.

use std::{
    io::{self, Read},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use arrow_array::{
    RecordBatch, RecordBatchIterator, RecordBatchReader, ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{ArrowError, SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::PyCapsule,
};
use referee::{
    game,
    stream::{End, Item},
    tables::{Batch, Kind},
};

use crate::{
    counts::add_report,
    errors::Wrong,
    loaded::Loaded,
    source::{Named, Source},
    watch::{Watch, Watched},
};

/// How many rows a batch has, but for the last.
const ROWS: usize = 1 << 16;

/// How many batches wait to be taken at most.
const WAITING: usize = 2;

/// How often it is looked whether there is a signal while a table is taken.
const OFTEN: Duration = Duration::from_millis(50);

/// A table of what happened in runs. `docs/python.md` says what its columns hold.
///
/// It has Arrow's PyCapsule interface (`__arrow_c_stream__`), by which Polars, DuckDB, pandas and pyarrow take it without
/// copying: `polars.DataFrame(table)`, `duckdb.sql("from table")`, `pyarrow.table(table)`. A table of `Game.tables` has a
/// length, and can be taken any number of times; one of `Game.table` once.
#[pyclass(frozen, module = "referee")]
pub(crate) struct Table {
    kind: Kind,
    batches: Batches,
}

/// Where the batches of a table are.
enum Batches {
    /// All here, to be taken any number of times.
    Held(Vec<RecordBatch>),
    /// Made while they are taken, which can be done once.
    Coming(Mutex<Option<Coming>>),
}

/// What a run sends: a batch, or at the end none.
type Sent = Result<Option<RecordBatch>, ArrowError>;

/// Batches that a thread makes.
struct Coming {
    schema: SchemaRef,
    /// Nothing once all have come.
    receiver: Option<Receiver<Sent>>,
    /// The thread that began to take them: only there it is safe to wait for the interpreter's lock.
    taker: Option<ThreadId>,
    /// When it was last looked whether there is a signal.
    looked: Instant,
}

/// The tables of the same runs: `runs`, `events`, `changes`, `said` and `facts`, each a `Table`.
#[pyclass(frozen, module = "referee")]
pub(crate) struct Tables {
    /// A row for each transcript: how much it was, and what stopped it.
    #[pyo3(get)]
    runs: Py<Table>,
    /// A row for each event.
    #[pyo3(get)]
    events: Py<Table>,
    /// A row for each change of a state, or of one of its entries.
    #[pyo3(get)]
    changes: Py<Table>,
    /// A row for each line that was reported.
    #[pyo3(get)]
    said: Py<Table>,
    /// A row for each fact on which that rests.
    #[pyo3(get)]
    facts: Py<Table>,
}

impl Iterator for Coming {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let sent = self.sent()?;
        if !matches!(sent, Ok(Some(_))) {
            self.receiver = None;
        }
        sent.transpose()
    }
}

impl Coming {
    /// What is sent next, or that a signal came before.
    fn sent(&mut self) -> Option<Sent> {
        loop {
            if let Some(raised) = self.raised() {
                let message = format!("interrupted by {raised}");
                return Some(Err(ArrowError::ComputeError(message)));
            }
            match self.receiver.as_ref()?.recv_timeout(OFTEN) {
                Ok(sent) => return Some(sent),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "the run has broken off".to_string();
                    return Some(Err(ArrowError::ComputeError(message)));
                }
            }
        }
    }

    /// The name of what the handler of a signal has raised, if there was a signal.
    fn raised(&mut self) -> Option<String> {
        if self.taker != Some(thread::current().id()) || self.looked.elapsed() < OFTEN {
            return None;
        }
        let raised = Python::try_attach(|py| {
            let error = py.check_signals().err()?;
            let name = error.get_type(py).name();
            let name = name.map_or_else(|_| "a signal".to_string(), |name| name.to_string());
            // Whoever takes the table raises an error of its own, in which Ctrl-C would get lost.
            if error.is_instance_of::<PyKeyboardInterrupt>(py)
                && let Ok(thread) = py.import("_thread")
            {
                let _ = thread.call_method0("interrupt_main");
            }
            Some(name)
        });
        self.looked = Instant::now();
        raised.flatten()
    }
}

impl RecordBatchReader for Coming {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Whether `errors` says that what is wrong with a transcript is kept, in the table of runs.
pub(crate) fn kept(errors: &str) -> PyResult<bool> {
    match errors {
        "raise" => Ok(false),
        "keep" => Ok(true),
        other => Err(PyValueError::new_err(format!(
            "errors is `{other}`: write raise or keep"
        ))),
    }
}

/// Runs a game on a transcript, and gives all that happens to `told`. What stopped the run is nothing to be told here.
fn run(
    watched: &game::Watched<'_>,
    form: Option<&str>,
    name: &str,
    input: &mut dyn Read,
    told: &mut dyn FnMut(&Item) -> io::Result<()>,
) -> (End, Option<Wrong>) {
    let mut end = End::default();
    let ran = watched.run(form, name, input, &mut |item| {
        match &item {
            Item::End(all) => end = *all,
            Item::Event(event) => {
                end.events += 1;
                end.games = event.game;
            }
            Item::Run(_) | Item::Row(_) | Item::Error(_) => {}
        }
        told(&item)
    });
    (end, ran.err().map(|failure| Wrong::failure(&failure, name)))
}

/// Runs a game on transcripts, and holds all tables.
pub(crate) fn held(
    py: Python<'_>,
    loaded: &Loaded,
    form: Option<&str>,
    inputs: Vec<Named>,
    keep: bool,
) -> PyResult<Tables> {
    let made = py.detach(|| {
        let watch = Watch::new();
        let made = loaded.tabled(|watched| all(watched, form, inputs, keep, &watch));
        watch.raised().map_or(Ok(made), Err)
    })?;
    let made = made.map_err(|wrong| match wrong {
        Ok(wrong) => wrong.raised(py),
        Err(error) => PyRuntimeError::new_err(error.to_string()),
    })?;
    let [runs, events, changes, said, facts] = made.map(|table| Py::new(py, table));
    Ok(Tables {
        runs: runs?,
        events: events?,
        changes: changes?,
        said: said?,
        facts: facts?,
    })
}

fn all(
    watched: &game::Watched<'_>,
    form: Option<&str>,
    inputs: Vec<Named>,
    keep: bool,
    watch: &Watch,
) -> Result<[Table; 5], Result<Wrong, ArrowError>> {
    let mut making = Kind::ALL.map(|kind| (Batch::new(kind), Vec::new()));
    for Named { name, source } in inputs {
        let input = source.open(watch);
        let mut input = Watched { input, watch };
        let mut report = String::new();
        let (end, wrong) = run(watched, form, &name, &mut input, &mut |item| {
            watch.look()?;
            let Item::Event(event) = item else {
                return Ok(());
            };
            if !keep {
                add_report(&mut report, event);
            }
            for (batch, done) in &mut making {
                batch.event(&name, event);
                if batch.count() >= ROWS {
                    done.push(batch.taken().map_err(io::Error::other)?);
                }
            }
            Ok(())
        });
        for (batch, _) in &mut making {
            batch.run(&name, end, wrong.as_ref().map(Wrong::stopped).as_ref());
        }
        if let Some(wrong) = wrong.filter(|_| !keep) {
            return Err(Ok(wrong.after(report)));
        }
    }
    for (batch, done) in &mut making {
        if batch.count() > 0 {
            done.push(batch.taken().map_err(Err)?);
        }
    }
    let mut kinds = Kind::ALL.into_iter();
    Ok(making.map(|(_, done)| Table {
        kind: kinds.next().unwrap_or(Kind::Runs),
        batches: Batches::Held(done),
    }))
}

/// Runs a game on transcripts in a thread of its own while the batches of one table are taken.
pub(crate) fn streamed(
    loaded: &Arc<Loaded>,
    kind: &str,
    form: Option<String>,
    inputs: Vec<Named>,
    keep: bool,
) -> PyResult<Table> {
    let Some(kind) = Kind::ALL.into_iter().find(|one| one.name() == kind) else {
        return Err(PyValueError::new_err(format!(
            "there is no table `{kind}`: there are runs, events, changes, said and facts"
        )));
    };
    // Who takes batches may hold the lock that such an iterable needs.
    let from_python = |named: &Named| matches!(named.source, Source::Pieces(_));
    if inputs.iter().any(from_python) {
        return Err(PyTypeError::new_err(
            "a table that is made while it is taken reads str, bytes and os.PathLike; `tables` also reads iterables",
        ));
    }
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    let loaded = loaded.clone();
    thread::spawn(move || {
        let mut batch = Batch::new(kind);
        let sent = send_all(
            &loaded.game().watched().for_tables(&[kind]),
            form.as_deref(),
            inputs,
            keep,
            &mut batch,
            &sender,
        );
        // Nobody may be left to hear it.
        let _ = sender.send(sent.map(|()| None));
    });
    let coming = Coming {
        schema: kind.schema(),
        receiver: Some(receiver),
        taker: None,
        looked: Instant::now(),
    };
    Ok(Table {
        kind,
        batches: Batches::Coming(Mutex::new(Some(coming))),
    })
}

fn send_all(
    watched: &game::Watched<'_>,
    form: Option<&str>,
    inputs: Vec<Named>,
    keep: bool,
    batch: &mut Batch,
    sender: &SyncSender<Sent>,
) -> Result<(), ArrowError> {
    let send = |batch: &mut Batch| {
        let gone = |_| ArrowError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        sender.send(Ok(Some(batch.taken()?))).map_err(gone)
    };
    for Named { name, source } in inputs {
        let watch = Watch::never();
        let mut input = Watched {
            input: source.open(&watch),
            watch: &watch,
        };
        let (end, wrong) = run(watched, form, &name, &mut input, &mut |item| {
            if let Item::Event(event) = item {
                batch.event(&name, event);
            }
            if batch.count() < ROWS {
                return Ok(());
            }
            send(batch).map_err(io::Error::other)
        });
        batch.run(&name, end, wrong.as_ref().map(Wrong::stopped).as_ref());
        if let Some(wrong) = wrong.filter(|_| !keep) {
            return Err(ArrowError::ExternalError(wrong.text.into()));
        }
        if batch.count() >= ROWS {
            send(batch)?;
        }
    }
    if batch.count() > 0 {
        send(batch)?;
    }
    Ok(())
}

#[pymethods]
impl Table {
    /// The columns, as a capsule of Arrow's C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.kind.schema());
        let schema = schema.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, as a capsule of Arrow's C interface. It has always the same schema.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Who asks for another schema may be given this one, and converts it.
        drop(requested_schema);
        let reader: Box<dyn RecordBatchReader + Send> = match &self.batches {
            Batches::Held(batches) => {
                let batches = batches.clone().into_iter().map(Ok);
                Box::new(RecordBatchIterator::new(batches, self.kind.schema()))
            }
            Batches::Coming(coming) => {
                let coming = coming.lock().unwrap_or_else(PoisonError::into_inner).take();
                let mut coming = coming.ok_or_else(|| {
                    let message = "this table was taken: it is made once, while it is taken";
                    PyRuntimeError::new_err(message)
                })?;
                coming.taker = Some(thread::current().id());
                Box::new(coming)
            }
        };
        let stream = FFI_ArrowArrayStream::new(reader);
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The names of its columns: a list of str.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.kind.schema();
        let fields = schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> PyResult<usize> {
        match &self.batches {
            Batches::Held(batches) => Ok(batches.iter().map(RecordBatch::num_rows).sum()),
            Batches::Coming(_) => Err(PyTypeError::new_err(
                "how long this table is, is known when it was taken",
            )),
        }
    }

    fn __repr__(&self) -> String {
        let name = self.kind.name();
        match self.__len__() {
            Ok(rows) => format!("<referee.Table {name}, {rows} rows>"),
            Err(_) => format!("<referee.Table {name}>"),
        }
    }
}
