//! Expressions and texts, and mistakes in them that the grammar allows.

use std::iter::Peekable;

use pest::iterators::Pairs;

use super::super::ast::{self, Expr, ExprKind, Operator, Prefix};
use super::parts::{Parts, grammar_mismatch};
use super::{Lowering, Node};
use crate::arithmetic::{MOST_PLACES, Rounding, decimal};
use crate::source::Span;
use crate::syntax::grammar::Rule;
use crate::syntax::mistakes;
use crate::syntax::precedence::Precedence;

/// Operands and the operators between and before them.
type Operations<'i> = Peekable<Pairs<'i, Rule>>;

/// The prefix operator that a node is, if it is one.
fn prefix(node: &Node) -> Option<Prefix> {
    match node.as_rule() {
        Rule::kw_not => Some(Prefix::Not),
        Rule::negation => Some(Prefix::Negate),
        Rule::kw_the => Some(Prefix::The),
        _ => None,
    }
}

/// Whether a node is an infix operator.
fn is_infix(node: &Node) -> bool {
    matches!(
        node.as_rule(),
        Rule::kw_or
            | Rule::kw_and
            | Rule::comparing
            | Rule::defaulting
            | Rule::range
            | Rule::adding
            | Rule::multiplying
    )
}

/// Whether a node is a postfix operator.
fn is_suffix(node: &Node) -> bool {
    matches!(node.as_rule(), Rule::but | Rule::rounding)
}

impl Lowering {
    /// `expr`, `value`, `product`, `operand`: operands with operators between and before them.
    pub(super) fn operations(&self, node: Node) -> Expr {
        let span = self.span(&node);
        let parts = node.into_inner();
        let is_operator = |node: &Node| is_suffix(node) || prefix(node).is_some() || is_infix(node);
        let operators = parts.clone().filter(is_operator).count();
        let kind = ExprKind::None;
        self.nested(span, operators, Expr { kind, span }, || {
            self.climb(&mut parts.peekable(), Precedence::Or)
        })
    }

    /// An operand and the following operators that bind at least as tightly as `least`.
    fn climb(&self, parts: &mut Operations, least: Precedence) -> Expr {
        let mut left = match parts.next() {
            Some(node) => match prefix(&node) {
                Some(operator) => {
                    let operand = Box::new(self.climb(parts, operator.precedence()));
                    let span = self.span(&node).to(operand.span);
                    let kind = ExprKind::Unary { operator, operand };
                    Expr { kind, span }
                }
                None => self.atom(node),
            },
            None => grammar_mismatch(Rule::expr, "an operand", None),
        };
        while let Some(node) = parts.peek() {
            let operator = is_infix(node).then(|| Operator::written(node.as_str()));
            let operator = operator.flatten();
            let precedence = match operator {
                Some(operator) => operator.precedence(),
                None if node.as_rule() == Rule::rounding => Precedence::Product,
                None => Precedence::Sum,
            };
            if precedence < least {
                break;
            }
            let Some(node) = parts.next() else { break };
            left = match operator {
                Some(operator) => {
                    let right = self.climb(parts, precedence.tighter());
                    self.binary(left, operator, self.span(&node), right)
                }
                None if node.as_rule() == Rule::rounding => self.rounded(left, node),
                None => self.but(left, node),
            };
        }
        left
    }

    /// `a + b`
    fn binary(&self, left: Expr, operator: Operator, operator_span: Span, right: Expr) -> Expr {
        let precedence = operator.precedence();
        if let ExprKind::Binary {
            operator: before,
            operator_span: span_before,
            ..
        } = &left.kind
            && before.precedence() == precedence
            && precedence.is_non_associative()
        {
            self.report(if precedence == Precedence::Range {
                mistakes::chained_range(operator_span, *span_before)
            } else {
                mistakes::chained_comparison(operator_span, *span_before)
            });
        }
        Expr {
            span: left.span.to(right.span),
            kind: ExprKind::Binary {
                operator,
                operator_span,
                left: Box::new(left),
                right: Box::new(right),
            },
        }
    }

    /// `but`
    fn but(&self, map: Expr, node: Node) -> Expr {
        let mut parts = self.parts(node);
        let span = map.span.to(parts.span());
        let kind = ExprKind::But {
            map: Box::new(map),
            value: Box::new(parts.one(Rule::product, Self::operations)),
            at: Box::new(parts.one(Rule::product, Self::operations)),
        };
        Expr { kind, span }
    }

