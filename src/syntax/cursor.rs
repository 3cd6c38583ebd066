//! Walking over the parts of a parse tree's node, one after the other.

use pest::iterators::{Pair, Pairs};

use super::grammar::Rule;

/// A node of the parse tree.
pub(super) type Node<'i> = Pair<'i, Rule>;

/// The parts of a node in order, without punctuation.
///
/// A part that is not as expected means that grammar and lowering disagree: our mistake and not the
/// author's, therefore a panic.
pub(super) struct Children<'i> {
    parent: Rule,
    nodes: Pairs<'i, Rule>,
}

impl<'i> Children<'i> {
    /// The parts of `node`.
    pub(super) fn of(node: Node<'i>) -> Children<'i> {
        let mut children = Children {
            parent: node.as_rule(),
            nodes: node.into_inner(),
        };
        children.skip_punctuation();
        children
    }

    /// The rule of the next part, if there is one.
    pub(super) fn peek(&self) -> Option<Rule> {
        self.nodes.peek().map(|node| node.as_rule())
    }

    /// The next part, whatever it is, if there is one.
    pub(super) fn next(&mut self) -> Option<Node<'i>> {
        let node = self.nodes.next();
        self.skip_punctuation();
        node
    }

    /// The next part, whatever it is.
    pub(super) fn any(&mut self) -> Node<'i> {
        match self.next() {
            Some(node) => node,
            None => drift(self.parent, "one part more", None),
        }
    }

    /// The next part, which is a `rule`.
    pub(super) fn expect(&mut self, rule: Rule) -> Node<'i> {
        match self.next() {
            Some(node) if node.as_rule() == rule => node,
            other => drift(self.parent, &format!("{rule:?}"), other.as_ref()),
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

    /// Whether the next part is a `rule`, which is then passed.
    pub(super) fn pass(&mut self, rule: Rule) -> bool {
        self.accept(rule).is_some()
    }

    /// All parts from here on that are `rule`s, up to the first that is not.
    pub(super) fn all(&mut self, rule: Rule) -> impl Iterator<Item = Node<'i>> + use<'_, 'i> {
        std::iter::from_fn(move || self.accept(rule))
    }

    /// Makes sure that nothing is left.
    pub(super) fn end(mut self) {
        if let Some(node) = self.next() {
            drift(self.parent, "no further part", Some(&node));
        }
    }

    fn skip_punctuation(&mut self) {
        while self.peek().is_some_and(is_punctuation) {
            self.nodes.next();
        }
    }
}

/// Stops: the grammar gave a node that lowering does not know.
pub(super) fn drift(parent: Rule, expected: &str, found: Option<&Node>) -> ! {
    let found = found.map(Pair::as_rule);
    panic!("grammar and lowering disagree: in {parent:?} {expected} was due, not {found:?}")
}

/// Whether a rule only sets other rules apart.
fn is_punctuation(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::first_comment
            | Rule::open_paren
            | Rule::close_paren
            | Rule::open_bracket
            | Rule::close_bracket
            | Rule::open_brace
            | Rule::close_brace
            | Rule::comma
            | Rule::colon
            | Rule::dot
            | Rule::bar
            | Rule::equals
            | Rule::fat_arrow
            | Rule::arrow
            | Rule::double_quote
            | Rule::single_quote
            | Rule::EOI
    )
}
