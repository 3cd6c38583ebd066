//! Givens, states, events, sections and their clauses.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::Lowering;

impl Lowering {
    /// `given`
    pub(super) fn given(&self, node: Node) -> ast::Given {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_given);
        let name = self.name(&children.expect(Rule::name));
        let parameters = self.optional_parameters(&mut children);
        let ty = self.written_type(children.expect(Rule::written_type));
        let default = children
            .accept(Rule::definition)
            .map(|node| self.definition(node));
        children.end();
        ast::Given {
            name,
            parameters,
            ty,
            default,
            span,
        }
    }

    /// `state`
    pub(super) fn state(&self, node: Node) -> ast::State {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_state);
        let name = self.name(&children.expect(Rule::name));
        let parameters = self.optional_parameters(&mut children);
        let ty = self.written_type(children.expect(Rule::written_type));
        let initial = self.definition(children.expect(Rule::definition));
        children.end();
        ast::State {
            name,
            parameters,
            ty,
            initial,
            span,
        }
    }

    /// `just`
    pub(super) fn just(&self, node: Node) -> ast::Just {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_just);
        let name = self.name(&children.expect(Rule::name));
        children.end();
        ast::Just { name, span }
    }

    /// `event`
    pub(super) fn event(&self, node: Node) -> ast::Event {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_event);
        let name = self.name(&children.expect(Rule::name));
        let fields = self.optional_parameters(&mut children);
        let condition = self.exception(&mut children);
        let guard = condition.map(|(negated, condition)| ast::Guard {
            negated,
            condition,
            says: self.optional_says(&mut children),
        });
        children.end();
        ast::Event {
            name,
            fields,
            guard,
            span,
        }
    }

    /// `(when_clause | unless_clause)?`, and whether it was the second.
    pub(super) fn exception(&self, children: &mut Children) -> Option<(bool, ast::Expr)> {
        if let Some(node) = children.accept(Rule::when_clause) {
            return Some((false, self.when_clause(node)));
        }
        let node = children.accept(Rule::unless_clause)?;
        Some((true, self.unless_clause(node)))
    }

    /// `section`
    pub(super) fn section(&self, node: Node) -> ast::Section {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_on);
        let events = self.names_of(&mut children, Rule::name);
        let mut clauses = Vec::new();
        while let Some(node) = children.next() {
            clauses.push(self.clause(node));
        }
        ast::Section {
            events,
            clauses,
            span,
        }
    }

    /// `clause`
    pub(super) fn clause(&self, node: Node) -> ast::Clause {
        match node.as_rule() {
            Rule::fact => ast::Clause::Fact(self.fact(node)),
            Rule::impossible => ast::Clause::Impossible(self.impossible(node)),
            Rule::new => ast::Clause::New(self.new_clause(node)),
            Rule::report => ast::Clause::Report(self.report_clause(node)),
            Rule::follows => ast::Clause::Follows(self.follows(node)),
            _ => drift(Rule::clause, "a clause", Some(&node)),
        }
    }

    /// `fact`
    pub(super) fn fact(&self, node: Node) -> ast::Fact {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let word = children.any();
        let role = match word.as_rule() {
            Rule::kw_fact => ast::Role::Fact,
            Rule::kw_illegal => ast::Role::Illegal,
            Rule::kw_refuse => ast::Role::Refuse,
            _ => drift(Rule::fact, "fact, illegal or refuse", Some(&word)),
        };
        let name = self.name(&children.expect(Rule::name));
        let parameters = self.optional_parameters(&mut children);
        let ty = children
            .accept(Rule::written_type)
            .map(|node| self.written_type(node));
        let definition = self.definition(children.expect(Rule::definition));
        children.end();
        ast::Fact {
            role,
            name,
            parameters,
            ty,
            definition,
            span,
        }
    }

    /// `impossible`
    fn impossible(&self, node: Node) -> ast::Rows {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_impossible);
        let rows = self.rows(children);
        ast::Rows { rows, span }
    }

    /// `new`
    fn new_clause(&self, node: Node) -> ast::New {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_new);
        let name = self.name(&children.expect(Rule::name));
        let parameters = children.accept(Rule::names);
        let parameters = parameters.map_or_else(Vec::new, |node| self.names(node));
        let definition = if let Some(node) = children.accept(Rule::definition) {
            let definition = self.definition(node);
            children.end();
            definition
        } else {
            let rows = self.rows(children);
            let start = rows.first().map_or(span, |row| row.span);
            ast::Definition::Table(ast::Table {
                how: ast::How::One,
                rows,
                span: start.to(span),
            })
        };
        ast::New {
            name,
            parameters,
            definition,
            span,
        }
    }

    /// `names`
    fn names(&self, node: Node) -> Vec<ast::Name> {
        let mut children = Children::of(node);
        let names = self.names_of(&mut children, Rule::name);
        children.end();
        names
    }

    /// `report`
    fn report_clause(&self, node: Node) -> ast::Report {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_report);
        let refused = children.pass(Rule::kw_refused);
        let rows = self.rows(children);
        ast::Report {
            refused,
            rows,
            span,
        }
    }

    /// `follows`
    fn follows(&self, node: Node) -> ast::Rows {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_follows);
        let rows = self.rows(children);
        ast::Rows { rows, span }
    }

    /// `policy`
    pub(super) fn policy(&self, node: Node) -> ast::Policy {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_policy);
        let name = self.name(&children.expect(Rule::name));
        let rows = self.rows(children);
        ast::Policy { name, rows, span }
    }

    /// `limit`
    pub(super) fn limit(&self, node: Node) -> ast::Limit {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_limit);
        let events = self.number(&children.expect(Rule::number));
        children.end();
        ast::Limit { events, span }
    }
}
