//! A process is taken through its instructions one at a time, which every Linux allows a parent.

use std::{
    io::{self, Read},
    os::unix::process::CommandExt,
    process::{Child, Command, ExitCode, Stdio},
};

use nix::{
    errno::Errno,
    sys::{
        ptrace,
        signal::{Signal, raise},
        wait::{WaitStatus, waitpid},
    },
    unistd::Pid,
};
use referee::{
    game::{Game, MovesQuery},
    library::Library,
};

use crate::{
    count::bare,
    counted::Counted,
    measured::{Measured, Race, Search, What},
    work::{Mark, Work},
};

/// What the process that is counted is called with.
pub(crate) const RUN: &str = "--run";

/// What the process that is counted stops itself with.
const MARK: Signal = Signal::SIGUSR1;

/// How a process ends that may not be traced.
const UNTRACED: u8 = 3;

/// How many instructions what is measured under this name takes in all; lines of play so many events deeper.
pub(crate) fn instructions(name: &str, deeper: u32) -> io::Result<Counted> {
    let mut child = bare(&mut Command::new(std::env::current_exe()?))
        .arg0("instructions")
        .args([RUN, name, &deeper.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let counted = between_marks(&child);
    if matches!(counted, Ok(Ended::Counted(_))) {
        child.kill()?;
    }
    child.wait()?;
    match counted? {
        Ended::Counted(count) => Ok(Counted::So(count)),
        Ended::Untraced => Ok(Counted::Nothing(
            "processes may not be traced here".to_string(),
        )),
        Ended::Early(status) => Err(io::Error::other(format!(
            "the run ended before all was counted: {status:?}"
        ))),
    }
}

/// How a process ended, or what was counted before it did.
enum Ended {
    Counted(u64),
    Untraced,
    Early(WaitStatus),
}

/// Counts the instructions that a process carries out between its two marks.
fn between_marks(child: &Child) -> io::Result<Ended> {
    let child = Pid::from_raw(child.id().cast_signed());
    match waitpid(child, None)? {
        WaitStatus::Stopped(_, MARK) => {}
        WaitStatus::Exited(_, code) if code == i32::from(UNTRACED) => return Ok(Ended::Untraced),
        other => return Ok(Ended::Early(other)),
    }
    let mut count = 0;
    loop {
        match ptrace::step(child, None) {
            Err(Errno::ESRCH) | Ok(()) => {}
            Err(error) => return Err(error.into()),
        }
        match waitpid(child, None)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => count += 1,
            WaitStatus::Stopped(_, MARK) => return Ok(Ended::Counted(count)),
            other => return Ok(Ended::Early(other)),
        }
    }
}

/// The process that is counted: it stops where what is counted begins and ends.
pub(crate) fn run(measured: &Measured, deeper: u32) -> ExitCode {
    if ptrace::traceme().is_err() {
        return ExitCode::from(UNTRACED);
    }
    // Whoever counts ends this process at the second mark.
    match &measured.what {
        What::Events(race) => events(race),
        What::Line(search) => lines(search, deeper),
        What::StartUp(_) | What::Interpreted(..) => None,
    };
    ExitCode::FAILURE
}

fn mark() {
    raise(MARK).ok();
}

fn loaded(game: &str) -> Option<Game> {
    let game = Game::load(&Library::shipped(), game, &[]).ok()?;
    Some(game.natively())
}

fn events(race: &Race) -> Option<()> {
    let game = loaded(race.game)?;
    let work = Work::of(race).ok()?;
    let mut input = work.read(mark);
    let ran = game.run(race.form, race.game, &mut input, &mut io::sink());
    ran.ok()
}

/// Counts lines of play once to have machine code, and once more: what is counted of that begins where the transcript has
/// been read.
fn lines(search: &Search, deeper: u32) -> Option<()> {
    let game = loaded(search.game)?;
    let expected = search.lines.get(deeper as usize)?;
    let count = |end: Mark| {
        let mut start = search.start.as_bytes().chain(end);
        let depth = search.depth + deeper;
        let found = game.lines_of_play(&MovesQuery::default(), depth, search.game, &mut start);
        found.ok().filter(|(lines, _)| lines == expected)
    };
    count(Mark(None))?;
    count(Mark(Some(mark)))?;
    mark();
    Some(())
}
