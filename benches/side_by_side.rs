//! The interpreter and the hand-written referees on the same long transcripts, side by side in one run.
//!
//! `cargo bench` prints for each game events per second, the ratio of CPU times (user and system, reading and writing
//! included) and the peak memory of both. Each runs as a process of its own, in turn; the median of the pairwise ratios
//! is what counts. `cargo bench -- --quick` takes shorter transcripts and fewer runs.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/reference/mod.rs"]
mod reference;

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Write},
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

use reference::{generate, mau_mau, random::Random, snooker, snooker_chance, weiqi};
use wait4::Wait4;

/// One race: a game, and the transcript both run on.
struct Race {
    name: &'static str,
    game: &'static str,
    form: Option<&'static str>,
    /// How many games make a transcript of some seconds.
    games: u64,
    generate: fn(u64, &mut Random, &mut BufWriter<File>) -> io::Result<u64>,
}

const RACES: [Race; 5] = [
    Race {
        name: "snooker",
        game: "snooker",
        form: None,
        games: 400_000,
        generate: |games, random, out| {
            generate::snooker::generate_large(&snooker::Rules::default(), games, random, out)
        },
    },
    Race {
        name: "snooker-chance",
        game: "snooker-chance",
        form: None,
        games: 10_000_000,
        generate: |games, random, out| generate::snooker_chance::generate_large(games, random, out),
    },
    Race {
        name: "weiqi",
        game: "weiqi",
        form: None,
        games: 40_000,
        generate: |games, random, out| {
            generate::weiqi::generate_large(&weiqi::Rules::default(), games, random, out)
        },
    },
    Race {
        name: "mau-mau",
        game: "mau-mau",
        form: None,
        games: 1_000_000,
        generate: |games, random, out| generate::mau_mau::generate_large(games, random, out),
    },
    Race {
        name: "mau-mau moves",
        game: "mau-mau",
        form: Some("moves"),
        games: 1_000_000,
        generate: |games, random, out| generate::mau_mau::generate_large_moves(games, random, out),
    },
];

/// What a process took.
#[derive(Debug, Clone, Copy)]
struct Cost {
    cpu: Duration,
    /// The most memory it had, in KiB.
    memory: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name] = arguments.as_slice()
        && flag == "--by-hand"
    {
        return by_hand(name);
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let wanted: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    println!(
        "| transcript | events | interpreter, events/s | by hand, events/s | ratio of CPU times | interpreter, MiB | by hand, MiB |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: |");
    for race in &RACES {
        if !wanted.is_empty() && !wanted.iter().any(|name| *name == race.name) {
            continue;
        }
        match run(race, quick) {
            Ok(line) => println!("{line}"),
            Err(error) => {
                println!("{}: {error}", race.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// Runs one race and describes it as a row of a table.
fn run(race: &Race, quick: bool) -> io::Result<String> {
    let games = if quick { race.games / 20 } else { race.games };
    let input = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{games}.txt", race.game));
    let mut file = BufWriter::new(File::create(&input)?);
    let events = (race.generate)(games, &mut Random::new(1), &mut file)?;
    file.flush()?;
    let mut ratios = Vec::new();
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..if quick { 3 } else { 5 } {
        let interpreter = interpreter(race, &input)?;
        let by_hand = cost(
            Command::new(std::env::current_exe()?).args(["--by-hand", race.name]),
            &input,
        )?;
        ratios.push(interpreter.cpu.as_secs_f64() / by_hand.cpu.as_secs_f64());
        mine.push(interpreter);
        theirs.push(by_hand);
    }
    std::fs::remove_file(&input)?;
    let speed = |costs: &[Cost]| {
        let seconds: Vec<f64> = costs.iter().map(|cost| cost.cpu.as_secs_f64()).collect();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
        let events = events as f64;
        events / median(seconds) / 1e6
    };
    let memory = |costs: &[Cost]| costs.iter().map(|cost| cost.memory).max().unwrap_or(0) / 1024;
    Ok(format!(
        "| {} | {events} | {:.2} M | {:.2} M | {:.2} | {} | {} |",
        race.name,
        speed(&mine),
        speed(&theirs),
        median(ratios),
        memory(&mine),
        memory(&theirs),
    ))
}

fn interpreter(race: &Race, input: &Path) -> io::Result<Cost> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["run", race.game]);
    if let Some(form) = race.form {
        command.args(["--transcript", form]);
    }
    cost(&mut command, input)
}

/// Runs a command on a file and says what it took.
fn cost(command: &mut Command, input: &Path) -> io::Result<Cost> {
    let mut child = command
        .stdin(File::open(input)?)
        .stdout(Stdio::null())
        .spawn()?;
    let used = child.wait4()?;
    if !used.status.success() {
        return Err(io::Error::other("a referee failed"));
    }
    Ok(Cost {
        cpu: used.rusage.utime + used.rusage.stime,
        memory: used.rusage.maxrss / 1024,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs a hand-written referee from standard input to standard output.
fn by_hand(name: &str) -> ExitCode {
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = match name {
        "snooker" => snooker::referee(&snooker::Rules::default(), input, &mut output),
        "snooker-chance" => snooker_chance::referee(&snooker_chance::Rules, input, &mut output),
        "weiqi" => weiqi::referee(&weiqi::Rules::default(), input, &mut output),
        "mau-mau" => mau_mau::referee(&mau_mau::Rules::default(), input, &mut output),
        _ => mau_mau::referee_moves(&mau_mau::Rules::default(), input, &mut output),
    };
    match (done, output.flush()) {
        (Ok(()), Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
