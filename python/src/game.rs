//! `Game`: rules that were loaded and checked.

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict},
};
use referee::{
    explanation::{Ask, DEPTH_OF_SENTENCES},
    game::{self, Settings, Trial, Watched},
    library::Library,
    limits::{Limit, Limits},
};
use self_cell::self_cell;

use crate::{
    errors::{Wrong, python},
    events::Events,
    session::Session,
    source::Named,
    tables::{self, Table, Tables},
    watch::{self, Report, Watch},
};

type Lazily<'g> = OnceLock<Watched<'g>>;

self_cell!(
    /// A game, beside the same game as it is run to be told as data.
    pub(crate) struct Loaded {
        owner: game::Game,
        #[not_covariant]
        dependent: Lazily,
    }
);

impl Loaded {
    pub(crate) fn game(&self) -> &game::Game {
        self.borrow_owner()
    }

    /// Does something with the game as it is told as data.
    pub(crate) fn watched<T>(&self, with: impl FnOnce(&Watched<'_>) -> T) -> T {
        self.with_dependent(|game, watched| with(watched.get_or_init(|| game.watched())))
    }
}

/// How a game was loaded, so that another process can load it again.
#[derive(Clone)]
struct Origin {
    name: String,
    text: Option<String>,
    settings: Settings,
    folders: Vec<PathBuf>,
    texts: Vec<(String, String)>,
    seed: u64,
    limits: Vec<(String, u64)>,
}

/// Rules that were loaded and checked: a game with its variants and the values of its options.
#[pyclass(frozen, module = "referee")]
pub(crate) struct Game {
    loaded: Arc<Loaded>,
    origin: Origin,
}

impl Origin {
    fn loaded(mut self, py: Python<'_>) -> PyResult<Game> {
        let mut limits = Limits::default();
        for (name, amount) in &self.limits {
            let known = Limit::ALL.into_iter().find(|limit| limit.name() == name);
            let Some(limit) = known else {
                let message =
                    format!("there is no limit `{name}`: there are events, fuel and memory");
                return Err(PyTypeError::new_err(message));
            };
            limits = limits.with(limit, *amount);
        }
        let mut library = Library::with_folders(self.folders.clone());
        for (name, text) in &self.texts {
            library.insert(name.as_str(), text.as_str());
        }
        let loaded = py.detach(|| match &self.text {
            Some(text) => game::Game::load_text(&library, &self.name, text, &self.settings),
            None => game::Game::load(&library, &self.name, &self.settings),
        });
        let game = loaded.map_err(|unloaded| Wrong::unloaded(&unloaded).raised(py))?;
        // Shipped files have no folder, and are there wherever the package is.
        let texts = game.sources().texts();
        let texts = texts.filter(|(name, _)| name.contains(['/', '\\']));
        let texts = texts.filter(|(name, text)| {
            let shipped = Library::shipped().find(name.trim_end_matches(".rules"));
            shipped.map_or(true, |shipped| shipped.text != *text)
        });
        self.texts = texts
            .map(|(name, text)| (name.to_string(), text.to_string()))
            .collect();
        let game = game.limited(limits).with_seed(self.seed);
        Ok(Game {
            loaded: Arc::new(Loaded::new(game, |_| OnceLock::new())),
            origin: self,
        })
    }
}

/// Values of options as they are written.
pub(crate) fn settings(options: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let mut settings = Settings::new();
    for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
        let value = if let Ok(value) = value.cast::<PyBool>() {
            let value = if value.is_true() { "yes" } else { "no" };
            value.to_string()
        } else if value.is_none() {
            "none".to_string()
        } else {
            value.str()?.to_string()
        };
        settings.push((name.extract()?, value));
    }
    Ok(settings)
}

