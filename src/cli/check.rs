//! `referee check`: what is wrong with rule files.

mod fix;

use clap_complete::ArgValueCompleter;
use referee::{
    diagnostic::{Diagnostic, Severity, Sources, listed, numbered},
    game::{Game, Unloaded},
    library::Library,
};

use super::{
    Exit, complete,
    error::Result as Ended,
    examples,
    findings::{Findings, Format, Stream},
    output,
    screen::Screen,
    watch::Watch,
};

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// Games, by name or by the path of a rule file
    #[arg(value_name = "GAME", required = true, add = ArgValueCompleter::new(complete::games))]
    games: Vec<String>,
    /// How to write what is wrong: for people on standard error, for other programs on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// What also ends it with exit code 3
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Applies the changes that leave no doubt, and shows them
    #[arg(long)]
    fix: bool,
    /// Shows what `--fix` would change, and changes nothing
    #[arg(long, conflicts_with = "fix")]
    diff: bool,
    #[command(flatten)]
    pub(super) again: Watch,
}

/// What else counts as wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    Warnings,
}

/// A game that was checked, or why it could not be.
struct Checked {
    loaded: Result<Game, Unloaded>,
    /// What is wrong with it.
    found: Vec<Diagnostic>,
    /// How that ends.
    exit: Exit,
}

impl Checked {
    fn new(library: &Library, name: &str) -> Checked {
        let loaded = Game::load(library, name, &[]);
        let (mut exit, mut found) = (Exit::Done, Vec::new());
        match &loaded {
            Ok(game) => {
                found.extend_from_slice(game.warnings());
                for example in game.examples() {
                    exit = exit.then(examples::exit(&example));
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

    /// The texts of its rule files, where they could be read.
    fn sources(&self) -> Option<&Sources> {
        match &self.loaded {
            Ok(game) => Some(game.sources()),
            Err(Unloaded::Rules(invalid) | Unloaded::Settings(invalid)) => Some(&invalid.sources),
            Err(Unloaded::Missing(_) | Unloaded::Variants(_)) => None,
        }
    }
}

/// Says of each game what is wrong with it: on standard error what, and on standard output how much.
pub(super) fn check(arguments: &Arguments, library: &Library, screen: &Screen) -> Ended {
    let mut exit = Exit::Done;
    let mut findings = Findings::new(arguments.format, Stream::Output, screen);
    let mut library = library.clone();
    for name in &arguments.games {
        let checked = if arguments.fix || arguments.diff {
            fix::fixed(&mut library, name)
        } else {
            Checked::new(&library, name)
        };
        if arguments.fix {
            fix::written(&mut library, false, findings.is_text())?;
        }
        exit = exit.then(checked.exit);
        match &checked.loaded {
            Ok(game) => {
                for diagnostic in &checked.found {
                    findings.diagnostic(diagnostic, game.sources())?;
                }
                if arguments.deny == Some(Deny::Warnings) && !checked.found.is_empty() {
                    exit = exit.then(Exit::Rules);
                }
            }
            Err(unloaded) => findings.unloaded(unloaded)?,
        }
        if findings.is_text() && checked.sources().is_some() {
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
