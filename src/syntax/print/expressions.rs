//! Prints expressions, texts and types.

use super::super::ast::{self, Expr, ExprKind, Operator, Prefix, Quantifier, Tense, TypeKind};
use super::{After, If, List, Print, Printer};
use crate::arithmetic::decimal_text;
use crate::syntax::precedence::Precedence;

/// An expression, in parentheses if it binds looser than this.
struct AtLeast<'p>(Precedence, &'p Expr);

/// The same for the operand before an operator.
struct Left<'p>(Precedence, &'p Expr);

impl Print for AtLeast<'_> {
    fn print(&self, printer: &mut Printer) {
        let loose = Precedence::of(self.1) < self.0;
        printer.put(&[&If(loose, "("), &self.1.kind, &If(loose, ")")]);
    }
}

impl Print for Left<'_> {
    fn print(&self, printer: &mut Printer) {
        let loose = Precedence::of(self.1) < self.0 || is_open(self.1);
        printer.put(&[&If(loose, "("), &self.1.kind, &If(loose, ")")]);
    }
}

impl Print for Expr {
    fn print(&self, printer: &mut Printer) {
        self.kind.print(printer);
    }
}

impl<T: Print> Print for Box<T> {
    fn print(&self, printer: &mut Printer) {
        (**self).print(printer);
    }
}

impl Print for ExprKind {
    #[expect(clippy::too_many_lines, reason = "one arm for each sort of expression")]
    fn print(&self, printer: &mut Printer) {
        match self {
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => {
                let own = operator.precedence();
                let alone = own.is_non_associative();
                let least = if alone { own.tighter() } else { own };
                let text = match operator {
                    Operator::Range => operator.text().to_owned(),
                    _ => format!(" {} ", operator.text()),
                };
                let text = text.as_str();
                printer.put(&[&Left(least, left), &text, &AtLeast(own.tighter(), right)]);
            }
            ExprKind::Unary { operator, operand } => {
                let precedence = operator.precedence();
                let word = match (operator, &operand.kind) {
                    (Prefix::Not, _) => "not ",
                    (Prefix::The, _) => "the ",
                    // `--` would begin a comment.
                    (
                        Prefix::Negate,
                        ExprKind::Unary {
                            operator: Prefix::Negate,
                            ..
                        },
                    ) => "- ",
                    (Prefix::Negate, _) => "-",
                };
                printer.put(&[&word, &AtLeast(precedence, operand)]);
            }
            ExprKind::But { map, value, at } => {
                let value = Left(Precedence::Product, value);
                let at = AtLeast(Precedence::Product, at);
                printer.put(&[&Left(Precedence::Sum, map), &" but ", &value, &" at ", &at]);
            }
            ExprKind::Quantified {
                quantifier,
                bindings,
                condition,
            } => {
                let (word, join) = match quantifier {
                    Quantifier::Some => ("some ", " where "),
                    Quantifier::No => ("no ", " where "),
                    Quantifier::Every => ("every ", " has "),
                };
                printer.put(&[&word, &List(bindings), &join, condition]);
            }
            ExprKind::Best {
                sorted,
                bindings,
                condition,
                keys,
            } => {
                let word = if *sorted { "sorted " } else { "best " };
                let condition = After(" where ", condition.as_ref());
                printer.put(&[&word, &List(bindings), &condition, &" by ", &List(keys)]);
            }
            ExprKind::Tensed { tense, operand } => {
                let word = match tense {
                    Tense::New => "new ",
                    Tense::Old => "old ",
                    Tense::Previous => "previous ",
                };
                printer.put(&[&word, &AtLeast(Precedence::Atom, operand)]);
            }
            ExprKind::Beside {
                before,
                operand,
                steps,
            } => {
                printer.put(&[if *before { &"before" } else { &"after" }]);
                match steps {
                    Some(steps) => printer.put(&[&"(", operand, &", ", steps, &")"]),
                    None => printer.put(&[&" ", &AtLeast(Precedence::Prefix, operand)]),
                }
            }
            ExprKind::Extreme { highest, operand } => {
                let word = if *highest { "highest" } else { "lowest" };
                printer.put(&[&word, &" of ", &AtLeast(Precedence::Prefix, operand)]);
            }
            ExprKind::Name(name) => name.print(printer),
            ExprKind::Apply {
                function,
                arguments,
                with_of,
            } => match arguments.as_slice() {
                [only] if *with_of => {
                    printer.put(&[function, &" of ", &AtLeast(Precedence::Prefix, only)]);
                }
                _ => printer.put(&[function, &"(", &List(arguments), &")"]),
            },
            ExprKind::Number(number) => number.print(printer),
            ExprKind::Decimal(value, places) => {
                decimal_text(*value, *places).as_str().print(printer);
            }
            ExprKind::Rounded {
                operand,
                rounding,
                to,
            } => {
                let operand = Left(Precedence::Product, operand);
                let to = After(" to ", to.as_ref());
                printer.put(&[&operand, &" rounded ", &rounding.word(), &to]);
            }
            ExprKind::Text(text) => text.print(printer),
            ExprKind::YesNo(yes) => printer.put(&[if *yes { &"yes" } else { &"no" }]),
            ExprKind::None => "none".print(printer),
            ExprKind::Empty => "empty".print(printer),
            ExprKind::Set(elements) => printer.put(&[&"{", &List(elements), &"}"]),
            ExprKind::Pile(elements) => printer.put(&[&"[", &List(elements), &"]"]),
            ExprKind::Filter { binding, condition } => {
                printer.put(&[&"{", binding, &" where ", condition, &"}"]);
            }
            ExprKind::Mapped {
                braces,
                value,
                bindings,
                condition,
            } => {
                let (open, close) = if *braces { ("{", "}") } else { ("(", ")") };
                printer.put(&[&open, value]);
                printer.for_each(bindings);
                printer.put(&[&After(" where ", condition.as_ref()), &close]);
            }
            ExprKind::Group(inner) => printer.put(&[&"(", inner, &")"]),
        }
    }
}

