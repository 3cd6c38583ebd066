//! What a run writes: the report for people, or what happened for programs.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use clap::ValueEnum;
use referee::{
    failure::Failure,
    game::{Game, Threads, Watched},
};

use super::inputs;

/// How a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    // Help of their own would make that of the whole command as long as a manual.
    Text,
    Jsonl,
}

/// A game that reports on transcripts.
pub(super) enum Reporter<'g> {
    /// The report, byte for byte.
    Text(&'g Game),
    /// The same of a file, on so many threads.
    OnThreads(&'g Game, usize),
    /// Each event as a JSON object on a line of its own.
    Jsonl(Box<Watched<'g>>),
}

impl<'g> Reporter<'g> {
    pub(super) fn new(game: &'g Game, form: Form) -> Reporter<'g> {
        match form {
            Form::Text => Reporter::Text(game),
            Form::Jsonl => Reporter::Jsonl(Box::new(game.watched())),
        }
    }

    /// This, on so many threads where it is the report on a file.
    pub(super) fn on(self, threads: usize) -> Reporter<'g> {
        match self {
            Reporter::Text(game) if threads != 1 => Reporter::OnThreads(game, threads),
            other => other,
        }
    }

    /// Reports on the transcript at `path`, of a form of the game's.
    ///
    /// # Errors
    /// What stopped the run.
    pub(super) fn report(
        &self,
        form: Option<&str>,
        path: &Path,
        output: &mut dyn Write,
    ) -> Result<(), Failure> {
        let name = inputs::name(path);
        match self {
            Reporter::Text(game) => {
                let mut input = inputs::opened(path).map_err(Failure::Input)?;
                game.run(form, &name, &mut input, output)
            }
            Reporter::OnThreads(game, threads) => {
                let mut input = inputs::opened(path).map_err(Failure::Input)?;
                if path.is_file() {
                    game.run_on_threads(Threads::new(*threads), form, &name, &mut input, output)
                } else {
                    // Whoever types wants to see what comes of it at once.
                    game.run(form, &name, &mut input, output)
                }
            }
            Reporter::Jsonl(watched) => {
                // That a file cannot be opened is told where it is read, as an object like others.
                let mut input: Box<dyn Read> = match inputs::opened(path) {
                    Ok(input) => input,
                    Err(error) => Box::new(Closed(Some(error))),
                };
                watched.run(form, &name, &mut input, &mut |item| {
                    serde_json::to_writer(&mut *output, &item)?;
                    output.write_all(b"\n")?;
                    output.flush()
                })
            }
        }
    }
}

/// A file that could not be opened.
struct Closed(Option<io::Error>);

impl Read for Closed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
