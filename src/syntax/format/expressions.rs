//! Line breaks in expressions: the operators that may begin a line, and its indentation.

use pest::iterators::Pairs;

use super::super::grammar::Rule;
use super::build::{Builder, Gap, LEVELS, Node};
use super::layout::Op;
use super::rows::INDENT;

impl<'t> Builder<'t> {
    /// Emits parts in parentheses, brackets or braces.
    pub(super) fn parenthesised(&mut self, mut parts: Pairs<'t, Rule>) {
        let outer = self.level;
        self.level += LEVELS;
        let level = self.level - 1;
        self.nodes(parts.next());
        self.aligned(Gap::None, |builder| builder.list(parts, level));
        self.level = outer;
    }

    /// Emits parts with commas between them.
    pub(super) fn list(&mut self, parts: impl Iterator<Item = Node<'t>>, level: u16) {
        for part in parts {
            if self.is_after(Rule::comma) {
                self.gap(Gap::Break(level));
            }
            self.node(part);
        }
    }

    /// Emits comparisons joined by `and` and `or`. Operands of `and` are indented further where `or` joins the whole to
    /// something else.
    pub(super) fn chain(&mut self, node: Node<'t>) {
        let parts = node.into_inner();
        let has_or = parts.clone().any(|part| part.as_rule() == Rule::kw_or);
        let mut is_further = false;
        for part in parts {
            let rule = part.as_rule();
            if rule == Rule::kw_or {
                self.outdent_if(is_further);
                is_further = false;
                self.gap(Gap::Break(self.level));
            } else if rule == Rule::kw_and {
                if has_or && !is_further {
                    self.ops.push(Op::Indent("or ".len()));
                    is_further = true;
                }
                self.gap(Gap::Break(self.level + 1));
            }
            self.node(part);
        }
        self.outdent_if(is_further);
    }

    fn outdent_if(&mut self, is_further: bool) {
        if is_further {
            self.ops.push(Op::Outdent);
        }
    }

    /// Emits terms and their operators. All lines with `but` are aligned below the first.
    pub(super) fn value(&mut self, node: Node<'t>) {
        let outer = self.level;
        self.level += LEVELS;
        let mut is_aligned = false;
        for part in node.into_inner() {
            let tightness = match part.as_rule() {
                Rule::defaulting => Some(3),
                Rule::adding | Rule::but => Some(4),
                Rule::multiplying => Some(5),
                _ => None,
            };
            if let Some(tightness) = tightness {
                self.gap(Gap::Break(outer + tightness));
            }
            if part.as_rule() == Rule::but && !is_aligned {
                is_aligned = true;
                self.ops.push(Op::Align);
            }
            self.node(part);
        }
        self.outdent_if(is_aligned);
        self.level = outer;
    }

    /// Emits `some`, `no`, `every` and `best`: what follows the bindings may begin a line.
    pub(super) fn quantified(&mut self, node: Node<'t>) {
        let outer = self.level;
        self.settle(Rule::kw_some);
        self.ops.push(Op::Align);
        self.indented(INDENT, |builder| {
            for part in node.into_inner() {
                if matches!(part.as_rule(), Rule::kw_by | Rule::kw_has) {
                    builder.gap(Gap::Break(outer));
                    builder.level += LEVELS;
                }
                builder.node(part);
            }
        });
        self.ops.push(Op::Outdent);
        self.level = outer;
    }
}
