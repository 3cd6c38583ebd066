//! `--review`: what somebody at a terminal says of an output that is different.

use std::io;

use anyhow::Context as _;

use super::output;

/// What is to be done with what is said now.
pub(super) enum Answer {
    /// It is the output from now on.
    Accept,
    /// It is wrong, or not yet decided.
    Skip,
    /// No more is asked or run.
    Quit,
}

/// Asks until there is an answer; the end of the input is one.
pub(super) fn ask() -> anyhow::Result<Answer> {
    loop {
        output::write("accept, skip or quit? [a/s/q] ")?;
        let mut line = String::new();
        let count = io::stdin()
            .read_line(&mut line)
            .context("standard input cannot be read")?;
        match line.trim() {
            "" if count == 0 => return Ok(Answer::Quit),
            "a" | "accept" => return Ok(Answer::Accept),
            "s" | "skip" => return Ok(Answer::Skip),
            "q" | "quit" => return Ok(Answer::Quit),
            _ => {}
        }
    }
}
