//! Diagnostics: mistakes as data, and their drawing as text.

mod code;
mod data;
mod draw;
mod edit;
mod lint;
mod mask;

pub use crate::source::{Position, Sources};
pub use code::Code;
pub use data::{Data, EditData, Expected, LabelData, StateShown, VERSION};
pub use draw::Colour;
pub use edit::{Edit, edited};
pub use lint::{LINTS, Level, Lint};
pub(crate) use lint::{retain_unallowed, useless_allows};
pub use mask::{is_obeyed, masked, masked_line};

use std::{collections::BTreeMap, ops::Range};

use serde::Serialize;

use crate::source::Span;

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing runs.
    Error,
    /// It runs, but probably not as its author intends.
    Warning,
}

/// A further place, with a text about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    /// The place.
    pub(crate) span: Span,
    /// The text about it.
    pub(crate) text: String,
}

/// A mistake in a rule file, or a transcript that cannot be right.
///
/// It addresses the author of the rules or the transcript, in the terms of the language and of their game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The sort of mistake.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub(crate) span: Span,
    /// The text at that place; may be empty.
    pub(crate) label: String,
    /// Other places that matter.
    pub(crate) labels: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Vec<String>,
    /// Edits that do the same, each for one help by itself.
    pub edits: Vec<Edit>,
    /// What could come where a transcript cannot be read on; the notes say the same.
    pub expected: Vec<Expected>,
    /// The state of the game before the mistake, as far as it can be shown; a note says the same.
    pub state: Vec<StateShown>,
}

impl Diagnostic {
    /// An error.
    #[must_use]
    pub(crate) fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            edits: Vec::new(),
            expected: Vec::new(),
            state: Vec::new(),
        }
    }

    /// A warning.
    #[must_use]
    pub(crate) fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Sets the text at the place itself.
    #[must_use]
    pub(crate) fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub(crate) fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a note.
    #[must_use]
    pub(crate) fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a help.
    #[must_use]
    pub(crate) fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds an edit. `certain` if it surely does what the author means; people choose among others.
    #[must_use]
    pub(crate) fn edit(mut self, span: Span, text: impl Into<String>, certain: bool) -> Diagnostic {
        let text = text.into();
        self.edits.push(Edit {
            span,
            text,
            certain,
        });
        self
    }

    /// Suggests `text` for the place of the mistake, as a certain edit.
    #[must_use]
    pub(crate) fn write(self, text: String) -> Diagnostic {
        let span = self.span;
        self.help(format!("write `{text}`")).edit(span, text, true)
    }

    /// Suggests the nearest of `names`, if one is near enough.
    #[must_use]
    pub(crate) fn did_you_mean<'n>(
        self,
        written: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        match nearest(written, names) {
            // In a longer place, the name could be anywhere.
            Some(name) if self.range().len() == written.len() => {
                let span = self.span;
                self.help(format!("did you mean `{name}`?"))
                    .edit(span, name, false)
            }
            Some(name) => self.help(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// Its bytes in its text.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.span.range()
    }

    /// Draws it as text for people, with the lines that it refers to.
    #[must_use]
    pub fn draw(&self, sources: &Sources, colour: Colour) -> String {
        draw::draw(self, sources, colour)
    }
}

/// After how many mistakes the search for similar names stops: each searches all names of the game.
pub(crate) const SUGGESTIONS: usize = 200;

/// The candidates for a name similar to a wrong one; none after many mistakes.
pub(crate) fn candidates<'n>(
    mistakes: &[Diagnostic],
    names: impl Iterator<Item = &'n String>,
) -> Vec<String> {
    if mistakes.len() < SUGGESTIONS {
        names.cloned().collect()
    } else {
        Vec::new()
    }
}

/// How many other lines a message lists where the same mistake is.
const LINES: usize = 6;

/// How many diagnostics are shown at once.
const MOST_SHOWN: usize = 100;

