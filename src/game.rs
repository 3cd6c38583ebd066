//! A game, loaded: from a name, a path or a text to what runs.

pub mod book;
mod complete;
mod cores;
pub mod cover;
mod drawn;
mod examples;
mod keep_going;
mod moves;
pub mod mutants;
mod names;
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
};

pub use cores::Threads;
pub use examples::Example;
pub use moves::{Ask, Decider, Endless, Has, Move, Moves, Outcome, Verdict};
pub use options::GameOption;
pub use pictures::{Cell, Picture};
pub use questions::{Judged, has_expectations, pinned};
pub use session::{Expected, Hole, Refusal, Session, Stage, Takes};
pub use show::{Origin, Variant, Why};
pub use trial::Trial;
pub use views::Viewer;
pub use watch::Watched;

use crate::{
    check,
    code::{Compiled, Natively, Transcript},
    compile::{compile, compile_with_data},
    diagnostic::{Code, Colour, Diagnostic, alternatives, first, gather, retain_unallowed},
    failure::{self, Failure, Report},
    library::{Library, Missing, RuleText},
    limits::Limits,
    merge::{self, Merged},
    optimise::optimise,
    program::Program,
    resolve,
    source::{SourceId, Sources},
    stack,
    syntax::{self, Salvaged, ast::Name},
    transcript::Run,
};
use names::Named;

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
    compiled: Box<Compiled>,
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
    /// Loads a game of `library` by its name, or any rule file by its path; with variants, `game+variant+variant`,
    /// which are applied from left to right. The rule file may be a variant's: its game is looked for then.
    ///
    /// # Errors
    /// That there is none, or everything that is wrong with it.
    pub fn load(
        library: &Library,
        name: &str,
        settings: &[(String, String)],
    ) -> Result<Game, Unloaded> {
        let named = Named::new(name);
        let found = library.find(named.game).map_err(Unloaded::Missing)?;
        let mut game = Game::named(&found, &named, &library.beside(named.game), settings)?;
        let mut warnings = names::other_names(&game.merged, &game.sources);
        warnings.append(&mut game.warnings);
        game.warnings = warnings;
        Ok(game)
    }

    /// Loads a game whose rule file is `text`, as one of a revision or a buffer is. `name` is what diagnostics call it,
    /// with variants after it, each after a `+`; these, and what the file uses, are of `library`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn load_text(
        library: &Library,
        name: &str,
        text: &str,
        settings: &[(String, String)],
    ) -> Result<Game, Unloaded> {
        let named = Named::new(name);
        let found = RuleText {
            name: named.game.to_string(),
            text: text.to_string(),
        };
        Game::named(&found, &named, library, settings)
    }

    fn named(
        found: &RuleText,
        named: &Named,
        library: &Library,
        settings: &[(String, String)],
    ) -> Result<Game, Unloaded> {
        for path in named.paths() {
            library.find(path).map_err(Unloaded::Missing)?;
        }
        let load = |settings| Game::combined(found, named, library, settings);
        load(settings).map_err(|invalid| {
            if named.is_at_fault(&invalid) {
                Unloaded::Variants(invalid)
            } else if !settings.is_empty() && load(&[]).is_ok() {
                Unloaded::Settings(invalid)
            } else {
                Unloaded::Rules(invalid)
            }
        })
    }

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
        let found = RuleText {
            name: name.to_string(),
            text: text.to_string(),
        };
        Game::combined(&found, &Named::new(""), library, settings)
    }

    /// The game of a rule file with the variants that are named with it.
    fn combined(
        found: &RuleText,
        named: &Named,
        library: &Library,
        settings: &[(String, String)],
    ) -> Result<Game, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(&found.name, &found.text);
        let chosen = named.variants(&mut sources);
        match checked(&mut sources, id, &chosen, library, settings) {
            Ok((merged, program, warnings)) => {
                let compiled = stack::with_room(program.depth, || {
                    let mut compiled = compile(&program, &sources);
                    optimise(&mut compiled);
                    compiled
                });
                Ok(Game {
                    sources,
                    program,
                    compiled: Box::new(compiled),
                    warnings,
                    merged,
                    library: library.clone(),
                    settings: settings.to_vec(),
                    seed: 0,
                    veil: None,
                })
            }
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics: first(diagnostics),
            }),
        }
    }

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
        self.compiled.natively = Natively::Never;
        self.limited(limits)
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
    pub fn natively(mut self) -> Game {
        self.compiled.natively = Natively::AtOnce;
        self
    }

    /// The same game, lowered from the first event on and run by the interpreter.
    #[must_use]
    pub fn interpreted(mut self) -> Game {
        self.compiled.natively = Natively::Interpreted;
        self
    }

    /// The game, whose runs may take no more than this.
    #[must_use]
    pub fn limited(mut self, limits: Limits) -> Game {
        self.compiled.limits = limits;
        self.compiled.limit = self.program.limit.min(limits.events);
        self
    }

    /// Gives what was compiled anew of this game its limits, and how it runs.
    fn as_here(&self, compiled: &mut Compiled) {
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
        let files = texts.filter(|(name, _)| ![names::SOURCE, resolve::SETTING].contains(name));
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
        first(gather(found, &self.sources))
    }
}

