//! A loaded game: from a name, a path or a text to something that runs.

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
pub use moves::{Decider, Endless, Has, Move, Moves, MovesQuery, Outcome, Verdict};
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

/// The event that starts a game. Every game has it.
const START: &str = "start";

/// The name of a transcript in messages, if it has none.
const NAMELESS: &str = "transcript";

/// Values of options, set from outside: the name of each option, and its value as written.
pub type Settings = Vec<(String, String)>;

/// A checked game, which can run any number of transcripts.
#[derive(Debug)]
pub struct Game {
    sources: Sources,
    program: Program,
    /// It must not move: machine code contains addresses of its parts.
    compiled: Box<Executable>,
    /// The code for explanations, compiled when it is first needed.
    explained: OnceLock<Box<(Executable, Explained)>>,
    warnings: Vec<Diagnostic>,
    merged: Merged,
    library: Library,
    settings: Settings,
    seed: u64,
    /// What explanations hide, if the game is seen by a player.
    redaction: Option<views::Redaction>,
}

/// What is wrong with a rule file, or with the questions of a transcript.
#[derive(Debug)]
pub struct Invalid {
    /// The texts that the diagnostics point into.
    pub sources: Sources,
    /// All errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a game could not be loaded.
#[derive(Debug)]
pub enum Unloaded {
    /// There is no such rule file, or it cannot be read.
    Missing(Missing),
    /// A variant does not exist, or the variants do not go together.
    Variants(Invalid),
    /// The rule file is wrong.
    Rules(Invalid),
    /// The value of an option is wrong.
    Settings(Invalid),
}

impl Invalid {
    /// All diagnostics as text.
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
    /// Runs the game on a transcript, which messages call `name`, and writes the report as it goes. `form` is the name
    /// of a form of its transcripts; `None` for the default.
    ///
    /// The report is written and flushed before more of the transcript is read, and before this returns, also with an
    /// error. Memory does not grow with the transcript.
    ///
    /// # Errors
    /// What stopped the run.
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
            .map_err(|stopped| failure::from_stopped(*stopped, &self.compiled, &self.sources, name))
    }

    /// The report on a transcript in the default form.
    ///
    /// # Errors
    /// What stopped the run. [`Game::run`] also writes the report up to there.
    pub fn report(&self, transcript: &str) -> Result<String, Failure> {
        let mut report = Vec::new();
        self.run(None, NAMELESS, &mut transcript.as_bytes(), &mut report)?;
        Ok(String::from_utf8_lossy(&report).into_owned())
    }

    /// The form of the game's transcripts with a name; without one, the first.
    fn transcript(&self, form: Option<&str>) -> Result<&Transcript, Failure> {
        self.compiled_form(&self.compiled, form)
    }

    /// The same in code that the game was compiled to.
    fn compiled_form<'c>(
        &self,
        compiled: &'c Executable,
        name: Option<&str>,
    ) -> Result<&'c Transcript, Failure> {
        let mut forms = compiled.transcripts.iter();
        let form = match name {
            None => forms.next(),
            Some(_) => forms.find(|form| form.name.as_deref() == name),
        };
        form.ok_or_else(|| self.no_transcript(name.unwrap_or_default()))
    }

    /// Whether each event has its own line in transcripts of this form.
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

    /// The game without optimisations. It runs the same, but slower; for comparison.
    #[must_use]
    pub fn unoptimised(mut self) -> Game {
        let compiled = || compile(&self.program, &self.sources);
        let limits = self.compiled.limits;
        *self.compiled = stack::with_room(self.program.depth, compiled);
        self.compiled.forgetful = true;
        self.runs(Natively::Never).limited(limits)
    }

    /// The game with code for the states of sessions [as data](Session::values).
    #[must_use]
    pub fn with_data(mut self) -> Game {
        let mut compiled = stack::with_room(self.program.depth, || {
            let mut compiled = compile_with_data(&self.program, &self.sources);
            optimise(&mut compiled);
            compiled
        });
        self.apply_settings(&mut compiled);
        *self.compiled = compiled;
        self
    }

    /// The game, run as machine code from the first event on, if that is possible; otherwise this starts after a few
    /// thousand events. It runs the same; for comparison.
    #[must_use]
    pub fn natively(self) -> Game {
        self.runs(Natively::AtOnce)
    }

    /// The game, lowered as a whole before the first event and run by the interpreter.
    #[must_use]
    pub fn interpreted(self) -> Game {
        self.runs(Natively::Interpreted)
    }

    fn runs(mut self, natively: Natively) -> Game {
        self.compiled.natively = natively;
        self.explained.take();
        self
    }

    /// The game with these limits.
    #[must_use]
    pub fn limited(mut self, limits: Limits) -> Game {
        self.compiled.limits = limits;
        self.compiled.limit = self.program.limit.min(limits.events);
        self.explained.take();
        self
    }

    /// Gives code that was compiled anew the limits and the back end of this game.
    fn apply_settings(&self, compiled: &mut Executable) {
        compiled.limits = self.compiled.limits;
        compiled.limit = compiled.limit.min(self.compiled.limit);
        compiled.natively = self.compiled.natively;
    }

    /// The game with this seed for `play by random`, instead of 0.
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

    /// The game's title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.program.title
    }

    /// The names of its transcript forms, the default first; a form may have no name.
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

    /// The texts of its rule files, in the order in which they were read: its own, those of its variants, and those
    /// that they use.
    pub fn rule_texts(&self) -> impl Iterator<Item = &str> {
        let texts = self.sources.texts();
        let files = texts.filter(|(name, _)| ![load::SOURCE, resolve::SETTING].contains(name));
        files.map(|(_, text)| text)
    }

    /// The sources that diagnostics point into.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is probably a mistake, although it runs.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// All findings of the lints, in the order of the file: the warnings, and hints about rules that are hard to vary
    /// or to explain. [`LINTS`](crate::diagnostic::LINTS) says which are reported by default.
    #[must_use]
    pub fn lints(&self) -> Vec<Diagnostic> {
        let mut found = check::style::check(&self.merged.file);
        retain_unallowed(&mut found, &self.sources);
        found.extend_from_slice(&self.warnings);
        capped(gather(found, &self.sources))
    }
}
