//! Valgrind counts what a process takes from its beginning to its end: hundred times as fast as one by one, and only
//! where it is installed.

use std::{
    io::{self, ErrorKind, Write},
    process::{Command, ExitCode, Stdio},
};

use referee::{game::Game, library::Library};

use crate::{count::bare, counted::Counted};

/// What the process that is counted is called with.
pub(crate) const START: &str = "--start";

/// What stands before the number in what valgrind says.
const COUNT: &str = " refs:";

/// How many instructions it takes to load a game, and to run it on a transcript.
pub(crate) fn instructions(game: &str, transcript: &[u8]) -> io::Result<Counted> {
    instructions_of(&[START, game], transcript)
}

/// How many instructions this program takes with these arguments.
pub(crate) fn instructions_of(arguments: &[&str], input: &[u8]) -> io::Result<Counted> {
    let spawned = bare(&mut Command::new("valgrind"))
        .args(["--tool=cachegrind", "--cache-sim=no"])
        .arg("--cachegrind-out-file=/dev/null")
        .arg(std::env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match spawned {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Counted::Nothing("valgrind is not installed".to_string()));
        }
        spawned => spawned?,
    };
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(input)?;
    }
    let output = child.wait_with_output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let count = told.lines().find_map(|line| {
        let (_, count) = line.split_once(COUNT)?;
        count.trim().replace(',', "").parse().ok()
    });
    match count {
        Some(count) if output.status.success() => Ok(Counted::So(count)),
        _ => Err(io::Error::other(told.into_owned())),
    }
}

/// The process that is counted: a game from nothing to the end of standard input.
pub(crate) fn start(game: &str) -> ExitCode {
    let Ok(loaded) = Game::load(&Library::shipped(), game, &[]) else {
        return ExitCode::FAILURE;
    };
    match loaded.run(None, game, &mut io::stdin(), &mut io::sink()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
