//! Expressions: precedence, operands, and what the grammar leaves to be refused.

use pest::pratt_parser::{Assoc, ConstPrattParser, Op, pratt_precedence};

use super::super::ast::{self, Expr, ExprKind, Operator};
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::super::slips;
use super::Lowering;
use super::operators::is_operator;
use crate::source::Span;
use crate::syntax::MAXIMUM_DEPTH;

/// The operators, loosest first.
static PRECEDENCE: ConstPrattParser<Rule, 11> = ConstPrattParser::new_const(pratt_precedence![
    Op::infix(Rule::kw_or, Assoc::Left),
    Op::infix(Rule::kw_and, Assoc::Left),
    Op::prefix(Rule::kw_not),
    Op::infix(Rule::comparing, Assoc::Left),
    Op::infix(Rule::defaulting, Assoc::Left),
    Op::infix(Rule::range, Assoc::Left),
    Op::infix(Rule::adding, Assoc::Left) | Op::postfix(Rule::but),
    Op::infix(Rule::multiplying, Assoc::Left),
    Op::prefix(Rule::kw_the) | Op::prefix(Rule::negation),
]);

impl Lowering {
    /// `expr`
    pub(super) fn expr(&self, node: Node) -> Expr {
        self.operations(node)
    }

    /// `value`
    pub(super) fn value(&self, node: Node) -> Expr {
        self.operations(node)
    }

    /// `product`
    fn product(&self, node: Node) -> Expr {
        self.operations(node)
    }

    /// `operand`
    fn operand(&self, node: Node) -> Expr {
        self.operations(node)
    }

    /// Operands with operators between and before them.
    fn operations(&self, node: Node) -> Expr {
        let span = self.span(&node);
        let parts = node.into_inner();
        let operators = parts
            .clone()
            .filter(|part| is_operator(part.as_rule()))
            .count();
        let placeholder = Expr {
            kind: ExprKind::None,
            span,
        };
        self.nested(span, operators, placeholder, || {
            PRECEDENCE
                .map_primary(|node| self.atom(node))
                .map_prefix(|operator, operand| self.prefix(&operator, operand))
                .map_infix(|left, operator, right| self.infix(left, &operator, right))
                .map_postfix(|map, node| self.but(map, node))
                .parse(parts)
        })
    }

    /// Reads what is `levels` levels further down, unless that is too deep.
    pub(super) fn nested<T>(
        &self,
        span: Span,
        levels: usize,
        placeholder: T,
        read: impl FnOnce() -> T,
    ) -> T {
        let depth = self.depth.get();
        if depth + levels > MAXIMUM_DEPTH {
            self.report_too_deep(span);
            return placeholder;
        }
        self.depth.set(depth + levels);
        let read = read();
        self.depth.set(depth);
        read
    }

    /// `but`
    fn but(&self, map: Expr, node: Node) -> Expr {
        let span = map.span.to(self.span(&node));
        let mut children = Children::of(node);
        children.expect(Rule::kw_but);
        let value = self.product(children.expect(Rule::product));
        children.expect(Rule::kw_at);
        let at = self.product(children.expect(Rule::product));
        children.end();
        Expr {
            kind: ExprKind::But {
                map: Box::new(map),
                value: Box::new(value),
                at: Box::new(at),
            },
            span,
        }
    }

