//! A game, loaded: from a name or a text to what runs.

use crate::{
    check,
    diagnostic::{Colour, Diagnostic},
    library::Library,
    merge,
    program::Program,
    resolve,
    source::{SourceId, Sources},
    syntax,
};

/// Values of options, set from outside: each the option's name and the value as it is written.
pub type Settings = Vec<(String, String)>;

/// A game that was checked.
#[derive(Debug)]
pub struct Game {
    sources: Sources,
    program: Program,
    warnings: Vec<Diagnostic>,
}

/// A rule file that is wrong.
#[derive(Debug)]
pub struct Invalid {
    /// The texts that the diagnostics point into.
    pub sources: Sources,
    /// All that is wrong, errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Invalid {
    /// All diagnostics, drawn.
    #[must_use]
    pub fn draw(&self, colour: Colour) -> String {
        let drawn: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.draw(&self.sources, colour))
            .collect();
        drawn.join("\n\n")
    }
}

impl Game {
    /// Checks the rule file `text`, which diagnostics call `name`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_text(
        name: &str,
        text: &str,
        library: &Library,
        settings: &[(String, String)],
    ) -> Result<Game, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(name, text);
        match checked(&mut sources, id, library, settings) {
            Ok((program, warnings)) => Ok(Game {
                sources,
                program,
                warnings,
            }),
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics,
            }),
        }
    }

    /// The checked program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The texts it came from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is probably not meant, though it runs.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

/// All stages from text to checked program.
fn checked(
    sources: &mut Sources,
    id: SourceId,
    library: &Library,
    settings: &[(String, String)],
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let file = syntax::parse(sources, id)?;
    let file = merge::merge(file, library, sources)?;
    let resolved = resolve::resolve(&file, sources, settings)?;
    check::check(resolved, sources)
}
