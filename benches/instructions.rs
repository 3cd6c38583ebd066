//! How many instructions an event takes, held to the figures in `instructions.txt`.
//!
//! Time is different from run to run and from machine to machine; how many instructions are carried out is nearly
//! not. Each game runs in a process of its own, as machine code from the first event on, and once it is warm it is
//! taken through some games instruction by instruction. Where an event takes a tenth more than what is written down,
//! this fails; `--bless` writes down what it takes now. It counts on Linux on x86-64 only, and says so elsewhere.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "instructions/races.rs"]
mod races;
#[path = "../tests/reference/mod.rs"]
mod reference;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "instructions/count.rs"]
mod count;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "instructions/no_count.rs"]
mod count;
#[path = "instructions/figures.rs"]
mod figures;
#[path = "instructions/work.rs"]
mod work;

use std::process::ExitCode;

use count::Counted;
use figures::Figures;
use races::RACES;

/// What the benchmark calls itself with, to have a race run that is counted.
const RUN: &str = "--run";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name] = arguments.as_slice()
        && flag == RUN
    {
        return count::counted(name);
    }
    let bless = arguments.iter().any(|argument| argument == "--bless");
    let mut figures = match Figures::read() {
        Ok(figures) => figures,
        Err(error) => return failed(&error.to_string()),
    };
    let mut grown = false;
    for race in &RACES {
        let now = match count::instructions(race) {
            Ok(Counted::Each(now)) => now,
            Ok(Counted::Nothing(why)) => {
                println!("nothing is counted: {why}");
                return ExitCode::SUCCESS;
            }
            Err(error) => return failed(&format!("{}: {error}", race.name)),
        };
        let judged = figures.judge(race.name, now);
        println!("{judged}");
        grown |= judged.is_grown();
        figures.set(race.name, now);
    }
    if bless {
        return match figures.write() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(&error.to_string()),
        };
    }
    if grown {
        println!(
            "If that is as it must be: `{}` takes the new figures.",
            figures::BLESS
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn failed(message: &str) -> ExitCode {
    println!("{message}");
    ExitCode::FAILURE
}
