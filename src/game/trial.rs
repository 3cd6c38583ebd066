//! Runs transcripts as tests of rules.

use std::{borrow::Cow, sync::OnceLock};

use super::{Game, Invalid, Settings};
use crate::{
    check,
    code::Natively,
    compile::compile,
    diagnostic::Diagnostic,
    failure,
    limits::Limits,
    machine::Executable,
    optimise::optimise,
    program::Program,
    resolve,
    source::Sources,
    stack,
    syntax::{MAXIMUM_DEPTH, ast::RuleFile},
    transcript::{QUESTION, Question, Run},
};

/// A transcript that tests rules.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Its name in messages.
    pub name: String,
    /// Its form; `None` for the game's default.
    pub form: Option<String>,
    /// Options, in addition to those that the game was loaded with.
    pub settings: Settings,
    /// Its text.
    pub transcript: Vec<u8>,
}

/// The result of a trial. Runs with equal outcomes cannot be distinguished.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    report: Vec<u8>,
    /// What stopped the run.
    pub(super) stopped: Option<String>,
    /// Whether it says what must hold, and only ends before the game does: that may be all it is about.
    pub(super) is_part: bool,
    /// The questions that were not answered as expected.
    unmet: Vec<usize>,
}

/// Limits of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) work: u64,
    pub(super) events: u64,
}

impl Bounds {
    /// The limits that every run has.
    pub(super) const WIDEST: Bounds = Bounds {
        work: u64::MAX,
        events: u64::MAX,
    };
}

/// A trial with its program: that of the game, together with its questions.
pub(super) struct Ready<'g> {
    pub(super) trial: &'g Trial,
    pub(super) program: Cow<'g, Program>,
    pub(super) sources: Cow<'g, Sources>,
    questions: Vec<Question>,
}

impl Game {
    /// The game with another tree and other options. It can be used for trials only, not for runs.
    ///
    /// # Errors
    /// What is wrong with the game then.
    pub(super) fn altered(
        &self,
        file: RuleFile,
        settings: &[(String, String)],
    ) -> Result<Game, Vec<Diagnostic>> {
        let settings: Settings = self.settings.iter().chain(settings).cloned().collect();
        let (program, warnings) = stack::with_room(MAXIMUM_DEPTH, || {
            let resolved = resolve::resolve(&file, &self.sources, &settings)?;
            check::check(resolved, &self.sources)
        })?;
        let mut merged = self.merged.clone();
        merged.file = file;
        let altered = Game {
            sources: self.sources.clone(),
            program,
            compiled: Box::default(),
            explained: OnceLock::new(),
            warnings,
            merged,
            library: self.library.clone(),
            settings,
            seed: self.seed,
            redaction: None,
        };
        Ok(altered.limited(self.compiled.limits))
    }

    /// Prepares a trial of this game.
    ///
    /// # Errors
    /// What is wrong with its questions.
    pub(super) fn ready<'g>(&'g self, trial: &'g Trial) -> Result<Ready<'g>, Invalid> {
        let text = std::str::from_utf8(&trial.transcript).unwrap_or_default();
        if !text.lines().any(|line| line.starts_with(QUESTION)) {
            return Ok(Ready {
                trial,
                program: Cow::Borrowed(&self.program),
                sources: Cow::Borrowed(&self.sources),
                questions: Vec::new(),
            });
        }
        let asked = self.read_questions(&trial.name, text)?;
        Ok(Ready {
            trial,
            program: Cow::Owned(asked.program),
            sources: Cow::Owned(asked.sources),
            questions: asked.questions,
        })
    }
}

impl Ready<'_> {
    /// Whether it has no questions, so that it runs on the game's own program.
    pub(super) fn is_plain(&self) -> bool {
        self.questions.is_empty()
    }

    /// Runs the trial with the code of its program. `None` if the game has no such form.
    pub(super) fn outcome(
        &self,
        compiled: &Executable,
        seed: u64,
        bounds: Bounds,
    ) -> Option<Outcome> {
        let (outcome, _) = self.outcome_and_work(compiled, seed, bounds)?;
        Some(outcome)
    }

    /// The same, and the work that its events took.
    pub(super) fn outcome_and_work(
        &self,
        compiled: &Executable,
        seed: u64,
        bounds: Bounds,
    ) -> Option<(Outcome, u64)> {
        let mut forms = compiled.transcripts.iter();
        let form = match &self.trial.form {
            None => forms.next(),
            Some(_) => forms.find(|transcript| transcript.name == self.trial.form),
        }?;
        let mut report = Vec::new();
        let mut input = self.trial.transcript.as_slice();
        let run = Run::new(compiled, form, &mut input, &mut report)
            .seeded(seed)
            .bounded(bounds.work);
        let answers = || run.answer_questions(&self.questions);
        let (result, misses, work) = stack::with_room(self.program.depth, answers);
        let stopped = result.err();
        let ends = stopped.as_ref().is_some_and(|stopped| stopped.ends());
        let stopped = stopped.map(|stopped| {
            failure::from_stopped(*stopped, compiled, &self.sources, &self.trial.name).to_string()
        });
        let outcome = Outcome {
            report,
            stopped,
            is_part: ends && !self.questions.is_empty(),
            unmet: misses.into_iter().map(|miss| miss.number).collect(),
        };
        Some((outcome, work))
    }
}

/// Compiles a program with limits.
pub(super) fn bounded(
    program: &Program,
    sources: &Sources,
    limits: Limits,
    bounds: Bounds,
) -> Executable {
    let mut compiled = stack::with_room(program.depth, || {
        let mut compiled = compile(program, sources);
        optimise(&mut compiled);
        compiled
    });
    compiled.limits = limits;
    compiled.limit = compiled.limit.min(limits.events).min(bounds.events);
    // Such a program runs only a few times, and its work is compared with that of others.
    compiled.natively = Natively::Never;
    compiled
}
