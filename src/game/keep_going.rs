//! A run that continues after mistakes.

use std::io::{BufRead as _, BufReader, Read, Write};

use super::{Game, Session};
use crate::{failure::Failure, word::is_blank};

/// The longest line that is tried word by word, in bytes.
const LONGEST_LINE: usize = 1 << 16;

impl Game {
    /// Runs the game on a transcript like [`Game::run`], but continues after mistakes in the transcript: each is passed
    /// to `told`, and treated as blank. By lines, that is the whole line; by words, the words that were read for the
    /// event.
    ///
    /// # Errors
    /// What stopped the run nevertheless: a mistake in the rules, an exceeded bound, or an input or output error.
    pub fn run_on(
        &self,
        form: Option<&str>,
        name: &str,
        input: &mut dyn Read,
        output: &mut dyn Write,
        told: &mut dyn FnMut(Failure),
    ) -> Result<(), Failure> {
        let by_lines = self.transcript(form)?.by_lines;
        let mut session = self.session(form, name)?;
        let mut said = session.report().len();
        output
            .write_all(session.report().as_bytes())
            .map_err(Failure::Output)?;
        let mut input = BufReader::new(input);
        let mut line = Vec::new();
        loop {
            output.flush().map_err(Failure::Output)?;
            line.clear();
            input.read_until(b'\n', &mut line).map_err(Failure::Input)?;
            if line.is_empty() {
                break;
            }
            if !line.ends_with(b"\n") {
                line.push(b'\n');
            }
            let whole = by_lines || line.len() > LONGEST_LINE;
            for part in parts(&line, whole) {
                if let Err(refusal) = session.feed_part(part) {
                    match refusal.failure {
                        wrong @ Failure::Transcript(_) => told(wrong),
                        other => return Err(other),
                    }
                    session.pass_over(part);
                }
                let report = session.report().get(said..).unwrap_or_default();
                output
                    .write_all(report.as_bytes())
                    .map_err(Failure::Output)?;
                said = session.report().len();
                session.settle();
            }
        }
        match session.end().map_err(|refusal| *refusal) {
            Ok(said) => output.write_all(said.as_bytes()).map_err(Failure::Output)?,
            Err(refusal) => {
                let report = refusal.report.as_bytes();
                output.write_all(report).map_err(Failure::Output)?;
                told(refusal.failure);
            }
        }
        output.flush().map_err(Failure::Output)
    }
}

/// A line, or its words, each with the blanks after it.
fn parts(line: &[u8], whole: bool) -> Vec<&[u8]> {
    if whole || line.starts_with(crate::transcript::QUESTION.as_bytes()) {
        return vec![line];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 1..=line.len() {
        let ends = line.get(end).is_none_or(|next| !is_blank(*next));
        if ends && is_blank(line[end - 1]) {
            parts.push(&line[start..end]);
            start = end;
        }
    }
    parts
}

impl Session<'_> {
    /// Replaces words that were refused, and those waiting for them, by blanks. This keeps the places of what follows.
    fn pass_over(&mut self, part: &[u8]) {
        let mut blanks = blank(&String::from_utf8_lossy(part));
        // The words before them may be an event by themselves.
        if !self.open().is_empty() {
            self.read_open_words();
        }
        while !self.open().is_empty() {
            let Some(gone) = self.undo() else {
                break;
            };
            blanks.insert_str(0, &blank(&gone));
        }
        // Blanks are never refused.
        let _ = self.feed_part(blanks.as_bytes());
    }
}

/// As many blanks as a text has characters, with its line ends.
fn blank(text: &str) -> String {
    let blanks = text
        .chars()
        .map(|letter| if letter == '\n' { '\n' } else { ' ' });
    blanks.collect()
}
