//! Drawing a diagnostic as text: the message, the lines that it refers to, notes and help.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{
    Diagnostic, Severity,
    mask::{is_obeyed, masked, masked_line},
};
use crate::source::{Sources, Span};

/// Whether a drawing may use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text, the same on every machine.
    Never,
    /// With terminal colours.
    Always,
}

/// Draws `diagnostic` with excerpts of `sources`.
pub(super) fn draw(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(masked(&diagnostic.message))
        .id(diagnostic.code.slug());
    let mut group = Group::with_title(title);
    for snippet in snippets(diagnostic, sources) {
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(masked(note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(masked(help)));
    }
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// One snippet for each source that has a label, the one with the mistake first.
fn snippets<'d>(
    diagnostic: &'d Diagnostic,
    sources: &'d Sources,
) -> Vec<Snippet<'d, annotate_snippets::Annotation<'d>>> {
    let mut marks: Vec<(Span, &str, AnnotationKind)> = vec![(
        diagnostic.span,
        diagnostic.label.as_str(),
        AnnotationKind::Primary,
    )];
    for label in &diagnostic.labels {
        marks.push((label.span, label.text.as_str(), AnnotationKind::Context));
    }
    let mut ids = Vec::new();
    for (span, _, _) in &marks {
        if !ids.contains(&span.source) {
            ids.push(span.source);
        }
    }
    let mut snippets = Vec::new();
    for id in ids {
        let Some(source) = sources.get(id) else {
            continue;
        };
        let marks = marks.iter().filter(|(span, _, _)| span.source == id);
        let spans = marks.clone().map(|(span, _, _)| *span);
        let lines = lines_of(spans, &source.text);
        let text = Visible::new(source.text.get(lines.clone()).unwrap_or(""));
        let mut snippet = Snippet::source(text.text.clone())
            .path(masked_line(&source.name))
            .line_start(source.first_line + source.line(lines.start));
        for (span, label, kind) in marks {
            let place = inside(*span, &source.text);
            let range =
                text.offset(place.start - lines.start)..text.offset(place.end - lines.start);
            let annotation = kind.span(range);
            snippet = snippet.annotation(if label.is_empty() {
                annotation
            } else {
                annotation.label(masked(label))
            });
        }
        snippets.push(snippet);
    }
    snippets
}

/// The lines that contain `spans`; the renderer need not see others.
fn lines_of(spans: impl Iterator<Item = Span>, text: &str) -> Range<usize> {
    let places = spans.map(|span| inside(span, text));
    let places = places.reduce(|one, two| one.start.min(two.start)..one.end.max(two.end));
    let places = places.unwrap_or(0..0);
    let bytes = text.as_bytes();
    // The end of the text is drawn at the end of its last line.
    let before = places.start.min(text.len().saturating_sub(1));
    let start = memchr::memrchr(b'\n', bytes.get(..before).unwrap_or(&[]));
    let end = memchr::memchr(b'\n', bytes.get(places.end..).unwrap_or(&[]));
    start.map_or(0, |newline| newline + 1)
        ..end.map_or(text.len(), |newline| places.end + newline + 1)
}

/// A source's text without the control characters that a terminal obeys, except C0: the renderer replaces those itself,
/// and counts their columns.
struct Visible<'s> {
    text: Cow<'s, str>,
    /// The byte offsets after which the text is longer than the source, each with by how much.
    grown: Vec<(usize, usize)>,
}

impl<'s> Visible<'s> {
    fn new(source: &'s str) -> Visible<'s> {
        let is_hidden = |character: char| is_obeyed(character) && !character.is_ascii();
        if !source.contains(is_hidden) {
            return Visible {
                text: Cow::Borrowed(source),
                grown: Vec::new(),
            };
        }
        let mut text = String::with_capacity(source.len());
        let mut grown = Vec::new();
        for (place, character) in source.char_indices() {
            if is_hidden(character) {
                let replacement = char::REPLACEMENT_CHARACTER;
                grown.push((place, replacement.len_utf8() - character.len_utf8()));
                text.push(replacement);
            } else {
                text.push(character);
            }
        }
        Visible {
            text: Cow::Owned(text),
            grown,
        }
    }

    /// The offset in the visible text of a byte of the source.
    fn offset(&self, place: usize) -> usize {
        let before = self.grown.iter().take_while(|(at, _)| *at < place);
        place + before.map(|(_, by)| by).sum::<usize>()
    }
}

/// The span as a range within `text`, at boundaries of characters.
fn inside(span: Span, text: &str) -> Range<usize> {
    let floor = |mut offset: usize| {
        offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    };
    let start = floor(span.start as usize);
    start..floor(span.end as usize).max(start)
}
