//! Measures which rows of a game its tests reach: how often each was evaluated, fired, and made a difference.

mod data;
mod silent;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::Ordering,
};

use rayon::prelude::*;

use super::{
    Game, Invalid, Trial,
    trial::{Bounds, Outcome, Ready, bounded},
};
use crate::{
    code::Natively,
    compile::{self, Counted, CountedRow},
    failure::Failure,
    machine::Executable,
    program::Program,
    source::{Sources, Span},
    stack,
    syntax::ast::{self, Header},
};
pub use data::{Cover, CoveredCondition, CoveredRow, Reason};

/// The work for finding out which rows make a difference, as a multiple of what one event may take.
const WORK_OF_CHANGES: u64 = 8;

/// The work of compiling a row of a game, in the units of `fuel`.
const COMPILING: u64 = 3 << 8;

/// The trials of a game that set the same options.
pub(super) struct Bench<'t> {
    pub(super) game: Game,
    pub(super) trials: Vec<(usize, &'t Trial)>,
}

/// What a trial counts.
struct Counts {
    /// For each row of the plan, in order: how often it was considered, its conditions held, and it fired.
    rows: Vec<RowCounts>,
    outcome: Option<Outcome>,
    /// The work that its events took.
    work: u64,
}

#[derive(Default, Clone)]
struct RowCounts {
    considered: u64,
    /// How often its conditions were evaluated; if it has cells, after these had matched.
    matched: u64,
    held: Vec<u64>,
    fired: u64,
    /// The number of cases in which it fired.
    cases: u64,
    /// How often its definition was evaluated, if that is known.
    asked: Option<u64>,
}

impl Game {
    /// Runs the game on some transcripts, and counts how often each row was evaluated, fired and made a difference. For
    /// a game with variants, this covers the rows of the variants and of what they use.
    ///
    /// # Errors
    /// If a transcript sets options that the game does not have, or what is wrong with its questions.
    pub fn cover(&self, trials: &[Trial]) -> Result<Cover, Invalid> {
        let benches = self.benches(trials)?;
        let mut total: Vec<(Counted, Vec<RowCounts>)> = Vec::new();
        let mut changed: Vec<Vec<Option<u64>>> = Vec::new();
        let mut stopped: BTreeSet<usize> = BTreeSet::new();
        let mut left = self.compiled.limits.fuel.saturating_mul(WORK_OF_CHANGES);
        for bench in &benches {
            let (_, plan) = bench
                .game
                .covering(&bench.game.program, &bench.game.sources);
            let counts: Vec<Counts> = bench
                .trials
                .par_iter()
                .map(|(_, trial)| bench.game.counts(trial))
                .collect::<Result<_, Invalid>>()?;
            let differs = bench.differences(&plan, &counts, &mut left)?;
            let outcomes = bench.trials.iter().zip(&counts);
            let of_bench = outcomes.filter(|(_, counts)| counts.is_stopped());
            stopped.extend(of_bench.map(|((place, _), _)| *place));
            if total.is_empty() {
                total = plan
                    .into_iter()
                    .map(|counted| {
                        let rows = vec![RowCounts::default(); counted.rows.len()];
                        (counted, rows)
                    })
                    .collect();
                changed = total
                    .iter()
                    .map(|(_, rows)| vec![Some(0); rows.len()])
                    .collect();
            }
            for counts in &counts {
                let rows = total.iter_mut().flat_map(|(_, rows)| rows);
                for (sum, one) in rows.zip(&counts.rows) {
                    sum.add(one);
                }
            }
            for (sum, one) in changed.iter_mut().flatten().zip(differs) {
                *sum = sum.zip(one).map(|(sum, one)| sum + one);
            }
        }
        let examples = self.passing_examples();
        for example in &examples {
            self.count_example(example, &mut total, &mut changed);
        }
        let mut cover = self.covered(&total, &changed);
        (cover.trials, cover.examples) = (trials.len(), examples.len());
        let stopped = stopped.iter().filter_map(|place| trials.get(*place));
        cover.stopped = stopped.map(|trial| trial.name.clone()).collect();
        Ok(cover)
    }

