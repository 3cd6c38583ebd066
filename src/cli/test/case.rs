//! One test: what is said to its transcript, and what was to be said.

use std::{fmt::Write as _, path::Path};

use referee::{
    diagnostic::{Code, Colour, masked},
    failure::Failure,
    game::Game,
};

use super::{
    blame::{self, Blame},
    difference,
    find::Case,
    read,
};

/// How a test ended.
pub(in crate::cli) enum Outcome {
    /// As it should.
    Passed,
    /// What is said now was written to its output.
    Blessed,
    /// Otherwise than it should.
    Failed(Failed),
    /// It could not be run; the text says why.
    Broken(String),
}

/// How a test failed.
pub(in crate::cli) struct Failed {
    /// Whether something else is said than its output has, or there is none.
    pub(super) differs: bool,
    /// What should have been said; nothing where there is no output yet.
    wanted: Option<Vec<u8>>,
    /// The report, and if the run stopped before the transcript's end, the message.
    pub(super) said: Vec<u8>,
    /// What its transcript expects and is not so, told; nothing where all is.
    pub(super) unmet: Option<String>,
    /// What made the first line that differs, if a row did.
    pub(super) blame: Option<Blame>,
}

impl Outcome {
    /// Whether something is wrong.
    pub(super) fn is_failure(&self) -> bool {
        match self {
            Outcome::Passed | Outcome::Blessed => false,
            Outcome::Failed(_) | Outcome::Broken(_) => true,
        }
    }

    /// What an editor shows above the transcript; nothing where the test cannot be run.
    pub(in crate::cli) fn title(&self) -> Option<String> {
        let failed = match self {
            Outcome::Passed | Outcome::Blessed => return Some("passes".to_string()),
            Outcome::Broken(_) => return None,
            Outcome::Failed(failed) => failed,
        };
        let wanted = failed.wanted.as_deref();
        let line = wanted.and_then(|wanted| difference::first_line(wanted, &failed.said));
        Some(match (line, &failed.blame) {
            (Some(line), Some(blame)) => {
                format!("fails in line {} of the report: {}", line + 1, blame.row)
            }
            (Some(line), None) => format!("fails in line {} of the report", line + 1),
            (None, _) if failed.unmet.is_some() => "fails: an expectation is not met".to_string(),
            (None, _) => "there is no report to compare with".to_string(),
        })
    }

    /// Its name for programs.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Blessed => "written",
            Outcome::Failed(_) => "failed",
            Outcome::Broken(_) => "broken",
        }
    }

    /// The name of the row from which the first line that differs comes.
    pub(super) fn row_name(&self) -> Option<String> {
        match self {
            Outcome::Failed(failed) => failed.blame.as_ref().map(|blame| blame.row.clone()),
            Outcome::Passed | Outcome::Blessed | Outcome::Broken(_) => None,
        }
    }

    /// Whether an output is missing or different.
    pub(super) fn differs(&self) -> bool {
        match self {
            Outcome::Failed(failed) => failed.differs,
            Outcome::Passed | Outcome::Blessed | Outcome::Broken(_) => false,
        }
    }

    /// The row from which the first line that differs comes, and where it stands.
    pub(super) fn row(&self) -> Option<String> {
        match self {
            Outcome::Failed(failed) => {
                let blame = failed.blame.as_ref()?;
                Some(format!("{}  {}", blame.row, blame.place))
            }
            Outcome::Passed | Outcome::Blessed | Outcome::Broken(_) => None,
        }
    }

    /// What is wrong, whole lines, if something is; the output lies at `path`.
    pub(super) fn why(&self, path: &Path, colour: Colour) -> Option<String> {
        match self {
            Outcome::Passed | Outcome::Blessed => None,
            Outcome::Broken(message) => Some(format!("{}\n", message.trim_end())),
            Outcome::Failed(failed) => Some(failed.why(path, colour)),
        }
    }
}

impl Failed {
    fn why(&self, path: &Path, colour: Colour) -> String {
        let mut text = String::new();
        if self.differs {
            if self.wanted.is_none() {
                text.push_str("there is no output yet; `--bless` writes this one\n");
            }
            let wanted = self.wanted.as_deref().unwrap_or_default();
            text.push_str(&difference::drawn(
                path,
                wanted,
                "the report now",
                &self.said,
                colour,
            ));
        }
        if let Some(why) = self.blame.as_ref().and_then(|blame| blame.why.as_ref()) {
            text.push_str("the first line that differs comes from this:\n");
            for line in why.lines() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {}", masked(line));
            }
        }
        if let Some(unmet) = &self.unmet {
            text.push_str(unmet);
            text.push('\n');
        }
        text
    }
}

/// Runs a test of a game whose transcript has this form.
pub(super) fn run(game: &Game, form: Option<&str>, case: &Case) -> Outcome {
    let (transcript, wanted) = match (read(&case.input), read(&case.output())) {
        (Ok(Some(transcript)), Ok(wanted)) => (transcript, wanted),
        (Ok(None), _) => {
            return Outcome::Broken(format!("`{}` does not exist", case.input.display()));
        }
        (Err(message), _) | (_, Err(message)) => return Outcome::Broken(message),
    };
    let name = case.input.file_name().unwrap_or_default().to_string_lossy();
    judged(
        game,
        form,
        (&name, &transcript),
        wanted,
        case.needs_report(),
    )
}

/// What comes of a test with this transcript, which messages call so, and the output that is wanted, if there is one;
/// without it, what the transcript expects may be enough, unless it `needs_report`.
pub(in crate::cli) fn judged(
    game: &Game,
    form: Option<&str>,
    (name, transcript): (&str, &[u8]),
    wanted: Option<Vec<u8>>,
    needs_report: bool,
) -> Outcome {
    let mut said = Vec::new();
    let judged = match game.judge(form, name, transcript, &mut said) {
        Ok(judged) => judged,
        Err(invalid) => return Outcome::Broken(invalid.to_string()),
    };
    let mut stopped = judged.stopped;
    let report = stopped.as_mut().and_then(Failure::report_mut);
    let ends_early = report.is_some_and(|report| report.diagnostic.code == Code::EndsEarly);
    // What a transcript expects is enough, unless something is wrong with it.
    let is_fine = stopped.is_none() || ends_early || !needs_report;
    let is_enough = judged.questions > 0 && is_fine;
    if let Some(mut failure) = stopped {
        // It does not matter from where the test is run.
        if let Some(report) = failure.report_mut() {
            report.sources.drop_folders();
        }
        if !said.is_empty() && !said.ends_with(b"\n") {
            said.push(b'\n');
        }
        said.extend_from_slice(failure.draw(Colour::Never).as_bytes());
        said.push(b'\n');
    }
    let differs = match &wanted {
        Some(wanted) => *wanted != said,
        None => !is_enough,
    };
    let unmet = judged.unmet.map(|unmet| unmet.to_string());
    if differs || unmet.is_some() {
        let first = wanted
            .as_deref()
            .and_then(|wanted| difference::first_line(wanted, &said));
        let blame = first.and_then(|line| blame::blame(game, form, name, transcript, line));
        Outcome::Failed(Failed {
            differs,
            wanted,
            said,
            unmet,
            blame,
        })
    } else {
        Outcome::Passed
    }
}