impl Print for ast::Key {
    fn print(&self, printer: &mut Printer) {
        printer.put(&[if self.highest {
            &"highest "
        } else {
            &"lowest "
        }]);
        printer.value(&self.value);
    }
}

impl Print for ast::Binding {
    fn print(&self, printer: &mut Printer) {
        let collection = Left(Precedence::Else, &self.collection);
        printer.put(&[&self.name, &" in ", &collection]);
    }
}

impl Printer {
    /// An expression in a place without comparisons, which are put in parentheses.
    pub(super) fn value(&mut self, expr: &Expr) {
        AtLeast(Precedence::Else, expr).print(self);
    }

    /// ` for x in s`, or nothing.
    pub(super) fn for_each(&mut self, bindings: &[ast::Binding]) {
        if !bindings.is_empty() {
            self.put(&[&" for ", &List(bindings)]);
        }
    }
}

impl Print for ast::Text {
    /// A text with its quotes; within a hole, with the other sort of quotes.
    fn print(&self, printer: &mut Printer) {
        let is_outer = printer.holes.is_multiple_of(2);
        let quote = if is_outer { '"' } else { '\'' };
        printer.text.push(quote);
        for part in &self.parts {
            match part {
                ast::TextPart::Literal { text, .. } => {
                    for character in text.chars() {
                        if character == quote || matches!(character, '\\' | '{' | '}') {
                            printer.text.push('\\');
                        }
                        printer.text.push(character);
                    }
                }
                ast::TextPart::Hole(hole) => hole.print(printer),
            }
        }
        printer.text.push(quote);
    }
}

impl Print for ast::Hole {
    fn print(&self, printer: &mut Printer) {
        printer.holes += 1;
        printer.put(&[&"{", &self.value]);
        match &self.many {
            ast::Many::One => {}
            ast::Many::Rest => " ...".print(printer),
            ast::Many::Exactly(count) => printer.put(&[&" ... ", count]),
        }
        if let Some(separators) = &self.separators {
            printer.put(&[&" by ", &separators.between]);
            printer.put(&[&After(" last ", separators.last.as_ref())]);
        }
        "}".print(printer);
        printer.holes -= 1;
    }
}

impl Print for ast::Type {
    fn print(&self, printer: &mut Printer) {
        match &self.kind {
            TypeKind::YesNo => "yes/no".print(printer),
            TypeKind::Named(name) => name.print(printer),
            TypeKind::Decimals(places) => {
                let zeroes = "0".repeat(usize::from(*places));
                printer.put(&[&"number.", &zeroes.as_str()]);
            }
            TypeKind::Range(low, high) => printer.put(&[low, &"..", high]),
            TypeKind::Set(of) => printer.put(&[&"set of ", of]),
            TypeKind::Bag(of) => printer.put(&[&"bag of ", of]),
            TypeKind::Pile(of) => printer.put(&[&"pile of ", of]),
            TypeKind::Map(from, to) => printer.put(&[from, &" -> ", to]),
            TypeKind::Optional(of) => printer.put(&[of, &"?"]),
        }
    }
}

/// Whether an expression extends as far to the right as possible, because its last part does.
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