    /// Groups the trials by the options that they set.
    pub(super) fn benches<'t>(&self, trials: &'t [Trial]) -> Result<Vec<Bench<'t>>, Invalid> {
        let mut benches: Vec<(&[(String, String)], Bench)> = Vec::new();
        for (place, trial) in trials.iter().enumerate() {
            if let Err(Failure::NoTranscript(report)) = self.transcript(trial.form.as_deref()) {
                return Err(Invalid {
                    sources: report.sources,
                    diagnostics: vec![report.diagnostic],
                });
            }
            let known = benches
                .iter_mut()
                .find(|(settings, _)| *settings == trial.settings.as_slice());
            if let Some((_, bench)) = known {
                bench.trials.push((place, trial));
                continue;
            }
            let game = self
                .altered(self.merged.file.clone(), &trial.settings)
                .map_err(|diagnostics| Invalid {
                    sources: self.sources.clone(),
                    diagnostics,
                })?;
            benches.push((
                trial.settings.as_slice(),
                Bench {
                    game,
                    trials: vec![(place, trial)],
                },
            ));
        }
        if benches.is_empty() {
            let game = self
                .altered(self.merged.file.clone(), &[])
                .map_err(|diagnostics| Invalid {
                    sources: self.sources.clone(),
                    diagnostics,
                })?;
            return Ok(vec![Bench {
                game,
                trials: Vec::new(),
            }]);
        }
        Ok(benches.into_iter().map(|(_, bench)| bench).collect())
    }

    /// The files whose rows are measured: those of the variants, or the game's own if there are none.
    pub(super) fn own_files(&self) -> Vec<crate::source::SourceId> {
        let header = |header: &Header| match header {
            Header::Game { name, .. } | Header::Variant { name, .. } => name.span.source,
        };
        if self.merged.variants.is_empty() {
            vec![header(&self.merged.file.header)]
        } else {
            self.merged.variants.iter().map(header).collect()
        }
    }

    /// Runs a passing example, and adds its counts.
    fn count_example(
        &self,
        example: &ast::Example,
        total: &mut [(Counted, Vec<RowCounts>)],
        changed: &mut [Vec<Option<u64>>],
    ) {
        let Ok(prepared) = self.prepare(example) else {
            return;
        };
        let (compiled, plan) = self.covering(&prepared.program, &self.sources);
        prepared.holds(&compiled, Bounds::WIDEST);
        let rows = plan.iter().flat_map(|counted| &counted.rows);
        let counts = row_counts(&plan, &compiled);
        // Its program has additional facts.
        let counts: BTreeMap<Span, &RowCounts> = rows.map(|row| row.span).zip(&counts).collect();
        for ((counted, sums), changed) in total.iter_mut().zip(changed) {
            for ((row, sum), changed) in counted.rows.iter().zip(sums).zip(changed) {
                let Some(one) = counts.get(&row.span) else {
                    continue;
                };
                sum.add(one);
                if one.fired > 0 && row.label.is_some() {
                    let mut program = prepared.program.clone();
                    silent::silence(&mut program, row.span);
                    let compiled = bounded(
                        &program,
                        &self.sources,
                        self.compiled.limits,
                        Bounds::WIDEST,
                    );
                    let differs = u64::from(!prepared.holds(&compiled, Bounds::WIDEST));
                    *changed = changed.map(|changed| changed + differs);
                }
            }
        }
    }

    /// Runs a trial, and returns its counts.
    fn counts(&self, trial: &Trial) -> Result<Counts, Invalid> {
        let ready = self.ready(trial)?;
        let (compiled, plan) = self.covering(&ready.program, &ready.sources);
        let outcome = ready.outcome_and_work(&compiled, self.seed, Bounds::WIDEST);
        let rows = row_counts(&plan, &compiled);
        let (outcome, work) = outcome.unzip();
        Ok(Counts {
            rows,
            outcome,
            work: work.unwrap_or(0),
        })
    }

    fn covered(&self, total: &[(Counted, Vec<RowCounts>)], changed: &[Vec<Option<u64>>]) -> Cover {
        let own = self.own_files();
        let mut cover = Cover {
            files: own
                .iter()
                .filter_map(|id| self.sources.get(*id))
                .map(|source| (source.name.clone(), source.text.clone()))
                .collect(),
            ..Cover::default()
        };
        for ((counted, counts), changed) in total.iter().zip(changed) {
            for (place, row) in counted.rows.iter().enumerate() {
                let file = own.iter().position(|id| *id == row.span.source);
                if let (Some(file), Some(count)) = (file, counts.get(place)) {
                    let changed = changed.get(place).copied();
                    let mut covered = self.covered_row(&counted.path, row, count, file);
                    covered.changed = changed.flatten().filter(|_| row.label.is_some());
                    covered.reason =
                        (covered.fired == 0).then(|| data::reason(counted, place, counts));
                    cover.rows.push(covered);
                }
            }
        }
        cover.rows.sort_by_key(|row| (row.file, row.line));
        cover
    }

    fn covered_row(
        &self,
        path: &str,
        row: &CountedRow,
        counts: &RowCounts,
        file: usize,
    ) -> CoveredRow {
        let mut before = counts.matched;
        let conditions = row.conditions.iter().zip(&counts.held).map(|(span, held)| {
            let failed = before.saturating_sub(*held);
            before = *held;
            CoveredCondition {
                written: self.condition(*span),
                line: self.sources.position(*span).line,
                held: *held,
                failed,
            }
        });
        CoveredRow {
            path: path.to_string(),
            label: row.label.clone(),
            file,
            line: self.sources.position(row.span).line,
            last_line: self.sources.position(row.span.tail()).line,
            considered: counts.considered,
            fired: counts.fired,
            cases: counts.cases,
            changed: None,
            conditions: conditions.collect(),
            reason: None,
        }
    }

    /// Compiles a program whose runs count in the journal what its rows do. Returns also which row each place of the
    /// journal belongs to.
    fn covering(&self, program: &Program, sources: &Sources) -> (Executable, Vec<Counted>) {
        let cover = || compile::cover(program, sources);
        let (mut compiled, plan) = stack::with_room(program.depth, cover);
        self.apply_settings(&mut compiled);
        compiled.natively = Natively::Never;
        (compiled, plan)
    }

    /// The source of a condition.
    fn condition(&self, span: Span) -> String {
        let words: Vec<&str> = self.sources.text(span).split_whitespace().collect();
        let text = words.join(" ");
        let source = self.sources.get(span.source);
        let before = source.and_then(|source| source.text.get(..span.range().start));
        match before {
            Some(before) if before.trim_end().ends_with("unless") => format!("unless {text}"),
            _ => text,
        }
    }
}

