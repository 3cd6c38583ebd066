//! A game, loaded: from a name, a path or a text to what runs.

pub mod book;
mod complete;
mod cores;
pub mod cover;
mod drawn;
mod examples;
mod keep_going;
mod load;
mod moves;
pub mod mutants;
mod options;
mod pictures;
mod questions;
mod session;
mod show;
mod trial;
mod views;
mod watch;
mod why;

use std::{
    fmt,
    io::{Read, Write},
    sync::OnceLock,
};

pub use crate::resolve::SETTING;
pub use complete::{Expected, Hole, Takes};
pub use cores::Threads;
pub use examples::Example;
pub use moves::{Ask, Decider, Endless, Has, Move, Moves, Outcome, Verdict};
pub use options::GameOption;
pub use pictures::{Cell, Picture};
pub use questions::{Judged, PIN, has_expectations, is_wrong_pin, pinned};
pub use session::{Refusal, Session, Stage};
pub use show::{Origin, Variant, Why};
pub use trial::Trial;
pub use views::Viewer;
pub use watch::Watched;

use crate::{
    check,
    code::{Natively, Transcript, explain::Explained},
    compile::{compile, compile_with_data},
    diagnostic::{Code, Colour, Diagnostic, alternatives, capped, gather, retain_unallowed},
    failure::{self, Failure, Report},
    library::{Library, Missing},
    limits::Limits,
    machine::Executable,
    merge::Merged,
    optimise::optimise,
    program::Program,
    resolve,
    source::Sources,
    stack,
    transcript::Run,
};

/// The event that begins a game, which every game has.
const START: &str = "start";

/// What messages call a transcript that has no name.
const NAMELESS: &str = "transcript";

/// Values of options, set from outside: each the option's name and the value as it is written.
pub type Settings = Vec<(String, String)>;

/// A game that was checked, and can be run on any number of transcripts.
#[derive(Debug)]
pub struct Game {
    sources: Sources,
    program: Program,
    /// Where it is, it stays: machine code has addresses of its parts.
    compiled: Box<Executable>,
    /// The same as it is explained, from the first question on.
    explained: OnceLock<Box<(Executable, Explained)>>,
    warnings: Vec<Diagnostic>,
    merged: Merged,
    library: Library,
    settings: Settings,
    seed: u64,
    /// What is not told of the rules' names where somebody looks at it who plays.
    veil: Option<views::Veil>,
}

/// A rule file that is wrong, or what a transcript asks of a game.
#[derive(Debug)]
pub struct Invalid {
    /// The texts that the diagnostics point into.
    pub sources: Sources,
    /// All that is wrong, errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a game could not be loaded.
#[derive(Debug)]
pub enum Unloaded {
    /// There is no such rule file, or it cannot be read.
    Missing(Missing),
    /// The game is there, and the variants that are named with it are not, or cannot be named together.
    Variants(Invalid),
    /// The rule file is wrong.
    Rules(Invalid),
    /// The rule file is right, and the values that were set for its options are not.
    Settings(Invalid),
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

impl fmt::Display for Invalid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.draw(Colour::Never))
    }
}

impl std::error::Error for Invalid {}

impl fmt::Display for Unloaded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unloaded::Missing(missing) => missing.fmt(out),
            Unloaded::Variants(invalid)
            | Unloaded::Rules(invalid)
            | Unloaded::Settings(invalid) => invalid.fmt(out),
        }
    }
}

impl std::error::Error for Unloaded {}

