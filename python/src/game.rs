//! `Game`: rules that were loaded and checked.

use std::{path::PathBuf, sync::Arc};

use pyo3::{
    prelude::*,
    types::{PyDict, PyMapping},
};
use referee::{
    explanation::{DEPTH_OF_SENTENCES, Query},
    failure::Failure,
    game::{Settings, Trial},
    stream::Item,
};

use crate::{
    counts::{Counted, Counts},
    cover, difference,
    errors::{Wrong, python},
    events::Events,
    loaded::{Loaded, Origin, entries, named, settings},
    session::Session,
    source::Named,
    tables::{self, Table, Tables},
    watch::{self, Report, Watch},
};

/// Rules that were loaded and checked: a game with its variants and the values of its options.
///
/// A game never changes, and can be used from several threads at once. It can be pickled: the rule files that the package
/// does not have go along, so another machine need not have them.
///
/// >>> import referee
/// >>> game = referee.Game.load("snooker+free-ball", {"red_balls": 6})
/// >>> game
/// <referee.Game snooker+free-ball red_balls=6>
/// >>> game.options["red_balls"]
/// '6'
/// >>> game.why("1\n\nAnn Ben\nRed White\n", 4).splitlines()[1].strip()
/// 'foul: the white was potted (WPBSA rules of 2014, section 3, 10)'
#[pyclass(frozen, weakref, module = "referee")]
pub(crate) struct Game {
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) origin: Origin,
}

#[pymethods]
impl Game {
    /// Loads a game and checks it.
    ///
    /// `name` is the name of a shipped game, or the path of a rule file (a text with a `/` or that ends in `.rules`, or an
    /// `os.PathLike`); variants come after it, each after a `+`. With `text` that is the rule file, and `name` what messages
    /// call it. `options` are values of the game's options: numbers, yes/no as bool, names as str. Games and variants are
    /// looked for in `folders` before the shipped ones. `seed` is what `play by random` draws from, and `limits` what a game
    /// may take: `{"events": 1000, "fuel": 1 << 20, "memory": 64}`, the last in MiB.
    ///
    /// Raises `UsageError` where there is no such game, variant or option, `RulesError` with all that is wrong with the rule
    /// file, and `MachineError` where it cannot be read.
    ///
    /// >>> import referee
    /// >>> referee.Game.load("weiqi", {"size": 9}).title
    /// 'Weiqi (Go)'
    /// >>> try:
    /// ...     referee.Game.load("chess", {"repetition": 5})
    /// ... except referee.UsageError as error:
    /// ...     print(error.slug, error.helps)
    /// unknown-option ('did you mean `repetitions`?',)
    #[staticmethod]
    #[pyo3(signature = (name, options = None, *, text = None, folders = Vec::new(), seed = 0, limits = None))]
    fn load(
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyMapping>>,
        text: Option<String>,
        folders: Vec<PathBuf>,
        seed: u64,
        limits: Option<&Bound<'_, PyMapping>>,
    ) -> PyResult<Game> {
        let name = named(name)?;
        let origin = Origin {
            name,
            text,
            settings: settings(options)?,
            folders,
            texts: Vec::new(),
            seed,
            limits: entries(limits)?,
        };
        origin.loaded(py)
    }

