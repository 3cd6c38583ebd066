//! `referee run`: transcripts in, reports out.

use std::{
    cell::RefCell,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
};

use clap_complete::ArgValueCompleter;
use referee::{failure::Failure, game::Game, library::Library};

use super::{
    Exit, complete,
    error::{Error, Result},
    findings::{Findings, Format, Stream},
    inputs,
    limit::Limited,
    output, parallel,
    pin::Pins,
    reporter::{Form, Reporter},
    screen::Screen,
    settings::{self, Setting},
    watch::Watch,
};

/// The arguments of `run`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The game: its name, or the path of a rule file; with variants, `GAME+VARIANT`
    #[arg(add = ArgValueCompleter::new(complete::games))]
    game: String,
    /// Transcripts: files, folders (all `.txt` and `.in` files below them), or `-` for standard input, which is also the default
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The form of the transcripts, if it is not the rule file's first
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// The seed of `play by random`: the same seed gives the same game
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Sets an option of the game; `?` lists the options and runs nothing
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting, add = ArgValueCompleter::new(complete::settings))]
    settings: Vec<Setting>,
    /// How many transcripts, or parts of a single file, to work on at once; 0 means one for each processor
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    limited: Limited,
    /// What to write: the report, or each event as a JSON object on a line of its own, with all that it did and why
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Form::Text)]
    format: Form,
    /// Goes on after a mistake in a transcript, as if it were not there; the exit code is that of the first
    #[arg(long, conflicts_with = "jobs")]
    keep_going: bool,
    /// How to write errors to standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    errors: Format,
    #[command(flatten)]
    pub(super) again: Watch,
}

/// Reports on each transcript in order.
pub(super) fn run(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let mut findings = Findings::new(arguments.errors, Stream::Error, screen);
    let exit = reports(arguments, library, &mut findings)?;
    findings.finish()?;
    Ok(exit)
}

fn reports(arguments: &Arguments, library: &Library, findings: &mut Findings<'_>) -> Result {
    let game = match Game::load(
        library,
        &arguments.game,
        &settings::values(&arguments.settings),
    ) {
        // The process ends with the run, and all that the game is goes with it.
        Ok(game) => {
            let game = game.limited(arguments.limited.limits());
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
        Err(message) => {
            findings.placeless("unreadable", &message, &[])?;
            return Ok(Exit::Usage);
        }
    };
    if arguments.keep_going {
        return keep_going(&game, arguments, &inputs, findings);
    }
    let reporter = Reporter::new(&game, arguments.format);
    if arguments.jobs == 1 || inputs.len() == 1 {
        let form = arguments.transcript.as_deref();
        let reporter = reporter.on(arguments.jobs);
        one_by_one(&game, &reporter, form, &inputs, findings)
    } else {
        let pins = Pins::new(&game);
        for differs in inputs.iter().flat_map(|path| pins.of_file(path)) {
            findings.warning("pin", &differs.message, &differs.help);
        }
        at_once(&reporter, arguments, &inputs, findings)
    }
}

/// Reports on one transcript after the other, each line as it comes.
fn one_by_one(
    game: &Game,
    reporter: &Reporter<'_>,
    form: Option<&str>,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> Result {
    let mut exit = Exit::Done;
    for input in inputs {
        match report(game, reporter, form, input, findings)? {
            Exit::Usage => return Ok(Exit::Usage),
            other => exit = exit.then(other),
        }
    }
    Ok(exit)
}

/// Reports on one transcript after the other, and goes on after what is wrong with one.
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
    for path in inputs {
        for differs in pins.of_file(path) {
            findings.warning("pin", &differs.message, &differs.help);
        }
        let name = inputs::name(path);
        let mut told: Result<()> = Ok(());
        let mut tell = |failure: Failure| {
            exit = exit.then(Exit::from(&failure));
            if told.is_ok() {
                told = findings.failure(failure, &name).map_err(Error::from);
            }
        };
        let mut ran = inputs::opened(path).map_err(Failure::Input);
        let ran = match &mut ran {
            Ok(input) => game.run_on(form, &name, input, &mut *output::stdout(), &mut tell),
            Err(_) => ran.map(|_| ()),
        };
        if let Err(failure) = ran {
            tell(failure);
        }
        told?;
    }
    Ok(exit)
}

/// Reports on several transcripts at once.
fn at_once(
    reporter: &Reporter<'_>,
    arguments: &Arguments,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> Result {
    let mut exit = Exit::Done;
    let form = arguments.transcript.as_deref();
    parallel::run(reporter, form, inputs, arguments.jobs, |ran| {
        output::write(&ran.report)?;
        let Some(failure) = ran.failure else {
            return Ok(true);
        };
        let this = Exit::from(&failure);
        findings.failure(failure, &ran.name)?;
        exit = if this == Exit::Usage {
            this
        } else {
            exit.then(this)
        };
        Ok(this != Exit::Usage)
    })?;
    Ok(exit)
}

/// Reports on one transcript.
///
/// # Errors
/// Nothing more can be written.
fn report(
    game: &Game,
    reporter: &Reporter<'_>,
    form: Option<&str>,
    path: &Path,
    findings: &mut Findings<'_>,
) -> Result {
    let pins = Pins::new(game);
    let name = inputs::name(path);
    let said = RefCell::new(&mut *findings);
    let tell = |line: &str| {
        if let Some(differs) = pins.differs(&name, line) {
            said.borrow_mut()
                .warning("pin", &differs.message, &differs.help);
        }
    };
    let Err(failure) = reporter.report(form, path, &mut *output::stdout(), &tell) else {
        return Ok(Exit::Done);
    };
    let exit = Exit::from(&failure);
    findings.failure(failure, &name)?;
    Ok(exit)
}
