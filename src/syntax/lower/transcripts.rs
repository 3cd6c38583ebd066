//! Transcripts and their steps.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::Lowering;

impl Lowering {
    /// `transcript`
    pub(super) fn transcript(&self, node: Node) -> ast::Transcript {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_transcript);
        let name = children.accept(Rule::name).map(|node| self.name(&node));
        children.expect(Rule::kw_by);
        let unit = match children.any().as_rule() {
            Rule::kw_lines => ast::Unit::Lines,
            _ => ast::Unit::Words,
        };
        let steps = self.steps(children);
        ast::Transcript {
            name,
            unit,
            steps,
            span,
        }
    }

    /// `step*` to the end
    fn steps(&self, mut children: Children) -> Vec<ast::Step> {
        let mut steps = Vec::new();
        while let Some(node) = children.next() {
            steps.push(self.step(node));
        }
        steps
    }

    /// `step`
    fn step(&self, node: Node) -> ast::Step {
        match node.as_rule() {
            Rule::text => ast::Step::Pattern(self.text(node)),
            Rule::kw_start => ast::Step::Start(self.span(&node)),
            Rule::repeat => ast::Step::Repeat(self.repeat(node)),
            Rule::play => ast::Step::Play(self.play(node)),
            _ => drift(Rule::step, "a step", Some(&node)),
        }
    }

    /// `repeat`
    fn repeat(&self, node: Node) -> ast::Repeat {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_repeat);
        let rounds = if children.pass(Rule::kw_until) {
            ast::Rounds::Until(self.text(children.expect(Rule::text)))
        } else {
            let times = self.expr(children.expect(Rule::expr));
            children.expect(Rule::kw_times);
            ast::Rounds::Times(times)
        };
        let steps = self.nested(span, 1, Vec::new(), || self.steps(children));
        ast::Repeat { rounds, steps }
    }

    /// `play`
    fn play(&self, node: Node) -> ast::Play {
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.expect(Rule::kw_play);
        let by = children
            .pass(Rule::kw_by)
            .then(|| self.name(&children.expect(Rule::name)));
        children.expect(Rule::kw_until);
        let until = self.expr(children.expect(Rule::expr));
        let stop = children.accept(Rule::stop).map(|node| self.stop(node));
        let rows = self.rows(children);
        ast::Play {
            by,
            until,
            stop,
            rows,
            span,
        }
    }

    /// `stop`
    fn stop(&self, node: Node) -> ast::Stop {
        let mut children = Children::of(node);
        children.expect(Rule::kw_or);
        let before = children.pass(Rule::kw_before);
        let words = self.text(children.expect(Rule::text));
        let when = children
            .accept(Rule::when_clause)
            .map(|node| self.when_clause(node));
        children.end();
        ast::Stop {
            before,
            words,
            when,
        }
    }
}
