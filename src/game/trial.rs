//! Transcripts that test rules, and what comes of them.

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
    /// What messages call it.
    pub name: String,
    /// The form it is written in; the game's default where it is nothing.
    pub form: Option<String>,
    /// Values of options, besides those that the game was loaded with.
    pub settings: Settings,
    /// Its text.
    pub transcript: Vec<u8>,
}

/// What comes of a transcript: two runs with the same outcome cannot be told apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    report: Vec<u8>,
    /// What stopped it.
    pub(super) stopped: Option<String>,
    /// Whether it says what must hold, and only ends before the game does: that may be all it is about.
    pub(super) is_part: bool,
    /// The questions whose answers are not as they should be.
    unmet: Vec<usize>,
}

/// What a run may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) work: u64,
    pub(super) events: u64,
}

impl Bounds {
    /// No more than every run may.
    pub(super) const WIDEST: Bounds = Bounds {
        work: u64::MAX,
        events: u64::MAX,
    };
}

/// A trial with the program that it is run on: that of its game, and what it asks.
pub(super) struct Ready<'g> {
    pub(super) trial: &'g Trial,
    pub(super) program: Cow<'g, Program>,
    pub(super) sources: Cow<'g, Sources>,
    questions: Vec<Question>,
}

impl Game {
    /// The game with another tree and other values of options. It can be tried, and not run.
    ///
    /// # Errors
    /// What is wrong with it then.
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
            veil: None,
        };
        Ok(altered.limited(self.compiled.limits))
    }

    /// A trial of this game, ready to be compiled.
    ///
    /// # Errors
    /// What is wrong with what it asks.
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
        let asked = self.asked(&trial.name, text)?;
        Ok(Ready {
            trial,
            program: Cow::Owned(asked.program),
            sources: Cow::Owned(asked.sources),
            questions: asked.questions,
        })
    }
}

impl Ready<'_> {
    /// Whether it asks nothing, so that it is run on its game's own program.
    pub(super) fn is_plain(&self) -> bool {
        self.questions.is_empty()
    }

    /// What comes of it on code that was made from its program. Nothing where the game has no such form.
    pub(super) fn outcome(
        &self,
        compiled: &Executable,
        seed: u64,
        bounds: Bounds,
    ) -> Option<Outcome> {
        let (outcome, _) = self.outcome_and_work(compiled, seed, bounds)?;
        Some(outcome)
    }

    /// The same, and how much work its events took.
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
        let watched = || run.watched(&self.questions);
        let (result, misses, work) = stack::with_room(self.program.depth, watched);
        let stopped = result.err();
        let ends = stopped.as_ref().is_some_and(|stopped| stopped.ends());
        let stopped = stopped.map(|stopped| {
            failure::told(*stopped, compiled, &self.sources, &self.trial.name).to_string()
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

/// A program made ready to run within bounds.
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
    // Such a program is run a few times only, and its work is compared with that of others.
    compiled.natively = Natively::Never;
    compiled
}
