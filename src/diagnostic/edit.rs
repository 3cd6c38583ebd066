//! Edits that fix a mistake.

use std::{collections::BTreeMap, ops::Range};

use super::Diagnostic;
use crate::source::{Sources, Span};

/// A change of text that does what a help of its [`Diagnostic`] suggests.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The text to replace; may be empty.
    pub(crate) span: Span,
    /// The new text.
    pub text: String,
    /// Whether it surely does what the author means. Otherwise there may be several to choose from.
    pub certain: bool,
}

impl Edit {
    /// The bytes that it replaces.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.span.range()
    }

    /// The name of the file that it changes.
    #[must_use]
    pub fn file<'s>(&self, sources: &'s Sources) -> &'s str {
        sources
            .get(self.span.source)
            .map_or("", |source| source.name.as_str())
    }

    /// The whole text of that file after the edit; none if the span is not in it.
    #[must_use]
    pub fn applied(&self, sources: &Sources) -> Option<String> {
        replaced(&sources.get(self.span.source)?.text, &[self])
    }
}

/// The texts, by name, that the certain edits of some diagnostics change, after the edits. Of edits that touch each
/// other, only the first is applied; check the result again for the rest.
#[must_use]
pub fn edited(diagnostics: &[Diagnostic], sources: &Sources) -> BTreeMap<String, String> {
    let edits = diagnostics.iter().flat_map(|diagnostic| &diagnostic.edits);
    let mut edits: Vec<&Edit> = edits.filter(|edit| edit.certain).collect();
    edits.sort();
    edits.dedup_by(|next, kept| {
        next.span.source == kept.span.source && next.span.start <= kept.span.end
    });
    let by_source = edits.chunk_by(|one, next| one.span.source == next.span.source);
    by_source
        .filter_map(|edits| {
            let source = sources.get(edits.first()?.span.source)?;
            Some((source.name.clone(), replaced(&source.text, edits)?))
        })
        .collect()
}

/// A text after edits, which are in order.
fn replaced(text: &str, edits: &[&Edit]) -> Option<String> {
    let mut changed = text.to_owned();
    for edit in edits.iter().rev() {
        changed.get(edit.range())?;
        changed.replace_range(edit.range(), &edit.text);
    }
    Some(changed)
}
