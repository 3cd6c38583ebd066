//! Mutation testing: makes small changes to a game's rules, and finds out whether its tests notice.

mod change;

use rayon::prelude::*;

use super::{
    Game, Invalid, Trial,
    trial::{Bounds, Outcome, bounded},
};
use crate::{machine::Executable, source::Span, syntax::ast::RuleFile};
use change::Change;

/// The initial bounds of a changed game, in addition to what the unchanged game needs.
const NARROWEST: Bounds = Bounds {
    work: 1 << 22,
    events: 1 << 12,
};

/// The factor by which bounds that were too narrow are raised.
const WIDER: u64 = 16;

/// A change to the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The name of the file.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The path of what it belongs to.
    pub path: String,
    /// The original source.
    pub before: String,
    /// The replacement; empty if the source is left out.
    pub after: String,
    /// Whether a test had another outcome.
    pub noticed: bool,
}

/// The changes that were made, in the order of the files.
#[derive(Debug, Clone, Default)]
pub struct Mutants {
    /// The changes that are valid rules.
    pub made: Vec<Mutant>,
    /// The number of changes that the checker rejects.
    pub refused: usize,
}

impl Mutants {
    /// The number of changes that were noticed.
    #[must_use]
    pub fn noticed(&self) -> usize {
        self.made.iter().filter(|mutant| mutant.noticed).count()
    }

    /// The percentage of changes that were noticed, rounded down.
    #[must_use]
    pub fn per_cent(&self) -> usize {
        let share = (self.noticed() * 100).checked_div(self.made.len());
        share.unwrap_or(100)
    }
}

/// The trials, with their outcomes under the unchanged rules.
struct Court<'t> {
    game: &'t Game,
    bounds: Bounds,
    /// The trials, grouped by options, the shortest first.
    benches: Vec<Bench<'t>>,
    /// The names of the passing examples.
    examples: Vec<String>,
}

/// Settings of options, with the trials that use them.
type Bench<'t> = (&'t [(String, String)], Vec<Known<'t>>);

/// A trial with its outcome.
struct Known<'t> {
    trial: &'t Trial,
    outcome: Option<Outcome>,
}

impl Game {
    /// Makes each small change to the rules, one at a time, runs the transcripts, and says which changes no report
    /// shows: another constant or comparison, two rows swapped, a condition or a new value left out, `old` replaced by
    /// `new`. For a game with variants, only their files are changed. With `sample`, only this many changes are made,
    /// evenly distributed.
    ///
    /// # Errors
    /// If options cannot be set as a transcript needs, or what is wrong with its questions.
    pub fn mutants(&self, trials: &[Trial], sample: Option<usize>) -> Result<Mutants, Invalid> {
        let court = Court::new(self, trials)?;
        let own = self.own_files();
        let changes = change::all(&self.merged.file, &own);
        let chosen: Vec<usize> = match sample {
            Some(most) if most < changes.len() => (0..most)
                .map(|place| place * changes.len() / most)
                .collect(),
            _ => (0..changes.len()).collect(),
        };
        let fates: Vec<Option<bool>> = chosen
            .par_iter()
            .map(|number| court.notices(&change::changed(&self.merged.file, &own, *number)))
            .collect();
        let mut mutants = Mutants::default();
        let mut made: Vec<(Span, Mutant)> = Vec::new();
        for (number, fate) in chosen.iter().zip(fates) {
            let (Some(change), Some(noticed)) = (changes.get(*number), fate) else {
                mutants.refused += 1;
                continue;
            };
            made.push((change.span, self.mutant(change, noticed)));
        }
        made.sort_by_key(|(span, _)| (span.source, span.start));
        mutants.made = made.into_iter().map(|(_, mutant)| mutant).collect();
        Ok(mutants)
    }

    fn mutant(&self, change: &Change, noticed: bool) -> Mutant {
        let file = self.sources.get(change.span.source);
        Mutant {
            file: file.map_or(String::new(), |source| source.name.clone()),
            line: self.sources.position(change.span).line,
            path: change.path.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            noticed,
        }
    }
}

impl<'t> Court<'t> {
    /// Runs the trials under the unchanged rules.
    fn new(game: &'t Game, trials: &'t [Trial]) -> Result<Court<'t>, Invalid> {
        let mut court = Court {
            game,
            bounds: NARROWEST,
            benches: Vec::new(),
            examples: game
                .passing_examples()
                .iter()
                .map(|example| example.name.text.clone())
                .collect(),
        };
        let mut sorted: Vec<&Trial> = trials.iter().collect();
        sorted.sort_by_key(|trial| trial.transcript.len());
        for trial in sorted {
            let known = Known {
                trial,
                outcome: None,
            };
            let settings = trial.settings.as_slice();
            match court.benches.iter_mut().find(|(one, _)| *one == settings) {
                Some((_, bench)) => bench.push(known),
                None => court.benches.push((settings, vec![known])),
            }
        }
        for (settings, bench) in &mut court.benches {
            let altered =
                game.altered(game.merged.file.clone(), settings)
                    .map_err(|diagnostics| Invalid {
                        sources: game.sources.clone(),
                        diagnostics,
                    })?;
            let widest = bounded(
                &altered.program,
                &altered.sources,
                altered.compiled.limits,
                Bounds::WIDEST,
            );
            for known in bench {
                altered.ready(known.trial)?;
                known.outcome = altered.tried(known.trial, &widest, Bounds::WIDEST);
                loop {
                    let narrow = bounded(
                        &altered.program,
                        &altered.sources,
                        altered.compiled.limits,
                        court.bounds,
                    );
                    if altered.tried(known.trial, &narrow, court.bounds) == known.outcome
                        || court.bounds.work == u64::MAX
                    {
                        break;
                    }
                    court.bounds.work = court.bounds.work.saturating_mul(WIDER);
                    court.bounds.events = court.bounds.events.saturating_mul(WIDER);
                }
            }
        }
        Ok(court)
    }

    /// Whether a trial has another outcome under changed rules. `None` if these are invalid.
    fn notices(&self, file: &RuleFile) -> Option<bool> {
        let own = self.game.altered(file.clone(), &[]).ok()?;
        if self
            .examples
            .iter()
            .any(|name| !own.holds(name, self.bounds))
        {
            return Some(true);
        }
        for (settings, bench) in &self.benches {
            let other = if settings.is_empty() {
                None
            } else {
                match self.game.altered(file.clone(), settings) {
                    Ok(altered) => Some(altered),
                    // The options that these trials set no longer exist.
                    Err(_) => return Some(true),
                }
            };
            let altered = other.as_ref().unwrap_or(&own);
            let compiled = bounded(
                &altered.program,
                &altered.sources,
                altered.compiled.limits,
                self.bounds,
            );
            let differs =
                |known: &Known| altered.tried(known.trial, &compiled, self.bounds) != known.outcome;
            if bench.iter().any(differs) {
                return Some(true);
            }
        }
        Some(false)
    }
}

impl Game {
    /// The outcome of a trial. Trials without questions share the code of the game's program.
    fn tried(&self, trial: &Trial, compiled: &Executable, bounds: Bounds) -> Option<Outcome> {
        let ready = self.ready(trial).ok()?;
        if ready.is_plain() {
            ready.outcome(compiled, self.seed, bounds)
        } else {
            let own = bounded(&ready.program, &ready.sources, self.compiled.limits, bounds);
            ready.outcome(&own, self.seed, bounds)
        }
    }
}
