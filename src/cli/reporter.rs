//! What a run writes: the report for people, or what happened for programs.

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
    /// The report of a game, or what happens where that is wanted `as_data`.
    pub(super) fn new(game: &'g Game, as_data: bool) -> Reporter<'g> {
        if as_data {
            Reporter::Jsonl(Box::new(game.watched()))
        } else {
            Reporter::Text(game)
        }
    }

    /// This, on so many threads where it is the report on a file.
    pub(super) fn on(self, threads: usize) -> Reporter<'g> {
        match self {
            Reporter::Text(game) if threads != 1 => Reporter::OnThreads(game, threads),
            other => other,
        }
    }

    /// Reports on a transcript in a form of the game. Messages call it `name`, and `tell` gets the lines of its head, as
    /// [`Head`] has it.
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
                    // Whoever types wants to see what comes of it at once.
                    game.run(form, name, &mut input, output)
                }
            }
            Reporter::Jsonl(watched) => {
                // That a file cannot be opened is told where it is read, as an object like others.
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

/// How many bytes of objects wait for more input at most.
const MOST_BYTES: usize = 1 << 16;

/// Objects that are not yet written out.
struct Lines<'o> {
    waiting: Vec<u8>,
    output: &'o mut dyn Write,
    /// Why they could not be written when more was read.
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
        // Where the run panicked, what was reported before is not lost.
        let _ = self.write_out();
    }
}

/// An input before whose every read all objects are written out: whoever types sees what came of it.
struct Patient<'a, 'o> {
    input: Box<dyn Read + 'a>,
    output: &'a RefCell<Lines<'o>>,
}

impl Read for Patient<'_, '_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Ok(mut output) = self.output.try_borrow_mut() {
            // It is no fault of the input.
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
