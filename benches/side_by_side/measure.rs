//! What processes take, and tables of it.

use std::{
    io::{self, BufWriter, Read, Write},
    process::{ChildStdin, Command, Stdio},
    time::Duration,
};

use wait4::Wait4;

/// What a process took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) cpu: Duration,
    /// The most memory it had, in KiB.
    pub(crate) memory: u64,
}

impl Cost {
    pub(crate) fn seconds(&self) -> f64 {
        self.cpu.as_secs_f64()
    }

    pub(crate) fn mebibytes(&self) -> u64 {
        self.memory.div_ceil(1024)
    }
}

/// Runs a command on an input and says what it took.
pub(crate) fn cost(command: &mut Command, input: impl Into<Stdio>) -> io::Result<Cost> {
    let child = command.stdin(input).stdout(Stdio::null()).spawn()?;
    ended(child, command)
}

/// The same on an input that somebody writes while it is read.
pub(crate) fn cost_of_stream(
    command: &mut Command,
    write: impl FnOnce(&mut BufWriter<ChildStdin>) -> io::Result<()>,
) -> io::Result<Cost> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    if let Some(input) = child.stdin.take() {
        let mut input = BufWriter::with_capacity(1 << 16, input);
        write(&mut input)?;
        input.flush()?;
    }
    ended(child, command)
}

/// Runs a command on a short input; what it took, and what it said.
pub(crate) fn told(command: &mut Command, input: &str) -> io::Result<(Cost, String)> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut stream) = child.stdin.take() {
        stream.write_all(input.as_bytes())?;
    }
    let mut said = String::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut said)?;
    }
    Ok((ended(child, command)?, said))
}

fn ended(mut child: std::process::Child, command: &Command) -> io::Result<Cost> {
    let used = child.wait4()?;
    if !used.status.success() {
        return Err(io::Error::other(format!("{command:?} failed")));
    }
    Ok(Cost {
        cpu: used.rusage.utime + used.rusage.stime,
        memory: used.rusage.maxrss / 1024,
    })
}

/// The one in the middle.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

pub(crate) fn geometric_mean(values: &[f64]) -> f64 {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (logarithms / count(values.len() as u64)).exp()
}

/// A number of things, to reckon with.
#[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
pub(crate) fn count(number: u64) -> f64 {
    number as f64
}

/// The interpreter, with a command.
pub(crate) fn referee(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments);
    command
}

/// This program, as one of the others in the race.
pub(crate) fn by_hand(name: &str) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--by-hand", name]);
    Ok(command)
}

/// Begins a table.
pub(crate) fn head(title: &str, columns: &[&str]) {
    println!("\n{title}\n");
    println!("| {} |", columns.join(" | "));
    println!("| --- |{}", " --: |".repeat(columns.len() - 1));
}

/// A line of it.
pub(crate) fn line(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}