/// A game as one tree, the checked program that was made of it, and what is probably not meant in it.
type Checked = (Merged, Program, Vec<Diagnostic>);

/// What is wrong, and whether a stage found it that keeps later ones from looking at the rest of the file.
type Wrong = (Vec<Diagnostic>, bool);

/// All stages from text to checked program.
fn checked(
    sources: &mut Sources,
    id: SourceId,
    chosen: &[Name],
    library: &Library,
    settings: &[(String, String)],
) -> Result<Checked, Vec<Diagnostic>> {
    stages(sources, id, chosen, library, settings).map_err(|(mut wrong, early)| {
        if early {
            wrong.extend(elsewhere(sources, id, &wrong, chosen, library, settings));
        }
        wrong
    })
}

/// The stages, one after the other up to the first that finds something wrong.
fn stages(
    sources: &mut Sources,
    id: SourceId,
    chosen: &[Name],
    library: &Library,
    settings: &[(String, String)],
) -> Result<Checked, Wrong> {
    let late = |wrong| (wrong, false);
    let file = syntax::parse(sources, id).map_err(|wrong| (wrong, true))?;
    let mut merged = merge::merge(file, chosen, library, sources).map_err(late)?;
    merged.cite(sources).map_err(late)?;
    for (name, value) in settings {
        sources.add(resolve::SETTING, format!("{name}={value}"));
    }
    loop {
        let resolved =
            resolve::resolve(&merged.file, sources, settings).map_err(|wrong| (wrong, true))?;
        let found = match check::check(resolved, sources) {
            Ok((program, mut warnings)) => {
                if !merged.drop_orphans(&warnings) {
                    warnings.append(&mut merged.warnings);
                    retain_unallowed(&mut warnings, sources);
                    return Ok((merged, program, first(warnings)));
                }
                continue;
            }
            Err(wrong) => wrong,
        };
        if !merged.drop_orphans(&found) {
            return Err((found, false));
        }
    }
}

/// What is wrong in the rest of a file whose syntax or declarations are wrong in places. What may be a mere consequence of
/// that is left out.
fn elsewhere(
    sources: &Sources,
    id: SourceId,
    wrong: &[Diagnostic],
    chosen: &[Name],
    library: &Library,
    settings: &[(String, String)],
) -> Vec<Diagnostic> {
    let text = sources.get(id).map_or("", |source| source.text.as_str());
    if wrong.iter().any(|one| one.span.source != id) {
        return Vec::new();
    }
    let Some(Salvaged { text, gone }) = syntax::salvage(text, wrong) else {
        return Vec::new();
    };
    let mut rest = sources.replaced(id, text);
    let Err((mut found, _)) = stages(&mut rest, id, chosen, library, settings) else {
        return Vec::new();
    };
    found.retain(|one| {
        let stands_alone = matches!(
            one.code,
            Code::UnknownName
                | Code::UnknownType
                | Code::UnknownEvent
                | Code::UnknownOption
                | Code::WrongType
                | Code::NotNumber
                | Code::NotYesNo
                | Code::NoAttribute
                | Code::ArgumentCount
                | Code::MayBeNone
                | Code::OutsideType
                | Code::DuplicateName
                | Code::DuplicateLabel
        );
        let named = rest.text(one.span);
        stands_alone && one.span.source == id && !gone.contains(named)
    });
    found
}
