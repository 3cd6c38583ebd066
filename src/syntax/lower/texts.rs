//! Texts and their holes.

use super::super::ast;
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::super::slips;
use super::Lowering;
use crate::source::Span;

impl Lowering {
    /// `text`
    pub(super) fn text(&self, node: Node) -> ast::Text {
        let span = self.span(&node);
        if node.as_str().contains('\n') {
            self.report(slips::text_over_lines(span));
        }
        let mut children = Children::of(node);
        let mut parts = Vec::new();
        while let Some(node) = children.next() {
            match node.as_rule() {
                Rule::plain_double | Rule::plain_single => {
                    push_literal(&mut parts, node.as_str(), self.span(&node));
                }
                Rule::escape => {
                    let escaped = node.as_str().trim_start_matches(one_backslash());
                    push_literal(&mut parts, escaped, self.span(&node));
                }
                Rule::hole => parts.push(ast::TextPart::Hole(self.hole(node))),
                _ => drift(Rule::text, "a part of a text", Some(&node)),
            }
        }
        ast::Text { parts, span }
    }

    /// `hole`
    fn hole(&self, node: Node) -> ast::Hole {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let value = self.expr(children.expect(Rule::expr));
        let many = if children.pass(Rule::ellipsis) {
            match children.accept(Rule::expr) {
                Some(count) => ast::Many::Exactly(Box::new(self.expr(count))),
                None => ast::Many::Rest,
            }
        } else {
            ast::Many::One
        };
        children.end();
        ast::Hole { value, many, span }
    }
}

/// A pattern that takes the first backslash only.
fn one_backslash() -> impl FnMut(char) -> bool {
    let mut first = true;
    move |_| std::mem::take(&mut first)
}

/// Adds plain text, joined to the plain text before it.
fn push_literal(parts: &mut Vec<ast::TextPart>, written: &str, place: Span) {
    if let Some(ast::TextPart::Literal { text, span }) = parts.last_mut() {
        text.push_str(written);
        *span = span.to(place);
    } else {
        parts.push(ast::TextPart::Literal {
            text: written.to_owned(),
            span: place,
        });
    }
}
