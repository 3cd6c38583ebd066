//! `Session`: a game at the table, fed line by line and taken back.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        mpsc::{self, SendError, Sender},
    },
    thread,
};

use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use referee::{
    diagnostic::Colour,
    explanation::{DEPTH_OF_SENTENCES, Explanation, Query},
    failure::Failure,
    game::{self, Stage},
};

use crate::{
    errors::{Wrong, python},
    loaded::Loaded,
    watch::{Home, awaited},
};

/// Something to be done with a session.
type Task = Box<dyn for<'g> FnOnce(&mut game::Session<'g>) + Send>;

/// A transcript under way: each line is understood when it comes, or refused and then changes nothing, and can be taken back.
/// What a line costs does not depend on how many came before. `Game.session` gives one. It can be used from any thread, one
/// after the other.
///
/// >>> import referee
/// >>> session = referee.Game.load("nim").session()
/// >>> session.feed("1"), session.feed("Ann Ben"), session.feed("2")
/// ('', '', 'Ann against Ben: 2\n')
/// >>> session.stage, session.state()["turn"]
/// ('playing', 'Ann')
/// >>> [move["written"] for move in session.moves()["moves"]]
/// ['Ann 1 from 1', 'Ann 2 from 1']
/// >>> try:
/// ...     session.feed("Ann 3 from 1")
/// ... except referee.TranscriptError as error:
/// ...     print(error.message)
/// heap 1 has only 2
/// >>> session.feed("Ann 1 from 1")
/// 'Ann leaves 1\n'
/// >>> session.undo()
/// 'Ann 1 from 1\n'
/// >>> session.transcript
/// '1\nAnn Ben\n2\n'
#[pyclass(frozen, module = "referee")]
pub(crate) struct Session {
    tasks: Sender<Task>,
    name: String,
    home: Home,
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
        let home = Home::here();
        Ok(Session { tasks, name, home })
    }

    /// Does something with the session, and waits for what comes of it.
    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        with: impl for<'g> FnOnce(&mut game::Session<'g>) -> T + Send + 'static,
    ) -> PyResult<T> {
        self.home.check()?;
        let (answer, mut coming) = mpsc::channel();
        // Where the thread has ended, the answer's sender is gone as well.
        let _ = self.tasks.send(Box::new(move |session| {
            let _ = answer.send(with(session));
        }));
        awaited(py, &mut coming)
    }

    /// Changes the session, and waits for what comes of it. If Ctrl-C ends the waiting, `back` takes the change back.
    fn changing<T: Send + 'static>(
        &self,
        py: Python<'_>,
        change: impl for<'g> FnOnce(&mut game::Session<'g>) -> T + Send + 'static,
        back: impl for<'g> FnOnce(&mut game::Session<'g>, T) + Send + 'static,
    ) -> PyResult<T> {
        self.home.check()?;
        // Sending ends when the answer is taken: either that happens, or it comes back.
        let (answer, mut coming) = mpsc::sync_channel(0);
        let _ = self.tasks.send(Box::new(move |session| {
            if let Err(SendError(untaken)) = answer.send(change(session)) {
                back(session, untaken);
            }
        }));
        awaited(py, &mut coming)
    }

    fn asked<T: Send + 'static>(
        &self,
        py: Python<'_>,
        call: impl for<'g> FnOnce(&mut game::Session<'g>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let answer = self.with(py, call)?;
        answer.map_err(|failure| Wrong::failure(&failure, &self.name).raised(py))
    }

    fn said(
        &self,
        py: Python<'_>,
        say: impl for<'g> FnOnce(&mut game::Session<'g>) -> Result<String, Box<game::Refusal>>
        + Send
        + 'static,
    ) -> PyResult<String> {
        let say = |session: &mut game::Session<'_>| (session.has_ended(), say(session));
        let back = |session: &mut game::Session<'_>, (had_ended, said): (bool, Result<_, _>)| {
            if said.is_ok() {
                session.undo();
                if had_ended {
                    // It said so before.
                    let _ = session.end();
                }
            }
        };
        let (_, said) = self.changing(py, say, back)?;
        said.map_err(|refusal: Box<game::Refusal>| {
            let wrong = Wrong::failure(&refusal.failure, &self.name);
            wrong.after(refusal.report).raised(py)
        })
    }
}

#[pymethods]
impl Session {
    /// Takes the next line of the transcript, or several; gives what is reported on it: a str. Blank lines mean nothing and
    /// are kept.
    ///
    /// Raises what `Game.run` raises: then nothing has changed, also where several lines came and only the last is wrong, or
    /// where Ctrl-C ends it.
    fn feed(&self, py: Python<'_>, lines: String) -> PyResult<String> {
        self.said(py, move |play| play.feed(&lines))
    }

    /// Says that the transcript ends here; gives what is reported on that: a str. What is fed after that takes it back.
    ///
    /// Raises `TranscriptError` with what is still due: then nothing has changed.
    fn end(&self, py: Python<'_>) -> PyResult<String> {
        self.said(py, |play| play.end())
    }

