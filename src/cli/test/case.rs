//! One test: what is said to its transcript, and what was to be said.

use std::path::Path;

use referee::{diagnostic::Colour, game::Game};

use super::{difference, find::Case, read};

/// How a test ended.
pub(super) enum Outcome {
    /// As it should.
    Passed,
    /// What is said now was written to its output.
    Blessed,
    /// Something else is said than its output has.
    Different {
        /// What should have been said; nothing where there is no output yet.
        wanted: Option<Vec<u8>>,
        /// What is said.
        said: Said,
    },
    /// It could not be run; the text says why.
    Broken(String),
}

/// What is said to a transcript.
pub(super) struct Said {
    /// The report, and if the run stopped before the transcript's end, the message.
    pub(super) text: Vec<u8>,
}

impl Outcome {
    /// Whether something is wrong.
    pub(super) fn is_failure(&self) -> bool {
        match self {
            Outcome::Passed | Outcome::Blessed => false,
            Outcome::Different { .. } | Outcome::Broken(_) => true,
        }
    }

    /// What is wrong, whole lines, if something is; the output lies at `path`.
    pub(super) fn why(&self, path: &Path, colour: Colour) -> Option<String> {
        match self {
            Outcome::Passed | Outcome::Blessed => None,
            Outcome::Broken(message) => Some(format!("{}\n", message.trim_end())),
            Outcome::Different { wanted, said } => {
                let mut text = String::new();
                if wanted.is_none() {
                    text.push_str("there is no output yet; `--bless` writes this one\n");
                }
                let wanted = wanted.as_deref().unwrap_or_default();
                text.push_str(&difference::drawn(path, wanted, &said.text, colour));
                Some(text)
            }
        }
    }
}

/// Runs a test of a game whose transcript has this form.
pub(super) fn run(game: &Game, form: Option<&str>, case: &Case) -> Outcome {
    let (transcript, wanted) = match (read(&case.input), read(&case.output())) {
        (Ok(Some(transcript)), Ok(wanted)) => (transcript, wanted),
        (Ok(None), _) => {
            return Outcome::Broken(format!("`{}` is not there", case.input.display()));
        }
        (Err(message), _) | (_, Err(message)) => return Outcome::Broken(message),
    };
    let name = case.input.file_name().unwrap_or_default().to_string_lossy();
    let said = said(game, form, &name, &transcript);
    if wanted.as_deref() == Some(said.text.as_slice()) {
        Outcome::Passed
    } else {
        Outcome::Different { wanted, said }
    }
}

/// What is said to a transcript that is called `name`. Messages name files without their folders, so that it does not
/// matter from where the test is run.
fn said(game: &Game, form: Option<&str>, name: &str, mut transcript: &[u8]) -> Said {
    let mut text = Vec::new();
    if let Err(mut failure) = game.run(form, name, &mut transcript, &mut text) {
        if let Some(report) = failure.report_mut() {
            report.sources.drop_folders();
        }
        if !text.is_empty() && !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(failure.draw(Colour::Never).as_bytes());
        text.push(b'\n');
    }
    Said { text }
}
