//! How a line that was begun may go on.

use super::{
    Session,
    session::{Stage, Takes},
};

impl Session<'_> {
    /// What the next line may become that begins so, whole lines, each once: the moves there are, or else what the words
    /// that are due take at the last word. Nothing where that is not known.
    pub fn completions(&mut self, line: &str) -> Vec<String> {
        let mut found = Vec::new();
        let playing = self.stage() == Stage::Playing;
        if playing && let Ok(moves) = self.moves(&[], false) {
            found.extend(moves.moves.into_iter().map(|found| found.written));
        }
        found.retain(|written| written.starts_with(line));
        if found.is_empty() {
            found = self.words_due(line);
        }
        let mut kept: Vec<String> = Vec::new();
        for line in found {
            if !kept.contains(&line) {
                kept.push(line);
            }
        }
        kept
    }

    /// The line with each word that may stand where its last one does.
    fn words_due(&mut self, line: &str) -> Vec<String> {
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let place = before.split_whitespace().count();
        let lead = if before.is_empty() {
            String::new()
        } else {
            format!("{before} ")
        };
        let expected = self.expected().unwrap_or_default();
        let timely = expected.iter().filter(|due| due.untimely.is_none());
        let mut found = Vec::new();
        for hole in timely.flat_map(|due| &due.holes) {
            let is_here = hole.word == Some(place)
                || hole.several && hole.word.is_some_and(|word| word < place);
            if let (true, Takes::OneOf(words)) = (is_here, &hole.takes) {
                let words = words.iter().chain(&hole.absent);
                let words = words.filter(|word| word.starts_with(last));
                found.extend(words.map(|word| format!("{lead}{word}")));
            }
        }
        found
    }
}
