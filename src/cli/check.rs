//! `referee check`: what is wrong with rule files.

use referee::{
    diagnostic::{Diagnostic, Severity, listed, numbered},
    game::{Game, Unloaded},
    library::Library,
};

use super::{
    Exit,
    error::Result,
    examples,
    findings::{Findings, Format, Stream},
    output,
    screen::Screen,
};

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// The games, each by its name or by the path of a rule file
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    /// How what is wrong is written: for people on standard error, for other programs on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// What also counts as wrong, so that it ends with exit code 3
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
}

/// What else counts as wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    Warnings,
}

/// Says of each game what is wrong with it: on standard error what, and on standard output how much.
pub(super) fn check(arguments: &Arguments, library: &Library, screen: &Screen) -> Result {
    let mut exit = Exit::Done;
    let mut findings = Findings::new(arguments.format, Stream::Output, screen);
    for name in &arguments.games {
        let found = match Game::load(library, name, &[]) {
            Ok(game) => {
                let mut found = game.warnings().to_vec();
                for example in game.examples() {
                    exit = exit.then(examples::exit(&example));
                    found.extend(example.wrong);
                }
                for diagnostic in &found {
                    findings.diagnostic(diagnostic, game.sources())?;
                }
                if arguments.deny == Some(Deny::Warnings) && !found.is_empty() {
                    exit = exit.then(Exit::Rules);
                }
                counted(&found)
            }
            Err(unloaded) => {
                findings.unloaded(&unloaded)?;
                exit = exit.then(Exit::from(&unloaded));
                match &unloaded {
                    Unloaded::Missing(_) | Unloaded::Variants(_) => continue,
                    Unloaded::Rules(invalid) | Unloaded::Settings(invalid) => {
                        counted(&invalid.diagnostics)
                    }
                }
            }
        };
        if findings.is_text() {
            output::write(format!("{name}: {found}\n"))?;
        }
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
