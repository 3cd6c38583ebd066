//! Many transcripts at once, their reports in the order in which they were named.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::Once,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use referee::failure::Failure;

use super::{inputs, reporter::Reporter, screen::is_quiet};

/// How many transcripts each thread has before their reports are written.
const EACH: usize = 16;

/// How long it takes until somebody wants to know how much longer.
const LONG: Duration = Duration::from_secs(1);

/// What came of a transcript.
pub(super) struct Ran {
    /// What messages call it.
    pub(super) name: String,
    /// The report, as far as it came.
    pub(super) report: Vec<u8>,
    /// What stopped it, if anything did.
    pub(super) failure: Option<Failure>,
}

impl Ran {
    /// Whether it leaves its last line open for what is written next.
    fn ends_within_line(&self) -> bool {
        self.failure.is_none() && self.report.last().is_some_and(|last| *last != b'\n')
    }
}

/// Reports on transcripts, `jobs` at a time, and calls `told` with what came of each, in order, until that says to
/// stop.
///
/// # Errors
/// Threads cannot be started, or what `told` says.
pub(super) fn run(
    reporter: &Reporter<'_>,
    form: Option<&str>,
    paths: &[PathBuf],
    jobs: usize,
    mut told: impl FnMut(Ran) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    let progress = Progress::new(paths.len());
    for some in paths.chunks(EACH * jobs.max(1)) {
        let ran = |path: &PathBuf| {
            let ran = ran(reporter, form, path);
            progress.one_more();
            ran
        };
        let ran: Vec<Ran> = pool.install(|| some.par_iter().map(ran).collect());
        if ran.iter().any(Ran::ends_within_line) && io::stdout().is_terminal() {
            // The bar would be drawn on that line, and take it away with itself.
            progress.ends();
        }
        let goes_on = progress.hidden(|| {
            for ran in ran {
                if !told(ran)? {
                    return Ok(false);
                }
            }
            anyhow::Ok(true)
        })?;
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Reports on one transcript.
fn ran(reporter: &Reporter<'_>, form: Option<&str>, path: &Path) -> Ran {
    let mut report = Vec::new();
    let failure = reporter.report(form, path, &mut report, &|_| {}).err();
    Ran {
        name: inputs::name(path),
        report,
        failure,
    }
}

/// How far it is, on standard error if that is a terminal, once it takes long.
struct Progress {
    began: Instant,
    bar: ProgressBar,
    /// Whether the bar is to be seen.
    shown: Once,
}

impl Progress {
    fn new(all: usize) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(all as u64), ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{bar:40} {pos} of {len} transcripts, {eta} left")
        {
            bar.set_style(style);
        }
        Progress {
            began: Instant::now(),
            bar,
            shown: Once::new(),
        }
    }

    /// One more transcript is done.
    fn one_more(&self) {
        self.bar.inc(1);
        if self.began.elapsed() >= LONG && !is_quiet() {
            // This draws nothing where standard error is no terminal.
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// The bar is not seen any more.
    fn ends(&self) {
        self.shown.call_once(|| {});
        self.bar.finish_and_clear();
    }

    /// Writes reports and messages, which the bar must not stand among.
    fn hidden<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
