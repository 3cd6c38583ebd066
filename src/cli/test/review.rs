//! `--review`: what somebody at a terminal says of an output that is different.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{output, read};

/// What is to be done with what is said now.
pub(super) enum Answer {
    /// It is the output from now on.
    Accept,
    /// It is wrong, or not yet decided.
    Skip,
    /// No more is asked or run.
    Quit,
}

/// What can be answered.
const HELP: &str = "\
a  accept: this is the report from now on
A  accept this, and all others that differ by the same row
s  skip: it stays as it was, and fails
u  undo: put the report back that was accepted last
q  quit: run no more tests
?  show this
";

/// The answers so far.
#[derive(Default)]
pub(super) struct Review {
    /// The numbers of the tests that were accepted, with their outputs and what these were.
    accepted: Vec<(usize, PathBuf, Option<Vec<u8>>)>,
    /// The rows whose differences are all accepted; nothing for those that come from none.
    rows: BTreeSet<Option<String>>,
}

impl Review {
    /// Asks until there is an answer; the end of the input is one. What comes from a row whose differences are all
    /// accepted is not asked for. `undo` puts back what was accepted last.
    pub(super) fn answered(
        &mut self,
        row: Option<&str>,
        mut undo: impl FnMut(&mut Review) -> anyhow::Result<()>,
    ) -> anyhow::Result<Answer> {
        let row = row.map(str::to_string);
        if self.rows.contains(&row) {
            return Ok(Answer::Accept);
        }
        loop {
            output::write("accept, skip, undo or quit? [a/A/s/u/q/?] ")?;
            let mut line = String::new();
            let count = io::stdin()
                .read_line(&mut line)
                .context("standard input cannot be read")?;
            match line.trim() {
                "" if count == 0 => return Ok(Answer::Quit),
                "a" | "accept" => return Ok(Answer::Accept),
                "A" => {
                    self.rows.insert(row);
                    return Ok(Answer::Accept);
                }
                "s" | "skip" => return Ok(Answer::Skip),
                "u" | "undo" => undo(self)?,
                "q" | "quit" => return Ok(Answer::Quit),
                _ => output::write(HELP)?,
            }
        }
    }

    /// Keeps what the output of a test was.
    pub(super) fn accepts(&mut self, number: usize, output: &Path) {
        let before = read(output).ok().flatten();
        self.accepted.push((number, output.to_path_buf(), before));
    }

    /// Puts the output back that was accepted last, and gives the number of its test.
    pub(super) fn undo(&mut self) -> anyhow::Result<Option<usize>> {
        let Some((number, output, before)) = self.accepted.pop() else {
            return Ok(None);
        };
        let put_back = match before {
            Some(before) => fs::write(&output, before),
            None => fs::remove_file(&output),
        };
        put_back.with_context(|| format!("`{}` cannot be written", output.display()))?;
        self.rows.clear();
        Ok(Some(number))
    }
}
