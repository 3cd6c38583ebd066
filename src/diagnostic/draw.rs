//! Drawing a diagnostic: the message, the lines it speaks of, notes and help.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Whether a drawing may use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text, the same on every machine.
    Never,
    /// With terminal colours.
    Always,
}

/// Draws `diagnostic` over the texts it points into.
pub(super) fn draw(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.slug());
    let mut group = Group::with_title(title);
    for snippet in snippets(diagnostic, sources) {
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
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
        let before = source.text.get(..lines.start).unwrap_or("");
        let mut snippet = Snippet::source(source.text.get(lines.clone()).unwrap_or(""))
            .path(source.name.as_str())
            .line_start(source.first_line + bytecount::count(before.as_bytes(), b'\n'));
        for (span, text, kind) in marks {
            let place = inside(*span, &source.text);
            let annotation = kind.span(place.start - lines.start..place.end - lines.start);
            snippet = snippet.annotation(if text.is_empty() {
                annotation
            } else {
                annotation.label(*text)
            });
        }
        snippets.push(snippet);
    }
    snippets
}

/// The lines that `spans` lie on: drawing looks at no others.
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

/// The span as a range that lies in `text` and does not cut a character.
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
