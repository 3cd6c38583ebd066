//! Drawing a diagnostic: the message, the lines it speaks of, notes and help.

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
        let mut snippet = Snippet::source(source.text.as_str())
            .path(source.name.as_str())
            .line_start(source.first_line);
        for (span, text, kind) in marks.iter().filter(|(span, _, _)| span.source == id) {
            let annotation = kind.span(inside(*span, &source.text));
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

/// The span as a range that lies in `text` and does not cut a character.
fn inside(span: Span, text: &str) -> std::ops::Range<usize> {
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
