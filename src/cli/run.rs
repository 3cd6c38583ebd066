//! `referee run`: reads transcripts and writes reports.

use std::{
    cell::RefCell,
    io::{self, Write},
    mem::ManuallyDrop,
    path::{Path, PathBuf},
};

use clap_complete::ArgValueCompleter;
use referee::{failure::Failure, game::Game, library::Library};

#[cfg(feature = "tables")]
use super::tables;
use super::{
    Exit, complete,
    error::{Error, Result},
    findings::{Finding, Findings, Format, Stream, Style},
    inputs::{self, DASH, Source},
    output,
    parallel::{self, HasSize, Told},
    pin::{Differs, Head, Pins},
    reporter::{Form, Reporter},
    screen::Screen,
    settings::{self, Limited, Setting},
    watch::Watch,
};

/// The arguments of `run`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    #[arg(add = ArgValueCompleter::new(complete::games))]
    game: String,
    /// Transcripts: files, folders (all `.txt` and `.in` files below them), archives (`.tar`), or `-` for standard input,
    /// which is also the default. Files may be compressed (`.gz`, `.zst`)
    #[arg(value_name = "TRANSCRIPT")]
    inputs: Vec<PathBuf>,
    /// The form of the transcripts, if it is not the default one
    #[arg(long, value_name = "NAME", add = ArgValueCompleter::new(complete::forms))]
    pub(super) transcript: Option<String>,
    /// The seed of `play by random`: the same seed gives the same game
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Sets an option of the game; `?` lists the options and runs nothing
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting, add = ArgValueCompleter::new(complete::settings))]
    settings: Vec<Setting>,
    /// How many transcripts, or parts of a single file, to work on at once; 0 means one for each processor
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub(super) jobs: usize,
    #[command(flatten)]
    limited: Limited,
    /// What to write: the report; each event as a JSON object on a line of its own, with all that it did and why; or
    /// tables of that
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Form::Text)]
    format: Form,
    #[cfg(feature = "tables")]
    #[command(flatten)]
    pub(super) tabled: tables::Tabled,
    /// Goes on after a mistake in a transcript, as if the line were not there; the exit code is that of the first mistake
    #[arg(long, conflicts_with = "jobs")]
    keep_going: bool,
    /// How to write errors to standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    errors: Format,
    #[command(flatten)]
    pub(super) again: Watch,
}

impl Arguments {
    /// Refuses to wait for changes of nothing but standard input.
    pub(super) fn can_change(&self) -> Result<()> {
        if self.inputs.iter().any(|path| path != Path::new(DASH)) {
            return Ok(());
        }
        let message = "`--watch` reads transcripts again, and standard input can be read only once";
        Err(Error::usage(message).with_help("name a file"))
    }
}

/// Writes the report of each transcript, in order.
pub(super) fn run(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let records = arguments.format == Form::Jsonl;
    let findings = Findings::new(arguments.errors, Stream::Error, screen);
    let mut findings = findings.beside_records(records);
    let exit = reports(arguments, library, &mut findings)?;
    findings.finish()?;
    Ok(exit)
}