impl Bench<'_> {
    /// For each row of a plan, in order: in how many trials it makes a difference. `None` for rows that come when the
    /// work is used up.
    fn differences(
        &self,
        plan: &[Counted],
        counts: &[Counts],
        left: &mut u64,
    ) -> Result<Vec<Option<u64>>, Invalid> {
        let rows = plan.iter().flat_map(|counted| &counted.rows);
        let rows: Vec<&CountedRow> = rows.collect();
        let ready: Vec<Ready> = self
            .trials
            .iter()
            .map(|(_, trial)| self.game.ready(trial))
            .collect::<Result<_, Invalid>>()?;
        let own = self.game.own_files();
        let fires = |place: usize, counts: &Counts| {
            let row = counts.rows.get(place);
            row.is_some_and(|row| row.fired > 0)
        };
        let compiling = COMPILING.saturating_mul(rows.len() as u64);
        let is_asked = |row: &CountedRow| row.label.is_some() && own.contains(&row.span.source);
        // The choice of rows must not depend on the number of threads.
        let allowed: Vec<bool> = rows
            .iter()
            .enumerate()
            .map(|(place, row)| {
                let again = ready.iter().zip(counts);
                let again = again.filter(|(_, counts)| fires(place, counts));
                let (together, apart): (Vec<_>, Vec<_>) =
                    again.partition(|(ready, _)| ready.is_plain());
                // Trials without questions run on the same code.
                let times = usize::from(!together.is_empty()) + apart.len();
                let run = together.iter().chain(&apart).map(|(_, counts)| counts.work);
                let work = run.fold(compiling.saturating_mul(times as u64), u64::saturating_add);
                let allowed = !is_asked(row) || work <= *left;
                if is_asked(row) {
                    *left = left.saturating_sub(work);
                }
                allowed
            })
            .collect();
        let differences = rows.par_iter().enumerate().map(|(place, row)| {
            if !is_asked(row) {
                return Some(0);
            }
            if !allowed[place] {
                return None;
            }
            let mut shared = None;
            let mut differ = 0;
            for (ready, counts) in ready.iter().zip(counts) {
                if !fires(place, counts) {
                    continue;
                }
                // A run that takes far more work than before behaves differently.
                let bounds = Bounds {
                    work: counts.work.saturating_mul(4).saturating_add(1 << 22),
                    ..Bounds::WIDEST
                };
                let silent = || {
                    let mut program = ready.program.clone().into_owned();
                    silent::silence(&mut program, row.span);
                    bounded(
                        &program,
                        &ready.sources,
                        self.game.compiled.limits,
                        Bounds::WIDEST,
                    )
                };
                let outcome = if ready.is_plain() {
                    let compiled = shared.get_or_insert_with(silent);
                    ready.outcome(compiled, self.game.seed, bounds)
                } else {
                    ready.outcome(&silent(), self.game.seed, bounds)
                };
                differ += u64::from(outcome != counts.outcome);
            }
            Some(differ)
        });
        Ok(differences.collect())
    }
}

/// The counts of each row of a plan, in order.
fn row_counts(plan: &[Counted], compiled: &Executable) -> Vec<RowCounts> {
    let count = |place: usize| {
        let count = compiled.passed.get(place);
        count.map_or(0, |count| count.load(Ordering::Relaxed))
    };
    let mut rows = Vec::new();
    for counted in plan {
        let asked = counted.evaluated.map(count);
        let mut left = asked.unwrap_or(0);
        for row in &counted.rows {
            let fired = count(row.fired);
            let held = 1..=row.conditions.len();
            rows.push(RowCounts {
                considered: if counted.by { left } else { count(row.first) },
                matched: count(row.first),
                held: held.map(|place| count(row.first + place)).collect(),
                fired,
                cases: 0,
                asked,
            });
            left = left.saturating_sub(fired);
        }
    }
    rows
}

impl Counts {
    fn is_stopped(&self) -> bool {
        let outcome = self.outcome.as_ref();
        outcome.is_some_and(|outcome| outcome.stopped.is_some() && !outcome.is_part)
    }
}

impl RowCounts {
    fn add(&mut self, other: &RowCounts) {
        self.considered += other.considered;
        self.matched += other.matched;
        self.fired += other.fired;
        self.cases += u64::from(other.fired > 0);
        self.held.resize(other.held.len(), 0);
        for (sum, one) in self.held.iter_mut().zip(&other.held) {
            *sum += one;
        }
        self.asked = match (self.asked, other.asked) {
            (Some(sum), Some(one)) => Some(sum + one),
            (sum, one) => sum.or(one),
        };
    }
}
