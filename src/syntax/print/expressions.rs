//! Expressions, texts and types.

use super::super::ast::{self, Expr, ExprKind, Operator, Prefix, Quantifier, Tense, TypeKind};
use super::Printer;
use crate::syntax::precedence::Precedence;

impl Printer {
    /// An expression where any may stand.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.strong(expr, Precedence::Or);
    }

    /// An expression where only a value may stand, without comparisons.
    pub(super) fn value(&mut self, expr: &Expr) {
        self.strong(expr, Precedence::Else);
    }

    /// An expression, in parentheses if it is looser than `least`.
    fn strong(&mut self, expr: &Expr, least: Precedence) {
        self.parenthesised(expr, Precedence::of(expr) < least);
    }

    /// An expression after which an operator follows.
    fn left(&mut self, expr: &Expr, least: Precedence) {
        self.parenthesised(expr, Precedence::of(expr) < least || is_open(expr));
    }

    fn parenthesised(&mut self, expr: &Expr, parentheses: bool) {
        if parentheses {
            self.put("(");
            self.kind(&expr.kind);
            self.put(")");
        } else {
            self.kind(&expr.kind);
        }
    }

    fn kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => self.binary(*operator, left, right),
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand),
            ExprKind::But { map, value, at } => self.but(map, value, at),
            ExprKind::Quantified {
                quantifier,
                bindings,
                condition,
            } => self.quantified(*quantifier, bindings, condition),
            ExprKind::Best {
                bindings,
                condition,
                keys,
            } => self.best(bindings, condition.as_deref(), keys),
            ExprKind::Tensed { tense, operand } => self.tensed(*tense, operand),
            ExprKind::Beside {
                before,
                operand,
                steps,
            } => self.beside(*before, operand, steps.as_deref()),
            ExprKind::Extreme { highest, operand } => {
                self.put(if *highest {
                    "highest of "
                } else {
                    "lowest of "
                });
                self.strong(operand, Precedence::Prefix);
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::Apply {
                function,
                arguments,
                with_of,
            } => self.apply(function, arguments, *with_of),
            ExprKind::Number(number) => self.put(&number.to_string()),
            ExprKind::Text(text) => self.quoted(text),
            ExprKind::YesNo(yes) => self.put(if *yes { "yes" } else { "no" }),
            ExprKind::None => self.put("none"),
            ExprKind::Empty => self.put("empty"),
            ExprKind::Set(elements) => self.bracketed("{", elements, "}"),
            ExprKind::Pile(elements) => self.bracketed("[", elements, "]"),
            ExprKind::Filter { binding, condition } => self.filter(binding, condition),
            ExprKind::Mapped {
                braces,
                value,
                bindings,
                condition,
            } => self.mapped(*braces, value, bindings, condition.as_deref()),
            ExprKind::Group(inner) => self.bracketed("(", std::slice::from_ref(inner), ")"),
        }
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) {
        let own = operator.precedence();
        let least = if own.stands_alone() {
            own.tighter()
        } else {
            own
        };
        self.left(left, least);
        if operator == Operator::Range {
            self.put(operator.text());
        } else {
            self.put(&format!(" {} ", operator.text()));
        }
        self.strong(right, own.tighter());
    }

    fn unary(&mut self, operator: Prefix, operand: &Expr) {
        match operator {
            Prefix::Not => {
                self.put("not ");
                self.strong(operand, Precedence::Not);
            }
            Prefix::The => {
                self.put("the ");
                self.strong(operand, Precedence::Prefix);
            }
            Prefix::Negate => {
                self.put("-");
                if matches!(
                    operand.kind,
                    ExprKind::Unary {
                        operator: Prefix::Negate,
                        ..
                    }
                ) {
                    // Two dashes side by side are no operators.
                    self.put(" ");
                }
                self.strong(operand, Precedence::Prefix);
            }
        }
    }

    fn but(&mut self, map: &Expr, value: &Expr, at: &Expr) {
        self.left(map, Precedence::Sum);
        self.put(" but ");
        self.left(value, Precedence::Product);
        self.put(" at ");
        self.strong(at, Precedence::Product);
    }

    fn tensed(&mut self, tense: Tense, operand: &Expr) {
        self.put(match tense {
            Tense::New => "new ",
            Tense::Old => "old ",
            Tense::Previous => "previous ",
        });
        self.strong(operand, Precedence::Atom);
    }

    fn filter(&mut self, binding: &ast::Binding, condition: &Expr) {
        self.put("{");
        self.binding(binding);
        self.put(" where ");
        self.expr(condition);
        self.put("}");
    }

    fn mapped(
        &mut self,
        braces: bool,
        value: &Expr,
        bindings: &[ast::Binding],
        condition: Option<&Expr>,
    ) {
        self.put(if braces { "{" } else { "(" });
        self.expr(value);
        self.for_each(bindings);
        self.optional(" where ", condition, Self::expr);
        self.put(if braces { "}" } else { ")" });
    }

    fn quantified(&mut self, quantifier: Quantifier, bindings: &[ast::Binding], condition: &Expr) {
        let (word, join) = match quantifier {
            Quantifier::Some => ("some ", " where "),
            Quantifier::No => ("no ", " where "),
            Quantifier::Every => ("every ", " has "),
        };
        self.put(word);
        self.list(bindings, ", ", Self::binding);
        self.put(join);
        self.expr(condition);
    }

    fn best(&mut self, bindings: &[ast::Binding], condition: Option<&Expr>, keys: &[ast::Key]) {
        self.put("best ");
        self.list(bindings, ", ", Self::binding);
        self.optional(" where ", condition, Self::expr);
        self.put(" by ");
        self.list(keys, ", ", |printer, key| {
            printer.put(if key.highest { "highest " } else { "lowest " });
            printer.value(&key.value);
        });
    }

    fn beside(&mut self, before: bool, operand: &Expr, steps: Option<&Expr>) {
        self.put(if before { "before" } else { "after" });
        if let Some(steps) = steps {
            self.put("(");
            self.expr(operand);
            self.put(", ");
            self.expr(steps);
            self.put(")");
        } else {
            self.put(" ");
            self.strong(operand, Precedence::Prefix);
        }
    }

    fn apply(&mut self, function: &ast::Name, arguments: &[Expr], with_of: bool) {
        self.name(function);
        match arguments {
            [only] if with_of => {
                self.put(" of ");
                self.strong(only, Precedence::Prefix);
            }
            _ => self.bracketed("(", arguments, ")"),
        }
    }

    fn bracketed<E: std::borrow::Borrow<Expr>>(&mut self, open: &str, list: &[E], close: &str) {
        self.put(open);
        self.list(list, ", ", |printer, one| printer.expr(one.borrow()));
        self.put(close);
    }

    /// `x in s`
    pub(super) fn binding(&mut self, binding: &ast::Binding) {
        self.name(&binding.name);
        self.put(" in ");
        self.left(&binding.collection, Precedence::Else);
    }

    /// ` for x in s`, or nothing.
    pub(super) fn for_each(&mut self, bindings: &[ast::Binding]) {
        if !bindings.is_empty() {
            self.put(" for ");
            self.list(bindings, ", ", Self::binding);
        }
    }

    /// A text with its quotes; in a hole, with the other sort.
    pub(super) fn quoted(&mut self, text: &ast::Text) {
        let quote = if self.holes.is_multiple_of(2) {
            '"'
        } else {
            '\''
        };
        self.text.push(quote);
        for part in &text.parts {
            match part {
                ast::TextPart::Literal { text, .. } => {
                    for character in text.chars() {
                        if character == quote || matches!(character, '\\' | '{' | '}') {
                            self.text.push('\\');
                        }
                        self.text.push(character);
                    }
                }
                ast::TextPart::Hole(hole) => self.hole(hole),
            }
        }
        self.text.push(quote);
    }

    fn hole(&mut self, hole: &ast::Hole) {
        self.holes += 1;
        self.put("{");
        self.expr(&hole.value);
        match &hole.many {
            ast::Many::One => {}
            ast::Many::Rest => self.put(" ..."),
            ast::Many::Exactly(count) => {
                self.put(" ... ");
                self.expr(count);
            }
        }
        self.put("}");
        self.holes -= 1;
    }

    /// A type.
    pub(super) fn written_type(&mut self, ty: &ast::Type) {
        match &ty.kind {
            TypeKind::YesNo => self.put("yes/no"),
            TypeKind::Named(name) => self.name(name),
            TypeKind::Range(low, high) => {
                self.expr(low);
                self.put("..");
                self.expr(high);
            }
            TypeKind::Set(of) => self.collection_type("set of ", of),
            TypeKind::Bag(of) => self.collection_type("bag of ", of),
            TypeKind::Pile(of) => self.collection_type("pile of ", of),
            TypeKind::Map(from, to) => {
                self.written_type(from);
                self.put(" -> ");
                self.written_type(to);
            }
            TypeKind::Optional(of) => {
                self.written_type(of);
                self.put("?");
            }
        }
    }

    fn collection_type(&mut self, words: &str, of: &ast::Type) {
        self.put(words);
        self.written_type(of);
    }
}

/// Whether an expression takes in whatever follows it, because its last part does.
fn is_open(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Quantified { .. } | ExprKind::Best { .. } => true,
        ExprKind::Binary { right, .. } => is_open(right),
        ExprKind::Unary { operand, .. }
        | ExprKind::Beside {
            operand,
            steps: None,
            ..
        }
        | ExprKind::Extreme { operand, .. }
        | ExprKind::Tensed { operand, .. } => is_open(operand),
        ExprKind::But { at, .. } => is_open(at),
        ExprKind::Apply {
            arguments,
            with_of: true,
            ..
        } => arguments.last().is_some_and(is_open),
        _ => false,
    }
}
