//! `Table` and `Tables`: what happens in runs, as Arrow has it.

use std::{
    io::{self, Read},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use arrow_array::{
    RecordBatch, RecordBatchIterator, RecordBatchReader, ffi_stream::FFI_ArrowArrayStream,
};
use arrow_schema::{ArrowError, SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::PyCapsule,
};
use referee::{
    game,
    stream::{End, Item},
    tables::{Batch, Kind},
};

use crate::{
    errors::Wrong,
    loaded::Loaded,
    source::{Named, Source},
    watch::{Watch, Watched},
};

/// How many rows a batch has, but for the last.
const ROWS: usize = 1 << 16;

/// How many batches wait to be taken at most.
const WAITING: usize = 2;

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
        let broken = |_| {
            Err(ArrowError::ComputeError(
                "the run has broken off".to_string(),
            ))
        };
        let sent = self.receiver.as_ref()?.recv().unwrap_or_else(broken);
        if !matches!(sent, Ok(Some(_))) {
            self.receiver = None;
        }
        sent.transpose()
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
        let input = source.open();
        let mut input = Watched { input, watch };
        let (end, wrong) = run(watched, form, &name, &mut input, &mut |item| {
            watch.look()?;
            let Item::Event(event) = item else {
                return Ok(());
            };
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
            return Err(Ok(wrong));
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
    let (schema, receiver) = (kind.schema(), Some(receiver));
    Ok(Table {
        kind,
        batches: Batches::Coming(Mutex::new(Some(Coming { schema, receiver }))),
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
            input: source.open(),
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
                Box::new(coming.ok_or_else(|| {
                    let message = "this table was taken: it is made once, while it is taken";
                    PyRuntimeError::new_err(message)
                })?)
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
