//! The texts that diagnostics refer to, rule files and transcripts, and places in them.

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

use serde::Serialize;

/// The mark that some editors put at the start of a file. It is removed when a file is read.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The index of a [`Source`] in its [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct SourceId(pub(crate) u16);

/// A range of bytes of one source, `start..end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Span {
    /// Which text.
    pub(crate) source: SourceId,
    /// The first byte.
    pub(crate) start: u32,
    /// The byte after the last one.
    pub(crate) end: u32,
}

impl Span {
    /// The bytes `range` of `source`.
    #[must_use]
    pub(crate) fn new(source: SourceId, range: Range<usize>) -> Span {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            source,
            start: clamp(range.start),
            end: clamp(range.end),
        }
    }

    /// From the start of this span to the end of `other`.
    #[must_use]
    pub(crate) fn to(self, other: Span) -> Span {
        Span {
            end: other.end.max(self.end),
            ..self
        }
    }

    /// Whether `other` is within this span.
    #[must_use]
    pub(crate) fn contains(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }

    /// The empty span where this one begins.
    #[must_use]
    pub(crate) fn head(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// The empty span where this one ends.
    #[must_use]
    pub(crate) fn tail(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// The span as a range of byte offsets.
    #[must_use]
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text with its name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    /// Its name in diagnostics: a path as the user gave it, or the name of a shipped rule file.
    pub(crate) name: String,
    /// Its whole text, or the relevant part of it.
    pub(crate) text: String,
    /// The number of its first line.
    pub(crate) first_line: usize,
    /// How many characters of that line come before the text.
    pub(crate) skipped: usize,
    /// The offsets of its line ends, computed when a line number is first needed.
    pub(crate) ends: OnceLock<Vec<u32>>,
}

impl Source {
    /// The index of the line with a byte of its text, from 0.
    pub(crate) fn line(&self, byte: usize) -> usize {
        let ends = self.ends.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', self.text.as_bytes());
            ends.map(|end| u32::try_from(end).unwrap_or(u32::MAX))
                .collect()
        });
        ends.partition_point(|end| (*end as usize) < byte)
    }
}

/// A position for people: line and column from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// All texts of one game: the rule file, its variants, and the files it uses.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    list: Vec<Source>,
    /// The citations of published rules, by the span of the rule that cites.
    citations: BTreeMap<Span, String>,
}

impl Sources {
    /// Adds a text and returns its id.
    pub(crate) fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.add_part(Source {
            name: name.into(),
            text: text.into(),
            first_line: 1,
            ..Source::default()
        })
    }

    /// Adds a part of a text and returns its id.
    pub(crate) fn add_part(&mut self, source: Source) -> SourceId {
        let id = SourceId(u16::try_from(self.list.len()).unwrap_or(u16::MAX));
        self.list.push(source);
        id
    }

    /// Records that the rule at `span` cites a place in a book.
    pub(crate) fn cite(&mut self, span: Span, place: String) {
        self.citations.insert(span, place);
    }

    /// The place in a book that the rule at `span` cites, if it cites one.
    #[must_use]
    pub(crate) fn cited(&self, span: Span) -> Option<&str> {
        self.citations.get(&span).map(String::as_str)
    }

    /// The same sources, with `text` in place of that of `id`, which must be as long.
    pub(crate) fn replaced(&self, id: SourceId, text: String) -> Sources {
        let mut sources = self.clone();
        if let Some(source) = sources.list.get_mut(usize::from(id.0)) {
            source.text = text;
            source.ends = OnceLock::new();
        }
        sources
    }

    /// Removes the folders from the names of all texts.
    pub fn drop_folders(&mut self) {
        for source in &mut self.list {
            if let Some((_, name)) = source.name.rsplit_once(['/', '\\']) {
                source.name = name.to_string();
            }
        }
    }

    /// Changes the name of all texts called `from`.
    pub fn rename(&mut self, from: &str, to: &str) {
        for source in &mut self.list {
            if source.name == from {
                source.name = to.to_string();
            }
        }
    }

    /// The texts in order, each after its name in diagnostics.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let list = self.list.iter();
        list.map(|source| (source.name.as_str(), source.text.as_str()))
    }

    /// The source of this name and text, if there is one.
    pub(crate) fn find(&self, name: &str, text: &str) -> Option<SourceId> {
        let mut list = self.list.iter();
        let place = list.position(|source| source.name == name && source.text == text)?;
        u16::try_from(place).ok().map(SourceId)
    }

    /// The source with this id, if there is one.
    #[must_use]
    pub(crate) fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(usize::from(id.0))
    }

    /// The text that `span` covers; empty if it is outside its source.
    #[must_use]
    pub(crate) fn text(&self, span: Span) -> &str {
        self.get(span.source)
            .and_then(|source| source.text.get(span.range()))
            .unwrap_or_default()
    }

    /// Line and column of the first byte of `span`.
    #[must_use]
    pub(crate) fn position(&self, span: Span) -> Position {
        let Some(source) = self.get(span.source) else {
            return Position { line: 1, column: 1 };
        };
        let before = source.text.get(..span.start as usize);
        let before = before.unwrap_or(&source.text);
        let line_start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        Position {
            line: source.line(before.len()) + source.first_line,
            column: if line_start == 0 {
                column + source.skipped
            } else {
                column
            },
        }
    }
}
