//! Counting instructions: the process is taken through them one at a time, which every Linux allows a parent.

use std::{
    io,
    os::unix::process::CommandExt,
    process::{Child, Command, ExitCode, Stdio},
};

use nix::{
    errno::Errno,
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    sys::{
        personality::{self, Persona},
        ptrace,
        signal::{Signal, raise},
        wait::{WaitStatus, waitpid},
    },
    unistd::Pid,
};
use referee::{game::Game, library::Library};

use crate::{
    RUN,
    races::{RACES, Race},
    work::Work,
};

/// What the process that is counted stops itself with.
const MARK: Signal = Signal::SIGUSR1;

/// How a process ends that may not be traced.
const UNTRACED: u8 = 3;

/// The C library copies memory in the way that is best for the processor; with this it does on all in the same one.
const ONE_WAY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2,-AVX2_Usable,-AVX512F,-AVX512VL,-EVEX,-ERMS,-FSRM",
);

/// What was counted.
pub(crate) enum Counted {
    /// So many instructions for each event.
    Each(u64),
    /// Nothing, and why.
    Nothing(String),
}

/// How many instructions an event takes.
pub(crate) fn instructions(race: &Race) -> io::Result<Counted> {
    settle();
    let mut child = Command::new(std::env::current_exe()?)
        .arg0("instructions")
        .args([RUN, race.name])
        .env_clear()
        .envs([ONE_WAY])
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let counted = between_marks(&child);
    if matches!(counted, Ok(Ended::Counted(_))) {
        child.kill()?;
    }
    child.wait()?;
    match counted? {
        Ended::Counted(count) => Ok(Counted::Each(count / Work::of(race)?.events)),
        Ended::Untraced => Ok(Counted::Nothing(
            "processes may not be traced here".to_string(),
        )),
        Ended::Early(status) => Err(io::Error::other(format!(
            "the run ended before all was counted: {status:?}"
        ))),
    }
}

/// Makes processes that are started from here alike: their memory lies where it lay the last time, and they take
/// turns with this one on one processor, which is faster. Where that is not allowed, a count may differ a little more.
fn settle() {
    let fixed = personality::get().map(|persona| persona | Persona::ADDR_NO_RANDOMIZE);
    fixed.and_then(personality::set).ok();
    let this = Pid::from_raw(0);
    let one = sched_getaffinity(this).and_then(|all| {
        let mut one = CpuSet::new();
        let places = 0..CpuSet::count();
        for place in places
            .filter(|place| all.is_set(*place) == Ok(true))
            .take(1)
        {
            one.set(place)?;
        }
        Ok(one)
    });
    one.and_then(|one| sched_setaffinity(this, &one)).ok();
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

/// The process that is counted: runs a race, and stops where what is counted begins and ends.
pub(crate) fn counted(name: &str) -> ExitCode {
    if ptrace::traceme().is_err() {
        return ExitCode::from(UNTRACED);
    }
    let Some(race) = RACES.iter().find(|race| race.name == name) else {
        return ExitCode::FAILURE;
    };
    let (Ok(game), Ok(work)) = (
        Game::load(&Library::shipped(), race.game, &[]),
        Work::of(race),
    ) else {
        return ExitCode::FAILURE;
    };
    let mut input = work.read(|| {
        raise(MARK).ok();
    });
    let ran = game
        .natively()
        .run(race.form, race.name, &mut input, &mut io::sink());
    drop(ran);
    // Whoever counts has ended this process before.
    ExitCode::FAILURE
}
