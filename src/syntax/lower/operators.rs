//! Which grammar rule is which operator, and the constants that attributes and bounds are.

use super::super::ast::{Expr, ExprKind, Operator, Prefix};
use super::super::cursor::{Children, Node, drift};
use super::super::grammar::Rule;
use super::super::slips;
use super::Lowering;

/// Operators that do not chain, and the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// `is`, `<`, `in` and their like.
    Comparison,
    /// `..`
    Range,
    /// All that may stand in a chain.
    Other,
}

/// Whether `operator` may stand in a chain.
fn level(operator: Operator) -> Level {
    match operator {
        Operator::Is
        | Operator::IsNot
        | Operator::In
        | Operator::NotIn
        | Operator::Within
        | Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual => Level::Comparison,
        Operator::Range => Level::Range,
        Operator::Or
        | Operator::And
        | Operator::Else
        | Operator::Add
        | Operator::Subtract
        | Operator::With
        | Operator::Without
        | Operator::Then
        | Operator::Multiply
        | Operator::Divide
        | Operator::Modulo => Level::Other,
    }
}

/// The operator between two operands that `node` is.
fn infix(node: &Node) -> Operator {
    match node.as_str() {
        "or" => Operator::Or,
        "and" => Operator::And,
        "is" => Operator::Is,
        "in" => Operator::In,
        "within" => Operator::Within,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        "else" => Operator::Else,
        ".." => Operator::Range,
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "with" => Operator::With,
        "without" => Operator::Without,
        "then" => Operator::Then,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        "mod" => Operator::Modulo,
        // Two words, with whatever blanks between them.
        words if words.starts_with("is") => Operator::IsNot,
        words if words.starts_with("not") => Operator::NotIn,
        _ => drift(Rule::expr, "an operator", Some(node)),
    }
}

/// The operator that `rule` is before an operand, if it is one.
fn prefix(rule: Rule) -> Option<Prefix> {
    Some(match rule {
        Rule::kw_not => Prefix::Not,
        Rule::negation => Prefix::Negate,
        Rule::kw_the => Prefix::The,
        _ => return None,
    })
}

/// Whether `rule` is an operator of any sort.
pub(super) fn is_operator(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::kw_or
            | Rule::kw_and
            | Rule::kw_not
            | Rule::comparing
            | Rule::defaulting
            | Rule::range
            | Rule::adding
            | Rule::but
            | Rule::multiplying
            | Rule::kw_the
            | Rule::negation
    )
}

impl Lowering {
    /// `the x`
    pub(super) fn prefix(&self, operator: &Node, operand: Expr) -> Expr {
        Expr {
            span: self.span(operator).to(operand.span),
            kind: ExprKind::Unary {
                operator: prefix(operator.as_rule())
                    .unwrap_or_else(|| drift(Rule::expr, "a prefix", Some(operator))),
                operand: Box::new(operand),
            },
        }
    }

    /// `a + b`
    pub(super) fn infix(&self, left: Expr, node: &Node, right: Expr) -> Expr {
        let operator = infix(node);
        let operator_span = self.span(node);
        if let ExprKind::Binary {
            operator: before,
            operator_span: span_before,
            ..
        } = &left.kind
            && level(*before) == level(operator)
        {
            match level(operator) {
                Level::Comparison => {
                    self.report(slips::chained_comparison(operator_span, *span_before));
                }
                Level::Range => self.report(slips::chained_range(operator_span, *span_before)),
                Level::Other => {}
            }
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

    /// `number`
    pub(super) fn number(&self, node: &Node) -> i64 {
        node.as_str().parse().unwrap_or_else(|_| {
            self.report(slips::large_number(self.span(node)));
            0
        })
    }

    /// An attribute's value or an end of a range.
    pub(super) fn constant(&self, node: Node) -> Expr {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let first = children.any();
        let kind = match first.as_rule() {
            Rule::negation => {
                let number = children.expect(Rule::number);
                ExprKind::Unary {
                    operator: Prefix::Negate,
                    operand: Box::new(Expr {
                        kind: ExprKind::Number(self.number(&number)),
                        span: self.span(&number),
                    }),
                }
            }
            Rule::number => ExprKind::Number(self.number(&first)),
            Rule::text => ExprKind::Text(self.text(first)),
            Rule::kw_yes => ExprKind::YesNo(true),
            Rule::kw_no => ExprKind::YesNo(false),
            Rule::kw_none => ExprKind::None,
            Rule::name => ExprKind::Name(self.name(&first)),
            _ => drift(Rule::attribute, "a constant", Some(&first)),
        };
        children.end();
        Expr { kind, span }
    }
}
