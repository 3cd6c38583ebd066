//! Definitions: tables, their rows, and what stands in a row.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::Lowering;
use crate::source::Span;

impl Lowering {
    /// `definition`
    pub(super) fn definition(&self, node: Node) -> ast::Definition {
        let mut children = Children::of(node);
        let only = children.any();
        children.end();
        match only.as_rule() {
            Rule::by_table => ast::Definition::By(self.by_table(only)),
            Rule::table => ast::Definition::Table(self.table(only)),
            Rule::expr => ast::Definition::Expression(self.expr(only)),
            _ => drift(Rule::definition, "a definition", Some(&only)),
        }
    }

    /// `by_table`
    fn by_table(&self, node: Node) -> ast::ByTable {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_by);
        let keys = children.all(Rule::expr).map(|node| self.expr(node));
        let keys = keys.collect();
        let rows = children.all(Rule::by_row).map(|node| self.by_row(node));
        let rows = rows.collect();
        children.end();
        ast::ByTable { keys, rows, span }
    }

    /// `by_row`
    pub(super) fn by_row(&self, node: Node) -> ast::ByRow {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let label = children.accept(Rule::label).map(|node| self.name(&node));
        let body = children.expect(Rule::by_row_body);
        children.end();
        self.by_row_body(body, label, span)
    }

    /// `by_row_body`
    pub(super) fn by_row_body(
        &self,
        node: Node,
        label: Option<ast::Name>,
        span: Span,
    ) -> ast::ByRow {
        let mut children = Children::of(node);
        let cells = children.all(Rule::cell).map(|node| self.cell(node));
        let cells = cells.collect();
        let value = self.expr(children.expect(Rule::expr));
        let conditions = self.conditions(children);
        ast::ByRow {
            label,
            cells,
            value,
            conditions,
            span,
        }
    }

    /// `cell`
    fn cell(&self, node: Node) -> ast::Cell {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let kind = if children.pass(Rule::kw_any) {
            ast::CellKind::Any
        } else {
            ast::CellKind::Match {
                negated: children.pass(Rule::kw_not),
                value: self.value(children.expect(Rule::value)),
            }
        };
        children.end();
        ast::Cell { kind, span }
    }

    /// `table`
    fn table(&self, node: Node) -> ast::Table {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let how = how(children.expect(Rule::how));
        let rows = self.rows(children);
        ast::Table { how, rows, span }
    }

    /// `row*` to the end
    pub(super) fn rows(&self, mut children: Children) -> Vec<ast::Row> {
        let rows = children.all(Rule::row).map(|node| self.row(node)).collect();
        children.end();
        rows
    }

    /// `row`
    pub(super) fn row(&self, node: Node) -> ast::Row {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let label = self.name(&children.expect(Rule::label));
        let body = children.expect(Rule::row_body);
        children.end();
        self.row_body(body, label, span)
    }

    /// `row_body`
    pub(super) fn row_body(&self, node: Node, label: ast::Name, span: Span) -> ast::Row {
        let mut children = Children::of(node);
        let inline = children.pass(Rule::kw_inline);
        let maybe = children.pass(Rule::kw_maybe);
        let value = self.expr(children.expect(Rule::expr));
        let event = children.accept(Rule::row_event);
        let event = event.map(|node| self.row_event(node));
        let bindings = children.accept(Rule::for_each);
        let bindings = bindings.map_or_else(Vec::new, |node| self.for_each(node));
        let conditions = self.conditions(children);
        ast::Row {
            label,
            inline,
            maybe,
            value,
            event,
            bindings,
            conditions,
            span,
        }
    }

    /// `row_event`
    fn row_event(&self, node: Node) -> ast::Expr {
        let mut children = Children::of(node);
        let event = self.call(children.expect(Rule::call));
        children.end();
        event
    }

    /// `for_each`
    pub(super) fn for_each(&self, node: Node) -> Vec<ast::Binding> {
        let mut children = Children::of(node);
        children.expect(Rule::kw_for);
        let bindings = self.bindings(&mut children);
        children.end();
        bindings
    }

    /// `bindings`
    pub(super) fn bindings(&self, children: &mut Children) -> Vec<ast::Binding> {
        let bindings = children.all(Rule::binding);
        bindings.map(|node| self.binding(node)).collect()
    }

    /// `binding`
    fn binding(&self, node: Node) -> ast::Binding {
        let mut children = Children::of(node);
        let name = self.name(&children.expect(Rule::name));
        children.expect(Rule::kw_in);
        let collection = self.value(children.expect(Rule::value));
        children.end();
        ast::Binding { name, collection }
    }

    /// `conditions`
    fn conditions(&self, mut children: Children) -> ast::Conditions {
        let when = children.accept(Rule::when_clause);
        let when = when.map(|node| self.when_clause(node));
        let unless = children.accept(Rule::unless_clause);
        let unless = unless.map(|node| self.unless_clause(node));
        let says = self.optional_says(&mut children);
        children.end();
        ast::Conditions { when, unless, says }
    }

    /// `when_clause`
    pub(super) fn when_clause(&self, node: Node) -> ast::Expr {
        self.after_word(node, Rule::kw_when)
    }

    /// `unless_clause`
    pub(super) fn unless_clause(&self, node: Node) -> ast::Expr {
        self.after_word(node, Rule::kw_unless)
    }

    /// `says_clause?`
    pub(super) fn optional_says(&self, children: &mut Children) -> Option<ast::Text> {
        let node = children.accept(Rule::says_clause)?;
        Some(self.says_clause(node))
    }

    /// `says_clause`
    fn says_clause(&self, node: Node) -> ast::Text {
        let mut children = Children::of(node);
        children.expect(Rule::kw_says);
        let text = self.text(children.expect(Rule::text));
        children.end();
        text
    }

    /// `where_clause`
    pub(super) fn where_clause(&self, node: Node) -> ast::Expr {
        self.after_word(node, Rule::kw_where)
    }

    /// The expression after the word that opens a clause.
    fn after_word(&self, node: Node, word: Rule) -> ast::Expr {
        let mut children = Children::of(node);
        children.expect(word);
        let expr = self.expr(children.expect(Rule::expr));
        children.end();
        expr
    }
}

/// `how`
fn how(node: Node) -> ast::How {
    let mut children = Children::of(node);
    let word = children.any();
    children.expect(Rule::kw_of);
    children.end();
    match word.as_rule() {
        Rule::kw_any => ast::How::Any,
        Rule::kw_all => ast::How::All,
        Rule::kw_first => ast::How::First,
        Rule::kw_highest => ast::How::Highest,
        Rule::kw_lowest => ast::How::Lowest,
        Rule::kw_sum => ast::How::Sum,
        Rule::kw_union => ast::How::Union,
        _ => drift(Rule::how, "a word that combines rows", Some(&word)),
    }
}