impl Game {
    /// Runs the game on a transcript, which messages call `name`, and writes the report as far as it comes.
    /// `form` is the name of one of the rule file's transcripts; the default where it is nothing.
    ///
    /// Whatever was reported is written and flushed before more of the transcript is read, and before this
    /// returns, also with an error. What is kept does not grow with the transcript.
    ///
    /// # Errors
    /// What stopped it.
    pub fn run(
        &self,
        form: Option<&str>,
        name: &str,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> Result<(), Failure> {
        let transcript = self.transcript(form)?;
        let run = Run::new(&self.compiled, transcript, input, output).seeded(self.seed);
        stack::with_room(self.program.depth, || run.run())
            .map_err(|stopped| failure::told(*stopped, &self.compiled, &self.sources, name))
    }

    /// The report on a transcript that is a text, in the rule file's default form.
    ///
    /// # Errors
    /// What stopped it; [`Game::run`] also gives what was reported before.
    pub fn report(&self, transcript: &str) -> Result<String, Failure> {
        let mut report = Vec::new();
        self.run(None, NAMELESS, &mut transcript.as_bytes(), &mut report)?;
        Ok(String::from_utf8_lossy(&report).into_owned())
    }

    /// One of the rule file's transcripts.
    fn transcript(&self, form: Option<&str>) -> Result<&Transcript, Failure> {
        let transcript = match form {
            None => self.compiled.transcripts.first(),
            Some(form) => self
                .compiled
                .transcripts
                .iter()
                .find(|transcript| transcript.name.as_deref() == Some(form)),
        };
        transcript.ok_or_else(|| self.no_transcript(form.unwrap_or_default()))
    }

    /// Whether each event has a line of its own in a transcript of this form.
    pub(crate) fn reads_lines(&self, form: Option<&str>) -> bool {
        self.transcript(form)
            .is_ok_and(|transcript| transcript.by_lines)
    }

    fn no_transcript(&self, form: &str) -> Failure {
        let names: Vec<&str> = self.transcripts().into_iter().flatten().collect();
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
                alternatives(names)
            ))
        };
        Failure::NoTranscript(Report::new(self.sources.clone(), diagnostic))
    }

    /// The game without the stage that makes it fast: it says the same, and slower. Who doubts that stage can compare.
    #[must_use]
    pub fn unoptimised(mut self) -> Game {
        let compiled = || compile(&self.program, &self.sources);
        let limits = self.compiled.limits;
        *self.compiled = stack::with_room(self.program.depth, compiled);
        self.runs(Natively::Never).limited(limits)
    }

    /// The game, whose sessions can tell their states [as data](Session::values).
    #[must_use]
    pub fn with_data(mut self) -> Game {
        let mut compiled = stack::with_room(self.program.depth, || {
            let mut compiled = compile_with_data(&self.program, &self.sources);
            optimise(&mut compiled);
            compiled
        });
        self.as_here(&mut compiled);
        *self.compiled = compiled;
        self
    }

    /// The game as machine code from the first event on, where it becomes that at all; else it does after some
    /// thousand events. It says the same. Who doubts that can compare.
    #[must_use]
    pub fn natively(self) -> Game {
        self.runs(Natively::AtOnce)
    }

    /// The same game, lowered from the first event on and run by the interpreter.
    #[must_use]
    pub fn interpreted(self) -> Game {
        self.runs(Natively::Interpreted)
    }

    fn runs(mut self, natively: Natively) -> Game {
        self.compiled.natively = natively;
        self.explained.take();
        self
    }

    /// The game, whose runs may take no more than this.
    #[must_use]
    pub fn limited(mut self, limits: Limits) -> Game {
        self.compiled.limits = limits;
        self.compiled.limit = self.program.limit.min(limits.events);
        self.explained.take();
        self
    }

    /// Gives what was compiled anew of this game its limits, and how it runs.
    fn as_here(&self, compiled: &mut Executable) {
        compiled.limits = self.compiled.limits;
        compiled.limit = compiled.limit.min(self.compiled.limit);
        compiled.natively = self.compiled.natively;
    }

    /// The game, with another seed than 0 for what `play by random` draws.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Game {
        self.seed = seed;
        self
    }

    /// The game's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.program.name
    }

    /// The game's name for people.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.program.title
    }

    /// The forms of its transcripts, the default first; that one may have no name.
    #[must_use]
    pub fn transcripts(&self) -> Vec<Option<&str>> {
        self.program
            .transcripts
            .iter()
            .map(|transcript| transcript.name.as_deref())
            .collect()
    }

    /// Its options, in the order of the rule file.
    #[must_use]
    pub fn options(&self) -> Vec<GameOption> {
        options::told(&self.program)
    }

    /// The names of its events, in the order of the rule file.
    #[must_use]
    pub fn events(&self) -> Vec<&str> {
        let events = self.program.events.iter();
        let names = events.map(|event| event.name.as_str());
        names.filter(|name| *name != START).collect()
    }

    /// The texts of the rule files it came from: its own, those of its variants, and those that they use. Their order
    /// is that in which they were read.
    pub fn rule_texts(&self) -> impl Iterator<Item = &str> {
        let texts = self.sources.texts();
        let files = texts.filter(|(name, _)| ![load::SOURCE, resolve::SETTING].contains(name));
        files.map(|(_, text)| text)
    }

    /// The texts it came from, which diagnostics point into.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is probably not meant, though it runs.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// All that the lints find, in the order of the file: the warnings, and what runs as it is meant and is hard to vary
    /// or to explain. [`LINTS`](crate::diagnostic::LINTS) says what is mentioned unless somebody says otherwise.
    #[must_use]
    pub fn lints(&self) -> Vec<Diagnostic> {
        let mut found = check::style::check(&self.merged.file);
        retain_unallowed(&mut found, &self.sources);
        found.extend_from_slice(&self.warnings);
        capped(gather(found, &self.sources))
    }
}
