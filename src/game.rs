//! A game, loaded: from a name or a text to what runs.

use std::io::{Read, Write};

use crate::{
    check,
    code::Compiled,
    compile::compile,
    diagnostic::{Code, Colour, Diagnostic},
    failure::{self, Failure, Report},
    library::Library,
    merge,
    program::Program,
    resolve,
    source::{SourceId, Sources},
    syntax,
    transcript::Run,
};

/// Values of options, set from outside: each the option's name and the value as it is written.
pub type Settings = Vec<(String, String)>;

/// A game that was checked.
#[derive(Debug)]
pub struct Game {
    sources: Sources,
    program: Program,
    compiled: Compiled,
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
            Ok((program, warnings)) => {
                let compiled = compile(&program, &sources);
                Ok(Game {
                    sources,
                    program,
                    compiled,
                    warnings,
                })
            }
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics,
            }),
        }
    }

    /// Runs the game on a transcript, which messages call `name`, and writes the report as far as it comes.
    /// `form` is the name of one of the rule file's transcripts; the default where it is nothing.
    ///
    /// # Errors
    /// What stopped it. What was reported before is written all the same.
    pub fn run(
        &self,
        form: Option<&str>,
        name: &str,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> Result<(), Failure> {
        let transcript = match form {
            None => self.compiled.transcripts.first(),
            Some(form) => self
                .compiled
                .transcripts
                .iter()
                .find(|transcript| transcript.name.as_deref() == Some(form)),
        };
        let Some(transcript) = transcript else {
            return Err(self.no_transcript(form.unwrap_or_default()));
        };
        Run::new(&self.compiled, transcript, input, output)
            .run()
            .map_err(|stopped| failure::told(*stopped, &self.compiled, &self.sources, name))
    }

    fn no_transcript(&self, form: &str) -> Failure {
        let names: Vec<&str> = self
            .compiled
            .transcripts
            .iter()
            .filter_map(|transcript| transcript.name.as_deref())
            .collect();
        let span = self.program.transcripts[0].span.head();
        let mut diagnostic = Diagnostic::error(
            Code::NoTranscript,
            span,
            format!("`{}` has no transcript called `{form}`", self.program.name),
        )
        .did_you_mean(form, names.iter().copied());
        diagnostic = if names.is_empty() {
            diagnostic.note("it has one kind of transcript, which has no name")
        } else {
            diagnostic.note(format!(
                "besides the default there is {}",
                crate::diagnostic::alternatives(names)
            ))
        };
        Failure::NoTranscript(Report {
            sources: self.sources.clone(),
            diagnostic,
        })
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
