//! A diagnostic as data for other programs, with files, lines and columns in place of byte spans.

use serde::Serialize;

use super::{Diagnostic, Severity};
use crate::source::{Position, Sources, Span};

/// The version of [`Data`]. It changes when a field is removed or changes its meaning, not when one is added.
pub const VERSION: u32 = 1;

/// A diagnostic that can be serialised. `docs/diagnostics.schema.json` describes its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Data {
    /// The version of this object, [`VERSION`]. It changes when a field is removed or changes its meaning, not when one is
    /// added.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    pub version: u32,
    /// The code of the mistake, as in `error[unknown-name]`.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The places, that of the mistake first. Empty if no text is at fault, as when a file is missing.
    pub labels: Vec<LabelData>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to write instead.
    pub helps: Vec<String>,
    /// Edits that do the same, each for one help by itself.
    pub edits: Vec<EditData>,
    /// What could come where a transcript cannot be read on.
    pub expected: Vec<Expected>,
    /// The state of the game before the mistake, as far as it can be shown.
    pub state: Vec<StateShown>,
}

/// Something that could come where a transcript cannot be read on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Expected {
    /// How it is written, as in `<from> <to>`.
    pub pattern: String,
    /// The event it is, if it is one.
    pub event: Option<String>,
    /// Whether it is possible now.
    pub now: bool,
    /// Why the actual text does not match it, or why it is not possible now.
    pub reason: Option<String>,
}

/// A state of a game, shown to people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StateShown {
    /// Its name.
    pub name: String,
    /// Its value as text; for a state with a `write … as` picture, the lines of the picture.
    pub value: String,
    /// Whether the value is a picture.
    pub drawn: bool,
}

impl StateShown {
    /// The states of a game on one line, with pictures below it.
    pub(crate) fn line(states: &[StateShown]) -> String {
        let (drawn, written): (Vec<_>, Vec<_>) = states.iter().partition(|state| state.drawn);
        let parts = written.iter().map(|state| match state.value.as_str() {
            "" => format!("{} nothing", state.name),
            value => format!("{} {value}", state.name),
        });
        let mut line = parts.collect::<Vec<String>>().join(", ");
        for state in drawn {
            line.extend(["\n", &state.name, ":\n", &state.value]);
        }
        line
    }
}

/// An edit of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct EditData {
    /// The file, as in [`LabelData`].
    pub file: String,
    /// The start of the text to replace.
    #[serde(flatten)]
    pub start: Position,
    /// The position after its last character; equal to `start` for an insertion.
    pub end: Position,
    /// The new text.
    pub text: String,
    /// Whether it surely does what the author means.
    pub certain: bool,
}

/// A place with a text about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LabelData {
    /// The file, as the user named it, or the name of a shipped rule file.
    pub file: String,
    /// Where it starts.
    #[serde(flatten)]
    pub start: Position,
    /// The position after its last character.
    pub end: Position,
    /// The text about it; may be empty.
    pub text: String,
}

impl Data {
    /// An error without a place.
    #[must_use]
    pub fn placeless(code: &str, message: impl Into<String>, helps: Vec<String>) -> Data {
        Data {
            version: VERSION,
            code: code.to_string(),
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps,
            edits: Vec::new(),
            expected: Vec::new(),
            state: Vec::new(),
        }
    }
}

impl Diagnostic {
    /// The diagnostic as data for other programs. `sources` must hold the texts of its spans.
    ///
    /// ```
    /// use referee::{game::Game, library::Library};
    ///
    /// let rules = "game tally \"Tally\"\non start { fact over = turm is 1 }\ntranscript by words { start }\n";
    /// let invalid = Game::from_text("tally.rules", rules, &Library::shipped(), &[]).unwrap_err();
    /// let mut found = invalid.diagnostics.iter().map(|diagnostic| diagnostic.to_data(&invalid.sources));
    /// let data = found.find(|data| data.code == "unknown-name").expect("it is misspelt");
    /// assert_eq!((data.labels[0].start.line, data.labels[0].start.column), (2, 24));
    /// ```
    #[must_use]
    pub fn to_data(&self, sources: &Sources) -> Data {
        let mut labels = vec![label(self.span, &self.label, sources)];
        let others = self.labels.iter();
        labels.extend(others.map(|other| label(other.span, &other.text, sources)));
        let edits = self.edits.iter().map(|edit| EditData {
            file: edit.file(sources).to_owned(),
            start: sources.position(edit.span),
            end: sources.position(edit.span.tail()),
            text: edit.text.clone(),
            certain: edit.certain,
        });
        Data {
            version: VERSION,
            code: self.code.slug().to_string(),
            severity: self.severity,
            message: self.message.clone(),
            labels,
            notes: self.notes.clone(),
            helps: self.help.clone(),
            edits: edits.collect(),
            expected: self.expected.clone(),
            state: self.state.clone(),
        }
    }
}

fn label(span: Span, text: &str, sources: &Sources) -> LabelData {
    let name = sources.get(span.source).map(|source| source.name.clone());
    LabelData {
        file: name.unwrap_or_default(),
        start: sources.position(span),
        end: sources.position(span.tail()),
        text: text.to_string(),
    }
}
