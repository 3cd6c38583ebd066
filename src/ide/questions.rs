//! Questions in a transcript (lines that begin with `#?`): names in them mean the same as in the rules.

use std::{ops::Range, rc::Rc};

use super::{Label, Workspace, document::Document, family::Family};
use crate::{game::pinned, syntax::is_name, transcript::QUESTION};

/// The text before a question that makes it part of a rule file.
const BEFORE: &str = "example q { expect ";

/// The text after it.
const AFTER: &str = " }\n";

/// The ranges of questions, in the generated examples and in the transcript, in bytes.
#[derive(Debug)]
pub(super) struct QuestionLines(Vec<(Range<usize>, Range<usize>)>);

impl QuestionLines {
    /// Reads the questions of a transcript, and generates examples of a variant from them.
    fn read(header: &str, transcript: &str) -> (String, QuestionLines) {
        let mut text = header.to_string();
        let mut lines = Vec::new();
        let mut start = 0;
        for line in transcript.split_inclusive('\n') {
            let question = line.strip_prefix(QUESTION);
            let question = question.map(|question| question.trim_end_matches(['\n', '\r']));
            if let Some(question) = question.filter(|question| pinned(question).is_none()) {
                text += BEFORE;
                let own = start + QUESTION.len();
                lines.push((
                    text.len()..text.len() + question.len(),
                    own..own + question.len(),
                ));
                text += &as_example(question);
                text += AFTER;
            }
            start += line.len();
        }
        (text, QuestionLines(lines))
    }

    /// The place in the transcript of a range in the generated text.
    pub(super) fn place(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let mut lines = self.0.iter();
        let (read, own) =
            lines.find(|(read, _)| read.start <= range.start && range.end <= read.end)?;
        let moved = |at: usize| at - read.start + own.start;
        Some(moved(range.start)..moved(range.end))
    }

    /// The offset in the generated text of an offset in the transcript.
    fn read_at(&self, offset: usize) -> Option<usize> {
        let mut lines = self.0.iter();
        let (read, own) = lines.find(|(_, own)| own.start <= offset && offset <= own.end)?;
        Some(offset - own.start + read.start)
    }
}

/// A question as an expectation of an example, with the same offsets: `refused poor` becomes `refused.poor`. Lines of
/// the transcript are blanked, because they have no names of the rules.
fn as_example(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    let parts = words.strip_prefix(&["not"]).unwrap_or(&words);
    match parts {
        ["moves", ..] => " ".repeat(question.len()),
        [fact, row] if is_name(fact) && is_name(row) => {
            let start = question.find(fact).map_or(0, |start| start + fact.len());
            let mut text = question.to_string();
            if text.get(start..=start) == Some(" ") {
                text.replace_range(start..=start, ".");
            }
            text
        }
        _ => question.to_string(),
    }
}

impl Workspace {
    /// The declarations that are visible in a file, and the offset to look at; in a transcript, only for questions.
    pub(super) fn family_at(&self, file: &str, offset: usize) -> Option<(Family, usize)> {
        self.looking_by(file, offset, Family::find)
    }

    /// The same, with the other games that use the game.
    pub(super) fn family_with_users_at(
        &self,
        file: &str,
        offset: usize,
    ) -> Option<(Family, usize)> {
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
        family.at = family.add_questions(self, file, label)?;
        let (_, lines) = family.questions.last()?;
        let offset = lines.read_at(offset)?;
        Some((family, offset))
    }

    /// Whether `offset` is in a question of a transcript.
    #[must_use]
    pub fn is_in_question(&self, file: &str, offset: usize) -> bool {
        let text = self.text(file).unwrap_or_default();
        let start = text.get(..offset).and_then(|before| before.rfind('\n'));
        let line = text.get(start.map_or(0, |end| end + 1)..).unwrap_or("");
        line.starts_with(QUESTION) && self.labels.contains_key(file)
    }
}

impl Family {
    /// Adds the questions of a transcript of one of the games. Returns the number of their document.
    pub(super) fn add_questions(
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
        let (text, lines) = QuestionLines::read(&header, &transcript);
        let doc = self.docs.len();
        self.docs.push(Rc::new(Document::new(file, &text)));
        self.questions.push((doc, lines));
        Some(doc)
    }
}
