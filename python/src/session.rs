//! `Session`: a game at the table, fed line by line and taken back.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
    types::PyDict,
};
use referee::{
    diagnostic::Colour,
    explanation::{Ask, DEPTH_OF_SENTENCES, Explanation},
    failure::Failure,
    game::{self, Stage},
};

use crate::{
    errors::{Wrong, python},
    game::Loaded,
};

/// How often Python looks for signals while it waits.
const OFTEN: Duration = Duration::from_millis(50);

/// Something to be done with a session.
type Task = Box<dyn for<'g> FnOnce(&mut game::Session<'g>) + Send>;

/// A transcript under way. The session of the library belongs to a thread of its own, so that this one can be used from
/// any.
#[pyclass(frozen, module = "referee")]
pub(crate) struct Session {
    tasks: Sender<Task>,
    name: String,
}

/// An explanation: in sentences, row by row, or as data.
pub(crate) fn told<'py>(
    py: Python<'py>,
    explained: &Explanation,
    format: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let text = match format {
        "text" => explained.draw(Colour::Never),
        "trace" => explained.trace(Colour::Never),
        "data" => return python(py, explained),
        other => {
            let message = format!("there is no format `{other}`: write text, trace or data");
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(text.into_pyobject(py)?.into_any())
}

/// Waits for an answer, without the lock of the interpreter.
fn awaited<T: Send>(py: Python<'_>, coming: &mut Receiver<T>) -> PyResult<T> {
    loop {
        let came = py.detach(|| {
            let coming = &mut *coming;
            coming.recv_timeout(OFTEN)
        });
        match came {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("this session has broken off"));
            }
        }
    }
}

impl Session {
    pub(crate) fn of(
        py: Python<'_>,
        loaded: &Arc<Loaded>,
        form: Option<String>,
        name: Option<String>,
    ) -> PyResult<Session> {
        let name = name.unwrap_or_else(|| "transcript".to_string());
        let (tasks, coming) = mpsc::channel::<Task>();
        let (begun, mut beginning) = mpsc::channel();
        let (loaded, called) = (loaded.clone(), name.clone());
        thread::spawn(move || {
            let session = loaded.game().session(form.as_deref(), &called);
            let mut session = match session {
                Ok(session) => session,
                Err(failure) => {
                    // Nobody may be left to hear it; nor below.
                    let _ = begun.send(Err(Wrong::failure(&failure, &called)));
                    return;
                }
            };
            let _ = begun.send(Ok(()));
            for task in coming {
                task(&mut session);
            }
        });
        awaited(py, &mut beginning)?.map_err(|wrong| wrong.raised(py))?;
        Ok(Session { tasks, name })
    }

    /// Does something with the session, and waits for what comes of it.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        with: impl for<'g> FnOnce(&mut game::Session<'g>) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (answer, mut coming) = mpsc::channel();
        // Where the thread has ended, the answer's sender is gone as well.
        let _ = self.tasks.send(Box::new(move |session| {
            let _ = answer.send(with(session));
        }));
        awaited(py, &mut coming)
    }

    fn asked<T: Send + 'static>(
        &self,
        py: Python<'_>,
        ask: impl for<'g> FnOnce(&mut game::Session<'g>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let answer = self.with(py, ask)?;
        answer.map_err(|failure| Wrong::failure(&failure, &self.name).raised(py))
    }

    fn said(
        &self,
        py: Python<'_>,
        say: impl for<'g> FnOnce(&mut game::Session<'g>) -> Result<String, Box<game::Refusal>>
        + Send
        + 'static,
    ) -> PyResult<String> {
        self.with(py, say)?.map_err(|refusal| {
            let wrong = Wrong::failure(&refusal.failure, &self.name);
            wrong.after(refusal.report).raised(py)
        })
    }
}

#[pymethods]
impl Session {
    fn feed(&self, py: Python<'_>, lines: String) -> PyResult<String> {
        self.said(py, move |play| play.feed(&lines))
    }

    fn end(&self, py: Python<'_>) -> PyResult<String> {
        self.said(py, |play| play.end())
    }

    fn undo(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |play| play.undo())
    }

    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |play| play.steps())
    }

    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |play| play.report().to_string())
    }

    #[getter]
    fn transcript(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |play| play.transcript().to_string())
    }

    #[getter]
    fn games(&self, py: Python<'_>) -> PyResult<i64> {
        self.with(py, |play| play.games())
    }

    #[getter]
    fn stage(&self, py: Python<'_>) -> PyResult<&'static str> {
        let stage = self.with(py, |play| play.stage())?;
        Ok(match stage {
            Stage::Between => "between",
            Stage::Playing => "playing",
            Stage::Complete => "complete",
        })
    }

    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let states = PyDict::new(py);
        for (name, value) in self.with(py, |play| play.states())? {
            states.set_item(name, value)?;
        }
        Ok(states)
    }

    #[pyo3(signature = (events = Vec::new(), *, illegal = false))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        events: Vec<String>,
        illegal: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.asked(py, move |play| play.moves(&events, illegal))?;
        python(py, &moves)
    }

    fn expected<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let expected = self.asked(py, |play| play.expected())?;
        python(py, &expected)
    }

    #[pyo3(signature = (policy = None, *, seed = 0))]
    fn choose(&self, py: Python<'_>, policy: Option<String>, seed: u64) -> PyResult<String> {
        self.asked(py, move |play| play.choose(policy.as_deref(), seed))
    }

    #[pyo3(signature = (line = None, *, event = None, not_ = None, depth = None, format = "text", next_line = None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword")]
    fn why<'py>(
        &self,
        py: Python<'py>,
        line: Option<usize>,
        event: Option<usize>,
        not_: Option<String>,
        depth: Option<usize>,
        format: &str,
        next_line: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ask = Ask {
            line,
            event,
            depth: depth.unwrap_or(DEPTH_OF_SENTENCES),
            not: not_,
            ..Ask::default()
        };
        let explained = self.asked(py, move |play| match next_line {
            None => play.why(&ask),
            Some(next) => play.why_next(&next, &ask),
        })?;
        told(py, &explained, format)
    }

    #[expect(clippy::needless_pass_by_value, reason = "it comes from Python")]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let text = self.transcript(py)?;
        py.detach(|| std::fs::write(path, text))?;
        Ok(())
    }
}