    /// Takes back what was fed last; gives the lines, or None where there are none.
    fn undo(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let back = |play: &mut game::Session<'_>, undone: Option<String>| {
            // What was taken once is taken again.
            let _ = match undone.as_deref() {
                None => return,
                Some("") => play.end(),
                Some(lines) => play.feed(lines),
            };
        };
        self.changing(py, |play| play.undo(), back)
    }

    /// How often `undo` can take something back: an int.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |play| play.steps())
    }

    /// All that was reported: a str.
    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |play| play.report().to_string())
    }

    /// The transcript so far: a str. `Game.run` says the same of it as this session did.
    #[getter]
    fn transcript(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |play| play.transcript().to_string())
    }

    /// How many games have begun: an int.
    #[getter]
    fn games(&self, py: Python<'_>) -> PyResult<i64> {
        self.with(py, |play| play.games())
    }

    /// How it stands: "between" where more is expected before a game begins, "playing", or "complete" where nothing more is
    /// expected.
    #[getter]
    fn stage(&self, py: Python<'_>) -> PyResult<&'static str> {
        let stage = self.with(py, |play| play.stage())?;
        Ok(match stage {
            Stage::Between => "between",
            Stage::Playing => "playing",
            Stage::Complete => "complete",
        })
    }

    /// The state of the game: a dict of the states' names to their values as people read them. Empty before a game began.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let states = PyDict::new(py);
        for (name, value) in self.with(py, |play| play.states())? {
            states.set_item(name, value)?;
        }
        Ok(states)
    }

    /// What may happen next, of these events only, unless none are named: a dict as `docs/moves.schema.json` says. Its
    /// `moves` are those events whose fields are finite, each with how it is `written`; with `illegal` also those that may
    /// not happen, with the row or fact that says so.
    ///
    /// Raises `UsageError` where there is no such event or no game is under way, and `BoundError` where the search takes too
    /// much.
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

    /// What could come next in the transcript, what may come now first: a list of dicts, each with how it is `written`.
    fn expected<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let expected = self.asked(py, |play| play.expected())?;
        python(py, &expected)
    }

    /// Who decides what may come next: a list of `"referee"`, `"chance"` and dicts with the name of a `seat`.
    fn deciders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let deciders = self.asked(py, |play| play.deciders())?;
        python(py, &deciders)
    }

    /// What each seat has in the last game that is over, if its rules say it: a list of dicts, each with the `seat` and what
    /// it `has`, which is `"win"`, `"draw"`, `"loss"` or a dict with its `points`.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.with(py, |play| play.outcome())?)
    }

    /// What a policy of the game would do next, or without a name what is drawn by lot among all that may happen: a str, as
    /// it is fed. The same seed draws the same at the same place.
    ///
    /// Raises `UsageError` where there is no such policy or no game is under way, and `TranscriptError` where nothing may
    /// happen.
    #[pyo3(signature = (policy = None, *, seed = 0))]
    fn choose(&self, py: Python<'_>, policy: Option<String>, seed: u64) -> PyResult<String> {
        self.asked(py, move |play| play.choose(policy.as_deref(), seed))
    }

    /// A line with what chance draws at its end, a shuffled deck for example: a str, to be fed; `None` unless the rules
    /// leave to chance all that is still to be read before a game. The same seed draws the same at the same place.
    ///
    /// >>> import referee
    /// >>> table = referee.Game.load("mau-mau").session()
    /// >>> table.feed("1")
    /// ''
    /// >>> len(table.drawn("2", seed=5).split())
    /// 33
    #[pyo3(signature = (line = "", *, seed = 0))]
    fn drawn(&self, py: Python<'_>, line: &str, seed: u64) -> PyResult<Option<String>> {
        let line = line.to_string();
        self.with(py, move |play| play.drawn(&line, seed))
    }

    /// Why a line did what it did, as `Game.why`; with `next_line`, why that line would do what it would, or be refused, if
    /// it came next. This runs the transcript again.
    #[pyo3(signature = (line = None, *, event = None, not_ = None, of = None, depth = None, format = "text", next_line = None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword")]
    fn why<'py>(
        &self,
        py: Python<'py>,
        line: Option<usize>,
        event: Option<usize>,
        not_: Option<String>,
        of: Option<String>,
        depth: Option<usize>,
        format: &str,
        next_line: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = Query {
            line,
            event,
            depth: depth.unwrap_or(DEPTH_OF_SENTENCES),
            not: not_,
            of,
            ..Query::default()
        };
        let explained = self.asked(py, move |play| match next_line {
            None => play.why(&query),
            Some(next) => play.why_next(&next, &query),
        })?;
        told(py, &explained, format)
    }

    /// Writes the transcript to a file. Raises OSError where that cannot be done.
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<()> {
        let path: PathBuf = py
            .import("os")?
            .call_method1("fsdecode", (path,))?
            .extract()?;
        let text = self.transcript(py)?;
        py.detach(|| std::fs::write(path, text))?;
        Ok(())
    }
}