    /// `atom`; and the values of an `expr`, which are its atoms
    fn atom(&self, node: Node) -> Expr {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::value => return self.value(node),
            Rule::number => ExprKind::Number(self.number(&node)),
            Rule::kw_yes => ExprKind::YesNo(true),
            Rule::kw_no => ExprKind::YesNo(false),
            Rule::kw_none => ExprKind::None,
            Rule::kw_empty => ExprKind::Empty,
            rule => self.nested(span, 1, ExprKind::None, || match rule {
                Rule::text => ExprKind::Text(self.text(node)),
                Rule::call => self.call(node).kind,
                Rule::group => self.group(node),
                Rule::set => self.set(node),
                Rule::pile => self.pile(node),
                Rule::tensed => self.tensed(node),
                Rule::quantified => self.quantified(node),
                Rule::beside => self.beside(node),
                Rule::extreme => self.extreme(node),
                Rule::best => self.best(node),
                _ => drift(Rule::atom, "an operand", Some(&node)),
            }),
        };
        Expr { kind, span }
    }

    /// `call`
    pub(super) fn call(&self, node: Node) -> Expr {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let function = self.name(&children.expect(Rule::name));
        let kind = if let Some(node) = children.accept(Rule::arguments) {
            ExprKind::Apply {
                function,
                arguments: self.arguments(node),
                with_of: false,
            }
        } else if children.pass(Rule::kw_of) {
            ExprKind::Apply {
                function,
                arguments: vec![self.operand(children.expect(Rule::operand))],
                with_of: true,
            }
        } else {
            ExprKind::Name(function)
        };
        children.end();
        Expr { kind, span }
    }

    /// `arguments`
    fn arguments(&self, node: Node) -> Vec<Expr> {
        let mut children = Children::of(node);
        let arguments = children.all(Rule::expr).map(|node| self.expr(node));
        let arguments = arguments.collect();
        children.end();
        arguments
    }

    /// `group`
    fn group(&self, node: Node) -> ExprKind {
        let mut children = Children::of(node);
        let value = Box::new(self.expr(children.expect(Rule::expr)));
        let Some(bindings) = children.accept(Rule::for_each) else {
            children.end();
            return ExprKind::Group(value);
        };
        self.mapped(false, value, bindings, children)
    }

    /// The rest of a set or pile made by `for`.
    fn mapped(
        &self,
        braces: bool,
        value: Box<Expr>,
        bindings: Node,
        mut children: Children,
    ) -> ExprKind {
        let bindings = self.for_each(bindings);
        let condition = self.optional_where(&mut children);
        children.end();
        ExprKind::Mapped {
            braces,
            value,
            bindings,
            condition,
        }
    }

    /// `where_clause?`
    fn optional_where(&self, children: &mut Children) -> Option<Box<Expr>> {
        let node = children.accept(Rule::where_clause)?;
        Some(Box::new(self.where_clause(node)))
    }

    /// `set`
    fn set(&self, node: Node) -> ExprKind {
        let mut children = Children::of(node);
        let first = self.expr(children.expect(Rule::expr));
        if let Some(bindings) = children.accept(Rule::for_each) {
            return self.mapped(true, Box::new(first), bindings, children);
        }
        if let Some(condition) = self.optional_where(&mut children) {
            children.end();
            return self.filter(first, condition);
        }
        let rest = children.all(Rule::expr).map(|node| self.expr(node));
        let elements = std::iter::once(first).chain(rest).collect();
        children.end();
        ExprKind::Set(elements)
    }

    /// `{x in s where c}`: the grammar reads `x in s` as an expression, here it is a binding.
    fn filter(&self, head: Expr, condition: Box<Expr>) -> ExprKind {
        let span = head.span;
        if let ExprKind::Binary {
            operator: Operator::In,
            left,
            right,
            ..
        } = head.kind
            && let ExprKind::Name(name) = left.kind
        {
            let collection = *right;
            return ExprKind::Filter {
                binding: Box::new(ast::Binding { name, collection }),
                condition,
            };
        }
        if !self.is_too_deep() {
            self.report(slips::filter_without_binding(span));
        }
        ExprKind::None
    }

    /// `pile`
    fn pile(&self, node: Node) -> ExprKind {
        ExprKind::Pile(self.arguments(node))
    }

    /// `tensed`
    fn tensed(&self, node: Node) -> ExprKind {
        let mut children = Children::of(node);
        let word = children.any();
        let tense = match word.as_rule() {
            Rule::kw_new => ast::Tense::New,
            Rule::kw_old => ast::Tense::Old,
            Rule::kw_previous => ast::Tense::Previous,
            _ => drift(Rule::tensed, "new, old or previous", Some(&word)),
        };
        let operand = Box::new(self.call(children.expect(Rule::call)));
        children.end();
        ExprKind::Tensed { tense, operand }
    }

    /// `quantified`
    fn quantified(&self, node: Node) -> ExprKind {
        let mut children = Children::of(node);
        let word = children.any();
        let quantifier = match word.as_rule() {
            Rule::kw_some => ast::Quantifier::Some,
            Rule::kw_no => ast::Quantifier::No,
            Rule::kw_every => ast::Quantifier::Every,
            _ => drift(Rule::quantified, "some, no or every", Some(&word)),
        };
        let bindings = self.bindings(&mut children);
        let condition = if children.pass(Rule::kw_has) {
            self.expr(children.expect(Rule::expr))
        } else {
            self.where_clause(children.expect(Rule::where_clause))
        };
        children.end();
        ExprKind::Quantified {
            quantifier,
            bindings,
            condition: Box::new(condition),
        }
    }

    /// `beside`
    fn beside(&self, node: Node) -> ExprKind {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let before = children.any().as_rule() == Rule::kw_before;
        let (operand, steps) = if let Some(node) = children.accept(Rule::arguments) {
            let mut arguments = self.arguments(node).into_iter();
            let operand = arguments.next();
            let steps = arguments.next();
            if arguments.next().is_some() {
                self.report(slips::beside_arguments(span));
            }
            let operand = operand.unwrap_or_else(|| drift(Rule::arguments, "an expression", None));
            (operand, steps)
        } else {
            (self.operand(children.expect(Rule::operand)), None)
        };
        children.end();
        ExprKind::Beside {
            before,
            operand: Box::new(operand),
            steps: steps.map(Box::new),
        }
    }

    /// `extreme`
    fn extreme(&self, node: Node) -> ExprKind {
        let mut children = Children::of(node);
        let highest = children.any().as_rule() == Rule::kw_highest;
        children.expect(Rule::kw_of);
        let operand = Box::new(self.operand(children.expect(Rule::operand)));
        children.end();
        ExprKind::Extreme { highest, operand }
    }

    /// `best`
    fn best(&self, node: Node) -> ExprKind {
        let mut children = Children::of(node);
        children.expect(Rule::kw_best);
        let bindings = self.bindings(&mut children);
        let condition = self.optional_where(&mut children);
        children.expect(Rule::kw_by);
        let keys = children.all(Rule::key).map(|node| self.key(node));
        let keys = keys.collect();
        children.end();
        ExprKind::Best {
            bindings,
            condition,
            keys,
        }
    }

    /// `key`
    fn key(&self, node: Node) -> ast::Key {
        let mut children = Children::of(node);
        let highest = children.any().as_rule() == Rule::kw_highest;
        let value = self.value(children.expect(Rule::value));
        children.end();
        ast::Key { highest, value }
    }
}
