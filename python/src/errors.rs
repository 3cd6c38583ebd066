//! What goes wrong, as exceptions of the classes in `referee/errors.py`.

use pyo3::{prelude::*, types::PyDict};
use referee::{
    diagnostic::{Colour, Data},
    failure::Failure,
    game::{Invalid, SETTING, Unloaded},
    library::Missing,
    tables::Stopped,
};

/// What kind of thing is wrong: each has a class, and an exit code of the command.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Usage,
    Rules,
    Transcript,
    Bound,
    Machine,
}

/// What went wrong, before it is an exception.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) kind: Kind,
    pub(crate) diagnostics: Vec<Data>,
    /// All of it, drawn.
    pub(crate) text: String,
    /// What had been reported until then.
    pub(crate) report: String,
}

impl Kind {
    /// The name of its class.
    fn class(self) -> &'static str {
        match self {
            Kind::Usage => "UsageError",
            Kind::Rules => "RulesError",
            Kind::Transcript => "TranscriptError",
            Kind::Bound => "BoundError",
            Kind::Machine => "MachineError",
        }
    }

    /// Its name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Usage => "usage",
            Kind::Rules => "rules",
            Kind::Transcript => "transcript",
            Kind::Bound => "bound",
            Kind::Machine => "machine",
        }
    }
}

impl Wrong {
    /// What the table of runs says of it.
    pub(crate) fn stopped(&self) -> Stopped<'_> {
        Stopped {
            kind: self.kind.name(),
            data: self.diagnostics.first(),
        }
    }

    /// What is drawn without the text that is at fault.
    fn drawn(kind: Kind, data: Data) -> Wrong {
        let mut text = format!("error: {}", data.message);
        for help in &data.helps {
            text.push_str("\n  = help: ");
            text.push_str(help);
        }
        Wrong {
            kind,
            diagnostics: vec![data],
            text,
            report: String::new(),
        }
    }

    fn machine(code: &str, message: String) -> Wrong {
        Wrong::drawn(Kind::Machine, Data::placeless(code, message, Vec::new()))
    }

    fn invalid(kind: Kind, invalid: &Invalid) -> Wrong {
        let diagnostics = invalid.diagnostics.iter();
        Wrong {
            kind,
            diagnostics: diagnostics
                .map(|diagnostic| diagnostic.to_data(&invalid.sources))
                .collect(),
            text: invalid.draw(Colour::Never),
            report: String::new(),
        }
    }

    /// Why a game cannot be loaded.
    pub(crate) fn unloaded(unloaded: Unloaded) -> Wrong {
        match unloaded {
            Unloaded::Missing(missing) => {
                let kind = match missing {
                    Missing::Unknown { .. } => Kind::Usage,
                    Missing::Unreadable { .. } => Kind::Machine,
                    Missing::NotText { .. } => Kind::Rules,
                };
                Wrong::drawn(kind, missing.to_data())
            }
            Unloaded::Variants(invalid) => Wrong::invalid(Kind::Usage, &invalid),
            Unloaded::Settings(mut invalid) => {
                // Nobody wrote what the command calls them.
                invalid.sources.rename(SETTING, "options");
                Wrong::invalid(Kind::Usage, &invalid)
            }
            Unloaded::Rules(invalid) => Wrong::invalid(Kind::Rules, &invalid),
        }
    }

    /// That what is asked of a game makes no sense.
    pub(crate) fn asked(invalid: &Invalid) -> Wrong {
        Wrong::invalid(Kind::Usage, invalid)
    }

    /// What stopped a run over the transcript called `name`.
    pub(crate) fn failure(failure: &Failure, name: &str) -> Wrong {
        let kind = match failure {
            Failure::Transcript(_) => Kind::Transcript,
            Failure::Rules(_) => Kind::Rules,
            Failure::Bound(_) => Kind::Bound,
            Failure::NoTranscript(_) | Failure::NotPlaying(_) | Failure::NoName(_) => Kind::Usage,
            Failure::Input(error) => {
                let message = format!("`{name}` cannot be read: {error}");
                return Wrong::machine("unreadable", message);
            }
            Failure::Output(error) => {
                let message = format!("the report cannot be written: {error}");
                return Wrong::machine("unwritable", message);
            }
        };
        let report = failure.report();
        let data = report.map(|report| report.diagnostic.to_data(&report.sources));
        Wrong {
            kind,
            diagnostics: data.into_iter().collect(),
            text: failure.draw(Colour::Never),
            report: String::new(),
        }
    }

    /// The same, after so much was reported.
    pub(crate) fn after(mut self, report: String) -> Wrong {
        self.report = report;
        self
    }

    /// The exception.
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|error| error)
    }

    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("referee.errors")?.getattr(self.kind.class())?;
        let keywords = PyDict::new(py);
        keywords.set_item("diagnostics", python(py, &self.diagnostics)?)?;
        keywords.set_item("report", self.report)?;
        Ok(PyErr::from_value(
            class.call((self.text,), Some(&keywords))?,
        ))
    }
}

/// What serde can write, as Python has it.
pub(crate) fn python<'py>(
    py: Python<'py>,
    value: &impl serde::Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| {
        pyo3::exceptions::PyValueError::new_err(format!("this cannot be written: {error}"))
    })?;
    read(py, &text)
}

/// JSON as Python has it.
pub(crate) fn read<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((text,))
}
