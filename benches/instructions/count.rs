//! Counting instructions: one by one, or by valgrind where there are too many for that.

use std::{
    io,
    process::{Command, ExitCode},
};

use nix::{
    sched::{CpuSet, sched_getaffinity, sched_setaffinity},
    sys::personality::{self, Persona},
    unistd::Pid,
};
use rayon::prelude::*;

use crate::{
    counted::Counted,
    curves::{self, CURVES, Counts, Curve},
    measured::{Measured, Start, What},
    step, valgrind,
    work::Work,
};

/// The C library copies memory in the way that is best for the processor; with this it does on all in the same one.
const ONE_WAY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2,-AVX2_Usable,-AVX512F,-AVX512VL,-EVEX,-ERMS,-FSRM",
);

/// How many instructions one of what is measured takes.
pub(crate) fn count(measured: &Measured) -> io::Result<Counted> {
    settle();
    let Measured { name, what, .. } = measured;
    match what {
        What::Events(race) => Ok(step::instructions(name, 0)?.each(Work::of(race)?.events)),
        What::Line(search) => {
            let [less, more] = search.lines;
            let deeper = step::instructions(name, 1)?.above(step::instructions(name, 0)?);
            Ok(deeper.each(more - less))
        }
        What::StartUp(start) => {
            let (text, _) = start.transcript.games(0)?;
            valgrind::instructions(start.game, &text)
        }
        What::Interpreted(start, games) => interpreted(start, *games),
    }
}

/// Counts the curves of these names, or all if there are none.
pub(crate) fn curves(names: &[String]) -> io::Result<Vec<Counts>> {
    let wanted: Vec<&Curve> = CURVES
        .iter()
        .filter(|curve| names.is_empty() || names.iter().any(|name| name == curve.name))
        .collect();
    let counted: io::Result<Vec<_>> = wanted
        .par_iter()
        .map(|curve| {
            settle();
            curves::counts(curve)
        })
        .collect();
    Ok(counted?.into_iter().flatten().collect())
}

/// What an event of so many games takes: above what none take.
fn interpreted(start: &Start, games: u64) -> io::Result<Counted> {
    let (text, events) = start.transcript.games(games)?;
    let (empty, _) = start.transcript.games(0)?;
    let none = valgrind::instructions(start.game, &empty)?;
    let all = valgrind::instructions(start.game, &text)?;
    Ok(all.above(none).each(events))
}

/// Makes processes that are started from this thread alike: their memory lies where it lay the last time, and they take
/// turns with it on one processor, which is faster. Where that is not allowed, a count may differ a little more.
fn settle() {
    let fixed = personality::get().map(|persona| persona | Persona::ADDR_NO_RANDOMIZE);
    fixed.and_then(personality::set).ok();
    let this = Pid::from_raw(0);
    let one = sched_getaffinity(this).and_then(|allowed| {
        let places = 0..CpuSet::count();
        let places: Vec<usize> = places
            .filter(|place| allowed.is_set(*place) == Ok(true))
            .collect();
        let thread = rayon::current_thread_index().unwrap_or_default();
        let mut one = CpuSet::new();
        if let Some(place) = places.get(thread % places.len().max(1)) {
            one.set(*place)?;
        }
        Ok(one)
    });
    one.and_then(|one| sched_setaffinity(this, &one)).ok();
}

/// A command in surroundings that are the same every time.
pub(super) fn bare(command: &mut Command) -> &mut Command {
    command.env_clear().envs([ONE_WAY]).current_dir("/")
}

/// Where this process is one that is counted: runs what it is asked for.
pub(crate) fn counted(all: &[Measured], arguments: &[String]) -> Option<ExitCode> {
    match arguments {
        [flag, name, deeper] if flag == step::RUN => {
            let measured = all.iter().find(|measured| measured.name == *name);
            let deeper = deeper.parse().unwrap_or_default();
            Some(measured.map_or(ExitCode::FAILURE, |measured| step::run(measured, deeper)))
        }
        [flag, game] if flag == valgrind::START => Some(valgrind::start(game)),
        [flag, name, size] if flag == curves::CURVE => Some(curves::once(name, size)),
        _ => None,
    }
}
