//! Runs one long transcript on several processors: threads prepare parts of it, each from a line where a game might
//! begin. The main run uses such a part if a game does begin there.

mod feed;

use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, Read, Write},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver},
    },
};

use rayon::{Scope, ThreadPoolBuilder};

use super::Game;
use crate::{
    code::Transcript,
    failure::{self, Failure},
    machine::Executable,
    stack,
    transcript::{Part, Prepared, Rounds, Run},
};
use feed::{Feed, Text, Whole};

/// The number of lines of a piece on which a game is tried.
const TRIES: usize = 4096;

/// The number of lines that are tried after an attempt failed.
const MORE_TRIES: usize = 64;

/// How one transcript is shared among threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threads {
    /// The number of threads, besides the main one; 0 for one per processor.
    pub count: usize,
    /// The size of the pieces that threads work on, in bytes.
    pub piece: usize,
}

impl Threads {
    /// This many threads, with a piece size that suits files.
    #[must_use]
    pub fn new(count: usize) -> Threads {
        Threads {
            count,
            piece: 1 << 20,
        }
    }
}

impl Game {
    /// Like [`Game::run`], but on several threads, if the form shows where games begin. The report is the same. The
    /// input is read some megabytes ahead, so this is for files.
    ///
    /// # Errors
    /// What stopped the run.
    pub fn run_on_threads(
        &self,
        threads: Threads,
        form: Option<&str>,
        name: &str,
        input: &mut dyn Read,
        output: &mut dyn Write,
    ) -> Result<(), Failure> {
        let transcript = self.transcript(form)?;
        let rounds = Rounds::of(&self.compiled, transcript);
        let pool = ThreadPoolBuilder::new().num_threads(threads.count).build();
        let (Some(rounds), Ok(pool)) = (rounds, pool) else {
            return self.run(form, name, input, output);
        };
        let loose = Loose {
            compiled: &self.compiled,
            transcript,
            rounds,
            depth: self.program.depth,
        };
        let stop = AtomicBool::new(false);
        let feed = RefCell::new(Feed::new(input, threads.piece));
        let ran = pool.in_place_scope(|scope| {
            let mut helpers = Helpers {
                scope,
                loose,
                stop: &stop,
                feed: &feed,
                most: pool.current_num_threads() + 1,
                parts: VecDeque::new(),
            };
            let mut helper =
                |line, most, games, numbers: &[i64]| helpers.prepared(line, most, games, numbers);
            let mut input = Whole(&feed);
            let run = Run::new(&self.compiled, transcript, &mut input, output)
                .seeded(self.seed)
                .helped(rounds, &mut helper);
            let ran = stack::with_room(self.program.depth, || run.run());
            stop.store(true, Ordering::Relaxed);
            ran
        });
        ran.map_err(|stopped| failure::from_stopped(*stopped, &self.compiled, &self.sources, name))
    }
}

/// The parts of a game that a run needs.
#[derive(Clone, Copy)]
struct Loose<'g> {
    compiled: &'g Executable,
    transcript: &'g Transcript,
    rounds: Rounds<'g>,
    /// The nesting depth of its rules.
    depth: usize,
}

/// A part that a thread runs or has prepared.
struct Prepares {
    /// Its first line, and the line after its last.
    lines: (usize, usize),
    coming: Receiver<Part>,
    part: Option<Part>,
}

/// Manages the threads.
struct Helpers<'s, 'scope, 'f, 'i> {
    scope: &'s Scope<'scope>,
    loose: Loose<'scope>,
    /// Tells the threads to stop.
    stop: &'scope AtomicBool,
    feed: &'f RefCell<Feed<'i>>,
    /// The number of parts that are in progress or prepared at most.
    most: usize,
    parts: VecDeque<Prepares>,
}

impl Helpers<'_, '_, '_, '_> {
    /// What was prepared from a line on, if a game began there. The input then continues where that ends.
    fn prepared(
        &mut self,
        line: usize,
        most: i64,
        games: i64,
        numbers: &[i64],
    ) -> Option<Prepared> {
        while self.parts.front().is_some_and(|part| part.lines.1 <= line) {
            self.parts.pop_front();
        }
        self.feed.borrow_mut().needs_from(line);
        while self.parts.len() < self.most && self.one_more(line, numbers).is_some() {}
        let first = self.parts.front_mut().filter(|part| part.lines.0 <= line)?;
        if first.part.is_none() {
            first.part = first.coming.recv().ok();
        }
        let prepared = first.part.as_ref()?.from(line, most, games)?;
        let goes_on = self.feed.borrow_mut().go_to(prepared.line);
        goes_on.then_some(prepared)
    }

    /// Starts one more part, if there is text left.
    fn one_more(&mut self, line: usize, numbers: &[i64]) -> Option<()> {
        let from = self.parts.back().map_or(line, |part| part.lines.1);
        let (text, next) = self.feed.borrow_mut().part(from)?;
        let (told, coming) = mpsc::channel();
        let (loose, stop, numbers) = (self.loose, self.stop, numbers.to_vec());
        self.parts.push_back(Prepares {
            lines: (text.first, text.first + text.lines),
            coming,
            part: None,
        });
        self.scope.spawn(move |_| {
            // If the run has ended, nobody receives the result.
            let part = || loose.part(&text, next.as_ref(), &numbers, stop);
            told.send(stack::with_room(loose.depth, part)).ok();
        });
        Some(())
    }
}

impl Loose<'_> {
    /// Runs a part of the text, from the first line on which a game can begin. `next` is the text after it.
    fn part(&self, text: &Text, next: Option<&Text>, numbers: &[i64], stop: &AtomicBool) -> Part {
        let mut best = Part::default();
        let last = text.first + text.lines - 1;
        let mut left = TRIES;
        let mut rest = text.bytes.as_slice();
        for line in text.first..=last {
            if left == 0 || stop.load(Ordering::Relaxed) {
                break;
            }
            left -= 1;
            let mut input = Stretch {
                here: rest,
                next: next.map(|next| next.bytes.as_slice()),
                ends: next.is_none_or(|next| next.is_last),
            };
            let part = Run::new(self.compiled, self.transcript, &mut input, &mut io::sink())
                .prepare_rounds(self.rounds, (line, last), numbers, stop);
            let far = |part: &Part| part.marks.last().map_or(0, |mark| mark.line);
            if part.marks.len() > 1 && far(&part) > far(&best) {
                best = part;
                if best.is_whole {
                    break;
                }
                left = left.min(MORE_TRIES);
            }
            let Some(end) = memchr::memchr(b'\n', rest) else {
                break;
            };
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        best
    }
}

/// A part of the text, and as much of what follows as is available.
struct Stretch<'t> {
    here: &'t [u8],
    next: Option<&'t [u8]>,
    /// Whether the text ends there.
    ends: bool,
}

impl Read for Stretch<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.here.is_empty() {
            match self.next.take() {
                Some(next) => self.here = next,
                None if self.ends => return Ok(0),
                None => return Err(io::Error::other("more of the text is not at hand")),
            }
        }
        self.here.read(into)
    }
}
