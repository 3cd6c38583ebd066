//! `is some` tests that do not build the value: for example, no text is built to know that it is not none.

use super::{availability::Available, body::Body};
use crate::code::{Code, Row, Text, Written};
use crate::mir::Value;

impl<'c> Body<'_, 'c> {
    /// Whether the value of an expression is not none. Fails where building the value would fail.
    pub(super) fn presence(&mut self, code: &'c Code) -> Value {
        match code {
            Code::Text(text) if self.can_check(text) => {
                self.checked_text(text);
                self.constant(1)
            }
            Code::Fact(fact)
                if self.may_grow() && self.availability.find(Available::Fact(*fact)).is_none() =>
            {
                let definition = &self.unit.compiled.facts[*fact as usize];
                self.making.push(Available::Fact(*fact));
                let presence = self.in_frame(|body| body.presence(&definition.code));
                self.making.pop();
                presence
            }
            Code::First(rows) => self.first_is_there(rows),
            Code::Dense(table) => {
                let index = self.index(&table.keys);
                let (rows, values) = (&table.rows, &table.values);
                self.by_rows(rows, values, index, table.site, &mut |body, value| {
                    body.presence(value)
                })
            }
            Code::Switch(switch) => {
                let operand = self.code(&switch.operand);
                let (rows, values) = (&switch.rows, &switch.values);
                self.by_rows(rows, values, operand, switch.site, &mut |body, value| {
                    body.presence(value)
                })
            }
            Code::Else(pair) => {
                let first = self.presence(&pair.0);
                let result = self.variable(first);
                let missing = self.equals(first, 0);
                self.if_nonzero(missing, &mut |body| {
                    let second = body.presence(&pair.1);
                    body.set(result, second);
                });
                self.get(result)
            }
            other => {
                let value = self.code(other);
                self.is_some(value)
            }
        }
    }

    fn first_is_there(&mut self, rows: &'c [Row]) -> Value {
        let no = self.constant(0);
        let result = self.variable(no);
        let exit = self.exit();
        for row in rows {
            self.run(&row.bindings, &row.conditions, &mut |body| {
                let is_some = body.presence(&row.value);
                if row.maybe {
                    let next = body.block();
                    body.unless_zero(is_some, next);
                    body.set(result, is_some);
                    body.leave(exit);
                    body.go_to(next);
                    body.begin(next);
                } else {
                    body.set(result, is_some);
                    body.leave(exit);
                }
            });
        }
        self.arrive(exit);
        self.get(result)
    }

    /// Whether building a text can only fail in the values written in it.
    fn can_check(&self, text: &Text) -> bool {
        match text {
            Text::Literal(_) => true,
            Text::Value(_, written) | Text::List { written, .. } => self.can_write(written),
            Text::Parts(parts) => parts.iter().all(|part| self.can_check(part)),
        }
    }

    fn can_write(&self, written: &Written) -> bool {
        match written {
            Written::Number | Written::Decimal(_) | Written::YesNo | Written::Text => true,
            Written::Form(form) => self.unit.compiled.forms[*form].is_listed(),
            Written::OrNone(inner) => self.can_write(inner),
            Written::Members { .. } => false,
        }
    }

    /// Evaluates the values written in a text.
    fn checked_text(&mut self, text: &'c Text) {
        match text {
            Text::Literal(_) => {}
            Text::Value(code, Written::Text) => {
                self.presence(code);
            }
            Text::Value(code, written) => {
                let value = self.code(code);
                self.checked_written(value, written);
            }
            Text::Parts(parts) => {
                for part in parts {
                    self.checked_text(part);
                }
            }
            Text::List {
                source, written, ..
            } => self.each(source, &mut |body, value| {
                let is_some = body.is_some(value);
                body.if_nonzero(is_some, &mut |body| body.checked_written(value, written));
            }),
        }
    }

    /// Fails if a value has no known form.
    fn checked_written(&mut self, value: Value, written: &'c Written) {
        match written {
            Written::Number
            | Written::Decimal(_)
            | Written::YesNo
            | Written::Text
            | Written::Members { .. } => {}
            Written::OrNone(inner) => {
                let is_some = self.is_some(value);
                self.if_nonzero(is_some, &mut |body| body.checked_written(value, inner));
            }
            Written::Form(form) => {
                if let Some(domain) = self.unit.compiled.forms[*form].domain {
                    let index = self.index_in(domain, value);
                    self.fail_unless_below(index, domain.count);
                }
            }
        }
    }
}
