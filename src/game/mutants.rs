//! Small changes to a game's rules, and whether its tests notice them.

mod change;

use rayon::prelude::*;

use super::{
    Game, Invalid, Trial,
    trial::{Bounds, Outcome, bounded},
};
use crate::{machine::Executable, source::Span, syntax::ast::RuleFile};
use change::Change;

/// The work and the events that a changed game may take at first; what the unchanged one needs is allowed.
const NARROWEST: Bounds = Bounds {
    work: 1 << 22,
    events: 1 << 12,
};

/// How much wider the bounds are made where they are too narrow.
const WIDER: u64 = 16;

/// A change to the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What the file is called.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// What it belongs to.
    pub path: String,
    /// What stands there.
    pub before: String,
    /// What is put in its place; empty where it is left out.
    pub after: String,
    /// Whether something else was said than before.
    pub noticed: bool,
}

/// The changes that were made, in the order of the files.
#[derive(Debug, Clone, Default)]
pub struct Mutants {
    /// Those that are rules of a game.
    pub made: Vec<Mutant>,
    /// How many there are that the checker refuses.
    pub refused: usize,
}

impl Mutants {
    /// How many of the changes were noticed.
    #[must_use]
    pub fn noticed(&self) -> usize {
        self.made.iter().filter(|mutant| mutant.noticed).count()
    }

    /// How many per cent of the changes were noticed, rounded down.
    #[must_use]
    pub fn per_cent(&self) -> usize {
        let share = (self.noticed() * 100).checked_div(self.made.len());
        share.unwrap_or(100)
    }
}

/// Trials, and what comes of them under the unchanged rules.
struct Court<'t> {
    game: &'t Game,
    bounds: Bounds,
    /// The trials, the shortest first, by the options that they set.
    benches: Vec<Bench<'t>>,
    /// The names of the examples that hold.
    examples: Vec<String>,
}

/// The settings of options, and the trials with them.
type Bench<'t> = (&'t [(String, String)], Vec<Known<'t>>);

/// A trial with its outcome.
struct Known<'t> {
    trial: &'t Trial,
    outcome: Option<Outcome>,
}

impl Game {
    /// Makes each small change there is to the rules, one at a time, runs the transcripts, and tells of which changes
    /// the reports say nothing: another constant or comparison, two rows in the other order, a condition or the new
    /// value of a state left out, `old` in the place of `new`.
    /// Of a game with variants, what stands in the variants' files is changed. With `sample`, only so many changes are
    /// made, which lie evenly among all.
    ///
    /// # Errors
    /// That options cannot be set as a transcript needs it, or what is wrong with what one asks.
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
                .held()
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

    /// Whether a trial has another outcome under changed rules. Nothing where these are no rules.
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
                    // The options that these trials set are not there any more.
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
    /// What comes of a trial, on code that was made from the game's program unless it asks something.
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
