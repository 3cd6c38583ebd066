//! Games that were loaded, and how they can be loaded again.

use std::{
    fmt::Write as _,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyMapping, PyString},
};
use referee::{
    game::{self, Settings, Watched},
    library::Library,
    limits::{Limit, Limits},
    stream::Part,
    tables::Kind,
};
use self_cell::self_cell;

use crate::{errors::Wrong, game::Game};

/// A game as it is told as data, and as much of that as is needed to count rows, and to make all tables.
#[derive(Default)]
pub(crate) struct Lazily<'g> {
    told: OnceLock<Watched<'g>>,
    counting: OnceLock<Watched<'g>>,
    tabled: OnceLock<Watched<'g>>,
}

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
        self.with_dependent(|game, lazily| with(lazily.told.get_or_init(|| game.watched())))
    }

    /// Does something with the game as it is told so that tables can be made.
    pub(crate) fn tabled<T>(&self, with: impl FnOnce(&Watched<'_>) -> T) -> T {
        self.with_dependent(|game, lazily| {
            let tabled = || game.watched().for_tables(&Kind::ALL);
            with(lazily.tabled.get_or_init(tabled))
        })
    }

    /// Does something with the game as it is told so that its rows can be counted.
    pub(crate) fn counting<T>(&self, with: impl FnOnce(&Watched<'_>) -> T) -> T {
        self.with_dependent(|game, lazily| {
            let counting = || game.watched().without(Part::Values).without(Part::State);
            with(lazily.counting.get_or_init(counting))
        })
    }
}

/// How a game was loaded, so that another process can load it again.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) name: String,
    pub(crate) text: Option<String>,
    pub(crate) settings: Settings,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) texts: Vec<(String, String)>,
    pub(crate) seed: u64,
    pub(crate) limits: Vec<(String, u64)>,
}

impl Origin {
    /// What is to be told of it: the names of the game and its variants, what was set, and the seed.
    pub(crate) fn described(&self, game: &game::Game) -> String {
        let mut text = game.name().to_string();
        for variant in game.applied() {
            text.push('+');
            text.push_str(variant);
        }
        // Writing to a string cannot fail.
        for (option, value) in &self.settings {
            let _ = write!(text, " {option}={value}");
        }
        if self.seed != 0 {
            let _ = write!(text, " seed={}", self.seed);
        }
        text
    }

    /// Loads it.
    pub(crate) fn loaded(mut self, py: Python<'_>) -> PyResult<Game> {
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
        let game = loaded.map_err(|unloaded| Wrong::unloaded(unloaded).raised(py))?;
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
            loaded: Arc::new(Loaded::new(game, |_| Lazily::default())),
            origin: self,
        })
    }
}

/// The name of a game, or the path of a rule file.
pub(crate) fn named(name: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(name) = name.extract::<String>() {
        return Ok(name);
    }
    let path: PathBuf = name.extract()?;
    let path = path.display().to_string();
    Ok(if path.contains(['/', '\\']) {
        path
    } else {
        format!("./{path}")
    })
}

/// Values of options as they are written.
pub(crate) fn settings(options: Option<&Bound<'_, PyMapping>>) -> PyResult<Settings> {
    let mut settings = Settings::new();
    for (name, value) in entries::<String, Bound<'_, PyAny>>(options)? {
        let value = if let Ok(value) = value.cast::<PyBool>() {
            let value = if value.is_true() { "yes" } else { "no" };
            value.to_string()
        } else if value.is_none() {
            "none".to_string()
        } else if value.is_instance_of::<PyString>() || value.hasattr("__index__")? {
            value.str()?.to_cow()?.into_owned()
        } else {
            return Err(PyTypeError::new_err(format!(
                "the value of an option is a str, an int, a bool or None: that of `{name}` is a {}",
                value.get_type().name()?
            )));
        };
        settings.push((name, value));
    }
    Ok(settings)
}

/// What a mapping holds, in its order.
pub(crate) fn entries<'py, K, V>(mapping: Option<&Bound<'py, PyMapping>>) -> PyResult<Vec<(K, V)>>
where
    (K, V): FromPyObjectOwned<'py>,
{
    let Some(mapping) = mapping else {
        return Ok(Vec::new());
    };
    let items = mapping.items()?.into_iter();
    items
        .map(|item| item.extract().map_err(Into::into))
        .collect()
}
