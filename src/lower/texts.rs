//! Writes texts to the output, and builds texts as values.

use super::{availability::Available, body::Body, ranges::Visit, written::SHORT};
use crate::code::{Code, Shape, Source, Text, Written};
use crate::mir::{Callee, Field, Value, Variable};

/// A fact with at most this many pieces is written in place.
const FEW_PIECES: usize = 64;

/// Texts of facts are written within other texts up to this depth.
const DEEPEST: usize = 4;

impl<'b, 'c> Body<'b, 'c> {
    /// The id of a text made of parts: it is written to the output, interned, and removed again.
    pub(super) fn build_text(&mut self, text: &'c Text) -> Value {
        let start = self.field(Field::OutputLength);
        self.say(text);
        self.call(Callee::MakeText, &[start])
    }

    /// Writes a text to the output, and then its end, if it has one.
    pub(super) fn say_line(&mut self, text: &'c Text, end: &'static str) {
        match text {
            Text::Literal(literal) if !end.is_empty() => {
                let joined = format!("{literal}{end}");
                if joined.len() > SHORT {
                    let text = self.unit.text(&joined);
                    let text = self.constant(text);
                    self.call(Callee::SayLiteral, &[text]);
                } else {
                    self.append(joined.as_bytes());
                }
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
                    self.say_literal(end);
                }
            }
        }
    }

    /// Writes a text to the output.
    pub(super) fn say(&mut self, text: &'c Text) {
        match text {
            Text::Literal(literal) => self.say_literal(literal),
            Text::Value(code, Written::Number) if matches!(**code, Code::GameNumber) => {
                self.call(Callee::SayGameNumber, &[]);
            }
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
                between,
                last,
            } if between == last => {
                let no = self.constant(0);
                let any = self.variable(no);
                self.each_listed(source, &mut |body, value| {
                    let is_some = body.is_some(value);
                    body.if_nonzero(is_some, &mut |body| {
                        if !between.is_empty() {
                            let before = body.get(any);
                            body.if_nonzero(before, &mut |body| body.say_literal(between));
                            let yes = body.constant(1);
                            body.set(any, yes);
                        }
                        body.say_value(value, written);
                    });
                });
            }
            Text::List {
                source,
                written,
                between,
                last,
            } => {
                // Write each when the next comes, and the last at the end, after another separator.
                let none = self.none();
                let (held, no) = (self.variable(none), self.constant(0));
                let any = self.variable(no);
                self.each_listed(source, &mut |body, value| {
                    let is_some = body.is_some(value);
                    body.if_nonzero(is_some, &mut |body| {
                        body.say_variable((held, any), between, written);
                        body.set(held, value);
                    });
                });
                self.say_variable((held, any), last, written);
            }
        }
    }

    /// Writes the value in a variable, after a separator unless it is the first.
    fn say_variable(
        &mut self,
        (held, any): (Variable, Variable),
        text: &str,
        written: &'c Written,
    ) {
        let value = self.get(held);
        let is_some = self.is_some(value);
        self.if_nonzero(is_some, &mut |body| {
            let before = body.get(any);
            body.if_nonzero(before, &mut |body| body.say_literal(text));
            let yes = body.constant(1);
            body.set(any, yes);
            let value = body.get(held);
            body.say_value(value, written);
        });
    }

    /// Visits the elements of a list. Does not allocate a pile that is only built to be listed.
    fn each_listed(&mut self, source: &'c Source, visit: Visit<'_, 'b, 'c>) {
        let compiled = self.unit.compiled;
        let Source::Pile { pile, .. } = source else {
            self.each(source, visit);
            return;
        };
        match pile {
            Code::Gather { source, shape } if can_list(shape) => self.each(source, visit),
            Code::Call(fact, arguments) => {
                let definition = &compiled.facts[*fact as usize];
                match &definition.code {
                    Code::Gather {
                        source: inner,
                        shape,
                    } if can_list(shape) => {
                        self.charge();
                        let values: Vec<_> = arguments.iter().map(|code| self.code(code)).collect();
                        self.in_frame(|body| {
                            body.set_locals(&values);
                            body.each(inner, visit);
                        });
                    }
                    _ => self.each(source, visit),
                }
            }
            _ => self.each(source, visit),
        }
    }

    /// Writes the text that an expression gives. Does not intern a text that is only built to be written.
    fn say_text(&mut self, code: &'c Code) {
        let compiled = self.unit.compiled;
        match code {
            Code::Constant(id) => {
                let known = usize::try_from(*id).ok();
                match known.and_then(|id| compiled.texts.get(id)) {
                    Some(text) => self.say_literal(text),
                    None => self.say_interned(code),
                }
            }
            Code::Text(text) => self.say(text),
            Code::Dense(table) => {
                let index = self.index(&table.keys);
                self.by_rows(
                    &table.rows,
                    &table.values,
                    index,
                    table.site,
                    &mut |body, value| {
                        body.say_text(value);
                        body.constant(0)
                    },
                );
            }
            Code::Switch(switch) => {
                let operand = self.code(&switch.operand);
                self.by_rows(
                    &switch.rows,
                    &switch.values,
                    operand,
                    switch.site,
                    &mut |body, value| {
                        body.say_text(value);
                        body.constant(0)
                    },
                );
            }
            Code::If(choice) => {
                let (otherwise, done) = (self.block(), self.block());
                for condition in &choice.conditions {
                    let holds = self.code(condition);
                    self.unless_zero(holds, otherwise);
                }
                self.say_text(&choice.value);
                self.go_to(done);
                self.begin(otherwise);
                self.say_text(&choice.otherwise);
                self.go_to(done);
                self.begin(done);
            }
            Code::Decide(table) => {
                self.decided(table, &mut |body, value| {
                    body.say_text(value);
                    body.constant(0)
                });
            }
            Code::First(rows) if !rows.iter().any(|row| row.maybe) => {
                let exit = self.exit();
                for row in rows {
                    self.run(&row.bindings, &row.conditions, &mut |body| {
                        body.say_text(&row.value);
                        body.leave(exit);
                    });
                }
                self.arrive(exit);
            }
            Code::Fact(fact)
                if self.is_unknown(*fact)
                    && self.can_say_within(&compiled.facts[*fact as usize].code) =>
            {
                let definition = &compiled.facts[*fact as usize];
                self.within(|body| body.say_text(&definition.code));
            }
            Code::Call(fact, arguments) => {
                let definition = &compiled.facts[*fact as usize];
                if definition.table.is_some() || !self.can_say_within(&definition.code) {
                    self.say_interned(code);
                    return;
                }
                self.charge();
                let values: Vec<_> = arguments.iter().map(|code| self.code(code)).collect();
                self.within(|body| {
                    body.set_locals(&values);
                    body.say_text(&definition.code);
                });
            }
            other => self.say_interned(other),
        }
    }

    /// Writes an interned text.
    fn say_interned(&mut self, code: &'c Code) {
        let text = self.code(code);
        self.say_value(text, &Written::Text);
    }

    /// Whether the value of a fact is not available.
    fn is_unknown(&self, fact: u32) -> bool {
        self.availability.find(Available::Fact(fact)).is_none()
    }

    /// Whether a fact's text can be written in place instead of being built first.
    fn can_say_within(&self, code: &Code) -> bool {
        self.texts_within < DEEPEST && self.may_grow() && is_said(code)
    }

    /// Emits `then` with locals of its own, one level deeper within texts.
    fn within(&mut self, then: impl FnOnce(&mut Self)) {
        self.texts_within += 1;
        self.in_frame(then);
        self.texts_within -= 1;
    }
}

/// Whether the text of an expression is best written directly: it is made of others, and short.
pub(super) fn is_said(code: &Code) -> bool {
    let made = match code {
        // A row that may pass on depends on its value.
        Code::First(rows) => !rows.iter().any(|row| row.maybe),
        Code::Text(_) | Code::Dense(_) | Code::Switch(_) | Code::If(_) | Code::Decide(_) => true,
        _ => false,
    };
    made && !code.is_larger_than(FEW_PIECES)
}

/// Whether the elements of a pile can be listed without building it.
fn can_list(shape: &Shape) -> bool {
    matches!(shape, Shape::Pile { element, .. } if element.is_word())
}
