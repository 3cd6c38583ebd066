//! The changes that a variant makes to its game.

use super::super::ast;
use super::parts::grammar_mismatch;
use super::{Lowering, Node};
use crate::syntax::grammar::Rule;

impl Lowering {
    /// `change`
    pub(super) fn change(&self, node: Node) -> ast::Change {
        let mut parts = self.parts(node);
        let only = parts.any();
        let kind = match only.as_rule() {
            Rule::set_value => self.set_value(only),
            Rule::remove => ast::ChangeKind::Remove {
                path: self.parts(only).one(Rule::path, Self::path),
            },
            Rule::replace => self.replace(only),
            Rule::add => self.add(only),
            Rule::except => self.except(only),
            other => grammar_mismatch(Rule::change, "a change", Some(other)),
        };
        let span = parts.end();
        ast::Change { kind, span }
    }

    /// `set_value`
    fn set_value(&self, node: Node) -> ast::ChangeKind {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_set);
        ast::ChangeKind::Set {
            name: parts.name(),
            of: parts.pass(Rule::kw_of).then(|| parts.name()),
            value: parts.expr(),
        }
    }

    /// `replace`
    fn replace(&self, node: Node) -> ast::ChangeKind {
        let mut parts = self.parts(node);
        if let Some(events) = parts.optional(Rule::number, Self::number) {
            return ast::ChangeKind::ReplaceLimit { events };
        }
        if let Some(name) = parts.optional(Rule::name, Self::name) {
            let fields = parts.parameters();
            if !fields.is_empty() {
                return ast::ChangeKind::ReplaceProduct(ast::Product {
                    name,
                    fields,
                    condition: parts.optional(Rule::where_clause, Self::clause_condition),
                });
            }
            return match parts.optional(Rule::written_type, Self::written_type) {
                Some(ty) => ast::ChangeKind::ReplaceType { name, ty },
                None => ast::ChangeKind::ReplaceWrite {
                    name,
                    form: parts.expr(),
                },
            };
        }
        let path = parts.one(Rule::path, Self::path);
        let body = parts.any();
        let span = self.span(&body);
        let label = path.parts.last().cloned();
        let label = label.unwrap_or_else(|| grammar_mismatch(Rule::path, "a name", None));
        let row = match body.as_rule() {
            Rule::definition => {
                let definition = self.definition(body);
                return ast::ChangeKind::ReplaceDefinition { path, definition };
            }
            Rule::written_type => {
                let ty = self.written_type(body);
                let per = parts.optional(Rule::per_round, Self::per_round);
                let sight = parts.optional(Rule::sight, Self::sight);
                let wraps = parts.pass(Rule::kw_wraps);
                return ast::ChangeKind::Retype {
                    path,
                    ty,
                    per,
                    sight,
                    wraps,
                };
            }
            Rule::by_row_body => {
                let row = self.by_row_body(body, Some(label), span);
                let leads_to_play = matches!(path.parts.as_slice(), [_, list, _] if is_play(list));
                added_by_row(row, leads_to_play)
            }
            _ => ast::AddedRow::Row(self.row_body(body, label, span)),
        };
        ast::ChangeKind::ReplaceRow { path, row }
    }

    /// `add`
    fn add(&self, node: Node) -> ast::ChangeKind {
        let mut parts = self.parts(node);
        let path = parts.one(Rule::path, Self::path);
        let leads_to_play = matches!(path.parts.as_slice(), [list] | [_, list] if is_play(list));
        ast::ChangeKind::Add {
            path,
            place: parts.optional(Rule::place, |lowering, node| {
                let mut parts = lowering.parts(node);
                ast::Place {
                    before: parts.any().as_rule() == Rule::kw_before,
                    label: parts.label(),
                }
            }),
            rows: parts.all(Rule::added_row, |lowering, node| {
                lowering.added_row(node, leads_to_play)
            }),
        }
    }

    /// `added_row`
    fn added_row(&self, node: Node, leads_to_play: bool) -> ast::AddedRow {
        let only = self.parts(node).any();
        match only.as_rule() {
            Rule::by_row => added_by_row(self.by_row(only), leads_to_play),
            Rule::row => ast::AddedRow::Row(self.row(only)),
            _ => ast::AddedRow::Member(self.member(only)),
        }
    }

    /// `except`
    fn except(&self, node: Node) -> ast::ChangeKind {
        let mut parts = self.parts(node);
        let path = parts.one(Rule::path, Self::path);
        let Some((negated, condition)) = parts.exception() else {
            grammar_mismatch(Rule::except, "a condition", None)
        };
        ast::ChangeKind::Except {
            path,
            negated,
            condition,
        }
    }

    /// `path`
    fn path(&self, node: Node) -> ast::Path {
        let mut parts = self.parts(node);
        ast::Path {
            parts: parts.all(Rule::label, Self::name),
            span: parts.end(),
        }
    }
}

/// Whether a part of a path names the rows of a `play`.
fn is_play(part: &ast::Name) -> bool {
    part.text == "play"
}

/// A row with `=>`. In a `play`, `| put: "X" => put(10)` is a pattern and its event; elsewhere the same words are a
/// cell and a value. Only the path distinguishes them.
fn added_by_row(row: ast::ByRow, leads_to_play: bool) -> ast::AddedRow {
    let ast::ByRow {
        label: Some(label),
        mut cells,
        value: event,
        conditions,
        span,
    } = row.clone()
    else {
        return ast::AddedRow::By(row);
    };
    match cells.pop().map(|cell| cell.kind) {
        Some(ast::CellKind::Match {
            negated: false,
            value,
        }) if leads_to_play && cells.is_empty() => ast::AddedRow::Row(ast::Row {
            label,
            inline: false,
            maybe: false,
            value,
            event: Some(event),
            bindings: Vec::new(),
            sight: None,
            conditions,
            span,
        }),
        _ => ast::AddedRow::By(row),
    }
}
