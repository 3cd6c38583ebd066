//! Many transcripts at once, their reports in the order in which they were named.

use std::{
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use referee::failure::Failure;

use super::{inputs, reporter::Reporter};

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
    let mut progress = Progress::new(paths.len());
    for some in paths.chunks(EACH * jobs.max(1)) {
        let ran = |path: &PathBuf| ran(reporter, form, path);
        let ran: Vec<Ran> = pool.install(|| some.par_iter().map(ran).collect());
        progress.hide();
        for ran in ran {
            if !told(ran)? {
                return Ok(());
            }
        }
        progress.show(some.len());
    }
    progress.hide();
    Ok(())
}

/// Reports on one transcript.
fn ran(reporter: &Reporter<'_>, form: Option<&str>, path: &Path) -> Ran {
    let mut report = Vec::new();
    let failure = reporter.report(form, path, &mut report).err();
    Ran {
        name: inputs::name(path),
        report,
        failure,
    }
}

/// How far it is, on a terminal, once it takes long. Reports and messages are written while it is hidden.
struct Progress {
    began: Instant,
    all: usize,
    done: usize,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(all: usize) -> Progress {
        Progress {
            began: Instant::now(),
            all,
            done: 0,
            bar: None,
        }
    }

    fn show(&mut self, done: usize) {
        self.done += done;
        if self.began.elapsed() < LONG || !io::stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::new(self.all as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:40} {pos} of {len} transcripts, {eta} left")
        {
            bar.set_style(style);
        }
        let bar = bar.with_elapsed(self.began.elapsed());
        bar.set_position(self.done as u64);
        bar.tick();
        self.bar = Some(bar);
    }

    fn hide(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