    /// What another process loads the same game by.
    #[staticmethod]
    fn _again(
        py: Python<'_>,
        name: String,
        text: Option<String>,
        settings: Settings,
        folders: Vec<PathBuf>,
        texts: Vec<(String, String)>,
        bounds: (u64, Vec<(String, u64)>),
    ) -> PyResult<Game> {
        let (seed, limits) = bounds;
        let origin = Origin {
            name,
            text,
            settings,
            folders,
            texts,
            seed,
            limits,
        };
        origin.loaded(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let again = py.get_type::<Game>().getattr("_again")?;
        let origin = self.origin.clone();
        let state = (
            origin.name,
            origin.text,
            origin.settings,
            origin.folders,
            origin.texts,
            (origin.seed, origin.limits),
        );
        Ok((again, state.into_pyobject(py)?.into_any()))
    }

    fn __repr__(&self) -> String {
        format!(
            "<referee.Game {}>",
            self.origin.described(self.loaded.game())
        )
    }

    /// The name of the game, without variants: a str.
    #[getter]
    fn name(&self) -> &str {
        self.loaded.game().name()
    }

    /// Its name for people: a str.
    #[getter]
    fn title(&self) -> &str {
        self.loaded.game().title()
    }

    /// The names of the variants that were applied, from left to right: a list of str.
    #[getter]
    fn variants(&self) -> Vec<&str> {
        self.loaded.game().applied()
    }

    /// The forms that its transcripts may have, the default first: a list of str, in which None is a form without a name.
    ///
    /// >>> import referee
    /// >>> referee.Game.load("chess").forms
    /// [None, 'played', 'position']
    #[getter]
    fn forms(&self) -> Vec<Option<&str>> {
        self.loaded.game().transcripts()
    }

    /// The names of its events, in the order of the rule file: a list of str.
    #[getter]
    fn event_names(&self) -> Vec<&str> {
        self.loaded.game().events()
    }

    /// The names of its policies, in the order of the rule file: a list of str.
    #[getter]
    fn policies(&self) -> Vec<&str> {
        self.loaded.game().policies()
    }

    /// Its options with the values they have, as they are written: a dict of str to str.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for option in self.loaded.game().options() {
            options.set_item(option.name, option.value)?;
        }
        Ok(options)
    }

    /// What is probably not meant, though it runs: a list of `Diagnostic`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.loaded.game();
        let warnings = game.warnings().iter();
        let data = warnings.map(|warning| warning.to_data(game.sources()));
        let data = python(py, &data.collect::<Vec<_>>())?;
        py.import("referee.errors")?
            .getattr("_diagnostics")?
            .call1((data,))
    }

    /// Runs the game on a transcript, and gives the report: a str, byte for byte what `referee run` writes.
    ///
    /// `source` is the transcript: a str is its text, bytes are its text in UTF-8, an `os.PathLike` is a file that has it,
    /// and any other iterable, as an open file is one, gives it piece by piece. A file that is compressed (`.gz`, `.zst`) is
    /// read as what was compressed. `form` is one of `forms`, and `name` what messages call the transcript; otherwise that is
    /// the path, or `transcript`. With `output`, an object that has `write`, the report is written there as bytes, always
    /// before more of the transcript is read, and None is given; where `write` says that it took only a part, it is called
    /// again with the rest. What is kept in memory then does not grow with the transcript.
    ///
    /// The interpreter's lock is released, and Ctrl-C ends the run.
    ///
    /// Raises `TranscriptError` where the transcript is wrong, `RulesError` where a row of the rules cannot be worked out,
    /// `BoundError` where a game takes too much, `UsageError` where there is no such form, and `MachineError` where a file
    /// cannot be read; `report` is what had been reported by then, unless that went to `output`. What `source` or `output`
    /// raise goes through.
    ///
    /// >>> import referee
    /// >>> nim = referee.Game.load("nim")
    /// >>> print(nim.run("1\nAnn Ben\n2\nAnn 2 from 1\n"), end="")
    /// Ann against Ben: 2
    /// Ann leaves 0
    /// Ann wins
    /// >>> try:
    /// ...     nim.run("1\nAnn Ben\n2\nAnn 3 from 1\n", name="at the table")
    /// ... except referee.TranscriptError as error:
    /// ...     print(error.slug, error.file, error.line, error.column)
    /// ...     print(error.message)
    /// impossible at the table 4 12
    /// heap 1 has only 2
    #[pyo3(signature = (source, *, form = None, name = None, output = None))]
    fn run(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        form: Option<&str>,
        name: Option<String>,
        output: Option<Py<PyAny>>,
    ) -> PyResult<Option<String>> {
        let Named { name, source } = Named::of(source, name)?;
        let is_kept = output.is_none();
        let ran = py.detach(|| {
            let watch = Watch::new();
            let mut input = watch::Watched {
                input: source.open(&watch),
                watch: &watch,
            };
            let mut report = match output {
                None => Report::Kept(Vec::new(), &watch),
                Some(output) => Report::Written(Vec::new(), output, &watch),
            };
            let ran = self.loaded.game().run(form, &name, &mut input, &mut report);
            match (watch.raised(), ran) {
                (Some(error), _) => Err(Ok(error)),
                (None, Ok(())) => Ok(report.text()),
                (None, Err(failure)) => {
                    Err(Err(Wrong::failure(&failure, &name).after(report.text())))
                }
            }
        });
        match ran {
            Ok(report) => Ok(is_kept.then_some(report)),
            Err(Ok(error)) => Err(error),
            Err(Err(wrong)) => Err(wrong.raised(py)),
        }
    }

    /// Runs the game on a transcript, and gives what happens: an iterator of records, each a dict, as `docs/events.md` and
    /// `docs/events.schema.json` say. The run goes on in a thread of its own while they are taken, at most a few hundred
    /// records ahead, and ends when the iterator is closed or gone.
    ///
    /// The arguments are those of `run`. The iterator raises what `run` raises, after the last record; there is none of the
    /// type `error`. Its `report` is empty, since the records have said it.
    ///
    /// >>> import referee
    /// >>> nim = referee.Game.load("nim")
    /// >>> for record in nim.events("1\nAnn Ben\n2\nAnn 2 from 1\n"):
    /// ...     if record["type"] == "event":
    /// ...         print(record["line"], record["event"], record.get("fields"), [said["text"] for said in record.get("said", [])])
    /// 3 start None ['Ann against Ben: 2']
    /// 4 take {'who': 'Ann', 'count': 2, 'from': 1} ['Ann leaves 0', 'Ann wins']
    #[pyo3(signature = (source, *, form = None, name = None))]
    fn events(
        &self,
        source: &Bound<'_, PyAny>,
        form: Option<String>,
        name: Option<String>,
    ) -> PyResult<Events> {
        let named = Named::of(source, name)?;
        Ok(Events::of(&self.loaded, form, named))
    }

    /// The report, what stopped the run if anything did, how many events each row fired in, and how many lines each row
    /// said: rows by their file, line and name.
    #[pyo3(signature = (source, *, form = None, name = None))]
    fn _counted<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        form: Option<&str>,
        name: Option<String>,
    ) -> PyResult<(String, Option<PyErr>, Counts, Counts)> {
        let Named { name, source } = Named::of(source, name)?;
        let (raised, wrong, counted) = py.detach(|| {
            let watch = Watch::new();
            let mut input = watch::Watched {
                input: source.open(&watch),
                watch: &watch,
            };
            let mut counted = Counted::default();
            let ran = self.loaded.counting(|watched| {
                watched.run(form, &name, &mut input, &mut |item| {
                    watch.look()?;
                    if let Item::Event(event) = item {
                        counted.event(&event);
                    }
                    Ok(())
                })
            });
            let wrong = ran.err().map(|failure| Wrong::failure(&failure, &name));
            (watch.raised(), wrong, counted)
        });
        if let Some(error) = raised {
            return Err(error);
        }
        let Counted {
            report,
            fired,
            lines,
        } = counted;
        let wrong = wrong.map(|wrong| wrong.after(report.clone()).raised(py));
        Ok((report, wrong, fired, lines))
    }

    /// What makes another game say something else of a transcript: `difference::cause`.
    #[pyo3(signature = (other, text, form))]
    fn _cause(
        &self,
        py: Python<'_>,
        other: &Game,
        text: Vec<u8>,
        form: Option<String>,
    ) -> PyResult<Option<difference::Cause>> {
        difference::cause(py, [&self.loaded, &other.loaded], form, text)
    }

    /// The texts of its rule files, each after its name.
    #[getter]
    fn _texts(&self) -> Vec<(&str, &str)> {
        self.loaded.game().sources().texts().collect()
    }

    /// Runs the game on one or several transcripts, and gives what happens as tables in memory: `Tables`. Polars, DuckDB,
    /// pandas and pyarrow take each of them as it lies there.
    ///
    /// `sources` is one transcript, as for `run`, or a list or tuple of several, in which a pair is the name of a transcript
    /// and the transcript. As everywhere, a str is a text, and a file needs a `pathlib.Path`. `errors` says what becomes of a
    /// transcript that is wrong: "raise" raises what `run` would; "keep" keeps what happened before, tells the error in the
    /// table of runs, and goes on with the next transcript.
    ///
    /// >>> import referee
    /// >>> nim = referee.Game.load("nim")
    /// >>> tables = nim.tables([("good", "1\nAnn Ben\n2\nAnn 2 from 1\n"), ("bad", "1\nAnn Ben\n2\nAnn 3 from 1\n")], errors="keep")
    /// >>> tables.events
    /// <referee.Table events, 4 rows>
    /// >>> import polars
    /// >>> polars.DataFrame(tables.runs).select("input", "events", "slug", "line").rows()
    /// [('good', 2, None, None), ('bad', 2, 'impossible', 4)]
    #[pyo3(signature = (sources, *, form = None, errors = "raise"))]
    fn tables(
        &self,
        py: Python<'_>,
        sources: &Bound<'_, PyAny>,
        form: Option<&str>,
        errors: &str,
    ) -> PyResult<Tables> {
        let keep = tables::kept(errors)?;
        tables::held(py, &self.loaded, form, Named::several(sources)?, keep)
    }

    /// One of these tables, made while it is taken, which can be done once: a `Table`. `kind` is "runs", "events", "changes",
    /// "said" or "facts". At most some batches of rows are in memory, so this is for what does not fit into it.
    ///
    /// The arguments are those of `tables`, but iterables cannot be read. What goes wrong is raised by who takes the table,
    /// in its own way, with the text of the message; Ctrl-C ends it too.
    ///
    /// >>> import duckdb, referee
    /// >>> said = referee.Game.load("nim").table("said", "1\nAnn Ben\n2\nAnn 2 from 1\n")
    /// >>> duckdb.sql("select text, row from said").fetchall()
    /// [('Ann against Ben: 2', 'game'), ('Ann leaves 0', 'left'), ('Ann wins', 'wins')]
    #[pyo3(signature = (kind, sources, *, form = None, errors = "raise"))]
    fn table(
        &self,
        kind: &str,
        sources: &Bound<'_, PyAny>,
        form: Option<String>,
        errors: &str,
    ) -> PyResult<Table> {
        let keep = tables::kept(errors)?;
        tables::streamed(&self.loaded, kind, form, Named::several(sources)?, keep)
    }

    /// Begins a transcript that comes line by line: a `Session`. The arguments are those of `run`.
    #[pyo3(signature = (*, form = None, name = None))]
    fn session(
        &self,
        py: Python<'_>,
        form: Option<String>,
        name: Option<String>,
    ) -> PyResult<Session> {
        Session::of(py, &self.loaded, form, name)
    }

    /// Why the referee decided as it did on a line of a transcript, counted from 1; on that of the last event where none is
    /// named. The text is what `referee why` writes.
    ///
    /// `event` is the number of one of the events on that line, and `column` a column of it. `not_` asks why something did
    /// not happen: a fact, a change, a row of either as `fact.row`, a rule of a policy, a line of the report, or an
    /// expression. `of` asks the value of an expression after the line, such as `score of Ann`. `format` is "text" for a few
    /// sentences, "trace" for all rows, both a str, or "data" for a dict as `docs/why.schema.json` says. `depth` is how many
    /// facts are looked into, one in the other. The others are those of `run`.
    ///
    /// Raises what `run` raises before that line, and `UsageError` where nothing is read from it, or nothing is called so.
    ///
    /// >>> import referee
    /// >>> snooker = referee.Game.load("snooker")
    /// >>> print(snooker.why("1\n\nAnn Ben\nRed White\n", 4, not_="foul").splitlines()[1].strip())
    /// foul is yes: the white was potted (WPBSA rules of 2014, section 3, 10)
    #[pyo3(signature = (source, line = None, *, event = None, column = None, not_ = None, of = None, depth = None, form = None, name = None, format = "text"))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword")]
    fn why<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        line: Option<usize>,
        event: Option<usize>,
        column: Option<usize>,
        not_: Option<String>,
        of: Option<String>,
        depth: Option<usize>,
        form: Option<String>,
        name: Option<String>,
        format: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Named { name, source } = Named::of(source, name)?;
        let query = Query {
            form,
            line,
            event,
            column,
            depth: depth.unwrap_or(DEPTH_OF_SENTENCES),
            not: not_,
            of,
            without: None,
        };
        let text = source.read(py)?;
        let loaded = self.loaded.clone();
        let explained = watch::apart(py, move || {
            let text = text.map_err(Failure::Input);
            let explained = text.and_then(|text| loaded.game().explain(&query, &name, &text));
            explained.map_err(|failure| Wrong::failure(&failure, &name))
        })?;
        let explained = explained.map_err(|wrong| wrong.raised(py))?;
        crate::session::told(py, &explained, format)
    }

    /// Which rows of the rules some transcripts reach: a list of dicts, in the order of the rule file, with the row's `name`,
    /// `file` and `line`, how often it was `considered` and `fired`, and in how many transcripts something else would have
    /// been said if it never fired (`changed`; None where the row has no name). `reason` says why a row never fired, and is
    /// None where it did; `conditions` is a list of dicts, each a condition as it is `written`, with its `line` and how often
    /// it `held` and `failed`. Of a game with variants, the variants' own rows.
    ///
    /// `sources` is as for `tables`. Raises `UsageError` where a transcript asks what makes no sense, and `MachineError`.
    ///
    /// >>> import referee
    /// >>> rows = referee.Game.load("nim").cover("1\nAnn Ben\n2\nAnn 2 from 1\n")
    /// >>> [(row["name"], row["fired"]) for row in rows if row["name"].startswith("take.report")]
    /// [('take.report.left', 1), ('take.report.wins', 1), ('take.report.why', 0)]
    /// >>> [row["reason"] for row in rows if row["name"] == "take.report.why"]
    /// ['nothing ever asked for it']
    #[pyo3(signature = (sources, *, form = None))]
    fn cover<'py>(
        &self,
        py: Python<'py>,
        sources: &Bound<'py, PyAny>,
        form: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut trials = Vec::new();
        for Named { name, source } in Named::several(sources)? {
            let transcript = source
                .read(py)?
                .map_err(|error| Wrong::failure(&Failure::Input(error), &name).raised(py))?;
            trials.push(Trial {
                name,
                form: form.map(str::to_string),
                settings: Settings::new(),
                transcript,
            });
        }
        let loaded = self.loaded.clone();
        let covered = watch::apart(py, move || {
            let covered = loaded.game().cover(&trials);
            covered.map_err(|invalid| Wrong::asked(&invalid))
        })?;
        let cover = covered.map_err(|wrong| wrong.raised(py))?;
        python(py, &cover::rows(&cover))
    }
}
