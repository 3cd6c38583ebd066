//! Many transcripts at once, what comes of them in the order in which they were named.
//!
//! One thread finds the transcripts and puts them into groups, some threads work on a group each, and the one that began it
//! all takes what comes of the groups, one after the other. Each group has a channel of its own that holds only so
//! much, and only so many groups are under way: what is in memory does not grow with the transcripts.

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

/// How many bytes are sent at a time, except at the end of a group: with fewer messages, threads wait less for each other.
const ENOUGH: usize = 1 << 16;

/// How many such messages of a group may wait.
const WAITING: usize = 16;

/// How many groups each thread is ahead at most.
const AHEAD: usize = 8;

/// How long it takes until somebody wants to know how much longer.
const LONG: Duration = Duration::from_secs(1);

/// Takes a piece of what comes of a group, and says whether more is wanted.
pub(super) type Told<'t, P> = &'t mut dyn FnMut(P) -> bool;

/// How many groups are worked on at a time at most: more threads than that take memory and no less time.
pub(super) const MOST_JOBS: usize = 256;

/// A group that somebody is to work on, and where what comes of it goes.
type Job<'p, P> = (Vec<Source<'p>>, SyncSender<Vec<P>>);

/// A piece of what comes of a group.
pub(super) trait HasSize: Send {
    /// How many bytes it takes, roughly.
    fn size(&self) -> usize;
}

/// The pieces of a group that are sent together.
struct Pieces<P> {
    ready: Vec<P>,
    size: usize,
    sender: SyncSender<Vec<P>>,
}

impl<P: HasSize> Pieces<P> {
    /// Takes a piece, and says whether more is wanted.
    fn take(&mut self, piece: P) -> bool {
        self.size += piece.size();
        self.ready.push(piece);
        self.size < ENOUGH || self.send()
    }
}

impl<P> Pieces<P> {
    /// Sends what there is, and says whether more is wanted.
    fn send(&mut self) -> bool {
        self.size = 0;
        self.sender.send(std::mem::take(&mut self.ready)).is_ok()
    }
}

impl<P> Drop for Pieces<P> {
    fn drop(&mut self) {
        // Even if the work panicked, what was reported before is not lost.
        self.send();
    }
}

/// Works on groups of transcripts, `jobs` at a time, and calls `told` with the pieces that come of each, in order, until
/// that says to stop. What it writes goes through [`Progress::hidden`].
///
/// # Errors
/// Threads cannot be started, or what `told` says.
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
        // Where all of them are gone, whoever waits for one to take a group has to hear of it.
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

/// The same on this thread alone.
///
/// # Errors
/// What `told` says.
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

/// How far it is, on standard error if that is a terminal, once it takes long.
pub(super) struct Progress {
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

    /// So many more transcripts are done.
    fn more(&self, count: usize) {
        self.bar.inc(count as u64);
        // An archive is many.
        let done = self.bar.position();
        if self.bar.length().is_some_and(|all| all < done) {
            self.bar.set_length(done);
        }
        if self.began.elapsed() >= LONG && !is_quiet() {
            // This draws nothing where standard error is no terminal.
            self.shown
                .call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// A text is written. Where its line goes on, the bar is not seen any more: it would be drawn on that line, and take it
    /// away with itself.
    pub(super) fn before(&self, text: &[u8]) {
        if text.last().is_some_and(|last| *last != b'\n') && io::stdout().is_terminal() {
            self.shown.call_once(|| {});
            self.bar.finish_and_clear();
        }
    }

    /// Writes reports and messages, which the bar must not stand among.
    pub(super) fn hidden<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
