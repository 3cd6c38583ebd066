//! The output of a run: the report, or the events as data.

use std::{
    cell::RefCell,
    io::{self, Read, Write},
};

use clap::ValueEnum;
use referee::{
    failure::Failure,
    game::{Game, Threads, Watched},
};

use super::{inputs::Source, pin::Head};

/// How a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    // Help of their own would make that of the whole command as long as a manual.
    Text,
    Jsonl,
    #[cfg(feature = "tables")]
    Arrow,
    #[cfg(feature = "tables")]
    Parquet,
}

/// Runs a game in one of the output formats.
pub(super) enum Reporter<'g> {
    /// The report as text.
    Text(&'g Game),
    /// The report on a file, with this many threads.
    OnThreads(&'g Game, usize),
    /// Each event as a JSON object on its own line.
    Jsonl(Box<Watched<'g>>),
}

impl<'g> Reporter<'g> {
    /// A reporter for a game; with `as_data`, it writes events as data.
    pub(super) fn new(game: &'g Game, as_data: bool) -> Reporter<'g> {
        if as_data {
            Reporter::Jsonl(Box::new(game.watched()))
        } else {
            Reporter::Text(game)
        }
    }

    /// The same with threads, if it reports on a file.
    pub(super) fn on(self, threads: usize) -> Reporter<'g> {
        match self {
            Reporter::Text(game) if threads != 1 => Reporter::OnThreads(game, threads),
            other => other,
        }
    }

    /// Reports on a transcript, which messages call `name`. `tell` gets the lines of its head, as [`Head`] reads them.
    ///
    /// # Errors
    /// What stopped the run.
    pub(super) fn report(
        &self,
        form: Option<&str>,
        name: &str,
        source: Source<'_>,
        output: &mut dyn Write,
        tell: &dyn Fn(&str),
    ) -> Result<(), Failure> {
        let opened = |source: Source<'_>| source.opened().map(|input| Head::new(input, tell));
        match self {
            Reporter::Text(game) => {
                let mut input = opened(source).map_err(Failure::Input)?;
                game.run(form, name, &mut input, output)
            }
            Reporter::OnThreads(game, threads) => {
                let in_parts = source.is_plain_file();
                let mut input = opened(source).map_err(Failure::Input)?;
                if in_parts {
                    game.run_on_threads(Threads::new(*threads), form, name, &mut input, output)
                } else {
                    // Interactive input gets its report immediately.
                    game.run(form, name, &mut input, output)
                }
            }
            Reporter::Jsonl(watched) => {
                // A file that cannot be opened is reported when it is read, as an object like all others.
                let input: Box<dyn Read + '_> = match opened(source) {
                    Ok(input) => Box::new(input),
                    Err(error) => Box::new(Closed(Some(error))),
                };
                let output = RefCell::new(Lines {
                    waiting: Vec::with_capacity(2 * MOST_BYTES),
                    output,
                    failed: None,
                });
                let mut input = Patient {
                    input,
                    output: &output,
                };
                let ended = watched.run(form, name, &mut input, &mut |item| {
                    let mut output = output.borrow_mut();
                    serde_json::to_writer(&mut output.waiting, &item)?;
                    output.waiting.push(b'\n');
                    if output.waiting.len() < MOST_BYTES {
                        return Ok(());
                    }
                    output.write_out()
                });
                let written = output.borrow_mut().write_out();
                ended.and(written.map_err(Failure::Output))
            }
        }
    }
}

/// The size of the buffer for objects while the run waits for input, in bytes.
const MOST_BYTES: usize = 1 << 16;

/// Objects that have not been written yet.
struct Lines<'o> {
    waiting: Vec<u8>,
    output: &'o mut dyn Write,
    /// The error if they could not be written before a read.
    failed: Option<io::Error>,
}

impl Lines<'_> {
    fn write_out(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let written = self.output.write_all(&self.waiting);
        self.waiting.clear();
        written?;
        self.output.flush()
    }
}

impl Drop for Lines<'_> {
    fn drop(&mut self) {
        // Even if the run panicked, the output so far is written.
        let _ = self.write_out();
    }
}

/// An input that writes all pending objects before each read, so that an interactive user sees them.
struct Patient<'a, 'o> {
    input: Box<dyn Read + 'a>,
    output: &'a RefCell<Lines<'o>>,
}

impl Read for Patient<'_, '_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Ok(mut output) = self.output.try_borrow_mut() {
            // This is no error of the input.
            output.failed = output.write_out().err();
        }
        self.input.read(bytes)
    }
}

/// A file that could not be opened.
struct Closed(Option<io::Error>);

impl Read for Closed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
