//! `referee check`: what is wrong with rule files.

mod fix;

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap_complete::ArgValueCompleter;
use referee::{
    diagnostic::{
        Code, Diagnostic, LINTS, Level, Severity, Sources, listed, masked_line, numbered,
    },
    game::{Game, Unloaded},
    library::{ENDING, Library},
};

use super::{
    Exit, complete,
    error::{Error, Result as Ended},
    findings::{Findings, Format, Stream},
    folders, output,
    screen::{Screen, is_quiet},
    watch::Watch,
};

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// Games, by name or by the path of a rule file; a folder stands for all rule files below it
    #[arg(value_name = "GAME", required = true, add = ArgValueCompleter::new(complete::games))]
    games: Vec<String>,
    /// How to write what is wrong: for people on standard error, for other programs on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Treats this warning as an error; `warnings` means all that are shown
    #[arg(long, value_name = "NAME", value_parser = denied())]
    deny: Vec<String>,
    /// Shows this warning
    #[arg(long, value_name = "NAME", value_parser = named())]
    warn: Vec<String>,
    /// Hides this warning
    #[arg(long, value_name = "NAME", value_parser = named())]
    allow: Vec<String>,
    /// Applies the safe fixes, and shows them
    #[arg(long)]
    fix: bool,
    /// Shows what `--fix` would change, and changes nothing
    #[arg(long, conflicts_with = "fix")]
    diff: bool,
    #[command(flatten)]
    pub(super) again: Watch,
}

/// Stands for all warnings.
const WARNINGS: &str = "warnings";

/// The names of warnings.
fn named() -> PossibleValuesParser {
    LINTS.iter().map(|lint| lint.code.slug()).into()
}

/// The names of warnings, and the one that stands for all.
fn denied() -> PossibleValuesParser {
    let names = LINTS.iter().map(|lint| lint.code.slug());
    names.chain([WARNINGS]).into()
}

impl Arguments {
    /// The level of a warning: the strictest that applies.
    fn level(&self, code: Code) -> Level {
        let is_named = |names: &[String]| names.iter().any(|name| name == code.slug());
        if is_named(&self.deny) {
            return Level::Deny;
        }
        if is_named(&self.warn) {
            return Level::Warn;
        }
        if is_named(&self.allow) {
            return Level::Allow;
        }
        let lint = LINTS.iter().find(|lint| lint.code == code);
        lint.map_or(Level::Warn, |lint| lint.level)
    }

    /// The diagnostics, without allowed warnings, and with denied ones as errors.
    fn weighed(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let weighed = found.into_iter().filter_map(|mut one| {
            if one.severity == Severity::Warning {
                match self.level(one.code) {
                    Level::Allow => return None,
                    Level::Warn => {}
                    Level::Deny => one.severity = Severity::Error,
                }
            }
            Some(one)
        });
        weighed.collect()
    }

    fn denies_warnings(&self) -> bool {
        self.deny.iter().any(|name| name == WARNINGS)
    }
}

/// The result of checking a game.
struct Checked {
    loaded: Result<Game, Unloaded>,
    /// What is wrong with it.
    found: Vec<Diagnostic>,
    /// The exit code.
    exit: Exit,
}

impl Checked {
    fn new(library: &Library, name: &str) -> Checked {
        let loaded = Game::load(library, name, &[]);
        let (mut exit, mut found) = (Exit::Done, Vec::new());
        match &loaded {
            Ok(game) => {
                found = game.lints();
                for example in game.examples() {
                    exit = exit.then(Exit::from(&example));
                    found.extend(example.wrong);
                }
            }
            Err(unloaded) => {
                exit = Exit::from(unloaded);
                if let Unloaded::Rules(invalid) | Unloaded::Settings(invalid) = unloaded {
                    found.clone_from(&invalid.diagnostics);
                }
            }
        }
        Checked {
            loaded,
            found,
            exit,
        }
    }

    /// The sources of its rule files, if they could be read.
    fn sources(&self) -> Option<&Sources> {
        match &self.loaded {
            Ok(game) => Some(game.sources()),
            Err(Unloaded::Rules(invalid) | Unloaded::Settings(invalid)) => Some(&invalid.sources),
            Err(Unloaded::Missing(_) | Unloaded::Variants(_)) => None,
        }
    }
}

/// Whether there is a game of this name, with its variants.
fn is_game(name: &str, library: &Library) -> bool {
    let mut parts = name.split('+');
    let game = parts.next().unwrap_or_default();
    library.find(game).is_ok() && parts.all(|variant| library.find_variant(game, variant).is_ok())
}

/// The requested games: a folder stands for all rule files below it.
///
/// # Errors
/// If a folder cannot be read.
fn meant(named: &[String], library: &Library) -> Ended<Vec<String>> {
    let mut meant = Vec::new();
    for name in named {
        let folder = Path::new(name);
        if !folder.is_dir() || is_game(name, library) {
            meant.push(name.clone());
            continue;
        }
        let found = folders::files(folder, &[ENDING], None);
        let found = found.map_err(|error| Error::unreadable(name, &error))?;
        if found.files.is_empty() {
            let message = format!("there is no rule file in `{name}`: no file ends in `.{ENDING}`");
            return Err(Error::usage(message));
        }
        let files = found.files.into_iter();
        meant.extend(files.map(|path| path.display().to_string()));
    }
    Ok(meant)
}

/// Checks each game: writes the diagnostics to standard error, and their number to standard output.
pub(super) fn check(arguments: &Arguments, library: &Library, screen: &Screen) -> Ended {
    let mut exit = Exit::Done;
    let mut findings = Findings::new(arguments.format, Stream::Output, screen);
    let mut library = library.clone();
    for name in &meant(&arguments.games, &library)? {
        let mut checked = if arguments.fix || arguments.diff {
            fix::fixed(&mut library, name)
        } else {
            Checked::new(&library, name)
        };
        if arguments.fix {
            fix::written(&mut library, false, findings.is_text())?;
        }
        exit = exit.then(checked.exit);
        checked.found = arguments.weighed(checked.found);
        match &checked.loaded {
            Ok(game) => {
                for diagnostic in &checked.found {
                    findings.diagnostic(diagnostic, game.sources())?;
                }
                let is_wrong = |one: &Diagnostic| {
                    one.severity == Severity::Error
                        && LINTS.iter().any(|lint| lint.code == one.code)
                };
                if arguments.denies_warnings() && !checked.found.is_empty()
                    || checked.found.iter().any(is_wrong)
                {
                    exit = exit.then(Exit::Rules);
                }
            }
            Err(unloaded) => findings.unloaded(unloaded)?,
        }
        let is_news = !checked.found.is_empty() || !is_quiet();
        if findings.is_text() && checked.sources().is_some() && is_news {
            let name = masked_line(name.as_ref());
            output::write(format!("{name}: {}\n", counted(&checked.found)))?;
        }
    }
    if arguments.diff && fix::written(&mut library, true, findings.is_text())? {
        exit = exit.then(Exit::No);
    }
    findings.finish()?;
    Ok(exit)
}

/// `2 errors and 1 warning`
fn counted(diagnostics: &[Diagnostic]) -> String {
    let counts: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning")]
        .into_iter()
        .filter_map(|(severity, noun)| {
            let count = diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == severity)
                .count();
            (count > 0).then(|| numbered(count, noun))
        })
        .collect();
    if counts.is_empty() {
        "nothing is wrong".to_string()
    } else {
        listed(&counts, "and")
    }
}
