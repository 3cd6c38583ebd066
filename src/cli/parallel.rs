//! Processes many transcripts in parallel, and returns the results in order.
//!
//! One thread finds the transcripts and puts them into groups, some threads work on a group each, and the one that
//! began it all takes what comes of the groups, one after the other. Each group has a channel of its own that holds
//! only so much, and only so many groups are under way: what is in memory does not grow with the transcripts.

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    sync::{
        Mutex, Once, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{
    inputs::{self, Source},
    screen::is_quiet,
};

/// The size of messages in bytes, except the last one of a group. Fewer messages mean that threads wait less for each
/// other.
const ENOUGH: usize = 1 << 16;

/// The number of messages of a group that may be queued.
const WAITING: usize = 16;

/// The number of groups per thread that may be in progress.
const AHEAD: usize = 8;

/// How long a run takes until its progress is shown.
const LONG: Duration = Duration::from_secs(1);

/// Receives a piece of a group's output. Returns whether to go on.
pub(super) type Told<'t, P> = &'t mut dyn FnMut(P) -> bool;

/// The greatest number of threads: more would take memory without saving time.
pub(super) const MOST_JOBS: usize = 256;

/// A group to work on, and the channel for its output.
type Job<'p, P> = (Vec<Source<'p>>, SyncSender<Vec<P>>);

/// A piece of a group's output.
pub(super) trait HasSize: Send {
    /// Its approximate size, in bytes.
    fn size(&self) -> usize;
}

/// Collects the pieces of a group that are sent together.
struct Pieces<P> {
    ready: Vec<P>,
    size: usize,
    sender: SyncSender<Vec<P>>,
}

impl<P: HasSize> Pieces<P> {
    /// Adds a piece. Returns whether the receiver wants more.
    fn take(&mut self, piece: P) -> bool {
        self.size += piece.size();
        self.ready.push(piece);
        self.size < ENOUGH || self.send()
    }
}

impl<P> Pieces<P> {
    /// Sends the pieces. Returns whether the receiver wants more.
    fn send(&mut self) -> bool {
        self.size = 0;
        self.sender.send(std::mem::take(&mut self.ready)).is_ok()
    }
}

impl<P> Drop for Pieces<P> {
    fn drop(&mut self) {
        // Even if the work panicked, the report so far is sent.
        self.send();
    }
}

/// Works on groups of transcripts with `jobs` threads, and calls `told` with the pieces of output in order, until that
/// says to stop. It has to write through [`Progress::hidden`].
///
/// # Errors
/// If threads cannot be started, or what `told` returns.
pub(super) fn run<'p, P: HasSize>(
    jobs: usize,
    paths: &'p [PathBuf],
    work: impl Fn(Vec<Source<'p>>, Told<'_, P>) + Sync,
    mut told: impl FnMut(P, &Progress) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let jobs = match jobs {
        0 => thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs.min(MOST_JOBS),
    };
    let progress = Progress::new(paths.len());
    let (work, progress) = (&work, &progress);
    thread::scope(|scope| {
        let (job_sender, job_receiver) = sync_channel::<Job<'p, P>>(jobs);
        let (order_sender, order) = sync_channel::<(usize, Receiver<Vec<P>>)>(jobs * AHEAD);
        let job_receiver = std::sync::Arc::new(Mutex::new(job_receiver));
        for _ in 0..jobs {
            let jobs = job_receiver.clone();
            thread::Builder::new().spawn_scoped(scope, move || {
                let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((group, sender)) = next() {
                    let mut pieces = Pieces {
                        ready: Vec::new(),
                        size: 0,
                        sender,
                    };
                    work(group, &mut |piece| pieces.take(piece));
                }
            })?;
        }
        // If all workers are gone, sending to them must fail.
        drop(job_receiver);
        thread::Builder::new().spawn_scoped(scope, move || {
            inputs::groups(paths, &mut |group| {
                let (sender, receiver) = sync_channel(WAITING);
                order_sender.send((group.len(), receiver)).is_ok()
                    && job_sender.send((group, sender)).is_ok()
            });
        })?;
        for (count, pieces) in order {
            for piece in pieces.into_iter().flatten() {
                if !told(piece, progress)? {
                    return Ok(());
                }
            }
            progress.more(count);
        }
        Ok(())
    })
}

/// The same on the current thread.
///
/// # Errors
/// What `told` returns.
#[cfg(feature = "tables")]
pub(super) fn run_here<'p, P>(
    paths: &'p [PathBuf],
    work: impl Fn(Vec<Source<'p>>, Told<'_, P>),
    mut told: impl FnMut(P) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut ended = Ok(true);
    inputs::groups(paths, &mut |group| {
        work(group, &mut |piece| {
            if let Ok(true) = ended {
                ended = told(piece);
            }
            matches!(ended, Ok(true))
        });
        matches!(ended, Ok(true))
    });
    ended.map(|_| ())
}

/// A progress bar on standard error, shown if that is a terminal and the run takes long.
pub(super) struct Progress {
    began: Instant,
    bar: ProgressBar,
    /// Whether the bar has been shown.
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

    /// Counts completed transcripts.
    fn more(&self, count: usize) {
        self.bar.inc(count as u64);
        // An archive has many.
        let done = self.bar.position();
        if self.bar.length().is_some_and(|all| all < done) {
            self.bar.set_length(done);
        }
        if self.began.elapsed() >= LONG && !is_quiet() {
            // Nothing is drawn if standard error is no terminal.
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Is called before a text is written. If the text ends within a line, the bar is hidden for good: it would
    /// overwrite that line.
    pub(super) fn before(&self, text: &[u8]) {
        if text.last().is_some_and(|last| *last != b'\n') && io::stdout().is_terminal() {
            self.shown.call_once(|| {});
            self.bar.finish_and_clear();
        }
    }

    /// Writes reports and messages without interference from the bar.
    pub(super) fn hidden<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