    /// `rounding`
    fn rounded(&self, operand: Expr, node: Node) -> Expr {
        let span = operand.span.to(self.span(&node));
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_rounded);
        let kind = ExprKind::Rounded {
            operand: Box::new(operand),
            rounding: match parts.any().as_rule() {
                Rule::kw_down => Rounding::Down,
                Rule::kw_up => Rounding::Up,
                _ => Rounding::Even,
            },
            to: parts.optional(Rule::number, Self::atom).map(Box::new),
        };
        Expr { kind, span }
    }

    /// `atom`; and the values of an `expr`, which are its atoms
    fn atom(&self, node: Node) -> Expr {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::value => return self.operations(node),
            Rule::number => self.number_or_decimal(node),
            Rule::name => ExprKind::Name(self.name(node)),
            Rule::kw_yes => ExprKind::YesNo(true),
            Rule::kw_no => ExprKind::YesNo(false),
            Rule::kw_none => ExprKind::None,
            Rule::kw_empty => ExprKind::Empty,
            rule => self.nested(span, 1, ExprKind::None, || match rule {
                Rule::text => ExprKind::Text(self.text(node)),
                Rule::call => self.call(node).kind,
                Rule::group => self.group(node),
                Rule::set => self.set(node),
                Rule::pile => ExprKind::Pile(self.arguments(node)),
                Rule::tensed => self.tensed(node),
                Rule::quantified => self.quantified(node),
                Rule::beside => self.beside(node),
                Rule::extreme => self.extreme(node),
                Rule::best => self.best(node),
                _ => grammar_mismatch(Rule::atom, "an operand", Some(rule)),
            }),
        };
        Expr { kind, span }
    }

    /// `number` in an expression
    fn number_or_decimal(&self, node: Node) -> ExprKind {
        let Some((_, places)) = node.as_str().split_once('.') else {
            return ExprKind::Number(self.number(node));
        };
        let fits = places.len() <= usize::from(MOST_PLACES);
        if let Some((value, places)) = decimal(node.as_str()) {
            return ExprKind::Decimal(value, places);
        }
        self.report(if fits {
            mistakes::large_number(self.span(&node))
        } else {
            mistakes::many_places(self.span(&node))
        });
        ExprKind::Decimal(0, 1)
    }

    /// `number`, where it is whole
    #[expect(clippy::needless_pass_by_value, reason = "as all lowering functions")]
    pub(super) fn number(&self, node: Node) -> i64 {
        node.as_str().parse().unwrap_or_else(|_| {
            let span = self.span(&node);
            self.report(if node.as_str().contains('.') {
                mistakes::not_whole(span)
            } else {
                mistakes::large_number(span)
            });
            0
        })
    }

    /// `attribute`: a constant
    pub(super) fn constant(&self, node: Node) -> Expr {
        let mut parts = self.parts(node);
        let first = parts.any();
        let kind = match first.as_rule() {
            Rule::name => ExprKind::Name(self.name(first)),
            Rule::negation => ExprKind::Unary {
                operator: Prefix::Negate,
                operand: Box::new(parts.one(Rule::number, Self::atom)),
            },
            _ => self.atom(first).kind,
        };
        let span = parts.end();
        Expr { kind, span }
    }

    /// `call`
    pub(super) fn call(&self, node: Node) -> Expr {
        let mut parts = self.parts(node);
        let function = parts.name();
        let with_of = parts.pass(Rule::kw_of);
        let arguments = if with_of {
            Some(vec![parts.one(Rule::operand, Self::operations)])
        } else {
            parts.optional(Rule::arguments, Self::arguments)
        };
        let kind = match arguments {
            Some(arguments) => ExprKind::Apply {
                function,
                arguments,
                with_of,
            },
            None => ExprKind::Name(function),
        };
        let span = parts.end();
        Expr { kind, span }
    }

    /// `arguments`, `keys`, `pile`
    pub(super) fn arguments(&self, node: Node) -> Vec<Expr> {
        self.parts(node).all(Rule::expr, Self::operations)
    }

    /// `group`
    fn group(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        let value = Box::new(parts.expr());
        match parts.optional(Rule::for_each, Self::for_each) {
            Some(bindings) => parts.mapped(false, value, bindings),
            None => ExprKind::Group(value),
        }
    }

    /// `set`
    fn set(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        let first = parts.expr();
        if let Some(bindings) = parts.optional(Rule::for_each, Self::for_each) {
            return parts.mapped(true, Box::new(first), bindings);
        }
        if let Some(condition) = parts.optional_where() {
            return self.filter(first, condition);
        }
        let mut elements = vec![first];
        elements.extend(parts.all(Rule::expr, Self::operations));
        parts.end();
        ExprKind::Set(elements)
    }

    /// `{x in s where c}`: the grammar parses `x in s` as an expression; here it becomes a binding.
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
            self.report(mistakes::filter_without_binding(span));
        }
        ExprKind::None
    }

    /// `tensed`
    fn tensed(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        ExprKind::Tensed {
            tense: match parts.any().as_rule() {
                Rule::kw_new => ast::Tense::New,
                Rule::kw_old => ast::Tense::Old,
                _ => ast::Tense::Previous,
            },
            operand: Box::new(parts.one(Rule::call, Self::call)),
        }
    }

    /// `quantified`
    fn quantified(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        ExprKind::Quantified {
            quantifier: match parts.any().as_rule() {
                Rule::kw_some => ast::Quantifier::Some,
                Rule::kw_no => ast::Quantifier::No,
                _ => ast::Quantifier::Every,
            },
            bindings: parts.all(Rule::binding, Self::binding),
            condition: if parts.pass(Rule::kw_has) {
                Box::new(parts.expr())
            } else {
                Box::new(parts.one(Rule::where_clause, Self::clause_condition))
            },
        }
    }

    /// `beside`
    fn beside(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        let before = parts.any().as_rule() == Rule::kw_before;
        let mut arguments = match parts.optional(Rule::operand, Self::operations) {
            Some(operand) => vec![operand],
            None => parts.one(Rule::arguments, Self::arguments),
        }
        .into_iter();
        let operand = arguments.next();
        let operand =
            operand.unwrap_or_else(|| grammar_mismatch(Rule::arguments, "an expression", None));
        let steps = arguments.next().map(Box::new);
        if arguments.next().is_some() {
            self.report(mistakes::beside_arguments(parts.end()));
        }
        ExprKind::Beside {
            before,
            operand: Box::new(operand),
            steps,
        }
    }

    /// `extreme`
    fn extreme(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        let highest = parts.any().as_rule() == Rule::kw_highest;
        parts.pass(Rule::kw_of);
        let operand = Box::new(parts.one(Rule::operand, Self::operations));
        ExprKind::Extreme { highest, operand }
    }

    /// `best`
    fn best(&self, node: Node) -> ExprKind {
        let mut parts = self.parts(node);
        ExprKind::Best {
            sorted: parts.pass(Rule::kw_sorted),
            bindings: parts.all(Rule::binding, Self::binding),
            condition: parts.optional_where(),
            keys: parts.all(Rule::key, |lowering, node| {
                let mut parts = lowering.parts(node);
                ast::Key {
                    highest: parts.any().as_rule() == Rule::kw_highest,
                    value: parts.one(Rule::value, Self::operations),
                }
            }),
        }
    }

    /// `text`
    pub(super) fn text(&self, node: Node) -> ast::Text {
        let mut text = ast::Text {
            parts: Vec::new(),
            span: self.span(&node),
        };
        if node.as_str().contains('\n') {
            self.report(mistakes::text_over_lines(text.span));
        }
        for part in self.parts(node).rest(|_, node| node) {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::hole => text.parts.push(ast::TextPart::Hole(self.hole(part))),
                Rule::escape => push_literal(&mut text, part.as_str().split_at(1).1, span),
                _ => push_literal(&mut text, part.as_str(), span),
            }
        }
        text
    }

    /// `hole`
    fn hole(&self, node: Node) -> ast::Hole {
        let mut parts = self.parts(node);
        let value = parts.expr();
        let ends = !parts.pass(Rule::ellipsis);
        let many = match parts.optional(Rule::expr, Self::operations) {
            Some(count) => ast::Many::Exactly(Box::new(count)),
            None if ends => ast::Many::One,
            None => ast::Many::Rest,
        };
        let separators = parts.optional(Rule::separators, Self::separators);
        let span = parts.end();
        ast::Hole {
            value,
            many,
            separators,
            span,
        }
    }

    /// `separators`
    fn separators(&self, node: Node) -> ast::Separators {
        let mut parts = self.parts(node);
        parts.pass(Rule::kw_by);
        let between = parts.one(Rule::text, Self::text);
        parts.pass(Rule::kw_last);
        ast::Separators {
            between,
            last: parts.optional(Rule::text, Self::text),
            span: parts.end(),
        }
    }
}

impl Parts<'_, '_> {
    /// The rest of a set or pile with `for`.
    fn mapped(&mut self, braces: bool, value: Box<Expr>, bindings: Vec<ast::Binding>) -> ExprKind {
        let condition = self.optional_where();
        self.end();
        ExprKind::Mapped {
            braces,
            value,
            bindings,
            condition,
        }
    }

    /// `where_clause?`
    fn optional_where(&mut self) -> Option<Box<Expr>> {
        self.optional(Rule::where_clause, Lowering::clause_condition)
            .map(Box::new)
    }
}

/// Adds plain text, merged with plain text before it.
fn push_literal(whole: &mut ast::Text, written: &str, place: Span) {
    if let Some(ast::TextPart::Literal { text, span }) = whole.parts.last_mut() {
        text.push_str(written);
        *span = span.to(place);
    } else {
        whole.parts.push(ast::TextPart::Literal {
            text: written.to_owned(),
            span: place,
        });
    }
}
