//! An iterator over the parts of a parse tree's node.

use pest::iterators::Pairs;

use super::super::ast;
use super::{Lowering, Node};
use crate::source::Span;
use crate::syntax::grammar::Rule;

/// The parts of a node in order, without punctuation and keywords that only introduce a part.
///
/// An unexpected part means that grammar and lowering disagree, which is a bug and not a mistake of the author: it
/// panics.
pub(super) struct Parts<'l, 'i> {
    lowering: &'l Lowering,
    parent: Rule,
    span: Span,
    nodes: Pairs<'i, Rule>,
}

impl Lowering {
    /// The parts of `node`.
    pub(super) fn parts<'i>(&self, node: Node<'i>) -> Parts<'_, 'i> {
        let mut parts = Parts {
            lowering: self,
            parent: node.as_rule(),
            span: self.span(&node),
            nodes: node.into_inner(),
        };
        parts.skip();
        parts
    }
}

impl<'i> Parts<'_, 'i> {
    /// The rule of the next part, if one is left.
    fn peek(&self) -> Option<Rule> {
        self.nodes.peek().map(|node| node.as_rule())
    }

    fn next(&mut self) -> Option<Node<'i>> {
        let node = self.nodes.next();
        self.skip();
        node
    }

    fn skip(&mut self) {
        while self.peek().is_some_and(says_nothing) {
            self.nodes.next();
        }
    }

    /// The next part.
    pub(super) fn any(&mut self) -> Node<'i> {
        match self.next() {
            Some(node) => node,
            None => grammar_mismatch(self.parent, "one part more", None),
        }
    }

    /// The next part, if it is a `rule`.
    pub(super) fn accept(&mut self, rule: Rule) -> Option<Node<'i>> {
        if self.peek() == Some(rule) {
            self.next()
        } else {
            None
        }
    }

    /// Skips the next part if it is a `rule`. Returns whether it was.
    pub(super) fn pass(&mut self, rule: Rule) -> bool {
        self.accept(rule).is_some()
    }

    /// The next part, which must be a `rule`, lowered.
    pub(super) fn one<T>(&mut self, rule: Rule, lower: impl Fn(&Lowering, Node<'i>) -> T) -> T {
        match self.accept(rule) {
            Some(node) => lower(self.lowering, node),
            None => grammar_mismatch(self.parent, &format!("{rule:?}"), self.peek()),
        }
    }

    /// The next part, lowered, if it is a `rule`.
    pub(super) fn optional<T>(
        &mut self,
        rule: Rule,
        lower: impl Fn(&Lowering, Node<'i>) -> T,
    ) -> Option<T> {
        let node = self.accept(rule)?;
        Some(lower(self.lowering, node))
    }

    /// All following parts that are `rule`s, lowered.
    pub(super) fn all<T>(
        &mut self,
        rule: Rule,
        lower: impl Fn(&Lowering, Node<'i>) -> T,
    ) -> Vec<T> {
        std::iter::from_fn(|| self.optional(rule, &lower)).collect()
    }

    /// All remaining parts, lowered.
    pub(super) fn rest<T>(&mut self, lower: impl Fn(&Lowering, Node<'i>) -> T) -> Vec<T> {
        std::iter::from_fn(|| Some(lower(self.lowering, self.next()?))).collect()
    }

    /// The next part, a `name`.
    pub(super) fn name(&mut self) -> ast::Name {
        self.one(Rule::name, Lowering::name)
    }

    /// The next part, a `label`.
    pub(super) fn label(&mut self) -> ast::Name {
        self.one(Rule::label, Lowering::name)
    }

    /// What follows `impossible` in an expectation: a row, or an event with its guard.
    pub(super) fn impossible(&mut self) -> ast::ExpectationKind {
        let first = self.label();
        let (event, row) = match self.optional(Rule::label, Lowering::name) {
            Some(row) => (Some(first), row),
            None => (None, first),
        };
        ast::ExpectationKind::Impossible { event, row }
    }

    /// The next part, an `expr`.
    pub(super) fn expr(&mut self) -> ast::Expr {
        self.one(Rule::expr, Lowering::operations)
    }

    /// All remaining parts, which must be `row`s.
    pub(super) fn rows(&mut self) -> Vec<ast::Row> {
        let rows = self.all(Rule::row, Lowering::row);
        self.end();
        rows
    }

    /// The span of the node.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Asserts that no part is left. Returns the span of the node.
    pub(super) fn end(&mut self) -> Span {
        if let Some(rule) = self.peek() {
            grammar_mismatch(self.parent, "no further part", Some(rule));
        }
        self.span
    }
}

/// Panics: the grammar produced a node that lowering does not know.
pub(super) fn grammar_mismatch(parent: Rule, expected: &str, found: Option<Rule>) -> ! {
    panic!("grammar and lowering disagree: in {parent:?} {expected} was due, not {found:?}")
}

/// Whether a rule only separates or introduces others.
fn says_nothing(rule: Rule) -> bool {
    use Rule as R;
    #[rustfmt::skip]
    let is_mark = matches!(
        rule,
        R::first_comment | R::EOI | R::open_paren | R::close_paren | R::open_bracket | R::close_bracket
            | R::open_brace | R::close_brace | R::comma | R::colon | R::dot | R::bar | R::equals | R::fat_arrow
            | R::arrow | R::double_quote | R::single_quote | R::range
    );
    #[rustfmt::skip]
    let is_word = matches!(
        rule,
        R::kw_add | R::kw_as | R::kw_at | R::kw_begin | R::kw_best | R::kw_but | R::kw_by | R::kw_cites | R::kw_each | R::kw_event | R::kw_example
            | R::kw_except | R::kw_expect | R::kw_follows | R::kw_for | R::kw_from | R::kw_game | R::kw_given
            | R::kw_grid | R::kw_in | R::kw_just | R::kw_limit | R::kw_on | R::kw_option | R::kw_or | R::kw_per | R::kw_play
            | R::kw_policy | R::kw_remove | R::kw_repeat | R::kw_replace | R::kw_report | R::kw_round | R::kw_rounded
            | R::kw_says | R::kw_seen | R::kw_state
            | R::kw_times | R::kw_to | R::kw_transcript | R::kw_type | R::kw_unless | R::kw_use | R::kw_variant
            | R::kw_weight | R::kw_when | R::kw_where | R::kw_with | R::kw_without | R::kw_write
    );
    is_mark || is_word
}
