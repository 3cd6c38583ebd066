//! The interpreter and referees written by hand, side by side in one run.
//!
//! `cargo bench` prints a table for each part; `cargo bench -- PART…` only for these, or only these games of the parts
//! that race games; `--quick` takes shorter transcripts and fewer runs; `--large` is the part that takes more than a
//! gigabyte, which is only run if it is asked for. Each run is a process of its own, and what counts is the time of the
//! processor, user and system, reading and writing included.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod contest;
mod curves;
mod files;
mod large;
mod measure;
mod perft;
mod races;
mod replays;
mod start_up;
mod synthetic;
mod variants;

#[path = "../../tests/reference/mod.rs"]
mod reference;
#[path = "../shared/replay.rs"]
mod replay;
#[path = "../../tests/second/mod.rs"]
mod second;

use std::{
    io::{self, BufReader, BufWriter, Write},
    process::ExitCode,
};

use contest::Contest;

/// What of all this is wanted.
struct Wanted {
    quick: bool,
    names: Vec<String>,
}

impl Wanted {
    /// Whether a part is run: it is named, or nothing is.
    fn part(&self, part: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == part)
    }

    /// Whether a line of a part is: the part is named, or the line is, or nothing.
    fn line(&self, part: &str, line: &str) -> bool {
        self.part(part) || self.names.iter().any(|name| name == line)
    }

    /// So many, and fewer if it has to be quick.
    fn less(&self, number: u64) -> u64 {
        if self.quick { number / 20 } else { number }
    }

    /// How often a pair of processes is run.
    fn rounds(&self) -> usize {
        if self.quick { 3 } else { 5 }
    }
}

/// A part of the benchmark: its name, and what runs it.
type Part = (&'static str, fn(&Wanted) -> io::Result<()>);

const PARTS: [Part; 8] = [
    ("races", races::run),
    ("variants", variants::run),
    ("games", replays::run),
    ("perft", perft::run),
    ("start-up", start_up::run),
    ("length", curves::length),
    ("rules", curves::rules),
    ("files", files::run),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name] = arguments.as_slice()
        && flag == "--by-hand"
    {
        return by_hand(name);
    }
    let (flags, names) = arguments
        .into_iter()
        .partition(|argument: &String| argument.starts_with("--"));
    let flags: Vec<String> = flags;
    let wanted = Wanted {
        quick: flags.iter().any(|flag| flag == "--quick"),
        names,
    };
    let done = if flags.iter().any(|flag| flag == "--large") {
        large::run(&wanted)
    } else {
        PARTS.iter().try_for_each(|(_, run)| run(&wanted))
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a referee written by hand from standard input to standard output.
fn by_hand(name: &str) -> ExitCode {
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = match Contest::named(name) {
        Some(contest) => contest.by_hand(input, &mut output).is_ok(),
        None => matches!(perft::by_hand(name, &mut output), Some(Ok(()))),
    };
    match (done, output.flush()) {
        (true, Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
