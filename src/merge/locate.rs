//! Resolves the path of a change to its target.

use super::{
    Merging, failures, forms,
    targets::{STEPS, Target},
};
use crate::{
    diagnostic::Diagnostic,
    source::Span,
    syntax::ast::{self, AddedRow, Item},
};

/// The sort of target that a path must lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A definition or a list of rows.
    Whole,
    /// A row or member.
    Row,
    /// Either.
    Either,
}

/// The target of a path.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) target: Target,
    /// The index of the row.
    pub(super) row: Option<usize>,
}

impl Found {
    /// Its place in the source.
    pub(super) fn span(&self) -> Span {
        let row = self
            .row
            .and_then(|row| self.target.rows.as_ref().and_then(|rows| rows.get(row)));
        row.map_or(self.target.span, |row| row.span)
    }

    /// Whether it is the step that starts a game.
    pub(super) fn is_start(&self) -> bool {
        let rows = self.target.rows.as_deref().unwrap_or_default();
        let label = self.row.and_then(|row| rows.get(row)?.label.as_deref());
        self.target.what == STEPS && label == Some("start")
    }
}

/// The only target that was found, if one was.
pub(super) fn only(
    path: &ast::Path,
    mut found: Vec<Found>,
) -> Result<Option<Found>, Box<Diagnostic>> {
    if found.len() > 1 {
        return Err(Box::new(failures::ambiguous_target(path, &found)));
    }
    Ok(found.pop())
}

/// The text of a path.
pub(super) fn written(path: &ast::Path) -> String {
    let parts: Vec<&str> = path.parts.iter().map(|part| part.text.as_str()).collect();
    parts.join(".")
}

/// All `targets` that the path fits.
pub(super) fn matching(targets: &[Target], path: &str, wanted: Wanted) -> Vec<Found> {
    let mut found = Vec::new();
    let outer = path.rsplit_once('.');
    for target in targets {
        if wanted != Wanted::Row && target.path == path {
            found.push(Found {
                target: target.clone(),
                row: None,
            });
        }
        if let Some((outer, label)) = outer
            && wanted != Wanted::Whole
            && target.path == outer
        {
            found.extend(target.rows_called(label).into_iter().map(|row| Found {
                target: target.clone(),
                row: Some(row),
            }));
        }
    }
    found
}

impl Merging<'_> {
    /// The failure of `replace event.guard: c`, where there are no rows and `=` is meant.
    pub(super) fn one_value(&self, path: &ast::Path, row: &AddedRow) -> Option<Diagnostic> {
        let AddedRow::Row(row) = row else {
            return None;
        };
        let value = forms::bare(row)?;
        let (targets, text) = (self.targets(), written(path));
        let target = targets.iter().find(|target| target.path == text)?;
        let is_row = !matching(&targets, &text, Wanted::Row).is_empty();
        (!is_row && target.has_one_value()).then(|| failures::has_no_rows(path, target, value))
    }

    /// The targets of a change's path; if there are none, that is reported. Several are possible only for whole clauses
    /// that add up.
    pub(super) fn locate(&mut self, path: &ast::Path, wanted: Wanted) -> Vec<Found> {
        let targets = self.targets();
        let text = written(path);
        let found = matching(&targets, &text, wanted);
        let alike = |other: &Found| {
            found.first().is_some_and(|first| {
                first.row.is_none() && other.row.is_none() && first.target.what == other.target.what
            })
        };
        match found.len() {
            0 => {
                if let Some(step) = self.history.removal_of(&text).cloned() {
                    let failure = failures::lost(path, &step, self.layer, self.layers);
                    self.diagnostics.push(failure);
                } else if self
                    .items
                    .iter()
                    .any(|item| matches!(item, Item::Alias(alias) if alias.name.text == text))
                {
                    self.diagnostics.push(failures::named_type(path, None));
                } else if let Some(failure) = self.own_event(path) {
                    self.diagnostics.push(failure);
                } else {
                    self.diagnostics
                        .push(failures::unknown_target(path, wanted, &targets));
                }
                Vec::new()
            }
            1 => found,
            _ if found.iter().all(alike) => found,
            _ => {
                self.diagnostics
                    .push(failures::ambiguous_target(path, &found));
                Vec::new()
            }
        }
    }

    /// The error for a path into an event that the variant itself adds, if it leads to one.
    fn own_event(&self, path: &ast::Path) -> Option<Diagnostic> {
        let [first, _, ..] = path.parts.as_slice() else {
            return None;
        };
        let items = &self.layers.list[self.layer].items;
        let event = items.iter().find_map(|item| match item {
            Item::Event(event) if event.name.text == first.text => Some(&event.name),
            _ => None,
        })?;
        let like = items.iter().find_map(|item| match item {
            Item::Section(section) if section.events.iter().any(|one| one.text == first.text) => {
                section.like.as_ref()
            }
            _ => None,
        });
        Some(failures::own_event(path, event, like))
    }
}
