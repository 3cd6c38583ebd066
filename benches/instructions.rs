//! How many instructions things take, held to the figures in `instructions.txt`: an event of each game, a line of play,
//! and all that comes before the first event.
//!
//! Time is different from run to run and from machine to machine; how many instructions are carried out is nearly
//! not. Each figure is of a process of its own. Where it runs machine code it does from the first event on, and once it
//! is warm it is taken through what is counted instruction by instruction; what takes too many for that is left to
//! valgrind, where that is installed. The head of `instructions.txt` says what the figures are of and by how much they
//! may grow; where one grows by more, this fails, and `--bless` writes down what things take now. Then come *curves*: how
//! what something takes grows with its size (`instructions/curves.rs`). `-- NAME…` counts only the figures and curves of
//! these names. It counts on Linux on x86-64 only, and says so elsewhere.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "nothing is counted on this machine")
)]

#[path = "instructions/measured.rs"]
mod measured;
#[path = "../tests/reference/mod.rs"]
mod reference;
#[path = "shared/replay.rs"]
mod replay;
#[path = "../tests/second/mod.rs"]
mod second;
#[path = "instructions/transcripts.rs"]
mod transcripts;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "instructions/count.rs"]
mod count;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "instructions/no_count.rs"]
mod count;
#[path = "instructions/counted.rs"]
mod counted;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "instructions/curves.rs"]
mod curves;
#[path = "instructions/figures.rs"]
mod figures;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "instructions/step.rs"]
mod step;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "instructions/valgrind.rs"]
mod valgrind;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "instructions/work.rs"]
mod work;

use std::{collections::BTreeSet, process::ExitCode};

use counted::Counted;
use figures::{Figures, Judged, Mean};
use measured::Measured;
use rayon::prelude::*;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = measured::all();
    if let Some(code) = count::counted(&all, &arguments) {
        return code;
    }
    let (flags, names): (Vec<String>, Vec<String>) = arguments
        .into_iter()
        .partition(|argument| argument.starts_with("--"));
    let bless = flags.iter().any(|flag| flag == "--bless");
    match held(&all, &names, bless) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!(
                "If that is as it must be: `{}` takes the new figures.",
                figures::BLESS
            );
            ExitCode::FAILURE
        }
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Counts what has one of these names, or all if there are none, and tells of it; whether nothing has grown by more than
/// it may, or the new figures were taken.
fn held(all: &[Measured], names: &[String], bless: bool) -> Result<bool, String> {
    let figures = Figures::read().map_err(|error| error.to_string())?;
    let wanted: Vec<&Measured> = all
        .iter()
        .filter(|measured| names.is_empty() || names.contains(&measured.name))
        .collect();
    let counts: Vec<_> = wanted
        .par_iter()
        .map(|measured| count::count(measured))
        .collect();
    let mut judged = Vec::new();
    let mut reasons = BTreeSet::new();
    for (measured, counted) in wanted.into_iter().zip(counts) {
        match counted.map_err(|error| format!("{}: {error}", measured.name))? {
            Counted::So(now) => judged.push(figures.judge(measured, now)),
            Counted::Nothing(why) => {
                reasons.insert(why);
            }
        }
    }
    for judged in &judged {
        println!("{judged}");
    }
    for why in reasons {
        println!("not all is counted: {why}");
    }
    if bless {
        let written = figures.write(all, &judged);
        return written.map(|()| true).map_err(|error| error.to_string());
    }
    let mean = Mean::of(&judged);
    if let Some(mean) = &mean {
        println!("{mean}");
    }
    let curves = count::curves(names).map_err(|error| error.to_string())?;
    for curve in &curves {
        println!("{}", curve.line);
    }
    let too_fast = curves.iter().any(|curve| !curve.is_held);
    let grown = judged.iter().any(Judged::is_grown) || mean.is_some_and(|mean| mean.is_grown());
    Ok(!grown && !too_fast)
}