fn reports(arguments: &Arguments, library: &Library, findings: &mut Findings<'_>) -> Result {
    let values = settings::values(&arguments.settings)?;
    let game = match Game::load(library, &arguments.game, &values) {
        // The game need not be freed: the process ends with the run.
        Ok(game) => {
            let game = game.limited(arguments.limited.limits()?);
            ManuallyDrop::new(game.with_seed(arguments.seed))
        }
        Err(unloaded) => {
            findings.unloaded(&unloaded)?;
            return Ok(Exit::from(&unloaded));
        }
    };
    if settings::are_asked(&arguments.settings) {
        settings::list(&game)?;
        return Ok(Exit::Done);
    }
    let inputs = match inputs::meant(&arguments.inputs) {
        Ok(meant) => {
            for path in &meant.left_out {
                findings.note(&inputs::left_out(path));
            }
            meant.inputs
        }
        Err(Error::Message {
            exit,
            message,
            help,
        }) => {
            findings.placeless("unreadable", &message, &help)?;
            return Ok(exit);
        }
        Err(error) => return Err(error),
    };
    let missing = inputs.iter().filter(|path| !path.exists());
    let mut names = missing.filter_map(|path| path.to_str());
    let variants = game.variants();
    if let Some(name) = names.find(|name| variants.iter().any(|it| it.name == *name)) {
        let message = format!("`{name}` is no file, but a variant");
        let help = format!("write `{}+{name}`", arguments.game);
        findings.placeless("unreadable", &message, &[help])?;
        return Ok(Exit::Usage);
    }
    if arguments.keep_going {
        return keep_going(&game, arguments, &inputs, findings);
    }
    #[cfg(feature = "tables")]
    if let Some(file) = arguments.tabled.wanted(arguments.format)? {
        return tables::run(&game, file, arguments, &inputs, findings);
    }
    let reporter = Reporter::new(&game, arguments.format == Form::Jsonl);
    let is_one = inputs.len() == 1 && !inputs.iter().any(|path| inputs::is_archive(path));
    if arguments.jobs == 1 || is_one {
        one_by_one(
            &game,
            &reporter.on(arguments.jobs.min(parallel::MOST_JOBS)),
            arguments,
            &inputs,
            findings,
        )
    } else {
        at_once(&game, &reporter, arguments, &inputs, findings)
    }
}

