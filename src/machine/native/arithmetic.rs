//! Numbers, and members so many places on.

use cranelift_codegen::ir::{InstBuilder, Value, condcodes::IntCC, types::I64};

use super::{body::Body, calls::Callee};
use crate::code::{After, Code};

impl<'c> Body<'_, 'c> {
    /// A member so many places on.
    pub(super) fn after(&mut self, after: &'c After) -> Value {
        let place = self.code(&after.operand);
        let steps = self.code(&after.steps);
        let count = self.code(&after.count);
        let steps = if after.before {
            self.builder.ins().ineg(steps)
        } else {
            steps
        };
        if after.ring {
            let few = self.compare(IntCC::UnsignedLessThan, steps, count);
            let result = self.variable(steps);
            let (many, done) = (self.block(), self.block());
            self.branch(few, done, many);
            self.begin(many);
            // Seldom more than once around.
            let steps = self.call(Callee::Modulo, &[steps, count]);
            self.set(result, steps);
            self.go_to(done);
            self.begin(done);
            let steps = self.get(result);
            let there = self.builder.ins().iadd(place, steps);
            let around = self.builder.ins().isub(there, count);
            let within = self.compare(IntCC::SignedLessThan, there, count);
            return self.select(within, there, around);
        }
        let (there, overflow) = self.builder.ins().sadd_overflow(place, steps);
        let overflow = self.builder.ins().uextend(I64, overflow);
        let within = self.compare(IntCC::UnsignedLessThan, there, count);
        let none = self.none();
        let found = self.select(within, there, none);
        self.select(overflow, none, found)
    }

    /// What becomes of numbers; too large a one makes machine code give up.
    pub(super) fn arithmetic(&mut self, code: &'c Code) -> Value {
        let (value, overflow) = match code {
            Code::Add(pair, _) => {
                let (left, right) = self.both(pair);
                self.builder.ins().sadd_overflow(left, right)
            }
            Code::Subtract(pair, _) => {
                let (left, right) = self.both(pair);
                self.builder.ins().ssub_overflow(left, right)
            }
            Code::Multiply(pair, _) => {
                let (left, right) = self.both(pair);
                self.builder.ins().smul_overflow(left, right)
            }
            Code::Negate(operand, _) => {
                let operand = self.code(operand);
                let nothing = self.constant(0);
                self.builder.ins().ssub_overflow(nothing, operand)
            }
            Code::Apart(pair, _) => {
                let (left, right) = self.both(pair);
                let (value, overflow) = self.builder.ins().ssub_overflow(left, right);
                (self.builder.ins().iabs(value), overflow)
            }
            Code::Divide(pair, _) | Code::Modulo(pair, _) => {
                let (left, right) = self.both(pair);
                let callee = match code {
                    Code::Divide(..) => Callee::Divide,
                    _ => Callee::Modulo,
                };
                let value = self.call(callee, &[left, right]);
                let none = self.is_none(value);
                self.fail_if(none);
                return value;
            }
            other => return self.interpret(other),
        };
        let overflow = self.builder.ins().uextend(I64, overflow);
        self.fail_if(overflow);
        // The least number is none.
        let none = self.is_none(value);
        self.fail_if(none);
        value
    }
}