#[pymethods]
impl Game {
    #[staticmethod]
    #[pyo3(signature = (name, options = None, *, text = None, folders = Vec::new(), seed = 0, limits = None))]
    fn load(
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
        text: Option<String>,
        folders: Vec<PathBuf>,
        seed: u64,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let name = match name.extract::<String>() {
            Ok(name) => name,
            Err(_) => {
                let path: PathBuf = name.extract()?;
                let path = path.display().to_string();
                if path.contains(['/', '\\']) {
                    path
                } else {
                    format!("./{path}")
                }
            }
        };
        let mut bounds = Vec::new();
        for (name, amount) in limits.into_iter().flat_map(|limits| limits.iter()) {
            bounds.push((name.extract()?, amount.extract()?));
        }
        let origin = Origin {
            name,
            text,
            settings: settings(options)?,
            folders,
            texts: Vec::new(),
            seed,
            limits: bounds,
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
        let mut name = self.loaded.game().name().to_string();
        for variant in self.loaded.game().applied() {
            name.push('+');
            name.push_str(variant);
        }
        format!("<referee.Game {name}>")
    }

    #[getter]
    fn name(&self) -> &str {
        self.loaded.game().name()
    }

    #[getter]
    fn title(&self) -> &str {
        self.loaded.game().title()
    }

    #[getter]
    fn variants(&self) -> Vec<&str> {
        self.loaded.game().applied()
    }

    #[getter]
    fn forms(&self) -> Vec<Option<&str>> {
        self.loaded.game().transcripts()
    }

    #[getter]
    fn event_names(&self) -> Vec<&str> {
        self.loaded.game().events()
    }

    #[getter]
    fn policies(&self) -> Vec<&str> {
        self.loaded.game().policies()
    }

    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for option in self.loaded.game().options() {
            options.set_item(option.name, option.value)?;
        }
        Ok(options)
    }

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
                input: source.open(),
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

    #[pyo3(signature = (*, form = None, name = None))]
    fn session(
        &self,
        py: Python<'_>,
        form: Option<String>,
        name: Option<String>,
    ) -> PyResult<Session> {
        Session::of(py, &self.loaded, form, name)
    }

    #[pyo3(signature = (source, line = None, *, event = None, column = None, not_ = None, depth = None, form = None, name = None, format = "text"))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword")]
    fn why<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        line: Option<usize>,
        event: Option<usize>,
        column: Option<usize>,
        not_: Option<String>,
        depth: Option<usize>,
        form: Option<String>,
        name: Option<String>,
        format: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Named { name, source } = Named::of(source, name)?;
        let ask = Ask {
            form,
            line,
            event,
            column,
            depth: depth.unwrap_or(DEPTH_OF_SENTENCES),
            not: not_,
            without: None,
        };
        let text = source.read(py)?;
        let explained = py.detach(|| {
            let text = text.map_err(referee::failure::Failure::Input)?;
            self.loaded.game().explain(&ask, &name, &text)
        });
        let explained = explained.map_err(|failure| Wrong::failure(&failure, &name).raised(py))?;
        crate::session::told(py, &explained, format)
    }

    #[pyo3(signature = (sources, *, form = None))]
    fn cover<'py>(
        &self,
        py: Python<'py>,
        sources: &Bound<'py, PyAny>,
        form: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut trials = Vec::new();
        for Named { name, source } in Named::several(sources)? {
            let transcript = source.read(py)?.map_err(|error| {
                let failure = referee::failure::Failure::Input(error);
                Wrong::failure(&failure, &name).raised(py)
            })?;
            trials.push(Trial {
                name,
                form: form.map(str::to_string),
                settings: Settings::new(),
                transcript,
            });
        }
        let covered = py.detach(|| self.loaded.game().cover(&trials));
        let cover = covered.map_err(|invalid| Wrong::asked(&invalid).raised(py))?;
        let rows = cover.rows.iter().map(|row| {
            serde_json::json!({
                "name": row.name(),
                "file": cover.files.get(row.file).map(|(name, _)| name),
                "line": row.line,
                "considered": row.considered,
                "fired": row.fired,
                "changed": row.changed,
            })
        });
        let rows: Vec<serde_json::Value> = rows.collect();
        python(py, &rows)
    }
}