/// The first [`MOST_SHOWN`] diagnostics, with errors before warnings if some must be left out: nobody reads more, and
/// drawing them takes time.
pub(crate) fn capped(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    if found.len() > MOST_SHOWN && found.iter().any(is_error) {
        found.retain(is_error);
    }
    let rest = found.len().saturating_sub(MOST_SHOWN);
    found.truncate(MOST_SHOWN);
    if rest > 0
        && let Some(last) = found.last_mut()
    {
        let are = if rest == 1 { "is" } else { "are" };
        last.notes.push(format!(
            "there {are} {rest} more, which you see once these are fixed"
        ));
    }
    found
}

/// Sorts diagnostics, and keeps one for each unknown name, so that a misspelt declaration causes one message and not
/// one for each use.
pub(crate) fn gather(mut diagnostics: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    diagnostics.dedup();
    let mut gathered: Vec<Diagnostic> = Vec::new();
    let mut others: Vec<Vec<usize>> = Vec::new();
    let mut first: BTreeMap<(Code, String), usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        let name = match diagnostic.code {
            Code::UnknownName | Code::UnknownType => sources.text(diagnostic.span).to_string(),
            _ => diagnostic.message.clone(),
        };
        let unknown = matches!(
            diagnostic.code,
            Code::UnknownName | Code::UnknownType | Code::NoAttribute
        );
        if unknown && let Some(index) = first.get(&(diagnostic.code, name.clone())) {
            others[*index].push(sources.position(diagnostic.span).line);
            continue;
        }
        if unknown {
            first.insert((diagnostic.code, name), gathered.len());
        }
        gathered.push(diagnostic);
        others.push(Vec::new());
    }
    for (diagnostic, mut lines) in gathered.iter_mut().zip(others) {
        let here = sources.position(diagnostic.span).line;
        lines.retain(|line| *line != here);
        lines.dedup();
        if lines.is_empty() {
            continue;
        }
        let mut named: Vec<String> = lines.iter().take(LINES).map(ToString::to_string).collect();
        if lines.len() > LINES {
            named.truncate(LINES - 1);
            named.push("others".into());
        }
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let note = format!("the same in {noun} {}", listed(&named, "and"));
        diagnostic.notes.push(note);
    }
    gathered
}

/// How many characters of what was asked messages repeat.
const REPEATED: usize = 80;

/// What was asked, or so much of it that it is known again.
pub(crate) fn repeated(text: &str) -> String {
    let more = text.chars().nth(REPEATED).map(|_| '…');
    text.chars().take(REPEATED).chain(more).collect()
}

/// The name nearest to `written` by edit distance (Damerau-Levenshtein), if one is near enough to be intended; the
/// first in the alphabet if several are equally near.
pub(crate) fn nearest<'n>(
    written: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let allowed = (written.chars().count() / 3).clamp(1, 3);
    let small = written.to_lowercase();
    let length = small.chars().count();
    names
        .into_iter()
        .filter(|name| *name != written)
        .filter_map(|name| {
            let other = name.to_lowercase();
            let is_near = other.chars().count().abs_diff(length) <= allowed;
            is_near.then(|| (strsim::damerau_levenshtein(&small, &other), name))
        })
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .min()
        .map(|(_, name)| name)
}

/// `1 row`, `2 rows`: a count with its noun.
#[must_use]
pub fn numbered(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// A name with its article: `a Ball`, `an Outcome`.
#[must_use]
pub(crate) fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// How many names a message lists at most.
const LISTED: usize = 12;

/// `a`, `a or b`, `a, b or c`, each in backticks; at most a dozen.
pub fn alternatives<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    quoted(names, "or")
}

/// `a`, `a and b`, `a, b and c`, each in backticks; at most a dozen.
pub(crate) fn enumerated<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    quoted(names, "and")
}

fn quoted<S: AsRef<str>>(names: impl IntoIterator<Item = S>, word: &str) -> String {
    let names = names.into_iter().map(|name| format!("`{}`", name.as_ref()));
    let names: Vec<String> = names.collect();
    match names.get(..LISTED) {
        Some(some) if names.len() > LISTED => format!("{}, …", some.join(", ")),
        _ => listed(&names, word),
    }
}

/// `a`, `a and b`, `a, b and c`, joined by `word`.
#[must_use]
pub fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}
