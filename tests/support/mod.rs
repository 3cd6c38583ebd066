//! What several tests need: games loaded from `rules/`, and runs with their outcome as data.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test uses its own part of this module"
)]

use std::{fs, io::Read, path::Path};

use referee::{
    diagnostic::{Code, Colour},
    failure::Failure,
    game::{Game, Settings},
    library::Library,
};

/// What messages call the transcript.
pub const TRANSCRIPT: &str = "transcript";

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// What was said.
    pub report: String,
    /// What stopped it, if it did not reach the end.
    pub failure: Option<Failure>,
}

impl Outcome {
    /// Line and column of the first mark in the transcript, both from 1.
    pub fn place(&self) -> Option<(usize, usize)> {
        let report = self.failure.as_ref()?.report()?;
        let data = report.diagnostic.to_data(&report.sources);
        let label = data.labels.iter().find(|label| label.file == TRANSCRIPT)?;
        Some((label.start.line, label.start.column))
    }

    /// The sort of mistake that stopped it.
    pub fn code(&self) -> Option<Code> {
        let report = self.failure.as_ref()?.report()?;
        Some(report.diagnostic.code)
    }

    /// The failure as people see it; empty where there is none.
    pub fn drawn(&self) -> String {
        self.failure
            .as_ref()
            .map_or(String::new(), |failure| failure.draw(Colour::Never))
    }

    /// Which kind of failure it is, with the exit code that belongs to it.
    pub fn kind(&self) -> &'static str {
        match &self.failure {
            None => "done (0)",
            Some(Failure::Transcript(_)) => "transcript (4)",
            Some(Failure::Rules(_)) => "rules (3)",
            Some(Failure::Bound(_)) => "bound (5)",
            Some(Failure::NoTranscript(_) | Failure::NotPlaying(_) | Failure::NoName(_)) => {
                "usage (2)"
            }
            Some(Failure::Input(_) | Failure::Output(_)) => "machine (6)",
        }
    }
}

/// A shipped game, perhaps with variants (`game+variant`), with its options set.
///
/// # Panics
/// If it is not valid.
pub fn load(name: &str, settings: &[(&str, &str)]) -> Game {
    let settings: Settings = settings
        .iter()
        .map(|(option, value)| ((*option).to_string(), (*value).to_string()))
        .collect();
    match Game::load(&Library::shipped(), name, &settings) {
        Ok(game) => game,
        Err(unloaded) => panic!("{name}: {unloaded}"),
    }
}

/// A schema of `docs/`.
///
/// # Panics
/// If it is none.
pub fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(name);
    let text = fs::read_to_string(path).expect("there is a schema");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("it is a schema")
}

/// What an object has that a schema does not allow, a line each.
pub fn violations(object: &serde_json::Value, schema: &jsonschema::Validator) -> String {
    let wrong: Vec<String> = schema
        .iter_errors(object)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    wrong.join("\n")
}

/// Runs a game over a transcript of one of its forms.
pub fn run(game: &Game, form: Option<&str>, transcript: &[u8]) -> Outcome {
    run_from(game, form, &mut &transcript[..])
}

/// The same, whatever the transcript comes from.
pub fn run_from(game: &Game, form: Option<&str>, transcript: &mut dyn Read) -> Outcome {
    let mut report = Vec::new();
    let result = game.run(form, TRANSCRIPT, transcript, &mut report);
    Outcome {
        report: String::from_utf8(report).expect("a report is text"),
        failure: result.err(),
    }
}

/// What a folder's name says: `game` or `game+variant`, then maybe `.form` of its transcripts, then any
/// `,option=value`.
pub struct Folder {
    /// The game, with what is set.
    pub game: Game,
    /// The form of its transcripts; the default where it is nothing.
    pub form: Option<String>,
}

impl Folder {
    /// # Panics
    /// If that is no game.
    pub fn new(name: &str) -> Folder {
        let mut parts = name.split(',');
        let game = parts.next().unwrap_or_default();
        let (game, form) = match game.split_once('.') {
            Some((game, form)) => (game, Some(form.to_string())),
            None => (game, None),
        };
        let settings: Vec<(&str, &str)> = parts
            .map(|setting| {
                setting
                    .split_once('=')
                    .expect("a setting is `option=value`")
            })
            .collect();
        Folder {
            game: load(game, &settings),
            form,
        }
    }
}
