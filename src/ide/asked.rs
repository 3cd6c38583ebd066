//! The lines of a transcript that begin with `#?`: they ask as the rules are written, so names in them mean what they mean
//! there.

use std::{ops::Range, rc::Rc};

use super::{Label, Workspace, document::Document, family::Family};
use crate::{game::pinned, syntax::is_name, transcript::QUESTION};

/// What stands before a line that asks, so that it reads as part of a rule file.
const BEFORE: &str = "example q { expect ";

/// What stands after it.
const AFTER: &str = " }\n";

/// The bytes of lines that ask, each as they stand in what is read in their place and as they stand in the transcript.
#[derive(Debug)]
pub(super) struct Lines(Vec<(Range<usize>, Range<usize>)>);

impl Lines {
    /// The lines of a transcript, and the examples of a variant that are read in their place.
    fn read(header: &str, transcript: &str) -> (String, Lines) {
        let mut text = header.to_string();
        let mut lines = Vec::new();
        let mut start = 0;
        for line in transcript.split_inclusive('\n') {
            let asked = line.strip_prefix(QUESTION);
            let asked = asked.map(|asked| asked.trim_end_matches(['\n', '\r']));
            if let Some(asked) = asked.filter(|asked| pinned(asked).is_none()) {
                text += BEFORE;
                let own = start + QUESTION.len();
                lines.push((text.len()..text.len() + asked.len(), own..own + asked.len()));
                text += &as_example(asked);
                text += AFTER;
            }
            start += line.len();
        }
        (text, Lines(lines))
    }

    /// Where something that is read in their place stands in the transcript.
    pub(super) fn place(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let mut lines = self.0.iter();
        let (read, own) =
            lines.find(|(read, _)| read.start <= range.start && range.end <= read.end)?;
        let moved = |at: usize| at - read.start + own.start;
        Some(moved(range.start)..moved(range.end))
    }

    /// Where a byte of the transcript is read.
    fn read_at(&self, offset: usize) -> Option<usize> {
        let mut lines = self.0.iter();
        let (read, own) = lines.find(|(_, own)| own.start <= offset && offset <= own.end)?;
        Some(offset - own.start + read.start)
    }
}

/// A line as an example would have it, its bytes in the same places: `refused poor` is `refused.poor` there, and lines of
/// a transcript have nothing to do with names of rules.
fn as_example(asked: &str) -> String {
    let words: Vec<&str> = asked.split_whitespace().collect();
    let parts = words.strip_prefix(&["not"]).unwrap_or(&words);
    match parts {
        ["moves", ..] => " ".repeat(asked.len()),
        [fact, row] if is_name(fact) && is_name(row) => {
            let start = asked.find(fact).map_or(0, |start| start + fact.len());
            let mut text = asked.to_string();
            if text.get(start..=start) == Some(" ") {
                text.replace_range(start..=start, ".");
            }
            text
        }
        _ => asked.to_string(),
    }
}

impl Workspace {
    /// What is known where a file is written, and the byte of it that is meant; nothing in a transcript, but for what it
    /// asks.
    pub(super) fn looking(&self, file: &str, offset: usize) -> Option<(Family, usize)> {
        self.looking_by(file, offset, Family::find)
    }

    /// The same, with the other games that use the game.
    pub(super) fn looking_far(&self, file: &str, offset: usize) -> Option<(Family, usize)> {
        self.looking_by(file, offset, Family::with_users)
    }

    fn looking_by(
        &self,
        file: &str,
        offset: usize,
        find: impl Fn(&Workspace, &str) -> Family,
    ) -> Option<(Family, usize)> {
        let Some(label) = self.labels.get(file) else {
            return Some((find(self, file), offset));
        };
        let game = label.game.split('+').next()?;
        let mut family = find(self, &self.library.find(game).ok()?.name);
        family.at = family.ask(self, file, label)?;
        let (_, lines) = family.asked.last()?;
        let offset = lines.read_at(offset)?;
        Some((family, offset))
    }

    /// Whether `offset` stands in what a transcript asks.
    #[must_use]
    pub fn is_asked(&self, file: &str, offset: usize) -> bool {
        let text = self.text(file).unwrap_or_default();
        let start = text.get(..offset).and_then(|before| before.rfind('\n'));
        let line = text.get(start.map_or(0, |end| end + 1)..).unwrap_or("");
        line.starts_with(QUESTION) && self.labels.contains_key(file)
    }
}

impl Family {
    /// Adds what a transcript of one of its games asks; gives its number among the documents.
    pub(super) fn ask(
        &mut self,
        workspace: &Workspace,
        file: &str,
        label: &Label,
    ) -> Option<usize> {
        let transcript = workspace.text(file)?;
        let (name, of) = self.docs.get(self.at)?.header()?;
        let game = of.unwrap_or(name);
        let own = of.map(|_| name).into_iter();
        let with: Vec<&str> = own.chain(label.game.split('+').skip(1)).collect();
        let header = match with.as_slice() {
            [] => format!("variant q of {game}\n"),
            with => format!("variant q of {game} with {}\n", with.join(", ")),
        };
        let (text, lines) = Lines::read(&header, &transcript);
        let doc = self.docs.len();
        self.docs.push(Rc::new(Document::new(file, &text)));
        self.asked.push((doc, lines));
        Some(doc)
    }
}