/// Reports on one transcript after the other, line by line.
fn one_by_one(
    game: &Game,
    reporter: &Reporter<'_>,
    arguments: &Arguments,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> Result {
    let form = arguments.transcript.as_deref();
    let mut exit: Result = Ok(Exit::Done);
    inputs::each(inputs, &mut |source| {
        let this = report(game, reporter, form, source, findings);
        exit = match (&exit, this) {
            (Ok(exit), Ok(this)) if this != Exit::Usage => Ok(exit.then(this)),
            (_, ended) => ended,
        };
        matches!(exit, Ok(exit) if exit != Exit::Usage)
    });
    exit
}

/// Reports on one transcript after the other, continuing after mistakes.
fn keep_going(
    game: &Game,
    arguments: &Arguments,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> Result {
    if arguments.format != Form::Text {
        let message = "`--keep-going` writes the report: leave `--format` out";
        return Err(Error::usage(message));
    }
    let form = arguments.transcript.as_deref();
    let mut exit = Exit::Done;
    let pins = Pins::new(game);
    let mut told: Result<()> = Ok(());
    inputs::each(inputs, &mut |source| {
        let name = source.name();
        let findings = RefCell::new(&mut *findings);
        let pinned = |line: &str| {
            if let Some(differs) = pins.differs(&name, line) {
                let mut findings = findings.borrow_mut();
                findings.warning("pin", &differs.message, &differs.help);
            }
        };
        let mut tell = |failure: Failure| {
            exit = exit.then(Exit::from(&failure));
            if told.is_ok() {
                let mut findings = findings.borrow_mut();
                told = findings.failure(failure, &name).map_err(Error::from);
            }
        };
        let ran = match source.opened() {
            Ok(input) => {
                let mut input = Head::new(input, &pinned);
                game.run_on(form, &name, &mut input, &mut *output::stdout(), &mut tell)
            }
            Err(error) => Err(Failure::Input(error)),
        };
        if let Err(failure) = ran {
            tell(failure);
        }
        told.is_ok()
    });
    told.map(|()| exit)
}

/// A piece of the output of a parallel run.
pub(super) enum Piece<T> {
    /// A part of a report, or of the events as data.
    Part(T),
    /// A transcript is pinned to other rules.
    Pinned(Differs),
    /// What stopped the run over a transcript, and the exit code.
    Failed(Exit, anyhow::Result<Option<Finding>>),
}

impl<T: HasSize> HasSize for Piece<T> {
    fn size(&self) -> usize {
        match self {
            Piece::Part(part) => part.size(),
            // A message takes a few lines.
            Piece::Pinned(_) | Piece::Failed(..) => 1 << 9,
        }
    }
}

impl HasSize for Vec<u8> {
    fn size(&self) -> usize {
        self.len()
    }
}

impl<T> Piece<T> {
    /// The piece for what stopped the run over the transcript called `name`.
    pub(super) fn failed(failure: Failure, name: &str, style: Style) -> Piece<T> {
        Piece::Failed(Exit::from(&failure), style.failure(failure, name))
    }

    /// Writes out a part with `write`, or reports a failure. Returns whether to go on.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(super) fn told(
        self,
        findings: &mut Findings<'_>,
        exit: &mut Exit,
        write: impl FnOnce(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<bool> {
        match self {
            Piece::Part(part) => write(part)?,
            Piece::Pinned(differs) => findings.warning("pin", &differs.message, &differs.help),
            Piece::Failed(this, finding) => {
                if let Some(finding) = finding? {
                    findings.say(finding)?;
                }
                if this == Exit::Usage {
                    *exit = this;
                    return Ok(false);
                }
                *exit = exit.then(this);
            }
        }
        Ok(true)
    }
}

/// Reports on several transcripts in parallel.
fn at_once(
    game: &Game,
    reporter: &Reporter<'_>,
    arguments: &Arguments,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> Result {
    let mut exit = Exit::Done;
    let form = arguments.transcript.as_deref();
    let style = findings.style;
    let work = |group: Vec<Source<'_>>, tell: Told<'_, Piece<Vec<u8>>>| {
        let pins = Pins::new(game);
        let mut parts = Parts {
            part: Vec::new(),
            tell,
        };
        for source in group {
            let name = source.name();
            let pinned = RefCell::new(Vec::new());
            let pin = |line: &str| pinned.borrow_mut().extend(pins.differs(&name, line));
            let ran = reporter.report(form, &name, source, &mut parts, &pin);
            let pinned = pinned.take().into_iter().map(Piece::Pinned);
            let failed = ran
                .err()
                .map(|failure| Piece::failed(failure, &name, style));
            for piece in pinned.chain(failed) {
                // Parts of the report come before the failure.
                if !parts.sent() || !(parts.tell)(piece) {
                    return;
                }
            }
        }
        parts.sent();
    };
    parallel::run(arguments.jobs, inputs, work, |piece, progress| {
        if let Piece::Part(part) = &piece {
            progress.before(part);
        }
        progress.hidden(|| piece.told(findings, &mut exit, output::write))
    })?;
    Ok(exit)
}

/// The smallest part of a report, except the last, in bytes.
const PART: usize = 1 << 16;

/// Sends a report in parts.
struct Parts<'t> {
    part: Vec<u8>,
    tell: Told<'t, Piece<Vec<u8>>>,
}

impl Parts<'_> {
    /// Sends what there is. Returns whether the receiver wants more.
    fn sent(&mut self) -> bool {
        self.part.is_empty() || (self.tell)(Piece::Part(std::mem::take(&mut self.part)))
    }
}

impl Write for Parts<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        if self.part.len() < PART || self.sent() {
            Ok(bytes.len())
        } else {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reports on one transcript.
///
/// # Errors
/// If the receiver wants no more.
fn report(
    game: &Game,
    reporter: &Reporter<'_>,
    form: Option<&str>,
    source: Source<'_>,
    findings: &mut Findings<'_>,
) -> Result {
    let pins = Pins::new(game);
    let name = source.name();
    let said = RefCell::new(&mut *findings);
    let tell = |line: &str| {
        if let Some(differs) = pins.differs(&name, line) {
            said.borrow_mut()
                .warning("pin", &differs.message, &differs.help);
        }
    };
    let Err(failure) = reporter.report(form, &name, source, &mut *output::stdout(), &tell) else {
        return Ok(Exit::Done);
    };
    let exit = Exit::from(&failure);
    findings.failure(failure, &name)?;
    Ok(exit)
}
