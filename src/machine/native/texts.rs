//! What is said.

use cranelift_codegen::ir::Value;

use super::{Native, body::Body, calls::Callee, ranges::can_range};
use crate::code::{Code, Text, Written};

impl<'c> Body<'_, 'c> {
    /// Whether machine code can write a text.
    pub(super) fn can_say(text: &Text) -> bool {
        match text {
            Text::Literal(_) | Text::Value(..) => true,
            Text::Parts(parts) => parts.iter().all(Self::can_say),
            Text::List { source, .. } => can_range(source),
        }
    }

    /// Writes a text to what is said, and then its end, if it has one.
    pub(super) fn say_line(&mut self, text: &'c Text, end: &'static str) {
        match text {
            Text::Literal(literal) if !end.is_empty() => {
                let address = self.unit.joined(literal, end);
                let length = self.constant(Native::word(literal.len() + end.len()));
                let text = self.constant(address);
                self.call(Callee::SayLiteral, &[text, length]);
            }
            Text::Parts(parts) if !end.is_empty() && !parts.is_empty() => {
                let (others, last) = parts.split_at(parts.len() - 1);
                for part in others {
                    self.say(part);
                }
                for part in last {
                    self.say_line(part, end);
                }
            }
            other => {
                self.say(other);
                if !end.is_empty() {
                    self.say_literal(end.as_bytes());
                }
            }
        }
    }

    /// Writes a text to what is said.
    pub(super) fn say(&mut self, text: &'c Text) {
        match text {
            Text::Literal(literal) => self.say_literal(literal.as_bytes()),
            Text::Value(code, Written::Text) => self.say_text(code),
            Text::Value(code, written) => {
                let value = self.code(code);
                self.say_value(value, written);
            }
            Text::Parts(parts) => {
                for part in parts {
                    self.say(part);
                }
            }
            Text::List {
                source,
                written,
                blanks,
            } => {
                let no = self.constant(0);
                let any = self.variable(no);
                self.each(source, &mut |body, value| {
                    let there = body.is_some(value);
                    body.when(there, &mut |body| {
                        if *blanks {
                            let before = body.get(any);
                            body.when(before, &mut |body| body.say_literal(b" "));
                            let yes = body.constant(1);
                            body.set(any, yes);
                        }
                        body.say_value(value, written);
                    });
                });
            }
        }
    }

    pub(super) fn say_literal(&mut self, text: &'c [u8]) {
        let length = self.constant(Native::word(text.len()));
        let text = self.address(text);
        self.call(Callee::SayLiteral, &[text, length]);
    }

    fn say_value(&mut self, value: Value, written: &'c Written) {
        if let Written::Number = written {
            self.call(Callee::SayNumber, &[value]);
            return;
        }
        let written = self.address(written);
        self.call(Callee::SayValue, &[value, written]);
    }

    /// Writes a text that an expression gives, without keeping it where it is made only to be written.
    fn say_text(&mut self, code: &'c Code) {
        match code {
            Code::Text(text) if Self::can_say(text) => self.say(text),
            Code::Dense(table) => {
                let index = self.index(&table.keys);
                self.by_rows(&table.rows, &table.values, index, &mut |body, value| {
                    body.say_text(value);
                    body.constant(0)
                });
            }
            Code::Switch(switch) => {
                let operand = self.code(&switch.operand);
                self.by_rows(&switch.rows, &switch.values, operand, &mut |body, value| {
                    body.say_text(value);
                    body.constant(0)
                });
            }
            other if other.locals() == 0 => {
                let code = self.address(other);
                self.call(Callee::SayText, &[code]);
            }
            other => {
                let text = self.code(other);
                self.say_value(text, &Written::Text);
            }
        }
    }
}
