//! Examples.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::Lowering;

impl Lowering {
    /// `example`
    pub(super) fn example(&self, node: Node) -> ast::Example {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_example);
        let name = self.name(&children.expect(Rule::name));
        let title = children.accept(Rule::text).map(|node| self.text(node));
        let given = children.accept(Rule::example_given);
        let given = given.map_or_else(Vec::new, |node| self.example_given(node));
        let event = children.accept(Rule::example_when).map(|node| {
            let mut children = Children::of(node);
            children.expect(Rule::kw_when);
            self.call(children.expect(Rule::call))
        });
        let expected = self.example_expect(children.expect(Rule::example_expect));
        children.end();
        ast::Example {
            name,
            title,
            given,
            event,
            expected,
            span,
        }
    }

    /// `example_given`
    fn example_given(&self, node: Node) -> Vec<ast::Assignment> {
        let mut children = Children::of(node);
        children.expect(Rule::kw_given);
        let assignments = children.all(Rule::assignment);
        let assignments = assignments.map(|node| {
            let mut children = Children::of(node);
            ast::Assignment {
                target: self.call(children.expect(Rule::call)),
                value: self.expr(children.expect(Rule::expr)),
            }
        });
        assignments.collect()
    }

    /// `example_expect`
    fn example_expect(&self, node: Node) -> Vec<ast::Expectation> {
        let mut children = Children::of(node);
        children.expect(Rule::kw_expect);
        let expected = children.all(Rule::expectation);
        expected.map(|node| self.expectation(node)).collect()
    }

    /// `expectation`
    fn expectation(&self, node: Node) -> ast::Expectation {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let negated = children.pass(Rule::kw_not);
        let first = children.any();
        let kind = match first.as_rule() {
            Rule::kw_legal => ast::ExpectationKind::Legal { negated },
            Rule::kw_impossible => ast::ExpectationKind::Impossible {
                row: self.name(&children.expect(Rule::label)),
            },
            Rule::name => ast::ExpectationKind::Row {
                negated,
                fact: self.name(&first),
                row: self.name(&children.expect(Rule::label)),
            },
            Rule::expr => ast::ExpectationKind::Holds(self.expr(first)),
            _ => drift(Rule::expectation, "what is expected", Some(&first)),
        };
        children.end();
        ast::Expectation { kind, span }
    }
}
