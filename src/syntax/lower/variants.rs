//! The changes that a variant makes to its game.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::Lowering;
use crate::source::Span;

impl Lowering {
    /// `change`
    pub(super) fn change(&self, node: Node) -> ast::Change {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let only = children.any();
        children.end();
        let kind = match only.as_rule() {
            Rule::set_value => self.set_value(only),
            Rule::remove => self.remove(only),
            Rule::replace => self.replace(only),
            Rule::add => self.add(only),
            Rule::except => self.except(only),
            _ => drift(Rule::change, "a change", Some(&only)),
        };
        ast::Change { kind, span }
    }

    /// `set_value`
    fn set_value(&self, node: Node) -> ast::ChangeKind {
        let mut children = Children::of(node);
        children.expect(Rule::kw_set);
        let name = self.name(&children.expect(Rule::name));
        let of = children
            .pass(Rule::kw_of)
            .then(|| self.name(&children.expect(Rule::name)));
        let value = self.expr(children.expect(Rule::expr));
        children.end();
        ast::ChangeKind::Set { name, of, value }
    }

    /// `remove`
    fn remove(&self, node: Node) -> ast::ChangeKind {
        let mut children = Children::of(node);
        children.expect(Rule::kw_remove);
        let path = self.path(children.expect(Rule::path));
        children.end();
        ast::ChangeKind::Remove { path }
    }

    /// `replace`
    fn replace(&self, node: Node) -> ast::ChangeKind {
        let mut children = Children::of(node);
        children.expect(Rule::kw_replace);
        let path = self.path(children.expect(Rule::path));
        let body = children.any();
        children.end();
        let span = self.span(&body);
        let label = path.parts.last().cloned();
        let label = label.unwrap_or_else(|| drift(Rule::path, "a name", None));
        let row = match body.as_rule() {
            Rule::definition => {
                let definition = self.definition(body);
                return ast::ChangeKind::ReplaceDefinition { path, definition };
            }
            Rule::by_row_body => {
                let row = self.by_row_body(body, Some(label), span);
                let leads_to_play = matches!(path.parts.as_slice(), [_, list, _] if is_play(list));
                added_by_row(row, leads_to_play)
            }
            Rule::row_body => ast::AddedRow::Row(self.row_body(body, label, span)),
            _ => drift(Rule::replace, "a definition or a row", Some(&body)),
        };
        ast::ChangeKind::ReplaceRow { path, row }
    }

    /// `add`
    fn add(&self, node: Node) -> ast::ChangeKind {
        let mut children = Children::of(node);
        children.expect(Rule::kw_add);
        children.expect(Rule::kw_to);
        let path = self.path(children.expect(Rule::path));
        let place = children.accept(Rule::place).map(|node| self.place(node));
        let leads_to_play = matches!(path.parts.as_slice(), [_, list] if is_play(list));
        let rows = children
            .all(Rule::added_row)
            .map(|node| self.added_row(node, leads_to_play))
            .collect();
        children.end();
        ast::ChangeKind::Add { path, place, rows }
    }

    /// `place`
    fn place(&self, node: Node) -> ast::Place {
        let mut children = Children::of(node);
        let before = children.any().as_rule() == Rule::kw_before;
        let label = self.name(&children.expect(Rule::label));
        children.end();
        ast::Place { before, label }
    }

    /// `added_row`
    fn added_row(&self, node: Node, leads_to_play: bool) -> ast::AddedRow {
        let mut children = Children::of(node);
        let only = children.any();
        children.end();
        match only.as_rule() {
            Rule::by_row => added_by_row(self.by_row(only), leads_to_play),
            Rule::row => ast::AddedRow::Row(self.row(only)),
            Rule::member => ast::AddedRow::Member(self.member(only)),
            _ => drift(Rule::added_row, "a row or a member", Some(&only)),
        }
    }

    /// `except`
    fn except(&self, node: Node) -> ast::ChangeKind {
        let mut children = Children::of(node);
        children.expect(Rule::kw_except);
        let path = self.path(children.expect(Rule::path));
        let Some((negated, condition)) = self.exception(&mut children) else {
            drift(Rule::except, "a condition", None)
        };
        children.end();
        ast::ChangeKind::Except {
            path,
            negated,
            condition,
        }
    }

    /// `path`
    fn path(&self, node: Node) -> ast::Path {
        let span: Span = self.span(&node);
        let mut children = Children::of(node);
        let parts = self.names_of(&mut children, Rule::label);
        children.end();
        ast::Path { parts, span }
    }
}

/// Whether a path's part names the rows of a `play`.
fn is_play(part: &ast::Name) -> bool {
    part.text == "play"
}

/// A row with `=>`. In a `play`, `| put: "X" => put(10)` is a pattern and the event it stands for;
/// elsewhere the same words are a cell and a value. Only the path tells.
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
            conditions,
            span,
        }),
        _ => ast::AddedRow::By(row),
    }
}
